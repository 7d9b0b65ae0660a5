// How a run's steps are asked for and reported: refusals of steps that are too long, and words about steps that were
// cut.
#include <gtest/gtest.h>

#include "engine/simulation/run_scene.h"

namespace tendril {
namespace steps_test {

const char* const arm = R"J({"format": "tendril/1",
"materials": {"rubber": {"youngs": 1e6, "density": 1100}},
"rods": {"arm": {"section": {"circle": {"radius": 1e-3}}, "segments": 20,
                 "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}}},
"constraints": [{"clamp": "arm:first"}],
"environment": {"gravity": [0, 0, -9.81]},
"solver": {$solver}})J";

TEST(Steps, CutStepsAreSaidOnceAndCounted) {
  Simulation sim(test::filled(arm, {{"solver", R"("iterations": 2, "dt": 0.05, "duration": 0.2)"}}));
  const Progress run = test::runToEnd(sim);
  EXPECT_GT(run.retries, 10);
  EXPECT_EQ(run.warnings.size(), 1u);
}

TEST(Steps, AnAdaptiveExplicitStepMayNotGrowPastTheStableOne) {
  const auto refused = [](const std::string& solver) {
    try {
      Simulation sim(test::filled(arm, {{"solver", solver}}));
    } catch (const BadScene& bad) {
      return bad.problems.at(0).pointer;
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refused(R"("integrator": "verlet", "dt": 1e-7, "adaptive": {"min": 1e-8, "max": 1e-3})"),
            "/solver/adaptive/max");
  EXPECT_EQ(refused(R"("integrator": "verlet", "dt": 1e-3, "adaptive": {"min": 1e-8, "max": 1e-3})"), "/solver/dt");
  EXPECT_EQ(refused(R"("integrator": "verlet", "dt": 1e-7, "adaptive": {"min": 1e-8, "max": 1e-7})"), "accepted");
}

TEST(Steps, AStaticRunBeginsWhereNothingIsDrivenYet) {
  Simulation sim(R"J({"format": "tendril/1", "materials": {"rubber": {"youngs": 1e7, "density": 1100}},
    "rods": {"arm": {"section": {"circle": {"radius": 1e-3}}, "segments": 10,
                     "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}}},
    "constraints": [{"clamp": "arm:first"}, {"move": "arm:last", "displacement": [0, 0, 0.01]}],
    "solver": {"mode": "static", "loadSteps": 2}, "probes": {"tip": {"position": "arm:last"}}})J");
  EXPECT_EQ(test::column(sim, "tip.z"), 0);
  sim.step();
  EXPECT_DOUBLE_EQ(test::column(sim, "tip.z"), 0.005);
  sim.step();
  EXPECT_DOUBLE_EQ(test::column(sim, "tip.z"), 0.01);
}

}  // namespace steps_test
}  // namespace tendril
