// Small scenes of one linkage "a", and what their probes say: for tests of linkages as scenes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "geometry/types.h"
#include "simulation/simulation.h"

namespace tendril {

inline const std::string rod = R"("body": {"rigid": {"length": 0.5, "section": {"circle": {"radius": 0.02}}, "density": 1000}})";
constexpr double length = 0.5, radius = 0.02;
inline const double mass = 1000 * pi * radius * radius * length;
inline const double inertia = mass * (length * length / 3 + radius * radius / 4);  // across, about its end

inline std::string scene(const std::string& links, const std::string& solver, const std::string& more) {
  return R"({"format": "tendril/1", "materials": {"rubber": {"youngs": 1e6, "poisson": 0.5, "density": 1000, "damping": 0}},
    "linkages": {"a": {"links": {)" + links + R"(}}}, "solver": {)" + solver + "}" + (more.empty() ? "" : ", " + more) + "}";
}

inline double valueOf(const Simulation& sim, const std::string& column) {
  const auto& names = sim.columns();
  const auto found = std::find(names.begin(), names.end(), column);
  EXPECT_NE(found, names.end()) << column;
  return sim.values()[static_cast<std::size_t>(found - names.begin())];
}

/// Its warnings.
inline std::vector<std::string> finish(Simulation& sim) {
  std::vector<std::string> warnings;
  while (!sim.finished()) {
    const Progress progress = sim.step();
    warnings.insert(warnings.end(), progress.warnings.begin(), progress.warnings.end());
  }
  return warnings;
}

}  // namespace tendril
