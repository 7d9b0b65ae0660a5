// Where a vine's growth and steps end: fed growth, the last of a retraction, explicit pins, a base inside an obstacle,
// jumps that no step bears.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/simulation/run_scene.h"

namespace tendril::test {
namespace vines_limits_test {

std::string scene(const std::string& vine, const std::string& solver, const std::string& more = "") {
  return R"({"format": "tendril/1", "vines": {"v": {"diameter": 0.02, )" + vine + R"(}}, "solver": {)" + solver +
         R"(}, "probes": {"length": {"length": "v"}, "push": {"growthForce": "v"}, "E": {"energy": "total"}})" +
         (more.empty() ? "" : ", " + more) + "}";
}

const std::string tube = R"("massPerLength": 0.05, "bendingStiffness": 0.02, "bendingDamping": 0.002)";

std::string refusalOf(const std::string& text) {
  try {
    Simulation sim(text);
    runToEnd(sim);
  } catch (const BadScene& error) {
    return error.problems.front().message;
  } catch (const GaveUp& error) {
    return error.what();
  }
  return "";
}

bool says(const std::vector<std::string>& warnings, const std::string& what) {
  return std::any_of(warnings.begin(), warnings.end(),
                     [&](const std::string& w) { return w.find(what) != std::string::npos; });
}

// A pull does not bring more material than is fed, a push brings less; both forms, both directions.
TEST(VinesLimits, GrowthIsNeverFasterThanItIsFed) {
  for (const char* tip : {"false", "true"}) {
    for (const double u : {0.3, -0.3}) {
      for (const double pull : {2.0, 0.05, -0.05}) {
        Simulation sim(scene(
            tube + R"(, "bodies": 10, "length": 1.2, "stall": 0.1, "tip": )" + tip + R"(, "growth": )" + digits(u),
            R"("dt": 0.01, "duration": 1.5)",
            R"("loads": [{"force": [)" + digits(pull) + R"(, 0, 0], "at": "v:tip"}])"));
        sim.advance(1.3);  // the start has to set it going
        const double before = column(sim, "length");
        runToEnd(sim);
        // What resists: a push against growth, a pull against retraction.
        const double resisting = u > 0 ? -pull : pull, rate = u * std::clamp(1 - resisting / 0.1, 0.0, 1.0);
        EXPECT_NEAR((column(sim, "length") - before) / 0.2, rate, 1e-5) << tip << " " << u << " " << pull;
        EXPECT_NEAR(column(sim, "push"), -pull, 1e-2 + 1e-3 * std::fabs(pull)) << tip << " " << u << " " << pull;
      }
    }
  }
}

// Fed while its load pulls, then stopped by a wall or a floor, square to the tip; and pushed back in the middle of a
// run.
TEST(VinesLimits, WhatIsFedGivesWayWhereItMeetsSomething) {
  for (const char* bodies : {"2", "40"}) {
    for (const char* tip : {"false", "true"}) {
      const std::string vine =
          tube + R"(, "length": 0.3, "growth": 0.1, "stall": 5, "bodies": )" + bodies + R"(, "tip": )" + tip;
      Simulation wall(scene(vine, R"("dt": 0.01, "duration": 3)", R"("loads": [{"force": [0.05, 0, 0], "at": "v:tip"}],
        "obstacles": {"w": {"plane": {"point": [0.45, 0, 0], "normal": [-1, 0, 0]}}}, "contact": {"friction": 0})"));
      runToEnd(wall);
      EXPECT_NEAR(column(wall, "push"), 5, 1e-6) << bodies << tip;
      EXPECT_NEAR(column(wall, "length"), 0.44, 1e-5) << bodies << tip;
      Simulation floor(scene(vine + R"(, "heading": "=-pi/2")", R"("dt": 0.01, "duration": 3)",
                             R"("environment": {"gravity": [0, -9.81, 0]},
        "obstacles": {"f": {"plane": {"point": [0, -0.45, 0], "normal": [0, 1, 0]}}})"));
      runToEnd(floor);
      EXPECT_GT(column(floor, "length"), 0.439) << bodies << tip;
    }
  }
  for (const double dt : {1e-3, 1e-2, 5e-2}) {
    for (const double u : {0.1, -0.1}) {
      Simulation sim(scene(
          R"("massPerLength": 0.05, "bendingStiffness": 50, "bodies": 20, "length": 0.4, "stall": 1, "growth": )" +
              digits(u),
          R"("duration": 1.5, "dt": )" + digits(dt),
          R"("loads": [{"force": ["=t < 1 ? )" + digits(u) + R"( : )" + digits(-50 * u) +
              R"(", 0, 0], "at": "v:tip"}])"));
      sim.advance(0.9);
      double before = column(sim, "length");
      while (!sim.finished()) {
        sim.step();
        const double grown = (column(sim, "length") - before) / u;
        EXPECT_GT(grown, -1e-9) << dt << " " << u << " at " << sim.time();
        EXPECT_LT(grown, dt * (1 + 1e-5)) << dt << " " << u << " at " << sim.time();
        before = column(sim, "length");
      }
    }
  }
}

// A tip that grows into the pinch of two rough boxes, just narrower than the tube, and a ball that it begins 14 mm
// inside.
TEST(VinesLimits, AStalledTipPushesWithItsStallForceAmongRoughWallsToo) {
  const std::string boxes = R"("obstacles": {
    "a": {"box": {"center": [0.5, 0.12, 0], "half": [0.2, 0.02, 0.1], "rotation": {"axis": [0, 0, 1], "angle": -0.45}}},
    "b": {"box": {"center": [0.5, -0.12, 0], "half": [0.2, 0.02, 0.1], "rotation": {"axis": [0, 0, 1], "angle": 0.45}}}},
    "contact": {"friction": 0.2})";
  Simulation pinch(
      R"({"format": "tendril/1", "vines": {"v": {"bodies": 40, "length": 0.3, "diameter": 0.03, "massPerLength": 0.04,
    "bendingStiffness": 0.02, "bendingDamping": 0.01, "growth": 0.15, "stall": 5, "tip": true}}, "solver": {"dt": 0.01, "duration": 4},
    "probes": {"push": {"growthForce": "v"}, "force": {"contact": "force"}}, )" +
      boxes + "}");
  pinch.advance(2.7);
  for (; !pinch.finished(); pinch.step()) {
    EXPECT_NEAR(column(pinch, "push"), 5, 1e-3) << pinch.time();
    // What wedges a tube between planes at 0.45 rad without friction, from the run with a coefficient of zero.
    EXPECT_NEAR(column(pinch, "force"), 302.52, 0.1) << pinch.time();
  }
  Simulation inside(
      R"({"format": "tendril/1", "vines": {"v": {"bodies": 20, "length": 0.3, "diameter": 0.03, "massPerLength": 0.04,
    "bendingStiffness": 0.02, "bendingDamping": 0.01, "growth": 0.1, "stall": 5}}, "solver": {"dt": 0.01, "duration": 2},
    "obstacles": {"b": {"sphere": {"center": [0.32, 0, 0], "radius": 0.019}}}})");
  EXPECT_NO_THROW(runToEnd(inside));
}

