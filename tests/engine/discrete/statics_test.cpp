// Static solves beyond the easy ones: snap-through, modes that nothing holds, and what a failure leaves behind.
#include <gtest/gtest.h>

#include "engine/discrete/build_scene.h"

namespace tendril::test {
namespace {

// A shallow arch between two hinges, 1 m wide and 0.1 m high, pushed down at its crown with P times EI / L^2.
std::string arch(double P) {
  return R"J({"format": "tendril/1", "rods": {"arch": {"section": {"stiffness": {"EA": 1e4, "EI1": 1, "EI2": 1, "GJ": 1}, "massPerLength": 1, "radius": 0.01},
    "segments": 40, "path": {"curve": {"x": "=u", "y": 0, "z": "=0.1*sin(pi*u)"}}}},
    "constraints": [{"fix": "arch:first"}, {"fix": "arch:last"}, {"fixTwist": "arch:first"}, {"fix": "arch", "axes": "y"}],
    "loads": [{"force": [0, 0, )J" +
         std::to_string(-P) + R"J(], "at": "arch:20"}],
    "probes": {"crown": {"position": "arch:20"}, "left": {"reaction": "arch:first"}, "right": {"reaction": "arch:last"}},
    "solver": {"mode": "static", "duration": 1, "loadSteps": 20}})J";
}

TEST(Statics, AnArchSnapsThroughAtItsLimitPoint) {
  SceneRun below(arch(8)), above(arch(30));
  below.toEnd();
  EXPECT_GT(below["crown.z"], 0.08);
  EXPECT_TRUE(below.progress.warnings.empty());
  above.toEnd();
  // Through the limit point there is no equilibrium next to the old one.
  EXPECT_LT(above["crown.z"], -0.09);
  EXPECT_NEAR(above["left.z"] + above["right.z"], 30, 1e-5);
  EXPECT_NEAR(above["left.x"], -above["right.x"], 1e-5);
}

TEST(Statics, ASharpBifurcationIsPassedByDampedDynamicsAndTheRunSaysSo) {
  SceneRun run(
      R"J({"format": "tendril/1", "rods": {"column": {"section": {"stiffness": {"EA": 1e7, "EI1": 1, "EI2": 1, "GJ": 1}, "massPerLength": 1, "radius": 0.01},
    "segments": 50, "path": {"line": {"from": [0,0,0], "to": [0,0,1]}}}}, "constraints": [{"clamp": "column:first"}],
    "loads": [{"force": [1e-6, 0, -3], "at": "column:last"}], "probes": {"tip": {"position": "column:last"}, "foot": {"reaction": "column:first"}},
    "solver": {"mode": "static", "duration": 1, "loadSteps": 30}})J");
  run.toEnd();
  EXPECT_GT(run["tip.x"], 0.5);
  EXPECT_NEAR(run["tip.y"], 0, 1e-6);
  EXPECT_NEAR(run["foot.z"], 3, 1e-6);
  ASSERT_FALSE(run.progress.warnings.empty());
  EXPECT_NE(run.progress.warnings[0].find("damped dynamics"), std::string::npos) << run.progress.warnings[0];
  EXPECT_LT(run.progress.iterations, 1000);
}

TEST(Statics, ARodThatCanSpinFreelySettles) {
  // Hinges at both ends hold no twist: the rod may spin about its axis at no cost.
  SceneRun run(
      R"J({"format": "tendril/1", "rods": {"beam": {"section": {"stiffness": {"EA": 1e4, "EI1": 1, "EI2": 1, "GJ": 1}, "massPerLength": 1, "radius": 0.01},
    "segments": 100, "path": {"line": {"from": [0,0,0], "to": [1,0,0]}}}}, "constraints": [{"fix": "beam:first"}, {"fix": "beam:last", "axes": "yz"}],
    "environment": {"gravity": [0, 0, -0.01]}, "probes": {"middle": {"position": "beam:50"}, "twist": {"twist": "beam"}},
    "solver": {"mode": "static", "duration": 1}})J");
  run.toEnd();
  EXPECT_NEAR(run["middle.z"], -5.0 / 384 * 0.01, 1e-3 * 5.0 / 384 * 0.01);
  EXPECT_NEAR(run["middle.y"], 0, 1e-12);
  EXPECT_NEAR(run["twist"], 0, 1e-12);
}

TEST(Statics, AFreeRodUnderBalancedForcesSettles) {
  SceneRun run(
      R"J({"format": "tendril/1", "rods": {"rod": {"section": {"stiffness": {"EA": 100, "EI1": 1, "EI2": 1, "GJ": 1}, "massPerLength": 1, "radius": 0.01},
    "segments": 10, "path": {"line": {"from": [0,0,0], "to": [1,0,0]}}}}, "loads": [{"force": [10,0,0], "at": "rod:last"}, {"force": [-10,0,0], "at": "rod:first"}],
    "probes": {"length": {"length": "rod"}}, "solver": {"mode": "static", "duration": 1}})J");
  run.toEnd();
  EXPECT_NEAR(run["length"], 1.1, 1e-8);
}

