// What belongs to an accepted state stays with it: after a restore, a refused step or a live parameter a snapshot is,
// bit for bit, that of the state, whoever asked before; and looking at a state does not change what comes of it.
#include <gtest/gtest.h>

#include "engine/simulation/run_scene.h"

namespace tendril {
namespace accepted_state_test {

using test::filled;

// Everything that a snapshot shows depends on the time or on the parameter p.
const char* const rods = R"J({"format": "tendril/1", "parameters": {"p": {"value": 1, "min": 0.5, "max": 2}},
"materials": {"rubber": {"youngs": "=1e6*p", "poisson": 0.4, "density": 1000, "damping": $damping}},
"rods": {"arm": {"section": {"circle": {"radius": 0.01}}, "segments": 6,
                 "path": {"line": {"from": [0, 0, 0], "to": [0.3, 0, 0]}}}},
"constraints": [{"clamp": "arm:first", "displacement": ["=0.1*t*p", 0, 0]},
                {"fix": "arm:last", "axes": "y", "from": 0.101, "before": "free"}],
"obstacles": {"ball": {"sphere": {"center": [0, 0, -0.4], "radius": 0.1}, "displacement": ["=p*t", "=p*t", 0]},
              "wall": {"plane": {"point": [0, 0, -0.9], "normal": [0, 0, 1]}, "velocity": [0, 0, "=0.1*p"]}},
"environment": {"gravity": [0, 0, "=-9.81*p"]},
"actuation": [{"rod": "arm", "curvature": ["=p*30*t", 0], "stretch": "=1 + p*0.1*t"}],
"solver": {"integrator": "$integrator", "dt": $dt, "duration": 0.4},
"probes": {"tip": {"position": "arm:last"}, "E": {"energy": "total"}, "pull": {"reaction": "arm:first"},
           "force": {"contact": "force"}}})J";

const char* const shells = R"J({"format": "tendril/1", "parameters": {"p": {"value": 1, "min": 0.5, "max": 2}},
"materials": {"sheet": {"youngs": "=1e6*p", "poisson": 0.3, "density": 1000}},
"shells": {"flap": {"thickness": "=0.002*p", "mesh": {"rectangle": {"corner": [0, 0, 0], "along": [0.3, 0, 0], "across": [0, 0.2, 0], "edge": 0.1}},
                    "bending": "hinge"}},
"constraints": [{"fix": "flap:first"}],
"obstacles": {"ball": {"sphere": {"center": [0, 0, -0.4], "radius": 0.1}, "displacement": ["=p*t", 0, 0]}},
"environment": {"gravity": [0, 0, "=-9.81*p"]},
"actuation": [{"shell": "flap", "angle": "=p*3*t"}],
"solver": {"integrator": "$integrator", "dt": $dt, "duration": 0.4},
"probes": {"E": {"energy": "total"}, "force": {"contact": "force"}}})J";

const char* const links = R"J({"format": "tendril/1", "parameters": {"p": {"value": 1, "min": 0.5, "max": 2}},
"materials": {"rubber": {"youngs": "=1e6*p", "poisson": 0.4, "density": 1000, "damping": $damping}},
"linkages": {"arm": {"links": {
  "upper": {"joint": {"revolute": {"axis": "y", "torque": "=0.1*p*t", "stiffness": "=0.1*p"}},
            "body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.01}}, "density": 1000}}},
  "limb": {"body": {"soft": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "material": "rubber",
                             "strains": {"bendY": 1, "bendZ": 1}}}}},
  "cables": {"c": {"through": "limb", "path": {"constant": [0.005, 0]}, "tension": "=p*2*t"}}}},
"obstacles": {"ball": {"sphere": {"center": [0, 0, -0.4], "radius": 0.1}, "displacement": ["=p*t", 0, 0]}},
"environment": {"gravity": [0, 0, "=-9.81*p"]},
"solver": {"integrator": "$integrator", "dt": $dt, "duration": 0.4},
"probes": {"E": {"energy": "total"}, "effort": {"jointEffort": "arm/upper"}, "force": {"contact": "force"}}})J";

const char* const vines = R"J({"format": "tendril/1", "parameters": {"p": {"value": 1, "min": 0.5, "max": 2}},
"vines": {"v": {"length": 0.3, "bodies": 6, "diameter": 0.02, "growth": "=0.1*p", "massPerLength": 0.05,
                "bendingStiffness": "=0.01*p", "steer": "=p*0.01*t"}},
