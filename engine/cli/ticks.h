// Evenly spaced output times. They are counted, not summed, so that they do not drift.
#pragma once

#include <cmath>

namespace tendril::cli {

/// A run's time is a sum of steps with round-off: within this share of dt an output time counts as reached.
inline constexpr double reachedWithin = 1e-6;
/// Within this share of dt an output time coincides with a step: its values are not interpolated.
inline constexpr double sameStepWithin = 1e-9;

/// The times origin + k period from the first one at or past `start`; `dt` is the run's step [s].
class Ticks {
 public:
  Ticks(double period, double start, double dt, double origin = 0)
      : period_(period), origin_(origin), dt_(dt), k_(std::ceil((start - origin - reachedWithin * dt) / period)) {}

  double next() const { return origin_ + k_ * period_; }
  /// Whether the next time is due when the run is at `time`.
  bool due(double time) const { return next() <= time + reachedWithin * dt_; }
  /// Position of the next time in a step that ended at `time`: 1 at its end, 0 at its start.
  double weight(double stepStart, double time) const {
    const double t = next();
    if (t >= time - sameStepWithin * dt_ || time <= stepStart) return 1;
    return t <= stepStart + sameStepWithin * dt_ ? 0 : (t - stepStart) / (time - stepStart);
  }
  void advance() { k_ += 1; }

 private:
  double period_, origin_, dt_, k_;
};

}  // namespace tendril::cli
