// Vines as scenes: growth, steering, stall and tip growth seen by probes; other models beside them; saves; the pointer;
// what is refused and what a run that cannot go on says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/simulation/run_scene.h"
#include "tendril/simulation.h"

namespace tendril {
namespace simulation_vines_test {

using namespace test;

// A vine of 20 bodies, unless `vine` says other bodies or stiffness.
std::string scene(const std::string& vine, const std::string& more = "",
                  const std::string& solver = R"("dt": 0.01, "duration": 1)") {
  const auto unless = [&](const std::string& key, const std::string& value) {
    return vine.find(key) == std::string::npos ? ", " + key + ": " + value : std::string();
  };
  return R"({"format": "tendril/1", "vines": {"v": {"length": 0.4, "diameter": 0.02, "massPerLength": 0.05)" +
         unless(R"("bodies")", "20") + unless(R"("bendingStiffness")", "0.02") + unless(R"("bendingDamping")", "0.01") +
         (vine.empty() ? "" : ", " + vine) + R"(}}, "solver": {)" + solver +
         R"(}, "probes": {"tip": {"position": "v:tip"}, "length": {"length": "v"}, "push": {"growthForce": "v"}, "speed": {"speed": "v:tip"},
    "force": {"contact": "force"}, "deep": {"contact": "penetration"}, "E": {"energy": "total"}, "K": {"energy": "kinetic", "of": "v"}})" +
         (more.empty() ? "" : ", " + more) + "}";
}

std::string refusalOf(const std::string& text) {
  try {
    Simulation sim(text);
  } catch (const BadScene& error) {
    std::string all;
    for (const Problem& p : error.problems) all += p.pointer + ": " + p.message + "\n";
    return all;
  }
  return "";
}

TEST(Vines, GrowInTheirPlaneFromTheirBase) {
  Simulation sim(scene(R"("growth": 0.1, "plane": "xz", "base": [1, 2, 3], "heading": "=pi/2")"));
  EXPECT_NEAR(column(sim, "tip.z"), 3.4, 1e-12);
  runToEnd(sim);
  EXPECT_NEAR(column(sim, "length"), 0.5, 1e-9);
  EXPECT_NEAR(column(sim, "tip.x"), 1, 1e-9);
  EXPECT_NEAR(column(sim, "tip.y"), 2, 1e-12);
  EXPECT_NEAR(column(sim, "tip.z"), 3.5, 1e-9);
  EXPECT_NEAR(column(sim, "speed"), 0.1, 1e-6);
}

TEST(Vines, NaturalCurvatureAndMomentsBendThemIntoAnArc) {
  const double k = 2, length = 0.4;
  for (const char* steer : {R"("curvature": 2)", R"("steer": "=i == 0 ? 0.04 : 0.04")"}) {
    Simulation sim(scene(std::string(steer) + R"(, "bodies": 80)", "", R"("dt": 0.02, "duration": 20)"));
    runToEnd(sim);
    EXPECT_NEAR(column(sim, "tip.x"), std::sin(k * length) / k, 2e-4) << steer;
    EXPECT_NEAR(column(sim, "tip.y"), (1 - std::cos(k * length)) / k, 6e-3) << steer;
  }
}

TEST(Vines, WeightBendsThemAsABeam) {
  // Small sag: m g L^4 / (8 EI).
  Simulation sim(scene(R"("bodies": 80, "bendingStiffness": 2, "bendingDamping": 1)",
                       R"("environment": {"gravity": [0, -9.81, 0]})", R"("dt": 0.05, "duration": 30)"));
  runToEnd(sim);
  const double sag = 0.05 * 9.81 * std::pow(0.4, 4) / (8 * 2);
  EXPECT_NEAR(column(sim, "tip.y"), -sag, 0.02 * sag);
}

TEST(Vines, AForceOnTheTipBendsThemAsABeam) {
  Simulation sim(scene(R"("bodies": 80, "bendingStiffness": 2, "bendingDamping": 1)",
                       R"("loads": [{"force": [0, 0.3, 9], "at": "v:tip"}])", R"("dt": 0.05, "duration": 30)"));
  runToEnd(sim);
  const double sag = 0.3 * std::pow(0.4, 3) / (3 * 2);
  EXPECT_NEAR(column(sim, "tip.y"), sag, 0.02 * sag);
  EXPECT_EQ(column(sim, "tip.z"), 0);
}

