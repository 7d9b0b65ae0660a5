// Static equilibria of linkages: slack chains hang, unstable places are left or told, and what nothing holds is named.
#include <gtest/gtest.h>

#include <cmath>
#include <exception>
#include <string>

#include "engine/links/linkage_scene.h"

namespace tendril::links {
namespace links_linkage_statics_test {

using namespace test;

const std::string hinge = R"("joint": {"revolute": {"axis": "y"}}, )";
const std::string still = R"("mode": "static")";
std::string weight(const std::string& g, const std::string& probes = "") {
  return R"("environment": {"gravity": [)" + g + R"(]}, "probes": {"tip": {"position": "a:tip"})" + probes + "}";
}

// Static equilibria of a slender arm in one load step: it hangs, whatever its order.
TEST(LinkageStatics, ASlenderArmHangsInStatics) {
  for (const char* strains :
       {R"("bendY": 2, "bendZ": 2)", R"("bendY": 3, "bendZ": 3)", R"("twist": 2, "bendY": 4, "bendZ": 4)"}) {
    Simulation sim(
        test::scene(R"("l": {"body": {"soft": {"length": 0.5, "section": {"circle": {"radius": 0.01}}, "strains": {)" +
                        std::string(strains) + "}}}}",
                    R"("mode": "static")",
                    R"("environment": {"gravity": [0, 0, -9.81]}, "probes": {"tip": {"position": "a:tip"}})"));
    runToEnd(sim);
    EXPECT_NEAR(column(sim, "tip.z"), -0.4536, 6e-3) << strains;
  }
}

// Level at the start, where the tangent is singular: damped motion leads down.
TEST(LinkageStatics, ChainsOfHingesHang) {
  Simulation one(test::scene("\"l\": {" + hinge + rod + "}", still, weight("0, 0, -9.81")));
  EXPECT_EQ(runToEnd(one).warnings.size(), 1u);
  EXPECT_NEAR(column(one, "tip.z"), -0.5, 1e-9);
  Simulation three(test::scene(R"("l": {"joint": {"spherical": {}}, )" + rod +
                                   R"(}, "k": {"joint": {"spherical": {}}, )" + rod + "}, \"m\": {" + hinge + rod + "}",
                               still, weight("0, -3, -4")));
  runToEnd(three);
  EXPECT_NEAR(column(three, "tip.y"), -0.6 * 1.5, 1e-8);
  EXPECT_NEAR(column(three, "tip.z"), -0.8 * 1.5, 1e-8);
}

TEST(LinkageStatics, AnUprightPendulumIsToldToBeUnstable) {
  Simulation sim(test::scene("\"l\": {" + hinge + rod + "}", still, weight("-9.81, 0, 0")));
  const std::vector<std::string> warnings = runToEnd(sim).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("unstable"), std::string::npos) << warnings[0];
  EXPECT_NEAR(column(sim, "tip.x"), 0.5, 1e-12);
}

// A weight on an upright mast that a spring holds comes down while it grows: on the way the spring is too soft, with a
// moment of f (1 - f) 9.81 N m/rad against 1 N m/rad at the part f of the load, in the end it is not.
// A joint's own force turns with its link: its stiffness is not symmetric, and its symmetric part tells nothing.
TEST(LinkageStatics, AJointsOwnForceMakesNothingUnstable) {
  Simulation sim(
      R"({"format": "tendril/1", "linkages": {"a": {"links": {"b": {"joint": {"planar": {"axis": "z", "stiffness": [0.1, 10], "force": [1, 2]}},
    "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 1000}}}}}}, "environment": {"gravity": [0, 0, 0]}, "solver": {"mode": "static", "loadSteps": 10},
    "probes": {"p": {"position": "a/b@0"}}})");
  EXPECT_TRUE(test::runToEnd(sim).warnings.empty());
  EXPECT_NEAR(test::column(sim, "p.x"), 0.1, 1e-9);
  EXPECT_NEAR(test::column(sim, "p.y"), 0.2, 1e-9);
}

