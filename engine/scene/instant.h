// A time of a run and what the scene's timed values see at it.
#pragma once

#include <vector>

#include "scene/scene.h"

namespace tendril::scene {

/// A time and what the scene's formulas see at it. `factor` scales loads, gravity and actuation in statics.
struct Instant {
  double t = 0;       ///< [s]
  double middle = 0;  ///< [s] middle of the step (statics: t): decides on which side of a switch the step lies
  double factor = 1;
  double slack = 0;                          ///< [s] tolerance of interval ends, against round-off of times
  const double* columns = nullptr;           ///< probe columns, then states, of the last accepted step
  const std::vector<Load>* extra = nullptr;  ///< more loads (the "equilibrium" solve)
};

inline bool isActive(const Interval& interval, const Instant& instant) {
  return instant.middle >= interval.from - instant.slack && instant.middle <= interval.until + instant.slack;
}

/// What feedback sees when a run begins: zeros for probes, then the initial values of states.
inline std::vector<double> columnsAtStart(const Scene& scene) {
  std::vector<double> columns(scene.columns.size(), 0.0);
  for (const State& state : scene.states) columns.push_back(state.initial);
  return columns;
}

/// The input of a timed value of the scene.
inline formula::Input timedInput(const Scene& scene, const Instant& instant) {
  formula::Input in;
  in.t = instant.t;
  in.parameters = scene.values.data();
  in.columns = instant.columns;
  return in;
}

}  // namespace tendril::scene
