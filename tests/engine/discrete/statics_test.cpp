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

// A rod pinned to the end of a cantilever, drawn along `drawn`, heavy; `loads` on the cantilever.
std::string pinned(const std::string& drawn, const std::string& loads, int steps) {
  return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "density": 1000}},
    "rods": {"a": {"section": {"circle": {"radius": 0.003}}, "segments": 6, "path": {"line": {"from": [0,0,0], "to": [0.1,0,0]}}},
             "b": {"section": {"circle": {"radius": 0.002}}, "segments": 6, "path": {"line": {"from": [0.1,0,0], "to": )J" +
         drawn + R"J(}}}},
    "joints": [{"pin": ["a:last", "b:first"]}], "constraints": [{"clamp": "a:first"}], "environment": {"gravity": [0,0,-9.81]},
    "loads": )J" +
         loads + R"J(, "solver": {"mode": "static", "loadSteps": )J" + std::to_string(steps) +
         R"J(}, "probes": {"p": {"position": "b:first"}, "q": {"position": "b:last"}}})J";
}

TEST(Statics, WhatIsPinnedHangsWhateverFollows) {
  for (const char* drawn : {"[0.14387912809451864, 0, 0.02397127693021015]", "[0.10849835714501206, 0, 0.04927248649942301]"}) {
    for (const char* load : {R"({"follower": [1e-4, 0, 0])", R"({"follower": [1e-12, 0, 0])", R"({"moment": [0, 1e-9, 0])"}) {
      for (const int steps : {1, 3, 5, 10}) {
        SceneRun run(pinned(drawn, std::string("[") + load + R"(, "at": "a:last"}])", steps));
        run.toEnd();
        EXPECT_NEAR(run["q.z"] - run["p.z"], -0.05, 1e-5) << drawn << load << steps;
      }
    }
  }
}

bool saysUnstable(const Progress& progress) {
  for (const std::string& w : progress.warnings) {
    if (w.find("is unstable") != std::string::npos) return true;
  }
  return false;
}

// What is passed on the way is none of the result's business.
TEST(Statics, OnlyTheEquilibriumAtTheEndIsSaidToBeUnstable) {
  for (const int steps : {1, 2, 3, 4, 5, 6, 10, 20}) {
    Simulation sim(pinned("[0.10849835714501206, 0, 0.04927248649942301]", "[]", steps));
    EXPECT_FALSE(saysUnstable(sim.advance(100))) << steps;
    const auto values = sim.values();
    EXPECT_NEAR(values[5] - values[2], -0.05, 1e-5) << steps;
  }
}

// A column at twice its Euler load, with what has no potential besides.
TEST(Statics, AnUnstableEquilibriumIsSaidToBeOneWhateverFollows) {
  const auto column = [](const std::string& load, double times) {
    return R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "density": 1000}},
      "rods": {"a": {"section": {"circle": {"radius": 2e-3}}, "segments": 20, "path": {"line": {"from": [0,0,0], "to": [0,0,0.1]}}}},
      "constraints": [{"clamp": "a:first"}], "solver": {"mode": "static", "loadSteps": 5}, "loads": [)" +
           load + R"(, {"force": [0, 0, )" + std::to_string(-times * 0.03100627668) + R"(], "at": "a:last"}]})";
  };
  for (const char* load : {R"({"follower": [0, 0, 1e-9], "at": "a:last"})", R"({"moment": [0, 0, 1e-12], "at": "a:last"})"}) {
    Simulation above(column(load, 2)), below(column(load, 0.9));
    EXPECT_TRUE(saysUnstable(above.advance(100))) << load;
    EXPECT_FALSE(saysUnstable(below.advance(100))) << load;
  }
  // A follower force buckles no column, up to eight times Euler's load, where it flutters.
  Simulation follows(column(R"({"follower": [0, 0, -0.15], "at": "a:last"})", 0));
  EXPECT_FALSE(saysUnstable(follows.advance(100)));
}

// A column that damped motion leads on, told in seconds and in half seconds.
TEST(Statics, TheUnitOfTimeChangesNoBitOfDampedMotion) {
  const auto column = [](double second) {
    const auto told = [&](double v) { return std::to_string(v / (second * second)); };
    return R"J({"format": "tendril/1", "rods": {"column": {"section": {"stiffness": {"EA": )J" + told(1 << 20) + R"J(, "EI1": )J" + told(1) + R"J(, "EI2": )J" +
           told(1) + R"J(, "GJ": )J" + told(1) + R"J(}, "massPerLength": 1, "radius": 0.01},
    "segments": 30, "path": {"line": {"from": [0,0,0], "to": [0,0,1]}}}}, "constraints": [{"clamp": "column:first"}],
    "loads": [{"force": [)J" + told(0.0625) + ", 0, " + told(-3) + R"J(], "at": "column:last"}, {"force": [)J" + told(-0.0625) + R"J(, 0, 0], "at": "column:15"}],
    "probes": {"tip": {"position": "column:last"}}, "solver": {"mode": "static", "loadSteps": 2}})J";
  };
  SceneRun one(column(1)), two(column(2));
  one.toEnd();
  two.toEnd();
  EXPECT_NE(one.progress.warnings.size(), 0u) << "nothing stalls";
  EXPECT_EQ(one.progress.iterations, two.progress.iterations);
  for (const char* axis : {"tip.x", "tip.y", "tip.z"}) EXPECT_EQ(one[axis], two[axis]) << axis;
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
