// A value that is no number: it ends nothing that only shows it, fails a check and says so, and ends a run where it
// acts.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/simulation/run_scene.h"

namespace tendril {
namespace no_number_test {

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
    EXPECT_EQ(check.reason.find("its value is not a number") == 0, check.title != "fell")
        << check.title << check.reason;
  }
}

TEST(NoNumber, EndsARunWhereItActs) {
  const std::string text =
      test::filled(ball, {{"more", R"J("loads": [{"force": [0, 0, "=share > 1 ? 1 : 0"], "at": "rod:first"}],)J"}});
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
  const std::string text =
      test::filled(ball, {{"more", R"J("loads": [{"force": [0, 0, "=sqrt(0.055 - t)"], "at": "rod:first"}],)J"}});
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

// "No convergence in 50 iterations" after thousands of them says nothing of what was tried.
TEST(GivingUp, SaysHowMuchWasTried) {
  const std::string slide =
      R"J({"format": "tendril/1", "linkages": {"a": {"links": {"l": {"joint": {"prismatic": {"axis": "z"}}, "body": {"rigid": {"mass": 1}}}}}},
    "environment": {"gravity": [0, 0, -9.81]}, "solver": {$solver}})J";
  const auto reason = [&](const std::string& solver) -> std::pair<std::string, long> {
    try {
      Simulation sim(test::filled(slide, {{"solver", solver}}));
      sim.advance(1);
    } catch (const GaveUp& error) {
      return {error.what(), error.spent.iterations};
    }
    return {};
  };
  for (const char* solver : {R"("mode": "static")", R"("start": "equilibrium", "duration": 1)"}) {
    const auto [words, iterations] = reason(solver);
    EXPECT_GT(iterations, 0) << solver;
    EXPECT_NE(words.find(", " + std::to_string(iterations) + " iterations and "), std::string::npos) << words;
  }
  // A crank that is longer than its chain can follow.
  const std::string words = [] {
    try {
      Simulation sim(R"J({"format": "tendril/1", "linkages": {"a": {"links": {
        "c": {"joint": {"revolute": {"axis": "y", "angle": "=t"}}, "body": {"rigid": {"length": 0.3, "mass": 1}}},
        "r": {"joint": {"revolute": {"axis": "y"}}, "body": {"rigid": {"length": 0.3, "mass": 1}}, "offset": {"rotation": {"axis": [0, 1, 0], "angle": 0.5}}},
        "s": {"joint": {"revolute": {"axis": "y"}}, "body": {"rigid": {"length": 0.3, "mass": 1}}, "offset": {"rotation": {"axis": [0, 1, 0], "angle": 0.5}}}},
        "loops": [{"from": "base", "offset": {"position": [0.6, 0, -0.4]}, "to": "s", "joint": {"revolute": {"axis": "y"}}}]}},
        "solver": {"dt": 0.01, "duration": 6}})J");
      sim.advance(6);
    } catch (const GaveUp& error) {
      return std::string(error.what());
    }
    return std::string();
  }();
  EXPECT_NE(words.find(" s or more could be taken, "), std::string::npos) << words;
  EXPECT_NE(words.find(" iterations"), std::string::npos) << words;
  EXPECT_NE(words.find(" on: joint \"a/c\" cannot be driven beyond "), std::string::npos) << words;
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

TEST(SupportJump, IsNamed) {
  const auto warnings = [](const std::string& constraint) {
    const Simulation sim(test::filled(ball, {{"more", "\"constraints\": [" + constraint + "],"}}));
    std::string all;
    for (const Problem& p : sim.sceneWarnings()) all += p.pointer + ": " + p.message + "\n";
    return all;
  };
  const auto expect = [&](const char* constraint, const char* said) {
    EXPECT_NE(warnings(constraint).find(said), std::string::npos) << constraint << "\n" << warnings(constraint);
  };
  expect(R"J({"clamp": "rod:first", "displacement": [0, 0, "=0.02*cos(t)"]})J",
         "/constraints/0: at t = 0 this support is 0.02 m away");
  expect(R"J({"clamp": "rod:first", "rotation": {"axis": [0, 1, 0], "angle": 0.3}})J",
         "at t = 0 this support is 0.3 rad away");
  expect(R"J({"move": "rod:first", "displacement": [0, 0, 0.02]})J", "at t = 0 this support is 0.02 m away");
  expect(R"J({"move": "rod:first", "displacement": [0, 0, 0.02], "from": 0.05})J",
         "at t = 0.05 s, when it begins to act, this support is 0.02 m away");
  expect(R"J({"clamp": "rod:first", "rotation": {"axis": [0, 1, 0], "angle": "=t"}, "from": 0.05})J",
         "at t = 0.05 s, when it begins to act, this support is 0.05 rad away");
  expect(R"J({"move": "rod:first", "displacement": [0, 0, "=step(t - 0.04)*0.02"]})J",
         "this support jumps by 0.02 m at t = 0.04 s");
  expect(R"J({"clamp": "rod:first", "rotation": {"axis": [0, 1, 0], "angle": "=t > 0.03 ? 0.1 : 0"}})J",
         "this support jumps by 0.1 rad at t = 0.03 s");
  for (const char* smooth :
       {R"J({"clamp": "rod:first", "displacement": [0, 0, "=0.02*sin(t)"]})J",
        R"J({"clamp": "rod:first", "rotation": {"axis": [0, 1, 0], "angle": "=t"}})J",
        R"J({"clamp": "rod:first", "displacement": [0, 0, "=0.02*smooth(t, 0.05, 0.08)"], "from": 0.05})J",
        R"J({"clamp": "rod:first", "displacement": [0, 0, "=0.1*sqrt(t)"]})J",
        R"J({"move": "rod:first", "displacement": [0, 0, 0.02], "from": 1})J",
        R"J({"clamp": "rod:first", "displacement": [0, 0, "=t > 0.04 ? 1 : 0"], "until": 0.03})J"}) {
    EXPECT_EQ(warnings(smooth).find("this support"), std::string::npos) << smooth << "\n" << warnings(smooth);
  }
}

