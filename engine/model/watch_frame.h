// From where the energies of bodies that belong together are seen: a velocity that all of them have says nothing of how
// they move against each other, nor against what they touch.
#pragma once

#include "geometry/types.h"
#include "model/archive.h"

namespace tendril::model {

/// Moves with the bodies' mean velocity at the start of the run, or as their supports do. In a step in which something
/// touches them, the step is also seen from a frame that this takes along in the direction of its push: what bounces
/// off a plane on which it glides is then seen from the co-moving frame, and stands where the plane does.
struct WatchFrame {
  /// What is less than this off [rad] pushes as before: flat faces by their digits, round ones by their curvature.
  static constexpr double alike = 1e-3;
  /// Of the energy of a contact that just touches: what stores less touches nothing to speak of.
  static constexpr double touches = 0.1;

  Vec3 velocity = Vec3::Zero();  ///< [m/s]
  /// Directions in which something has pushed, or which it holds: orthonormal, the first `count`.
  Vec3 known[3] = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  int count = 0;
  bool begun = false;  ///< the run has

  /// What moves with `pushing` [m/s] pushes along `direction`, a unit vector.
  void meet(const Vec3& direction, const Vec3& pushing) {
    Vec3 fresh = direction;
    for (int i = 0; i < count; ++i) fresh -= known[i].dot(fresh) * known[i];
    const double size = fresh.norm();
    if (count == 3 || size < alike) return;
    fresh /= size;
    velocity += fresh.dot(pushing - velocity) * fresh;
    known[count++] = fresh;
  }
  /// It pushes in all directions, as friction, a medium and a support do.
  void hold(const Vec3& pushing) {
    for (int axis = 0; axis < 3; ++axis) meet(Vec3::Unit(axis), pushing);
  }
  /// That of two groups of bodies of these masses [kg] which have become one.
  static WatchFrame together(const WatchFrame& a, double massOfA, const WatchFrame& b, double massOfB) {
    const double mass = massOfA + massOfB;
    WatchFrame out;
    out.begun = a.begun || b.begun;
    if (mass > 0) out.velocity = (massOfA * a.velocity + massOfB * b.velocity) / mass;
    for (const WatchFrame* of : {&a, &b}) {
      for (int i = 0; i < of->count; ++i) out.meet(of->known[i], of->velocity);
    }
    return out;
  }
};

inline void visit(Archive& archive, WatchFrame& frame) {
  archive(frame.velocity, frame.known[0], frame.known[1], frame.known[2], frame.count, frame.begun);
}

}  // namespace tendril::model
