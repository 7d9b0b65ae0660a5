// The implicit integrators on a pendulum: orders of convergence, variable steps of BDF2, energy of midpoint.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/solve/small_system.h"
#include "solve/time_scheme.h"

namespace tendril::solve {
namespace time_scheme_test {

using test::SmallSystem;

SmallSystem pendulum() {
  SmallSystem s(1);
  s.potential = [](const VectorX& q) { return 1 - std::cos(q[0]); };
  s.gradient = [](const VectorX& q) { return VectorX::Constant(1, std::sin(q[0])); };
  s.hessian = [](const VectorX& q) { return Eigen::MatrixXd::Constant(1, 1, std::cos(q[0])); };
  return s;
}

// Angle and speed at t = 3 from rest at 2 rad, by many small Runge-Kutta steps.
std::pair<double, double> exact() {
  double q = 2, v = 0;
  const int n = 20000;
  const double h = 3.0 / n;
  for (int i = 0; i < n; ++i) {
    const double v1 = v, a1 = -std::sin(q);
    const double v2 = v + 0.5 * h * a1, a2 = -std::sin(q + 0.5 * h * v1);
    const double v3 = v + 0.5 * h * a2, a3 = -std::sin(q + 0.5 * h * v2);
    const double v4 = v + h * a3, a4 = -std::sin(q + h * v3);
    q += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return {q, v};
}

History swing(ImplicitScheme scheme, const std::vector<double>& steps) {
  SmallSystem system = pendulum();
  Newton newton;
  NewtonSettings settings;
  settings.tolerance = 1e-13;
  History h;
  h.q = VectorX::Constant(1, 2), h.v = VectorX::Constant(1, 0);
  h.qBefore = h.vBefore = VectorX::Zero(1);
  h.a = h.auxiliary = VectorX::Constant(1, -std::sin(2.0));
  VectorX q, v;
  for (const double dt : steps) {
    TimeStep step;
    prepareStep(scheme, h, dt, step);
    VectorX x = step.guess;
    EXPECT_TRUE(newton.solve(system, step.kinematics, settings, x).converged);
    finishStep(step, h, x, q, v);
    VectorX a, auxiliary;
    if (scheme == ImplicitScheme::generalizedAlpha) {
      finishAcceleration(step, h, x, a, auxiliary);
      EXPECT_NEAR(a[0], -std::sin(q[0]), 1e-10);  // balance at the step's end
      h.a = a, h.auxiliary = auxiliary;
    }
    h.qBefore = h.q, h.vBefore = h.v, h.dtBefore = dt;
    h.q = q, h.v = v;
  }
  return h;
}

double error(ImplicitScheme scheme, const std::vector<double>& steps) {
  const auto [q, v] = exact();
  const History h = swing(scheme, steps);
  return std::hypot(h.q[0] - q, h.v[0] - v);
}

std::vector<double> equal(int n) { return std::vector<double>(static_cast<std::size_t>(n), 3.0 / n); }

// Steps that grow and shrink by up to 2.2, below the limit of stability.
std::vector<double> uneven(int n) {
  std::vector<double> steps;
  double total = 0;
  for (int i = 0; i < n; ++i) {
    steps.push_back(1 + 0.375 * std::sin(2.1 * i));
    total += steps.back();
  }
  for (double& s : steps) s *= 3 / total;
  return steps;
}

double order(ImplicitScheme scheme, std::vector<double> (*steps)(int)) {
  return std::log2(error(scheme, steps(200)) / error(scheme, steps(400)));
}

TEST(TimeScheme, EulerConvergesWithOrderOne) { EXPECT_NEAR(order(ImplicitScheme::euler, equal), 1, 0.1); }
TEST(TimeScheme, MidpointConvergesWithOrderTwo) { EXPECT_NEAR(order(ImplicitScheme::midpoint, equal), 2, 0.1); }
TEST(TimeScheme, Bdf2ConvergesWithOrderTwo) { EXPECT_NEAR(order(ImplicitScheme::bdf2, equal), 2, 0.1); }
TEST(TimeScheme, GeneralizedAlphaConvergesWithOrderTwo) {
  EXPECT_NEAR(order(ImplicitScheme::generalizedAlpha, equal), 2, 0.1);
}
TEST(TimeScheme, Bdf2KeepsOrderTwoOnUnevenSteps) { EXPECT_NEAR(order(ImplicitScheme::bdf2, uneven), 2, 0.1); }
TEST(TimeScheme, MidpointKeepsOrderTwoOnUnevenSteps) { EXPECT_NEAR(order(ImplicitScheme::midpoint, uneven), 2, 0.1); }

TEST(TimeScheme, MidpointSwingsForEverAndEulerDoesNot) {
  const std::vector<double> steps(4000, 0.05);
  const auto energy = [](const History& h) { return 0.5 * h.v[0] * h.v[0] + 1 - std::cos(h.q[0]); };
  const double start = 1 - std::cos(2.0);
  EXPECT_NEAR(energy(swing(ImplicitScheme::midpoint, steps)), start, 2e-3 * start);
  EXPECT_LT(energy(swing(ImplicitScheme::euler, steps)), 0.1 * start);
}

// An oscillator far faster than the steps loses its amplitude by the spectral radius at infinity in each.
TEST(TimeScheme, GeneralizedAlphaDampsWhatStepsCannotResolve) {
  for (const double rho : {0.9, 0.5}) {
    SmallSystem spring(1);
    const double k = 1e12;
    spring.potential = [k](const VectorX& q) { return 0.5 * k * q[0] * q[0]; };
    spring.gradient = [k](const VectorX& q) { return VectorX::Constant(1, k * q[0]); };
    spring.hessian = [k](const VectorX&) { return Eigen::MatrixXd::Constant(1, 1, k); };
    History h;
    h.q = VectorX::Constant(1, 1), h.v = VectorX::Zero(1), h.qBefore = h.vBefore = h.v;
    h.a = h.auxiliary = VectorX::Constant(1, -k);
    Newton newton;
    NewtonSettings settings;
    VectorX q, v, a, auxiliary;
    double first = 0;
    for (int i = 0; i < 60; ++i) {
      TimeStep step;
      prepareStep(ImplicitScheme::generalizedAlpha, h, 1.0, step, rho);
      VectorX x = step.guess;
      ASSERT_TRUE(newton.solve(spring, step.kinematics, settings, x).converged);
      finishStep(step, h, x, q, v);
      finishAcceleration(step, h, x, a, auxiliary);
      h.q = q, h.v = v, h.a = a, h.auxiliary = auxiliary;
      if (i == 19) first = std::abs(h.auxiliary[0]);
    }
    // Double roots: amplitude grows by a polynomial on top of rho^n, hence the logarithm per step.
    EXPECT_NEAR(std::pow(std::abs(h.auxiliary[0]) / first, 1.0 / 40), rho, 0.06 * rho);
  }
}

// A step 2.4 times the last, or longer, would be unstable: BDF2 starts again with Euler there.
TEST(TimeScheme, Bdf2StartsAgainWhereStepsGrowTooFast) {
  const History h = swing(ImplicitScheme::bdf2, {0.01, 0.01});
  TimeStep grown, steady;
  prepareStep(ImplicitScheme::bdf2, h, 0.0241, grown);
  prepareStep(ImplicitScheme::bdf2, h, 0.0239, steady);
  EXPECT_DOUBLE_EQ(grown.kinematics.rates.v, 1 / 0.0241);
  EXPECT_GT(steady.kinematics.rates.v, 1.5 / 0.0239);
  EXPECT_NEAR(steady.weight0 + steady.weight1, 1, 1e-14);  // a constant strain has no rate
}

}  // namespace time_scheme_test
}  // namespace tendril::solve