TEST(LinkageStatics, OnlyTheEquilibriumAtTheEndIsSaidToBeUnstable) {
  const auto mast = [](const char* lowered, int steps) {
    Simulation sim(test::scene(
        R"("l": {"joint": {"revolute": {"axis": "y", "stiffness": 1}}, "body": {"rigid": {"length": 0, "mass": 1e-6}}},
        "w": {"joint": {"prismatic": {"axis": "x", "displacement": )" +
            std::string(lowered) +
            R"(}}, "offset": {"position": [1, 0, 0]}, "body": {"rigid": {"length": 0, "mass": 1}}})",
        still + ", \"loadSteps\": " + std::to_string(steps), weight("-9.81, 0, 0")));
    std::string said;
    while (!sim.finished()) {
      for (const std::string& w : sim.step().warnings) said += w + "\n";
    }
    EXPECT_NEAR(column(sim, "tip.x"), 1 + std::stod(lowered), 1e-9) << steps;
    return said;
  };
  for (const int steps : {1, 2, 3, 4, 6, 10}) {
    EXPECT_EQ(mast("-1", steps), "") << steps;
    EXPECT_NE(mast("-0.5", steps).find("is unstable"), std::string::npos) << steps;
  }
}

TEST(LinkageStatics, FromNearlyUprightItFallsToTheSideItLeansTo) {
  Simulation sim(test::scene("\"l\": {" + hinge + rod + "}", still, weight("-9.81, 0, -0.01")));
  runToEnd(sim);
  EXPECT_NEAR(column(sim, "tip.x"), -0.5, 1e-5);
  // A spring of less than the critical stiffness m g L / 2 buckles to where its moment balances the weight's.
  const double k = 0.5 * mass * 9.81 * 0.5 * length;
  Simulation post(
      test::scene(R"("l": {"joint": {"revolute": {"axis": "y", "stiffness": )" + std::to_string(k) + "}}, " + rod + "}",
                  still, weight("-9.81, 0, -1e-5")));
  runToEnd(post);
  const double z = -column(post, "tip.z") / length, angle = std::atan2(z, column(post, "tip.x") / length);
  EXPECT_GT(angle, 1);
  EXPECT_NEAR(k * angle, mass * 9.81 * 0.5 * length * std::sin(angle), 1e-4 * k);
}

TEST(LinkageStatics, AClosedChainLeavesItsUpperPosition) {
  const std::string bar =
      R"("body": {"rigid": {"length": 0.4, "section": {"circle": {"radius": 0.02}}, "density": 1000}})";
  const std::string text = R"({"format": "tendril/1", "linkages": {"a": {"links": {"p": {)" + hinge + rod +
                           R"(}, "q": {)" + hinge + bar + R"(}, "r": {)" + hinge + rod +
                           R"(, "offset": {"rotation": {"axis": [0, 1, 0], "angle": "=pi"}}}},
        "loops": [{"from": "base", "offset": {"position": [0.4, 0, 0]}, "to": "r", "joint": {"revolute": {"axis": "y"}}}]}},
        "initial": [{"of": "a/p", "angle": -0.7}, {"of": "a/q", "angle": 0.7}, {"of": "a/r", "angle": -0.7}], "solver": {)" +
                           still + "}, " + weight("0, 0, -9.81", R"(, "end": {"position": "a/p:tip"})") + "}";
  Simulation sim(text);
  runToEnd(sim);
  EXPECT_NEAR(column(sim, "tip.x"), 0.4, 1e-9);
  EXPECT_NEAR(column(sim, "tip.z"), 0, 1e-9);
  EXPECT_NEAR(column(sim, "end.z"), -0.5, 1e-9);  // of the first bar: it hangs
}

TEST(LinkageStatics, WhatNothingHoldsIsNamed) {
  Simulation sim(
      test::scene(R"("l": {"joint": {"revolute": {"axis": "z"}}, )" + rod + "}", still, weight("0, 0, -9.81")));
  const std::vector<std::string> warnings = runToEnd(sim).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("nothing holds joint \"a/l\""), std::string::npos) << warnings[0];
}

// A slender strip whose end is led back to its own start by a hinge may turn about it as it likes.
TEST(LinkageStatics, ALoopThatMayTurnComesToRestAndSaysSo) {
  const std::string text =
      R"({"format": "tendril/1", "materials": {"rubber": {"youngs": 1e6, "poisson": 0.5, "density": 1000}},
      "linkages": {"a": {"links": {"b": {)" +
      hinge + R"("body": {"soft": {"length": 1, "section": {"circle": {"radius": 0.01}},
        "strains": {"bendY": 10}, "points": 16, "magnus": 6}}}}, "loops": [{"from": "base", "to": "b", "joint": {"revolute": {"axis": "y"}}}]}},
      "initial": [{"of": "a/b", "bendY": "=$shape"}], "solver": {)" +
      still + R"(, "loadSteps": 2},
      "probes": {"E": {"energy": "bend"}, "d": {"distance": ["a/b@0", "a/b@0.5"]}}})";
  for (const char* shape : {"9*sin(pi*u)", "12*sin(pi*u)", "3 + 8*u"}) {
    Simulation sim(filled(text, {{"shape", shape}}));
    long iterations = 0;
    std::string said;
    while (!sim.finished()) {
      const Progress progress = sim.step();
      iterations += progress.iterations;
      for (const std::string& w : progress.warnings) said += w + "\n";
    }
    EXPECT_LT(iterations, 1500) << shape;
    EXPECT_NE(said.find("nothing holds joint \"a/b\""), std::string::npos) << shape << ": " << said;
    // The drop that an elastica closed by a hinge makes, whichever way it hangs.
    EXPECT_NEAR(column(sim, "E"), 0.110387, 1e-5) << shape;
    EXPECT_NEAR(column(sim, "d"), 0.39158, 2e-5) << shape;
  }
}

