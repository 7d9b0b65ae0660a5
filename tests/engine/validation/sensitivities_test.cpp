// Derivatives of runs by parameters against central differences of whole runs that are solved to twelve digits and take
// the same steps, on scenes of every kind; and what is told where there is no derivative.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "engine/simulation/run_scene.h"
#include "engine/simulation/whole_runs.h"

namespace tendril {
namespace sensitivities_test {

using Parameters = std::map<std::string, double>;

std::string sceneText(const std::string& name) {
  std::ifstream file(std::string(TENDRIL_SOURCE_DIR) + "/scenes/" + name + ".json");
  std::ostringstream text;
  text << file.rdbuf();
  // Derivatives are those of the solution, which differences see to the digits to which it is solved.
  const std::string solved =
      std::regex_replace(text.str(), std::regex(R"re("tolerance": *("[^"]*"|[-+.0-9eE]+))re"), R"("lineSearch": true)");
  return std::regex_replace(solved, std::regex(R"re("solver": *\{)re"), R"("solver": {"tolerance": 1e-12, )");
}

struct Case {
  std::string scene;
  std::vector<std::string> with;
  int steps;
  Parameters set = {};
};

/// Of every kind: statics and every integrator, rods, shells, contact and friction, linkages with loops and cables,
/// feedback and states, vines.
const Case cases[] = {
    {"bend-45", {"P", "E"}, 6},
    {"buckling-column", {"ratio"}, 6},
    {"cantilever", {"E", "rho", "r", "g", "L"}, 5},
    {"end-shear", {"P", "L"}, 4},
    {"follower-force", {"F", "E"}, 10},
    {"hanging-helix", {"E", "g"}, 4},
    {"heavy-elastica", {"G"}, 3},
    {"l-frame", {"P", "E"}, 5},
    {"michell-ring", {"ratio"}, 4},
    {"roll-up", {"turns"}, 10},
    {"slit-annular-plate", {"P"}, 3},
    {"square-plate", {"q", "E"}, 2},
    {"tendon", {"T", "E"}, 4},
    {"cantilever-a1", {"E", "v0"}, 20},
    {"capstan", {"mu", "T1"}, 10},
    {"cloth", {"E", "Cd", "damping"}, 10},
    {"controlled-linkage", {"Kp", "Ki"}, 20},
    {"demo-linkage", {"F", "theta"}, 5},
    {"feedback", {"Kp", "load"}, 20},
    {"flag", {"U", "E"}, 8},
    {"flagellum", {"frequency", "D"}, 60},
    {"friction-c", {"F", "mu"}, 20},
    {"helix-b1", {"E", "g"}, 20},
    {"hybrid-chain", {"omega", "E"}, 20},
    {"miura-ori", {"E", "damping"}, 6},
    {"parachute", {"E", "payload", "Cd"}, 5, {{"tolerance", 1e-8}}},
    {"pluck", {"E", "damping", "F"}, 20},
    {"rod-drop", {"E", "mu"}, 40},
    {"snake", {"ct", "cn"}, 15},
    {"soft-manipulator", {"T1"}, 10},
    {"spider", {"E", "g"}, 15},
    {"swimming-tail", {"E", "bend"}, 10},
    {"tensegrity", {"k"}, 10},
    {"tentacle", {"E", "strength", "damping"}, 25},
    {"vine-circle", {"K"}, 10},
    {"vine-steered", {"k"}, 10},
    {"vine-wall", {"K"}, 10},
};

TEST(Sensitivities, AreThoseOfWholeRuns) {
  int known = 0;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.scene);
    const test::Verdict v = test::judge(sceneText(c.scene), c.set, c.with, c.steps);
    EXPECT_LT(v.worst, 1e-6) << v.where;
    EXPECT_GT(v.known, 0) << "of " << v.of;
    known += v.known;
  }
  EXPECT_GT(known, 500);
}

// A rod that lands on a floor and slides there: corrections of friction shrink by a rate of their own, which begins
// with the touch.
TEST(Sensitivities, GoOnThroughALandingWithFriction) {
  const std::string landing = R"({"format": "tendril/1", "parameters": {"w": {"value": -0.2, "min": -1, "max": 0}},
    "materials": {"m": {"youngs": 1e6, "poisson": 0.5, "density": 1000, "damping": 1e3}},
    "rods": {"r": {"section": {"circle": {"radius": 0.005}}, "segments": 4,
      "path": {"line": {"from": [0, 0, 0], "to": [0.2, 0, 0]}}}},
    "environment": {"gravity": [0, 0, -9.81]}, "obstacles": {"f": {"plane": {"point": [0, 0, -0.03], "normal": [0, 0, 1]}}},
    "contact": {"stiffness": 1e4, "distance": 1e-3, "friction": 0.3, "damping": 0.01},
    "initial": [{"of": "r", "velocity": [0.3, 0, "=w"]}],
    "solver": {"dt": $dt, "duration": 0.3, "tolerance": 1e-12}, "probes": {"tip": {"position": "r:last"}}})";
  for (const char* dt : {"0.002", "0.005"}) {
    SCOPED_TRACE(dt);
    const test::Verdict v = test::judge(test::filled(landing, {{"dt", dt}}), {}, {"w"}, 150);
    EXPECT_LT(v.worst, 1e-5) << v.where;
    EXPECT_GT(v.known, 0);
  }
}

