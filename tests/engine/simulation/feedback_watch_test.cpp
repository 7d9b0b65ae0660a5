// Feedback that is too strong for its step is told, with a step that holds it; what is calm, and what merely rings, is
// not.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <regex>

#include "engine/simulation/run_scene.h"
#include "scene/scene.h"
#include "simulation/inside.h"

namespace tendril {
namespace feedback_watch_test {

using test::column;
using test::digits;
using test::filled;

/// The warning of feedback, or empty, and the largest dt that it says holds (0: none).
struct Told {
  std::string text;
  double dt = 0;
};

Told toldOf(const std::vector<std::string>& warnings) {
  Told out;
  for (const std::string& w : warnings) {
    if (w.find("too strong for its step") == std::string::npos) continue;
    out.text = w;
    std::smatch found;
    if (std::regex_search(w, found, std::regex("a \"dt\" of ([^ ]+) s"))) out.dt = std::stod(found[1]);
    return out;
  }
  return out;
}

struct Outcome {
  Told told;
  std::map<std::string, double> end;
  bool gaveUp = false;
  bool late = false;  // by what is fed over many steps (LagWatch)
};

Outcome watched(const std::string& text, const std::map<std::string, double>& with = {}) {
  Outcome out;
  std::vector<std::string> warnings;
  Simulation sim(text, with);
  try {
    while (!sim.finished()) {
      const Progress p = sim.step();
      warnings.insert(warnings.end(), p.warnings.begin(), p.warnings.end());
    }
  } catch (const GaveUp& gaveUp) {
    out.gaveUp = true;
    warnings.insert(warnings.end(), gaveUp.spent.warnings.begin(), gaveUp.spent.warnings.end());
  }
  out.told = toldOf(warnings);
  for (const std::string& w : warnings) out.late = out.late || w.find("one step late") != std::string::npos;
  for (const std::string& name : sim.columns()) out.end[name] = column(sim, name);
  return out;
}

// A soft cantilever, its tip held at a height by a spring and a damper that a controller plays.
const char* const cantilever = R"J({"format": "tendril/1",
"parameters": {"K": {"value": $K}, "D": {"value": $D}},
"materials": {"silicone": {"youngs": 2e6, "density": 1200, "damping": 1e4}},
"rods": {"arm": {"section": {"circle": {"radius": 5e-3}}, "segments": 20, "path": {"line": {"from": [0, 0, 0], "to": [0.15, 0, 0]}}}},
"constraints": [{"clamp": "arm:first"}],
"environment": {"gravity": [0, 0, -9.81]},
"loads": [{"force": [0, 0, "=-K*tip.z - D*speed.z"], "at": "arm:last"}],
"probes": {"tip": {"position": "arm:last"}, "speed": {"velocity": "arm:last"}},
"solver": {"integrator": "$integrator", "dt": $dt, "duration": 1.5}})J";

// A pendulum of one link that a side wind of weight lets swing, with a motor that plays a damper.
const char* const pendulum = R"J({"format": "tendril/1",
"linkages": {"arm": {"base": {"forward": [0, 0, -1], "up": [1, 0, 0]}, "links": {"bar": {"joint": {"revolute": {"axis": "y", "torque": "=$K*tip.x"}},
  "body": {"rigid": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "density": 1000}}}}}},
"environment": {"gravity": [0.5, 0, -9.81]},
"probes": {"angle": {"jointAngle": "arm/bar"}, "tip": {"velocity": "arm:tip"}},
"solver": {"integrator": "$integrator", "dt": $dt, "duration": 2}})J";

std::string cantileverWith(double K, double D, double dt, const std::string& integrator = "implicit-euler") {
  return filled(cantilever, {{"K", digits(K)}, {"D", digits(D)}, {"dt", digits(dt)}, {"integrator", integrator}});
}

