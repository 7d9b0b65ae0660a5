// Rows of 17 significant digits, which read back to the same bits.
#include "cli/probe_table.h"

#include "cli/interrupt.h"
#include "cli/numbers.h"

namespace tendril::cli {

ProbeTable::ProbeTable(const std::string& path, const std::vector<std::string>& names, std::optional<Ticks> ticks,
                       Between between)
    : file_(path, AtomicFile::WhenCut::keep), ticks_(ticks), between_(std::move(between)) {
  line_ = "t";
  for (const std::string& name : names) line_ += "," + name;  // names contain only letters, digits, _ and .
  line_ += "\n";
  file_.write(line_);
}

void ProbeTable::row(double time, const std::vector<double>& values) {
  line_.clear();
  appendDigits17(line_, time);
  for (const double value : values) {
    line_ += ',';
    appendDigits17(line_, value);
  }
  line_ += '\n';
  file_.write(line_);
}

void ProbeTable::accept(double time, const std::vector<double>& values) {
  if (!ticks_) return row(time, values);
  for (; ticks_->due(time) && !InterruptGuard::interrupted(); ticks_->advance()) {
    const double weight = first_ ? 1 : ticks_->weight(lastTime_, time);
    row(ticks_->next(), weight < 1 ? between_(last_, values, weight) : values);
  }
  first_ = false;
  lastTime_ = time;
  last_ = values;
}

}  // namespace tendril::cli
