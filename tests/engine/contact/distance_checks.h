// What the tests of the two kinds of distance (segments; point and triangle) share: four points in one vector, exact
// derivatives in that form, least values by ternary search, rigid motions.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/elastic/differences.h"

namespace tendril::contact {

using Points = Vec<12>;

inline Vec3 point(const Points& x, int i) { return x.segment<3>(3 * i); }
inline Points points(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  Points x;
  x << a, b, c, d;
  return x;
}

/// Gradient of a distance: c_i w / distance.
template <class Distance>
Points gradientOf(const Distance& d) {
  Points g;
  for (int i = 0; i < 4; ++i) g.segment<3>(3 * i) = d.c[i] * d.w / d.distance;
  return g;
}

/// Full matrix from blocks i >= j.
template <class Blocks>
Mat<12> hessianOf(const Blocks& b) {
  Mat<12> h;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j <= i; ++j) {
      h.block<3, 3>(3 * i, 3 * j) = b.h[i][j];
      h.block<3, 3>(3 * j, 3 * i) = b.h[i][j].transpose();
    }
  }
  return h;
}

/// Least value of a convex function on [0, 1].
template <class F>
double convexMinimum(const F& f) {
  double a = 0, b = 1;
  for (int k = 0; k < 120; ++k) {
    const double u = a + (b - a) / 3, v = b - (b - a) / 3;
    (f(u) < f(v) ? b : a) = f(u) < f(v) ? v : u;
  }
  return std::min({f(0.5 * (a + b)), f(0), f(1)});
}

/// A rotation by any angle and a shift.
inline Points moved(const Points& x, const Mat3& rotation, const Vec3& shift) {
  Points y;
  for (int i = 0; i < 4; ++i) y.segment<3>(3 * i) = rotation * point(x, i) + shift;
  return y;
}

inline Mat3 randomRotation(elastic::Chance& chance) {
  return Eigen::AngleAxisd(chance.uniform(-pi, pi), chance.direction()).toRotationMatrix();
}

/// Forces and moments of a pair add up to nothing.
inline void expectBalance(const Points& x, const Points& gradient, double scale) {
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  for (int i = 0; i < 4; ++i) {
    force += point(gradient, i);
    moment += point(x, i).cross(point(gradient, i));
  }
  EXPECT_LT(force.norm(), 1e-14);
  EXPECT_LT(moment.norm(), 1e-13 * scale);
}

}  // namespace tendril::contact
