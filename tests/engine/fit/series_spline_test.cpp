// Series whose knots make a spline: the spline against theory, the scene that is run, and derivatives by another route.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "engine/fit/good_plan.h"
#include "fit/exact_runs.h"
#include "fit/plan.h"
#include "fit/plan_residuals.h"
#include "fit/series_knots.h"
#include "fit/spline.h"
#include "tendril/simulation.h"
#include "text/words.h"

namespace tendril::test {
namespace fit_series_spline_test {

std::vector<double> even(int count, double end = 1) {
  std::vector<double> out;
  for (int k = 0; k < count; ++k) out.push_back(end * k / (count - 1));
  return out;
}

template <class F>
Eigen::VectorXd valuesOf(const std::vector<double>& at, F f) {
  Eigen::VectorXd out(Eigen::Index(at.size()));
  for (std::size_t i = 0; i < at.size(); ++i) out[Eigen::Index(i)] = f(at[i]);
  return out;
}

/// Largest deviation of the spline through f's values at the knots from f.
template <class F>
double deviation(const std::vector<double>& knots, F f) {
  const std::vector<double> at = even(1001, knots.back());
  return (fit::splineWeights(knots, at) * valuesOf(knots, f) - valuesOf(at, f)).cwiseAbs().maxCoeff();
}

TEST(SeriesSpline, ReproducesEveryPolynomialThatItsKnotsAllow) {
  EXPECT_LT(deviation({0, 3}, [](double t) { return 2 - 5 * t; }), 1e-14);
  EXPECT_LT(deviation({0, 0.4, 3}, [](double t) { return 2 + t * (3 - 5 * t); }), 1e-13);
  const std::vector<double> uneven = {0, 0.1, 0.5, 0.6, 1.3, 2};
  for (std::size_t n = 4; n <= uneven.size(); ++n) {
    const std::vector<double> knots(uneven.begin(), uneven.begin() + std::ptrdiff_t(n));
    EXPECT_LT(deviation(knots, [](double t) { return 2 + t * (3 + t * (7 * t - 5)); }), 1e-13) << n;
    EXPECT_GT(deviation(knots, [](double t) { return t * t * t * t; }), 1e-4) << n;
  }
}

TEST(SeriesSpline, IsOfFourthOrderUpToItsEnds) {
  const auto f = [](double t) { return std::exp(t) * std::cos(3 * t); };
  double before = deviation(even(33), f);
  for (const int n : {65, 129, 257}) {
    const double now = deviation(even(n), f);
    EXPECT_NEAR(std::log2(before / now), 4, 0.25) << n;
    before = now;
  }
}

/// Value, slope and second derivative of the cubic at t, from four points of it on one side.
Eigen::Vector3d taylor(const std::vector<double>& knots, const Eigen::VectorXd& values, double t, double h) {
  const Eigen::VectorXd y = fit::splineWeights(knots, {t, t + h, t + 2 * h, t + 3 * h}) * values;
  return {y[0], (-11 * y[0] + 18 * y[1] - 9 * y[2] + 2 * y[3]) / (6 * h),
          (2 * y[0] - 5 * y[1] + 4 * y[2] - y[3]) / (h * h)};
}

TEST(SeriesSpline, GoesThroughItsKnotsWithoutAJumpOfTheSecondDerivative) {
  const std::vector<double> knots = {0, 0.5, 0.8, 1.6, 2.1, 3, 3.4};
  for (std::size_t k = 0; k < knots.size(); ++k) {
    const Eigen::VectorXd one = Eigen::VectorXd::Unit(Eigen::Index(knots.size()), Eigen::Index(k));
    EXPECT_EQ((fit::splineWeights(knots, knots) * one - one).norm(), 0) << k;
    double jerk = 0;
    for (std::size_t inner = 1; inner + 1 < knots.size(); ++inner) {
      const double t = knots[inner], h = 0.09;
      const Eigen::Vector3d left = taylor(knots, one, t, -h), right = taylor(knots, one, t, h);
      EXPECT_LT((left - right).cwiseAbs().maxCoeff(), 1e-10 * (1 + left.cwiseAbs().maxCoeff())) << k << ", " << inner;
      jerk = std::max(jerk, std::abs(taylor(knots, one, t + h, h)[2] + taylor(knots, one, t - h, -h)[2] - 2 * left[2]));
    }
    EXPECT_GT(jerk, 1e-3) << "it is no single cubic";
    // Constant outside.
    const Eigen::VectorXd outside = fit::splineWeights(knots, {-1, 0, 3.4, 9}) * one;
    EXPECT_EQ(outside[0], outside[1]);
    EXPECT_EQ(outside[2], outside[3]);
  }
}

const std::vector<double> times = {0, 0.02, 0.05, 0.08, 0.1, 0.12, 0.15, 0.18, 0.2};

/// The curvature of an arm follows a series of nine values.
const char* const scene = R"json({"format": "tendril/1",
  "materials": {"rubber": {"youngs": 2e6, "poisson": 0.5, "density": 1200, "damping": 2e3}},
  "rods": {"arm": {"section": {"circle": {"radius": 3e-3}}, "segments": 6, "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}, "material": "rubber"}},
  "series": {"muscle": {"time": [0, 0.02, 0.05, 0.08, 0.1, 0.12, 0.15, 0.18, 0.2], "k": [0, 0.4, 1, 1.6, 2, 2.4, 3, 3.6, 4]}},
  "actuation": [{"rod": "arm", "curvature": [0, "=muscle.k(t)"]}],
  "constraints": [{"clamp": "arm:first"}], "environment": {"gravity": [0, 0, -9.81]},
  "solver": {"dt": 0.01, "duration": 0.2}, "probes": {"tip": {"position": "arm:last"}}})json";

std::string planOf(const std::string& knots) {
  return R"({"format": "tendril-fit/1", "scene": "arm.json",
    "unknowns": {"bend": {"series": "muscle.k", "min": -40, "max": 40)" +
         knots +
         R"(}}, "experiments": [{"data": {"csv": "t,x,y\n0.02,0.1,0\n0.05,0.1,0\n0.09,0.1,0.01\n0.13,0.1,0.02\n0.16,0.1,0.02\n0.2,0.09,0.03\n",
    "columns": {"x": {"probe": "tip.x", "sigma": 1e-3}, "y": {"probe": "tip.y", "sigma": 1e-3}}}}]})";
}

