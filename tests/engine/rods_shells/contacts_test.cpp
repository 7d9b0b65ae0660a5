// Obstacles, friction, normal damping and resistive forces in the assembled system: exact derivatives, the stick-slip
// law, energy, no tunnelling, save and restore.
#include <gtest/gtest.h>

#include "engine/rods_shells/shell_scenes.h"
#include "engine/simulation/run_scene.h"

namespace tendril::rods_shells {
namespace contacts_test {

using namespace test;

std::string contactScene(const std::string& obstacles, const std::string& more, const std::string& contact) {
  return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e5, "poisson": 0.3, "density": 1000, "damping": 50}},
    "rods": {"arm": {"material": "m", "section": {"circle": {"radius": 0.03}}, "segments": 6,
      "path": {"arc": {"center": [0, 0, 1], "from": [0.6, 0, 0.6], "axis": [0, 1, 0], "angle": 1.4}}}},
    "shells": {"s": {"material": "m", "thickness": 0.04, "mesh": )J" +
         gridMesh(3, 2, [](int i, int j) { return Vec3(0.3 * i, 0.3 * j, 0.1 * i * j); }) + R"J(}},
    "obstacles": {)J" +
         obstacles + R"J(}, "contact": {)J" + contact + R"J(}, "environment": {"gravity": [0, 1, -9.81])J" + more +
         R"J(}, "solver": {"dt": 0.01, "duration": 1}})J";
}

// Ten meters below the bodies, since the loader refuses what starts inside; `raised` puts them where they act.
const char* const everyObstacle = R"J("floor": {"plane": {"point": [0, 0, -9.9], "normal": [0.1, 0.2, 1]}},
  "ball": {"sphere": {"center": [0.3, 0.3, -10.1], "radius": 0.25}, "velocity": [0.2, 0, 0.1]},
  "block": {"box": {"center": [0.7, 0.4, -9.9], "half": [0.2, 0.1, 0.2], "rotation": {"axis": [1, 2, 3], "angle": 0.5}}},
  "pill": {"capsule": {"from": [0.2, 0, -9.7], "to": [0.7, 0.3, -9.5], "radius": 0.12}},
  "drum": {"cylinder": {"from": [0.5, -0.2, -9.4], "to": [0.5, 0.4, -9.3], "radius": 0.15}, "stiffness": 4000})J";

void raised(scene::Scene& scene) {
  for (scene::Obstacle& o : scene.obstacles) o.point.z() += 10, o.end.z() += 10;
}

const char* const rubbing = R"J("stiffness": 3000, "distance": 0.8, "friction": 0.4, "slip": 4, "damping": 0.02)J";

TEST(Contacts, ResidualIsTheGradientOfThePotentialWhileFrictionIsLagged) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    ShellState s(contactScene(everyObstacle, "", rubbing), seed, 0.06, raised);
    s.beginContact();
    VectorX r, unused;
    const solve::Evaluation here = s.evaluate(s.trial, solve::Level::residual, r);
    ASSERT_TRUE(here.valid && here.hasPotential);
    ASSERT_GT(s.system.contacts().summary(s.trial, -1, -1).pairs, 3);
    for (int k = 0; k < 4; ++k) {
      const VectorX d = s.direction();
      const auto difference = [&](double h) {
        return (s.evaluate(s.trial + h * d, solve::Level::value, unused).potential -
                s.evaluate(s.trial - h * d, solve::Level::value, unused).potential) /
               (2 * h);
      };
      const double slope = (4 * difference(8e-5) - difference(1.6e-4)) / 3;
      EXPECT_NEAR(slope, r.dot(d), 1e-6 * r.norm()) << "seed " << seed;
    }
  }
}