// Stall forces that a probe drives: at first of no column, then of what the start shows.
TEST(VinesLimits, TheStallForceMaySeeAProbe) {
  Simulation sim(scene(tube + R"(, "bodies": 10, "length": 0.8, "growth": 0.1, "stall": "=0.1*length")",
                       R"("dt": 0.01, "duration": 1)", R"("loads": [{"force": [-0.06, 0, 0], "at": "v:tip"}])"));
  runToEnd(sim);
  const double expected = 0.8 + 0.1 * (1 - 0.06 / (0.1 * 0.81));
  EXPECT_NEAR(column(sim, "length"), expected, 2e-3);
}

TEST(VinesLimits, TheEndOfARetractionIsSaid) {
  for (const char* tip : {"false", "true"}) {
    Simulation sim(scene(tube + R"(, "bodies": 20, "length": 0.4, "growth": -0.5, "tip": )" + tip,
                         R"("dt": 0.01, "duration": 1)"));
    const Progress progress = runToEnd(sim);
    EXPECT_TRUE(says(progress.warnings, "vine \"v\" is retracted as far as it goes")) << tip;
    // Shared: a tenth of every pair; at the tip: a tenth of the one that is left.
    EXPECT_NEAR(column(sim, "length"), tip[0] == 't' ? 0.004 : 0.04, 1e-9);
  }
  Simulation sim(scene(tube + R"(, "bodies": 20, "length": 0.4, "growth": -0.1)", R"("dt": 0.01, "duration": 1)"));
  EXPECT_FALSE(says(runToEnd(sim).warnings, "retracted"));
}

