// Live parameters: a value set while the run goes on equals a run whose formula switches to it at that time; others
// restart the run.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/simulation/run_scene.h"

namespace tendril {
namespace live_test {

using test::filled;

const char* const arm = R"J({"format": "tendril/1",
"parameters": {"E": {"value": 2e5, "min": 1e5, "max": 1e6}, "g": {"value": 9.81, "min": 0, "max": 20},
               "f": {"value": 2, "min": 0, "max": 9}, "length": {"value": 0.3, "min": 0.1, "max": 1}, "twice": "=2*f"},
"materials": {"rubber": {"youngs": $E, "poisson": 0.4, "density": 1000}},
"rods": {"arm": {"section": {"circle": {"radius": 0.01}}, "segments": 8,
                 "path": {"line": {"from": [0, 0, 0], "to": ["=length", 0, 0]}}}},
"constraints": [{"clamp": "arm:first"}],
"environment": {"gravity": [0, 0, $gravity]},
"actuation": [{"rod": "arm", "curvature": [0, $curvature]}],
"solver": {"integrator": "$integrator", "dt": $dt, "duration": 0.4},
"probes": {"tip": {"position": "arm:last"}}})J";

std::string text(const std::string& integrator, const std::string& dt, const std::string& youngs,
                 const std::string& gravity, const std::string& curvature) {
  return filled(
      arm, {{"integrator", integrator}, {"dt", dt}, {"E", youngs}, {"gravity", gravity}, {"curvature", curvature}});
}

// Steps begin at 0.2 s: a formula of t that switches just after 0.2 s sees the new value in the same steps.
TEST(LiveParameter, ActsAsARunThatHasItFromThenOn) {
  for (const char* integrator : {"implicit-euler", "implicit-midpoint", "symplectic-euler"}) {
    const std::string dt = std::string(integrator) == "symplectic-euler" ? "5e-4" : "4e-3";
    Simulation live(text(integrator, dt, "\"=E\"", R"("=-g")", R"("=twice")"));
    EXPECT_EQ(live.advance(0.2).time, 0.2);
    EXPECT_TRUE(live.set("g", 3));
    EXPECT_TRUE(live.set("f", 5));  // through a derived parameter
    test::runToEnd(live);
    // Symplectic Euler evaluates at the start of a step, the others within or at its end.
    const std::string after = std::string(integrator) == "symplectic-euler" ? "t > 0.19999" : "t > 0.20001";
    Simulation switched(
        text(integrator, dt, "\"=E\"", "\"=" + after + " ? -3 : -g\"", "\"=" + after + " ? 10 : twice\""));
    test::runToEnd(switched);
    const auto a = test::allNodes(live), b = test::allNodes(switched);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-9) << integrator;
    Simulation untouched(text(integrator, dt, "\"=E\"", R"("=-g")", R"("=twice")"));
    test::runToEnd(untouched);
    EXPECT_GT(std::abs(test::allNodes(untouched).back() - a.back()), 1e-3) << integrator;
  }
}

TEST(LiveParameter, MaterialsChangeWhilePositionsAndVelocitiesStay) {
  Simulation sim(text("implicit-euler", "4e-3", "\"=E\"", R"("=-g")", "0"));
  sim.advance(0.2);
  const auto before = test::allNodes(sim);
  EXPECT_TRUE(sim.set("E", 9e5));
  EXPECT_EQ(test::allNodes(sim), before);
  EXPECT_EQ(sim.time(), 0.2);
  Simulation softer(text("implicit-euler", "4e-3", "\"=E\"", R"("=-g")", "0"));
  test::runToEnd(softer);
  test::runToEnd(sim);
  EXPECT_GT(std::abs(test::column(sim, "tip.z") - test::column(softer, "tip.z")), 0.01);  // but it swings otherwise
}

TEST(LiveParameter, WhatShapesTheSceneRestartsTheRun) {
  Simulation sim(text("implicit-euler", "4e-3", "\"=E\"", R"("=-g")", "0"));
  sim.advance(0.2);
  EXPECT_FALSE(sim.set("length", 0.5));
  EXPECT_EQ(sim.time(), 0);
  EXPECT_DOUBLE_EQ(test::column(sim, "tip.x"), 0.5);
}

TEST(LiveParameter, ALoadOfTheStartAloneRestartsTheRun) {
  Simulation sim(R"J({"format": "tendril/1", "parameters": {"F": {"value": 0.01, "min": 0, "max": 1}},
"materials": {"rubber": {"youngs": 1e6, "poisson": 0.4, "density": 1000}},
"rods": {"arm": {"section": {"circle": {"radius": 0.01}}, "segments": 8,
                 "path": {"line": {"from": [0, 0, 0], "to": [0.3, 0, 0]}}}},
"constraints": [{"clamp": "arm:first"}],
"solver": {"dt": 0.01, "duration": 1, "start": "equilibrium", "with": [{"force": [0, 0, "=F"], "at": "arm:last"}]},
"probes": {"tip": {"position": "arm:last"}}})J");
  const double before = test::column(sim, "tip.z");
  sim.advance(0.1);
  EXPECT_FALSE(sim.set("F", 0.02));
  EXPECT_EQ(sim.time(), 0);
  EXPECT_NEAR(test::column(sim, "tip.z"), 2 * before, 0.05 * before);
}

TEST(LiveParameter, RefusesWhatTheSceneCannotTake) {
  Simulation sim(text("implicit-euler", "4e-3", "\"=E\"", R"("=-g")", "0"));
  sim.advance(0.2);
  const auto before = sim.save();
  EXPECT_THROW(sim.set("E", -1), BadScene);
  EXPECT_THROW(sim.set("Young", 1e5), BadScene);
  EXPECT_THROW(sim.set("length", 0), BadScene);
  EXPECT_EQ(sim.save(), before);
}

}  // namespace live_test
}  // namespace tendril