TEST(Contacts, TangentIsTheDerivativeOfTheResidual) {
  for (const char* more : {"", R"J(, "rft": {"tangential": 3, "normal": 8})J"}) {
    for (unsigned seed = 1; seed <= 4; ++seed) {
      ShellState s(contactScene(everyObstacle, more, rubbing), seed, 0.06, raised);
      s.beginContact();
      VectorX r, up, down, y(s.trial.size());
      ASSERT_TRUE(s.evaluate(s.trial, solve::Level::tangent, r).valid);
      ASSERT_TRUE(s.system.factor(0).ok);
      for (int k = 0; k < 3; ++k) {
        const VectorX b = s.direction();
        s.system.solve(b, y);
        const double size = y.norm();
        const auto difference = [&](double h) {
          s.evaluate(s.trial + (h / size) * y, solve::Level::residual, up);
          s.evaluate(s.trial - (h / size) * y, solve::Level::residual, down);
          return VectorX((up - down) * (size / (2 * h)));
        };
        const VectorX derivative = (4 * difference(8e-5) - difference(1.6e-4)) / 3;
        EXPECT_LT((derivative - b).norm(), 1e-5 * b.norm()) << "seed " << seed << more;
      }
    }
  }
}

std::string block(const std::string& gravity, const std::string& more = "") {
  return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "poisson": 0.3, "density": 1000}},
    "rods": {"rod": {"section": {"circle": {"radius": 5e-3}}, "segments": 10, "path": {"line": {"from": [-0.05, 0, 0.005029176], "to": [0.05, 0, 0.005029176]}}}},
    "obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
    "contact": {"stiffness": 1000, "distance": 5e-4, "friction": 0.4, "slip": 1e-3)J" +
         more + R"J(},
    "environment": {"gravity": )J" +
         gravity + R"J(}, "solver": {"dt": 5e-3, "duration": 2},
    "probes": {"v": {"velocity": "rod"}, "p": {"position": "rod"}, "f": {"contact": "force"}, "e": {"energy": "total"}}})J";
}

TEST(Contacts, BelowTheFrictionAngleARodCreepsAsTheLawSays) {
  const double angle = 0.2;
  SceneRun run(block("[" + digits(9.81 * std::sin(angle)) + ", 0, " + digits(-9.81 * std::cos(angle)) + "]"));
  run.toEnd();
  const double creep = 1e-3 / 7.5 * std::atanh(std::tan(angle) / 0.4);
  EXPECT_NEAR(run["v.x"], creep, 1e-6 * creep);
  EXPECT_NEAR(run["f"], 9.81 * std::cos(angle) * 1000 * pi * 25e-6 * 0.1, 1e-6);
}

TEST(Contacts, AboveTheFrictionAngleItSlidesByCoulombsLaw) {
  const double angle = 0.6;
  SceneRun run(block("[" + digits(9.81 * std::sin(angle)) + ", 0, " + digits(-9.81 * std::cos(angle)) + "]"));
  run.toEnd();
  const double acceleration = 9.81 * (std::sin(angle) - 0.4 * std::cos(angle));
  EXPECT_NEAR(run["v.x"], 2 * acceleration, 2e-3 * 2 * acceleration);
}

TEST(Contacts, AFrictionlessBounceNeverGainsEnergy) {
  std::string text = block("[0, 0, -9.81]");
  text.replace(text.find("\"friction\": 0.4"), 15, "\"friction\": 0.0");
  text.replace(text.find("[-0.05, 0, 0.005029176]"), 23, "[-0.05, 0, 0.05]");
  text.replace(text.find("[0.05, 0, 0.005029176]"), 22, "[0.04, 0, 0.09]");
  Simulation sim(text);
  double before = column(sim, "e");
  int touched = 0;
  while (!sim.finished()) {
    sim.step();
    EXPECT_LE(column(sim, "e"), before + 1e-12);
    before = column(sim, "e");
    touched += column(sim, "f") > 0;
  }
  EXPECT_GT(touched, 10);
}

TEST(Contacts, ABulletDoesNotPassThroughABallOrASheetOfABox) {
  for (const char* obstacle : {R"J("sphere": {"center": [0, 0, 0], "radius": 0.01})J",
                               R"J("box": {"center": [0, 0, 0], "half": [0.005, 0.2, 0.2]})J"}) {
    const std::string text =
        std::string(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "poisson": 0.3, "density": 1000}},
      "rods": {"rod": {"section": {"circle": {"radius": 2e-3}}, "segments": 4, "path": {"line": {"from": [-0.5, 0.0003, 0], "to": [-0.3, 0.0003, 0]}}}},
      "obstacles": {"target": {)J") +
        obstacle + R"J(}}, "contact": {"stiffness": 1e6, "distance": 1e-4},
      "initial": [{"of": "rod", "velocity": [60, 0, 0]}], "solver": {"dt": 0.01, "duration": 0.05},
      "probes": {"tip": {"position": "rod:last"}, "all": {"position": "rod", "reduce": "max"}}})J";
    Simulation sim(text);
    runToEnd(sim);
    // The ball may throw it aside; through the plate it must not get.
    if (std::string(obstacle).find("box") != std::string::npos) {
      EXPECT_LT(column(sim, "all.x"), 0) << obstacle;
    }
    EXPECT_LT(sim.maxPenetration(), 0.006) << obstacle;
  }
}