TEST(VinesLimits, ThePublishedFormSaysHowShortItCanBe) {
  const std::string published =
      R"("bodies": 20, "length": 0.4, "contact": "pairs", "springs": "explicit", "mass": 0.001, "inertia": 2e-4,
    "stiffness": 0.5, "damping": 3e-5, "growth": -0.4)";
  EXPECT_NE(refusalOf(scene(published, R"("dt": 0.01, "duration": 1)")).find("half of its length at the start"),
            std::string::npos);
}

// Explicit dampers bound the step as explicit springs do: above the bound of 1.99 ms the run is refused, just below it
// the vine swings; with a tenth of the damping 10 ms do.
TEST(VinesLimits, ExplicitDampersBoundTheStep) {
  const auto swinging = [](const std::string& dt, const std::string& damping) {
    return scene(
        R"("bodies": 30, "length": 0.4, "contact": "pairs", "springs": "explicit", "mass": 0.001, "inertia": 2e-4, "stiffness": 0.5, "damping": )" +
            damping,
        R"("duration": 2, "dt": )" + dt, R"("environment": {"gravity": [0, -9.81, 0]})");
  };
  EXPECT_NE(refusalOf(swinging("0.01", "0.1")).find("stable step"), std::string::npos);
  Simulation sim(swinging("0.0019", "0.1"));
  runToEnd(sim);
  EXPECT_NEAR(column(sim, "length"), 0.4, 1e-3);
  EXPECT_LT(std::fabs(column(sim, "E")), 0.1);
  Simulation weak(swinging("0.01", "0.01"));
  runToEnd(weak);
  EXPECT_LT(std::fabs(column(weak, "E")), 0.1);
}

TEST(VinesLimits, ABaseInsideAnObstacleIsRefused) {
  const std::string vine = tube + R"(, "bodies": 40, "length": 0.4)";
  for (const char* obstacle : {R"("sphere": {"center": [0, 0, 0], "radius": 0.005})",
                               R"("plane": {"point": [0.009, 0, 0], "normal": [1, 0, 0]})"}) {
    EXPECT_NE(
        refusalOf(scene(vine, R"("dt": 0.01, "duration": 1)", R"("obstacles": {"o": {)" + std::string(obstacle) + "}}"))
            .find("expected the axis outside"),
        std::string::npos)
        << obstacle;
  }
  // Walls right across the tube, thick and thin, however few bodies there are.
  for (const char* bodies : {"2", "4", "40"}) {
    for (const char* half : {"0.0005", "0.02"}) {
      const std::string wall = R"("obstacles": {"o": {"box": {"center": [0.05, 0, 0], "half": [)" + std::string(half) +
                               R"(, 0.1, 0.1], "rotation": {"axis": [0, 0, 1], "angle": 0.1}}}})";
      EXPECT_NE(
          refusalOf(scene(tube + R"(, "length": 0.3, "bodies": )" + bodies, R"("dt": 0.01, "duration": 0.1)", wall))
              .find("axis inside obstacle"),
          std::string::npos)
          << bodies << " " << half;
    }
  }
  EXPECT_EQ(refusalOf(scene(vine, R"("dt": 0.01, "duration": 0.1)",
                            R"("obstacles": {"o": {"plane": {"point": [0, 0, 0], "normal": [1, 0, 0]}}})")),
            "");
}

TEST(VinesLimits, AJumpThatNoStepBearsNamesItsCure) {
  const std::string why =
      refusalOf(scene(R"("massPerLength": 0.05, "bendingStiffness": 1e12, "bodies": 20, "length": 0.4, "curvature": 3)",
                      R"("dt": 0.01, "duration": 1)"));
  EXPECT_NE(why.find("turns by more than half a radian"), std::string::npos) << why;
  EXPECT_NE(why.find("longer time"), std::string::npos) << why;
}

}  // namespace vines_limits_test
}  // namespace tendril::test
