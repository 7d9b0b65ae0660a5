// Residuals of probes at times with their Jacobian, for outside optimizers: against differences of whole runs, against
// each other, and what is refused. Rotations between steps.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "engine/simulation/run_scene.h"
#include "simulation/blend.h"
#include "simulation/inside.h"
#include "tendril/residuals.h"

namespace tendril {
namespace residuals_test {

using Numbers = std::vector<double>;
using Asked = RunResiduals::Setup;

const char* const arm = R"({"format": "tendril/1", "parameters": {"E": {"value": 1e6, "min": 1e5, "max": 1e7},
    "bend": {"value": 0, "min": -1, "max": 1}, "push": 0, "damping": 2e3, "h": 0.005, "twice": "=2*E"},
  "materials": {"m": {"youngs": "=E", "poisson": 0.4, "density": 1000, "damping": "=damping"}},
  "rods": {"a": {"section": {"circle": {"radius": 0.01}}, "segments": 8, "natural": {"curvature": [0, "=bend"]},
    "path": {"line": {"from": [0, 0, 0.2], "to": [0.4, 0, 0.2]}}}},
  "constraints": [{"clamp": "a:first"}], "environment": {"gravity": [0, 0, -9.81]},
  "loads": [{"force": [0, "=push", 0], "at": "a:last"}],
  "solver": {"integrator": "$integrator", "dt": "=h", "duration": 0.2, "tolerance": 1e-12},
  "probes": {"tip": {"position": "a:last"}, "stored": {"energy": "bend"}}})";

std::string armBy(const std::string& integrator) { return test::filled(arm, {{"integrator", integrator}}); }

/// d(residual)/dx by central differences of whole runs, row by row.
Numbers differences(RunResiduals& f, const Numbers& x, double share) {
  const std::size_t m = f.of().size(), n = x.size();
  Numbers out(m * n);
  for (std::size_t j = 0; j < n; ++j) {
    Numbers above = x, below = x;
    above[j] *= 1 + share, below[j] *= 1 - share;
    const Numbers high = f.residual(above), low = f.residual(below);
    for (std::size_t i = 0; i < m; ++i) out[i * n + j] = (high[i] - low[i]) / (above[j] - below[j]);
  }
  return out;
}

TEST(Residuals, JacobianIsThatOfWholeRuns) {
  for (const char* integrator : {"implicit-euler", "bdf2", "implicit-midpoint"}) {
    SCOPED_TRACE(integrator);
    Asked setup;
    setup.with = {"E", "damping", "push"};
    setup.of = {"tip.z@end", "tip.x@0.0333", "tip.y@0.1", "stored@0.15", "tip.z@0.1"};
    setup.data = {-0.01, 0.4, 0, 1e-3, 0.1};
    setup.sigma = {1e-3, 2e-3, 1e-3, 1e-4, 5e-4};
    setup.scales = {{"push", 0.1}};
    RunResiduals f(armBy(integrator), setup);
    const Numbers x{8e5, 3e3, 0.02};
    const Numbers coarse = differences(f, x, 4e-5), fine = differences(f, x, 1e-5), exact = f.jacobian(x);
    ASSERT_EQ(exact.size(), 15u);
    int known = 0;
    for (std::size_t k = 0; k < exact.size(); ++k) {
      if (!(std::abs(coarse[k] - fine[k]) < 1e-7 * std::abs(fine[k]))) continue;
      EXPECT_NEAR(exact[k], fine[k], 1e-6 * std::abs(fine[k])) << k;
      ++known;
    }
    EXPECT_GT(known, 7);
    EXPECT_TRUE(f.findings().empty());
  }
}

