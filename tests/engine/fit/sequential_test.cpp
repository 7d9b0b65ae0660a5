// Series that are found one knot after the other along a run: against a film without noise, against the derivatives of
// whole runs, and what is refused.
#include "fit/sequential.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "fit/exact_runs.h"
#include "fit/fit.h"
#include "tendril/simulation.h"
#include "text/words.h"

namespace tendril::test {
namespace fit_sequential_test {

using text::formatNumber;

/// An arm whose two halves follow series of their own; a knot in every second step, one of them beside the steps.
std::string sceneOf(const std::string& root, const std::string& end, const std::string& more = "") {
  const std::string times = R"({"time": [0, 0.04, 0.08, 0.13, 0.16, 0.2], "value": )";
  return R"({"format": "tendril/1", "parameters": {"g": {"value": 9.81, "min": 1, "max": 20}},
    "materials": {"rubber": {"youngs": 2e6, "poisson": 0.5, "density": 1200, "damping": 1e4}},
    "rods": {"arm": {"section": {"circle": {"radius": 3e-3}}, "segments": 8, "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}, "frame": [0, 0, 1]}},
    "series": {"root": )" +
         times + root + R"(}, "end": )" + times + end + more + R"(}},
    "actuation": [{"rod": "arm", "curvature": ["=s < 0.05 ? root(t) : end(t) ", 0]
}],
    "constraints": [{"clamp": "arm:first"}, {"planar": "xz"}], "environment": {"gravity": [0, 0, "=-g"]},
    "solver": {"integrator": "bdf2", "dt": 0.02, "duration": 0.2, "tolerance": 1e-12, "start": "equilibrium"},
    "probes": {
  "middle" : {"position" : "arm:4"}, "tip" : { "position" : "arm:last" }
}
})";
}

const std::vector<double> root = {3, 5, 9, 7, 2, -4}, end = {-2, 1, 2, 5, 6, 4};
const std::vector<std::string> probes = {"middle.x", "middle.z", "tip.x", "tip.z"};
const std::vector<double> frames = {0, 0.02, 0.04, 0.08, 0.12, 0.16, 0.2};

std::string listOf(const std::vector<double>& values) {
  std::string out;
  for (const double value : values) out += (out.empty() ? "" : ", ") + formatNumber(value);
  return "[" + out + "]";
}

/// What a film without noise shows.
std::string film() {
  Simulation run(sceneOf(listOf(root), listOf(end)));
  std::string out = "t";
  for (const std::string& probe : probes) out += "," + probe;
  for (const double frame : frames) {
    while (run.time() < frame - 1e-9) run.step();
    out += "\\n" + formatNumber(frame);
    for (const std::string& probe : probes) {
      const auto at = std::find(run.columns().begin(), run.columns().end(), probe);
      out += "," + formatNumber(run.values()[std::size_t(at - run.columns().begin())]);
    }
  }
  return out + "\\n";
}

const std::string both =
    R"("root": {"series": "root", "min": -30, "max": 30}, "end": {"series": "end", "min": -30, "max": 30})";

std::variant<fit::Plan, Problems> read(const std::string& unknowns, const std::string& more = "",
                                       const std::string& experiments = "", const std::string& series = "") {
  const std::string zeros = listOf(std::vector<double>(root.size(), 0));
  static const std::string data = film();
  std::string columns;
  for (const std::string& probe : probes)
    columns += (columns.empty() ? "\"" : ", \"") + probe + R"(": {"probe": ")" + probe + R"(", "sigma": 1e-4})";
  const std::string experiment = R"({"data": {"csv": ")" + data + R"(", "columns": {)" + columns + "}}}";
  return fit::readPlan(R"({"format": "tendril-fit/1", "scene": )" + sceneOf(zeros, zeros, series) +
                           R"(, "unknowns": {)" + unknowns + R"(}, "sequential": true, "experiments": [)" + experiment +
                           experiments + "]" + more + "}",
                       [](const std::string&) { return fit::FileText{}; });
}

fit::Plan good(const std::string& unknowns, const std::string& more = "") {
  auto plan = read(unknowns, more);
  if (const auto* problems = std::get_if<Problems>(&plan)) {
    ADD_FAILURE() << describe(problems->front(), "plan");
    return {};
  }
  return std::get<fit::Plan>(plan);
}

TEST(FitSequential, KnotsOfOneTimeBelongTogether) {
  const fit::Plan plan = good(both);
  ASSERT_TRUE(plan.sequential);
  const std::vector<fit::KnotGroup> groups = fit::knotGroups(plan);
  ASSERT_EQ(groups.size(), 6u);
  EXPECT_EQ(groups[0].until, 0);
  EXPECT_EQ(groups[3].until, 0.13);
  EXPECT_TRUE(std::isinf(groups[5].until));
  EXPECT_EQ(groups[2].unknowns, (std::vector<int>{2, 8}));
}

TEST(FitSequential, FindsAFilmWithoutNoiseKnotByKnot) {
  const fit::Plan plan = good(both);
  fit::FitOptions options;
  int most = 0;
  options.goOn = [&](const fit::FitProgress& progress) {
    most = std::max(most, progress.state.iterations);
    return true;
  };
  const fit::FitResult result = fit::fitPlan(
      plan, [] { return std::make_unique<fit::ExactRuns>(); }, options);
  ASSERT_EQ(result.best, 0);
  EXPECT_TRUE(fit::converged(result.starts[0].stop)) << result.starts[0].reason;
  EXPECT_EQ(result.starts[0].iterations, 6);
  EXPECT_EQ(most, 5) << "groups that are done";
  for (std::size_t k = 0; k < root.size(); ++k) {
    EXPECT_NEAR(result.values[Eigen::Index(k)], root[k], 1e-4) << k;
    EXPECT_NEAR(result.values[Eigen::Index(k + root.size())], end[k], 1e-4) << k;
  }
  // What the whole run then shows is the film.
  ASSERT_EQ(result.predictions.size(), 1u);
  EXPECT_LT((result.predictions[0] - plan.experiments[0].data).cwiseAbs().maxCoeff(), 1e-8);
  ASSERT_TRUE(result.uncertainty);
  for (std::size_t u = 0; u < plan.unknowns.size(); ++u) {
    EXPECT_TRUE(result.uncertainty->identifiable[u]) << u;
    EXPECT_GT(result.standardErrors[Eigen::Index(u)], 0) << u;
  }
}

/// What a knot does to its own frames, by exact derivatives of whole runs.
TEST(FitSequential, HasTheDerivativesOfWholeRunsInItsOwnFrames) {
  const fit::Plan plan = good(both);
  fit::ExactRuns runs;
  fit::PlanResiduals residuals(plan, runs);
  const fit::LeastSquaresResult found = fit::searchSequentially(plan, residuals, residuals.starts(), {});
  ASSERT_TRUE(fit::converged(found.stop)) << found.reason;
  Eigen::VectorXd r;
  Eigen::MatrixXd J;
  ASSERT_TRUE(residuals.evaluate(found.x, r, &J));
  EXPECT_LT((r - found.residuals).norm(), 1e-3);
  const std::vector<fit::KnotGroup> groups = fit::knotGroups(plan);
  const Eigen::Index rows = Eigen::Index(frames.size());
  int compared = 0;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const int u : groups[g].unknowns)
      for (Eigen::Index i = 0; i < J.rows(); ++i) {
        const double t = frames[std::size_t(i % rows)];
        const bool own = t <= groups[g].until && (g == 0 || t > groups[g - 1].until);
        if (!own) {
          EXPECT_EQ(found.jacobian(i, u), 0) << i << ", " << u;
        } else {
          EXPECT_NEAR(found.jacobian(i, u), J(i, u), 1e-3 * J.col(u).cwiseAbs().maxCoeff()) << i << ", " << u;
          ++compared;
        }
      }
  EXPECT_GT(compared, 40);
}

