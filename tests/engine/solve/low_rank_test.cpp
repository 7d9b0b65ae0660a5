// Small unsymmetric blocks on a symmetric factor, against a dense solve.
#include "solve/low_rank.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "allocation_count.h"
#include "random_matrix.h"

namespace tendril {
namespace {

using namespace test;

constexpr int size = 60;

class LowRank : public ::testing::Test {
 protected:
  Random random{51};
  Pattern pattern = bandPattern(size, 7);
  Eigen::MatrixXd a = randomMatrix(size, pattern, random);
  LowRankSolver solver{makeLinearSolver(size, pattern)};

  void SetUp() override { fill(solver, a); }

  Eigen::MatrixXd randomBlock(int count) {
    Eigen::MatrixXd block(count, count);
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j) block(i, j) = 3 * random.signedUnit();
    return block;
  }

  /// Adds a block to the solver and to the dense matrix.
  void add(const std::vector<int>& dofs, const Eigen::MatrixXd& block) {
    solver.add(dofs, block);
    for (size_t i = 0; i < dofs.size(); ++i)
      for (size_t j = 0; j < dofs.size(); ++j)
        if (dofs[i] >= 0 && dofs[j] >= 0) a(dofs[i], dofs[j]) += block(Eigen::Index(i), Eigen::Index(j));
  }

  void expectSolves() {
    ASSERT_TRUE(solver.factor(0, {}).ok);
    const Eigen::VectorXd b = randomVector(size, random), exact = a.partialPivLu().solve(b);
    EXPECT_LT((solved(solver, b) - exact).norm(), 1e-11 * exact.norm());
    Eigen::VectorXd y(size);
    solver.multiply({b.data(), size_t(size)}, {y.data(), size_t(size)});
    EXPECT_LT((y - a * b).norm(), 1e-13 * (a * b).norm());
  }
};

TEST_F(LowRank, WithoutBlocksIsTheWrappedSolver) { expectSolves(); }

TEST_F(LowRank, OneUnsymmetricBlockFarFromTheDiagonal) {
  add({2, 31, 57}, randomBlock(3));
  EXPECT_EQ(solver.rank(), 3);
  expectSolves();
}

TEST_F(LowRank, OverlappingBlocksAreMerged) {
  add({50, 51, 52, 53, 54, 55}, randomBlock(6));
  add({54, 55, 56, 57, 58, 59}, randomBlock(6));
  add({0, 1}, randomBlock(2));
  EXPECT_EQ(solver.rank(), 12);
  expectSolves();
}

TEST_F(LowRank, ConstrainedDofsAreDropped) {
  add({-1, 10, -1, 12}, randomBlock(4));
  EXPECT_EQ(solver.rank(), 2);
  expectSolves();
}

TEST_F(LowRank, ASingularBlockIsFine) {
  Eigen::MatrixXd block = Eigen::MatrixXd::Zero(3, 3);
  block(0, 2) = 5;
  add({20, 21, 22}, block);
  expectSolves();
}

TEST_F(LowRank, ClearForgetsAndDofsMayChange) {
  solver.add(std::vector<int>{4, 5}, randomBlock(2));
  ASSERT_TRUE(solver.factor(0, {}).ok);
  solver.clear();
  EXPECT_EQ(solver.rank(), 0);
  expectSolves();
  add({9, 3, 40}, randomBlock(3));
  expectSolves();
}

TEST_F(LowRank, ASingularSumIsReported) {
  // Cancel one row and column of a diagonal matrix.
  LowRankSolver diagonal{makeLinearSolver(4, {})};
  for (int i = 0; i < 4; ++i) diagonal.values()[diagonal.offset(i, i)] = 2;
  diagonal.add(std::vector<int>{1}, Eigen::MatrixXd::Constant(1, 1, -2));
  EXPECT_FALSE(diagonal.factor(0, {}).ok);
  diagonal.clear();
  diagonal.add(std::vector<int>{1}, Eigen::MatrixXd::Constant(1, 1, std::nan("")));
  EXPECT_FALSE(diagonal.factor(0, {}).ok);
  diagonal.clear();
  diagonal.add(std::vector<int>{1}, Eigen::MatrixXd::Constant(1, 1, -1));
  EXPECT_TRUE(diagonal.factor(0, {}).ok);
  EXPECT_EQ(solved(diagonal, Eigen::VectorXd::Ones(4)), Eigen::Vector4d(0.5, 1, 0.5, 0.5));
}

TEST_F(LowRank, AllocatesNothingWhenWarm) {
  const std::vector<int> first{3, 4, 5}, second{5, 6};
  const Eigen::MatrixXd large = randomBlock(3), small = randomBlock(2);
  Eigen::VectorXd x = randomVector(size, random);
  const auto cycle = [&] {
    solver.clear();
    solver.add(first, large);
    solver.add(second, small);
    EXPECT_TRUE(solver.factor(0, {}).ok);
    solver.solve({x.data(), size_t(size)}, {x.data(), size_t(size)});
  };
  cycle();
  const long before = allocationCount();
  cycle();
  EXPECT_EQ(allocationCount(), before);
}

}  // namespace
}  // namespace tendril
