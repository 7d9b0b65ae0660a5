// Unsymmetric blocks, few and many, on a symmetric factor, against a dense solve; iterations that spare a
// factorization.
#include "solve/tangent_solver.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "allocation_count.h"
#include "shell_matrix.h"

namespace tendril::solve {
namespace tangent_solver_test {

using namespace test;

constexpr int size = 60;

class FewBlocks : public ::testing::Test {
 protected:
  Random random{51};
  Pattern pattern = bandPattern(size, 7);
  Eigen::MatrixXd a = randomMatrix(size, pattern, random);
  TangentSolver solver{makeLinearSolver(size, pattern)};

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

TEST_F(FewBlocks, WithoutBlocksIsTheWrappedSolver) { expectSolves(); }

TEST_F(FewBlocks, OneUnsymmetricBlockFarFromTheDiagonal) {
  add({2, 31, 57}, randomBlock(3));
  EXPECT_EQ(solver.rank(), 3);
  expectSolves();
}

TEST_F(FewBlocks, OverlappingBlocksAreMerged) {
  add({50, 51, 52, 53, 54, 55}, randomBlock(6));
  add({54, 55, 56, 57, 58, 59}, randomBlock(6));
  add({0, 1}, randomBlock(2));
  EXPECT_EQ(solver.rank(), 12);
  expectSolves();
}

TEST_F(FewBlocks, ConstrainedDofsAreDropped) {
  add({-1, 10, -1, 12}, randomBlock(4));
  EXPECT_EQ(solver.rank(), 2);
  expectSolves();
}

TEST_F(FewBlocks, ASingularBlockIsFine) {
  Eigen::MatrixXd block = Eigen::MatrixXd::Zero(3, 3);
  block(0, 2) = 5;
  add({20, 21, 22}, block);
  expectSolves();
}

TEST_F(FewBlocks, ClearForgetsAndDofsMayChange) {
  solver.add(std::vector<int>{4, 5}, randomBlock(2));
  ASSERT_TRUE(solver.factor(0, {}).ok);
  solver.clear();
  EXPECT_EQ(solver.rank(), 0);
  expectSolves();
  add({9, 3, 40}, randomBlock(3));
  expectSolves();
}

TEST_F(FewBlocks, ASingularSumIsReported) {
  // Cancel one row and column of a diagonal matrix.
  TangentSolver diagonal{makeLinearSolver(4, {})};
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

TEST_F(FewBlocks, AllocatesNothingWhenWarm) {
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

/// A sheet whose every hinge has an antisymmetric block, as drag and pressure give them.
class ManyBlocks : public ::testing::Test {
 protected:
  static constexpr int side = 20;
  ShellPattern shell = hingePattern(side);
  TangentSolver solver{makeSparseSolver(shell.size, shell.pairs())};
  Random random{52};
  VectorX x_;

  void addBlocks(double strength) {
    for (const auto& clique : shell.cliques) {
      const int count = int(clique.size());
      Eigen::MatrixXd block = Eigen::MatrixXd::Zero(count, count);
      for (int i = 0; i < count; ++i)
        for (int j = 0; j < i; ++j) block(j, i) = -(block(i, j) = strength * random.signedUnit());
      solver.add(clique, block);
    }
  }
  double residual(const VectorX& x, const VectorX& b) {
    VectorX y(b.size());
    solver.multiply({x.data(), size_t(x.size())}, {y.data(), size_t(y.size())});
    return (y - b).norm() / b.norm();
  }
};

TEST_F(ManyBlocks, AreSolvedByIteration) {
  fillShell(solver, shell, 1, 5);
  const VectorX b = randomVector(shell.size, random);
  for (double strength : {0.01, 0.3, 2.0}) {
    solver.clear();
    addBlocks(strength);
    EXPECT_EQ(solver.rank(), shell.size);
    ASSERT_TRUE(solver.factor(0, {}).ok);
    EXPECT_LT(residual(solved(solver, b), b), 1.1e-10) << strength;
  }
  solver.clear();
  ASSERT_TRUE(solver.factor(0, {}).ok);
  EXPECT_LT(residual(solved(solver, b), b), 1e-13);
}

// A shift is there to make a direction of descent of what is solved.
TEST_F(ManyBlocks, AreSolvedWithTheShiftThatWasFactored) {
  fillShell(solver, shell, 1, 5);
  const VectorX b = randomVector(shell.size, random);
  std::vector<double> weights(static_cast<size_t>(shell.size));
  for (double& w : weights) w = 1.5 + 0.5 * random.signedUnit();
  double mean = 0;
  for (int i = 0; i < shell.size; ++i) mean += std::abs(solver.values()[size_t(solver.offset(i, i))]) / shell.size;
  addBlocks(0.3);
  for (const bool weighed : {true, false}) {
    for (const double shift : {0.01, 10.0}) {
      ASSERT_TRUE(solver.factor(shift, weighed ? std::span<const double>(weights) : std::span<const double>()).ok);
      const VectorX x = solved(solver, b);
      VectorX y(b.size());
      solver.multiply({x.data(), size_t(x.size())}, {y.data(), size_t(y.size())});
      for (int i = 0; i < shell.size; ++i) y[i] += shift * (weighed ? weights[size_t(i)] : mean) * x[i];
      EXPECT_LT((y - b).norm(), 1.1e-10 * b.norm()) << shift << weighed;
    }
  }
}

TEST_F(ManyBlocks, MultiplyAsADenseMatrixWould) {
  fillShell(solver, shell, 1, 5);
  const VectorX x = randomVector(shell.size, random);
  VectorX plain(shell.size), with(shell.size);
  solver.multiply({x.data(), size_t(x.size())}, {plain.data(), size_t(x.size())});
  addBlocks(1);
  solver.multiply({x.data(), size_t(x.size())}, {with.data(), size_t(x.size())});
  EXPECT_NEAR(x.dot(with), x.dot(plain), 1e-12 * x.dot(plain));  // antisymmetric: no work
  EXPECT_GT((with - plain).norm(), 0.1 * plain.norm());
}

TEST_F(ManyBlocks, AllocateNothingWhenWarm) {
  fillShell(solver, shell, 1, 5);
  const Eigen::MatrixXd block = Eigen::MatrixXd::Constant(12, 12, 0.01);
  VectorX x = randomVector(shell.size, random);
  const VectorX none;
  const auto cycle = [&] {
    solver.clear();
    for (const auto& clique : shell.cliques)
      if (clique.size() == 12) solver.add(clique, block);
    EXPECT_TRUE(solver.factor(0, {}).ok);
    solver.solve({x.data(), size_t(x.size())}, {x.data(), size_t(x.size())});
    EXPECT_TRUE(solver.approximate(x, none, 1e-6, x_));
  };
  x_.resize(shell.size);
  cycle();
  const long before = allocationCount();
  cycle();
  EXPECT_EQ(allocationCount(), before);
}

/// Large enough that a factorization is worth avoiding.
// One pivot is negative; a block makes up for it, adds to it, or does not touch it.
TEST(TangentSolverPushes, CountsWhatBlocksMakeUpFor) {
  TangentSolver solver(makeLinearSolver(size, bandPattern(size, 7)));
  const auto pushes = [&](double block) {
    Eigen::MatrixXd a = Eigen::MatrixXd::Identity(size, size);
    a(5, 5) = -1;
    solver.clear();
    fill(solver, a);
    const int at[] = {5, 6};
    Eigen::MatrixXd k = Eigen::MatrixXd::Zero(2, 2);
    k(0, 0) = block, k(0, 1) = 0.5, k(1, 0) = -0.3;
    solver.add(at, k);
    return solver.pushes(solver.factor(0, {}));
  };
  EXPECT_EQ(pushes(1e-9), 1);
  EXPECT_EQ(pushes(-1), 1);
  EXPECT_EQ(pushes(2), 0);
}

class Approximation : public ::testing::Test {
 protected:
  static constexpr int side = 24;
  ShellPattern shell = hingePattern(side);
  TangentSolver solver{makeSparseSolver(shell.size, shell.pairs())};
  Random random{53};
  VectorX b = randomVector(shell.size, random), x, none;

  double residual() {
    VectorX y(b.size());
    solver.multiply({x.data(), size_t(x.size())}, {y.data(), size_t(y.size())});
    return (y - b).norm() / b.norm();
  }
};

TEST_F(Approximation, ComesFromTheDiagonalWhereMassRules) {
  fillShell(solver, shell, 0.01, 10);
  ASSERT_TRUE(solver.approximate(b, none, 1e-7, x));
  EXPECT_LE(residual(), 1.01e-7);
}

TEST_F(Approximation, ComesFromTheLastFactorWhereTheMatrixChangedLittle) {
  fillShell(solver, shell, 1, 1e-3);
  EXPECT_FALSE(solver.approximate(b, none, 1e-7, x));  // the diagonal alone says too little
  ASSERT_TRUE(solver.factor(0, {}).ok);
  fillShell(solver, shell, 1, 1e-3, 1e-3);
  ASSERT_TRUE(solver.approximate(b, none, 1e-6, x));
  EXPECT_LE(residual(), 1.01e-6);
  fillShell(solver, shell, 1, 1e-3, 1);  // another matrix altogether
  EXPECT_FALSE(solver.approximate(b, none, 1e-6, x));
}

TEST_F(Approximation, IsAlikeWhateverWentBefore) {
  fillShell(solver, shell, 0.02, 10);
  ASSERT_TRUE(solver.approximate(b, none, 1e-7, x));
  const VectorX first = x;
  ASSERT_TRUE(solver.factor(0, {}).ok);
  ASSERT_TRUE(solver.approximate(b, none, 1e-7, x));
  EXPECT_NE(x, first);
  solver.forget();
  ASSERT_TRUE(solver.approximate(b, none, 1e-7, x));
  EXPECT_EQ(x, first);
}

TEST_F(Approximation, DoesNotHideThatTheMatrixIsIndefinite) {
  fillShell(solver, shell, 0.01, 10);
  solver.values()[solver.offset(100, 100)] = -5;
  EXPECT_FALSE(solver.approximate(b, none, 1e-7, x));
  solver.forget();
  fillShell(solver, shell, 0.01, -10);
  EXPECT_FALSE(solver.approximate(b, none, 1e-7, x));
  // A factor with negative pivots, or of a shifted matrix, is none to start from.
  EXPECT_GT(solver.factor(0, {}).negativePivots, 0);
  EXPECT_FALSE(solver.approximate(b, none, 1e-7, x));
  fillShell(solver, shell, 0.01, 10);
  ASSERT_TRUE(solver.factor(1, {}).ok);
  EXPECT_FALSE(solver.approximate(b, none, 1e-7, x));
}

TEST_F(Approximation, TakesUnsymmetricBlocksAlong) {
  fillShell(solver, shell, 0.01, 10);
  for (const auto& clique : shell.cliques) {
    const Eigen::Index count = Eigen::Index(clique.size());
    const Eigen::MatrixXd random =
        Eigen::MatrixXd::NullaryExpr(count, count, [&] { return 0.03 * this->random.signedUnit(); });
    solver.add(clique, random - random.transpose());
  }
  EXPECT_FALSE(solver.approximate(b, none, 1e-7, x));  // from the diagonal only symmetric matrices are tried
  ASSERT_TRUE(solver.factor(0, {}).ok);
  ASSERT_TRUE(solver.approximate(b, none, 1e-7, x));
  EXPECT_LE(residual(), 1.01e-7);
}

TEST_F(Approximation, IsNotTriedWhereFactoringIsCheap) {
  TangentSolver rod(makeLinearSolver(400, bandPattern(400, 10)));
  fill(rod, randomMatrix(400, bandPattern(400, 10), random));
  const VectorX load = randomVector(400, random);
  EXPECT_FALSE(rod.approximate(load, none, 1e-3, x));
  ASSERT_TRUE(rod.factor(0, {}).ok);
  EXPECT_FALSE(rod.approximate(load, none, 1e-3, x));
}

}  // namespace tangent_solver_test
}  // namespace tendril::solve