"obstacles": {"ball": {"sphere": {"center": [0.5, 0.02, 0], "radius": 0.05}, "displacement": ["=-p*0.2*t", 0, 0]}},
"solver": {"dt": $dt, "duration": 0.4},
"probes": {"E": {"energy": "total"}, "force": {"contact": "force"}}})J";

// Two rods that slide over a floor and on each other.
const char* const sliding = R"J({"format": "tendril/1", "parameters": {"p": {"value": 1, "min": 0.5, "max": 2}},
"materials": {"rubber": {"youngs": "=1e6*p", "poisson": 0.4, "density": 1000, "damping": $damping}},
"defaults": {"rods": {"section": {"circle": {"radius": 0.01}}, "segments": 3}},
"rods": {"a": {"path": {"line": {"from": [0, 0, 0.0099], "to": [0.3, 0, 0.0099]}}},
         "b": {"path": {"line": {"from": [0.15, -0.1, 0.0298], "to": [0.15, 0.1, 0.0298]}}}},
"initial": [{"of": "a", "velocity": [0.5, 0.1, 0]}],
"obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}, "velocity": ["=p*0.1", 0, 0]}},
"contact": {"self": true, "friction": 0.4, "stiffness": 2000, "damping": 0.01},
"environment": {"gravity": [0, 0, "=-9.81*p"]},
"solver": {"integrator": "$integrator", "dt": $dt, "duration": 0.2},
"probes": {"tip": {"position": "a:last"}, "E": {"energy": "total"}, "pull": {"reaction": "a:first"},
           "force": {"contact": "force"}}})J";

struct Case {
  const char *name, *scene, *integrator, *dt, *damping;
};

class AcceptedState : public ::testing::TestWithParam<Case> {
 protected:
  std::string text() const {
    const Case& c = GetParam();
    return filled(c.scene, {{"integrator", c.integrator}, {"dt", c.dt}, {"damping", c.damping}});
  }
};

void expectSame(const Snapshot& a, const Snapshot& b, const char* when) {
  EXPECT_EQ(a.time, b.time) << when;
  EXPECT_EQ(a.positions, b.positions) << when;
  EXPECT_EQ(a.obstacles, b.obstacles) << when;
  EXPECT_EQ(a.joints, b.joints) << when;
  EXPECT_EQ(a.tendons, b.tendons) << when;
  EXPECT_EQ(a.tensions, b.tensions) << when;
  EXPECT_EQ(a.contacts, b.contacts) << when;
  EXPECT_EQ(a.directors, b.directors) << when;
  EXPECT_EQ(a.curvature, b.curvature) << when;
  EXPECT_EQ(a.strain, b.strain) << when;
  EXPECT_EQ(a.energy, b.energy) << when;
}

/// A step that is stopped after some iterations.
bool stoppedStep(Simulation& sim, int after) {
  const double before = sim.time();
  int asked = 0;
  sim.step([&] { return asked++ < after; });
  return sim.time() == before;
}

TEST_P(AcceptedState, SnapshotsAreAsBeforeAfterARestore) {
  Simulation sim(text());
  sim.advance(0.1);
  const Snapshot before = sim.snapshot();
  const auto saved = sim.save();
  sim.advance(0.04);
  sim.restore(saved);
  expectSame(sim.snapshot(), before, "back in the same simulation");
  Simulation other(text());
  other.restore(saved);
  expectSame(other.snapshot(), before, "in another");
  EXPECT_EQ(other.save(), saved);
}

TEST_P(AcceptedState, SnapshotsAreAsBeforeAfterARefusedStep) {
  Simulation asked(text()), sim(text());
  asked.advance(0.1), sim.advance(0.1);
  const Snapshot before = asked.snapshot();
  const auto saved = sim.save();
  ASSERT_TRUE(stoppedStep(sim, 0));
  EXPECT_EQ(sim.save(), saved);
  expectSame(sim.snapshot(), before, "refused");
  test::runToEnd(sim), test::runToEnd(asked);
  EXPECT_EQ(sim.save(), asked.save());
}

TEST_P(AcceptedState, SnapshotsAreAsBeforeAfterALiveParameterWhoeverAsked) {
  Simulation asked(text()), sim(text());
  asked.advance(0.1), sim.advance(0.1);
  const Snapshot before = asked.snapshot();
  ASSERT_TRUE(asked.set("p", 1.5));
  ASSERT_TRUE(sim.set("p", 1.5));
  expectSame(sim.snapshot(), before, "not asked before");
  expectSame(asked.snapshot(), before, "asked before");
  Simulation other(text());
  other.restore(sim.save());
  expectSame(other.snapshot(), before, "restored");
  EXPECT_EQ(other.save(), sim.save());
  EXPECT_EQ(asked.save(), sim.save());
  for (Simulation* s : {&asked, &sim, &other}) s->step();
  EXPECT_NE(sim.snapshot().positions, before.positions);
  EXPECT_EQ(asked.save(), sim.save());
  EXPECT_EQ(other.save(), sim.save());
  expectSame(other.snapshot(), sim.snapshot(), "a step later");
}

