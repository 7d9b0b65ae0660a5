// Feedback is late by a step, and what that feeds or damps over many steps is told, with a dt at which it is little.
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "engine/simulation/run_scene.h"

namespace tendril {
namespace lag_watch_test {

using test::column;
using test::digits;
using test::filled;

struct Outcome {
  std::string told;
  double dt = 0;  // that it advises
  double least = 0, most = 0;
};

Outcome watched(const std::string& text, const std::string& what) {
  Outcome out;
  Simulation sim(text);
  while (!sim.finished()) {
    const Progress p = sim.step();
    for (const std::string& w : p.warnings) {
      if (w.find("one step late") != std::string::npos) out.told += w;
    }
    if (what.empty()) continue;
    out.least = std::min(out.least, column(sim, what)), out.most = std::max(out.most, column(sim, what));
  }
  std::smatch found;
  if (std::regex_search(out.told, found, std::regex("a \"dt\" of about ([^ ]+) s"))) out.dt = std::stod(found[1]);
  return out;
}

// A cantilever that falls into a spring that a controller plays at its tip.
const char* const cantilever = R"J({"format": "tendril/1",
"materials": {"m": {"youngs": 1e6, "density": 1100, "poisson": 0.3, "damping": $damping}},
"rods": {"a": {"section": {"circle": {"radius": 0.003}}, "segments": 11, "path": {"line": {"from": [0, 0, 0], "to": [0.2, 0, 0]}}}},
"constraints": [{"clamp": "a:first"}],
"environment": {"gravity": [0, 0, -9.81]},
"loads": [{"force": [0, 0, "=-$K*tip.z"], "at": "a:last"}],
"probes": {"tip": {"position": "a:last"}},
"solver": {"integrator": "$integrator", "dt": $dt, "duration": 2}})J";

std::string cantileverWith(double K, double dt, const std::string& integrator = "bdf2", double damping = 0) {
  return filled(cantilever,
                {{"K", digits(K)}, {"dt", digits(dt)}, {"integrator", integrator}, {"damping", digits(damping)}});
}

TEST(LagWatch, ASpringThatFeedsWhatSwingsSlowlyIsToldWithAStepThatHoldsIt) {
  const Outcome fine = watched(cantileverWith(10, 2e-5), "tip.z");
  for (const double dt : {0.01, 0.001}) {
    const Outcome ill = watched(cantileverWith(10, dt), "tip.z");
    EXPECT_GT(ill.most, 4 * fine.most) << dt;
    ASSERT_NE(ill.told.find("the feedback \"=-10*tip.z\" (at /loads/0/force/2)"), std::string::npos)
        << dt << ": " << ill.told;
    ASSERT_GT(ill.dt, 1e-6) << ill.told;
    const Outcome calm = watched(cantileverWith(10, ill.dt), "tip.z");
    EXPECT_EQ(calm.told, "");
    EXPECT_NEAR(calm.most, fine.most, 4e-4) << ill.told;
    EXPECT_NEAR(calm.least, fine.least, 0.1 * std::abs(fine.least)) << ill.told;
  }
}

TEST(LagWatch, AMidpointRuleIsLateByHalfAStep) {
  EXPECT_NE(watched(cantileverWith(10, 0.002, "implicit-midpoint"), "").told, "");
  EXPECT_EQ(watched(cantileverWith(10, 5e-4, "implicit-midpoint"), "").told, "");
}

TEST(LagWatch, WhatIsDampedByMoreThanTheDelayFeedsIsNotTold) {
  for (const double dt : {0.002, 0.001}) EXPECT_EQ(watched(cantileverWith(10, dt, "bdf2", 1000), "").told, "") << dt;
  // Implicit Euler takes out of such a spring what the delay gives.
  for (const double dt : {0.01, 0.001}) EXPECT_EQ(watched(cantileverWith(10, dt, "implicit-euler"), "").told, "") << dt;
}