TEST(Contacts, ACoarseRodIsNotPiercedBetweenItsNodes) {
  const std::string text =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "poisson": 0.3, "density": 1000}},
    "rods": {"rod": {"section": {"circle": {"radius": 2e-3}}, "segments": 2, "path": {"line": {"from": [-0.1, 0.013, 0.05], "to": [0.1, 0.013, 0.05]}}}},
    "obstacles": {"peg": {"sphere": {"center": [0.05, 0, 0], "radius": 0.02}}}, "contact": {"stiffness": 1e4, "distance": 5e-4},
    "constraints": [{"fix": "rod", "axes": "xy"}], "environment": {"gravity": [0, 0, -9.81]},
    "solver": {"dt": 2e-3, "duration": 1}, "probes": {"low": {"position": "rod", "reduce": "min"}, "f": {"contact": "force"}}})J";
  SceneRun run(text);
  run.toEnd();
  EXPECT_GT(run["f"], 0);
  EXPECT_LT(run.sim.maxPenetration(), 2e-3);
}

TEST(Contacts, ABallDoesNotComeThroughAFaceOfASheet) {
  const std::string text =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e5, "poisson": 0.3, "density": 1000, "damping": 100}},
    "shells": {"s": {"thickness": 5e-4, "mesh": {"rectangle": {"corner": [-0.05, -0.05, 0], "along": [0.1, 0, 0], "across": [0, 0.1, 0], "edge": 0.02}}}},
    "obstacles": {"ball": {"sphere": {"center": [0.003, 0.007, -0.006], "radius": 5e-3}, "velocity": [0, 0, 0.2]}},
    "contact": {"stiffness": 500, "distance": 2e-4}, "constraints": [{"fix": {"of": "s", "where": "abs(x) > 0.049 || abs(y) > 0.049"}}],
    "solver": {"dt": 1e-3, "duration": 0.1}, "probes": {"f": {"contact": "force"}, "top": {"position": "s", "reduce": "max"}}})J";
  SceneRun run(text);
  run.toEnd();
  EXPECT_GT(run["f"], 0.01);
  EXPECT_GT(run["top.z"], 0.01);
}

TEST(Contacts, AThinPlateDoesNotJumpThroughARodHoweverFast) {
  for (const char* speed : {"20", "300", "1000"}) {
    const std::string text =
        std::string(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "poisson": 0.3, "density": 1000}},
      "rods": {"rod": {"section": {"circle": {"radius": 2e-3}}, "segments": 4, "path": {"line": {"from": [-0.02, 0, 0], "to": [0.02, 0, 0]}}}},
      "obstacles": {"plate": {"box": {"center": [0, 0, -0.02], "half": [0.05, 0.05, 5e-4]}, "velocity": [0, 0, )J") +
        speed + R"J(]}},
      "contact": {"stiffness": 1e5, "distance": 2e-4}, "solver": {"dt": 1e-2, "duration": 0.02}, "probes": {"rod": {"position": "rod"}}})J";
    Simulation sim(text);
    try {
      runToEnd(sim);
      EXPECT_GT(column(sim, "rod.z"), std::atof(speed) * 0.02 - 0.021) << speed;
    } catch (const GaveUp& gaveUp) {
      EXPECT_NE(std::string(gaveUp.what()).find("plate"), std::string::npos) << gaveUp.what();
    }
  }
}