const std::string column01 = R"("section": {"circle": {"radius": 0.01}}, "material": "rubber", "magnus": 6, )";

// Pushed with four times the critical force, and pushed together by a fifth, with a little load to one side.
TEST(LinkageStatics, AColumnBucklesToTheSideItLeansToInAnyNumberOfSteps) {
  const std::string pushed =
      R"("b": {"body": {"soft": {"length": 1, )" + column01 + R"("strains": {"bendY": 8}, "points": 14}}})";
  const std::string pressed =
      R"({"format": "tendril/1", "materials": {"rubber": {"youngs": 1e6, "poisson": 0.5, "density": 1000}}, "linkages": {"a": {"links": {
        "car": {"joint": {"prismatic": {"axis": "x", "displacement": -0.2}}, "offset": {"position": [1, 0, 0]}, "body": {"rigid": {"length": 0, "mass": 1}}},
        "b": {"parent": "base", "body": {"soft": {"length": 1, )" +
      column01 + R"("strains": {"bendY": 8, "stretch": 0}, "points": 12}}}},
        "loops": [{"from": "car", "to": "b", "joint": {"fixed": {}}}]}}, "loads": [{"force": [0, 0, $side], "at": "a/b@0.5"}],
        "solver": {"mode": "static", "loadSteps": $steps}, "probes": {"tip": {"position": "a/b@0.5"}}})";
  for (const char* side : {"0.001", "-0.001", "1e-6"}) {
    const double sign = side[0] == '-' ? -1 : 1;
    for (const char* steps : {"1", "3", "8", "16", "20"}) {
      Simulation free(test::scene(pushed, still + ", \"loadSteps\": " + steps,
                                  R"("loads": [{"force": [-0.02906838438778108, 0, )" + std::string(side) +
                                      R"(], "at": "a:tip"}], )" + R"("probes": {"tip": {"position": "a:tip"}})"));
      runToEnd(free);
      EXPECT_NEAR(sign * column(free, "tip.z"), 0.79, 4e-3) << side << " N, " << steps << " steps";
      Simulation held(filled(pressed, {{"side", side}, {"steps", steps}}));
      runToEnd(held);
      EXPECT_NEAR(sign * column(held, "tip.z"), 0.26563, 2e-5) << side << " N, " << steps << " steps";
    }
  }
}

// It may bend to any side: two tangents turn unstable at once.
TEST(LinkageStatics, AColumnThatMayBendToAnySideLeansToWhereItIsPushed) {
  for (const double lean : {1e-3, 1e-5}) {
    for (const double over : {1.05, 1.3}) {
      for (const char* steps : {"1", "3", "20"}) {
        const double load = 10 * over;
        Simulation sim(test::scene(
            R"("b": {"joint": {"spherical": {"stiffness": 1}}, "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.005}}, "density": 1000}}})",
            still + ", \"loadSteps\": " + steps,
            R"("loads": [{"force": [)" + digits(-load) + ", 0, " + digits(lean) +
                R"(], "at": "a:tip"}], "probes": {"tip": {"position": "a:tip"}})"));
        runToEnd(sim);
        // Springs of 1 N m/rad bear what load and lean turn: angle = 0.1 (load sin(angle) + lean cos(angle)).
        double angle = 1;
        for (int i = 0; i < 200; ++i) angle = 0.1 * (load * std::sin(angle) + lean * std::cos(angle));
        EXPECT_NEAR(column(sim, "tip.z"), 0.1 * std::sin(angle), 1e-5)
            << lean << " N, " << over << ", " << steps << " steps";
      }
    }
  }
}

