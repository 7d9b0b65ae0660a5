// Bending of a triangle from the angles between its normal and the normals at its edges' midpoints: the discrete shape
// operator and the constant stiffness in those angles. How the angles follow from positions is the hinge's business.
//
// Mid-edge normals: the normal at the middle of an edge is the average of the two faces' normals turned by psi about
// the edge, so it leans from this face's normal by
//   alpha_k = theta_k / 2 + s_k psi_k     (theta the hinge's angle, s = +1 and -1 for the edge's two triangles);
// a border edge has theta = 0. Positive alpha: the surface rises toward the normal beyond the edge. This is the
// operator of Grinspun et al. 2006 that M(19)-(20) use, S = sum_k (alpha_k / (area |e_k|)) e_k' (x) e_k' with e_k' the
// edge turned by a quarter in the plane; only the direction about which psi is measured belongs to the present state
// here and not to the step's start, so that S is invariant under rotations and has no history.
//
// Derivation: let lambda_k be the barycentric coordinate of corner k, h_k = 1 / |grad lambda_k| its altitude. Against
// the plane through the corners the surface is the quadratic w = sum_k h_k alpha_k lambda_k (lambda_k - 1): zero at the
// corners, and at the middle of edge k (lambda_k = 0, the other two 1/2) its slope is -h_k alpha_k grad lambda_k, which
// is alpha_k along the outward normal of the edge, -h_k grad lambda_k. Its Hessian is the shape operator
//   S = sum_k 2 h_k alpha_k grad lambda_k (x) grad lambda_k                                                  [1/m],
// and |e_k| h_k = 2 area turns it into Grinspun's form. In the linear limit the three corner deflections and three
// mid-edge slopes with this w are Morley's plate element (1968): it converges to the Kirchhoff plate on any mesh.
#pragma once

#include "elastic/membrane.h"

namespace tendril::elastic {

/// Rows (S11, S22, S12) in the frame of membraneRest, columns alpha_k [rad] of the edge opposite corner k; entries 1/m.
inline Mat3 midedgeOperator(const Vec3& x0, const Vec3& x1, const Vec3& x2) {
  const Mat<2, 3> g = membraneRest(x0, x1, x2).gradient;
  Mat3 out;
  for (int k = 0; k < 3; ++k) {
    const double gx = g(0, k), gy = g(1, k), twice = 2.0 / std::sqrt(gx * gx + gy * gy);
    out(0, k) = twice * gx * gx;
    out(1, k) = twice * gy * gy;
    out(2, k) = twice * gx * gy;
  }
  return out;
}

/// Q [N m]: the bending energy of the triangle is (alpha - alphaBar)^T Q (alpha - alphaBar) / 2, for the density
/// D/2 ((1 - nu) tr S^2 + nu (tr S)^2) with D = `rigidity` = E h^3 / (12 (1 - nu^2)) [N m]; the area is in Q.
/// Symmetric, positive definite for -1 < poisson < 1.
inline Mat3 midedgeStiffness(const Vec3& x0, const Vec3& x1, const Vec3& x2, double rigidity, double poisson) {
  // tr (S_i S_j) = 4 h_i h_j (g_i . g_j)^2 and tr S_i tr S_j = 4 h_i h_j |g_i|^2 |g_j|^2, with |g| = 1 / h.
  const MembraneRest rest = membraneRest(x0, x1, x2);
  const double scale = 4.0 * rest.area * rigidity;
  Mat3 Q;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= i; ++j) {
      const double gi = rest.gradient.col(i).norm(), gj = rest.gradient.col(j).norm();
      const double cosine = rest.gradient.col(i).dot(rest.gradient.col(j)) / (gi * gj);
      Q(i, j) = Q(j, i) = scale * gi * gj * ((1.0 - poisson) * cosine * cosine + poisson);
    }
  }
  return Q;
}

}  // namespace tendril::elastic