TEST(Contacts, ASoftObstacleIsNeverPassed) {
  const std::string text =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1000}},
    "rods": {"rod": {"section": {"circle": {"radius": 2e-3}}, "segments": 1, "path": {"line": {"from": [-0.1, 0.002, 0.02], "to": [0.1, 0.002, 0.02]}}}},
    "obstacles": {"bar": {"capsule": {"from": [0.013, -0.1, 0], "to": [0.013, 0.1, 0], "radius": 3e-3}}},
    "contact": {"stiffness": 10, "distance": 2e-4}, "constraints": [{"fix": "rod", "axes": "xy"}],
    "initial": [{"of": "rod", "velocity": [0, 0, -10]}], "solver": {"dt": 1e-2, "duration": 0.05}, "probes": {"rod": {"position": "rod"}}})J";
  Simulation sim(text);
  EXPECT_THROW(runToEnd(sim), GaveUp);
  EXPECT_GT(column(sim, "rod.z"), 0);
}

TEST(Contacts, MidpointSweepsObstaclesOverTheWholeStep) {
  SceneRun run(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "poisson": 0.3, "density": 1000}},
    "rods": {"rod": {"section": {"circle": {"radius": 2e-3}}, "segments": 4, "path": {"line": {"from": [-0.02, 0, 0], "to": [0.02, 0, 0]}}}},
    "obstacles": {"plate": {"box": {"center": [0, 0, -0.015], "half": [0.05, 0.05, 5e-4]}, "velocity": [0, 0, 5]}},
    "contact": {"stiffness": 1e4, "distance": 2e-4}, "solver": {"integrator": "implicit-midpoint", "dt": 5e-3, "duration": 0.02},
    "probes": {"rod": {"position": "rod"}}})J");
  run.toEnd();
  EXPECT_GT(run["rod.z"], 5 * 0.02 - 0.016);
}

// Long steps: a solve may find its way around the rod's end, but the step's straight way goes through the bar.
TEST(Contacts, ALongStepDoesNotEndBeyondABar) {
  SceneRun run(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1000}},
    "rods": {"rod": {"section": {"circle": {"radius": 2e-3}}, "segments": 4, "path": {"line": {"from": [-0.05, 0.001, 0.01], "to": [0.05, 0.001, 0.01]}}}},
    "obstacles": {"bar": {"capsule": {"from": [0.001, -0.5, 0], "to": [0.001, 0.5, 0], "radius": 3e-3}}},
    "contact": {"stiffness": 1e4, "distance": 2e-4}, "initial": [{"of": "rod", "velocity": [0, 0, -10]}],
    "solver": {"dt": 1e-2, "duration": 0.02}, "probes": {"middle": {"position": "rod:2"}}})J");
  run.toEnd();
  EXPECT_GT(run["middle.z"], 0);
}

// The overlap at the start is that with the obstacle where its displacement puts it.
TEST(Contacts, ADisplacedObstacleIsWhereItIsFromTheStart) {
  for (const char* displaced : {"[0, 0, -0.02]", "[0, 0, \"=-0.02\"]"}) {
    const std::string text =
        std::string(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1000}},
      "rods": {"rod": {"section": {"circle": {"radius": 2e-3}}, "segments": 4, "path": {"line": {"from": [-0.02, 0, 0], "to": [0.02, 0, 0]}}}},
      "obstacles": {"block": {"box": {"center": [0, 0, 0], "half": [0.1, 0.1, 0.01]}, "displacement": )J") +
        displaced + R"J(}},
      "contact": {"stiffness": 1e3, "distance": 2e-4}, "environment": {"gravity": [0, 0, -9.81]},
      "solver": {"dt": 2e-3, "duration": 0.19}, "probes": {"rod": {"position": "rod", "reduce": "min"}, "d": {"contact": "penetration"}}})J";
    SceneRun run(text);
    double deepest = 0;
    while (!run.sim.finished()) {
      run.sim.step();
      deepest = std::max(deepest, column(run.sim, "d"));
    }
    EXPECT_LT(deepest, 1e-3);
    EXPECT_GT(run["rod.z"], -0.0095);
  }
}

