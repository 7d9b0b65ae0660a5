// Plans that ask for something in place of data: what their formulas mean, their derivatives, and the plans of fits/
// whose minima are held against theory, whole runs and each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "fit/exact_runs.h"
#include "fit/fit.h"
#include "fit/plan_objective.h"
#include "tendril/simulation.h"

namespace tendril::test {
namespace objectives_test {

using Eigen::VectorXd;

std::string fileOf(const std::string& name) {
  std::ifstream file(std::string(TENDRIL_SOURCE_DIR) + "/fits/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::variant<fit::Plan, Problems> readText(const std::string& text) {
  return fit::readPlan(text, [](const std::string& file) -> fit::FileText {
    std::string found = fileOf(file);
    return found.empty() ? fit::FileText{"", "cannot read " + file} : fit::FileText{found, ""};
  });
}

fit::Plan planOf(const std::string& text) {
  auto plan = readText(text);
  if (const auto* problems = std::get_if<Problems>(&plan)) {
    ADD_FAILURE() << describe(problems->front(), "plan");
    return {};
  }
  return std::get<fit::Plan>(plan);
}

fit::FitResult resultOf(const fit::Plan& plan) {
  return fit::fitPlan(plan, [] { return std::make_unique<fit::ExactRuns>(); });
}

/// A short arm that bends itself and carries a load.
const char* const arm = R"j({
  "format": "tendril/1",
  "parameters": {"bend": {"value": 3, "min": 0, "max": 10}, "F": {"value": 0.02, "min": 0, "max": 0.1}, "twice": "=2*bend"},
  "materials": {"soft": {"youngs": 1e6, "poisson": 0.5, "density": 1000, "damping": 2e3}},
  "rods": {"arm": {"section": {"circle": {"radius": 4e-3}}, "segments": 6,
    "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}}},
  "constraints": [{"clamp": "arm:first"}, {"planar": "xz"}],
  "loads": [{"at": "arm:last", "force": [0, 0, "=F"]}],
  "environment": {"gravity": [0, 0, 0]},
  "actuation": [{"rod": "arm", "curvature": ["=bend", 0]}],
  "solver": {"dt": 0.01, "duration": 0.2},
  "probes": {"tip": {"position": "arm:last"}}
})j";

std::string planWith(const std::string& rest, const std::string& unknowns = R"j("bend": {}, "F": {})j") {
  return std::string(R"j({"format": "tendril-fit/1", "scene": )j") + arm + R"j(, "unknowns": {)j" + unknowns + "}, " +
         rest + "}";
}

/// What is wrong with a plan, all of it.
std::string problemsOf(const std::string& rest) {
  const auto plan = readText(planWith(rest));
  const auto* problems = std::get_if<Problems>(&plan);
  std::string out;
  if (problems)
    for (const Problem& problem : *problems) out += problem.message + "\n";
  return out;
}

// Statistics are those of the run's own steps.
TEST(Objectives, TermsAreWhatTheRunMeasures) {
  const fit::Plan plan = planOf(planWith(
      R"j("minimize": "tip.z@end + max(tip.z) + min(tip.z) + mean(tip.z) + integral(tip.z) + tip.z@0.055 + max(tip.x@end, 7)")j"));
  ASSERT_TRUE(plan.objective);
  fit::ExactRuns runs;
  fit::PlanObjective problem(plan, runs);
  fit::ObjectiveValues values;
  const VectorXd z = VectorXd::Constant(2, 0.3);
  ASSERT_TRUE(problem.evaluate(z, values, false)) << problem.why();
  Simulation run(arm, {{"bend", 3}, {"F", 0.03}});
  std::vector<double> height = {run.values()[2]};
  while (!run.finished()) run.step(), height.push_back(run.values()[2]);
  ASSERT_EQ(height.size(), 21U);
  double integral = 0;
  for (std::size_t k = 1; k < height.size(); ++k) integral += 0.005 * (height[k - 1] + height[k]);
  const double most = *std::max_element(height.begin(), height.end());
  const double least = *std::min_element(height.begin(), height.end());
  const double sum = height.back() + most + least + integral / 0.2 + integral + 0.5 * (height[5] + height[6]) + 7;
  EXPECT_NEAR(values.objective, sum, 1e-12);
  EXPECT_GT(most - least, 1e-3);
}

TEST(Objectives, SlopesAreThoseOfWholeRuns) {
  const fit::Plan plan = planOf(planWith(
      R"j("minimize": "(tip.z@end - 0.01)^2*F + sin(bend) + max(tip.z)*mean(tip.x) + integral(tip.z)/tip.x@0.055",
         "subject": [{"formula": "atan2(tip.z@0.1, tip.x@0.1)", "max": 1}, {"formula": "tip.z", "max": 1, "always": true}])j"));
  ASSERT_TRUE(plan.objective);
  EXPECT_EQ(plan.objective->subject.size(), 21U);
  fit::ExactRuns runs;
  fit::PlanObjective problem(plan, runs);
  VectorXd z(2);
  z << 0.3, 0.4;
  fit::ObjectiveValues at;
  ASSERT_TRUE(problem.evaluate(z, at, true)) << problem.why();
  for (Eigen::Index j = 0; j < 2; ++j) {
    SCOPED_TRACE(j);
    const double h = 1e-4;
    fit::ObjectiveValues up, down;
    VectorXd there = z;
    there[j] += h;
    ASSERT_TRUE(problem.evaluate(there, up, false));
    there[j] -= 2 * h;
    ASSERT_TRUE(problem.evaluate(there, down, false));
    const double slope = (up.objective - down.objective) / (2 * h);
    EXPECT_NEAR(at.gradient[j], slope, 2e-5 * std::abs(slope));
    for (Eigen::Index i = 0; i < 21; ++i) {
      const double of = (up.constraints[i] - down.constraints[i]) / (2 * h);
      EXPECT_NEAR(at.jacobian(i, j), of, 2e-5 * std::abs(of) + 1e-9);
    }
  }
}

TEST(Objectives, BadFormulasAreToldWithTheirFix) {
  const auto expect = [](const std::string& rest, const std::string& words) {
    const std::string found = problemsOf(rest);
    EXPECT_NE(found.find(words), std::string::npos) << rest << "\n" << found;
  };
  expect(R"j("minimize": "tpi.z@end")j", "did you mean \"tip.z\"?");
  expect(R"j("minimize": "tip.z")j", "say of when, as tip.z@end");
  expect(R"j("minimize": "tip.z@now")j", "after tip.z@ comes a time in seconds, or end");
  expect(R"j("minimize": "tip.z@3")j", "the run ends at 0.2 s");
  expect(R"j("minimize": "mean(tip.z^2)")j", "mean() takes the column of a probe alone");
  expect(R"j("minimize": "tip.z@end + twice")j", "twice is a formula of other parameters");
  expect(R"j("minimize": "tip.z@end + bnd")j", "did you mean \"bend\"?");
  expect(R"j("minimize": "bend^2")j", "none of the formulas depends on a run");
  expect(R"j("minimize": "tip.z@end", "subject": [{"formula": "tip.x@end"}])j", "expected \"max\", \"min\" or both");
  expect(R"j("minimize": "tip.z@end", "subject": [{"formula": "tip.x@end", "min": 2, "max": 1}])j", "exchange them");
  expect(R"j("minimize": "tip.z@end", "experiments": [])j", "a plan has these, or \"minimize\"");
  expect(R"j("subject": [])j", "\"minimize\" asks for, which is missing");
}

// What cannot be had is said, and the way there ends as near as it can.
TEST(Objectives, SaysThatAConstraintCannotBeMet) {
  const fit::Plan plan = planOf(planWith(
      R"j("minimize": "tip.z@end", "subject": [{"formula": "tip.x@end", "min": 0.2}])j", R"j("bend": {"min": 1})j"));
  const fit::FitResult result = resultOf(plan);
  ASSERT_EQ(result.best, 0);
  EXPECT_EQ(result.starts[0].stop, fit::Stop::infeasible) << fit::wordsOf(result.starts[0].stop);
  EXPECT_FALSE(result.starts[0].allowed());
  ASSERT_TRUE(result.optimum);
  EXPECT_GT(result.optimum->optimality.violation, 0.01);
}

// A stopped start goes on from where it was, and comes to the same minimum.
TEST(Objectives, GoesOnWhereItWasStopped) {
  const fit::Plan plan = planOf(planWith(R"j("minimize": "(tip.z@end - 0.012)^2 + (tip.x@end - 0.098)^2 + 1e-6*F")j"));
  const fit::FitResult whole = resultOf(plan);
  fit::FitOptions options;
  options.goOn = [](const fit::FitProgress& progress) { return progress.state.trials < 4; };
  const auto sources = [] { return std::make_unique<fit::ExactRuns>(); };
  const fit::FitResult part = fit::fitPlan(plan, sources, options);
  ASSERT_TRUE(part.stopped);
  ASSERT_EQ(part.starts.size(), 1U);
  options = {};
  options.before = part.starts;
  const fit::FitResult rest = fit::fitPlan(plan, sources, options);
  EXPECT_TRUE(fit::converged(rest.starts[0].stop)) << fit::wordsOf(rest.starts[0].stop);
  EXPECT_GT(rest.starts[0].history.size(), part.starts[0].history.size());
  EXPECT_LT((rest.starts[0].z - whole.starts[0].z).norm(), 1e-3);
}

/// The minimum by runs alone: the slope of the Lagrangian by differences of whole runs is small beside that of the
/// objective, and no neighbor along an axis is better, where violations cost twice what multipliers say.
void expectMinimum(const fit::Plan& plan, const fit::FitResult& result) {
  ASSERT_GE(result.best, 0);
  const fit::StartResult& best = result.starts[std::size_t(result.best)];
  EXPECT_TRUE(fit::converged(best.stop)) << fit::wordsOf(best.stop);
  EXPECT_TRUE(best.allowed());
  ASSERT_TRUE(result.optimum);
  fit::DifferencedRuns runs;
  fit::PlanObjective problem(plan, runs);
  const fit::SqpOptions limits = problem.options();
  const VectorXd& multipliers = result.optimum->optimality.multipliers;
  struct Value {
    double lagrangian, penalized;
  };
  const auto at = [&](const VectorXd& z) -> Value {
    fit::ObjectiveValues values;
    EXPECT_TRUE(problem.evaluate(z, values, false)) << problem.why();
    const VectorXd outside =
        (values.constraints - limits.constraintUpper).cwiseMax(limits.constraintLower - values.constraints).cwiseMax(0);
    return {values.objective + multipliers.dot(values.constraints),
            values.objective + 2 * multipliers.cwiseAbs().dot(outside)};
  };
  const double scale = best.scales.objective, here = at(best.z).penalized;
  for (Eigen::Index j = 0; j < best.z.size(); ++j) {
    SCOPED_TRACE(plan.unknowns[std::size_t(j)].name);
    const double h = 1e-3;
    VectorXd up = best.z, down = best.z;
    up[j] = std::min(1.0, up[j] + h), down[j] = std::max(0.0, down[j] - h);
    const Value more = at(up), less = at(down);
    const bool inside = best.z[j] > 0 && best.z[j] < 1;
    EXPECT_TRUE(!inside || std::abs(more.lagrangian - less.lagrangian) / (up[j] - down[j]) < 1e-3 * scale);
    EXPECT_GT(more.penalized, here - 1e-6 * scale);
    EXPECT_GT(less.penalized, here - 1e-6 * scale);
  }
}

// An arc wants stiffness in proportion to the load's lever arm: E I = F (sin kL - sin ks) / k^2.
TEST(Objectives, ABarThatTapersAsTheoryAsksBendsIntoAnArc) {
  const fit::Plan plan = planOf(fileOf("taper.json"));
  const fit::FitResult result = resultOf(plan);
  expectMinimum(plan, result);
  const double F = 0.2, E = 1e7, k = 5, L = 0.2;
  const auto power = [&](double u) {
    return 1e12 * 4 * F * (std::sin(k * L) - std::sin(k * L * u)) / (std::acos(-1.0) * E * k * k);
  };
  // Straight lines between six places miss a curve by up to an eighth of its curvature times the square of their
  // distance: 0.5 % of the largest; the last place, where theory asks for nothing, is at its bound.
  for (Eigen::Index i = 0; i < 5; ++i) EXPECT_NEAR(result.values[i], power(0.2 * double(i)), 0.012 * power(0)) << i;
  EXPECT_TRUE(result.atBound[5]);
}

// A multiplier is what more work would bring, and another start comes to the same wave.
TEST(Objectives, ASnakeSwimsAsFarAsItsWorkAllows) {
  fit::Plan plan = planOf(fileOf("gait.json"));
  const fit::FitResult result = resultOf(plan);
  expectMinimum(plan, result);
  ASSERT_TRUE(result.optimum && result.optimum->active[0]);
  const double multiplier = result.optimum->optimality.multipliers[0], step = 0.4;
  EXPECT_GT(multiplier, 0);
  plan.objective->subject[0].max += step;
  plan.unknowns[0].start = 30, plan.unknowns[1].start = 0.8;
  const fit::FitResult more = resultOf(plan);
  ASSERT_TRUE(more.optimum);
  const double gained = result.optimum->values.objective - more.optimum->values.objective;
  EXPECT_NEAR(gained, multiplier * step, 0.05 * multiplier * step);
}

// The tip is where it should be, it keeps off the post all the time, and nothing near takes less effort.
TEST(Objectives, ATentacleReachesRoundAPost) {
  const fit::Plan plan = planOf(fileOf("reach.json"));
  const fit::FitResult result = resultOf(plan);
  expectMinimum(plan, result);
  const VectorXd& constraints = result.optimum->values.constraints;
  EXPECT_NEAR(constraints[0], 0.2, 1e-8);
  EXPECT_NEAR(constraints[1], 0.17, 1e-8);
  EXPECT_GT(constraints.tail(40).minCoeff(), 0.036 - 1e-8);
}

}  // namespace objectives_test
}  // namespace tendril::test
