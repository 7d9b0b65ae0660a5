// What the steps of a run, and not its physics, depend on.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "scene/scene.h"

namespace tendril {

/// Keys of "solver", with their values. Derivatives by them would be those of the method's errors, and no measurement
/// tells them.
inline std::vector<std::pair<std::string_view, double>> stepSettings(const scene::Solver& s) {
  std::vector<std::pair<std::string_view, double>> out{{"dt", s.dt},
                                                       {"duration", s.duration},
                                                       {"tolerance", s.tolerance},
                                                       {"loadSteps", double(s.loadSteps)},
                                                       {"iterations", double(s.iterations)},
                                                       {"rho", s.rho}};
  if (s.adaptive) out.insert(out.end(), {{"minStep", s.minStep}, {"maxStep", s.maxStep}});
  return out;
}

}  // namespace tendril
