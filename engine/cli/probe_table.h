// probes.csv: the probe columns over time, streamed to disk as the run goes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/atomic_file.h"
#include "cli/ticks.h"

namespace tendril::cli {

class ProbeTable {
 public:
  /// Values between two states: of the earlier one, of the later one, and the fraction between them, 0..1.
  using Between = std::function<std::vector<double>(const std::vector<double>&, const std::vector<double>&, double)>;

  /// Writes a header of "t" and the names. `ticks` thins the rows to even times, with `between` interpolating accepted
  /// states; without ticks every state is a row. Throws FileError.
  ProbeTable(const std::string& path, const std::vector<std::string>& names, std::optional<Ticks> ticks,
             Between between);

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
  Between between_;
  std::vector<double> last_;
  std::string line_;
};

}  // namespace tendril::cli
