// LU factors against the matrices they came from: regular ones by both kinds of pivots, singular ones with their rank,
// a solution of consistent equations, and a motion that meets no resistance.
#include "solve/dense_lu.h"

#include <gtest/gtest.h>

#include <limits>

namespace tendril::solve {
namespace dense_lu_test {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Pivots = DenseLu::Pivots;

// Fixed numbers between -1 and 1, the same on all machines.
Matrix numbers(int rows, int cols, unsigned seed) {
  Matrix out(rows, cols);
  for (int j = 0; j < cols; ++j) {
    for (int i = 0; i < rows; ++i) {
      seed = seed * 1664525u + 1013904223u;
      out(i, j) = static_cast<double>(seed >> 8) / (1 << 23) - 1;
    }
  }
  return out;
}

TEST(DenseLu, SolvesRegularSystemsWithBothKindsOfPivots) {
  for (const Pivots pivots : {Pivots::rows, Pivots::all}) {
    for (int n = 1; n <= 40; n += 13) {
      const Matrix a = numbers(n, n, 7u + static_cast<unsigned>(n));
      const Vector x = numbers(n, 1, 3);
      const DenseLu lu(a, pivots);
      EXPECT_TRUE(lu.regular());
      EXPECT_EQ(lu.rank(), n);
      EXPECT_LT((lu.solve(a * x) - x).norm(), 1e-11 * n) << n;
    }
  }
}

TEST(DenseLu, NeedsNoPivotOnTheDiagonal) {
  Matrix a = Matrix::Zero(3, 3);
  a(0, 2) = 2, a(1, 0) = 4, a(2, 1) = 8;
  for (const Pivots pivots : {Pivots::rows, Pivots::all}) {
    const Vector x = DenseLu(a, pivots).solve(Vector::Constant(3, 8));
    EXPECT_EQ(x[0], 2);
    EXPECT_EQ(x[1], 1);
    EXPECT_EQ(x[2], 4);
  }
}

TEST(DenseLu, TellsTheRankAndAMotionWithoutResistance) {
  for (int rank = 0; rank < 6; ++rank) {
    const Matrix a = numbers(9, rank, 11) * numbers(rank, 9, 12);
    const DenseLu lu(a, Pivots::all, 1e-12);
    EXPECT_EQ(lu.rank(), rank);
    EXPECT_FALSE(lu.regular());
    const Vector motion = lu.kernel();
    EXPECT_GE(motion.cwiseAbs().maxCoeff(), 1);
    EXPECT_LT((a * motion).norm(), 1e-13 * motion.norm() * 9);
    // Equations that agree have a solution, though not one only.
    const Vector b = a * numbers(9, 1, 13);
    EXPECT_LT((a * lu.solve(b) - b).norm(), 1e-12);
  }
}

TEST(DenseLu, TheThresholdIsRelativeToTheFirstPivot) {
  Matrix a = Matrix::Identity(3, 3);
  a(1, 1) = 1e-6, a(2, 2) = 1e-12;
  EXPECT_EQ(DenseLu(1e9 * a, Pivots::all).rank(), 3);
  EXPECT_EQ(DenseLu(1e9 * a, Pivots::all, 1e-9).rank(), 2);
  EXPECT_EQ(DenseLu(1e9 * a, Pivots::all, 1e-3).rank(), 1);
}

TEST(DenseLu, WhatIsNotFiniteOrHasNoPivotIsNotRegular) {
  Matrix a = Matrix::Identity(3, 3);
  a(0, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(DenseLu(a, Pivots::rows).regular());
  EXPECT_FALSE(DenseLu(a, Pivots::all).regular());
  a = Matrix::Identity(3, 3), a(1, 1) = 0;
  EXPECT_FALSE(DenseLu(a, Pivots::rows).regular());
  EXPECT_TRUE(DenseLu(Matrix(0, 0), Pivots::rows).regular());
}

}  // namespace dense_lu_test
}  // namespace tendril::solve
