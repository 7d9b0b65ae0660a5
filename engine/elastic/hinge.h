// The angle between two triangles that share an edge, with exact first and second derivatives. Kinematics only: what
// it costs to fold enters as a stress.
//
// Sources: the hinge of M 3.3; gradient and Hessian in the closed form of Tamstorf & Grinspun 2013, written
// here in the edge's own frame: with A = (unit normal) / altitude, M = (unit in-plane direction away from the edge)
// / altitude of a face and E = e / |e|^2, moving the far corner or the edge's end changes A by
//   dA = -(A M^T + M A^T) da + (s (A M^T + M A^T) - E A^T) de,   s = a . e / e . e,
// so every block is made of rank-one products of these few vectors.
#pragma once

#include <cmath>

#include "geometry/types.h"

namespace tendril::elastic {

/// Angle of a hinge and the terms that its derivatives share.
///
///        x2            e = x1 - x0, n0 = e x (x2 - x0), n1 = (x3 - x0) x e;
///       /  \           angle [rad] from n0 to n1 about e, in (-pi, pi], 0 where the faces are coplanar side by side.
///     x0 -> x1         With (x0, x1) in the order in which the triangle of x3 runs through it, n0 and n1 are the
///       \  /           NEGATIVES of the triangles' normals and the angle is positive where the faces fold toward
///        x3            their normals (valley); in the order of the triangle of x2 it is negative there.
struct HingeShape {
  double angle;         ///< [rad]
  bool valid;           ///< false: the edge or a face has no size; angle and derivatives mean nothing
  Vec3 e, n0, n1;       ///< [m], [m^2], [m^2]; not normalized
  double ee, nn0, nn1;  ///< squared lengths of e, n0, n1
  double length;        ///< |e| [m]
  double s0, s1;        ///< feet of x2 and x3 on the edge as fractions of it, 0 at x0, 1 at x1
};

inline HingeShape hingeShape(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3) {
  constexpr double tiny = 1e-24;  // square of the smallest sine and ratio of lengths with a few true digits
  HingeShape s;
  const Vec3 a = x2 - x0, b = x3 - x0;
  s.e = x1 - x0;
  s.n0 = s.e.cross(a);
  s.n1 = b.cross(s.e);
  s.ee = s.e.squaredNorm();
  s.nn0 = s.n0.squaredNorm();
  s.nn1 = s.n1.squaredNorm();
  const double aa = a.squaredNorm(), bb = b.squaredNorm();
  // Written so that NaN is not valid.
  s.valid = s.ee > tiny * (aa + bb) && s.nn0 > tiny * s.ee * aa && s.nn1 > tiny * s.ee * bb;
  s.length = std::sqrt(s.ee);
  const double inverse = 1.0 / s.ee;
  s.s0 = a.dot(s.e) * inverse;
  s.s1 = b.dot(s.e) * inverse;
  // (n0 x n1) . e / |e| = -|e| n0 . b: exactly zero in a coordinate plane; 0 - 0 keeps pi from becoming -pi.
  s.angle = std::atan2(0.0 - s.length * s.n0.dot(b), s.n0.dot(s.n1));
  return s;
}

/// d angle / d x_i [rad/m]; the four sum to zero.
struct HingeGradient {
  Vec3 g[4];
};

inline HingeGradient hingeGradient(const HingeShape& s) {
  HingeGradient out;
  const Vec3 A = (s.length / s.nn0) * s.n0, B = (s.length / s.nn1) * s.n1;
  out.g[0] = (1.0 - s.s0) * A + (1.0 - s.s1) * B;
  out.g[1] = s.s0 * A + s.s1 * B;
  out.g[2] = -A;
  out.g[3] = -B;
  return out;
}

/// Second derivatives of the angle [rad/m^2]: h[i][j] = d2 angle / dx_i dx_j for i >= j; the rest is not set.
/// The diagonal blocks are symmetric, and h[3][2] is zero.
struct HingeHessian {
  Mat3 h[4][4];
};

inline HingeHessian hingeHessian(const HingeShape& s, const HingeGradient& gradient) {
  HingeHessian out;
  const Vec3 A = -gradient.g[2], B = -gradient.g[3];
  const double inverse = 1.0 / s.length, inverseSquare = 1.0 / s.ee;
  const Vec3 M0 = inverse * A.cross(s.e), M1 = inverse * s.e.cross(B), E = inverseSquare * s.e;
  const Mat3 AM = A * M0.transpose(), BM = B * M1.transpose(), AE = A * E.transpose(), BE = B * E.transpose();
  Mat3 P0 = AM, P1 = BM;
  P0 += AM.transpose();
  P1 += BM.transpose();
  const double p = s.s0, q = s.s1, p1 = 1.0 - p, q1 = 1.0 - q;
  // What the feet's own motion along the edge adds: half of (altitude / |e|)^2 (A M^T + M A^T) of either face.
  const Mat3 K = (0.5 * inverseSquare * inverseSquare) * (s.nn0 * P0 + s.nn1 * P1);
  const Mat3 end = p * AE + q * BE, start = p1 * AE + q1 * BE;

  out.h[2][2] = P0;
  out.h[3][3] = P1;
  out.h[3][2].setZero();
  out.h[2][0] = -p1 * P0 - AE.transpose();
  out.h[2][1] = -p * P0 + AE.transpose();
  out.h[3][0] = -q1 * P1 - BE.transpose();
  out.h[3][1] = -q * P1 + BE.transpose();
  out.h[0][0] = (p1 * p1) * P0 + (q1 * q1) * P1 + K + start + start.transpose();
  out.h[1][1] = (p * p) * P0 + (q * q) * P1 + K - end - end.transpose();
  out.h[1][0] = (p * p1) * P0 + (q * q1) * P1 - K + end.transpose() - start;
  return out;
}

/// H += stress d2 angle in (x0, x1, x2, x3), all of it; `stress` is dE/dangle [N m].
inline void addHingeCurvature(const HingeShape& s, const HingeGradient& gradient, double stress, Mat<12>& H) {
  const HingeHessian d = hingeHessian(s, gradient);
  for (int i = 0; i < 4; ++i) {
    H.block<3, 3>(3 * i, 3 * i) += stress * d.h[i][i];
    for (int j = 0; j < i; ++j) {
      if (i == 3 && j == 2) continue;
      H.block<3, 3>(3 * i, 3 * j) += stress * d.h[i][j];
      H.block<3, 3>(3 * j, 3 * i) += stress * d.h[i][j].transpose();
    }
  }
}

}  // namespace tendril::elastic
