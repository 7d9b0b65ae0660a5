// Every kind of probe against values worked out by hand, on bent, twisted, stretched and moving rods.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/rods_shells/build_scene.h"

namespace tendril::test {
namespace probe_test {

// A rod of 2 m along x in 10 edges: EA = 100, EI1 = 2, EI2 = 3, GJ = 4, 5 kg/m, radius 0.1, d1 = z; `more` extends the
// rod, `rest` the scene. d2 = t x d1 = -y.
std::string scene(const std::string& more, const std::string& rest) {
  return R"J({"format": "tendril/1", "rods": {"rod": {"section": {"stiffness": {"EA": 100, "EI1": 2, "EI2": 3, "GJ": 4},
    "massPerLength": 5, "radius": 0.1}, "segments": 10, "path": {"line": {"from": [0,0,0], "to": [2,0,0]}})J" +
         more + "}}, " + rest + "}";
}
const std::string statics = R"J("solver": {"mode": "static", "duration": 1, "loadSteps": 10, "tolerance": 1e-11})J";
const std::string clamp = R"J("constraints": [{"clamp": "rod:first"}], )J";

TEST(Probe, AnUnloadedRodShowsWhatWasPrescribed) {
  SceneRun run(scene(
      R"J(, "natural": {"curvature": [0.7, -0.4], "twist": 0.9, "stretch": 1.05})J",
      clamp + statics +
          R"J(, "probes": {"k": {"curvature": "rod"}, "k4": {"curvature": "rod:4"}, "k0": {"curvature": "rod:first"}, "w": {"twist": "rod"},
    "w0": {"twist": "rod:first"}, "st": {"stretch": "rod"}, "f": {"tension": "rod"}, "m": {"moment": "rod:4"}, "length": {"length": "rod"},
    "energy": {"energy": "elastic"}})J"));
  EXPECT_NEAR(run["k.c1"], 0, 1e-12);  // at first it is straight, and loaded by its natural state
  EXPECT_NEAR(run["w"], 0, 1e-12);
  EXPECT_NEAR(run["st"], 1, 1e-12);
  EXPECT_NEAR(run["f"], 100 * (1 / 1.05 - 1), 1e-9);
  EXPECT_GT(run["energy"], 0.1);
  run.toEnd();
  for (const char* k : {"k", "k4", "k0"}) {
    EXPECT_NEAR(run[std::string(k) + ".c1"], 0.7, 1e-8) << k;
    EXPECT_NEAR(run[std::string(k) + ".c2"], -0.4, 1e-8) << k;
  }
  EXPECT_NEAR(run["w"], 0.9, 1e-8);
  EXPECT_NEAR(run["w0"], 0.9, 1e-8);
  EXPECT_NEAR(run["st"], 1.05, 1e-9);
  EXPECT_NEAR(run["length"], 2.1, 1e-9);
  EXPECT_NEAR(run["f"], 0, 1e-6);
  EXPECT_NEAR(run["m.c1"], 0, 1e-7);
  EXPECT_LT(run["energy"], 1e-13);
}

