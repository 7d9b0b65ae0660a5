// Obstacles and places that supports hold, where neither gives way: what passes through is told.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "engine/simulation/run_scene.h"

namespace tendril::rods_shells {
namespace held_places_test {

using test::digits;
using test::filled;

int told(const std::string& scene, const std::map<std::string, std::string>& values) {
  Simulation sim(filled(scene, values));
  int count = 0;
  for (const std::string& warning : test::runToEnd(sim).warnings) {
    count += warning.find("passes through a place of \"a\" that supports hold") != std::string::npos;
  }
  return count;
}

const std::string ballPastAnEnd = R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1100}},
  "rods": {"a": {"section": {"circle": {"radius": 0.01}}, "segments": 10, "path": {"line": {"from": [0, 0, 0], "to": [0.5, 0, 0]}}}},
  "constraints": [{"$hold": "a:first"}], "environment": {"gravity": [0, 0, 0]},
  "obstacles": {"ball": {"sphere": {"center": [-0.01, 0.1, 0], "radius": 0.02}, "displacement": [0, "=-$way*min(1, t/0.2)", 0]}},
  "contact": {"stiffness": 100}, "solver": {"integrator": "$integrator", "dt": $dt, "duration": 0.25}})J";

TEST(HeldPlaces, ThatAnObstaclePassesThroughAreToldOnce) {
  for (const char* integrator : {"implicit-euler", "implicit-midpoint", "bdf2", "symplectic-euler"}) {
    const std::string dt = std::string(integrator) == "symplectic-euler" ? "1e-5" : "1e-3";
    for (const char* hold : {"clamp", "fix"}) {
      EXPECT_EQ(told(ballPastAnEnd, {{"hold", hold}, {"way", "0.2"}, {"integrator", integrator}, {"dt", dt}}), 1)
          << integrator << ' ' << hold;
    }
  }
}

// Half way from touch to the ball's middle, which is 30 mm deep.
TEST(HeldPlaces, ThatAnObstacleOnlyPressesOnAreNoMatter) {
  for (const double way : {0.05, 0.083}) {
    EXPECT_EQ(told(ballPastAnEnd,
                   {{"hold", "clamp"}, {"way", digits(way)}, {"integrator", "implicit-euler"}, {"dt", "1e-3"}}),
              0)
        << way;
  }
  EXPECT_EQ(
      told(ballPastAnEnd, {{"hold", "clamp"}, {"way", "0.095"}, {"integrator", "implicit-euler"}, {"dt", "1e-3"}}), 1);
}

// In one step from one side to the other.
TEST(HeldPlaces, ThatAreCrossedWithinAStepAreTold) {
  const std::string scene =
      filled(ballPastAnEnd, {{"hold", "fix"}, {"way", "2000"}, {"integrator", "implicit-euler"}, {"dt", "0.01"}});
  EXPECT_EQ(told(scene, {}), 1);
}

TEST(HeldPlaces, ThatSupportsDriveThroughAnObstacleAreTold) {
  const std::string scene =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1100, "damping": 1e4}},
    "rods": {"a": {"section": {"circle": {"radius": 0.01}}, "segments": 10, "path": {"line": {"from": [0, 0, 0], "to": [0.5, 0, 0]}}}},
    "constraints": [{"clamp": "a:first", "displacement": [0, "=-$way*t", 0]}], "environment": {"gravity": [0, 0, 0]},
    "obstacles": {"ball": {"sphere": {"center": [-0.01, -0.05, 0], "radius": 0.02}$with}},
    "contact": {"stiffness": 10}, "solver": {"mode": "$mode", "duration": 1, $steps}})J";
  for (const auto& [mode, steps] : {std::pair{"static", "\"loadSteps\": 50"}, std::pair{"dynamic", "\"dt\": 0.01"}}) {
    const std::map<std::string, std::string> here = {{"mode", mode}, {"steps", steps}};
    EXPECT_EQ(told(filled(scene, here), {{"way", "0.1"}, {"with", ""}}), 1) << mode;
    EXPECT_EQ(told(filled(scene, here), {{"way", "0.02"}, {"with", ""}}), 0) << mode;
    // A mount that goes along.
    EXPECT_EQ(told(filled(scene, here), {{"way", "0.1"}, {"with", ", \"displacement\": [0, \"=-0.1*t\", 0]"}}), 0)
        << mode;
  }
}

TEST(HeldPlaces, OfSheetsAreToldToo) {
  const std::string sheet =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1100}}, "shells": {"a": {"thickness": 0.004, "bending": "hinge",
    "mesh": {"rectangle": {"corner": [0, 0, 0], "along": [0.1, 0, 0], "across": [0, 0.05, 0], "edge": 0.01}}}},
    "constraints": [{"fix": {"of": "a", "where": "x < 0.021"}}], "environment": {"gravity": [0, 0, 0]},
    "obstacles": {"ball": {"sphere": {"center": [-0.005, 0.025, 0.03], "radius": 0.008}, "displacement": [0, 0, "=-$way*t"]}},
    "contact": {"stiffness": 100}, "solver": {"dt": 0.002, "duration": 0.1}})J";
  EXPECT_EQ(told(sheet, {{"way", "0.6"}}), 1);
  EXPECT_EQ(told(sheet, {{"way", "0.2"}}), 0);
}

}  // namespace held_places_test
}  // namespace tendril::rods_shells
