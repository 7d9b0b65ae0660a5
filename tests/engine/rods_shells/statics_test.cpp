// Static solves beyond the easy ones: snap-through, modes that nothing holds, and what a failure leaves behind.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <tuple>

#include "engine/rods_shells/build_scene.h"
#include "engine/simulation/run_scene.h"

namespace tendril::test {
namespace statics_test {

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
  try {
    run.toEnd();
    ADD_FAILURE() << "it fell into an equilibrium";
  } catch (const GaveUp& gaveUp) {
    EXPECT_NE(std::string(gaveUp.what()).find("; more \"loadSteps\", "), std::string::npos) << gaveUp.what();
  }
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

bool saysUnstable(const Progress& progress) {
  for (const std::string& w : progress.warnings) {
    if (w.find("is unstable") != std::string::npos) return true;
  }
  return false;
}

// The mode that buckles a fine column pushes by 1 / n^4 of what single nodes resist: more than round-off, if not by
// far.
TEST(Statics, AColumnBeyondEulersLoadIsUnstableHoweverFineTheMesh) {
  const auto column = [](int edges, double times) {
    char text[900];
    std::snprintf(text, sizeof text, R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "density": 1000}},
      "rods": {"a": {"section": {"circle": {"radius": 1e-3}}, "segments": %d, "path": {"line": {"from": [0,0,0], "to": [0,0,0.1]}}}},
      "constraints": [{"clamp": "a:first"}], "loads": [{"force": [0, 0, "=-%g*pi^2*1e7*pi/4*1e-12/0.04"], "at": "a:last"}],
      "solver": {"mode": "static"}, "probes": {"tip": {"position": "a:last"}}})J",
                  edges, times);
    Simulation sim{std::string(text)};
    return saysUnstable(sim.advance(10));
  };
  for (const int edges : {20, 100, 200, 300, 500}) {
    EXPECT_FALSE(column(edges, 0.99)) << edges;
    EXPECT_TRUE(column(edges, 1.01)) << edges;
  }
}

// What no support and no load resists does not push, whichever way it lies and however its round-off falls.
TEST(Statics, WhatMayTurnFreelyIsNotUnstable) {
  for (const int edges : {5, 60, 300}) {
    for (const int lie : {0, 1, 2, 3}) {
      const double x = std::cos(1 + 2.3 * lie), y = std::sin(1 + 2.3 * lie) * std::cos(5.0 * lie), z = 0.4 - 0.3 * lie;
      char text[1500];
      std::snprintf(text, sizeof text, R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "density": 1000}},
        "rods": {
          "hung": {"section": {"circle": {"radius": 2e-3}}, "segments": %d, "path": {"line": {"from": [0,0,0], "to": [%g,%g,%g]}}},
          "rope": {"section": {"circle": {"radius": 2e-3}}, "segments": %d, "path": {"line": {"from": [3,0,0], "to": [4,%g,%g]}}},
          "ring": {"section": {"circle": {"radius": 2e-3}}, "segments": %d, "natural": {"curvature": [2, 1]},
            "path": {"line": {"from": [9,0,0], "to": [9.5,%g,%g]}}}},
        "environment": {"gravity": [%g, %g, %g]},
        "constraints": [{"fix": "hung:first"}, {"fix": "rope:first"}, {"fix": "rope:last"}, {"fix": "ring:first"}, {"fix": "ring:last"}],
        "solver": {"mode": "static"}})J",
                    edges, x, y, z, edges, y, z, edges, x, y, x, y, z);
      Simulation sim{std::string(text)};
      EXPECT_FALSE(saysUnstable(sim.advance(10))) << edges << " " << lie;
    }
  }
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
  for (const char* drawn :
       {"[0.14387912809451864, 0, 0.02397127693021015]", "[0.10849835714501206, 0, 0.04927248649942301]"}) {
    for (const char* load :
         {R"({"follower": [1e-4, 0, 0])", R"({"follower": [1e-12, 0, 0])", R"({"moment": [0, 1e-9, 0])"}) {
      for (const int steps : {1, 3, 5, 10}) {
        SceneRun run(pinned(drawn, std::string("[") + load + R"(, "at": "a:last"}])", steps));
        run.toEnd();
        EXPECT_NEAR(run["q.z"] - run["p.z"], -0.05, 1e-5) << drawn << load << steps;
      }
    }
  }
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
  for (const char* load :
       {R"({"follower": [0, 0, 1e-9], "at": "a:last"})", R"({"moment": [0, 0, 1e-12], "at": "a:last"})"}) {
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
    const auto told = [&](double v) {
      char text[32];
      std::snprintf(text, sizeof text, "%.17g", v / (second * second));
      return std::string(text);
    };
    return R"J({"format": "tendril/1", "rods": {"column": {"section": {"stiffness": {"EA": )J" + told(1 << 23) +
           R"J(, "EI1": )J" + told(1) + R"J(, "EI2": )J" + told(1) + R"J(, "GJ": )J" + told(1) +
           R"J(}, "massPerLength": 1, "radius": 0.01},
    "segments": 50, "path": {"line": {"from": [0,0,0], "to": [0,0,1]}}}}, "constraints": [{"clamp": "column:first"}],
    "loads": [{"force": [)J" +
           told(std::ldexp(1, -20)) + ", 0, " + told(-3) + R"J(], "at": "column:last"}],
    "probes": {"tip": {"position": "column:last"}}, "solver": {"mode": "static", "loadSteps": 4}})J";
  };
  SceneRun one(column(1)), two(column(2));
  one.toEnd();
  two.toEnd();
  EXPECT_NE(one.progress.warnings.size(), 0u) << "nothing stalls";
  EXPECT_EQ(one.progress.iterations, two.progress.iterations);
  for (const char* axis : {"tip.x", "tip.y", "tip.z"}) EXPECT_EQ(one[axis], two[axis]) << axis;
}

