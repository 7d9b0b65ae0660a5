// The banded factorization itself: every kernel width, orders, storage.
#include "solve/band_ldlt.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <stdexcept>

#include "random_matrix.h"
#include "solve/ordering/ordering.h"

namespace tendril::solve {
namespace band_ldlt_test {

using namespace test;

class BandWidths : public ::testing::TestWithParam<int> {};

TEST_P(BandWidths, AgreesWithADenseSolveForAllSizes) {
  const int band = GetParam();
  Random random(band + 1);
  for (int size : {1, 2, band, band + 1, band + 2, 3 * band + 17}) {
    if (size == 0) continue;
    for (bool indefinite : {false, true}) {
      const Eigen::MatrixXd a = randomMatrix(size, bandPattern(size, std::min(band, size - 1)), random, indefinite);
      BandLdlt solver(size, std::min(band, size - 1), {});
      fill(solver, a);
      const Factorization outcome = solver.factor(0, {});
      ASSERT_TRUE(outcome.ok);
      EXPECT_EQ(outcome.nullPivots, 0);
      EXPECT_EQ(outcome.negativePivots, int((a.diagonal().array() < 0).count()));
      const Eigen::VectorXd b = randomVector(size, random), exact = a.partialPivLu().solve(b);
      EXPECT_LT((solved(solver, b) - exact).norm(), 1e-12 * exact.norm()) << "size " << size << " band " << band;
    }
  }
}

// Every kernel of its own width, widths that are rounded up, and the general kernel with and without a last partial
// tile.
INSTANTIATE_TEST_SUITE_P(BandLdlt, BandWidths,
                         ::testing::Values(0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 16, 19, 20, 21, 22, 24, 25, 27,
                                           31, 32, 33, 40, 63));

TEST(BandLdlt, StorageIsColumnsOfTheBand) {
  BandLdlt solver(30, 10, {});
  EXPECT_EQ(solver.halfBandwidth(), 10);
  EXPECT_EQ(solver.values().size(), 30u * 11u + 1u);
  EXPECT_EQ(solver.offset(7, 7), 77);
  EXPECT_EQ(solver.offset(12, 7), 77 + 5);
  EXPECT_EQ(solver.offset(7, 12), 77 + 5);
  EXPECT_EQ(solver.offset(7, 18), -1);
  EXPECT_EQ(solver.trash(), 330);
}

TEST(BandLdlt, RunsOfIllConditionedBeamsKeepTheirAccuracy) {
  // Second differences squared, clamped: the stiffness of a 200-node cantilever, condition about 200^4.
  const int size = 200;
  Eigen::MatrixXd difference = Eigen::MatrixXd::Zero(size, size);
  for (int i = 0; i < size; ++i) {
    difference(i, i) = 1;
    if (i > 0) difference(i, i - 1) = -2;
    if (i > 1) difference(i, i - 2) = 1;
  }
  const Eigen::MatrixXd a = difference.transpose() * difference;
  Random random(9);
  const Eigen::VectorXd x = randomVector(size, random);
  BandLdlt solver(size, 2, {});
  fill(solver, a);
  const Factorization outcome = solver.factor(0, {});
  EXPECT_TRUE(outcome.ok);
  EXPECT_EQ(outcome.nullPivots, 0);
  EXPECT_EQ(outcome.negativePivots, 0);
  const Eigen::VectorXd found = solved(solver, a * x);
  EXPECT_LT((a * (found - x)).norm(), 1e-12);
  EXPECT_LT((found - x).norm(), 1e-5 * x.norm());
}

TEST(BandLdlt, AnOrderStaysInside) {
  Random random(21);
  const int size = 90;
  const Pattern ring = bandPattern(size, 5, true);
  const Eigen::MatrixXd a = randomMatrix(size, ring, random);
  const Graph graph = buildGraph(size, ring);
  for (const std::vector<int>& order : {foldOrder(size), reverseCuthillMcKee(graph)}) {
    BandLdlt solver(size, halfBandwidth(graph, order), order);
    for (const auto& [row, col] : ring) EXPECT_GE(solver.offset(row, col), 0);
    fill(solver, a);
    ASSERT_TRUE(solver.factor(0, {}).ok);
    const Eigen::VectorXd b = randomVector(size, random);
    EXPECT_LT((a * solved(solver, b) - b).norm(), 1e-12 * b.norm());
  }
}

TEST(BandLdlt, RefusesStorageBeyondIntegerOffsets) { EXPECT_THROW(BandLdlt(300000, 20000, {}), std::length_error); }

}  // namespace band_ldlt_test
}  // namespace tendril::solve