TEST(SupportJump, ByFeedbackIsNamedByTheRun) {
  const auto said = [](const std::string& constraint, const std::string& start = "") {
    Simulation sim(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}},
      "rods": {"rod": {"section": {"circle": {"radius": 0.003}}, "segments": 4, "path": {"line": {"from": [0, 0, 0], "to": [0.2, 0, 0]}}}},
      "states": {"late": {"rate": 1}, "one": {"rate": 0, "initial": 1}}, "probes": {"tip": {"position": "rod:last"}, "mid": {"position": "rod:2"}},
      "constraints": [{"clamp": "rod:first"}, )J" +
                   constraint + R"(], "solver": {"dt": 1e-3, "duration": 0.005)" + start + "}}");
    std::string all;
    for (const std::string& w : test::runToEnd(sim).warnings) {
      if (w.find("feedback has the support") != std::string::npos) all += w + "\n";
    }
    return all;
  };
  const std::string moved = said(R"J({"move": "rod:last", "displacement": [0, 0, "=0.01 + mid.z"]})J");
  EXPECT_EQ(
      moved,
      "at t = 0 s feedback has the support at /constraints/1 0.01 m away from where its node begins: the run begins with that jump; let "
      "what it sees begin at 0, put the body there, or take \"start\": \"equilibrium\"\n");
  EXPECT_NE(said(R"J({"clamp": "rod:last", "rotation": {"axis": [0, 1, 0], "angle": "=0.3*one"}})J")
                .find("/constraints/1 0.3 rad away"),
            std::string::npos);
  EXPECT_NE(said(R"J({"turn": "rod:2", "angle": "=0.4*one"})J").find("/constraints/1 0.4 rad away"), std::string::npos);
  EXPECT_EQ(said(R"J({"move": "rod:last", "displacement": [0, 0, "=0.01 + mid.z"]})J", R"(, "start": "equilibrium")"),
            "");
  EXPECT_EQ(said(R"J({"move": "rod:last", "displacement": [0, 0, "=mid.z + 0.1*late"]})J"), "");
  EXPECT_EQ(said(R"J({"move": "rod:last", "displacement": [0, 0, "=0.02 + mid.z"], "from": 0.002})J"), "");
}

// A rod that falls freely by 5 t^2.
TEST(SupportJump, WhereAMotionCatchesItsNodeIsNamed) {
  const auto said = [](const std::string& motion, const std::string& integrator) {
    std::string text = test::filled(
        ball, {{"more", R"("constraints": [{"move": "rod", "from": 0.05, "before": "free", )" + motion + "}],"}});
    const std::string solver = "\"dt\": 0.01";
    text.replace(text.find(solver), solver.size(), "\"dt\": 0.001, \"integrator\": \"" + integrator + "\"");
    Simulation sim(text);
    std::string all;
    for (const std::string& w : test::runToEnd(sim).warnings) all += w + "\n";
    return all;
  };
  for (const char* integrator : {"implicit-euler", "bdf2", "implicit-midpoint", "verlet"}) {
    const std::string stays = said(R"("displacement": [0, 0, 0])", integrator),
                      goesOn = said(R"("displacement": [0, 0, "=-5*t^2"])", integrator);
    EXPECT_NE(stays.find("the support at /constraints/0 caught a node 0.012"), std::string::npos)
        << integrator << stays;
    EXPECT_EQ(goesOn.find("caught"), std::string::npos) << integrator << goesOn;
  }
}

TEST(SupportJump, OfAPlaneThatCatchesNodesBesideItIsNamed) {
  for (const auto& [plane, named] : {std::pair{"xy", true}, std::pair{"xz", false}}) {
    Simulation sim(test::filled(ball, {{"more", std::string(R"("constraints": [{"planar": ")") + plane +
                                                    R"(", "from": 0.05, "before": "free"}],)"}}));
    std::string all;
    for (const std::string& w : test::runToEnd(sim).warnings) all += w + "\n";
    EXPECT_EQ(all.find("caught a node 0.01") != std::string::npos, named) << plane << all;
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

}  // namespace no_number_test
}  // namespace tendril
