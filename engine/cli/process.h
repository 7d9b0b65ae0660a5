// Work in a separate process, with limits: a crash or lack of memory there leaves this one intact. The only owner of
// processes; on a system without them, the work is done here, without limits.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace tendril::cli {

/// Whether work gets its own process on this system.
bool haveProcesses();

/// Bytes of memory of this machine; 0: unknown.
double machineMemory();

struct ChildLimits {
  std::optional<double> seconds;  ///< of wall clock time
  double bytes = 0;               ///< of address space; 0: no limit
  bool interruptible = true;      ///< false: short work that is needed even when this process is to end
};

struct ChildEnd {
  enum class How { done, died, outOfTime, interrupted };
  How how = How::done;
  std::string reason;  ///< for one that died: "crashed (Segmentation fault, signal 11)"
};

using SendLine = std::function<void(const std::string& line)>;

/// Does `work` in a child and passes on each line as it arrives. When time is up, or this process is asked to end
/// (cli/interrupt), the child is asked to end and killed a little later; `ending` is called then. Throws
/// std::runtime_error: no process could be created.
ChildEnd runInChild(const std::function<void(const SendLine& send)>& work, const ChildLimits& limits,
                    const std::function<void(const std::string& line)>& receive,
                    const std::function<void(ChildEnd::How)>& ending);

}  // namespace tendril::cli
