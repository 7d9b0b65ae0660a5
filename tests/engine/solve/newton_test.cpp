// The Newton loop on small problems: quadratic convergence, shifts past negative curvature, the line search, the stop
// rule, and what it reports when it fails.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/solve/small_system.h"
#include "solve/newton.h"

namespace tendril::solve {
namespace newton_test {

using test::SmallSystem;

Kinematics still(int n) {
  Kinematics k;
  k.base = k.v0 = k.a0 = VectorX::Zero(n);
  return k;
}

SmallSystem quadratic() {
  SmallSystem s(2);
  s.potential = [](const VectorX& q) { return q[0] * q[0] + 2 * q[1] * q[1] + q[0] * q[1] - 3 * q[0]; };
  s.gradient = [](const VectorX& q) { return VectorX{{2 * q[0] + q[1] - 3, 4 * q[1] + q[0]}}; };
  s.hessian = [](const VectorX&) { return Eigen::MatrixXd{{2, 1}, {1, 4}}; };
  return s;
}

// U = (q^2 - 1)^2 / 4: minima at -1 and 1, a maximum between.
SmallSystem doubleWell() {
  SmallSystem s(1);
  s.potential = [](const VectorX& q) { return 0.25 * std::pow(q[0] * q[0] - 1, 2); };
  s.gradient = [](const VectorX& q) { return VectorX::Constant(1, q[0] * (q[0] * q[0] - 1)); };
  s.hessian = [](const VectorX& q) { return Eigen::MatrixXd::Constant(1, 1, 3 * q[0] * q[0] - 1); };
  return s;
}

// U = sqrt(1 + q^2): a full Newton step overshoots and diverges from |q| > 1.
SmallSystem hyperbola() {
  SmallSystem s(1);
  s.potential = [](const VectorX& q) { return std::sqrt(1 + q[0] * q[0]); };
  s.gradient = [](const VectorX& q) { return VectorX::Constant(1, q[0] / std::sqrt(1 + q[0] * q[0])); };
  s.hessian = [](const VectorX& q) { return Eigen::MatrixXd::Constant(1, 1, std::pow(1 + q[0] * q[0], -1.5)); };
  return s;
}

// One more sees at rest that nothing is left to move.
TEST(Newton, SolvesAQuadraticProblemInOneIteration) {
  SmallSystem s = quadratic();
  VectorX x = VectorX{{5, -7}};
  const NewtonReport report = Newton().solve(s, still(2), {}, x);
  EXPECT_TRUE(report.converged) << report.reason;
  EXPECT_EQ(report.iterations, 2);
  EXPECT_NEAR(x[0], 12.0 / 7, 1e-12);
  EXPECT_NEAR(x[1], -3.0 / 7, 1e-12);
  EXPECT_EQ(report.negativePivots, 0);
  EXPECT_GT(report.lowestPivotRatio, 0.5);
}

TEST(Newton, LeavesAMaximumByAShift) {
  SmallSystem s = doubleWell();
  VectorX x = VectorX::Constant(1, 0.1);
  const NewtonReport report = Newton().solve(s, still(1), {}, x);
  EXPECT_TRUE(report.converged) << report.reason;
  EXPECT_NEAR(x[0], 1, 1e-8);  // a minimum, not the stationary point at 0 that lies nearer
  EXPECT_GT(s.factorizations, report.iterations);
}

TEST(Newton, LineSearchTamesAnOvershoot) {
  SmallSystem s = hyperbola();
  VectorX x = VectorX::Constant(1, 3);
  NewtonSettings settings;
  EXPECT_TRUE(Newton().solve(s, still(1), settings, x).converged);
  EXPECT_NEAR(x[0], 0, 1e-7);

  settings.lineSearch = false;
  x = VectorX::Constant(1, 3);
  const NewtonReport report = Newton().solve(s, still(1), settings, x);
  EXPECT_FALSE(report.converged);
  EXPECT_FALSE(report.reason.empty());
}

TEST(Newton, WithoutAPotentialTheResidualDecides) {
  // A rotation field: no potential, negative pivots are no failure.
  SmallSystem s(2);
  s.gradient = [](const VectorX& q) {
    return VectorX{{-q[0] + 2 * q[1] + q[1] * q[1] * q[1] - 1, -2 * q[0] - q[1] + 0.5}};
  };
  s.hessian = [](const VectorX& q) { return Eigen::MatrixXd{{-1, 2 + 3 * q[1] * q[1]}, {-2, -1}}; };
  VectorX x = VectorX{{2, 3}};
  const NewtonReport report = Newton().solve(s, still(2), {}, x);
  EXPECT_TRUE(report.converged) << report.reason;
  EXPECT_LT(s.gradient(x).norm(), 1e-7);
}

TEST(Newton, ATighterToleranceGivesASmallerResidual) {
  double before = 1;
  for (double tolerance : {1e-2, 1e-5, 1e-10}) {
    SmallSystem s = doubleWell();
    VectorX x = VectorX::Constant(1, 3);
    NewtonSettings settings;
    settings.tolerance = tolerance;
    EXPECT_TRUE(Newton().solve(s, still(1), settings, x).converged);
    const double residual = s.gradient(x).norm();
    EXPECT_LT(residual, before);
    before = residual;
  }
}

TEST(Newton, SaysWhyItGivesUp) {
  SmallSystem s = doubleWell();
  VectorX x = VectorX::Constant(1, 1000);
  NewtonSettings settings;
  settings.iterations = 3;
  const NewtonReport report = Newton().solve(s, still(1), settings, x);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_NE(report.reason.find("3 iterations"), std::string::npos) << report.reason;
}

TEST(Newton, StopsWhenAsked) {
  SmallSystem s = doubleWell();
  VectorX x = VectorX::Constant(1, 1000);
  NewtonSettings settings;
  int asked = 0;
  settings.keepGoing = [&] { return ++asked < 3; };
  const NewtonReport report = Newton().solve(s, still(1), settings, x);
  EXPECT_TRUE(report.stopped);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 2);
}

TEST(Newton, ForcesThatAreNotFiniteAreNoSolution) {
  SmallSystem s = quadratic();
  s.gradient = [](const VectorX&) { return VectorX{{std::nan(""), 0.0}}; };
  VectorX x = VectorX::Zero(2);
  const NewtonReport report = Newton().solve(s, still(2), {}, x);
  EXPECT_FALSE(report.converged);
  EXPECT_NE(report.reason.find("finite"), std::string::npos) << report.reason;
}

/// Solves its tangent only as accurately as it is asked to.
class InexactSystem : public SmallSystem {
 public:
  using SmallSystem::SmallSystem;
  bool approximate(const VectorX& rhs, double accuracy, VectorX& x) override {
    ++approximations;
    if (!positive) return false;
    SmallSystem::factor(0);
    --factorizations;
    VectorX wrong = VectorX::Ones(rhs.size());
    solve(rhs + (0.9 * accuracy * rhs.norm() / wrong.norm()) * wrong, x);
    return true;
  }
  void forget() override { ++forgotten; }
  bool positive = true;
  int approximations = 0, forgotten = 0;
};

InexactSystem bowl() {
  InexactSystem s(2);
  s.potential = [](const VectorX& q) { return std::cosh(q[0] - 1) + std::cosh(q[1]) + 0.1 * q[0] * q[1]; };
  s.gradient = [](const VectorX& q) {
    return VectorX{{std::sinh(q[0] - 1) + 0.1 * q[1], std::sinh(q[1]) + 0.1 * q[0]}};
  };
  s.hessian = [](const VectorX& q) { return Eigen::MatrixXd{{std::cosh(q[0] - 1), 0.1}, {0.1, std::cosh(q[1])}}; };
  return s;
}

TEST(Newton, ApproximateStepsCostNoIterations) {
  VectorX exact = VectorX{{2.5, -1.5}}, inexact = exact;
  InexactSystem plain = bowl(), spared = bowl();
  NewtonSettings settings;
  const NewtonReport expected = Newton().solve(plain, still(2), settings, exact);
  EXPECT_EQ(plain.approximations, 0);  // pivots are wanted unless the settings say otherwise
  settings.pivots = false;
  const NewtonReport report = Newton().solve(spared, still(2), settings, inexact);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, expected.iterations);
  EXPECT_EQ(spared.factorizations, 0);
  EXPECT_EQ(spared.forgotten, 1);
  EXPECT_LT(spared.gradient(inexact).norm(), 1e-8);
}

TEST(Newton, FactorsWhereNoApproximationIsToBeHad) {
  VectorX x = VectorX{{2.5, -1.5}};
  InexactSystem s = bowl();
  s.positive = false;
  NewtonSettings settings;
  settings.pivots = false;
  const NewtonReport report = Newton().solve(s, still(2), settings, x);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(s.factorizations, report.iterations);
  EXPECT_EQ(s.approximations, report.iterations);
  EXPECT_GT(report.lowestPivotRatio, 0.5);
}

}  // namespace newton_test
}  // namespace tendril::solve