// A gait of 200 steps, with some ten touches of four feet: by then a foot lies 1e-3 to either side where its radius
// changes by 2^-15 of itself, which is as wide as contact reaches.
TEST(Sensitivities, FollowALongGaitThroughItsTouches) {
  const std::string text = sceneText("quadruped");
  const double radius = 0.012, change = 2e-7;
  constexpr int steps = 200;
  Sensitivities s(text, {}, {"r"});
  for (int i = 0; i < steps; ++i) s.step();
  EXPECT_TRUE(s.doubts().empty()) << s.doubts()[0];
  const std::vector<double> by = test::differences(text, {}, "r", radius, change * radius, steps, s.run().time());
  ASSERT_FALSE(by.empty());
  for (const char* probe : {"body", "ahead", "turn", "foot0", "foot1", "foot2", "foot3"}) {
    double most = 0, off = 0;
    for (std::size_t c = 0; c < by.size(); ++c) {
      if (s.run().columns()[c].rfind(std::string(probe) + ".", 0) != 0) continue;
      most = std::max(most, std::abs(by[c])), off = std::max(off, std::abs(s.slopes(0)[c] - by[c]));
    }
    EXPECT_LT(off, 5e-6 * most) << probe;
    EXPECT_GT(most, 0) << probe;
  }
}

// What a column shows of time alone, 3000 periods on.
TEST(Sensitivities, FollowManyPeriods) {
  const std::string text = R"json({"format": "tendril/1", "parameters": {"w": 6283},
    "materials": {"rubber": {"youngs": 1e6, "density": 1000}},
    "rods": {"a": {"section": {"circle": {"radius": 1e-3}}, "segments": 2, "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}}},
    "constraints": [{"fix": "a"}], "solver": {"dt": 0.1, "duration": 3},
    "probes": {"tip": {"position": "a:last"}, "wave": {"formula": "sin(w*t)"}}})json";
  Sensitivities s(text, {}, {"w"});
  while (!s.run().finished()) s.step();
  const auto& columns = s.run().columns();
  const auto wave = std::size_t(std::find(columns.begin(), columns.end(), "wave") - columns.begin());
  ASSERT_LT(wave, columns.size());
  EXPECT_NEAR(s.slopes(0)[wave], 3 * std::cos(6283.0 * 3), 3e-7);
  EXPECT_TRUE(s.doubts().empty()) << s.doubts()[0];
}