// Two equal negative eigenvalues become a pair that turns about: no less unstable.
TEST(Statics, AColumnBucklesToItsSideLoadWhateverTwistsIt) {
  const auto column = [](double torque, double side) {
    SceneRun run(test::filled(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "density": 1000}},
      "rods": {"r": {"section": {"circle": {"radius": 0.01}}, "segments": 40, "path": {"line": {"from": [0, 0, 0], "to": [0, 0, 1]}}}},
      "constraints": [{"clamp": "r:first"}], "loads": [{"force": [$side, 0, "=-2*pi^2/4*1e7*pi*0.01^4/4"], "at": "r:last"},
      {"moment": [0, 0, $torque], "at": "r:last"}], "probes": {"tip": {"position": "r:last"}}, "solver": {"mode": "static"}})J",
                              {{"torque", std::to_string(torque)}, {"side", std::to_string(side)}}));
    run.toEnd();
    return std::tuple(run["tip.x"], std::hypot(run["tip.x"], run["tip.y"]), saysUnstable(run.progress));
  };
  const double alone = std::get<0>(column(0, 7.85e-4));
  EXPECT_NEAR(alone, 0.797, 0.002);
  for (const double torque : {1e-6, 1e-4}) {
    const auto [x, away, unstable] = column(torque, 7.85e-4);
    // A torque that the side load balances turns the whole about the axis of the column.
    EXPECT_NEAR(away, alone, 1e-3) << torque;
    EXPECT_GT(x, 0.95 * alone) << torque;
    EXPECT_FALSE(unstable) << torque;
    EXPECT_TRUE(std::get<2>(column(torque, 0))) << torque;
  }
}

