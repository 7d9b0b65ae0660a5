// Times at which something begins or stops to act: whether that happens between two steps.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "scene/instant.h"

namespace tendril::scene {

class Switches {
 public:
  void add(const Interval& interval) {
    if (std::isfinite(interval.from) || std::isfinite(interval.until)) intervals_.push_back(interval);
  }
  /// Whether something acts in the step from t0 of dt [s] and did not in the step from `since` to t0, or vice versa
  /// [s]. The middle of a step decides on which side of a switch it lies.
  bool between(double since, double t0, double dt) const {
    Instant before, now;
    before.middle = 0.5 * (since + t0), now.middle = t0 + 0.5 * dt;
    before.slack = now.slack = 1e-9 * dt;
    return std::any_of(intervals_.begin(), intervals_.end(),
                       [&](const Interval& i) { return isActive(i, before) != isActive(i, now); });
  }

 private:
  std::vector<Interval> intervals_;
};

}  // namespace tendril::scene