// A bar that hangs and swings, with a motor that plays a spring and a damper.
const char* const pendulum = R"J({"format": "tendril/1",
"linkages": {"arm": {"base": {"forward": [0, 0, -1], "up": [1, 0, 0]}, "links": {"bar": {"joint": {"revolute": {"axis": "y", "torque": "=-$K*angle - $D*rate.y"}},
  "body": {"rigid": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "density": 1000}}}}}},
"environment": {"gravity": [$wind, 0, -9.81]},
"probes": {"angle": {"jointAngle": "arm/bar"}, "rate": {"velocity": "arm:tip"}},
"solver": {"integrator": "$integrator", "dt": $dt, "duration": 4}})J";

std::string pendulumWith(double K, double dt, const std::string& integrator, double wind = 2) {
  return filled(pendulum,
                {{"K", digits(K)}, {"D", "0"}, {"dt", digits(dt)}, {"integrator", integrator}, {"wind", digits(wind)}});
}

TEST(LagWatch, LinkagesAreWatched) {
  for (const std::string integrator : {"generalized-alpha", "implicit-midpoint"}) {
    const Outcome ill = watched(pendulumWith(0.5, 0.01, integrator), "angle"),
                  fine = watched(pendulumWith(0.5, 1e-4, integrator), "angle");
    EXPECT_NE(ill.told.find("gave the motion"), std::string::npos) << integrator << ": " << ill.told;
    EXPECT_GT(ill.most - ill.least, 1.2 * (fine.most - fine.least)) << integrator;
    EXPECT_EQ(fine.told, "") << integrator;
    ASSERT_GT(ill.dt, 0);
    EXPECT_EQ(watched(pendulumWith(0.5, ill.dt, integrator), "angle").told, "") << ill.told;
  }
}

TEST(LagWatch, ADelayThatTakesFromTheMotionIsToldToo) {
  // A motor that pushes out of the middle, by less than the weight pulls back.
  const Outcome ill = watched(pendulumWith(-0.05, 0.01, "generalized-alpha", 1), "");
  EXPECT_NE(ill.told.find("took from the motion"), std::string::npos) << ill.told;
  EXPECT_EQ(watched(pendulumWith(-0.05, 0.001, "generalized-alpha", 1), "").told, "");
}

TEST(LagWatch, SymplecticEulerIsNotLateWithPlaces) {
  const Outcome run = watched(pendulumWith(0.5, 1e-3, "symplectic-euler"), "angle"),
                fine = watched(pendulumWith(0.5, 1e-4, "symplectic-euler"), "angle");
  EXPECT_EQ(run.told, "");
  EXPECT_NEAR(run.least, fine.least, 0.03 * std::abs(fine.least));
  EXPECT_NE(watched(pendulumWith(0.5, 1e-3, "verlet"), "").told, "");
}

TEST(LagWatch, ActuationIsWatchedAndItsOwnWorkDoesNotCount) {
  // A beam that bends itself by where its tip is, and one that bends itself slowly to where the tip should be.
  const auto scene = [](const std::string& curvature, double dt) {
    return filled(
        std::regex_replace(
            std::string(cantilever), std::regex(R"("loads.*)"),
            R"("actuation": [{"rod": "a", "curvature": ["$$curvature", 0]}], "states": {"I": {"rate": "=0.05 + tip.z"}},)"),
        {{"curvature", curvature}, {"dt", digits(dt)}, {"integrator", "bdf2"}, {"damping", "2e3"}});
  };
  EXPECT_NE(watched(scene("=300*tip.z", 0.01), "").told.find("/actuation/0/curvature/0"), std::string::npos);
  EXPECT_EQ(watched(scene("=300*tip.z", 0.002), "").told, "");
  EXPECT_EQ(watched(scene("=-20*I", 0.01), "").told, "");
}

}  // namespace lag_watch_test
}  // namespace tendril
