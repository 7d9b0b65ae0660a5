// Minima within bounds and under constraints against problems whose answers are known: Rosenbrock's, and those of Hock
// and Schittkowski 1981 (HS) by their numbers.
#include "fit/sqp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "fit/generator.h"
#include "fit/penalty_step.h"

namespace tendril::test {
namespace sqp_test {

using Eigen::MatrixXd, Eigen::VectorXd;
constexpr double infinite = std::numeric_limits<double>::infinity();

VectorXd vector(std::initializer_list<double> values) {
  VectorXd out(Eigen::Index(values.size()));
  std::copy(values.begin(), values.end(), out.begin());
  return out;
}

/// A problem from functions of x; its derivatives by complex steps would need complex functions, so they are given.
class Given : public fit::ConstrainedProblem {
 public:
  using Fill = std::function<void(const VectorXd& x, fit::ObjectiveValues& out)>;
  Given(Eigen::Index n, Eigen::Index m, Fill fill) : fill_(std::move(fill)) {
    options.constraintLower = VectorXd::Constant(m, -infinite);
    options.constraintUpper = VectorXd::Constant(m, infinite);
    options.noise = 1e-14;  // these functions are exact
    options.lower = VectorXd::Constant(n, -10), options.upper = VectorXd::Constant(n, 10);
  }
  bool evaluate(const VectorXd& x, fit::ObjectiveValues& out, bool) override {
    EXPECT_TRUE((x.array() >= options.lower.array()).all() && (x.array() <= options.upper.array()).all());
    if (refuse && refuse(x)) return false;
    const Eigen::Index n = x.size(), m = options.constraintLower.size();
    out.gradient = VectorXd::Zero(n), out.constraints = VectorXd::Zero(m), out.jacobian = MatrixXd::Zero(m, n);
    fill_(x, out);
    return true;
  }
  std::string why() const override { return "refused"; }
  fit::SqpResult minimum(const VectorXd& start) { return fit::minimize(*this, start, options); }

  fit::SqpOptions options;
  std::function<bool(const VectorXd&)> refuse;