TEST_P(AcceptedState, AResetIsANewRun) {
  Simulation sim(text()), fresh(text());
  sim.advance(0.1);
  sim.snapshot();
  sim.reset();
  expectSame(sim.snapshot(), fresh.snapshot(), "reset");
  EXPECT_EQ(sim.save(), fresh.save());
}

TEST_P(AcceptedState, LookingAtItDoesNotChangeWhatComes) {
  const std::string watched = text();
  std::string blind = watched;
  blind.erase(blind.rfind(",\n\"probes\"")) += "}";
  Simulation a(watched), b(blind);
  while (!a.finished()) {
    a.step(), b.step();
    a.snapshot(), a.bodies(), a.drawing(), a.save(), a.checks();
  }
  EXPECT_EQ(a.time(), b.time());
  EXPECT_EQ(test::allNodes(a), test::allNodes(b));
  expectSame(a.snapshot(), b.snapshot(), "watched");
}

INSTANTIATE_TEST_SUITE_P(All, AcceptedState,
                         ::testing::Values(Case{"RodsEuler", rods, "implicit-euler", "0.004", "500"},
                                           Case{"RodsMidpoint", rods, "implicit-midpoint", "0.004", "500"},
                                           Case{"RodsMidpointUndamped", rods, "implicit-midpoint", "0.004", "0"},
                                           Case{"RodsBdf2", rods, "bdf2", "0.004", "500"},
                                           Case{"RodsVerlet", rods, "verlet", "0.0002", "50"},
                                           Case{"RodsSymplectic", rods, "symplectic-euler", "0.0002", "50"},
                                           Case{"SlidingEuler", sliding, "implicit-euler", "0.004", "500"},
                                           Case{"SlidingMidpoint", sliding, "implicit-midpoint", "0.004", "500"},
                                           Case{"SlidingBdf2", sliding, "bdf2", "0.004", "500"},
                                           Case{"ShellsEuler", shells, "implicit-euler", "0.004", "0"},
                                           Case{"ShellsMidpoint", shells, "implicit-midpoint", "0.004", "0"},
                                           Case{"LinksEuler", links, "implicit-euler", "0.004", "500"},
                                           Case{"LinksMidpoint", links, "implicit-midpoint", "0.004", "500"},
                                           Case{"LinksAlpha", links, "generalized-alpha", "0.004", "500"},
                                           Case{"LinksVerlet", links, "verlet", "0.0002", "50"},
                                           Case{"Vines", vines, "", "0.004", ""}),
                         [](const auto& info) { return std::string(info.param.name); });

// A clamp that catches its node as the step begins lets go of it, to the last bit, where that step is stopped.
TEST(AcceptedStates, AStoppedStepLeavesACaughtClampAsItWas) {
  Simulation whole(R"J({"format": "tendril/1", "materials": {"a": {"youngs": 4e6, "density": 700}},
    "rods": {"one": {"section": {"circle": {"radius": 0.0034}}, "path": {"points": [[0, 0, 0], [0.06, -0.0147, -0.0061], [0.12, -0.0293, -0.0122],
      [0.18, -0.044, -0.0184], [0.24, -0.0586, -0.0245], [0.3, -0.0733, -0.0306]]}}},
    "constraints": [{"clamp": "one:0", "velocity": [0.0275, "=0.069*sin(9.6*t)", 0]},
      {"clamp": "one:5", "from": 0.3, "before": "free", "rotation": {"axis": [-0.12, -0.85, -0.14], "angle": "=0.6*smooth(t, 0.3, 0.9)"}}],
    "environment": {"gravity": [0, 0, 0]}, "solver": {"integrator": "implicit-euler", "dt": 0.03, "duration": 0.6, "tolerance": 1e-11}})J");
  for (int i = 0; i < 14; ++i) {
    const auto saved = whole.save();
    const double time = whole.time();
    for (const int most : {0, 1}) {
      int asked = 0;
      whole.step([&] { return ++asked <= most; });
      ASSERT_EQ(whole.time(), time);
      EXPECT_EQ(whole.save(), saved) << i << ", asked " << most;
    }
    whole.step();
  }
}

}  // namespace accepted_state_test
}  // namespace tendril
