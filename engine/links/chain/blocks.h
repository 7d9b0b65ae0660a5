// Small dense products over rows of doubles for the condensed bodies of a chain, two columns at a time. Also the order
// of the 18 numbers that tell how a body's start moves.
#pragma once

#include "geometry/dual.h"
#include "solve/wide.h"

namespace tendril::links::blocks {

// Acceleration (angular; linear), then what everything depends on (angular velocity; angular and linear displacement),
// last linear velocity. Without drag and the like nothing depends on linear velocity and displacement: 12 suffice.
inline constexpr int acceleration = 0, turning = 6, turn = 9, place = 12, speed = 15, all = 18, inertial = 12;

// Two columns of width 2 at once keep one value of `a` in use for both.
template <int Widths>
inline void addTransposedAt(int m, const double* a, int lda, const double* b, int ldb, double* c, int ldc) {
  using Wide = solve::WideOf<2>::Type;
  Wide w[6][Widths];
  for (int r = 0; r < 6; ++r) {
    for (int j = 0; j < Widths; ++j) solve::loadWide(w[r][j], b + r * ldb + 2 * j);
  }
  for (int i = 0; i < m; ++i) {
    Wide sum[Widths];
    for (int j = 0; j < Widths; ++j) solve::loadWide(sum[j], c + i * ldc + 2 * j);
    for (int r = 0; r < 6; ++r) {
      const double share = a[r * lda + i];
      for (int j = 0; j < Widths; ++j) sum[j] += share * w[r][j];
    }
    for (int j = 0; j < Widths; ++j) solve::storeWide(c + i * ldc + 2 * j, sum[j]);
  }
}

template <int Widths>
inline void addProductAt(int k, const double* a, int lda, const double* b, int ldb, double* c, int ldc) {
  using Wide = solve::WideOf<2>::Type;
  Wide sum[6][Widths];
  for (int r = 0; r < 6; ++r) {
    for (int j = 0; j < Widths; ++j) solve::loadWide(sum[r][j], c + r * ldc + 2 * j);
  }
  for (int i = 0; i < k; ++i) {
    Wide w[Widths];
    for (int j = 0; j < Widths; ++j) solve::loadWide(w[j], b + i * ldb + 2 * j);
    for (int r = 0; r < 6; ++r) {
      const double share = a[r * lda + i];
      for (int j = 0; j < Widths; ++j) sum[r][j] += share * w[j];
    }
  }
  for (int r = 0; r < 6; ++r) {
    for (int j = 0; j < Widths; ++j) solve::storeWide(c + r * ldc + 2 * j, sum[r][j]);
  }
}

/// c (m x n) += a^T (6 x m) b (6 x n); n even; lda, ldb, ldc: lengths of the rows.
inline void addTransposed(int m, int n, const double* a, int lda, const double* b, int ldb, double* c, int ldc) {
  int j = 0;
  for (; j + 4 <= n; j += 4) addTransposedAt<2>(m, a, lda, b + j, ldb, c + j, ldc);
  if (j < n) addTransposedAt<1>(m, a, lda, b + j, ldb, c + j, ldc);
}

/// c (6 x n) += a (6 x k) b (k x n); n even.
inline void addProduct(int k, int n, const double* a, int lda, const double* b, int ldb, double* c, int ldc) {
  int j = 0;
  for (; j + 4 <= n; j += 4) addProductAt<2>(k, a, lda, b + j, ldb, c + j, ldc);
  if (j < n) addProductAt<1>(k, a, lda, b + j, ldb, c + j, ldc);
}

/// Inputs of a start moved by `way`: the linear parts at the other place; entries `stride` apart.
inline void moveInputs(const Vec3& way, double* x, int stride) {
  const auto move = [&](int angular, int linear) {
    double *a = x + angular * stride, *b = x + linear * stride;
    const double a0 = a[0], a1 = a[stride], a2 = a[2 * stride];
    b[0] += a1 * way[2] - a2 * way[1];
    b[stride] += a2 * way[0] - a0 * way[2];
    b[2 * stride] += a0 * way[1] - a1 * way[0];
  };
  move(acceleration, acceleration + 3), move(turning, speed), move(turn, place);
}

/// A body's 6 x all matrix of its start's wrench by its start's inputs, as the body it hangs on sees it: both about a
/// place that is `way` before.
inline void moveThrough(const Vec3& way, const double* from, double* to) {
  for (int j = 0; j < all; ++j) {
    const double f0 = from[3 * all + j], f1 = from[4 * all + j], f2 = from[5 * all + j];
    to[j] = from[j] + way[1] * f2 - way[2] * f1;
    to[all + j] = from[all + j] + way[2] * f0 - way[0] * f2;
    to[2 * all + j] = from[2 * all + j] + way[0] * f1 - way[1] * f0;
    to[3 * all + j] = f0, to[4 * all + j] = f1, to[5 * all + j] = f2;
  }
  for (int r = 0; r < 6; ++r) {
    double* row = to + r * all;
    const auto move = [&](int angular, int linear) {
      const double b0 = row[linear], b1 = row[linear + 1], b2 = row[linear + 2];
      row[angular] += way[1] * b2 - way[2] * b1;
      row[angular + 1] += way[2] * b0 - way[0] * b2;
      row[angular + 2] += way[0] * b1 - way[1] * b0;
    };
    move(acceleration, acceleration + 3), move(turning, speed), move(turn, place);
  }
}

}  // namespace tendril::links::blocks
