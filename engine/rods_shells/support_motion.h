// How supports move: where the scene has a constraint, and how it has turned it, at an instant.
#pragma once

#include "scene/instant.h"

namespace tendril::rods_shells {

class SupportMotion {
 public:
  explicit SupportMotion(const scene::Scene& scene) : scene_(scene) {}

  enum class Phase { off, before, on, after };
  Phase phase(const scene::Constraint& c, const scene::Instant& instant) const;
  /// The instant up to which it moves.
  scene::Instant clipped(const scene::Constraint& c, const scene::Instant& instant) const;
  /// [m] of Scene::constraints[index] in a step from t0 to `instant`; `traveled`: by its velocity so far. Throws
  /// Failure.
  Vec3 displacement(int index, const scene::Instant& instant, double t0, const Vec3& traveled) const;
  /// [rad] of one of its turns, and all of them together. Throw Failure.
  double angle(const scene::Constraint& c, const scene::Turn& turn, const scene::Instant& instant) const;
  Mat3 rotation(const scene::Constraint& c, const scene::Instant& instant) const;

 private:
  const scene::Scene& scene_;
};

}  // namespace tendril::rods_shells
