// Static equilibria of linkages: slack chains hang, unstable places are left or told, and what nothing holds is named.
#include <gtest/gtest.h>

#include <string>

#include "engine/strain/linkage_scene.h"

namespace tendril {
namespace {

using namespace test;

const std::string hinge = R"("joint": {"revolute": {"axis": "y"}}, )";
const std::string still = R"("mode": "static")";
std::string weight(const std::string& g, const std::string& probes = "") {
  return R"("environment": {"gravity": [)" + g + R"(]}, "probes": {"tip": {"position": "a:tip"})" + probes + "}";
}

// Static equilibria of a slender arm in one load step: it hangs, whatever its order.
TEST(LinkageStatics, ASlenderArmHangsInStatics) {
  for (const char* strains : {R"("bendY": 2, "bendZ": 2)", R"("bendY": 3, "bendZ": 3)", R"("twist": 2, "bendY": 4, "bendZ": 4)"}) {
    Simulation sim(scene(R"("l": {"body": {"soft": {"length": 0.5, "section": {"circle": {"radius": 0.01}}, "strains": {)" + std::string(strains) + "}}}}",
                         R"("mode": "static")", R"("environment": {"gravity": [0, 0, -9.81]}, "probes": {"tip": {"position": "a:tip"}})"));
    runToEnd(sim);
    EXPECT_NEAR(column(sim, "tip.z"), -0.4536, 6e-3) << strains;
  }
}

// Level at the start, where the tangent is singular: damped motion leads down.
TEST(LinkageStatics, ChainsOfHingesHang) {
  Simulation one(scene("\"l\": {" + hinge + rod + "}", still, weight("0, 0, -9.81")));
  EXPECT_EQ(runToEnd(one).warnings.size(), 1u);
  EXPECT_NEAR(column(one, "tip.z"), -0.5, 1e-9);
  Simulation three(scene(R"("l": {"joint": {"spherical": {}}, )" + rod + R"(}, "k": {"joint": {"spherical": {}}, )" + rod +
                             "}, \"m\": {" + hinge + rod + "}",
                         still, weight("0, -3, -4")));
  runToEnd(three);
  EXPECT_NEAR(column(three, "tip.y"), -0.6 * 1.5, 1e-8);
  EXPECT_NEAR(column(three, "tip.z"), -0.8 * 1.5, 1e-8);
}

TEST(LinkageStatics, AnUprightPendulumIsToldToBeUnstable) {
  Simulation sim(scene("\"l\": {" + hinge + rod + "}", still, weight("-9.81, 0, 0")));
  const std::vector<std::string> warnings = runToEnd(sim).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("unstable"), std::string::npos) << warnings[0];
  EXPECT_NEAR(column(sim, "tip.x"), 0.5, 1e-12);
}

TEST(LinkageStatics, FromNearlyUprightItFallsToTheSideItLeansTo) {
  Simulation sim(scene("\"l\": {" + hinge + rod + "}", still, weight("-9.81, 0, -0.01")));
  runToEnd(sim);
  EXPECT_NEAR(column(sim, "tip.x"), -0.5, 1e-5);
  // A spring of less than the critical stiffness m g L / 2 buckles to where its moment balances the weight's.
  const double k = 0.5 * mass * 9.81 * 0.5 * length;
  Simulation post(scene(R"("l": {"joint": {"revolute": {"axis": "y", "stiffness": )" + std::to_string(k) + "}}, " + rod + "}", still,
                          weight("-9.81, 0, -1e-5")));
  runToEnd(post);
  const double z = -column(post, "tip.z") / length, angle = std::atan2(z, column(post, "tip.x") / length);
  EXPECT_GT(angle, 1);
  EXPECT_NEAR(k * angle, mass * 9.81 * 0.5 * length * std::sin(angle), 1e-4 * k);
}

TEST(LinkageStatics, AClosedChainLeavesItsUpperPosition) {
  const std::string bar = R"("body": {"rigid": {"length": 0.4, "section": {"circle": {"radius": 0.02}}, "density": 1000}})";
  const std::string text =
      R"({"format": "tendril/1", "linkages": {"a": {"links": {"p": {)" + hinge + rod + R"(}, "q": {)" + hinge + bar + R"(}, "r": {)" +
      hinge + rod + R"(, "offset": {"rotation": {"axis": [0, 1, 0], "angle": "=pi"}}}},
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
  Simulation sim(scene(R"("l": {"joint": {"revolute": {"axis": "z"}}, )" + rod + "}", still, weight("0, 0, -9.81")));
  const std::vector<std::string> warnings = runToEnd(sim).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("nothing holds joint \"a/l\""), std::string::npos) << warnings[0];
}

}  // namespace
}  // namespace tendril