TEST(Vines, StallAtAWallWithTheirForce) {
  Simulation sim(scene(R"("growth": 0.2, "stall": 3, "bendingStiffness": 2)",
                       R"("obstacles": {"wall": {"plane": {"point": [0.46, 0, 0], "normal": [-1, 0, 0]}}})",
                       R"("dt": 0.01, "duration": 2)"));
  runToEnd(sim);
  EXPECT_NEAR(column(sim, "length"), 0.45, 1e-5);
  EXPECT_NEAR(column(sim, "push"), 3, 1e-3);
  EXPECT_NEAR(column(sim, "force"), 3, 1e-3);
}

TEST(Vines, WithoutAStallForceAWallHeadOnIsTold) {
  Simulation sim(scene(R"("growth": 0.2, "bendingStiffness": 2)",
                       R"("obstacles": {"wall": {"plane": {"point": [0.46, 0, 0], "normal": [-1, 0, 0]}}})",
                       R"("dt": 0.01, "duration": 2)"));
  try {
    runToEnd(sim);
    FAIL() << "it went through, to " << column(sim, "tip.x");
  } catch (const GaveUp& error) {
    EXPECT_NE(std::string(error.what()).find("wall"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("body"), std::string::npos) << error.what();
    EXPECT_EQ(std::string(error.what()).find("may help"), std::string::npos) << error.what();
    EXPECT_NE(error.repeats.find("and was cut"), std::string::npos) << error.repeats;
    EXPECT_EQ(error.spent.warnings, std::vector<std::string>{error.repeats});
  }
  EXPECT_LT(column(sim, "tip.x"), 0.4501);
}

TEST(Vines, GrowingAtTheTipBringsNewBodiesAndANewDrawing) {
  Simulation sim(scene(R"("growth": 0.2, "tip": true)"));
  const std::uint64_t before = sim.drawing().revision;
  const int points = sim.drawing().parts[0].pointCount;
  runToEnd(sim);
  EXPECT_GT(sim.drawing().revision, before);
  EXPECT_GT(sim.drawing().parts[0].pointCount, points);
  EXPECT_EQ(sim.snapshot().positions.size(), 3u * static_cast<std::size_t>(sim.drawing().parts[0].pointCount));
  EXPECT_NEAR(column(sim, "length"), 0.6, 1e-9);
  std::vector<BodyState> bodies;
  bodies = sim.bodies();
  ASSERT_EQ(bodies.size(), 1u);
  EXPECT_EQ(bodies[0].placements.size() / 3, 2 * (bodies[0].nodes.size() / 3 - 1));
}

TEST(Vines, ARestoredRunContinuesBitForBit) {
  const std::string text = scene(R"("growth": 0.2, "tip": true, "heading": 0.5, "stall": 4)",
                                 R"("obstacles": {"wall": {"plane": {"point": [0, 0.25, 0], "normal": [0, -1, 0]}},
      "ball": {"sphere": {"center": [0.5, 0.1, 0], "radius": 0.03}, "velocity": [0, 0.05, 0]}}, "contact": {"friction": 0.3})");
  Simulation one(text), two(text);
  for (int i = 0; i < 40; ++i) one.step();
  const std::vector<std::byte> saved = one.save();
  for (int i = 0; i < 40; ++i) one.step();
  two.restore(saved);
  for (int i = 0; i < 40; ++i) two.step();
  EXPECT_TRUE(std::equal(one.values().begin(), one.values().end(), two.values().begin()));
  EXPECT_EQ(one.snapshot().positions, two.snapshot().positions);
  EXPECT_EQ(one.save(), two.save());
  EXPECT_GT(column(one, "force"), 0);
}

