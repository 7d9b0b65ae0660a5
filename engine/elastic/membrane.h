// In-plane stretching of a triangle: the constant strain of Green and Lagrange from displacements, with exact first and
// second derivatives. With planeStress it is the Saint Venant-Kirchhoff membrane; rest strains enter through stresses.
#pragma once

#include <cmath>

#include "geometry/types.h"

namespace tendril::elastic {

/// A triangle at rest. Its frame: first axis along x1 - x0, second in the plane toward x2, so that first x second is
/// the normal (x1 - x0) x (x2 - x0).
struct MembraneRest {
  Mat<3, 2> frame;     ///< orthonormal
  Mat<2, 3> gradient;  ///< column i: gradient of the barycentric coordinate of corner i [1/m]; the columns sum to zero
  double area;         ///< [m^2]
};

/// The corners must span an area: a triangle without one gives infinities.
inline MembraneRest membraneRest(const Vec3& x0, const Vec3& x1, const Vec3& x2) {
  MembraneRest r;
  const Vec3 a = x1 - x0, b = x2 - x0, normal = a.cross(b);
  const double length = a.norm(), twice = normal.norm();
  const Vec3 along = a / length;
  r.frame.col(0) = along;
  r.frame.col(1) = normal.cross(along) / twice;
  r.area = 0.5 * twice;
  // In the frame x0 = (0, 0), x1 = (length, 0), x2 = (foot, height).
  const double foot = b.dot(along), height = twice / length;
  r.gradient(0, 1) = 1.0 / length;
  r.gradient(1, 1) = -foot / twice;
  r.gradient(0, 2) = 0.0;
  r.gradient(1, 2) = 1.0 / height;
  r.gradient.col(0) = -r.gradient.col(1) - r.gradient.col(2);
  return r;
}

struct MembraneShape {
  Vec3 strain;  ///< E11, E22, 2 E12 in the rest frame [1]
  Mat<3, 2> F;  ///< deformation gradient: the frame's axes as material lines now
};

/// u_i are the corners' displacements from the triangle of `rest` [m]. E = (F0^T G + G^T F0 + G^T G) / 2, G = grad u:
/// a strain far below the round-off of the positions keeps its digits, which E = (F^T F - 1) / 2 would lose.
inline MembraneShape membraneShape(const MembraneRest& rest, const Vec3& u0, const Vec3& u1, const Vec3& u2) {
  MembraneShape s;
  const Mat<2, 3>& g = rest.gradient;
  const Vec3 d1 = u1 - u0, d2 = u2 - u0;
  const Vec3 G1 = g(0, 1) * d1 + g(0, 2) * d2, G2 = g(1, 1) * d1 + g(1, 2) * d2;
  const Vec3 t1 = rest.frame.col(0), t2 = rest.frame.col(1);
  s.strain[0] = t1.dot(G1) + 0.5 * G1.squaredNorm();
  s.strain[1] = t2.dot(G2) + 0.5 * G2.squaredNorm();
  s.strain[2] = t1.dot(G2) + t2.dot(G1) + G1.dot(G2);
  s.F.col(0) = t1 + G1;
  s.F.col(1) = t2 + G2;
  return s;
}

/// Row k: d strain_k / d (u0, u1, u2) [1/m]. Rows sum to zero over the corners.
inline Mat<3, 9> membraneGradient(const MembraneRest& rest, const MembraneShape& shape) {
  Mat<3, 9> B;
  for (int i = 0; i < 3; ++i) {
    const double gx = rest.gradient(0, i), gy = rest.gradient(1, i);
    for (int c = 0; c < 3; ++c) {
      const double fx = shape.F(c, 0), fy = shape.F(c, 1);
      B(0, 3 * i + c) = gx * fx;
      B(1, 3 * i + c) = gy * fy;
      B(2, 3 * i + c) = gx * fy + gy * fx;
    }
  }
  return B;
}

/// sum_k stress_k d2 strain_k: block (i, j) in (u0, u1, u2) is w(i, j) times the identity. `stress` is dE/dstrain,
/// area and thickness included [N m]; w in N/m.
inline Mat3 membraneCurvature(const MembraneRest& rest, const Vec3& stress) {
  const Mat<2, 3>& g = rest.gradient;
  Mat<2, 3> Sg;
  for (int j = 0; j < 3; ++j) {
    Sg(0, j) = stress[0] * g(0, j) + stress[2] * g(1, j);
    Sg(1, j) = stress[2] * g(0, j) + stress[1] * g(1, j);
  }
  Mat3 w;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= i; ++j) w(i, j) = w(j, i) = g(0, i) * Sg(0, j) + g(1, i) * Sg(1, j);
  }
  return w;
}

/// H += sum_k stress_k d2 strain_k in (u0, u1, u2), all of it.
inline void addMembraneCurvature(const MembraneRest& rest, const Vec3& stress, Mat<9>& H) {
  const Mat3 w = membraneCurvature(rest, stress);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int c = 0; c < 3; ++c) H(3 * i + c, 3 * j + c) += w(i, j);
    }
  }
}

/// C [Pa] of plane stress for strains (E11, E22, 2 E12): energy per volume E^T C E / 2. -1 < poisson < 1.
inline Mat3 planeStress(double youngs, double poisson) {
  const double c = youngs / (1.0 - poisson * poisson);
  Mat3 C;
  C << c, poisson * c, 0, poisson * c, c, 0, 0, 0, 0.5 * youngs / (1.0 + poisson);
  return C;
}

}  // namespace tendril::elastic