const char* const arm = R"({"format": "tendril/1", "parameters": {
  "E": {"value": 1e6, "min": 1e5, "max": 1e7}, "count": 12, "twice": "=2*E", "zero": 0, "h": 0.01, "push": 0,
  "kind": {"value": 1, "choices": {"one": 1, "two": 2}}, "bend": {"value": 0, "min": -1, "max": 1}},
  "materials": {"m": {"youngs": "=E", "poisson": 0.4, "density": 1000}},
  "rods": {"a": {"section": {"circle": {"radius": 0.01}}, "segments": "=count", "natural": {"curvature": ["=zero", "=bend"]},
    "path": {"line": {"from": [0, 0, 0.2], "to": [0.4, 0, 0.2]}}}},
  "constraints": [{"clamp": "a:first"}], $more
  "environment": {"gravity": [0, 0, "=-9.81*kind"]}, "loads": [{"force": [0, "=push", "=twice*0"], "at": "a:last"}],
  "solver": {"integrator": "bdf2", "dt": "=h", "duration": 0.5}, "probes": {"tip": {"position": "a:last"}}})";

std::string armWith(const std::string& more = "") { return test::filled(arm, {{"more", more}}); }

std::string refusal(const std::vector<std::string>& with, const Parameters& set = {}) {
  try {
    const Sensitivities unused(armWith(), set, with);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(Sensitivities, WhatHasNoDerivativeIsRefusedByName) {
  EXPECT_EQ(refusal({"E"}), "none");
  EXPECT_EQ(refusal({"bend"}), "none");  // 0, but with a range
  EXPECT_NE(refusal({"Young"}).find("no parameter \"Young\""), std::string::npos);
  EXPECT_NE(refusal({"Young"}).find("E, count, zero, h, push, bend"), std::string::npos) << refusal({"Young"});
  EXPECT_NE(refusal({"count"}).find("parameter \"count\" has no derivative here"), std::string::npos)
      << refusal({"count"});
  EXPECT_NE(refusal({"twice"}).find("formula of others"), std::string::npos);
  EXPECT_NE(refusal({"kind"}).find("choice of a menu"), std::string::npos);
  EXPECT_NE(refusal({"zero"}).find("is 0 and has no range"), std::string::npos);
  EXPECT_NE(refusal({"h"}).find("steps that the solver takes"), std::string::npos);
  const Sensitivities scaled(armWith(), {}, {"zero"}, {{"zero", 1}});
  EXPECT_EQ(scaled.with().size(), 1u);
}

// The run that is read is the run without derivatives, bit for bit.
TEST(Sensitivities, LeaveTheRunAsItIs) {
  for (const char* name : {"tentacle", "friction-c", "controlled-linkage", "vine-circle", "bend-45"}) {
    SCOPED_TRACE(name);
    std::ifstream file(std::string(TENDRIL_SOURCE_DIR) + "/scenes/" + name + ".json");
    std::ostringstream text;
    text << file.rdbuf();
    Simulation plain(text.str());
    const std::string first = plain.parameters().front().name;
    Sensitivities s(text.str(), {}, {first});
    for (int i = 0; i < 6 && !plain.finished(); ++i) {
      plain.step(), s.step();
      EXPECT_EQ(plain.time(), s.run().time());
      EXPECT_TRUE(std::equal(plain.values().begin(), plain.values().end(), s.run().values().begin()));
    }
  }
}

// Where one side touches a floor and the other does not, and where a formula has a branch.
TEST(Sensitivities, KinksAreTold) {
  const std::string branch = R"("actuation": [{"rod": "a", "curvature": [0, "=bend > 0 ? 5*bend : 0"]}],)";
  Sensitivities s(armWith(branch), {}, {"bend", "E"});
  for (int i = 0; i < 5; ++i) s.step();
  ASSERT_EQ(s.doubts().size(), 1u);
  EXPECT_NE(s.doubts()[0].find("changes with \"bend\""), std::string::npos) << s.doubts()[0];
  EXPECT_NE(s.doubts()[0].find("there is a kink"), std::string::npos);
  Sensitivities smooth(armWith(), {}, {"bend", "E"});
  for (int i = 0; i < 5; ++i) smooth.step();
  EXPECT_TRUE(smooth.doubts().empty()) << smooth.doubts()[0];
}

// Where a solver had to take a step in pieces.
TEST(Sensitivities, StepsThatWereCutAreTold) {
  const std::string sudden = R"({"format": "tendril/1", "parameters": {"F": 5},
    "materials": {"m": {"youngs": 1e6, "poisson": 0.4, "density": 1000}},
    "rods": {"a": {"section": {"circle": {"radius": 0.01}}, "segments": 12, "path": {"line": {"from": [0, 0, 0.2], "to": [0.4, 0, 0.2]}}}},
    "constraints": [{"clamp": "a:first"}], "loads": [{"force": [0, 0, "=-F"], "at": "a:last"}],
    "solver": {"integrator": "bdf2", "dt": 0.2, "duration": 0.4}, "probes": {"tip": {"position": "a:last"}}})";
  Sensitivities s(sudden, {}, {"F"});
  while (!s.run().finished()) s.step();
  ASSERT_FALSE(s.doubts().empty());
  EXPECT_NE(s.doubts()[0].find("was cut"), std::string::npos) << s.doubts()[0];
}