TEST(FitSequential, GoesOnFromThePriorWhereThereAreNoData) {
  const fit::Plan plan = good(
      R"("root": {"series": "root", "min": -30, "max": 30, "prior": {"value": 1, "sigma": 5}}, "end": {"series": "end", "min": -30, "max": 30})",
      R"(, "hold": [{"experiment": 0, "rows": [5]}])");
  const fit::FitResult result = fit::fitPlan(plan, [] { return std::make_unique<fit::ExactRuns>(); });
  ASSERT_EQ(result.best, 0);
  EXPECT_NEAR(result.values[4], 1, 1e-6) << "no data: the prior";
  EXPECT_EQ(result.values[10], result.values[9]) << "neither: as before";
  ASSERT_TRUE(result.uncertainty);
  EXPECT_FALSE(result.uncertainty->identifiable[4]);
  EXPECT_FALSE(result.uncertainty->identifiable[10]);
  EXPECT_TRUE(result.uncertainty->identifiable[9]);
}

void expectProblem(const std::variant<fit::Plan, Problems>& plan, const std::string& words) {
  const auto* problems = std::get_if<Problems>(&plan);
  ASSERT_TRUE(problems) << words;
  EXPECT_EQ(problems->front().pointer, "/sequential");
  EXPECT_NE(problems->front().message.find(words), std::string::npos) << problems->front().message;
}

TEST(FitSequential, RefusesWhatHasNoDataOfItsOwn) {
  expectProblem(read(both + R"(, "g": {})"), "\"g\" is no knot of a series");
  expectProblem(read(R"("root": {"series": "root", "min": -30, "max": 30, "knots": 4, "spline": true})"), "is no knot");
  expectProblem(read(R"("end": {"series": "end", "min": -30, "max": 30})", "", "", R"(, "interpolation": "step")"),
                "linear between its knots");
  expectProblem(
      read(
          R"("root": {"series": "root", "min": -30, "max": 30, "knots": 4}, "end": {"series": "end", "min": -30, "max": 30})"),
      "knots at different times");
  expectProblem(
      read(both, "", R"(, {"data": {"csv": "t,x\n0.1,0\n", "columns": {"x": {"probe": "tip.x", "sigma": 1}}}})"),
      "there are 2 experiments");
}

}  // namespace fit_sequential_test
}  // namespace tendril::test
