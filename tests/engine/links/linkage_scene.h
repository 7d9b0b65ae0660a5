// Small scenes of one linkage "a", and what they weigh: for tests of linkages as scenes.
#pragma once

#include <string>

#include "engine/simulation/run_scene.h"
#include "geometry/types.h"

namespace tendril::test {

inline const std::string rod =
    R"("body": {"rigid": {"length": 0.5, "section": {"circle": {"radius": 0.02}}, "density": 1000}})";
constexpr double length = 0.5, radius = 0.02;
inline const double mass = 1000 * pi * radius * radius * length;
inline const double inertia = mass * (length * length / 3 + radius * radius / 4);  // across, about its end

inline std::string scene(const std::string& links, const std::string& solver, const std::string& more) {
  return R"({"format": "tendril/1", "materials": {"rubber": {"youngs": 1e6, "poisson": 0.5, "density": 1000, "damping": 0}},
    "linkages": {"a": {"links": {)" +
         links + R"(}}}, "solver": {)" + solver + "}" + (more.empty() ? "" : ", " + more) + "}";
}

}  // namespace tendril::test
