// Time of a run: landing on the end, cut steps that are reported and land on time, adaptive steps, honest failure with
// the state kept, stopping in between.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/simulation/run_scene.h"

namespace tendril {
namespace stepping_test {

using test::column;
using test::filled;

// A free straight rod, 0.2 m, spinning about its middle at $omega rad/s: a step of 10 ms turns it by omega/100.
const char* const spinning = R"J({"format": "tendril/1",
"materials": {"rubber": {"youngs": 1e8, "poisson": 0.4, "density": 1000}},
"rods": {"rod": {"section": {"circle": {"radius": 5e-3}}, "segments": 4,
                 "path": {"line": {"from": [-0.1, 0, 0], "to": [0.1, 0, 0]}}}},
"initial": [{"of": "rod", "velocity": [0, 0, "=$omega*x"]}],
"solver": {$solver},
"probes": {"tip": {"position": "rod:last"}, "speed": {"speed": "rod:last"}}$more})J";

std::string text(const std::string& omega, const std::string& solver, const std::string& more = "") {
  return filled(spinning, {{"omega", omega}, {"solver", solver}, {"more", more}});
}

// Steps that land on the times of checks are even: BDF2 loses no order there, whatever is looked at.
TEST(Stepping, LandingOnChecksCostsNoOrder) {
  const auto energyWith = [](int checks) {
    std::string list;
    for (int i = 0; i < checks; ++i)
      list += std::string(i ? ", " : "") + R"({"expect": "1", "at": )" +
              test::digits(0.0049 * (i + 0.37 * std::sin(i) + 1)) + "}";
    Simulation sim(filled(
        R"J({"format": "tendril/1", "materials": {"m": {"youngs": 2e6, "poisson": 0.5, "density": 1200, "damping": 2000}},
      "rods": {"a": {"section": {"circle": {"radius": 0.003}}, "segments": 20, "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}}},
      "constraints": [{"clamp": "a:first"}], "solver": {"integrator": "bdf2", "duration": 0.5, "start": "equilibrium",
      "with": [{"force": [0, 0, -0.01], "at": "a:last"}], "adaptive": {"min": 1e-7, "max": 0.002}}, "probes": {"E": {"energy": "total"}}, "checks": [$checks]})J",
        {{"checks", list}}));
    test::runToEnd(sim);
    return column(sim, "E");
  };
  const double none = energyWith(0);
  EXPECT_NEAR(energyWith(100), none, 0.005 * none);
}

bool mentions(const std::vector<std::string>& warnings, const std::string& word) {
  return std::any_of(warnings.begin(), warnings.end(),
                     [&](const std::string& w) { return w.find(word) != std::string::npos; });
}

TEST(Stepping, LandsOnTheEndAndNowhereElse) {
  Simulation sim(text("1", R"("dt": 0.03, "duration": 0.1)"));
  std::vector<double> times;
  while (!sim.finished()) {
    sim.step();
    times.push_back(sim.time());
  }
  ASSERT_EQ(times.size(), 4u);
  EXPECT_DOUBLE_EQ(times[0], 0.03);
  EXPECT_DOUBLE_EQ(times[2], 0.09);
  EXPECT_EQ(times[3], 0.1);
  EXPECT_EQ(sim.step().steps, 0);  // nothing after the end
}

TEST(Stepping, ManyStepsCarryNoSumOfRoundOff) {
  Simulation sim(text("0", R"("dt": 0.001, "duration": 1)"));
  const Progress p = sim.advance(1);
  EXPECT_EQ(p.steps, 1000);
  EXPECT_EQ(sim.time(), 1.0);
}

TEST(Stepping, StepsThatDoNotConvergeAreCutReportedAndLandOnTime) {
  Simulation sim(text("200", R"("integrator": "implicit-midpoint", "dt": 0.01, "duration": 0.1)"));
  const Progress total = test::runToEnd(sim);
  EXPECT_GT(total.retries, 0);
  EXPECT_TRUE(mentions(total.warnings, "was cut")) << "no warning";
  EXPECT_EQ(sim.time(), 0.1);
  // The cut happened inside the asked steps: each multiple of dt was reached.
  Simulation again(text("200", R"("integrator": "implicit-midpoint", "dt": 0.01, "duration": 0.1)"));
  int landed = 0;
  while (!again.finished()) {
    again.step();
    const double steps = again.time() / 0.01;
    if (std::abs(steps - std::round(steps)) < 1e-9) ++landed;
  }
  EXPECT_EQ(landed, 10);
  EXPECT_NEAR(again.time(), sim.time(), 0);
}