// An equilibrium bears the whole weight; what was drawn inside has nothing left to part from.
TEST(Contacts, WhatBeginsInsideStartsFromTheEquilibriumOfStatics) {
  const auto lying = [](const std::string& solver, const std::string& more) {
    return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.4, "density": 1100}},
      "rods": {"a": {"section": {"circle": {"radius": 4e-3}}, "segments": 20, "path": {"line": {"from": [0, 0, 1e-3], "to": [0.2, 0, 1e-3]}}}},
      "constraints": [{"fix": "a:first", "axes": "xy"}, {"fix": "a:last", "axes": "y"}, {"fixTwist": "a:0"}],
      "environment": {"gravity": [0, 0, -9.81]}, "obstacles": {"f": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
      "contact": {"stiffness": 50}, "solver": {)J" +
           solver + R"J(},
      "probes": {"p": {"position": "a:10"})J" +
           more + "}}";
  };
  SceneRun statics(lying(R"J("mode": "static")J", ""));
  statics.toEnd();
  SceneRun run(lying(R"J("integrator": "implicit-midpoint", "dt": 1e-3, "duration": 0.15, "start": "equilibrium")J",
                     R"J(, "v": {"speed": "a:10"}, "W": {"energy": "work"})J"));
  EXPECT_NEAR(run["p.z"], statics["p.z"], 1e-8);
  while (!run.sim.finished()) {
    run.sim.step();
    EXPECT_LT(column(run.sim, "v"), 1e-6);
  }
  EXPECT_NEAR(run["p.z"], statics["p.z"], 1e-8);
  EXPECT_NEAR(run["W"], 0, 1e-12);
}

TEST(Contacts, MeshesTooCoarseForAnObstacleAreTold) {
  const std::string text =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1000}},
    "rods": {"rod": {"section": {"circle": {"radius": 1e-4}}, "segments": 2, "path": {"line": {"from": [-0.1, 0, 0.01], "to": [0.1, 0, 0.01]}}},
             "fine": {"section": {"circle": {"radius": 1e-4}}, "segments": 200, "path": {"line": {"from": [-0.1, 0, 0.02], "to": [0.1, 0, 0.02]}}},
             "other": {"section": {"circle": {"radius": 1e-4}}, "segments": 4, "path": {"line": {"from": [-0.1, 0, 0.03], "to": [0.1, 0, 0.03]}}}},
    "obstacles": {"ball": {"sphere": {"center": [0.03, 0, -1], "radius": 0.5}}, "peg": {"sphere": {"center": [0.02, 0, 0], "radius": 3e-4}},
                  "pin": {"sphere": {"center": [0.03, 0, 0], "radius": 2e-4}}, "pin2": {"sphere": {"center": [0.04, 0, 0], "radius": 2e-4}}},
    "solver": {"dt": 1e-3, "duration": 0.01}})J";
  const Simulation sim(text);
  ASSERT_EQ(sim.sceneWarnings().size(), 2u);
  EXPECT_EQ(
      sim.sceneWarnings()[0].message.find("\"rod\" is meshed too coarsely for obstacle \"pin\" and 2 others, which"),
      0u);
  EXPECT_EQ(
      sim.sceneWarnings()[1].message.find("\"other\" is meshed too coarsely for obstacle \"pin\" and 2 others, which"),
      0u);
  EXPECT_EQ(sim.sceneWarnings()[0].message.substr(5), sim.sceneWarnings()[1].message.substr(7));  // the same length
}

TEST(Contacts, AMovingBoxDragsWhatItHolds) {
  const std::string text =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "poisson": 0.3, "density": 1000}},
    "rods": {"rod": {"section": {"circle": {"radius": 5e-3}}, "segments": 10, "path": {"line": {"from": [-0.05, 0, 0.00503], "to": [0.05, 0, 0.00503]}}}},
    "obstacles": {"belt": {"box": {"center": [0, 0, -0.05], "half": [1, 1, 0.05]}, "velocity": [0, "=0.1*smooth(t, 0, 0.5)", 0]}},
    "contact": {"stiffness": 1000, "distance": 5e-4, "friction": 0.4, "slip": 1e-3},
    "environment": {"gravity": [0, 0, -9.81]}, "solver": {"dt": 5e-3, "duration": 1},
    "probes": {"v": {"velocity": "rod"}}})J";
  SceneRun run(text);
  run.toEnd();
  EXPECT_NEAR(run["v.y"], 0.1, 1e-4);
}

TEST(Contacts, SaveAndRestoreGoOnBitForBit) {
  const std::string text = block("[1, 0.5, -9.81]", ", \"damping\": 1e-3");
  Simulation whole(text), first(text), second(text);
  whole.advance(1);
  first.advance(0.5);
  second.restore(first.save());
  second.advance(0.5);
  EXPECT_EQ(allNodes(second), allNodes(whole));
  EXPECT_EQ(second.maxPenetration(), whole.maxPenetration());
}

