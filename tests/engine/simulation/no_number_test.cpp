// A value that is no number: it ends nothing that only shows it, fails a check and says so, and ends a run where it acts.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/simulation/run_scene.h"

namespace tendril {
namespace {

const char* const ball = R"J({"format": "tendril/1", "parameters": {"F": {"value": 0, "min": 0, "max": 1}},
"rods": {"rod": {"section": {"stiffness": {"EA": 1, "EI1": 1e-4, "EI2": 1e-4, "GJ": 1e-4, "massPerLength": 1, "radius": 0.01}},
                 "segments": 2, "path": {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}}}},
"environment": {"gravity": [0, 0, -10]}, "solver": {"dt": 0.01, "duration": 0.1}, $more
"probes": {"end": {"position": "rod:last"}, "share": {"formula": "end.z/F"}, "late": {"formula": "1/(t - 0.05)"},
           "twice": {"formula": "2*share"}},
"checks": [{"title": "own", "expect": "end.y/F < 0 || F == 0"}, {"title": "share", "expect": "share < 1"},
           {"title": "not", "expect": "!(share > 1)"}, {"title": "always", "at": "always", "expect": "share < 1"},
           {"title": "ever", "at": "ever", "expect": "share < 1"}, {"title": "fell", "expect": "end.z < 0"}]})J";

TEST(NoNumber, InADisplayIsLeftOutWithOneWarningEach) {
  Simulation sim(test::filled(ball, {{"more", ""}}));
  const Progress run = test::runToEnd(sim);
  EXPECT_TRUE(sim.finished());
  EXPECT_TRUE(std::isnan(test::column(sim, "share")));
  EXPECT_TRUE(std::isnan(test::column(sim, "twice")));
  EXPECT_NEAR(test::column(sim, "late"), 20, 1e-6);
  ASSERT_EQ(run.warnings.size(), 3u);
  EXPECT_NE(run.warnings[0].find("\"share\""), std::string::npos);
  EXPECT_NE(run.warnings[0].find("gave no number (NaN) at t = 0 s"), std::string::npos) << run.warnings[0];
}

TEST(NoNumber, FailsItsCheckAndSaysSo) {
  Simulation sim(test::filled(ball, {{"more", ""}}));
  test::runToEnd(sim);
  const auto checks = sim.checks();
  ASSERT_EQ(checks.size(), 6u);
  for (const CheckResult& check : checks) {
    EXPECT_EQ(check.passed, check.title == "fell") << check.title;
    EXPECT_EQ(check.reason.find("its value is not a number") == 0, check.title != "fell") << check.title << check.reason;
  }
}

TEST(NoNumber, EndsARunWhereItActs) {
  const std::string text = test::filled(ball, {{"more", R"J("loads": [{"force": [0, 0, "=share > 1 ? 1 : 0"], "at": "rod:first"}],)J"}});
  try {
    Simulation sim(text);
    test::runToEnd(sim);
    FAIL();
  } catch (const GaveUp& error) {
    EXPECT_NE(std::string(error.what()).find("/loads/0"), std::string::npos) << error.what();
    ASSERT_FALSE(error.spent.warnings.empty());  // the display's word is not lost
    EXPECT_NE(error.spent.warnings[0].find("\"share\""), std::string::npos);
  }
}

// The last steps of a call count, whatever ends it.
TEST(GivingUp, TellsWhatTheWholeCallSpentAndSaid) {
  const std::string text = test::filled(ball, {{"more", R"J("loads": [{"force": [0, 0, "=sqrt(0.055 - t)"], "at": "rod:first"}],)J"}});
  Simulation sim(text), stepwise(text);
  Progress sum;
  try {
    while (true) {
      const Progress one = stepwise.step();
      sum.steps += one.steps, sum.iterations += one.iterations;
    }
  } catch (const GaveUp& error) {
    sum.steps += error.spent.steps, sum.iterations += error.spent.iterations;
  }
  try {
    sim.advance(1);
    FAIL();
  } catch (const GaveUp& error) {
    EXPECT_EQ(error.spent.steps, 5);
    EXPECT_EQ(error.spent.steps, sum.steps);
    EXPECT_EQ(error.spent.iterations, sum.iterations);
    EXPECT_EQ(error.spent.time, sim.time());
    EXPECT_NEAR(sim.time(), 0.05, 1e-12);
    EXPECT_EQ(error.spent.warnings.size(), 3u);
  }
  EXPECT_EQ(sim.save(), stepwise.save());
}

TEST(Duration, StaysThroughResetSetAndSave) {
  const std::string text = test::filled(ball, {{"more", ""}});
  Simulation sim(text);
  sim.setDuration(0.3);
  sim.advance(0.02);
  Simulation other(text);
  other.restore(sim.save());
  EXPECT_EQ(other.duration(), 0.3);
  EXPECT_EQ(other.save(), sim.save());
  sim.reset();
  EXPECT_EQ(sim.duration(), 0.3);
  EXPECT_TRUE(sim.set("F", 0.5) || sim.time() == 0);
  EXPECT_EQ(sim.duration(), 0.3);
  test::runToEnd(sim);
  EXPECT_EQ(sim.time(), 0.3);
}

TEST(StartJump, OfASupportIsNamed) {
  const auto warnings = [](const std::string& constraint, const std::string& solver) {
    const Simulation sim(test::filled(ball, {{"more", "\"constraints\": [" + constraint + "]," + solver}}));
    std::string all;
    for (const Problem& p : sim.sceneWarnings()) all += p.pointer + ": " + p.message + "\n";
    return all;
  };
  for (const char* jumps : {R"J({"clamp": "rod:first", "displacement": [0, 0, "=0.02*cos(t)"]})J",
                            R"J({"clamp": "rod:first", "rotation": {"axis": [0, 1, 0], "angle": 0.3}})J",
                            R"J({"move": "rod:first", "displacement": [0, 0, 0.02]})J"}) {
    EXPECT_NE(warnings(jumps, "").find("/constraints/0: at t = 0 this support is"), std::string::npos) << jumps;
  }
  for (const char* smooth : {R"J({"clamp": "rod:first", "displacement": [0, 0, "=0.02*sin(t)"]})J",
                             R"J({"clamp": "rod:first", "rotation": {"axis": [0, 1, 0], "angle": "=t"}})J",
                             R"J({"move": "rod:first", "displacement": [0, 0, 0.02], "from": 0.05})J"}) {
    EXPECT_EQ(warnings(smooth, "").find("this support is"), std::string::npos) << smooth;
  }
}

TEST(ExplicitSteps, RefuseAMasslessFreedomThatASpringHolds) {
  const char* const text = R"J({"format": "tendril/1", "linkages": {"arm": {"links": {"tip": {
    "joint": {"spherical": {"stiffness": 0.1}},
    "body": {"rigid": {"length": 0.2, "mass": 0.1, "inertia": [0, 1e-3, 1e-3]}}}}}},
    "solver": {"integrator": "$integrator", "dt": 1e-4, "duration": 0.01}})J";
  for (const char* integrator : {"verlet", "symplectic-euler"}) {
    try {
      Simulation sim(test::filled(text, {{"integrator", integrator}}));
      ADD_FAILURE() << integrator;
    } catch (const BadScene& bad) {
      EXPECT_EQ(bad.problems[0].pointer, "/linkages/arm/links/tip");
      EXPECT_NE(bad.problems[0].message.find("or take an implicit integrator"), std::string::npos) << bad.what();
    }
  }
  Simulation sim(test::filled(text, {{"integrator", "implicit-euler"}}));
  test::runToEnd(sim);
}

}  // namespace
}  // namespace tendril
