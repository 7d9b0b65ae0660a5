// probes.csv: the probe columns over time, streamed to disk as the run goes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/atomic_file.h"
#include "cli/ticks.h"

namespace tendril::cli {

class ProbeTable {
 public:
  /// A header of "t" and the names. `ticks` thins the rows to even times, linear between accepted states; without it
  /// every state is a row. Throws FileError.
  ProbeTable(const std::string& path, const std::vector<std::string>& names, std::optional<Ticks> ticks);

  /// An accepted state at `time` [s]. Throws FileError.
  void accept(double time, const std::vector<double>& values);
  void commit() { file_.commit(); }
  bool dropLast() { return file_.dropLast(); }     ///< the newest rows, to make room
  void commitWritten() { file_.commitWritten(); }  ///< without rows that did not fit

 private:
  void row(double time, const std::vector<double>& values);
  AtomicFile file_;
  std::optional<Ticks> ticks_;
  bool first_ = true;
  double lastTime_ = 0;
  std::vector<double> last_, mixed_;
  std::string line_;
};

}  // namespace tendril::cli
