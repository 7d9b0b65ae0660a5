// Distance between two segments with exact gradient and Hessian in their four end points, for all cases (point-point,
// point-segment, segment-segment), continuous across changes of case and through parallel segments.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/types.h"

namespace tendril::contact {

/// The distance is the minimum of sqrt(|p(s) - q(t)|^2 + spread (a^2 (s - 1/2)^2 + b^2 (t - 1/2)^2)) over both
/// segments, with a and b their rest lengths. The second term is small; it makes the closest points unique and smooth
/// where segments are parallel. As the value of a convex quadratic program in a box, the distance is once continuously
/// differentiable, and its Hessian exists in every case.
inline constexpr double segmentSpread = 1e-4;

struct SegmentDistance {
  double distance = 0;                ///< [m], of the centerlines
  double s = 0, t = 0;                ///< closest points, 0 at the first end
  bool freeS = false, freeT = false;  ///< inside their segments
  Vec3 w;                             ///< p(s) - q(t)
  std::array<double, 4> c{};          ///< w = sum c_i x_i
};

/// Segment 1 from x0 to x1 (a2: rest length squared), segment 2 from x2 to x3 (b2). Lumelsky's cases by the active set
/// of the box.
inline SegmentDistance segmentDistance(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3, double a2,
                                       double b2) {
  const Vec3 d1 = x1 - x0, d2 = x3 - x2, r = x0 - x2;
  // phi = |r + s d1 - t d2|^2 + ea (s - 1/2)^2 + eb (t - 1/2)^2 over the unit box.
  const double ea = segmentSpread * a2, eb = segmentSpread * b2;
  const double A = d1.squaredNorm() + ea, B = d2.squaredNorm() + eb, C = d1.dot(d2);
  const double f = 0.5 * ea - d1.dot(r), g = 0.5 * eb + d2.dot(r);  // A s - C t = f, -C s + B t = g
  const auto clamp = [](double v) { return std::clamp(v, 0.0, 1.0); };
  const double det = A * B - C * C;
  SegmentDistance out;
  double s = clamp((B * f + C * g) / det);
  double t = (g + C * s) / B;
  if (t < 0 || t > 1) {
    t = clamp(t);
    s = clamp((f + C * t) / A);
  }
  out.s = s, out.t = t;
  out.freeS = s > 0 && s<1, out.freeT = t> 0 && t < 1;
  out.w = r + s * d1 - t * d2;
  out.c = {1 - s, s, t - 1, -t};
  out.distance = std::sqrt(out.w.squaredNorm() + ea * (s - 0.5) * (s - 0.5) + eb * (t - 0.5) * (t - 0.5));
  return out;
}

/// d distance / dx_i = c_i w / distance.
struct SegmentHessian {
  Mat3 h[4][4];  ///< i >= j [1/m]
};

inline SegmentHessian segmentHessian(const SegmentDistance& d, const Vec3& x0, const Vec3& x1, const Vec3& x2,
                                     const Vec3& x3, double a2, double b2) {
  // phi = distance^2 / 2 reduced over the free parameters u = (s, t): phi_xx - phi_xu phi_uu^-1 phi_ux, then the square
  // root. With phi_{x_i, s} = c_i d1 + ds_i w and phi_{x_i, t} = -c_i d2 + dt_i w every block is
  // c_i c_j M - p w^T - w q^T with one common M.
  const Vec3 d1 = x1 - x0, d2 = x3 - x2;
  double ss = 0, tt = 0, st = 0;  // inverse of phi_uu on the free ones
  const double A = d1.squaredNorm() + segmentSpread * a2, B = d2.squaredNorm() + segmentSpread * b2, C = -d1.dot(d2);
  if (d.freeS && d.freeT) {
    const double det = A * B - C * C;
    ss = B / det, tt = A / det, st = -C / det;
  } else if (d.freeS) {
    ss = 1 / A;
  } else if (d.freeT) {
    tt = 1 / B;
  }
  const double inverse = 1 / d.distance;
  const Vec3 w = inverse * d.w, e = ss * d1 - st * d2, f = st * d1 - tt * d2;
  Mat3 m = -inverse * (w * w.transpose() + e * d1.transpose() - f * d2.transpose());
  m.diagonal().array() += inverse;
  const double ds[4] = {-1, 1, 0, 0}, dt[4] = {0, 0, 1, -1};
  const Vec3 b[4] = {-e, e, f, -f};  // ds_i e + dt_i f
  SegmentHessian out;
  for (int i = 0; i < 4; ++i) {
    const double si = ss * ds[i] + st * dt[i], ti = st * ds[i] + tt * dt[i];
    for (int j = 0; j <= i; ++j) {
      const double cc = d.c[i] * d.c[j], half = 0.5 * d.distance * (si * ds[j] + ti * dt[j]);
      const Vec3 p = d.c[i] * b[j] + half * w, q = d.c[j] * b[i] + half * w;
      Mat3& h = out.h[i][j];
      // Entry by entry: the compiler makes better code of it than of sums of outer products.
      for (int col = 0; col < 3; ++col) {
        for (int row = 0; row < 3; ++row) h(row, col) = cc * m(row, col) - p[row] * w[col] - w[row] * q[col];
      }
    }
  }
  return out;
}

}  // namespace tendril::contact
