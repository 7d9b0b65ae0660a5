// Work in a process of its own, with limits: what happens to it there, a crash or a lack of memory, leaves this one as
// it is. The one place that knows processes; where a system has none, the work is done here, without limits.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace tendril::cli {

/// Whether work gets processes of its own on this system.
bool haveProcesses();

/// Bytes of memory that this machine has; 0: not known.
double machineMemory();

struct ChildLimits {
  std::optional<double> seconds;  ///< by the clock
  double bytes = 0;               ///< of address space; 0: no limit
  bool interruptible = true;      ///< false: short work, which is needed all the more where this process is to end
};

struct ChildEnd {
  enum class How { done, died, outOfTime, interrupted };
  How how = How::done;
  std::string reason;  ///< of one that died: "crashed (Segmentation fault, signal 11)"
};

using SendLine = std::function<void(const std::string& line)>;

/// Does `work` in a child and hands on each line that it sends, as it comes. Where the time is over, or this process is
/// asked to end (cli/interrupt), the child is asked to, and killed a little later; `ending` is called then.
/// Throws std::runtime_error: no process could be made.
ChildEnd runInChild(const std::function<void(const SendLine& send)>& work, const ChildLimits& limits,
                    const std::function<void(const std::string& line)>& receive,
                    const std::function<void(ChildEnd::How)>& ending);

}  // namespace tendril::cli
