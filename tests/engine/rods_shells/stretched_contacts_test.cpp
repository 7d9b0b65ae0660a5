// Bodies that are stretched until an obstacle may pass between the points that touch it: never in silence.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/simulation/run_scene.h"

namespace tendril::rods_shells {
namespace stretched_contacts_test {

using test::column;
using test::digits;
using test::filled;

// A rod of edges of 10 mm, whose points are 10/3 mm apart at rest, is stretched; then a bar of 2 + 2 mm comes down
// midway between two of them, within `time`. From 4 mm on it may pass.
struct Crossing {
  bool passed = false, warned = false;
  std::string words;
};

Crossing crossing(double stretch, double depth, double time, const std::string& integrator = "implicit-euler") {
  const bool slow = integrator == "verlet";
  Simulation sim(filled(
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1100, "poisson": 0.4, "damping": 200}},
    "rods": {"a": {"section": {"circle": {"radius": 0.002}}, "segments": 10, "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}}},
    "constraints": [{"fix": "a:first"}, {"move": "a:last", "displacement": ["=$more*min(1, t/0.1)", 0, 0]}],
    "obstacles": {"bar": {"capsule": {"from": [$x, -0.05, 0.02], "to": [$x, 0.05, 0.02], "radius": 0.002},
      "displacement": [0, 0, "=-$depth*min(1, max(0, (t - 0.15)/$time))"]}}, "contact": {"stiffness": 30},
    "solver": {"integrator": "$integrator", "dt": $dt, "duration": $end}, "probes": {"low": {"position": "a", "reduce": "min"}}})J",
      {{"more", digits(0.1 * (stretch - 1))},
       {"x", digits(0.05 * stretch + 0.005 * stretch / 3)},
       {"depth", digits(depth)},
       {"time", digits(time)},
       {"integrator", integrator},
       {"dt", slow ? "1e-5" : "1e-3"},
       {"end", digits(0.17 + time)}}));
  Crossing out;
  try {
    for (const std::string& warning : test::runToEnd(sim).warnings) {
      if (warning.find("may pass between") != std::string::npos) out.warned = true, out.words = warning;
    }
    out.passed = depth > 0.03 && column(sim, "low.z") > -0.002;
  } catch (const std::exception&) {  // it gave up: an obstacle would pass through
  }
  return out;
}

TEST(StretchedContacts, NothingPassesBetweenPointsInSilence) {
  bool any = false;
  for (const double stretch : {1.0, 1.1, 1.19, 1.21, 1.25, 1.3, 1.5, 2.0, 3.0}) {
    const Crossing here = crossing(stretch, 0.05, 0.4);
    any = any || here.passed;
    EXPECT_TRUE(here.warned || !here.passed) << stretch;
    EXPECT_EQ(here.warned, stretch > 1.2) << stretch << here.words;
  }
  EXPECT_TRUE(any);
}

TEST(StretchedContacts, AreToldOnceWithTheBodyTheStretchAndTheRemedy) {
  const Crossing here = crossing(1.5, 0.05, 0.4);
  EXPECT_NE(here.words.find("\"a\" is stretched to 1.5 times its length where it meets obstacle \"bar\""),
            std::string::npos)
      << here.words;
  EXPECT_NE(here.words.find("0.005 m apart"), std::string::npos) << here.words;
  EXPECT_NE(here.words.find("shorter than 0.0023 m"), std::string::npos) << here.words;
}

TEST(StretchedContacts, FarFromObstaclesAreNoMatter) {
  EXPECT_FALSE(crossing(2, 0.005, 0.4).warned);
  EXPECT_TRUE(crossing(2, 0.018, 0.4).warned);
}

// Within one step the bar comes from far above to far below.
TEST(StretchedContacts, ThatAnObstacleCrossesWithinAStepAreTold) {
  for (const char* integrator : {"implicit-euler", "implicit-midpoint"})
    EXPECT_TRUE(crossing(2, 0.05, 1e-4, integrator).warned) << integrator;
  EXPECT_TRUE(crossing(2, 0.05, 0.01, "verlet").warned);
}

TEST(StretchedContacts, OfRodsAtRestAndOfSheetsAreToldToo) {
  const auto warned = [](const std::string& text) {
    Simulation sim(text);
    int count = 0;
    for (const std::string& warning : test::runToEnd(sim).warnings)
      count += warning.find("may pass between") != std::string::npos;
    return count;
  };
  const std::string rod =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1100}}, "rods": {"a": {"section": {"circle": {"radius": 0.002}},
    "segments": 10, "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}}}, "constraints": [{"fix": "a:first"}, {"move": "a:last", "displacement": ["=$more*t", 0, 0]}],
    "obstacles": {"bar": {"sphere": {"center": [0.05, 0, 0.004], "radius": 0.002}}}, "solver": {"mode": "static", "loadSteps": 10}})J";
  EXPECT_EQ(warned(filled(rod, {{"more", "0.1"}})), 1);
  EXPECT_EQ(warned(filled(rod, {{"more", "0.01"}})), 0);
  const std::string sheet =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1100}}, "shells": {"s": {"thickness": 0.004, "bending": "hinge",
    "mesh": {"rectangle": {"corner": [0, 0, 0], "along": [0.1, 0, 0], "across": [0, 0.05, 0], "edge": 0.01}}}},
    "constraints": [{"fix": {"of": "s", "where": "x < 1e-6"}}, {"move": {"of": "s", "where": "x > 0.0999"}, "displacement": ["=$more*t", 0, 0]}],
    "obstacles": {"ball": {"sphere": {"center": [0.07, 0.025, 0.004], "radius": 0.002}}}, "solver": {"mode": "static", "loadSteps": 10}})J";
  EXPECT_EQ(warned(filled(sheet, {{"more", "0.1"}})), 1);
  EXPECT_EQ(warned(filled(sheet, {{"more", "0.005"}})), 0);
}

}  // namespace stretched_contacts_test
}  // namespace tendril::rods_shells