TEST(Stepping, AdaptiveStepsShrinkOnTroubleGrowBackAndLandOnChecks) {
  // The first edge is swung by 3 rad between 0.1 and 0.14 s: a step of 0.04 s cannot follow.
  const std::string swing = R"J(, "constraints": [{"fix": "rod:0"}, {"move": "rod:1",
    "displacement": ["=0.05*(cos(3*smooth(t, 0.1, 0.14)) - 1)", 0, "=0.05*sin(3*smooth(t, 0.1, 0.14))"]}],
    "checks": [{"at": 0.0415, "expect": "1"}, {"at": 0.29, "expect": "1"}])J";
  Simulation sim(text("0", R"("dt": 0.02, "duration": 0.5, "adaptive": {"min": 1e-5, "max": 0.04})", swing));
  double before = 0, smallest = 1, largest = 0;
  bool landed = false;
  long retries = 0;
  while (!sim.finished()) {
    retries += sim.step().retries;
    smallest = std::min(smallest, sim.time() - before);
    if (sim.time() > 0.2 && sim.time() < 0.49) largest = std::max(largest, sim.time() - before);
    before = sim.time();
    landed = landed || sim.time() == 0.0415;
  }
  EXPECT_GT(retries, 0);
  EXPECT_LT(smallest, 0.021);
  EXPECT_NEAR(largest, 0.04, 1e-12);
  EXPECT_TRUE(landed);
  EXPECT_EQ(sim.time(), 0.5);
  EXPECT_EQ(sim.checks().size(), 2u);
}

TEST(Stepping, GivesUpHonestlyWithTheStateKept) {
  // The smallest step allowed still turns the rod by 4 rad.
  Simulation sim(text(
      "400",
      R"("integrator": "implicit-midpoint", "dt": 0.01, "duration": 0.1, "adaptive": {"min": 0.01, "max": 0.01})"));
  const auto before = test::allNodes(sim);
  try {
    sim.step();
    ADD_FAILURE() << "the step was taken";
  } catch (const GaveUp& gaveUp) {
    EXPECT_NE(std::string(gaveUp.what()).find("t = 0 s"), std::string::npos) << gaveUp.what();
    EXPECT_NE(std::string(gaveUp.what()).find("; a smaller \"min\" of \"adaptive\""), std::string::npos)
        << gaveUp.what();
    EXPECT_EQ(gaveUp.repeats, "") << "no step was cut before";
  }
  EXPECT_EQ(sim.time(), 0);
  EXPECT_EQ(test::allNodes(sim), before);
  EXPECT_NEAR(column(sim, "speed"), 40, 1e-12);
}

struct End {
  std::string what, repeats;
  std::vector<std::string> warnings;  // of the steps before
};

// Of a rod that spins too fast for its first steps.
End endOf(const std::string& more) {
  Simulation sim(text("200", R"("integrator": "implicit-midpoint", "dt": 0.01, "duration": 0.1)", more));
  End end;
  try {
    while (!sim.finished()) {
      const Progress p = sim.step();
      end.warnings.insert(end.warnings.end(), p.warnings.begin(), p.warnings.end());
    }
  } catch (const GaveUp& gaveUp) {
    end.what = gaveUp.what(), end.repeats = gaveUp.repeats;
  }
  return end;
}

TEST(Stepping, ARunThatGivesUpSaysWhatToTryAndNamesTheWarningThatItRepeats) {
  const End end = endOf(
      R"J(, "obstacles": {"ball": {"sphere": {"center": [0, 0, 1], "radius": 0.02}, "displacement": [0, 0, "=-2*(t > 0.045)"]}})J");
  EXPECT_NE(end.what.find("no convergence in 50 iterations; a smaller \"dt\", "), std::string::npos) << end.what;
  EXPECT_NE(end.repeats.find("(no convergence in 50 iterations) and was cut"), std::string::npos) << end.repeats;
  EXPECT_EQ(end.warnings, std::vector<std::string>{end.repeats});
}

TEST(Stepping, AFormulaThatFailsAfterACutRepeatsNoWarning) {
  const End end = endOf(R"J(, "loads": [{"force": [0, 0, "=1e-3*sqrt(0.045 - t)"], "at": "rod:last"}])J");
  EXPECT_TRUE(mentions(end.warnings, "was cut"));
  EXPECT_NE(end.what.find("sqrt(0.045 - t)"), std::string::npos) << end.what;
  EXPECT_EQ(end.what.find("may help"), std::string::npos) << end.what;
  EXPECT_EQ(end.repeats, "");
}

TEST(Stepping, AFormulaThatFailsEndsTheRunWhereItStands) {
  const std::string more = R"J(, "loads": [{"force": [0, 0, "=1e-3*sqrt(0.045 - t)"], "at": "rod:last"}])J";
  Simulation sim(text("0", R"("dt": 0.01, "duration": 0.1)", more));
  try {
    test::runToEnd(sim);
    ADD_FAILURE() << "the run went on";
  } catch (const GaveUp& gaveUp) {
    EXPECT_NE(std::string(gaveUp.what()).find("sqrt(0.045 - t)"), std::string::npos) << gaveUp.what();
  }
  EXPECT_DOUBLE_EQ(sim.time(), 0.04);
  EXPECT_TRUE(std::isfinite(column(sim, "tip.z")));
}

TEST(Stepping, StopsBetweenNewtonIterations) {
  Simulation sim(text("20", R"("dt": 0.01, "duration": 1)"));
  sim.advance(0.05);
  const double t = sim.time();
  const auto before = test::allNodes(sim);
  const Progress p = sim.advance(0.5, [] { return false; });
  EXPECT_EQ(p.steps, 0);
  EXPECT_EQ(sim.time(), t);
  EXPECT_EQ(test::allNodes(sim), before);
  EXPECT_EQ(sim.advance(0.05).steps, 5);  // and it goes on
}

}  // namespace stepping_test
}  // namespace tendril