/// Why a static slope is not to be trusted, or empty.
std::string doubtAtRest(const std::string& text, const Parameters& set, const std::string& with) {
  try {
    Sensitivities s(text, set, {with});
    while (!s.run().finished()) s.step();
    return s.doubts().empty() ? std::string() : s.doubts()[0];
  } catch (const GaveUp& error) {
    return error.what();
  }
}

// A column pressed by nearly as much as buckles it: its tangent has a pivot near zero, and it yields by a change of the
// load as much as it is soft. Slopes are those of whole runs, or the run ends with the reason.
TEST(Sensitivities, NearAPivotOfZeroAreRightOrNotGiven) {
  const std::string column = R"({"format": "tendril/1", "parameters": {"ratio": 1},
    "rods": {"c": {"section": {"stiffness": {"EA": 1e7, "EI1": 1, "EI2": 1, "GJ": 1}, "massPerLength": 1, "radius": 0.015},
      "segments": 20, "path": {"line": {"from": [0, 0, 0], "to": [0, 0, 1]}}}},
    "constraints": [{"clamp": "c:first"}], "loads": [{"force": ["=1e-9*ratio", 0, "=-ratio*pi^2/4"], "at": "c:last"}],
    "solver": {"mode": "static", "loadSteps": 1, "tolerance": 1e-12}, "probes": {"tip": {"position": "c:last"}}})";
  int given = 0;
  for (const double ratio : {0.9, 0.99, 0.999, 0.9995, 0.9999, 1.0, 1.0005, 1.001}) {
    SCOPED_TRACE(ratio);
    const std::string doubt = doubtAtRest(column, {{"ratio", ratio}}, "ratio");
    if (!doubt.empty()) continue;
    Sensitivities s(column, {{"ratio", ratio}}, {"ratio"});
    while (!s.run().finished()) s.step();
    const std::vector<double> by = test::differences(column, {}, "ratio", ratio, 1e-7, 1, s.run().time());
    ASSERT_FALSE(by.empty());
    EXPECT_NEAR(s.slopes(0)[0] / by[0], 1, 1e-6);
    ++given;
  }
  EXPECT_GE(given, 6);
}

