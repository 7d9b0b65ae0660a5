// Evenly spaced output times. They are counted, not summed, so that they do not drift.
#pragma once

#include <cmath>

namespace tendril::cli {

/// The times origin + k period from the first one at or past `start`, within `tolerance` [s].
class Ticks {
 public:
  Ticks(double period, double start, double tolerance, double origin = 0)
      : period_(period), origin_(origin), tolerance_(tolerance),
        k_(std::ceil((start - origin - tolerance) / period)) {}

  double next() const { return origin_ + k_ * period_; }
  /// Whether the next time has come when the run stands at `time`.
  bool due(double time) const { return next() <= time + tolerance_; }
  /// Where the next time lies in a step that ended at `time`: 1 at its end (within the tolerance), 0 at its start.
  double weight(double stepStart, double time) const {
    const double t = next();
    if (t >= time - tolerance_ || time <= stepStart) return 1;
    return t <= stepStart + tolerance_ ? 0 : (t - stepStart) / (time - stepStart);
  }
  void advance() { k_ += 1; }

 private:
  double period_, origin_, tolerance_, k_;
};

}  // namespace tendril::cli
