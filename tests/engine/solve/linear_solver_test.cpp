// What every linear solver promises, checked for both kinds through the interface, and the rule that chooses between
// them.
#include "solve/linear_solver.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "allocation_count.h"
#include "random_matrix.h"

namespace tendril::solve {
namespace linear_solver_test {

using namespace test;

using Factory = std::unique_ptr<LinearSolver> (*)(int, std::span<const std::array<int, 2>>);

class EachSolver : public ::testing::TestWithParam<Factory> {
 protected:
  std::unique_ptr<LinearSolver> make(int size, const Pattern& pattern) { return GetParam()(size, pattern); }

  /// A ring of rods with a few cross links: permuted in both kinds.
  Pattern ringPattern() {
    Pattern pattern = bandPattern(size_, 6, true);
    pattern.push_back({3, 30});
    return pattern;
  }
  static constexpr int size_ = 64;
};

TEST_P(EachSolver, NegativePivotsCountNegativeEigenvalues) {
  Random random(31);
  const Pattern pattern = ringPattern();
  const auto solver = make(size_, pattern);
  for (int trial = 0; trial < 20; ++trial) {
    Eigen::MatrixXd a = randomMatrix(size_, pattern, random);
    a.diagonal() *= 0.2;  // no longer dominant: pivots change sign by elimination
    fill(*solver, a);
    const Eigen::VectorXd eigenvalues = a.selfadjointView<Eigen::Lower>().eigenvalues();
    const Factorization outcome = solver->factor(0, {});
    ASSERT_TRUE(outcome.ok);
    ASSERT_GT((eigenvalues.array() < 0).count(), 0);
    EXPECT_EQ(outcome.negativePivots, int((eigenvalues.array() < 0).count()));
    EXPECT_LT(outcome.lowestPivotRatio, 0);
  }
}

TEST_P(EachSolver, ShiftsByWeightsOrByTheMeanDiagonal) {
  Random random(32);
  const Pattern pattern = ringPattern();
  const Eigen::MatrixXd a = randomMatrix(size_, pattern, random);
  const auto solver = make(size_, pattern);
  fill(*solver, a);
  const std::vector<double> before(solver->values().begin(), solver->values().end());
  const Eigen::VectorXd b = randomVector(size_, random);
  const Eigen::VectorXd weights = randomVector(size_, random).cwiseAbs();
  ASSERT_TRUE(solver->factor(0.7, {weights.data(), size_t(size_)}).ok);
  Eigen::MatrixXd shifted = a;
  shifted.diagonal() += 0.7 * weights;
  EXPECT_LT((shifted * solved(*solver, b) - b).norm(), 1e-12 * b.norm());
  ASSERT_TRUE(solver->factor(0.3, {}).ok);
  shifted = a;
  shifted.diagonal().array() += 0.3 * a.diagonal().cwiseAbs().mean();
  EXPECT_LT((shifted * solved(*solver, b) - b).norm(), 1e-12 * b.norm());
  EXPECT_TRUE(std::equal(before.begin(), before.end(), solver->values().begin()));
}

TEST_P(EachSolver, MultipliesByTheUnshiftedMatrix) {
  Random random(33);
  const Pattern pattern = ringPattern();
  const Eigen::MatrixXd a = randomMatrix(size_, pattern, random, true);
  const auto solver = make(size_, pattern);
  fill(*solver, a);
  solver->factor(10, {});
  const Eigen::VectorXd x = randomVector(size_, random), expected = a * x;
  Eigen::VectorXd y = Eigen::VectorXd::Constant(size_, 99);
  solver->multiply({x.data(), size_t(size_)}, {y.data(), size_t(size_)});
  EXPECT_LT((y - expected).norm(), 1e-14 * expected.norm());
}

TEST_P(EachSolver, LowestPivotRatioIsOneForADiagonalMatrixAndFallsTowardSingular) {
  const auto diagonal = make(3, {});
  for (int i = 0; i < 3; ++i) diagonal->values()[diagonal->offset(i, i)] = i + 1;
  EXPECT_EQ(diagonal->factor(0, {}).lowestPivotRatio, 1);
  const auto pair = make(2, {{0, 1}});
  pair->values()[pair->offset(0, 0)] = pair->values()[pair->offset(1, 1)] = 2;
  pair->values()[pair->offset(0, 1)] = 2 * std::sqrt(1 - 1e-6);
  EXPECT_NEAR(pair->factor(0, {}).lowestPivotRatio, 1e-6, 1e-12);
}

TEST_P(EachSolver, NullModesArePinnedAndCounted) {
  // Springs in a chain with nothing to hold it: one null mode. Loads that balance give a finite answer.
  const int size = 50;
  const Pattern pattern = bandPattern(size, 1);
  const auto solver = make(size, pattern);
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(size, size);
  for (int i = 0; i + 1 < size; ++i) {
    const double k = 1 + 0.5 * std::sin(i);
    a(i, i) += k;
    a(i + 1, i + 1) += k;
    a(i, i + 1) -= k;
    a(i + 1, i) -= k;
  }
  fill(*solver, a);
  const Factorization outcome = solver->factor(0, {});
  EXPECT_TRUE(outcome.ok);
  EXPECT_EQ(outcome.nullPivots, 1);
  EXPECT_LT(std::fabs(outcome.lowestPivotRatio), 1e-13);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(size);
  b[4] = 1;
  b[40] = -1;
  const Eigen::VectorXd x = solved(*solver, b);
  EXPECT_LT((a * x - b).norm(), 1e-12);
  EXPECT_GE((x.array() == 0).count(), 1);
}

TEST_P(EachSolver, UnknownsWithoutStiffnessStayAtZero) {
  const int size = 20;
  Random random(34);
  const Pattern pattern = bandPattern(size, 2);
  Eigen::MatrixXd a = randomMatrix(size, pattern, random);
  a.row(7).setZero();
  a.col(7).setZero();
  const auto solver = make(size, pattern);
  fill(*solver, a);
  const Factorization outcome = solver->factor(0, {});
  EXPECT_TRUE(outcome.ok);
  EXPECT_EQ(outcome.nullPivots, 1);
  EXPECT_EQ(outcome.lowestPivotRatio, 0);
  Eigen::VectorXd b = randomVector(size, random);
  const Eigen::VectorXd x = solved(*solver, b);
  EXPECT_EQ(x[7], 0);
  b[7] = 0;
  EXPECT_LT((a * x - b).norm(), 1e-12);
  for (double& value : solver->values()) value = 0;
  const Factorization zero = solver->factor(0, {});
  EXPECT_TRUE(zero.ok);
  EXPECT_EQ(zero.nullPivots, size);
  EXPECT_EQ(solved(*solver, b).norm(), 0);
}

TEST_P(EachSolver, ReportsNaNAndInfinityAndRecovers) {
  Random random(35);
  const Pattern pattern = ringPattern();
  const Eigen::MatrixXd a = randomMatrix(size_, pattern, random);
  const auto solver = make(size_, pattern);
  const Eigen::VectorXd b = randomVector(size_, random);
  fill(*solver, a);
  solver->factor(0, {});
  const Eigen::VectorXd clean = solved(*solver, b);
  for (double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (const auto& [row, col] : {std::array{0, 0}, {5, 8}, {63, 2}, {30, 3}}) {
      fill(*solver, a);
      solver->values()[solver->offset(row, col)] = bad;
      EXPECT_FALSE(solver->factor(0, {}).ok) << row << ", " << col;
      solved(*solver, b);
      fill(*solver, a);
      EXPECT_TRUE(solver->factor(0, {}).ok);
      EXPECT_EQ(solved(*solver, b), clean);
    }
  }
}

TEST_P(EachSolver, TrashNeverMatters) {
  Random random(36);
  const Pattern pattern = ringPattern();
  const Eigen::MatrixXd a = randomMatrix(size_, pattern, random);
  const auto solver = make(size_, pattern);
  const Eigen::VectorXd b = randomVector(size_, random);
  fill(*solver, a);
  solver->factor(0.1, {});
  const Eigen::VectorXd clean = solved(*solver, b);
  solver->values()[solver->trash()] = std::nan("");
  EXPECT_TRUE(solver->factor(0.1, {}).ok);
  EXPECT_EQ(solved(*solver, b), clean);
  Eigen::VectorXd y(size_);
  solver->multiply({b.data(), size_t(size_)}, {y.data(), size_t(size_)});
  EXPECT_TRUE(y.allFinite());
}

TEST_P(EachSolver, SolvesInPlaceAndRepeatsBitForBit) {
  Random random(37);
  const Pattern pattern = ringPattern();
  const Eigen::MatrixXd a = randomMatrix(size_, pattern, random);
  const auto solver = make(size_, pattern), other = make(size_, pattern);
  fill(*solver, a);
  fill(*other, a);
  const Eigen::VectorXd b = randomVector(size_, random);
  solver->factor(0, {});
  const Eigen::VectorXd x = solved(*solver, b);
  Eigen::VectorXd inPlace = b;
  solver->factor(5, {});
  solver->factor(0, {});
  solver->solve({inPlace.data(), size_t(size_)}, {inPlace.data(), size_t(size_)});
  EXPECT_EQ(inPlace, x);
  other->factor(0, {});
  EXPECT_EQ(solved(*other, b), x);
}

TEST_P(EachSolver, AllocatesNothingAfterConstruction) {
  Random random(38);
  const Pattern pattern = ringPattern();
  const Eigen::MatrixXd a = randomMatrix(size_, pattern, random);
  const auto solver = make(size_, pattern);
  fill(*solver, a);
  const Eigen::VectorXd b = randomVector(size_, random);
  Eigen::VectorXd x(size_);
  const std::span<const double> rhs(b.data(), size_t(size_));
  const std::span<double> result(x.data(), size_t(size_));
  const long before = allocationCount();
  ASSERT_GT(before, 0);
  for (int k = 0; k < 3; ++k) {
    solver->factor(0.1 * k, k == 1 ? rhs : std::span<const double>());
    solver->solve(rhs, result);
    solver->multiply(rhs, result);
  }
  EXPECT_EQ(allocationCount(), before);
}

TEST_P(EachSolver, AnEmptySystemIsSolved) {
  const auto solver = make(0, {});
  EXPECT_EQ(solver->size(), 0);
  EXPECT_EQ(solver->trash(), 0);
  const Factorization outcome = solver->factor(1, {});
  EXPECT_TRUE(outcome.ok);
  EXPECT_EQ(outcome.lowestPivotRatio, 1);
  solver->solve({}, {});
}

INSTANTIATE_TEST_SUITE_P(LinearSolver, EachSolver, ::testing::Values(&makeBandSolver, &makeSparseSolver),
                         [](const auto& info) { return info.param == &makeBandSolver ? "band" : "sparse"; });

TEST(LinearSolver, ChoosesByStructure) {
  Random random(41);
  EXPECT_STREQ(makeLinearSolver(800, bandPattern(800, 10))->kind(), "band");
  EXPECT_STREQ(makeLinearSolver(800, bandPattern(800, 11))->kind(), "band");
  EXPECT_STREQ(makeLinearSolver(800, bandPattern(800, 10, true))->kind(), "band");
  EXPECT_STREQ(makeLinearSolver(3 * 400, networkPattern(gridEdges(20), 3))->kind(), "sparse");
  EXPECT_STREQ(makeLinearSolver(4 * 300, networkPattern(treeEdges(300, random), 4))->kind(), "sparse");
}

TEST(LinearSolver, RefusesAPatternOutsideTheMatrix) {
  EXPECT_THROW(makeLinearSolver(5, Pattern{{0, 5}}), std::out_of_range);
}

TEST(LinearSolver, BothKindsAgree) {
  Random random(42);
  const int size = 120;
  const Pattern pattern = networkPattern(treeEdges(30, random), 4);
  const Eigen::MatrixXd a = randomMatrix(size, pattern, random);
  const auto band = makeBandSolver(size, pattern), sparse = makeSparseSolver(size, pattern);
  const Eigen::VectorXd b = randomVector(size, random);
  for (LinearSolver* solver : {band.get(), sparse.get()}) {
    fill(*solver, a);
    ASSERT_TRUE(solver->factor(0, {}).ok);
  }
  EXPECT_LT((solved(*band, b) - solved(*sparse, b)).norm(), 1e-13 * b.norm());
}

}  // namespace linear_solver_test
}  // namespace tendril::solve