std::variant<fit::Plan, Problems> read(const std::string& text) {
  return fit::readPlan(text, [](const std::string&) { return fit::FileText{scene, {}}; });
}

fit::Plan good(const std::string& text) { return test::goodPlan(read(text)); }

std::vector<double> runOf(const std::string& text, const std::map<std::string, double>& parameters = {}) {
  Simulation simulation(text, parameters);
  while (!simulation.finished()) simulation.step();
  return {simulation.values().begin(), simulation.values().end()};
}

TEST(SeriesSpline, IsRunAsTheSeriesOfItsSamples) {
  const fit::Plan plan = good(planOf(R"(, "knots": [0, 0.07, 0.11, 0.2], "spline": true)"));
  ASSERT_EQ(plan.unknowns.size(), 4u);
  const Eigen::Vector4d bend(3, -8, 12, 5);
  std::map<std::string, double> parameters;
  for (std::size_t k = 0; k < 4; ++k) parameters[plan.unknowns[k].name] = bend[Eigen::Index(k)];
  // The cubic through the four, by Lagrange's formula.
  const auto cubic = [&](double t) {
    const double at[] = {0, 0.07, 0.11, 0.2};
    double sum = 0;
    for (int i = 0; i < 4; ++i) {
      double product = bend[i];
      for (int j = 0; j < 4; ++j)
        if (j != i) product *= (t - at[j]) / (at[i] - at[j]);
      sum += product;
    }
    return sum;
  };
  std::string plain = scene, values;
  for (const double t : times) values += (values.empty() ? "" : ", ") + text::formatNumber(cubic(t));
  const std::size_t list = plain.find("[0, 0.4");
  plain.replace(list, plain.find(']', list) + 1 - list, "[" + values + "]");
  const std::vector<double> spline = runOf(plan.sceneText, parameters), samples = runOf(plain), start = runOf(scene);
  ASSERT_EQ(spline.size(), samples.size());
  double moved = 0;
  for (std::size_t c = 0; c < spline.size(); ++c) {
    EXPECT_NEAR(spline[c], samples[c], 1e-10);
    moved = std::max(moved, std::abs(spline[c] - start[c]));
  }
  EXPECT_GT(moved, 1e-4);
}

/// By the chain rule: what the series' own values change, times what the knots change of these.
TEST(SeriesSpline, HasTheDerivativesOfItsSamplesTimesItsWeights) {
  const fit::Plan all = good(planOf("")), few = good(planOf(R"(, "knots": 5, "spline": true)"));
  ASSERT_EQ(all.unknowns.size(), times.size());
  ASSERT_EQ(few.unknowns.size(), 5u);
  fit::ExactRuns runs;
  fit::PlanResiduals a(all, runs), b(few, runs);
  Eigen::VectorXd ra, rb;
  Eigen::MatrixXd ja, jb;
  ASSERT_TRUE(a.evaluate(a.starts(), ra, &ja));
  ASSERT_TRUE(b.evaluate(b.starts(), rb, &jb));
  EXPECT_LT((ra - rb).norm(), 1e-9 * ra.norm()) << "the start is a line, which both are";
  const Eigen::MatrixXd chained = ja * fit::splineWeights(even(5, 0.2), times);
  ASSERT_GT(jb.norm(), 0);
  EXPECT_LT((chained - jb).norm(), 1e-6 * jb.norm());
  // Differences of whole runs say the same.
  fit::DifferencedRuns differenced;
  fit::PlanResiduals c(few, differenced);
  Eigen::VectorXd rc;
  Eigen::MatrixXd jc;
  ASSERT_TRUE(c.evaluate(c.starts(), rc, &jc));
  EXPECT_LT((jc - jb).norm(), 1e-4 * jb.norm());
}

void expectProblem(const std::string& knots, const std::string& pointer, const std::string& words) {
  const auto plan = read(planOf(knots));
  const auto* problems = std::get_if<Problems>(&plan);
  ASSERT_TRUE(problems) << words;
  EXPECT_EQ(problems->front().pointer, pointer);
  EXPECT_NE(problems->front().message.find(words), std::string::npos) << problems->front().message;
}

TEST(SeriesSpline, IsRefusedWhereItCannotBeSampled) {
  expectProblem(R"(, "spline": true)", "/unknowns/bend/spline", "give their number as \"knots\"");
  expectProblem(R"(, "knots": 10, "spline": true)", "/unknowns/bend/spline",
                "the series has 9 times of its own, which do not tell the 10 knots of the spline apart");
  // As many times as knots, but most of the knots stand between two of them.
  expectProblem(R"(, "knots": [0, 0.081, 0.082, 0.083, 0.084, 0.085, 0.086, 0.087, 0.2], "spline": true)",
                "/unknowns/bend/spline", "do not tell the 9 knots");
  expectProblem(R"(, "knots": 4, "spline": 1)", "/unknowns/bend/spline", "expected true or false");
  EXPECT_EQ(good(planOf(R"(, "knots": 4, "spline": false)")).sceneText, good(planOf(R"(, "knots": 4)")).sceneText);
}

}  // namespace fit_series_spline_test
}  // namespace tendril::test