TEST(Vines, BesideOtherModelsTheyDoAsTheyDoAlone) {
  const std::string vine = R"("growth": 0.1, "curvature": 1)";
  Simulation alone(scene(vine));
  std::string text = scene(vine, R"("materials": {"m": {"youngs": 1e6, "poisson": 0.5, "density": 1000}},
    "rods": {"rod": {"path": {"line": {"from": [0, 0, 1], "to": [0.3, 0, 1]}}, "section": {"circle": {"radius": 0.005}}, "segments": 10}},
    "linkages": {"arm": {"links": {"l": {"joint": {"revolute": {"axis": "y"}}, "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 1000}}}}}},
    "constraints": [{"clamp": "rod:first"}], "environment": {"gravity": [0, 0, -9.81]})");
  Simulation together(text);
  runToEnd(alone), runToEnd(together);
  for (const char* name : {"tip.x", "tip.y", "length", "K"})
    EXPECT_EQ(column(alone, name), column(together, name)) << name;
  EXPECT_EQ(together.drawing().parts.size(), 3u);
}

TEST(Vines, FollowThePointerAndAreLetGo) {
  Simulation sim(scene(""));
  const int tip = sim.drawing().parts[0].pointCount - 1;
  sim.grab(tip, 0.3, 0.2, 0.1);
  for (int i = 0; i < 50; ++i) sim.step();
  EXPECT_GT(column(sim, "tip.y"), 0.05);
  EXPECT_EQ(column(sim, "tip.z"), 0);
  const double held = column(sim, "tip.y");
  sim.release();
  runToEnd(sim);
  EXPECT_LT(column(sim, "tip.y"), held);
}

TEST(Vines, WhatIsWrongIsNamed) {
  const auto refusal = [](std::string from, std::string to) {
    std::string text = scene("");
    text.replace(text.find(from), from.size(), to);
    return refusalOf(text);
  };
  EXPECT_NE(refusalOf(scene(R"("bodies": 7)")).find("/vines/v/bodies: bodies come in pairs"), std::string::npos);
  EXPECT_NE(refusalOf(scene(R"("growth": 50)")).find("/vines/v/growth: a step of 0.01 s lengthens a pair by"),
            std::string::npos);
  EXPECT_NE(refusalOf(scene("", R"("obstacles": {"ball": {"sphere": {"center": [0.2, 0, 0], "radius": 0.05}}})"))
                .find("inside obstacle \"ball\""),
            std::string::npos);
  EXPECT_NE(refusalOf(scene(R"("mass": 1)")).find("mass"), std::string::npos);
  EXPECT_NE(refusalOf(scene(R"("placements": [[0, 0, 0]])")).find("1 rows for 20 bodies"), std::string::npos);
  EXPECT_NE(refusal(R"("position")", R"("strain")").find("is not measured on vines"), std::string::npos);
  EXPECT_NE(refusal(R"("v:tip")", R"("v:last")").find("is not a position on a vine"), std::string::npos);
  EXPECT_NE(refusal(R"("dt": 0.01)", R"("mode": "static", "dt": 0.01)").find("vines grow in time"), std::string::npos);
  EXPECT_NE(refusalOf(scene("", R"("constraints": [{"clamp": "v:tip"}])")).find("is a vine"), std::string::npos);
}

// What a run ends with.
std::string endOf(const std::string& text) {
  Simulation sim(text);
  try {
    runToEnd(sim);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(Vines, AStallForceThatComesToZeroEndsTheRunWithItsFormula) {
  EXPECT_EQ(
      endOf(scene(R"("growth": 0.1, "stall": "=5 - 10*t")")),
      "formula \"=5 - 10*t\" at /vines/v/stall (line 1): stall must be greater than 0 N, but it is 0 at t = 0.5 s");
  EXPECT_EQ(endOf(scene(R"("growth": 0.1, "stall": "=5 - 4*t")")), "");
}

TEST(Vines, FrictionThatComesBelowZeroEndsTheRunWithItsFormula) {
  const auto wall = [](const std::string& friction, const std::string& common) {
    return scene("", R"("obstacles": {"wall": {"plane": {"point": [0, -0.02, 0], "normal": [0, 1, 0]})" + friction +
                         R"(}}, "contact": {"friction": )" + common + "}");
  };
  const std::string own = R"x(, "friction": "=0.305 - t")x";
  EXPECT_NE(
      endOf(wall(own, "0.1"))
          .find(
              "formula \"=0.305 - t\" at /obstacles/wall/friction (line 2): friction must be at least 0, but it is -0.005"),
      std::string::npos)
      << endOf(wall(own, "0.1"));
  EXPECT_NE(endOf(wall("", R"("=0.305 - t")"))
                .find("at /contact/friction (line 2): friction must be at least 0, but it is -0.005"),
            std::string::npos);
}

TEST(Vines, StepsTooLongForExplicitSpringsAreToldHowToChangeThem) {
  const std::string vine = R"("springs": "explicit", "bendingStiffness": 2)";
  const std::string refused = refusalOf(scene(vine));
  EXPECT_NE(refused.find("/solver/dt: dt = 0.01 s is too long for explicit springs here"), std::string::npos)
      << refused;
  EXPECT_NE(refused.find("take a smaller dt or \"springs\": \"implicit\" for vines"), std::string::npos) << refused;
  EXPECT_EQ(refused.find("integrator"), std::string::npos) << refused;
  const std::string rod = R"("materials": {"m": {"youngs": 1e6, "poisson": 0.5, "density": 1000}},
    "rods": {"rod": {"path": {"line": {"from": [0, 0, 1], "to": [0.3, 0, 1]}}, "section": {"circle": {"radius": 0.005}}, "segments": 10}})";
  const std::string both = refusalOf(scene(vine, rod, R"("integrator": "verlet", "dt": 0.01, "duration": 1)"));
  EXPECT_NE(both.find("\"springs\": \"implicit\" for vines and an implicit integrator"), std::string::npos) << both;
}

}  // namespace simulation_vines_test
}  // namespace tendril
