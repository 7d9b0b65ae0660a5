// Moments and follower forces act at their node: second order in the edge length wherever along a rod, and nothing is
// bent by what acts on a clamp.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "engine/rods_shells/build_scene.h"

namespace tendril::test {
namespace moment_loads_test {

// A rod of 1 m along x, EI = 1, GJ = 2 (round), that `rest` completes.
std::string rod(int segments, const std::string& rest) {
  return R"J({"format": "tendril/1", "rods": {"rod": {"section": {"stiffness": {"EA": 1e6, "EI1": 1, "EI2": 1, "GJ": 2},
    "massPerLength": 1, "radius": 0.01}, "segments": )J" +
         std::to_string(segments) + R"J(, "path": {"line": {"from": [0,0,0], "to": [1,0,0]}}}}, )J" + rest +
         R"J(, "solver": {"mode": "static", "tolerance": 1e-12}})J";
}

double value(int segments, const std::string& rest, const std::string& column) {
  SceneRun run(rod(segments, rest));
  run.toEnd();
  return run[column];
}

struct Case {
  const char *what, *rest, *column;  // NODE stands for the middle, QUARTER for a quarter of the way
  double exact;
};

TEST(MomentLoads, ActAtTheirNodeToTheSecondOrderOfTheEdgeLength) {
  const double M = 1e-6;
  const Case cases[] = {
      {"in the middle of a cantilever",
       R"J("constraints": [{"clamp": "rod:first"}], "loads": [{"moment": [0,-1e-6,0], "at": "rod:NODE"}], "probes": {"tip": {"position": "rod:last"}})J",
       "tip.z", M * 0.5 * (1 - 0.25)},
      {"at its free end",
       R"J("constraints": [{"clamp": "rod:first"}], "loads": [{"moment": [0,-1e-6,0], "at": "rod:last"}], "probes": {"tip": {"position": "rod:last"}})J",
       "tip.z", M * 0.5},
      {"of a rod that is clamped at its last node",
       R"J("constraints": [{"clamp": "rod:last"}], "loads": [{"moment": [0,1e-6,0], "at": "rod:first"}], "probes": {"tip": {"position": "rod:first"}})J",
       "tip.z", M * 0.5},
      {"a quarter along a rod between two clamps",
       R"J("constraints": [{"clamp": "rod:first"}, {"clamp": "rod:last"}], "loads": [{"moment": [0,-1e-6,0], "at": "rod:QUARTER"}], "probes": {"r": {"reactionMoment": "rod:first"}})J",
       "r.y", M * 0.1875},
      {"along the rod, in its middle, between two clamps: half to either side",
       R"J("constraints": [{"clamp": "rod:first"}, {"clamp": "rod:last"}], "loads": [{"moment": [1e-6,0,0], "at": "rod:NODE"}], "probes": {"r": {"reactionMoment": "rod:first"}})J",
       "r.x", -M / 2},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    double error[2];
    for (int k = 0; k < 2; ++k) {
      const int n = 16 << k;
      std::string rest = c.rest;
      for (std::size_t at; (at = rest.find("NODE")) != std::string::npos;) rest.replace(at, 4, std::to_string(n / 2));
      for (std::size_t at; (at = rest.find("QUARTER")) != std::string::npos;)
        rest.replace(at, 7, std::to_string(n / 4));
      error[k] = std::abs(value(n, rest, c.column) / c.exact - 1);
    }
    EXPECT_LT(error[0], 7.0 / (16 * 16));
    EXPECT_LT(error[1], std::max(0.27 * error[0], 1e-8));
  }
}

TEST(MomentLoads, OnAClampGoToTheClampAlone) {
  for (const char* at : {"rod:first", "rod:4", "rod:last"}) {
    const std::string where = at;
    SceneRun run(rod(
        8,
        R"J("constraints": [{"clamp": ")J" + where + R"J("}], "loads": [{"moment": [0.3,0.4,-0.5], "at": ")J" + where +
            R"J("}], "probes": {"a": {"position": "rod:first"}, "b": {"position": "rod:last"}, "m": {"reactionMoment": ")J" +
            where + R"J("}, "e": {"energy": "elastic"}})J"));
    run.toEnd();
    EXPECT_EQ(run["e"], 0) << at;
    EXPECT_EQ(run["a.z"], 0) << at;
    EXPECT_EQ(run["b.y"], 0) << at;
    EXPECT_EQ(run["m.x"], -0.3) << at;
    EXPECT_EQ(run["m.y"], -0.4) << at;
    EXPECT_EQ(run["m.z"], 0.5) << at;
  }
}

TEST(MomentLoads, OnAClampThatLetsGoBendTheRodFromThenOn) {
  SceneRun run(
      R"J({"format": "tendril/1", "rods": {"rod": {"section": {"stiffness": {"EA": 1e4, "EI1": 1, "EI2": 1, "GJ": 2},
    "massPerLength": 1, "radius": 0.05}, "segments": 8, "path": {"line": {"from": [0,0,0], "to": [1,0,0]}}}},
    "constraints": [{"clamp": "rod:first"}, {"clamp": "rod:last", "until": 0.5, "then": "release"}],
    "loads": [{"moment": [0,-0.1,0], "at": "rod:last"}], "probes": {"tip": {"position": "rod:last"}},
    "solver": {"dt": 0.1, "duration": 40}})J");
  while (run.sim.time() < 0.45) run.sim.step();
  EXPECT_EQ(run["tip.z"], 0);
  run.toEnd();
  EXPECT_NEAR(run["tip.z"], 0.05, 1e-3);
}