// A circle that a vine just meets: on one side of it the active set has a contact, on the other it has none.
TEST(Sensitivities, TheEdgeOfAnActiveSetIsTold) {
  const std::string scene = R"({"format": "tendril/1", "parameters": {"place": 0.47},
    "vines": {"vine": {"bodies": 30, "length": 0.4, "diameter": 0.024, "mass": 0.001, "inertia": 2e-4, "stiffness": 0.5, "damping": 3e-5,
      "growth": 0.04}},
    "obstacles": {"circle": {"cylinder": {"from": ["=place", 0.025, -0.03], "to": ["=place", 0.025, 0.03], "radius": 0.06}}},
    "solver": {"dt": 0.01, "duration": 0.3}, "probes": {"tip": {"position": "vine:tip"}}})";
  const auto touches = [&](double x) {
    Simulation run(scene, {{"place", x}});
    while (!run.finished()) run.step();
    return test::column(run, "tip.y") < 0;
  };
  double near = 0.47, far = 0.5;
  ASSERT_TRUE(touches(near));
  ASSERT_FALSE(touches(far));
  while (far - near > 1e-7) (touches(0.5 * (near + far)) ? near : far) = 0.5 * (near + far);
  EXPECT_NE(doubtAtRest(scene, {{"place", near}}, "place").find("there is a kink"), std::string::npos)
      << doubtAtRest(scene, {{"place", near}}, "place");
}

// A double pendulum, whose slopes grow by ten every second: neighbors come closer as they do, until the slopes are more
// than anybody can use.
TEST(Sensitivities, ChaosIsFollowedAndToldBeyondAMillion) {
  const std::string body =
      R"("body": {"rigid": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "density": 1000}})";
  const std::string joint = R"("joint": {"revolute": {"axis": "y"}}, )";
  const std::string text = R"({"format": "tendril/1", "parameters": {"g": 9.81},
    "linkages": {"pendulum": {"links": {"upper": {)" +
                           joint + body + R"(}, "lower": {"parent": "upper", )" + joint + body + R"(}}}},
    "initial": [{"of": "pendulum/upper", "angle": -2.5}], "environment": {"gravity": [0, 0, "=-g"]},
    "solver": {"dt": 2e-3, "duration": 15, "integrator": "bdf2"}, "probes": {"tip": {"position": "pendulum/lower:tip"}}})";
  constexpr int steps = 3500;
  Sensitivities s(text, {}, {"g"});
  for (int i = 0; i < steps; ++i) s.step();
  EXPECT_TRUE(s.doubts().empty()) << s.doubts()[0];
  const std::vector<double> by = test::differences(text, {}, "g", 9.81, 1e-5, steps, s.run().time());
  ASSERT_FALSE(by.empty());
  for (const std::size_t c : {0, 2}) EXPECT_NEAR(s.slopes(0)[c] / by[c], 1, 5e-3);
  while (!s.run().finished()) s.step();
  bool told = false;
  for (const Doubt& doubt : s.findings()) told = told || doubt.kind == Doubt::Kind::growth;
  EXPECT_TRUE(told);
}

// What runs away from a cancellation, where nothing bounds it.
TEST(Sensitivities, GrowthWithoutBoundsIsTold) {
  const std::string scene = R"({"format": "tendril/1", "parameters": {"x0": 1},
    "materials": {"rubber": {"youngs": 1e6, "density": 1000}},
    "rods": {"a": {"section": {"circle": {"radius": 1e-3}}, "segments": 2, "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}}},
    "constraints": [{"fix": "a"}],
    "states": {"apart": {"rate": "=20*apart", "initial": "=x0 - 1 + 1e-9"}},
    "solver": {"dt": 0.01, "duration": 0.1}, "probes": {"tip": {"position": "a:last"}}})";
  Sensitivities s(scene, {}, {"x0"});
  while (!s.run().finished()) s.step();
  ASSERT_EQ(s.doubts().size(), 1u);
  EXPECT_NE(s.doubts()[0].find("such a motion runs away"), std::string::npos) << s.doubts()[0];
}

}  // namespace sensitivities_test
}  // namespace tendril
