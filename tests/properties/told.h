// What scenes of every kind tell alike: materials and solvers.
#pragma once

#include "scenes.h"

namespace tendril::properties {

/// Features that a scene may have, each with its share of the scenes; drawn alike whether they are left out or not.
struct Features {
  Draw& draw;
  const Telling& t;
  bool operator()(const char* feature, double share) const {
    return draw.chance(share) && t.without.count(feature) == 0;
  }
};

/// In a formula.
inline std::string exact(double v) {
  char text[40];
  std::snprintf(text, sizeof text, "(%.17g)", v);
  return text;
}

inline Json material(const Telling& t, double youngs, double density, double damping) {
  Json out = {{"youngs", t.value(youngs * (1 + t.nudge), 1, -1, -2)},
              {"poisson", 0.35},
              {"density", t.value(density, 1, -3, 0)}};
  if (damping > 0) out["damping"] = t.value(damping, 1, -1, -1);
  return out;
}

inline Json solver(const Telling& t, const Asked& asked, const std::string& own, double dt, int steps) {
  // Where statics go on by damped motion, dt is how long its first step is.
  if (asked.isStatic) return {{"mode", "static"}, {"tolerance", 1e-11}, {"dt", t.value(0.01, 0, 0, 1)}};
  return {{"integrator", t.integrator.empty() ? own : t.integrator},
          {"dt", t.value(dt * t.dt, 0, 0, 1)},
          {"duration", t.value(dt * steps * t.duration, 0, 0, 1)},
          {"tolerance", 1e-11}};
}

/// Radius [m] of the circle of the same area as a told rod's section.
inline double radiusOf(const Json& rod) {
  const Json& size = *rod["section"].begin();
  if (size.contains("radius")) return size["radius"];
  if (size.contains("a")) return std::sqrt(size["a"].get<double>() * size["b"].get<double>());
  return std::sqrt(size["width"].get<double>() * size["height"].get<double>() / pi);
}

}  // namespace tendril::properties