TEST(Probe, PulledRod) {
  SceneRun run(scene(
      "", clamp + statics + R"J(, "loads": [{"force": [20,0,0], "at": "rod:last"}, {"force": [10,0,0], "at": "rod:5"}],
    "probes": {"tip": {"position": "rod:last"}, "f": {"tension": "rod:8..10"}, "first": {"tension": "rod:0..2"},
    "st": {"stretch": "rod:8..10"}, "all": {"length": "rod"}, "part": {"length": "rod:0..5"}, "end": {"length": "rod:9..10"},
    "r": {"reaction": "rod:first"}, "free": {"reaction": "rod:5"}, "stretch": {"energy": "stretch"}, "bend": {"energy": "bend"},
    "of": {"energy": "total", "of": "rod"}})J"));
  run.toEnd();
  EXPECT_NEAR(run["tip.x"], 2 + 1 * 0.3 + 1 * 0.2, 1e-9);
  EXPECT_NEAR(run["f"], 20, 1e-7);
  EXPECT_NEAR(run["first"], 30, 1e-7);
  EXPECT_NEAR(run["st"], 1.2, 1e-9);
  EXPECT_NEAR(run["all"], 2.5, 1e-9);
  EXPECT_NEAR(run["part"], 1.3, 1e-9);
  EXPECT_NEAR(run["end"], 0.24, 1e-9);
  EXPECT_NEAR(run["r.x"], -30, 1e-7);
  EXPECT_EQ(run["free.x"], 0) << "nothing supports it";
  EXPECT_NEAR(run["stretch"], 0.5 * 100 * (0.09 + 0.04), 1e-7);
  EXPECT_NEAR(run["bend"], 0, 1e-12);
  EXPECT_NEAR(run["of"], run["stretch"], 1e-12);
}

TEST(Probe, TwistedRod) {
  SceneRun run(scene("", clamp + statics + R"J(, "loads": [{"moment": [3,0,0], "at": "rod:last"}],
    "probes": {"w": {"twist": "rod"}, "w9": {"twist": "rod:9"}, "m": {"moment": "rod:4"}, "pose": {"pose": "rod:last"}, "r": {"reactionMoment": "rod:first"},
    "en": {"energy": "twist"}})J"));
  run.toEnd();
  const double turn = 3.0 / 4 * 1.9;  // up to the middle of the last edge
  EXPECT_NEAR(run["w"], 0.75, 1e-8);
  EXPECT_NEAR(run["w9"], 0.75, 1e-8);
  EXPECT_NEAR(run["m.t"], 3, 1e-8);
  EXPECT_NEAR(run["r.x"], -3, 1e-8);
  EXPECT_NEAR(run["en"], 0.5 * 4 * 0.75 * 0.75 * 1.9, 1e-7);
  // Columns d1 = z turned by `turn` about x, d2 = -y, t = x.
  const Eigen::Quaterniond q(run["pose.qw"], run["pose.qx"], run["pose.qy"], run["pose.qz"]);
  const Mat3 frame = q.toRotationMatrix();
  EXPECT_NEAR(frame(1, 0), -std::sin(turn), 1e-8);
  EXPECT_NEAR(frame(2, 0), std::cos(turn), 1e-8);
  EXPECT_NEAR(frame(0, 2), 1, 1e-9);
  EXPECT_GE(run["pose.qw"], 0);
}

TEST(Probe, BentRodTurnsTowardItsDirectors) {
  // A moment about -y bends x toward +z = d1; one about -z toward -y = d2.
  for (const int side : {1, 2}) {
    const double EI = side == 1 ? 2 : 3, M = 1.0;
    SceneRun run(scene("", clamp + statics + R"J(, "loads": [{"moment": )J" + (side == 1 ? "[0,-1,0]" : "[0,0,-1]") +
                               R"J(, "at": "rod:last"}],
      "probes": {"k": {"curvature": "rod:5"}, "m": {"moment": "rod:5"}, "dir": {"tangent": "rod:last"}, "mid": {"tangent": "rod:5"},
      "tip": {"position": "rod:last"}, "r": {"reactionMoment": "rod:first"}, "none": {"curvature": "rod:last"}, "en": {"energy": "bend"}})J"));
    run.toEnd();
    // A hinge carries M = EI/l 2 tan(a/2) / cos^2(a/2) with its turning angle a = k l.
    const double l = 0.2;
    double a = M * l / EI;
    for (int i = 0; i < 30; ++i) a = 2 * std::atan(M * l / EI / 2 * std::cos(a / 2) * std::cos(a / 2));
    double half = a / 2;  // of the clamp's spring, twice as stiff
    for (int i = 0; i < 30; ++i) half = 2 * std::atan(M * l / EI / 4 * std::cos(half / 2) * std::cos(half / 2));
    const std::string own = side == 1 ? ".c1" : ".c2", other = side == 1 ? ".c2" : ".c1";
    EXPECT_NEAR(run["k" + own], a / l, 1e-8) << side;
    EXPECT_NEAR(run["k" + other], 0, 1e-9) << side;
    EXPECT_NEAR(run["m" + own], EI / l * 2 * std::tan(a / 2), 1e-8) << side;
    const double end = half + 9 * a, middle = half + 4.5 * a;
    EXPECT_NEAR(run["dir.x"], std::cos(end), 1e-8) << side;
    EXPECT_NEAR(run[side == 1 ? "dir.z" : "dir.y"], side == 1 ? std::sin(end) : -std::sin(end), 1e-8) << side;
    EXPECT_NEAR(run["mid.x"], std::cos(middle), 1e-8) << side;
    EXPECT_NEAR(run[side == 1 ? "r.y" : "r.z"], 1, 1e-8) << side;
    EXPECT_EQ(run["none.c1"], 0) << "a free end carries no curvature";
    EXPECT_NEAR(run["en"],
                0.5 * EI / l * (9 * std::pow(2 * std::tan(a / 2), 2) + 2 * std::pow(2 * std::tan(half / 2), 2)), 1e-8);
    double x = 0;
    for (int i = 0; i < 10; ++i) x += l * std::cos(half + i * a);
    EXPECT_NEAR(run["tip.x"], x, 1e-8) << side;
  }
}

TEST(Probe, MovingRod) {
  SceneRun run(scene(
      "",
      R"J("initial": [{"velocity": ["=x", 0, 2], "of": "rod"}, {"spin": 3, "of": "rod"}], "environment": {"gravity": [0,0,-10]},
    "probes": {"v": {"velocity": "rod:5"}, "mean": {"velocity": "rod"}, "sp": {"speed": "rod:last"}, "k": {"energy": "kinetic"},
    "g": {"energy": "gravity"}, "tot": {"energy": "total"}, "f": {"formula": "2*v.x + k"}}, "solver": {"dt": 1e-3, "duration": 1})J"));
  EXPECT_NEAR(run["v.x"], 1, 1e-12);
  EXPECT_NEAR(run["v.z"], 2, 1e-12);
  EXPECT_NEAR(run["mean.x"], 1, 1e-12);
  EXPECT_NEAR(run["sp"], std::sqrt(8.0), 1e-12);
  // Lumped masses of 1 kg, half at the ends; rotary inertia 5 * 0.1^2 / 2 per length.
  double kinetic = 0.5 * 5 * 0.01 / 2 * 2 * 9;
  for (int i = 0; i <= 10; ++i) kinetic += 0.5 * (i % 10 ? 1 : 0.5) * (0.04 * i * i + 4);
  EXPECT_NEAR(run["k"], kinetic, 1e-12);
  EXPECT_NEAR(run["g"], 0, 1e-12);
  EXPECT_NEAR(run["tot"], kinetic, 1e-12);
  EXPECT_NEAR(run["f"], 2 + kinetic, 1e-12);
  run.sim.step();
  EXPECT_NEAR(run["g"], 10 * 10 * (2e-3 - 1e-5), 1e-9);  // implicit Euler: v1 = 2 - 0.01, all nodes alike in z
}

TEST(Probe, SelectionsAreReducedColumnByColumn) {
  SceneRun run(scene(
      "",
      R"J("constraints": [{"fix": "rod:first"}, {"fix": "rod:last"}], "environment": {"gravity": [0,0,-1]}, "probes": {
    "mean": {"position": "rod"}, "sum": {"position": "rod:1..3", "reduce": "sum"}, "min": {"position": "rod", "reduce": "min"},
    "max": {"position": "rod", "reduce": "max"}, "far": {"distance": ["rod:first", "rod:last"]}, "near": {"distance": ["rod:0..2", "rod:4..6"]},
    "r": {"reaction": "rod"}, "one": {"reaction": "rod:last"}, "average": {"reaction": "rod", "reduce": "mean"}}, )J" +
          statics));
  EXPECT_NEAR(run["mean.x"], 1, 1e-12);
  EXPECT_NEAR(run["sum.x"], 1.2, 1e-12);
  EXPECT_NEAR(run["min.x"], 0, 1e-12);
  EXPECT_NEAR(run["max.x"], 2, 1e-12);
  EXPECT_NEAR(run["far"], 2, 1e-12);
  EXPECT_NEAR(run["near"], 0.8, 1e-12);
  run.toEnd();
  EXPECT_NEAR(run["r.z"], 10, 1e-7);
  EXPECT_NEAR(run["one.z"], 5, 1e-7);
  EXPECT_NEAR(run["average.z"], 10.0 / 11, 1e-7);
}

TEST(Probe, MergedNodesReactOnce) {
  SceneRun run(R"J({"format": "tendril/1", "rods": {
    "a": {"section": {"stiffness": {"EA": 100, "EI1": 2, "EI2": 3, "GJ": 4}, "massPerLength": 5, "radius": 0.1}, "segments": 2, "path": {"line": {"from": [0,0,0], "to": [1,0,0]}}},
    "b": {"section": {"stiffness": {"EA": 100, "EI1": 2, "EI2": 3, "GJ": 4}, "massPerLength": 5, "radius": 0.1}, "segments": 2, "path": {"line": {"from": [1,0,0], "to": [2,0,0]}}}},
    "joints": [{"pin": ["a:last", "b:first"]}], "environment": {"gravity": [0,0,-1]},
    "constraints": [{"fix": "a:first"}, {"fix": "a:last"}, {"fix": "b:last"}], "probes": {"both": {"reaction": "*"}, "a": {"reaction": "a"}}, )J" +
               statics + "}");
  run.toEnd();
  EXPECT_NEAR(run["both.z"], 10, 1e-7);
  EXPECT_GT(run["a.z"], 5);
}

TEST(Probe, TwoRodsWeldedInOneLineShowTheMomentAtTheWeld) {
  Simulation simulation(R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "density": 1200}},
    "defaults": {"rods": {"section": {"circle": {"radius": 1e-3}}, "segments": 20}},
    "rods": {"a": {"path": {"line": {"from": [0,0,0], "to": [0.05,0,0]}}},
             "b": {"path": {"line": {"from": [0.05,0,0], "to": [0.1,0,0]}}}},
    "joints": [{"weld": ["a:last", "b:first"]}], "constraints": [{"clamp": "a:first"}],
    "loads": [{"force": [0,0,1e-5], "at": "b:last"}], "solver": {"mode": "static"},
    "probes": {"ma": {"moment": "a:last"}, "mb": {"moment": "b:first"}}})");
  simulation.advance(10);
  EXPECT_NEAR(simulation.values()[0], 5e-7, 5e-10);
  EXPECT_EQ(simulation.values()[0], simulation.values()[3]);
}

}  // namespace probe_test
}  // namespace tendril::test