TEST(Residuals, AreValuesLessDataOverSigma) {
  Asked plain;
  plain.with = {"E"}, plain.of = {"tip.z@0.1", "tip.x"};
  Asked scaled = plain;
  scaled.data = {0.15, 0.3}, scaled.sigma = {1e-3, 4};
  RunResiduals values(armBy("implicit-euler"), plain), residuals(armBy("implicit-euler"), scaled);
  EXPECT_EQ(values.start(), Numbers{1e6});
  const Numbers x{2e6}, v = values.residual(x), r = residuals.residual(x);
  Simulation run(armBy("implicit-euler"), {{"E", 2e6}});
  for (int i = 0; i < 20; ++i) run.step();
  ASSERT_NEAR(run.time(), 0.1, 1e-12);
  EXPECT_EQ(v[0], test::column(run, "tip.z"));
  while (!run.finished()) run.step();
  EXPECT_EQ(v[1], test::column(run, "tip.x"));
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(r[i], (v[i] - scaled.data[i]) / scaled.sigma[i]);
  // The run with derivatives is the same run.
  RunResiduals other(armBy("implicit-euler"), plain);
  const Numbers slopes = other.jacobian(x);
  EXPECT_EQ(other.residual(x), v);
  const Numbers scaledSlopes = residuals.jacobian(x);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(scaledSlopes[i], slopes[i] / scaled.sigma[i]);
}

TEST(Residuals, ProductsAreThoseOfTheTransposedJacobian) {
  Asked setup;
  setup.with = {"damping", "E"}, setup.of = {"tip.z@0.1", "tip.x@0.05", "stored"}, setup.data = {0.1, 0.3, 0};
  RunResiduals f(armBy("bdf2"), setup);
  const Numbers x{1e3, 9e5}, v{0.3, -7, 2e3}, product = f.vjp(x, v), J = f.jacobian(x);
  for (std::size_t j = 0; j < 2; ++j) {
    const double terms[3] = {J[j] * v[0], J[2 + j] * v[1], J[4 + j] * v[2]};
    const double size = std::abs(terms[0]) + std::abs(terms[1]) + std::abs(terms[2]);
    EXPECT_NEAR(product[j], terms[0] + terms[1] + terms[2], 1e-15 * size);
  }
  // Of r itself, the gradient of half the sum of squares, by differences of that sum.
  const Numbers gradient = f.vjp(x, f.residual(x));
  for (std::size_t j = 0; j < 2; ++j) {
    double half[2];
    Numbers at[2] = {x, x};
    for (int side = 0; side < 2; ++side) {
      at[side][j] *= side == 0 ? 1 + 2e-5 : 1 - 2e-5;
      half[side] = 0;
      for (const double r : f.residual(at[side])) half[side] += 0.5 * r * r;
    }
    const double slope = (half[0] - half[1]) / (at[0][j] - at[1][j]);
    EXPECT_NEAR(gradient[j], slope, 1e-6 * std::abs(slope));
  }
}

// As a user's optimizer would: Gauss and Newton find what the data were made with.
TEST(Residuals, AnOutsideOptimizerFindsWhatTheDataWereMadeWith) {
  Asked setup;
  setup.with = {"E", "damping"};
  for (int i = 1; i <= 20; ++i) setup.of.push_back("tip.z@" + std::to_string(0.01 * i));
  const Numbers truth{1.4e6, 5e3};
  setup.data = RunResiduals(armBy("bdf2"), setup).residual(truth);
  RunResiduals f(armBy("bdf2"), setup);
  Numbers x = f.start();
  EXPECT_EQ(x, (Numbers{1e6, 2e3}));
  for (int i = 0; i < 8; ++i) {
    const Numbers J = f.jacobian(x), r = f.residual(x);
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, 2, Eigen::RowMajor>;
    const Rows slopes = Eigen::Map<const Rows>(J.data(), 20, 2) * Eigen::Vector2d(1e6, 1e3).asDiagonal();
    const Eigen::Vector2d step = slopes.colPivHouseholderQr().solve(Eigen::Map<const Eigen::VectorXd>(r.data(), 20));
    x[0] -= 1e6 * step[0], x[1] -= 1e3 * step[1];
  }
  EXPECT_NEAR(x[0], truth[0], 1e-6 * truth[0]);
  EXPECT_NEAR(x[1], truth[1], 1e-6 * truth[1]);
}