// A strip at four times its Euler load, a little of it aside: hardly any pressure, which turns with its faces and
// touches many unknowns, does not keep it straight.
TEST(Statics, AStripBucklesWhateverPressesOnItsFaces) {
  std::string points, triangles;
  for (int j = -1; j <= 1; ++j) {
    for (int i = 0; i <= 10; ++i)
      points += (points.empty() ? "[" : ", [") + std::to_string(0.01 * j) + ", 0, " + std::to_string(0.01 * i) + "]";
  }
  for (int j = 0; j < 2; ++j) {
    for (int i = 0; i < 10; ++i) {
      const int a = 11 * j + i, b = a + 1, c = a + 11, d = c + 1;
      for (const auto& t : {std::array{a, b, d}, std::array{a, d, c}}) {
        triangles += (triangles.empty() ? "[" : ", [") + std::to_string(t[0]) + ", " + std::to_string(t[1]) + ", " +
                     std::to_string(t[2]) + "]";
      }
    }
  }
  const auto strip = [&](const char* pressure, int steps) {
    std::string loads;
    for (const char* at : {"s:10", "s:21", "s:32"}) {
      loads += std::string(R"J({"force": [0, 1.37e-7, -5.48e-4], "at": ")J") + at + "\"}, ";
    }
    SceneRun run(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0, "density": 1000}},
      "shells": {"s": {"thickness": 1e-3, "bending": "hinge", "mesh": {"points": [)J" +
                 points + R"J(], "triangles": [)J" + triangles + R"J(]}}},
      "constraints": [{"clamp": ["s:0", "s:11", "s:22"]}], "loads": [)J" +
                 loads + R"J({"pressure": )J" + pressure + R"J(, "on": "s"}],
      "probes": {"q": {"position": "s:21"}}, "solver": {"mode": "static", "loadSteps": )J" +
                 std::to_string(steps) + "}}");
    run.toEnd();
    EXPECT_FALSE(saysUnstable(run.progress)) << pressure << ", " << steps;
    return run["q.y"];
  };
  for (const int steps : {1, 3, 6}) {
    const double without = strip("0", steps);
    EXPECT_GT(without, 0.05);
    for (const char* pressure : {"1.3e-9", "-2.3e-9", "1e-12"})
      EXPECT_NEAR(strip(pressure, steps), without, 1e-4) << pressure << ", " << steps;
  }
}

// A column at eight times its Euler load, a little of it aside: Newton stalls, and damped motion begins where the
// column gives way. However it is turned, it goes where the little load leads, and not where round-off lets a static
// search end.
TEST(Statics, AColumnThatGivesWayRestsAlikeHoweverItIsTurned) {
  const auto told = [](const Vec3& v) {
    char text[96];
    std::snprintf(text, sizeof text, "[%.17g, %.17g, %.17g]", v.x(), v.y(), v.z());
    return std::string(text);
  };
  const auto place = [&](const Mat3& turn) {
    SceneRun run(
        R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1871168.559312923, "density": 1100}}, "rods": {"a": {"section": {"circle": {"radius": 0.0016028506449857836}},
      "segments": 30, "path": {"line": {"from": [0,0,0], "to": )J" +
        told(turn * Vec3(0, 0, 0.2)) + R"J(}}}}, "constraints": [{"clamp": "a:first"}],
      "loads": [{"force": )J" +
        told(turn * Vec3(4.24200992190307e-08, 7.198808983490654e-07, -0.0018859679201574367)) + R"J(, "at": "a:last"}],
      "probes": {"p": {"position": "a:22"}}, "solver": {"mode": "static"}})J");
    run.toEnd();
    EXPECT_FALSE(saysUnstable(run.progress));
    return Vec3(turn.transpose() * Vec3(run["p.x"], run["p.y"], run["p.z"]));
  };
  const Vec3 plain = place(Mat3::Identity());
  EXPECT_GT(plain.y(), 0.1);
  for (int k = 1; k <= 24; ++k) {
    const Mat3 turn =
        Eigen::AngleAxisd(0.7 * k, Vec3(std::sin(k), std::cos(2 * k), 0.3).normalized()).toRotationMatrix();
    EXPECT_LT((place(turn) - plain).norm(), 1e-6) << k;
  }
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

// A weight that draws a rod out to so many times its length: more than ten is told, as what no linear material stands.
TEST(Statics, WhatIsDrawnOutTenfoldIsTold) {
  for (const double times : {9.9, 10.1}) {
    const double area = pi * 1e-6, force = (times - 1) * 1e6 * area;
    char load[40];
    std::snprintf(load, sizeof load, "%.17g", -force);
    SceneRun run(
        R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1}}, "rods": {"a": {"section": {"circle": {"radius": 1e-3}},
      "segments": 4, "path": {"line": {"from": [0,0,0], "to": [0,0,-0.1]}}}}, "constraints": [{"fix": "a:first"}], "environment": {"gravity": [0,0,0]},
      "loads": [{"force": [0, 0, )J" +
        std::string(load) +
        R"J(], "at": "a:last"}], "probes": {"p": {"position": "a:last"}}, "solver": {"mode": "static"}})J");
    run.toEnd();
    EXPECT_NEAR(run["p.z"], -0.1 * times, 1e-6);
    const auto told = [](const std::string& w) {
      return w.find("rod \"a\" is drawn out to more than ten times") != std::string::npos;
    };
    EXPECT_EQ(std::any_of(run.progress.warnings.begin(), run.progress.warnings.end(), told), times > 10) << times;
  }
}

}  // namespace statics_test
}  // namespace tendril::test
