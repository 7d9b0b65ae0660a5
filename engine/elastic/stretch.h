// Stretching of an edge: strain, its gradient and Hessian in the edge vector (M 9-10).
#pragma once

#include "geometry/types.h"

namespace tendril {

/// eps = |e| / l - 1 [1] of edge vector e with rest length l. `stress` is dE/deps = EA l (eps) [N m].
/// Gradient in e: stress * t / l. The node before gets the negative.
inline Vec3 stretchGradient(const Vec3& t, double inverseRest, double stress) { return (stress * inverseRest) * t; }

/// Hessian in e: stiffness (t/l)(t/l)^T + stress (I - t t^T) / (|e| l); `stiffness` is dstress/deps.
inline Mat3 stretchHessian(const Vec3& t, double inverseLength, double inverseRest, double stiffness, double stress) {
  const double transverse = stress * inverseLength * inverseRest;
  Mat3 h = ((stiffness * inverseRest * inverseRest) - transverse) * (t * t.transpose());
  h.diagonal().array() += transverse;
  return h;
}

}  // namespace tendril
