// Distance between a point and a triangle with exact gradient and Hessian in their four points, for all cases (face,
// edge, corner), continuous across changes of case.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/types.h"

namespace tendril::contact {

/// The closest point of a convex set is unique: the distance is once continuously differentiable away from zero.
struct PointTriangleDistance {
  double distance = 0;                ///< [m]
  Vec3 w;                             ///< point minus closest point
  std::array<double, 4> c{};          ///< w = sum c_i x_i: 1 for the point, minus the barycentric coordinates
  int free = 0;                       ///< directions in which the closest point may slide: 2 face, 1 edge, 0 corner
  std::array<int, 2> slide = {0, 0};  ///< edge: the two corners (0..2) it slides between
};

/// Point x0, triangle x1 x2 x3. Voronoi regions of the triangle decide the case.
inline PointTriangleDistance pointTriangleDistance(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3) {
  PointTriangleDistance out;
  const Vec3 ab = x2 - x1, ac = x3 - x1, ap = x0 - x1, bp = x0 - x2, cp = x0 - x3;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap), d3 = ab.dot(bp), d4 = ac.dot(bp), d5 = ab.dot(cp), d6 = ac.dot(cp);
  double b[3] = {0, 0, 0};
  const auto corner = [&](int i) { b[i] = 1, out.free = 0; };
  const auto edge = [&](int i, int j, double v) { b[i] = 1 - v, b[j] = v, out.free = 1, out.slide = {i, j}; };
  const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  if (d1 <= 0 && d2 <= 0) {
    corner(0);
  } else if (d3 >= 0 && d4 <= d3) {
    corner(1);
  } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    edge(0, 1, d1 / (d1 - d3));
  } else if (d6 >= 0 && d5 <= d6) {
    corner(2);
  } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    edge(0, 2, d2 / (d2 - d6));
  } else if (va <= 0 && d4 >= d3 && d5 >= d6) {
    edge(1, 2, (d4 - d3) / ((d4 - d3) + (d5 - d6)));
  } else {
    const double sum = va + vb + vc;
    b[0] = va / sum, b[1] = vb / sum, b[2] = vc / sum;
    out.free = 2;
  }
  out.c = {1, -b[0], -b[1], -b[2]};
  out.w = x0 - b[0] * x1 - b[1] * x2 - b[2] * x3;
  out.distance = out.w.norm();
  return out;
}

struct PointTriangleHessian {
  Mat3 h[4][4];  ///< i >= j [1/m]
};

inline PointTriangleHessian pointTriangleHessian(const PointTriangleDistance& d, const Vec3& x1, const Vec3& x2,
                                                 const Vec3& x3) {
  // As for segments: distance^2 / 2 reduced over the sliding directions, then the square root.
  const Vec3 corner[3] = {x1, x2, x3};
  Vec3 slide[2], p[4][2];
  double rate[4][2] = {};  // dc_i / du
  if (d.free == 2) {
    slide[0] = x2 - x1, slide[1] = x3 - x1;
    rate[1][0] = rate[1][1] = 1, rate[2][0] = -1, rate[3][1] = -1;
  } else if (d.free == 1) {
    slide[0] = corner[d.slide[1]] - corner[d.slide[0]];
    rate[1 + d.slide[0]][0] = 1, rate[1 + d.slide[1]][0] = -1;
  }
  for (int i = 0; i < 4; ++i) {
    for (int u = 0; u < d.free; ++u) p[i][u] = -d.c[i] * slide[u] + rate[i][u] * d.w;
  }
  double k00 = 0, k01 = 0, k11 = 0;
  if (d.free == 2) {
    const double a = slide[0].squaredNorm(), b = slide[1].squaredNorm(), c = slide[0].dot(slide[1]),
                 det = a * b - c * c;
    k00 = b / det, k01 = -c / det, k11 = a / det;
  } else if (d.free == 1) {
    k00 = 1 / slide[0].squaredNorm();
  }
  const double inverse = 1 / d.distance;
  const Mat3 ww = (inverse * inverse) * (d.w * d.w.transpose());
  PointTriangleHessian out;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j <= i; ++j) {
      Mat3 m = -(d.c[i] * d.c[j]) * ww;
      m.diagonal().array() += d.c[i] * d.c[j];
      if (d.free > 0) m -= k00 * (p[i][0] * p[j][0].transpose());
      if (d.free == 2) {
        m -= k01 * (p[i][0] * p[j][1].transpose() + p[i][1] * p[j][0].transpose()) +
             k11 * (p[i][1] * p[j][1].transpose());
      }
      out.h[i][j] = inverse * m;
    }
  }
  return out;
}

}  // namespace tendril::contact
