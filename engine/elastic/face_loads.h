// Drag and pressure on a triangle as forces on its corners, with exact Jacobians. They turn with the face and have no
// potential of their own: the Jacobians are not symmetric (that of pressure is, once a closed surface is assembled).
#pragma once

#include <cmath>

#include "geometry/frames.h"

namespace tendril::elastic {

/// Edge of the triangle that faces corner j, in the triangle's sense. N = (x1 - x0) x (x2 - x0), twice the area along
/// the normal, has dN/dx_j = [edge]x.
inline Vec3 oppositeEdge(const Vec3& x0, const Vec3& x1, const Vec3& x2, int j) {
  return j == 0 ? Vec3(x2 - x1) : j == 1 ? Vec3(x0 - x2) : Vec3(x1 - x0);
}

/// Drag of a face with dF_i / dx_j = along[i][j] n^T at fixed velocities: a corner tilts the normal only by moving
/// along it, and feels the velocity only along it.
struct FaceDrag {
  Vec3 force[3];     ///< on each corner [N]
  Vec3 normal;       ///< n, unit
  double slope[3];   ///< dF_i / du_i = slope_i n n^T [N s/m]; a corner's force knows no other corner's velocity
  Vec3 along[3][3];  ///< [i][j] [N/m]

  Mat3 velocityJacobian(int i) const { return slope[i] * normal * normal.transpose(); }
  Mat3 positionJacobian(int i, int j) const { return along[i][j] * normal.transpose(); }
};

/// F_i = -coefficient |u_i . n| (u_i . n) n, M(29): x_i present positions, n their unit normal, u_i the corners'
/// velocities minus the medium's [m/s], coefficient = density * Cd * (undeformed area) / 6 [kg/m], that is half of
/// density and Cd with a third of the area. Once differentiable in u. A face without area has no drag. Without
/// `derivatives` `along` is not set.
inline FaceDrag faceDrag(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& u0, const Vec3& u1, const Vec3& u2,
                         double coefficient, bool derivatives = true) {
  FaceDrag out;
  const Vec3 N = (x1 - x0).cross(x2 - x0);
  const double twice = N.norm();
  const bool flat = twice > 0.0;
  const double inverse = flat ? 1.0 / twice : 0.0;
  if (!flat) coefficient = 0.0;
  const Vec3 n = inverse * N;
  out.normal = n;
  const Vec3* u[3] = {&u0, &u1, &u2};
  double value[3];
  for (int i = 0; i < 3; ++i) {
    const double w = u[i]->dot(n), speed = coefficient * std::abs(w);
    value[i] = -speed * w;
    out.slope[i] = -2.0 * speed;
    out.force[i] = value[i] * n;
  }
  if (!derivatives) return out;
  for (int j = 0; j < 3; ++j) {
    const Vec3 q = inverse * oppositeEdge(x0, x1, x2, j).cross(n);  // dn / dx_j = q n^T
    for (int i = 0; i < 3; ++i) out.along[i][j] = (u[i]->dot(q) * out.slope[i]) * n + value[i] * q;
  }
  return out;
}

/// Force on each corner [N] of pressure p [Pa] along the normal (x1 - x0) x (x2 - x0): a third of p times the present
/// area.
inline Vec3 facePressure(const Vec3& x0, const Vec3& x1, const Vec3& x2, double p) {
  return (p / 6.0) * (x1 - x0).cross(x2 - x0);
}

/// j[k] = d facePressure / dx_k [N/m], the same for the force on every corner; skew, and the three sum to zero.
inline void facePressureJacobian(const Vec3& x0, const Vec3& x1, const Vec3& x2, double p, Mat3 j[3]) {
  for (int k = 0; k < 3; ++k) j[k] = geometry::skew((p / 6.0) * oppositeEdge(x0, x1, x2, k));
}

}  // namespace tendril::elastic
