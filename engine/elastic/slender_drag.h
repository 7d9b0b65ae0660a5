// Resistive-force theory of a straight edge: either end node feels half of the edge's drag at its own velocity. Exact
// Jacobians in velocity and in the edge vector.
#pragma once

#include "geometry/types.h"

namespace tendril::elastic {

struct SlenderDrag {
  Vec3 force;             ///< on the node [N]
  Mat3 velocityJacobian;  ///< dF/du [N s/m], symmetric
  Mat3 edgeJacobian;      ///< dF/de at fixed velocity [N/m], e the edge vector
};

/// F = -half (ct (t.u) t + cn (u - (t.u) t)), t = e/|e|; `half` = half the rest length [m], ct, cn in N s/m^2.
inline SlenderDrag slenderDrag(const Vec3& e, const Vec3& u, double half, double ct, double cn) {
  const double length = e.norm();
  const Vec3 t = e / length;
  const double along = t.dot(u), difference = half * (cn - ct);
  SlenderDrag d;
  d.force = difference * along * t - half * cn * u;
  d.velocityJacobian = difference * t * t.transpose();
  d.velocityJacobian.diagonal().array() -= half * cn;
  // dt = (I - t t^T) de / |e|; d(along t) = t (u.dt) + along dt.
  const Vec3 across = u - along * t;
  d.edgeJacobian = t * across.transpose() - along * t * t.transpose();
  d.edgeJacobian.diagonal().array() += along;
  d.edgeJacobian *= difference / length;
  return d;
}

}  // namespace tendril::elastic