TEST(FeedbackWatch, AStiffLoopIsToldWithAStepThatHoldsIt) {
  const Outcome ill = watched(cantileverWith(60, 1, 0.01));
  ASSERT_NE(ill.told.text.find("the feedback \"=-K*tip.z - D*speed.z\" (at /loads/0/force/2)"), std::string::npos)
      << ill.told.text;
  ASSERT_GT(ill.told.dt, 1e-5);
  ASSERT_LT(ill.told.dt, 0.01);
  // There the tip hangs by what K leaves of the weight, and so it does at a tenth of that step.
  const Outcome calm = watched(cantileverWith(60, 1, ill.told.dt)),
                finer = watched(cantileverWith(60, 1, 0.1 * ill.told.dt));
  EXPECT_EQ(calm.told.text, "");
  EXPECT_NEAR(calm.end.at("tip.z"), -0.00085552, 1e-7);
  EXPECT_NEAR(finer.end.at("tip.z"), calm.end.at("tip.z"), 1e-8);
  EXPECT_GT(std::abs(ill.end.at("tip.z") - calm.end.at("tip.z")), 5e-3);
}

TEST(FeedbackWatch, ALoopThatItsStepBearsIsNotTold) {
  for (const double K : {1.0, 10.0, 60.0}) EXPECT_EQ(watched(cantileverWith(K, 0, 0.01)).told.text, "") << K;
  for (const double K : {1.0, 60.0, 400.0}) EXPECT_EQ(watched(cantileverWith(K, 1, 0.001)).told.text, "") << K;
}

TEST(FeedbackWatch, WhatRingsByItselfIsNotTold) {
  // Vibrations that the midpoint rule does not resolve turn about in every step, and the loop is far too weak to make
  // them.
  const std::string text =
      filled(cantilever, {{"K", "1e-6"}, {"D", "1e-9"}, {"dt", "0.02"}, {"integrator", "implicit-midpoint"}});
  EXPECT_EQ(watched(std::regex_replace(text, std::regex(R"(, "damping": 1e4)"), "")).told.text, "");
}

TEST(FeedbackWatch, RandomLoopsAreToldWhereTheyGoWrong) {
  std::mt19937 random(5);
  const auto uniform = [&](double a, double b) { return a + (b - a) * double(random() % 100003) / 100003; };
  int told = 0;
  for (int i = 0; i < 16; ++i) {
    const bool rod = i % 2 == 0;
    const double K = std::pow(10, uniform(0, 2.5)), D = uniform(0, 1) < 0.5 ? 0 : std::pow(10, uniform(-2, 1));
    const std::string integrator = rod          ? (i % 4 == 0 ? "implicit-euler" : "bdf2")
                                   : i % 4 == 1 ? "generalized-alpha"
                                                : "implicit-euler";
    const auto scene = [&](double dt) {
      if (rod) return cantileverWith(K, D, dt, integrator);
      return filled(pendulum, {{"K", digits(0.05 * K)}, {"dt", digits(dt)}, {"integrator", integrator}});
    };
    const std::string end = rod ? "tip.z" : "angle";
    const Outcome run = watched(scene(0.01)), fine = watched(scene(0.0005));
    const double off = std::abs(run.end.at(end) - fine.end.at(end));
    // Slower swings, which the delay of a spring feeds over many steps, are what LagWatch looks for.
    if ((!rod || integrator == "implicit-euler") && (run.gaveUp || off > (rod ? 5e-3 : 0.1))) {
      EXPECT_NE(run.told.text, "") << scene(0.01) << " off by " << off;
    }
    EXPECT_EQ(fine.told.text, "") << scene(0.0005);
    if (run.told.text.empty()) continue;
    ++told;
    ASSERT_GT(run.told.dt, 0) << run.told.text;
    EXPECT_EQ(watched(scene(run.told.dt)).told.text, "") << run.told.text;
  }
  EXPECT_GT(told, 3);
}

TEST(FeedbackWatch, AStateWhoseRateIsTooStiffIsTold) {
  const std::string text = R"J({"format": "tendril/1",
"materials": {"m": {"youngs": 1e6, "density": 1000}},
"rods": {"arm": {"section": {"circle": {"radius": 5e-3}}, "segments": 3, "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}}},
"constraints": [{"clamp": "arm:first"}],
"states": {"lag": {"rate": "=250*(1 - lag)"}}, "probes": {"seen": {"formula": "lag"}},
"solver": {"dt": $dt, "duration": 0.4}})J";
  const Outcome ill = watched(filled(text, {{"dt", "0.01"}}));
  EXPECT_NE(ill.told.text.find("/states/lag/rate"), std::string::npos) << ill.told.text;
  ASSERT_GT(ill.told.dt, 0);
  const Outcome calm = watched(filled(text, {{"dt", digits(ill.told.dt)}}));
  EXPECT_EQ(calm.told.text, "");
  EXPECT_NEAR(calm.end.at("seen"), 1, 1e-6);
}

