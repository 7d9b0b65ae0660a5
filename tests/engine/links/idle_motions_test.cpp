// Couplers between two ball joints spin as they like: equilibria are found as if they did not, in any number of load
// steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/links/linkage_scene.h"

namespace tendril::links {
namespace idle_motions_test {

using namespace test;

// A crank about z, a coupler between two ball joints, and a rocker about y whose tip is 0.25 m from its pin.
std::string spatial(const std::string& crank, const std::string& ball, const std::string& weights, int steps,
                    const std::string& gravity = "0, 0, -9.81") {
  const auto bar = [](double length) {
    return R"("body": {"rigid": {"section": {"circle": {"radius": 0.01}}, "density": 1000, "length": )" +
           digits(length) + "}}";
  };
  return R"({"format": "tendril/1", "linkages": {"a": {"links": {
      "crank": {"joint": {"revolute": {"axis": "z", )" +
         crank + "}}, " + bar(0.1) + R"(},
      "coupler": {"joint": {"spherical": {)" +
         ball + R"(}}, "offset": {"rotation": {"axis": [0, 1, 0], "angle": -0.5}}, )" +
         (weights.empty() ? bar(0.4) : weights) + R"(},
      "rocker": {"parent": "base", "joint": {"revolute": {"axis": "y"}}, "offset": {"position": [0.4, 0.05, 0], "rotation": {"axis": [0, 1, 0], "angle": "=-pi/2"}}, )" +
         bar(0.25) + R"(}}, "loops": [{"from": "rocker", "to": "coupler", "joint": {"spherical": {}}}]}},
      "environment": {"gravity": [)" +
         gravity + R"(]}, "solver": {"mode": "static", "loadSteps": )" + std::to_string(steps) +
         R"(}, "probes": {"q": {"jointAngle": "a/crank"}, "r": {"jointAngle": "a/rocker"}}})";
}

struct Settled {
  double crank = 0, rocker = 0;
  long iterations = 0, idle = 0, unstable = 0;
};

Settled settled(const std::string& text) {
  Simulation sim(text);
  Settled out;
  while (!sim.finished()) {
    const Progress progress = sim.step();
    out.iterations += progress.iterations;
    for (const std::string& w : progress.warnings) {
      out.idle += w.find("nothing holds joint \"a/coupler\"") != std::string::npos;
      out.unstable += w.find("unstable") != std::string::npos;
    }
  }
  out.crank = column(sim, "q"), out.rocker = column(sim, "r");
  return out;
}

// By the lowest place of k/2 q^2 - torque q + weights, downhill from the start, with the rocker's angle by its
// distance.
TEST(IdleMotions, ASpinningCouplerHasNoSayInAnEquilibrium) {
  struct Case {
    const char *crank, *gravity;
    double q, r;
  };
  for (const Case& c : {Case{R"("torque": 0.3, "stiffness": 0.2)", "0, 0, 0", 1.5, -0.3069726},
                        Case{R"("torque": 0.3, "stiffness": 0.2)", "0, 0, -9.81", 1.6441661, -0.3555193},
                        Case{R"("torque": 0.1, "stiffness": 0.2)", "0, -3, -9.81", 0.3877201, 0.0184946},
                        Case{R"("damping": 1)", "0, -3, -9.81", -2.4675293, -0.6451034}}) {
    for (const int steps : {1, 2, 3, 8, 64}) {
      const Settled found = settled(spatial(c.crank, "", "", steps, c.gravity));
      EXPECT_NEAR(found.crank, c.q, 1e-6) << c.crank << c.gravity << " in " << steps;
      EXPECT_NEAR(found.rocker, c.r, 1e-6) << c.crank << c.gravity << " in " << steps;
      EXPECT_LT(found.iterations, 500 + 20 * steps) << c.crank << c.gravity << " in " << steps;
      EXPECT_EQ(found.idle, 1) << c.crank << c.gravity << " in " << steps;
      EXPECT_EQ(found.unstable, 0) << c.crank << c.gravity << " in " << steps;
    }
  }
}

TEST(IdleMotions, ADrivenCrankLeavesOnlyTheSpinWhichIsNotUnstable) {
  for (const int steps : {1, 3, 8, 64}) {
    for (const auto& [angle, rocker] :
         {std::pair(2.0, -0.4659311), std::pair(5.0, -0.3395932), std::pair(-0.3, -0.0100393)}) {
      const Settled found = settled(spatial(R"("angle": )" + digits(angle), "", "", steps));
      EXPECT_NEAR(found.rocker, rocker, 1e-6) << angle << " in " << steps;
      EXPECT_LT(found.iterations, 300 + 20 * steps) << angle << " in " << steps;
      EXPECT_EQ(found.idle, 1) << angle << " in " << steps;
      EXPECT_EQ(found.unstable, 0) << angle << " in " << steps;
    }
  }
}

// A weight beside the line through the balls hangs below it, a spring turns the coupler back, and a torque spins it on.
TEST(IdleMotions, WhatActsOnASpinIsNotIdle) {
  const std::string beside =
      R"("body": {"rigid": {"length": 0.4, "mass": 0.1, "center": [0.2, 0.03, 0], "inertia": [1e-4, 1e-3, 1e-3]}})";
  for (const int steps : {1, 8}) {
    Simulation sim(spatial(R"("angle": 0)", "", beside, steps));
    for (const std::string& w : runToEnd(sim).warnings) EXPECT_EQ(w.find("nothing holds"), std::string::npos) << w;
    EXPECT_EQ(settled(spatial(R"("torque": 0.3, "stiffness": 0.2)", R"("stiffness": 0.01)", "", steps)).idle, 0);
    Simulation spun(spatial(R"("angle": 0)", R"("torque": [0.01, 0, 0])", "", steps));
    EXPECT_ANY_THROW(runToEnd(spun));
  }
}

// A sprung coupler that a torque spins by a radian and a half in one load step.
TEST(IdleMotions, ASpinIsNoTurnTooFar) {
  const Settled found = settled(spatial(R"("angle": 0.3)", R"("stiffness": 0.2, "torque": [0.3, 0, 0])", "", 1));
  EXPECT_LT(found.iterations, 20);
  const Settled inParts = settled(spatial(R"("angle": 0.3)", R"("stiffness": 0.2, "torque": [0.3, 0, 0])", "", 16));
  EXPECT_NEAR(found.rocker, inParts.rocker, 1e-9);
}

// In steps that are cut, it goes around more than once.
TEST(IdleMotions, AFastSpinChangesNoSide) {
  std::string text = spatial("\"damping\": 0", "", "", 1);
  const std::string still = R"("mode": "static", "loadSteps": 1)";
  text.replace(text.find(still), still.size(), R"("dt": 0.01, "duration": 0.7)");
  text.insert(text.find(R"("solver")"), R"("initial": [{"of": "a/coupler", "angleRate": [200, 0, 0]}], )");
  Simulation sim(text);
  for (const std::string& w : runToEnd(sim).warnings) EXPECT_EQ(w.find("not determined"), std::string::npos) << w;
}

// Bodies that hang on balls spin about their own lines, in as many ways as there are bodies.
TEST(IdleMotions, WhatHangsOnBallsMaySpin) {
  const std::string bar = R"("body": {"rigid": {"length": 0.1, "mass": 0.1, "inertia": [1e-4, 1e-4, 1e-4]}})";
  for (const char* forward : {"1, 0, 0", "1, 0, -3", "0.2, 1, 0.3"}) {
    std::string links;
    for (int count = 1; count <= 3; ++count) {
      links += (count > 1 ? ", " : "") + std::string("\"l") + std::to_string(count) +
               R"(": {"joint": {"spherical": {}}, )" + bar + "}";
      for (const int steps : {1, 4}) {
        Simulation sim(R"({"format": "tendril/1", "linkages": {"m": {"base": {"forward": [)" + std::string(forward) +
                       R"(]}, "links": {)" + links + R"(}}},
          "environment": {"gravity": [0, 0, -9.81]}, "solver": {"mode": "static", "loadSteps": )" +
                       std::to_string(steps) + R"(}, "probes": {"p": {"position": "m:tip"}}})");
        for (const std::string& w : runToEnd(sim).warnings)
          EXPECT_EQ(w.find("unstable ("), std::string::npos) << count << forward << steps << w;
        EXPECT_LT((vectorColumn(sim, "p") - Vec3(0, 0, -0.1 * count)).norm(), 1e-7)
            << count << " " << forward << " " << steps;
      }
    }
  }
}

}  // namespace idle_motions_test
}  // namespace tendril::links
