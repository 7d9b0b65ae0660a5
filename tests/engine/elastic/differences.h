// Fourth-order central differences and reproducible random points for the tests of the elements. One place, so that
// every element is held to the same yardstick.
#pragma once

#include <random>
#include <type_traits>

#include "geometry/types.h"

namespace tendril::elastic {

/// df/dx_i. Evaluated here: an expression of the values of f would outlive them.
template <int N, class F>
std::invoke_result_t<F, Vec<N>> centralDifference(const F& f, const Vec<N>& x, int i, double h) {
  Vec<N> a = x, b = x, a2 = x, b2 = x;
  a[i] += h, b[i] -= h, a2[i] += 2 * h, b2[i] -= 2 * h;
  return (8.0 * (f(a) - f(b)) - (f(a2) - f(b2))) / (12.0 * h);
}

/// Gradient of a scalar f at x.
template <int N, class F>
Vec<N> differenceGradient(const F& f, const Vec<N>& x, double h) {
  Vec<N> d;
  for (int i = 0; i < N; ++i) d[i] = centralDifference<N>(f, x, i, h);
  return d;
}

/// Jacobian of f, a function that returns a Vec<R>, at x.
template <int R, int N, class F>
Mat<R, N> differenceJacobian(const F& f, const Vec<N>& x, double h) {
  Mat<R, N> d;
  for (int i = 0; i < N; ++i) d.col(i) = centralDifference<N>(f, x, i, h);
  return d;
}

/// Numbers that are the same on every platform.
class Chance {
 public:
  explicit Chance(unsigned seed) : random_(seed) {}
  double uniform(double a, double b) { return a + (b - a) * (double(random_()) / 4294967296.0); }
  Vec3 vector() {
    const double x = uniform(-1, 1), y = uniform(-1, 1);
    return Vec3(x, y, uniform(-1, 1));
  }
  Vec3 direction() {
    Vec3 v;
    do v = vector();
    while (v.norm() > 1 || v.norm() < 0.1);
    return v.normalized();
  }

 private:
  std::mt19937 random_;
};

}  // namespace tendril::elastic
