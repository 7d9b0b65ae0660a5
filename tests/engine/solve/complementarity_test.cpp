// Lemke's pivoting on random problems that have a solution, degenerate ones and one without any; the bounded program's
// conditions of optimality.
#include "solve/programs/complementarity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "geometry/random.h"
#include "solve/programs/bounded_program.h"

namespace complementarity_test {

using namespace tendril;

/// Largest violation of z >= 0, w >= 0 and z w = 0.
double violation(solve::Complementarity& problem, int n) {
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    double w = problem.q(i);
    for (int j = 0; j < n; ++j) w += problem.m(i, j) * problem.z()[j];
    worst = std::max({worst, -w, -problem.z()[i], std::min(std::fabs(w), problem.z()[i])});
  }
  return worst;
}

TEST(Complementarity, PositiveDefiniteProblemsAreSolved) {
  geometry::SplitMix source(31);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + trial % 12;
    solve::Complementarity problem;
    problem.resize(n);
    for (int i = 0; i < n; ++i) {
      problem.q(i) = source.uniform(-1, 1);
      for (int j = 0; j < n; ++j) problem.m(i, j) = i == j ? n : source.uniform(-1, 1);  // not symmetric
    }
    ASSERT_TRUE(problem.solve());
    EXPECT_LT(violation(problem, n), 1e-12);
  }
}

TEST(Complementarity, DegenerateProblemsDoNotCycle) {
  geometry::SplitMix source(32);
  for (int trial = 0; trial < 100; ++trial) {
    const int n = 9;
    solve::Complementarity problem;
    problem.resize(n);
    // M = B B^T of rank 4 and q in its range from z >= 0, most of it zero.
    double b[9][4], z[9];
    for (auto& row : b)
      for (double& value : row) value = std::round(source.uniform(-2, 2));
    for (double& value : z) value = std::max(0.0, std::round(source.uniform(-2, 2)));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < 4; ++k) problem.m(i, j) += b[i][k] * b[j][k];
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) problem.q(i) -= problem.m(i, j) * z[j];
    ASSERT_TRUE(problem.solve()) << trial;
    EXPECT_LT(violation(problem, n), 1e-9);
  }
}

TEST(Complementarity, AProblemWithoutSolutionEndsInARay) {
  solve::Complementarity problem;
  problem.resize(1);
  problem.m(0, 0) = -1, problem.q(0) = -1;  // w = -z - 1
  EXPECT_FALSE(problem.solve());
}

TEST(BoundedProgram, BoundsAreMetAndSlopesPushAgainstThem) {
  geometry::SplitMix source(33);
  int atLow = 0, atHigh = 0, between = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 1 + trial % 15, rank = 1 + trial % 7;
    solve::BoundedProgram program;
    double b[15][7];
    for (auto& row : b)
      for (double& value : row) value = source.uniform(-1, 1);
    for (int i = 0; i < n; ++i) program.add(source.uniform(-1, 1), -source.uniform(0, 1), source.uniform(0, 1), 1);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) {
        double s = 0;
        for (int k = 0; k < rank; ++k) s += b[i][k] * b[j][k];
        program.setS(i, j, s);
      }
      program.x[i] = source.uniform(-1, 1);
    }
    ASSERT_EQ(program.solve(), solve::BoundedProgram::Outcome::solved) << trial;
    for (int i = 0; i < n; ++i) {
      EXPECT_GE(program.x[i], program.low[i]);
      EXPECT_LE(program.x[i], program.high[i]);
      if (program.x[i] == program.low[i]) {
        EXPECT_GE(program.slope(i), -1e-11);
        ++atLow;
      } else if (program.x[i] == program.high[i]) {
        EXPECT_LE(program.slope(i), 1e-11);
        ++atHigh;
      } else {
        EXPECT_NEAR(program.slope(i), 0, 1e-10);
        ++between;
      }
    }
  }
  EXPECT_GT(atLow, 300);
  EXPECT_GT(atHigh, 300);
  EXPECT_GT(between, 300);
}

TEST(BoundedProgram, TellsWhatGrowsForEver) {
  solve::BoundedProgram program;
  const double infinity = std::numeric_limits<double>::infinity();
  program.add(-1, 0, infinity, 1);
  program.add(0.5, 0, infinity, 1);
  program.setS(0, 0, 1), program.setS(1, 1, 1), program.setS(0, 1, -1);  // S (1, 1) = 0 and g . (1, 1) < 0
  ASSERT_EQ(program.solve(), solve::BoundedProgram::Outcome::unbounded);
  EXPECT_NEAR(program.direction()[0], program.direction()[1], 1e-12);
  EXPECT_GT(program.direction()[0], 0);
  program.gradient[1] = 1;  // now nothing is gained along it
  EXPECT_EQ(program.solve(), solve::BoundedProgram::Outcome::solved);
}

}  // namespace complementarity_test