TEST(Statics, AFallingRodHasNoEquilibriumAndKeepsItsState) {
  SceneRun run(
      R"J({"format": "tendril/1", "rods": {"rod": {"section": {"stiffness": {"EA": 100, "EI1": 1, "EI2": 1, "GJ": 1}, "massPerLength": 1, "radius": 0.01},
    "segments": 10, "path": {"line": {"from": [0,0,0], "to": [1,0,0]}}}}, "environment": {"gravity": [0,0,-9.81]},
    "probes": {"tip": {"position": "rod:last"}}, "solver": {"mode": "static", "duration": 1}})J");
  EXPECT_THROW(run.toEnd(), GaveUp);
  EXPECT_EQ(run.sim.time(), 0);
  EXPECT_EQ(run["tip.z"], 0);
  EXPECT_EQ(run["tip.x"], 1);
}

TEST(Statics, LoadStepsDoNotChangeTheAnswer) {
  const auto text = [](int steps) {
    return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1000}}, "rods": {"rod": {"section": {"circle": {"radius": 0.01}},
      "segments": 30, "path": {"line": {"from": [0,0,0], "to": [1,0,0]}}}}, "constraints": [{"clamp": "rod:first"}], "environment": {"gravity": [0.3,0.2,-9.81]},
      "loads": [{"moment": [0.02, 0.01, 0], "at": "rod:last"}], "actuation": [{"rod": "rod", "twist": 2, "curvature": [0.5, 0.3]}],
      "probes": {"tip": {"position": "rod:last"}}, "solver": {"mode": "static", "duration": 1, "tolerance": 1e-11, "loadSteps": )J" +
           std::to_string(steps) + "}}";
  };
  SceneRun few(text(8)), many(text(64));
  few.toEnd();
  many.toEnd();
  for (const char* axis : {"tip.x", "tip.y", "tip.z"}) EXPECT_NEAR(few[axis], many[axis], 1e-7) << axis;
}

TEST(Statics, AnUnstableEquilibriumIsSaidToBeOne) {
  // A perfect column past its Euler load stays straight; a touch of imperfection buckles it, and that shape is stable.
  const auto column = [](const std::string& side) {
    return R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "density": 1000}},
      "rods": {"a": {"section": {"circle": {"radius": 1e-3}}, "segments": 40,
                     "path": {"line": {"from": [0,0,0], "to": [0,0,0.1]}}}},
      "constraints": [{"clamp": "a:first"}, {"planar": "xz"}],
      "loads": [{"force": [)" +
           side + R"(, 0, "=-1.1*pi^2*1e7*pi/4*1e-12/0.04"], "at": "a:last"}],
      "solver": {"mode": "static"}, "probes": {"tip": {"position": "a:last"}}})";
  };
  const auto says = [](const Progress& progress) {
    for (const std::string& w : progress.warnings) {
      if (w.find("unstable") != std::string::npos) return true;
    }
    return false;
  };
  Simulation perfect(column("0")), touched(column("1e-6"));
  EXPECT_TRUE(says(perfect.advance(10)));
  EXPECT_NEAR(perfect.values()[0], 0, 1e-12);
  EXPECT_FALSE(says(touched.advance(10)));
  EXPECT_GT(touched.values()[0], 0.03);
}

TEST(Statics, AStressFreeStateIsItsOwnEquilibriumHoweverItIsHeld) {
  // Directions that are no round numbers: the strains are round-off, and so is every force.
  const auto scene = [](const std::string& path, const std::string& constraints, const std::string& more = "") {
    return R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "density": 1200}},
      "rods": {"a": {"section": {"circle": {"radius": 1e-3}}, "segments": 33, "path": )" +
           path + more + R"(}},
      "constraints": )" +
           constraints + R"(, "solver": {"mode": "static"}})";
  };
  const std::string line = R"({"line": {"from": [0,0,0], "to": [0.07,0.11,0.6]}})";
  const std::string arc = R"({"arc": {"center": [0,0,0], "from": [0.1,0.02,0], "axis": [0,0,1], "angle": 5}})";
  for (const std::string& path : {line, arc}) {
    for (const char* held : {R"([])", R"([{"fix": "a:first"}])", R"([{"fix": "a:first"}, {"fix": "a:last"}])"}) {
      Simulation simulation(scene(path, held));
      const Progress progress = simulation.advance(10);
      EXPECT_TRUE(simulation.finished());
      EXPECT_LE(progress.iterations, 3) << path << held;
      EXPECT_TRUE(progress.warnings.empty()) << progress.warnings.front();
    }
  }
  // Growing to a natural length passes an indefinite tangent and needs no rescue.
  Simulation grows(scene(line, R"([{"clamp": "a:first"}])", R"(, "natural": {"stretch": 1.1})"));
  const Progress progress = grows.advance(10);
  EXPECT_LE(progress.iterations, 5);
  EXPECT_TRUE(progress.warnings.empty());
}

}  // namespace
}  // namespace tendril::test