 private:
  Fill fill_;
};

void expectNear(const VectorXd& found, const VectorXd& wanted, double tolerance) {
  ASSERT_EQ(found.size(), wanted.size());
  EXPECT_LT((found - wanted).lpNorm<Eigen::Infinity>(), tolerance) << found.transpose();
}

Given rosenbrock() {
  return {2, 0, [](const VectorXd& x, fit::ObjectiveValues& out) {
            const double a = x[1] - x[0] * x[0], b = 1 - x[0];
            out.objective = 100 * a * a + b * b;
            out.gradient << -400 * a * x[0] - 2 * b, 200 * a;
          }};
}

Given hs71() {
  Given out(4, 2, [](const VectorXd& x, fit::ObjectiveValues& v) {
    const double sum = x[0] + x[1] + x[2];
    v.objective = x[0] * x[3] * sum + x[2];
    v.gradient << x[3] * (sum + x[0]), x[0] * x[3], x[0] * x[3] + 1, x[0] * sum;
    v.constraints << x.prod(), x.squaredNorm();
    v.jacobian << x[1] * x[2] * x[3], x[0] * x[2] * x[3], x[0] * x[1] * x[3], x[0] * x[1] * x[2],  //
        2 * x[0], 2 * x[1], 2 * x[2], 2 * x[3];
  });
  out.options.lower = VectorXd::Constant(4, 1), out.options.upper = VectorXd::Constant(4, 5);
  out.options.constraintLower << 25, 40;
  out.options.constraintUpper << infinite, 40;
  return out;
}

TEST(Sqp, FindsTheEndOfRosenbrocksValley) {
  Given problem = rosenbrock();
  const fit::SqpResult found = problem.minimum(vector({-1.2, 1}));
  EXPECT_TRUE(fit::converged(found.stop)) << fit::wordsOf(found.stop);
  expectNear(found.x, vector({1, 1}), 1e-4);
  EXPECT_LT(found.iterations, 120);
}

// At x = 0.5 the best y is 0.25; the slope there is that of b^2, -2 (1 - 0.5).
TEST(Sqp, StopsAtAnActiveBoundWithItsMultiplier) {
  Given problem = rosenbrock();
  problem.options.upper[0] = 0.5;
  const fit::SqpResult found = problem.minimum(vector({-1.2, 1}));
  EXPECT_TRUE(fit::converged(found.stop)) << fit::wordsOf(found.stop);
  EXPECT_EQ(found.x[0], 0.5);
  EXPECT_NEAR(found.x[1], 0.25, 1e-5);
  EXPECT_NEAR(found.optimality.boundMultipliers[0], 1, 1e-2);
  EXPECT_EQ(found.optimality.boundMultipliers[1], 0);
}

TEST(Sqp, MeetsAnEquationFromFarOutside) {
  Given hs6(2, 1, [](const VectorXd& x, fit::ObjectiveValues& v) {
    v.objective = std::pow(1 - x[0], 2);
    v.gradient << -2 * (1 - x[0]), 0;
    v.constraints << 10 * (x[1] - x[0] * x[0]);
    v.jacobian << -20 * x[0], 10;
  });
  hs6.options.constraintLower << 0;
  hs6.options.constraintUpper << 0;
  const fit::SqpResult found = hs6.minimum(vector({-1.2, 1}));
  EXPECT_TRUE(fit::converged(found.stop)) << fit::wordsOf(found.stop);
  expectNear(found.x, vector({1, 1}), 1e-4);
}

TEST(Sqp, FollowsACurvedEquation) {
  Given hs7(2, 1, [](const VectorXd& x, fit::ObjectiveValues& v) {
    v.objective = std::log(1 + x[0] * x[0]) - x[1];
    v.gradient << 2 * x[0] / (1 + x[0] * x[0]), -1;
    v.constraints << std::pow(1 + x[0] * x[0], 2) + x[1] * x[1];
    v.jacobian << 4 * x[0] * (1 + x[0] * x[0]), 2 * x[1];
  });
  hs7.options.constraintLower << 4;
  hs7.options.constraintUpper << 4;
  const fit::SqpResult found = hs7.minimum(vector({2, 2}));
  EXPECT_TRUE(fit::converged(found.stop)) << fit::wordsOf(found.stop);
  expectNear(found.x, vector({0, std::sqrt(3.0)}), 1e-4);
  EXPECT_NEAR(found.values.objective, -std::sqrt(3.0), 1e-7);
  EXPECT_NEAR(found.optimality.multipliers[0], 0.5 / std::sqrt(3.0), 1e-4);
}

// The published minimum, an inequality and an equation that are active, and a bound; multipliers say how the minimum
// changes with what was asked for.
TEST(Sqp, FindsThePublishedMinimumWithMultipliersThatForetellOthers) {
  Given problem = hs71();
  const fit::SqpResult found = problem.minimum(vector({1, 5, 5, 1}));
  EXPECT_EQ(found.stop, fit::Stop::stationary) << fit::wordsOf(found.stop);
  expectNear(found.x, vector({1, 4.7429994, 3.8211503, 1.3794082}), 1e-5);
  EXPECT_EQ(found.x[0], 1);
  EXPECT_NEAR(found.values.objective, 17.0140173, 1e-6);
  EXPECT_LT(found.optimality.stationarity, 1e-6);
  EXPECT_LT(found.optimality.violation, 1e-8);
  for (const Eigen::Index i : {0, 1}) {
    SCOPED_TRACE(i);
    double at[2];
    for (const int side : {0, 1}) {
      Given other = hs71();
      const double shift = side == 0 ? -1e-2 : 1e-2;
      other.options.constraintLower[i] += shift, other.options.constraintUpper[i] += shift;
      at[side] = other.minimum(found.x).values.objective;
    }
    EXPECT_NEAR(-(at[1] - at[0]) / 2e-2, found.optimality.multipliers[i], 1e-4);
  }
  Given other = hs71();
  other.options.lower[0] = 1 + 1e-3;
  const double risen = other.minimum(found.x).values.objective - found.values.objective;
  EXPECT_NEAR(-risen / 1e-3, found.optimality.boundMultipliers[0], 1e-2);
}

// HS43 (Rosen and Suzuki): three inequalities, of which two are active.
TEST(Sqp, TellsActiveInequalitiesFromOthers) {
  Given hs43(4, 3, [](const VectorXd& x, fit::ObjectiveValues& v) {
    v.objective =
        x[0] * x[0] + x[1] * x[1] + 2 * x[2] * x[2] + x[3] * x[3] - 5 * x[0] - 5 * x[1] - 21 * x[2] + 7 * x[3];
    v.gradient << 2 * x[0] - 5, 2 * x[1] - 5, 4 * x[2] - 21, 2 * x[3] + 7;
    v.constraints << x.squaredNorm() + x[0] - x[1] + x[2] - x[3],
        x[0] * x[0] + 2 * x[1] * x[1] + x[2] * x[2] + 2 * x[3] * x[3] - x[0] - x[3],
        2 * x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + 2 * x[0] - x[1] - x[3];
    v.jacobian << 2 * x[0] + 1, 2 * x[1] - 1, 2 * x[2] + 1, 2 * x[3] - 1,  //
        2 * x[0] - 1, 4 * x[1], 2 * x[2], 4 * x[3] - 1,                    //
        4 * x[0] + 2, 2 * x[1] - 1, 2 * x[2], -1;
  });
  hs43.options.constraintUpper << 8, 10, 5;
  const fit::SqpResult found = hs43.minimum(VectorXd::Zero(4));
  EXPECT_EQ(found.stop, fit::Stop::stationary) << fit::wordsOf(found.stop);
  expectNear(found.x, vector({0, 1, 2, -1}), 1e-4);
  EXPECT_NEAR(found.values.objective, -44, 1e-6);
  expectNear(found.optimality.multipliers, vector({1, 0, 2}), 1e-3);
}

// What is asked in other units of x, of the objective and of a constraint is found by the same steps.
TEST(Sqp, DoesNotDependOnUnits) {
  Given plain = hs71();
  const fit::SqpResult a = plain.minimum(vector({1, 5, 5, 1}));
  const double ofX = 1024, ofF = std::ldexp(1, -20), ofC = std::ldexp(1, 30);  // without round-off
  Given inner = hs71();
  Given other(4, 2, [&](const VectorXd& x, fit::ObjectiveValues& v) {
    fit::ObjectiveValues from;
    inner.evaluate(x / ofX, from, true);
    v.objective = ofF * from.objective, v.gradient = ofF / ofX * from.gradient;
    v.constraints = from.constraints, v.jacobian = from.jacobian / ofX;
    v.constraints[0] *= ofC, v.jacobian.row(0) *= ofC;
  });
  other.options = plain.options;
  other.options.lower *= ofX, other.options.upper *= ofX;
  other.options.constraintLower[0] *= ofC;
  const fit::SqpResult b = other.minimum(ofX * vector({1, 5, 5, 1}));
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.trials, b.trials);
  expectNear(b.x / ofX, a.x, 1e-12);
  EXPECT_NEAR(b.optimality.multipliers[0] * ofC / ofF, a.optimality.multipliers[0], 1e-9);
}

TEST(Sqp, SaysThatConstraintsContradictEachOther) {
  Given problem(2, 2, [](const VectorXd& x, fit::ObjectiveValues& v) {
    v.objective = x[0], v.gradient << 1, 0;
    v.constraints << x.squaredNorm(), x[0] + x[1];
    v.jacobian << 2 * x[0], 2 * x[1], 1, 1;
  });
  problem.options.constraintUpper << 1, infinite;  // the unit circle, of which x + y = 3 is no part
  problem.options.constraintLower << -infinite, 3;
  const fit::SqpResult found = problem.minimum(vector({-3, 2}));
  EXPECT_EQ(found.stop, fit::Stop::infeasible) << fit::wordsOf(found.stop);
  EXPECT_FALSE(fit::converged(found.stop));
  EXPECT_GT(found.optimality.violation, 1e-3);
}

TEST(Sqp, SaysThatBoundsKeepAConstraintFromBeingMet) {
  Given problem(1, 1, [](const VectorXd& x, fit::ObjectiveValues& v) {
    v.objective = x[0], v.gradient << 1;
    v.constraints << x[0], v.jacobian << 1;
  });
  problem.options.constraintLower << 11;  // x <= 10
  const fit::SqpResult found = problem.minimum(vector({0}));
  EXPECT_EQ(found.stop, fit::Stop::infeasible) << fit::wordsOf(found.stop);
  EXPECT_EQ(found.x[0], 10);
}

// A start that misses a limit by next to nothing, with a multiplier that is more than the first penalty.
TEST(Sqp, MeetsALimitThatTheStartMissesByLittle) {
  Given problem(2, 1, [](const VectorXd& x, fit::ObjectiveValues& v) {
    v.objective = 30 * x[0] + (x[1] - 2) * (x[1] - 2), v.gradient << 30, 2 * (x[1] - 2);
    v.constraints << x[0], v.jacobian << 1, 0;
  });
  problem.options.constraintLower << 1;
  for (const double miss : {1e-8, 1e-7, 1e-6, 1e-5, 1e-3}) {
    const fit::SqpResult found = problem.minimum(vector({1 - 20 * miss, 0}));
    EXPECT_TRUE(fit::converged(found.stop)) << miss << ": " << fit::wordsOf(found.stop);
    EXPECT_NEAR(found.x[0], 1, 1e-6) << miss;
    EXPECT_NEAR(found.x[1], 2, 1e-5) << miss;
  }
}

// At (0, 1) on a circle the tangent leads outside: without correction full steps would be refused (Maratos 1978).
TEST(Sqp, CorrectsStepsThatConstraintsBendAway) {
  Given problem(2, 1, [](const VectorXd& x, fit::ObjectiveValues& v) {
    v.objective = 2 * (x.squaredNorm() - 1) - x[0];
    v.gradient << 4 * x[0] - 1, 4 * x[1];
    v.constraints << x.squaredNorm();
    v.jacobian << 2 * x[0], 2 * x[1];
  });
  problem.options.constraintLower << 1;
  problem.options.constraintUpper << 1;
  const fit::SqpResult found = problem.minimum(vector({0.8, 0.6}));
  EXPECT_EQ(found.stop, fit::Stop::stationary) << fit::wordsOf(found.stop);
  expectNear(found.x, vector({1, 0}), 1e-4);
  EXPECT_NEAR(found.optimality.multipliers[0], -1.5, 1e-4);
  EXPECT_LT(found.iterations, 20);
}

TEST(Sqp, ShortensStepsToWhereThereAreValues) {
  Given problem = rosenbrock();
  problem.refuse = [](const VectorXd& x) { return x[1] > 1.3 || x[0] > 1.2; };
  const fit::SqpResult found = problem.minimum(vector({-1.2, 1}));
  EXPECT_TRUE(fit::converged(found.stop)) << fit::wordsOf(found.stop);
  expectNear(found.x, vector({1, 1}), 1e-4);
  EXPECT_GT(found.gaveUp, 0);
  problem.refuse = [](const VectorXd&) { return true; };
  const fit::SqpResult none = problem.minimum(vector({-1.2, 1}));
  EXPECT_EQ(none.stop, fit::Stop::noStart);
  EXPECT_EQ(none.reason, "refused");
}

TEST(Sqp, StopsWithTheBestSoFarWhenAsked) {
  Given problem = rosenbrock();
  problem.options.goOn = [](const fit::SqpState& state) { return state.trials < 10; };
  const fit::SqpResult found = problem.minimum(vector({-1.2, 1}));
  EXPECT_EQ(found.stop, fit::Stop::asked);
  EXPECT_EQ(found.trials, 10);
  ASSERT_GT(found.history.size(), 1U);
  EXPECT_EQ(found.history.back().objective, found.values.objective);
  EXPECT_LT(found.values.objective, found.history.front().objective);
}

// Chained Rosenbrock in 40 dimensions: beyond some tens of unknowns it is the same method.
TEST(Sqp, FindsMinimaOfManyUnknowns) {
  constexpr Eigen::Index n = 40;
  Given problem(n, 0, [](const VectorXd& x, fit::ObjectiveValues& v) {
    v.objective = 0;
    for (Eigen::Index i = 0; i + 1 < n; ++i) {
      const double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
      v.objective += 100 * a * a + b * b;
      v.gradient[i] += -400 * a * x[i] - 2 * b, v.gradient[i + 1] += 200 * a;
    }
  });
  problem.options.lower.setConstant(0), problem.options.upper.setConstant(2);
  const fit::SqpResult found = problem.minimum(VectorXd::Constant(n, 0.3));
  EXPECT_TRUE(fit::converged(found.stop)) << fit::wordsOf(found.stop);
  expectNear(found.x, VectorXd::Ones(n), 1e-3);
}

// Every optimality condition of random steps, some of whose rows cannot be met.
TEST(PenaltyStep, MeetsItsConditions) {
  fit::Generator random(7);
  int violated = 0, active = 0, bounds = 0;
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    const Eigen::Index n = 1 + round % 12, m = round % 9;
    const auto draw = [&](Eigen::Index rows, Eigen::Index columns) {
      MatrixXd out(rows, columns);
      for (double& x : out.reshaped()) x = random.normal();
      return out;
    };
    fit::PenaltyModel model;
    const MatrixXd root = draw(n, n);
    model.B = root * root.transpose() + 0.01 * MatrixXd::Identity(n, n);
    model.g = draw(n, 1), model.A = draw(m, n), model.d = draw(m, 1);
    model.weight = 2;
    model.equation.resize(m);
    for (Eigen::Index i = 0; i < m; ++i) model.equation[i] = i % 3 == 2;
    model.lower = -draw(n, 1).cwiseAbs(), model.upper = draw(n, 1).cwiseAbs();
    if (round % 5 == 0) model.upper[0] = model.lower[0];
    const fit::PenaltyStep step = fit::penaltyStep(model);
    EXPECT_TRUE(step.solved);
    const VectorXd left = model.g + model.B * step.p + model.A.transpose() * step.multipliers;
    for (Eigen::Index j = 0; j < n; ++j) {
      EXPECT_TRUE(step.p[j] >= model.lower[j] && step.p[j] <= model.upper[j]);
      const bool atLower = step.p[j] == model.lower[j], atUpper = step.p[j] == model.upper[j];
      EXPECT_TRUE(atLower || left[j] < 1e-6);
      EXPECT_TRUE(atUpper || left[j] > -1e-6);
      bounds += atLower != atUpper;
    }
    const VectorXd rows = model.A * step.p + model.d;
    for (Eigen::Index i = 0; i < m; ++i) {
      const double multiplier = step.multipliers[i];
      const double least = model.equation[i] ? -model.weight : 0;
      EXPECT_TRUE(multiplier >= least && multiplier <= model.weight);
      if (rows[i] > 1e-6) {
        EXPECT_NEAR(multiplier, model.weight, 1e-6);
        ++violated;
      } else if (rows[i] < -1e-6) {
        EXPECT_NEAR(multiplier, least, 1e-6);
      } else {
        ++active;
      }
    }
  }
  EXPECT_GT(violated, 20);
  EXPECT_GT(active, 20);
  EXPECT_GT(bounds, 20);
}

}  // namespace sqp_test
}  // namespace tendril::test
