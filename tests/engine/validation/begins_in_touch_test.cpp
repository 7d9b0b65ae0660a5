// What begins in touch is pushed away by the energy that its contact stores: never in silence where that matters.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "engine/simulation/run_scene.h"

namespace tendril {
namespace begins_in_touch_test {

using test::column;
using test::digits;
using test::filled;

struct Course {
  int told = 0;
  double speed = 0;  // [m/s] upwards, at the end
};

Course course(const std::string& scene, const std::map<std::string, std::string>& values) {
  Simulation sim(filled(scene, values));
  Course out;
  const Progress progress = test::runToEnd(sim);
  for (const std::string& warning : progress.warnings)
    out.told += warning.find("as the run began, contact stored") != std::string::npos;
  out.speed = column(sim, "p.z");
  return out;
}

const std::string bar =
    R"J({"format": "tendril/1", "linkages": {"bar": {"base": {"position": [0, 0, "=0.03 + $gap"]}, "links": {"l": {"joint": {"free": {}},
  "body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.03}}, "density": 1000}}}}}},
  "environment": {"gravity": [0, 0, $g]}, "obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
  "solver": {"dt": $dt, "duration": 0.02}, "probes": {"p": {"velocity": "bar:tip"}}})J";

TEST(BeginsInTouch, ALinkIsThrownOffTheHarderTheShorterTheStepAndIsTold) {
  const Course here = course(bar, {{"gap", "0"}, {"dt", "1e-4"}, {"g", "-9.81"}});
  EXPECT_EQ(here.told, 1);
  EXPECT_GT(here.speed, 0.5);
  // From where the force begins it falls.
  const Course away = course(bar, {{"gap", "0.003"}, {"dt", "1e-4"}, {"g", "-9.81"}});
  EXPECT_EQ(away.told, 0);
  EXPECT_LT(away.speed, 0);
  // Without weight all of it drives apart.
  EXPECT_EQ(course(bar, {{"gap", "0"}, {"dt", "1e-3"}, {"g", "0"}}).told, 1);
}

// Of steel: its weight is nothing beside its stiffness.
const std::string rod =
    R"J({"format": "tendril/1", "materials": {"steel": {"youngs": 2e11, "poisson": 0.3, "density": 7800}},
  "rods": {"a": {"path": {"line": {"from": [0, 0, "=0.001 + $gap"], "to": [0.2, 0, "=0.001 + $gap"]}}, "section": {"circle": {"radius": 0.001}}, "segments": 10}},
  "environment": {"gravity": [0, 0, -9.81]}, "obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
  "initial": [{"of": "a", "velocity": [$along, "=$across*cos(2*pi*u)", 0]}], "solver": {"dt": 1e-4, "duration": 0.02, "integrator": "implicit-midpoint"$start},
  "probes": {"p": {"velocity": "a", "reduce": "mean"}}})J";

TEST(BeginsInTouch, ARodIsToldHoweverFastItGlidesButNotWhereItBeginsFartherAwayOrSwingsMore) {
  const auto told = [](const char* gap, const char* along, const char* across) {
    return course(rod, {{"gap", gap}, {"along", along}, {"across", across}, {"start", ""}}).told;
  };
  EXPECT_EQ(told("0", "0", "0"), 1);
  EXPECT_EQ(told("0", "300", "0"), 1);
  EXPECT_EQ(told("0.0001", "0", "0"), 0);
  EXPECT_EQ(told("0", "0", "30"), 0);
  EXPECT_EQ(
      course(rod, {{"gap", "0"}, {"along", "0"}, {"across", "0"}, {"start", ", \"start\": \"equilibrium\""}}).told, 0);
}

}  // namespace begins_in_touch_test
}  // namespace tendril
