// Gauss-Legendre quadrature on [0, 1].
#pragma once

#include <cmath>
#include <vector>

#include "geometry/types.h"

namespace tendril::geometry {

struct Quadrature {
  std::vector<double> points, weights;  ///< ascending in [0, 1]; weights add up to 1
};

/// n >= 1 points: exact for polynomials of degree 2n - 1. Newton on the Legendre polynomial from Tricomi's guess.
inline Quadrature gaussLegendre(int n) {
  Quadrature q;
  q.points.resize(n), q.weights.resize(n);
  for (int i = 0; i < n; ++i) {
    double x = std::cos(pi * (i + 0.75) / (n + 0.5)), slope = 1;
    for (int it = 0; it < 100; ++it) {
      double before = 1, value = x;
      for (int k = 2; k <= n; ++k) {
        const double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
        before = value, value = next;
      }
      slope = n * (before - x * value) / (1 - x * x);
      const double step = value / slope;
      x -= step;
      if (std::abs(step) < 1e-16) break;
    }
    q.points[n - 1 - i] = 0.5 * (1 + x);
    q.weights[n - 1 - i] = 1 / ((1 - x * x) * slope * slope);
  }
  return q;
}

}  // namespace tendril::geometry
