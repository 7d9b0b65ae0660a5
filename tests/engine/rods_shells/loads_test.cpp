// No load is too small and no mesh too fine to be solved in silence: bodies of any size, stiffness and number of edges
// against beam theory and against the law of fall, or a refusal that names the edges.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/geometry/draw.h"
#include "engine/rods_shells/build_scene.h"
#include "engine/simulation/run_scene.h"

namespace tendril::test {
namespace loads_test {

std::string text(double v) {
  char out[40];
  std::snprintf(out, sizeof out, "%.17g", v);
  return out;
}

struct Bar {
  double E, L, r;
  int n;
  Vec3 along = Vec3::UnitX();

  double EI() const { return E * pi / 4 * r * r * r * r; }
  std::string rod(double density) const {
    const Vec3 end = L * along;
    return R"("materials": {"m": {"youngs": )" + text(E) + R"(, "density": )" + text(density) +
           R"(}}, "rods": {"bar": {"section": {"circle": {"radius": )" + text(r) + R"(}}, "segments": )" +
           std::to_string(n) + R"(, "path": {"line": {"from": [0,0,0], "to": [)" + text(end.x()) + "," + text(end.y()) +
           "," + text(end.z()) + "]}}}}";
  }
};

Bar drawBar(Draw& draw) {
  Bar bar;
  bar.E = draw.log(1, 1e15), bar.L = draw.log(1e-8, 100), bar.n = static_cast<int>(draw.log(4, 3000));
  bar.r = bar.L * draw.log(1e-3, 0.1);
  return bar;
}

/// What is known of a cantilever from its model: displacement of the tip, which a position would round, and reactions.
struct Cantilever {
  scene::Scene scene;
  world::World world;
  rods_shells::Model model;
  model::StepReport report;