TEST(FollowerLoads, InsideARodTurnWithItsNodeToTheSecondOrder) {
  // Pushed along itself in the middle of an arc, held at both ends: the force is along the tangent of the node.
  const auto across = [](int n) {
    SceneRun run(
        R"J({"format": "tendril/1", "rods": {"arc": {"section": {"stiffness": {"EA": 1e6, "EI1": 1, "EI2": 1, "GJ": 2},
      "massPerLength": 1, "radius": 0.01}, "segments": )J" +
        std::to_string(n) +
        R"J(, "path": {"arc": {"center": [0,0,0], "from": [1,0,0], "axis": [0,0,1], "angle": 2}}}},
      "constraints": [{"clamp": "arc:first"}, {"clamp": "arc:last"}], "loads": [{"follower": [0,0,1e-6], "at": "arc:)J" +
        std::to_string(n / 2) +
        R"J("}], "probes": {"r": {"reaction": "arc", "reduce": "sum"}}, "solver": {"mode": "static", "tolerance": 1e-12}})J");
    run.toEnd();
    const Vec3 tangent(-std::sin(1.0), std::cos(1.0), 0), sum(run["r.x"], run["r.y"], run["r.z"]);
    return (sum / 1e-6 + tangent).norm();
  };
  EXPECT_LT(across(16), 2.0 / (16 * 16));
  EXPECT_LT(across(32), 0.27 * across(16));
}

// Whichever rod's name a welded node is called by: as in one rod.
TEST(FollowerLoads, WhereRodsGoOnInOneLineAreThoseOfOneRod) {
  const char* const rest =
      R"J("materials": {"m": {"youngs": 1e7, "density": 1000}}, "constraints": [{"clamp": "a:first"}],
      "solver": {"mode": "static", "tolerance": 1e-12}, "probes": {"r": {"reaction": "a:first"}}})J";
  const std::string section =
      R"J({"section": {"stiffness": {"EA": 1e4, "EI1": 2, "EI2": 1, "GJ": 1}, "massPerLength": 1, "radius": 0.01}, "segments": )J";
  const auto arc = [](double from, double angle) {
    char text[200];
    std::snprintf(text, sizeof text,
                  R"J("path": {"arc": {"center": [0,0,0], "from": [%.17g,%.17g,0], "axis": [0,0,1], "angle": %.17g}})J",
                  std::cos(from), std::sin(from), angle);
    return std::string(text);
  };
  const auto reaction = [&](const std::string& rods, const std::string& at, const char* force) {
    SceneRun run(R"J({"format": "tendril/1", "rods": {)J" + rods + R"J(, "loads": [{"follower": )J" + force +
                 R"J(, "at": ")J" + at + R"J("}], )J" + rest);
    run.toEnd();
    return Vec3(run["r.x"], run["r.y"], run["r.z"]);
  };
  const std::string one = R"J("a": )J" + section + R"J(12, "frame": [0,0,1], )J" + arc(0, 1.2) + "}}";
  const std::string two = R"J("a": )J" + section + R"J(6, "frame": [0,0,1], )J" + arc(0, 0.6) + R"J(}, "b": )J" +
                          section + R"J(6, "frame": [0,0,1], )J" + arc(0.6, 0.6) +
                          R"J(}}, "joints": [{"weld": ["a:last", "b:first"]}])J";
  for (const char* force : {"[0, 0, 0.3]", "[0.2, -0.1, 0.1]"}) {
    const Vec3 wanted = reaction(one, "a:6", force);
    for (const char* name : {"a:last", "b:first"}) {
      EXPECT_LT((reaction(two, name, force) - wanted).norm(), 1e-9 * wanted.norm()) << name << force;
    }
  }
  // Round rods may have other directors: d1 of the second is d2 of the first, and d2 of the second minus d1 of the
  // first.
  const std::string round = R"J({"section": {"circle": {"radius": 0.02}}, "segments": )J";
  const std::string single = R"J("a": )J" + round + R"J(12, "frame": [0,0,1], )J" + arc(0, 1.2) + "}}";
  const std::string turned = R"J("a": )J" + round + R"J(6, "frame": [0,0,1], )J" + arc(0, 0.6) + R"J(}, "b": )J" +
                             round + R"J(6, "frame": [0.82533561490967829, 0.56464247339503537, 0], )J" +
                             arc(0.6, 0.6) + R"J(}}, "joints": [{"weld": ["a:last", "b:first"]}])J";
  const Vec3 wanted = reaction(single, "a:6", "[0.2, 0.1, 0.1]");
  EXPECT_LT((reaction(turned, "a:last", "[0.2, 0.1, 0.1]") - wanted).norm(), 1e-9 * wanted.norm());
  EXPECT_LT((reaction(turned, "b:first", "[0.1, -0.2, 0.1]") - wanted).norm(), 1e-9 * wanted.norm());
}

}  // namespace moment_loads_test
}  // namespace tendril::test
