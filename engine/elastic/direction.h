// The unit tangent of an edge and the unit normal of a triangle as functions of their corners, with first derivatives
// and the second derivatives along a fixed vector.
#pragma once

#include "geometry/frames.h"

namespace tendril::elastic {

/// d = c/|c| as a function of c, along a fixed vector g: the second derivatives of d.g [1/size^2].
inline Mat3 directionCurvature(const Vec3& d, double size, const Vec3& g) {
  const double along = d.dot(g);
  const Vec3 across = g - along * d;
  return -(d * across.transpose() + across * d.transpose() + along * (Mat3::Identity() - d * d.transpose())) /
         (size * size);
}

/// Of N corners: 2 of an edge, whose tangent runs from the first to the second; 3 of a triangle, right-handed.
template <int N>
struct Direction {
  static_assert(N == 2 || N == 3);
  Vec3 unit;
  double size = 0;  ///< of what is made a unit vector [m], [m^2]: |b - a|, twice the area
  Mat3 by[N];       ///< by the place of each corner [1/m]
  Mat3 whole[N];    ///< of the vector that is not a unit one: edge vector, or twice the area vector [1], [m]

  explicit Direction(const Vec3 (&x)[N]) {
    Vec3 vector;
    if constexpr (N == 2) {
      vector = x[1] - x[0];
      whole[0] = -Mat3::Identity();
      whole[1] = Mat3::Identity();
    } else {
      vector = (x[1] - x[0]).cross(x[2] - x[0]);
      for (int k = 0; k < 3; ++k) whole[k] = geometry::skew(x[(k + 2) % 3] - x[(k + 1) % 3]);
    }
    size = vector.norm();
    unit = vector / size;
    for (int k = 0; k < N; ++k) by[k] = (whole[k] - unit * (unit.transpose() * whole[k])) / size;
  }

  /// Second derivatives of unit . g by the corners.
  Mat<3 * N> curvature(const Vec3& g) const {
    Mat<3 * N> out;
    const Mat3 bent = directionCurvature(unit, size, g);
    for (int r = 0; r < N; ++r) {
      for (int c = 0; c < N; ++c) out.template block<3, 3>(3 * r, 3 * c) = whole[r].transpose() * bent * whole[c];
    }
    if constexpr (N == 3) {
      // The area vector itself is bilinear in the corners.
      const Mat3 turn = geometry::skew(Vec3((g - unit.dot(g) * unit) / size));
      for (int k = 0; k < 3; ++k) {
        const int next = (k + 1) % 3;
        out.template block<3, 3>(3 * k, 3 * next) -= turn;
        out.template block<3, 3>(3 * next, 3 * k) += turn;
      }
    }
    return out;
  }
};

}  // namespace tendril::elastic