  explicit Cantilever(const std::string& json) : scene(loaded(json)), world(scene), model(world) {
    model::SettleRequest request;
    request.columns = columns.data();
    report = model.settle(request, {});
  }
  Vec3 tip() { return model.history().q.segment<3>(model.system().structure().nodeDof.back()); }
  Vec3 probe() {
    Vec3 out;
    model.observe(0, {out.data(), 3});
    return out;
  }
  std::vector<double> columns = std::vector<double>(16, 0.0);
};

void expectRefusalNames(const model::StepReport& report, int n) {
  EXPECT_NE(report.reason.find(std::to_string(n) + " edges"), std::string::npos) << report.reason;
  EXPECT_NE(report.reason.find("take about"), std::string::npos) << report.reason;
  EXPECT_TRUE(report.hopeless);
}

TEST(Loads, ACantileverBendsAsTheorySaysUnderAnyForceOrIsRefused) {
  int solved = 0, refused = 0;
  for (unsigned seed = 0; seed < 120; ++seed) {
    Draw draw(seed);
    const Bar bar = drawBar(draw);
    // No more than a rotation of 1e-4, so that theory is linear; at least 1e-12 N where that is no more.
    const double most = 1e-4 * 2 * bar.EI() / (bar.L * bar.L), F = draw.log(std::min(1e-12, most), most);
    Cantilever c(R"({"format": "tendril/1", )" + bar.rod(1000) +
                 R"(, "constraints": [{"clamp": "bar:first"}], "loads": [{"force": [0,0,)" + text(-F) +
                 R"(], "at": "bar:last"}], "probes": {"R": {"reaction": "bar:first"}}, "solver": {"mode": "static"}})");
    SCOPED_TRACE("seed " + std::to_string(seed) + " E " + text(bar.E) + " L " + text(bar.L) + " r/L " +
                 text(bar.r / bar.L) + " n " + std::to_string(bar.n) + " F " + text(F));
    if (!c.report.accepted) {
      expectRefusalNames(c.report, bar.n);
      EXPECT_GT(bar.n, 300);  // below it double precision holds every such rod
      ++refused;
      continue;
    }
    ++solved;
    const double n = bar.n, expected = F * std::pow(bar.L, 3) / (3 * bar.EI());
    EXPECT_NEAR(c.tip().z(), -expected, expected * (1e-6 + 1 / (n * n) + 1e-14 * n * n));
    EXPECT_NEAR(c.probe().z(), F, 1e-6 * F);
  }
  EXPECT_GT(solved, 100);
}

TEST(Loads, GravityBendsACantileverAsTheorySays) {
  int solved = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    Draw draw(1000 + seed);
    const Bar bar = drawBar(draw);
    const double area = pi * bar.r * bar.r, most = 1e-4 * 6 * bar.EI() / std::pow(bar.L, 3);
    const double weight = draw.log(std::min(1e-12, most * bar.L) / bar.L, most), density = 1000;
    const double g = weight / (area * density);
    Cantilever c(R"({"format": "tendril/1", )" + bar.rod(density) +
                 R"(, "constraints": [{"clamp": "bar:first"}], "environment": {"gravity": [0,0,)" + text(-g) +
                 R"(]}, "probes": {"R": {"reaction": "bar:first"}}, "solver": {"mode": "static"}})");
    SCOPED_TRACE("seed " + std::to_string(seed) + " E " + text(bar.E) + " L " + text(bar.L) + " r/L " +
                 text(bar.r / bar.L) + " n " + std::to_string(bar.n) + " g " + text(g));
    if (!c.report.accepted) {
      expectRefusalNames(c.report, bar.n);
      EXPECT_GT(bar.n, 300);
      continue;
    }
    ++solved;
    const double n = bar.n, expected = weight * std::pow(bar.L, 4) / (8 * bar.EI());
    EXPECT_NEAR(c.tip().z(), -expected, expected * (1e-6 + 3 / (n * n) + 1e-14 * n * n));
    EXPECT_NEAR(c.probe().z(), weight * bar.L, 1e-6 * weight * bar.L);
  }
  EXPECT_GT(solved, 50);
}

TEST(Loads, AFreeBarFallsWithGravityHoweverStiffItIs) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    Draw draw(2000 + seed);
    Bar bar = drawBar(draw);
    const double direction = draw.uniform(0, 2 * pi);
    bar.along = Vec3(std::cos(direction), 0.6 * std::sin(direction), 0.8 * std::sin(direction));
    const double g = draw.log(1e-3, 1e3), duration = draw.log(1e-4, 1);
    SceneRun run(R"({"format": "tendril/1", )" + bar.rod(1000) + R"(, "environment": {"gravity": [0,0,)" + text(-g) +
                 R"(]}, "probes": {"v": {"velocity": "bar"}}, "solver": {"dt": )" + text(duration / 10) +
                 R"(, "duration": )" + text(duration) + "}}");
    SCOPED_TRACE("seed " + std::to_string(seed) + " E " + text(bar.E) + " L " + text(bar.L) + " r/L " +
                 text(bar.r / bar.L) + " n " + std::to_string(bar.n) + " dt " + text(duration / 10));
    try {
      run.toEnd();
    } catch (const std::exception& gaveUp) {
      EXPECT_NE(std::string(gaveUp.what()).find(std::to_string(bar.n) + " edges"), std::string::npos) << gaveUp.what();
      EXPECT_GT(bar.n, 300);
      continue;
    }
    EXPECT_NEAR(run["v.z"], -g * duration, 1e-7 * g * duration);
    EXPECT_NEAR(run["v.x"], 0, 1e-7 * g * duration);
  }
}

TEST(Loads, ASupportThatIsMovedBendsAnUnloadedBarAsTheorySays) {
  int solved = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    Draw draw(3000 + seed);
    const Bar bar = drawBar(draw);
    const double d = bar.L * draw.log(1e-7, 1e-4);
    Cantilever c(R"({"format": "tendril/1", )" + bar.rod(1000) +
                 R"(, "constraints": [{"clamp": "bar:first"}, {"move": "bar:last", "displacement": [0,0,)" + text(d) +
                 R"(]}], "probes": {"R": {"reaction": "bar:first"}}, "solver": {"mode": "static"}})");
    SCOPED_TRACE("seed " + std::to_string(seed) + " E " + text(bar.E) + " L " + text(bar.L) + " r/L " +
                 text(bar.r / bar.L) + " n " + std::to_string(bar.n) + " d " + text(d));
    if (!c.report.accepted) {
      expectRefusalNames(c.report, bar.n);
      EXPECT_GT(bar.n, 300);
      continue;
    }
    ++solved;
    // The bar is held at both ends, so it is pulled a little longer: a part (d/r)^2 of the bending.
    const double n = bar.n, expected = 3 * bar.EI() * d / std::pow(bar.L, 3), pulled = std::pow(d / bar.r, 2);
    EXPECT_NEAR(c.probe().z(), -expected, expected * (1e-6 + 3 / (n * n) + 1e-14 * n * n + 2 * pulled));
  }
  EXPECT_GT(solved, 50);
}

