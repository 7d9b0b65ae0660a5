// The plans of fits/: each finds the truth that its data were made with, within three standard errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include "fit/exact_runs.h"
#include "fit/fit.h"
#include "fit/generator.h"

namespace tendril::test {
namespace fits_test {

std::string fileOf(const std::string& name) {
  std::ifstream file(std::string(TENDRIL_SOURCE_DIR) + "/fits/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

fit::Plan planOf(const std::string& name) {
  auto plan = fit::readPlan(fileOf(name), [](const std::string& file) -> fit::FileText {
    std::string text = fileOf(file);
    return text.empty() ? fit::FileText{"", "cannot read " + file} : fit::FileText{text, ""};
  });
  if (const auto* problems = std::get_if<Problems>(&plan)) {
    ADD_FAILURE() << describe(problems->front(), name);
    return {};
  }
  return std::get<fit::Plan>(plan);
}

/// A plan, and what its data were made with.
struct KnownPlan {
  std::string file;
  std::map<std::string, double> truth;
};

/// "NAME_0", "NAME_1" and so on.
std::map<std::string, double> knotsOf(const std::string& name, const std::vector<double>& values) {
  std::map<std::string, double> out;
  for (std::size_t k = 0; k < values.size(); ++k) out[name + "_" + std::to_string(k)] = values[k];
  return out;
}

/// A cubic of arc length over length, which a spline through any of its values reproduces.
double fingerBend(double u) { return 12 + u * (40 - u * (30 + 10 * u)); }

std::vector<KnownPlan> knownPlans() {
  return {{"pluck-fit.json", {{"E", 2e11}, {"damping", 3e7}}},
          {"vine-fit.json", {{"K", 0.05}, {"C", 1e-3}}},
          {"limb-fit.json", knotsOf("bend", {0, 6, 10, 4, -5, -8})},
          {"pneunet-fit.json",
           knotsOf("bend", {fingerBend(0), fingerBend(0.225), fingerBend(0.45), fingerBend(0.675), fingerBend(0.9)})},
          {"friction-fit.json", {{"mu", 0.32}, {"v0", 0.25}}}};
}

const KnownPlan& known(const std::string& file) {
  static const std::vector<KnownPlan> plans = knownPlans();
  return *std::find_if(plans.begin(), plans.end(), [&](const KnownPlan& plan) { return plan.file == file; });
}

std::unique_ptr<fit::RunSource> ownRuns() { return std::make_unique<fit::ExactRuns>(); }

void expectTruth(const fit::Plan& plan, const fit::FitResult& result, const std::map<std::string, double>& truth) {
  ASSERT_GE(result.best, 0);
  EXPECT_TRUE(fit::converged(result.starts[std::size_t(result.best)].stop))
      << fit::wordsOf(result.starts[std::size_t(result.best)].stop);
  ASSERT_TRUE(result.uncertainty);
  for (std::size_t u = 0; u < plan.unknowns.size(); ++u) {
    const double error = result.standardErrors[Eigen::Index(u)], value = result.values[Eigen::Index(u)];
    const double wanted = truth.at(plan.unknowns[u].name);
    EXPECT_LT(std::abs(value - wanted), 3 * error) << plan.unknowns[u].name << " = " << value;
    EXPECT_LT(error, 0.1 * wanted) << plan.unknowns[u].name;
    EXPECT_TRUE(result.uncertainty->identifiable[u]) << plan.unknowns[u].name;
  }
}

/// Chi squared of n degrees of freedom has mean n and variance 2n.
void expectFit(const fit::Plan& plan, const fit::FitResult& result, double numbers) {
  const double degrees = numbers - double(plan.unknowns.size());
  const double chiSquared = 2 * result.starts[std::size_t(result.best)].cost;
  EXPECT_LT(std::abs(chiSquared - degrees), 4 * std::sqrt(2 * degrees));
}

/// Root of the mean square of what was held back, in standard deviations.
double heldError(const fit::Plan& plan, const fit::FitResult& result) {
  double sum = 0, count = 0;
  for (std::size_t e = 0; e < plan.experiments.size(); ++e)
    for (Eigen::Index r = 0; r < plan.experiments[e].data.rows(); ++r)
      for (Eigen::Index c = 0; c < plan.experiments[e].data.cols(); ++c) {
        if (!plan.experiments[e].held[std::size_t(r)]) continue;
        const double error = result.predictions[e](r, c) - plan.experiments[e].data(r, c);
        sum += std::pow(error / plan.experiments[e].columns[std::size_t(c)].sigma, 2);
        count += 1;
      }
  return std::sqrt(sum / count);
}

// Whatever the unknowns are, derivatives that go along with runs say what differences of runs say.
TEST(Fits, DerivativesBesideRunsAreThoseOfWholeRuns) {
  for (const KnownPlan& known : knownPlans()) {
    SCOPED_TRACE(known.file);
    const fit::Plan plan = planOf(known.file);
    fit::ExactRuns exact;
    fit::DifferencedRuns differenced;
    fit::PlanResiduals a(plan, exact), b(plan, differenced);
    const Eigen::VectorXd start = a.starts();
    Eigen::VectorXd ra, rb;
    Eigen::MatrixXd ja, jb;
    ASSERT_TRUE(a.evaluate(start, ra, &ja));
    ASSERT_TRUE(b.evaluate(start, rb, &jb));
    EXPECT_EQ(ra, rb);
    ASSERT_GT(jb.norm(), 0);
    EXPECT_LT((ja - jb).norm(), 1e-4 * jb.norm());
  }
}

TEST(Fits, OfAPluckedRulerFindModulusAndFriction) {
  fit::Plan plan = planOf("pluck-fit.json");
  plan.starts = 2;
  const fit::FitResult result = fit::fitPlan(plan, ownRuns);
  expectTruth(plan, result, known("pluck-fit.json").truth);
  expectFit(plan, result, 80);
  EXPECT_LT(heldError(plan, result), 1.5);
}

TEST(Fits, OfAVineThatSwingsFindStiffnessAndDamping) {
  fit::Plan plan = planOf("vine-fit.json");
  const fit::FitResult result = fit::fitPlan(plan, ownRuns);
  expectTruth(plan, result, known("vine-fit.json").truth);
  expectFit(plan, result, 120);
  EXPECT_LT(heldError(plan, result), 1.5);
}

TEST(Fits, OfAFilmedLimbFindItsCurvatureOverTime) {
  const fit::Plan plan = planOf("limb-fit.json");
  const fit::FitResult result = fit::fitPlan(plan, ownRuns);
  ASSERT_GE(result.best, 0);
  const std::map<std::string, double>& truth = known("limb-fit.json").truth;
  ASSERT_EQ(plan.unknowns.size(), truth.size());
  for (std::size_t k = 0; k < truth.size(); ++k) {
    const double error = result.standardErrors[Eigen::Index(k)];
    EXPECT_LT(std::abs(result.values[Eigen::Index(k)] - truth.at(plan.unknowns[k].name)), 3 * error) << k;
    EXPECT_LT(error, 0.5) << k;
  }
  expectFit(plan, result, 84);
  EXPECT_LT(heldError(plan, result), 1.5);
}

TEST(Fits, OfAPneumaticFingerFindItsCurvatureAlongIt) {
  const fit::Plan plan = planOf("pneunet-fit.json");
  const fit::FitResult result = fit::fitPlan(plan, ownRuns);
  expectTruth(plan, result, known("pneunet-fit.json").truth);
  expectFit(plan, result, 180);
  EXPECT_LT(heldError(plan, result), 1.5);
}

TEST(Fits, OfASlideFindFrictionAndTheSpeedAtItsStart) {
  const fit::Plan plan = planOf("friction-fit.json");
  const fit::FitResult result = fit::fitPlan(plan, ownRuns);
  expectTruth(plan, result, known("friction-fit.json").truth);
  expectFit(plan, result, 34);
  EXPECT_LT(heldError(plan, result), 1.5);
}

/// The slide itself, against Galilei: the film's law is no law of ours.
TEST(Fits, OfASlideAreMadeWithTheSlideOfTheory) {
  const fit::Plan plan = planOf("friction-fit.json");
  fit::ExactRuns runs;
  fit::PlanResiduals residuals(plan, runs);
  Eigen::VectorXd z(2);
  const double mu = 0.32, v0 = 0.25, a = 25 * std::acos(-1.0) / 180;
  z << plan.unknowns[0].position(mu), plan.unknowns[1].position(v0);
  const Eigen::MatrixXd foot = residuals.predictions(z)[0];
  const double acceleration = 9.81 * (std::sin(a) - mu * std::cos(a));
  for (Eigen::Index r = 1; r < foot.rows(); ++r) {
    const double t = plan.experiments[0].time[std::size_t(r)], way = v0 * t + acceleration * t * t / 2;
    // The first step is one of implicit Euler, which goes ahead by half of this.
    const double ahead = acceleration * 5e-3 * 5e-3;
    EXPECT_NEAR(std::hypot(foot(r, 0) - foot(0, 0), foot(r, 1) - foot(0, 1)), way, 2e-3 * way + ahead) << t;
  }
}

TEST(Fits, OfAVineAlongAWallSayThatItsStiffnessIsNotIdentifiable) {
  const fit::Plan plan = planOf("vine-wall.json");
  const fit::FitResult result = fit::fitPlan(plan, ownRuns);
  ASSERT_TRUE(result.uncertainty);
  EXPECT_FALSE(result.uncertainty->identifiable[0]);
  EXPECT_FALSE(result.uncertainty->directions[0].told);
}

/// What is measured late and too high: clock and place of the camera are unknowns, too.
TEST(Fits, FindTheDelayAndTheOffsetOfAColumn) {
  fit::Plan plan = planOf("pluck-fit.json");
  fit::Unknown late{"late", "s", false, -0.02, 0.02, false, 0, {}, {}},
      up{"up", "m", false, -0.01, 0.01, false, 0, {}, {}};
  plan.unknowns.push_back(late), plan.unknowns.push_back(up);
  plan.starts = 1;
  fit::Experiment& film = plan.experiments[0];
  film.columns[0].delay.unknown = 2, film.columns[0].offset.unknown = 3;
  for (double& t : film.time) t += 0.003;
  film.data.array() += 0.002;
  for (std::size_t r = 0; r < 4; ++r) film.held[r] = true;
  const fit::FitResult result = fit::fitPlan(plan, ownRuns);
  expectTruth(plan, result, {{"E", 2e11}, {"damping", 3e7}, {"late", 0.003}, {"up", 0.002}});
}

std::map<std::string, double> followedTruth() {
  std::map<std::string, double> out =
      knotsOf("root", {-4,    -4.53, -5.71, -7.29,  -8.92,  -10.23, -10.94, -10.91, -10.19, -9,     -7.67, -6.57, -6.01,
                       -6.17, -7.05, -8.47, -10.12, -11.63, -12.67, -13.02, -12.63, -11.64, -10.33, -9.07, -8.21, -8});
  out.merge(knotsOf("end", {1.95,  3.03,  3.92,  4.57,  4.93, 4.98,  4.72,  4.16,  3.34,  2.31,  1.13,  -0.12, -1.35,
                            -2.51, -3.51, -4.28, -4.79, -5,   -4.89, -4.47, -3.78, -2.85, -1.73, -0.51, 0.74,  1.95}));
  return out;
}

/// Frame by frame: of 52 knots all deviate from the truth as their errors say, and the film is met as its noise says.
TEST(Fits, OfALimbFollowedFrameByFrameFindBothItsCurvatures) {
  const fit::Plan plan = planOf("real2sim.json");
  ASSERT_TRUE(plan.sequential);
  const fit::FitResult result = fit::fitPlan(plan, ownRuns);
  ASSERT_GE(result.best, 0);
  EXPECT_TRUE(fit::converged(result.starts[0].stop));
  const std::map<std::string, double> truth = followedTruth();
  ASSERT_EQ(plan.unknowns.size(), truth.size());
  double squares = 0;
  for (std::size_t u = 0; u < truth.size(); ++u) {
    const double error = result.standardErrors[Eigen::Index(u)];
    const double z = (result.values[Eigen::Index(u)] - truth.at(plan.unknowns[u].name)) / error;
    EXPECT_LT(std::abs(z), 4) << plan.unknowns[u].name;
    EXPECT_LT(error, 1) << plan.unknowns[u].name;
    squares += z * z;
  }
  const double spread = std::sqrt(squares / double(truth.size()));
  EXPECT_GT(spread, 0.7);
  EXPECT_LT(spread, 1.3) << "three times what sampling does to 52 of them";
  expectFit(plan, result, 416);
  // What the whole run shows with all of them.
  EXPECT_LT((result.predictions[0] - plan.experiments[0].data).norm() / std::sqrt(416.0), 6e-4);
}

/// Over draws of the noise, deviations from the truth are as large as the standard errors say.
void expectErrorsAsSaid(const KnownPlan& known, int films) {
  fit::Plan plan = planOf(known.file);
  plan.starts = 1;
  const std::size_t count = plan.unknowns.size();
  for (fit::Unknown& unknown : plan.unknowns) unknown.start = known.truth.at(unknown.name);
  fit::ExactRuns runs;
  fit::PlanResiduals residuals(plan, runs);
  const std::vector<Eigen::MatrixXd> exact = residuals.predictions(residuals.starts());
  std::vector<double> sum(count, 0), squares(count, 0);
  for (int seed = 0; seed < films; ++seed) {
    fit::Generator noise(std::uint64_t(seed) + 100);
    for (std::size_t e = 0; e < exact.size(); ++e) {
      fit::Experiment& film = plan.experiments[e];
      film.data = exact[e];
      for (Eigen::Index c = 0; c < film.data.cols(); ++c)
        for (Eigen::Index r = 0; r < film.data.rows(); ++r)
          film.data(r, c) += film.columns[std::size_t(c)].sigma * noise.normal();
    }
    const fit::FitResult result = fit::fitPlan(plan, ownRuns);
    ASSERT_EQ(result.best, 0);
    for (std::size_t u = 0; u < count; ++u) {
      const double error = result.standardErrors[Eigen::Index(u)];
      ASSERT_GT(error, 0) << plan.unknowns[u].name << " of film " << seed;
      const double z = (result.values[Eigen::Index(u)] - known.truth.at(plan.unknowns[u].name)) / error;
      sum[u] += z, squares[u] += z * z;
    }
  }
  for (std::size_t u = 0; u < count; ++u) {
    const double mean = sum[u] / films, spread = std::sqrt((squares[u] - films * mean * mean) / (films - 1));
    testing::Test::RecordProperty(plan.unknowns[u].name, std::to_string(spread));
    EXPECT_GT(spread, 0.8) << plan.unknowns[u].name;
    EXPECT_LT(spread, 1.2) << plan.unknowns[u].name;
    EXPECT_LT(std::abs(mean), 3 / std::sqrt(double(films))) << plan.unknowns[u].name;
  }
}

TEST(Fits, HaveTheErrorsThatTheySayOverManyFilms) { expectErrorsAsSaid(known("vine-fit.json"), 50); }

// Long tests. With 50 films a spread is known to 0.1 by sampling alone, so that of the seventeen here one or two are
// found outside of 0.8 to 1.2 though nothing is wrong (two were: 1.21 of the limb's fifth knot, 0.78 of the finger's
// second). With 200 films it is 0.05, and the same bounds are four of these away.
constexpr int manyFilms = 200;

TEST(FitsOverManyFilms, OfAPluckedRulerHaveTheErrorsThatTheySay) {
  expectErrorsAsSaid(known("pluck-fit.json"), manyFilms);
}
TEST(FitsOverManyFilms, OfAVineThatSwingsHaveTheErrorsThatTheySay) {
  expectErrorsAsSaid(known("vine-fit.json"), manyFilms);
}
TEST(FitsOverManyFilms, OfAFilmedLimbHaveTheErrorsThatTheySay) {
  expectErrorsAsSaid(known("limb-fit.json"), manyFilms);
}
TEST(FitsOverManyFilms, OfAPneumaticFingerHaveTheErrorsThatTheySay) {
  expectErrorsAsSaid(known("pneunet-fit.json"), manyFilms);
}
TEST(FitsOverManyFilms, OfASlideHaveTheErrorsThatTheySay) { expectErrorsAsSaid(known("friction-fit.json"), manyFilms); }

/// A knot's error is that of its own frame alone. The steps of this film damp what noise did to the frames before, so
/// that deviations are no larger; over a thousand of them sampling leaves 0.02.
TEST(FitsOverManyFilms, OfALimbFollowedFrameByFrameHaveTheErrorsThatTheySay) {
  fit::Plan plan = planOf("real2sim.json");
  const std::map<std::string, double> truth = followedTruth();
  for (fit::Unknown& unknown : plan.unknowns) unknown.start = truth.at(unknown.name);
  fit::ExactRuns runs;
  fit::PlanResiduals residuals(plan, runs);
  const Eigen::MatrixXd exact = residuals.predictions(residuals.starts())[0];
  constexpr int films = 20;
  double squares = 0;
  for (int seed = 0; seed < films; ++seed) {
    fit::Generator noise(std::uint64_t(seed) + 100);
    for (Eigen::Index c = 0; c < exact.cols(); ++c)
      for (Eigen::Index r = 0; r < exact.rows(); ++r)
        plan.experiments[0].data(r, c) = exact(r, c) + 5e-4 * noise.normal();
    const fit::FitResult result = fit::fitPlan(plan, ownRuns);
    ASSERT_EQ(result.best, 0);
    for (std::size_t u = 0; u < truth.size(); ++u)
      squares += std::pow(
          (result.values[Eigen::Index(u)] - truth.at(plan.unknowns[u].name)) / result.standardErrors[Eigen::Index(u)],
          2);
  }
  const double spread = std::sqrt(squares / double(films * truth.size()));
  RecordProperty("spread", std::to_string(spread));
  EXPECT_GT(spread, 0.9);
  EXPECT_LT(spread, 1.1);
}

TEST(Fits, GoOnWhereTheyWereStopped) {
  const fit::Plan plan = planOf("vine-fit.json");
  const fit::FitResult whole = fit::fitPlan(plan, ownRuns);
  fit::FitOptions first;
  bool stop = false;
  first.goOn = [&stop](const fit::FitProgress& now) {
    stop = stop || (now.start == 1 && now.state.iterations == 2);
    return !stop;
  };
  const fit::FitResult part = fit::fitPlan(plan, ownRuns, first);
  ASSERT_TRUE(part.stopped);
  ASSERT_EQ(part.starts.size(), 2u) << "the third was not begun";
  fit::FitOptions second;
  second.before = part.starts;
  const fit::FitResult rest = fit::fitPlan(plan, ownRuns, second);
  EXPECT_FALSE(rest.stopped);
  ASSERT_EQ(rest.starts.size(), whole.starts.size());
  EXPECT_EQ(rest.starts[0].cost, whole.starts[0].cost);
  for (Eigen::Index u = 0; u < 2; ++u) EXPECT_NEAR(rest.values[u] / whole.values[u], 1, 1e-5);
}

}  // namespace fits_test
}  // namespace tendril::test