// Where an unknown comes near 0, a share of its value would drown in round-off.
TEST(Residuals, SlopesAreAsGoodOnTheWayThroughZero) {
  Asked setup;
  setup.with = {"bend", "push"}, setup.of = {"tip.y", "tip.y@0.15"}, setup.scales = {{"push", 0.1}};
  RunResiduals f(armBy("bdf2"), setup);
  const Numbers at = f.jacobian(Numbers{0, 0});
  for (const double beside : {1e-13, -1e-10, 1e-7}) {
    SCOPED_TRACE(beside);
    const Numbers near = f.jacobian(Numbers{beside, 0.1 * beside});
    EXPECT_NEAR(near[0], at[0], 1e-6 * std::abs(at[0]));
    EXPECT_NEAR(near[3], at[3], 1e-6 * std::abs(at[3]));
  }
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(Residuals, WhatDoesNotFitIsRefusedByName) {
  const auto built = [](const std::function<void(Asked&)>& change) {
    Asked setup;
    setup.with = {"E"}, setup.of = {"tip.z@0.1", "tip.z"};
    change(setup);
    return refusal([&] { RunResiduals unused(armBy("implicit-euler"), setup); });
  };
  const auto says = [](const std::string& text, const char* words) {
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  EXPECT_EQ(built([](Asked&) {}), "none");
  says(built([](Asked& s) { s.with = {}; }), "x has no parameters");
  says(built([](Asked& s) { s.with = {"E", "E"}; }), "\"E\" stands twice");
  says(built([](Asked& s) { s.with = {"F"}; }), "no parameter \"F\"");
  says(built([](Asked& s) { s.with = {"h"}; }), "steps that the solver takes");
  says(built([](Asked& s) { s.with = {"twice"}; }), "a formula of others");
  says(built([](Asked& s) { s.with = {"push"}; }), "is 0 and has no range");
  says(built([](Asked& s) { s.of = {}; }), "there are no residuals");
  says(built([](Asked& s) { s.of = {"top.z@0.1"}; }), "no probe column \"top.z\"; the scene has tip.x, tip.y, tip.z");
  says(built([](Asked& s) { s.of = {"tip.z@soon"}; }), "\"tip.z@soon\": after the @ comes a time in seconds");
  says(built([](Asked& s) { s.of = {"tip.z@-1"}; }), "after the @ comes a time in seconds");
  says(built([](Asked& s) { s.of = {"tip.z@0.3"}; }), "the run ends at 0.2 s");
  says(built([](Asked& s) { s.data = {1}; }), "data has 1 numbers, and there are 2 probes at times");
  says(built([](Asked& s) { s.data = {1, NAN}; }), "data must be finite");
  says(built([](Asked& s) { s.sigma = {1, 0}; }), "sigma must be more than 0, not 0");
  Asked setup;
  setup.with = {"E"}, setup.of = {"tip.z@0.1", "tip.z"};
  RunResiduals f(armBy("implicit-euler"), setup);
  says(refusal([&] { f.residual(Numbers{1, 2}); }), "x has 2 numbers, and there are 1 parameters");
  says(refusal([&] { f.jacobian(Numbers{NAN}); }), "x must be finite, and its \"E\" is not");
  says(refusal([&] { f.vjp(Numbers{1e6}, Numbers{1}); }), "v has 1 numbers, and there are 2 residuals");
  EXPECT_THROW(f.residual(Numbers{-1e6}), BadScene);
  EXPECT_THROW(f.residual(Numbers{1.1e6}, [] { return false; }), GaveUp);
}

TEST(Residuals, WhatMakesSlopesDoubtfulIsToldByKind) {
  std::string text = armBy("implicit-euler");
  const std::string branch = R"("actuation": [{"rod": "a", "curvature": [0, "=bend > 0 ? 5*bend : bend"]}], "loads")";
  text.replace(text.find("\"loads\""), 7, branch);
  Asked setup;
  setup.with = {"E", "bend"}, setup.of = {"tip.z@0.05"};
  RunResiduals f(text, setup);
  f.jacobian(f.start());
  ASSERT_EQ(f.findings().size(), 1u);
  const Doubt& kink = f.findings()[0];
  EXPECT_EQ(kink.kind, Doubt::Kind::kink);
  EXPECT_EQ(kink.parameter, "bend");
  EXPECT_NEAR(kink.upward / kink.downward, 5, 0.05);
  EXPECT_GT(kink.time, 0);
  EXPECT_NE(kink.words.find("there is a kink"), std::string::npos);
  f.jacobian(Numbers{1e6, 0.2});
  EXPECT_TRUE(f.findings().empty());
}

// Rotation vectors and quaternions, which take the shorter way, against differences of what they do.
TEST(Residuals, SlopesOfRotationsBetweenStepsAreThoseOfTheirBlend) {
  const Simulation sim(R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.5, "density": 1000}},
    "rods": {"r": {"material": "m", "section": {"circle": {"radius": 1e-3}}, "segments": 2,
      "path": {"line": {"from": [0, 1, 0], "to": [0.2, 1, 0]}}}},
    "linkages": {"a": {"links": {"b": {"joint": {"spherical": {}},
      "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 1000}}}}}},
    "solver": {"dt": 0.01, "duration": 0.1},
    "probes": {"turn": {"jointAngle": "a/b"}, "pose": {"pose": "a/b"}, "tip": {"position": "a:tip"}}})");
  const ColumnBlend blend(sceneOf(sim));
  const std::size_t n = sim.columns().size();
  ASSERT_EQ(n, 13u);
  // From state to state: a small turn, one that goes on past pi, one back, and quaternions of either sign.
  const auto state = [&](double x, double y, double z, double sign) {
    Numbers out(n, 0.3);
    out[0] = x, out[1] = y, out[2] = z;
    const double size = std::sqrt(x * x + y * y + z * z), half = std::sin(size / 2) / size;
    out[6] = sign * std::cos(size / 2), out[7] = sign * half * x, out[8] = sign * half * y, out[9] = sign * half * z;
    return out;
  };
  const Numbers states[][2] = {{state(0.3, 0.2, -0.5, 1), state(0.5, 0.1, -0.4, 1)},
                               {state(3.0, 0.5, 0.2, 1), state(-2.9, -0.6, -0.3, -1)},
                               {state(0, 0, 3.0, -1), state(0.2, 0.1, -3.0, 1)}};
  int flipped = 0;
  for (const auto& [from, to] : states) {
    Numbers slopesFrom(n), slopesTo(n);
    for (std::size_t k = 0; k < n; ++k)
      slopesFrom[k] = std::sin(3.0 + double(k)), slopesTo[k] = std::cos(2.0 * double(k));
    for (const double weight : {0.0, 0.25, 0.7, 1.0}) {
      const double h = 1e-5;
      Numbers ends[4] = {from, to, from, to};
      for (std::size_t k = 0; k < n; ++k) {
        ends[0][k] += h * slopesFrom[k], ends[1][k] += h * slopesTo[k];
        ends[2][k] -= h * slopesFrom[k], ends[3][k] -= h * slopesTo[k];
      }
      const Numbers above = blend.between(ends[0], ends[1], weight), below = blend.between(ends[2], ends[3], weight);
      const Numbers slopes = blend.slopesBetween(from, to, slopesFrom, slopesTo, weight);
      const Numbers middle = blend.between(from, to, weight);
      for (std::size_t k = 0; k < n; ++k) {
        EXPECT_NEAR(slopes[k], (above[k] - below[k]) / (2 * h), 1e-8) << k << " at " << weight;
        flipped += std::abs(middle[k] - (from[k] + weight * (to[k] - from[k]))) > 0.1 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(flipped, 8);
}

}  // namespace residuals_test
}  // namespace tendril