// A thinner sheet gets more contact points on its edges: none of them may keep another's place in the tangent.
TEST(Contacts, ALiveThicknessMovesTheContactPoints) {
  const std::string text = R"J({"format": "tendril/1", "parameters": {"h": 0.02},
    "materials": {"m": {"youngs": 1e5, "poisson": 0.3, "density": 1000}},
    "shells": {"s": {"thickness": "=h", "mesh": {"rectangle": {"corner": [-0.1, -0.1, 0.0525], "along": [0.2, 0, 0], "across": [0, 0.2, 0], "edge": 0.1}}}},
    "obstacles": {"peg": {"sphere": {"center": [0.02, 0.01, 0], "radius": 0.04}}}, "contact": {"stiffness": 1e3, "distance": 1e-3},
    "constraints": [{"fix": "s", "axes": "xy"}], "environment": {"gravity": [0, 0, -9.81]},
    "solver": {"dt": 2e-3, "duration": 0.4}, "probes": {"f": {"contact": "force"}}})J";
  Simulation changed(text), fresh(text, {{"h", 0.004}});
  EXPECT_TRUE(changed.set("h", 0.004));
  const Progress a = runToEnd(changed), b = runToEnd(fresh);
  EXPECT_EQ(allNodes(changed), allNodes(fresh));
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_GT(column(fresh, "f"), 0);
}

// All points of a rod together stand for its length, however many an obstacle asks for and wherever the nodes are.
TEST(Contacts, PerLengthARodIsPushedAlikeOnEveryMesh) {
  const auto force = [](const std::string& obstacle, int segments) {
    SceneRun run(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "density": 1000}},
      "rods": {"rod": {"section": {"circle": {"radius": 0.003}}, "segments": )J" +
                 std::to_string(segments) + R"J(,
        "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}}},
      "obstacles": {"o": )J" +
                 obstacle + R"J(}, "contact": {"per": "length", "stiffness": 1e4, "distance": 5e-4},
      "constraints": [{"fix": "rod"}], "solver": {"dt": 1e-3, "duration": 1e-3}, "probes": {"f": {"contact": "force"}}})J");
    run.toEnd();
    return run["f"];
  };
  const double plane = force(R"({"plane": {"point": [0, 0, -0.0031], "normal": [0, 0, 1]}})", 7);
  EXPECT_GT(plane, 0);
  for (const int segments : {1, 2, 5, 10, 50}) {
    SCOPED_TRACE(segments);
    EXPECT_NEAR(force(R"({"plane": {"point": [0, 0, -0.0031], "normal": [0, 0, 1]}})", segments), plane, 1e-12 * plane);
    EXPECT_NEAR(force(R"({"box": {"center": [0, 0, -0.5031], "half": [0.5, 0.5, 0.5]}})", segments), plane,
                1e-12 * plane);
    EXPECT_NEAR(
        force(R"({"capsule": {"from": [-0.1, 0, -0.0081], "to": [0.2, 0, -0.0081], "radius": 0.005}})", segments),
        plane, 1e-12 * plane);
    EXPECT_NEAR(
        force(R"({"cylinder": {"from": [-0.1, 0, -0.0081], "to": [0.2, 0, -0.0081], "radius": 0.005}})", segments),
        plane, 1e-12 * plane);
  }
}

TEST(Swimming, AStraightRodDragsByItsCoefficients) {
  const std::string text =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "poisson": 0.3, "density": 1000}},
    "rods": {"rod": {"section": {"circle": {"radius": 5e-3}}, "segments": 10, "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}}},
    "loads": [{"line": [1, 1, 0], "on": "rod"}], "environment": {"rft": {"tangential": 2, "normal": 5}},
    "constraints": [{"planar": "xy"}], "solver": {"dt": 1e-3, "duration": 1},
    "probes": {"v": {"velocity": "rod"}}})J";
  SceneRun run(text);
  run.toEnd();
  // Terminal velocities: force per length over the coefficient.
  EXPECT_NEAR(run["v.x"], 0.5, 1e-5);
  EXPECT_NEAR(run["v.y"], 0.2, 1e-5);
}

}  // namespace contacts_test
}  // namespace tendril::rods_shells