TEST(FeedbackWatch, ALoopWithoutDelayOfItsOwnIsToldThatNoStepHoldsIt) {
  // The motor's effort is there at once, however short the step.
  const std::string text = R"J({"format": "tendril/1",
"linkages": {"arm": {"links": {
  "hub": {"joint": {"revolute": {"axis": "y", "angle": 0}}, "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 1000}}},
  "bar": {"joint": {"fixed": {}}, "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 1000}}}}}},
"loads": [{"moment": [0, "=1.5*(effort - 0.1)", 0], "at": "arm/bar:tip"}],
"environment": {"gravity": [0, 0, -9.81]},
"probes": {"effort": {"jointEffort": "arm/hub"}},
"solver": {"dt": 0.01, "duration": 1}})J";
  const Outcome ill = watched(text);
  EXPECT_NE(ill.told.text.find("no shorter \"dt\" stabilizes it"), std::string::npos) << ill.told.text;
}

TEST(FeedbackWatch, SteeringOfAVineIsTold) {
  const std::string text = R"J({"format": "tendril/1",
"vines": {"v": {"bodies": 8, "length": 0.4, "diameter": 0.03, "massPerLength": 0.05, "bendingStiffness": 0.01, "bendingDamping": 1e-4,
  "growth": 0, "steer": "=-$K*head.y"}},
"environment": {"gravity": [0, -1, 0]},
"probes": {"head": {"position": "v:tip"}},
"solver": {"dt": 0.02, "duration": 3}})J";
  EXPECT_NE(watched(filled(text, {{"K", "10"}})).told.text.find("/vines/v/steer"), std::string::npos);
  EXPECT_EQ(watched(filled(text, {{"K", "1"}})).told.text, "");
}

TEST(FeedbackWatch, NoSceneOfTheGalleryIsTold) {
  int seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(TENDRIL_SOURCE_DIR) + "/scenes")) {
    if (entry.path().extension() != ".json" || entry.path().stem() == "tendril.schema") continue;
    std::ifstream in(entry.path());
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    Simulation first(text);
    if (sceneOf(first).feedback.empty()) continue;
    ++seen;
    const Outcome run = watched(text);
    EXPECT_EQ(run.told.text, "") << entry.path();
    EXPECT_FALSE(run.late) << entry.path();
  }
  EXPECT_GT(seen, 0);
}

// Formulas of the point that they act on are looked at where it is: this one has no value at the origin, and the link
// never comes there.
TEST(FeedbackWatch, AFormulaOfItsPointIsLookedAtWhereThePointIs) {
  const char* const text = R"J({"format": "tendril/1",
"linkages": {"arm": {"base": {"forward": [0, 0, -1], "up": [1, 0, 0]}, "links": {"bar": {"joint": {"revolute": {"axis": "y"}},
  "body": {"rigid": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "density": 1000}}}}}},
"environment": {"gravity": [0.5, 0, -9.81]},
"loads": [{"force": ["=$force", 0, 0], "at": "arm:tip"}],
"probes": {"angle": {"jointAngle": "arm/bar"}, "tip": {"velocity": "arm:tip"}},
"solver": {"integrator": "generalized-alpha", "dt": $dt, "duration": 2}})J";
  for (const char* force : {"-10*tip.x", "-3*tip.x/sqrt(x*x + y*y + z*z)", "-3*tip.x/sqrt(x*x + y*y + z*z)*(tz < 0)"}) {
    EXPECT_NE(watched(filled(text, {{"force", force}, {"dt", "0.01"}})).told.text, "") << force;
    EXPECT_EQ(watched(filled(text, {{"force", force}, {"dt", "0.001"}})).told.text, "") << force;
  }
}

}  // namespace feedback_watch_test
}  // namespace tendril