TEST(Loads, FiftyThousandEdgesAreRefusedAtOnce) {
  Bar bar{1e6, 1, 0.02, 50000};
  Cantilever c(R"({"format": "tendril/1", )" + bar.rod(1000) +
               R"(, "constraints": [{"clamp": "bar:first"}], "environment": {"gravity": [0,0,-9.81]},
      "probes": {"R": {"reaction": "bar:first"}}, "solver": {"mode": "static"}})");
  ASSERT_FALSE(c.report.accepted);
  expectRefusalNames(c.report, 50000);
  // Every twelfth iteration asks whether it can end; round-off decides which of them sees it.
  EXPECT_LE(c.report.iterations, 36);
}

// Where even the signs of pivots are round-off, shifts lead on for thousands of iterations.
TEST(Loads, FiftyThousandEdgesThatLeanAreRefusedSoonToo) {
  Bar bar{1e11, 50, 0.01, 50000};
  bar.along = Vec3(0.6, 0.48, 0.64);
  Cantilever c(R"({"format": "tendril/1", )" + bar.rod(1000) + R"(, "constraints": [{"clamp": "bar:first"}],
      "loads": [{"force": [-2.33e-4, -6.12e-4, 6.78e-4], "at": "bar:last"}],
      "probes": {"R": {"reaction": "bar:first"}}, "solver": {"mode": "static"}})");
  ASSERT_FALSE(c.report.accepted);
  expectRefusalNames(c.report, 50000);
  EXPECT_LE(c.report.iterations, 36);
}

// A wire that holds a thick bar resists so little of what the bar's edges do that its pivots are lost: what acts on it
// must not be left out.
TEST(Loads, AWireThatHoldsAThickBarBearsItsLoadOrIsRefused) {
  for (const int n : {10, 20, 40}) {
    SceneRun run(test::filled(R"({"format": "tendril/1",
      "materials": {"wire": {"youngs": 8.148e5, "density": 1000}, "bar": {"youngs": 6.057e8, "density": 1000}},
      "rods": {"p": {"material": "wire", "section": {"circle": {"radius": 3.54e-4}}, "segments": $n, "path": {"line": {"from": [0,0,0], "to": [0.164,0,0]}}},
               "q": {"material": "bar", "section": {"circle": {"radius": 0.0619}}, "segments": $n, "path": {"line": {"from": [0.164,0,0], "to": [7.19,0,0]}}}},
      "constraints": [{"clamp": "p:first"}], "joints": [{"weld": ["p:last", "q:first"]}],
      "loads": [{"force": [0,0,4.5e-13], "at": "q:last"}, {"moment": [0,-2.9e-12,0], "at": "q:last"}],
      "probes": {"R": {"reaction": "p:first"}}, "solver": {"mode": "static", "tolerance": 1e-10}})",
                              {{"n", std::to_string(n)}}));
    try {
      run.toEnd();
    } catch (const std::exception&) {
      continue;
    }
    EXPECT_NEAR(run["R.z"], -4.5e-13, 1e-3 * 4.5e-13) << n;
  }
}

TEST(Loads, WhereNothingActsNothingIsSolvedInAnyUnit) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    Draw draw(3000 + seed);
    Bar bar = drawBar(draw);
    const double direction = draw.uniform(0, 2 * pi);
    bar.along = Vec3(std::cos(direction), 0.6 * std::sin(direction), 0.8 * std::sin(direction));
    Cantilever c(R"({"format": "tendril/1", )" + bar.rod(1000) +
                 R"(, "constraints": [{"clamp": "bar:first"}], "loads": [{"force": [0,0,0], "at": "bar:last"}],
      "probes": {"R": {"reaction": "bar:first"}}, "solver": {"mode": "static"}})");
    EXPECT_TRUE(c.report.accepted);
    EXPECT_EQ(c.report.iterations, 0);
    EXPECT_TRUE(c.tip().isZero(0));
  }
}

}  // namespace loads_test
}  // namespace tendril::test