TEST(LinkageStatics, AColumnThatLeansNowhereTakesASideAndSaysSo) {
  const std::string text =
      R"({"format": "tendril/1", "materials": {"rubber": {"youngs": 1e6, "poisson": 0.5, "density": 1000}}, "linkages": {"a": {"links": {
        "car": {"joint": {"prismatic": {"axis": "x", "displacement": -0.2}}, "offset": {"position": [1, 0, 0]}, "body": {"rigid": {"length": 0, "mass": 1}}},
        "b": {"parent": "base", "body": {"soft": {"length": 1, )" +
      column01 + R"("strains": {"bendY": 8, "stretch": 0}, "points": 12}}}},
        "loops": [{"from": "car", "to": "b", "joint": {"fixed": {}}}]}},
        "solver": {"mode": "static", "loadSteps": 5}, "probes": {"tip": {"position": "a/b@0.5"}}})";
  Simulation sim(text);
  std::string said;
  for (const std::string& w : runToEnd(sim).warnings) said += w + "\n";
  EXPECT_NE(said.find("of its two sides"), std::string::npos) << said;
  EXPECT_EQ(said.find("is unstable"), std::string::npos) << said;
  EXPECT_NEAR(std::abs(column(sim, "tip.z")), 0.26562, 2e-5);
}

std::string failureOf(const std::string& text) {
  try {
    Simulation sim(text);
    runToEnd(sim);
  } catch (const std::exception& failure) {
    return failure.what();
  }
  return {};
}

TEST(LinkageStatics, WhatIsOutOfScaleOrCrushedIsNamed) {
  const std::string text =
      R"("l": {"joint": {"revolute": {"axis": "y", "angle": $angle}}, "body": {"soft": {"length": 0.5, )" + column01 +
      R"("strains": {"bendY": 2, "stretch": 1}}}}}, "cables": {"t": {"through": "l", "path": {"constant": [0, 0.002]}, "tension": $pull})";
  const auto failure = [&](const char* angle, const char* pull) {
    return failureOf(filled(test::scene(text, still, ""), {{"angle", angle}, {"pull", pull}}));
  };
  EXPECT_EQ(failure("0.1", "100"), "");
  EXPECT_NE(failure("1e300", "0").find("joint \"a/l\" stands at a number out of all scale"), std::string::npos)
      << failure("1e300", "0");
  EXPECT_NE(failure("0", "942").find("soft link \"a/l\" is pressed"), std::string::npos) << failure("0", "942");
}

}  // namespace links_linkage_statics_test
// and goes on afterwards, all is as without a stop.
TEST(LinkageStatics, AStopWithinALoadStepLeavesNothingBehind) {
  const char* const truss = R"J({"format": "tendril/1", "linkages": {"t": {"links": {
    "l": {"offset": {"rotation": {"axis": [0, 1, 0], "angle": "=-20*pi/180"}}, "joint": {"revolute": {"axis": "y"}}, "body": {"rigid": {"length": 0.5, "mass": 0.1}}},
    "m": {"offset": {"rotation": {"axis": [0, 1, 0], "angle": "=40*pi/180"}}, "joint": {"revolute": {"axis": "y"}}, "body": {"rigid": {"length": 0.25, "mass": 0.1}}},
    "n": {"joint": {"prismatic": {"axis": "x", "stiffness": 1000}}, "body": {"rigid": {"length": 0.25, "mass": 0.1}}}},
    "loops": [{"from": "base", "offset": {"position": ["=cos(20*pi/180)", 0, 0]}, "to": "n", "joint": {"revolute": {"axis": "y"}}}]}},
    "loads": [{"force": [0, 0, -60], "at": "t/l:tip"}], "environment": {"gravity": [0, 0, 0]},
    "solver": {"mode": "static", "loadSteps": 4}, "probes": {"tip": {"position": "t/l:tip"}}})J";
  Simulation whole(truss);
  whole.step();
  int most = 0;  // iterations of the load step that snaps
  whole.step([&most] { return ++most > 0; });
  EXPECT_LT(test::column(whole, "tip.z"), -0.2);
  ASSERT_GT(most, 20);
  for (int after = 0; after < most; after += 1 + most / 40) {
    Simulation sim(truss);
    sim.step();
    int asked = 0;
    sim.step([&] { return asked++ < after; });
    EXPECT_NEAR(sim.time(), 0.25, 1e-12) << after;
    sim.step();
    EXPECT_EQ(test::column(sim, "tip.z"), test::column(whole, "tip.z")) << after;
  }
}

}  // namespace tendril::links
