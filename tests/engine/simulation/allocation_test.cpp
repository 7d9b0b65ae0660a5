// Warm steps allocate nothing, whatever the scene holds.
#include <gtest/gtest.h>

#include "engine/simulation/run_scene.h"
#include "engine/solve/allocation_count.h"

namespace tendril {
namespace allocation_test {

using test::filled;

const char* const busy = R"J({"format": "tendril/1",
"parameters": {"E": {"value": 1e6, "min": 1e5, "max": 1e7}},
"materials": {"rubber": {"youngs": "=E", "poisson": 0.4, "density": 1000, "damping": 2000}},
"defaults": {"rods": {"section": {"circle": {"radius": 0.01}}, "segments": 12}},
"rods": {"arm": {"path": {"line": {"from": [0, 0, 0], "to": [0.3, 0, 0]}}},
         "hand": {"path": {"line": {"from": [0.3, 0, 0], "to": [0.3, 0.2, 0]}}},
         "thumb": {"path": {"line": {"from": [0.3, 0, 0], "to": [0.3, -0.1, 0]}}}},
"joints": [{"weld": ["arm:last", "hand:first", "thumb:first"]}],
"constraints": [{"clamp": "arm:first", "rotation": {"axis": [1, 0, 0], "angle": "=0.5*t"}, "displacement": ["=0.02*sin(5*t)", 0, 0]}],
"loads": [{"force": [0, 0, "=0.1*sin(9*t)"], "at": "hand:last"}, {"line": [0, 0, 0.1], "on": "arm"}, {"mass": 0.01, "at": "thumb:last"}$loads],
"environment": {"gravity": [0, 0, -9.81], "viscous": 0.05},
"actuation": [{"rod": "arm", "curvature": ["=3*sin(6*t + u) + I", 0], "twist": "=sin(t)"},
              {"rod": "hand", "table": {"time": [0, 1, 2], "curvature1": [[0], [3], [1]], "stretch": [[1], [1.05], [1]]}}],
"states": {"I": {"rate": "=-tip.z"}},
"solver": {"integrator": "$integrator", "dt": $dt, "duration": 5},
"probes": {"tip": {"position": "hand:last"}, "arm": {"position": "arm"}, "energy": {"energy": "total"}, "pull": {"reaction": "arm:first"},
           "hold": {"reactionMoment": "arm:first"}, "k": {"curvature": "arm"}, "inner": {"moment": "arm:5"}, "pose": {"pose": "hand:last"},
           "pullIn": {"tension": "arm"}, "length": {"length": "arm"}, "gap": {"distance": ["hand:last", "thumb:last"]},
           "sum": {"formula": "tip.x + energy"}},
"checks": [{"at": "always", "expect": "tip.x < 10"}, {"at": "ever", "expect": "tip.x > 10"}]})J";

struct Case {
  const char *integrator, *dt, *loads;
};

class Allocation : public ::testing::TestWithParam<Case> {};

TEST_P(Allocation, WarmStepsAllocateNothing) {
  const Case& c = GetParam();
  Simulation sim(filled(busy, {{"integrator", c.integrator}, {"dt", c.dt}, {"loads", c.loads}}));
  for (int i = 0; i < 60; ++i) sim.step();
  const long before = test::allocationCount();
  long retries = 0;
  for (int i = 0; i < 60; ++i) retries += sim.step().retries;
  EXPECT_EQ(test::allocationCount() - before, 0);
  EXPECT_EQ(retries, 0);
}

INSTANTIATE_TEST_SUITE_P(
    All, Allocation,
    ::testing::Values(
        Case{"implicit-euler", "5e-3", ""}, Case{"implicit-midpoint", "5e-3", ""}, Case{"bdf2", "5e-3", ""},
        Case{"symplectic-euler", "5e-6", ""}, Case{"verlet", "5e-6", ""},
        Case{
            "implicit-euler", "5e-3",
            R"(, {"follower": [0, 0.1, 0], "at": "hand:last"}, {"moment": [0, 0.01, 0], "at": "hand:first"}, {"moment": [0, 0, 0.1], "at": "arm:first"})"}),
    [](const auto& info) {
      std::string name = std::string(info.param.integrator) + (*info.param.loads ? "Follower" : "");
      name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
      return name;
    });

// Two rods that lie on the floor and across each other, rubbing.
TEST(Allocation, WarmStepsInContactAllocateNothing) {
  Simulation sim(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.4, "density": 1000}},
    "defaults": {"rods": {"section": {"circle": {"radius": 4e-3}}, "segments": 12}},
    "rods": {"low": {"path": {"line": {"from": [-0.1, 0, 0.0041], "to": [0.1, 0, 0.0041]}}},
             "high": {"path": {"line": {"from": [0.01, -0.1, 0.0122], "to": [0.01, 0.1, 0.0122]}}}},
    "obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
    "contact": {"self": true, "stiffness": 1e3, "distance": 4e-4, "friction": 0.3},
    "environment": {"gravity": [0.5, 0.2, -9.81]}, "solver": {"dt": 5e-3, "duration": 5}, "probes": {"many": {"contact": "pairs"}}})J");
  for (int i = 0; i < 200; ++i) sim.step();
  ASSERT_GT(test::column(sim, "many"), 4);
  const long before = test::allocationCount();
  for (int i = 0; i < 60; ++i) sim.step();
  EXPECT_EQ(test::allocationCount() - before, 0);
}

// A rod on the corner of a plate: the weld's frame is tied to the shell.
TEST(Allocation, WarmStepsOfARodWeldedToAShellAllocateNothing) {
  for (const char* integrator : {"implicit-euler", "implicit-midpoint"}) {
    Simulation sim(
        filled(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1000}},
      "rods": {"rod": {"section": {"circle": {"radius": 2e-3}}, "segments": 6, "path": {"line": {"from": [0, 0, 0], "to": [-0.03, -0.02, 0.05]}}}},
      "shells": {"plate": {"thickness": 1e-3, "mesh": {"rectangle": {"corner": [0, 0, 0], "along": [0.06, 0, 0], "across": [0, 0.04, 0], "edge": 0.01}}}},
      "joints": [{"weld": ["rod:first", "plate@[0,0,0]"]}], "constraints": [{"clamp": {"of": "plate", "where": "x > 0.0599"}}],
      "environment": {"gravity": [0, 0, -9.81]}, "solver": {"integrator": "$integrator", "dt": 1e-3, "duration": 5}})J",
               {{"integrator", integrator}}));
    for (int i = 0; i < 60; ++i) sim.step();
    const long before = test::allocationCount();
    for (int i = 0; i < 60; ++i) sim.step();
    EXPECT_EQ(test::allocationCount() - before, 0) << integrator;
  }
}

}  // namespace allocation_test
}  // namespace tendril
