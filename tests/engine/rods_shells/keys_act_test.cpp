// Every key of a rod's start, natural shape, actuation and loads does something, and what an initial twist does is
// known: it is a departure from the natural shape.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/rods_shells/build_scene.h"
#include "scene/format/keys.h"

namespace tendril::test {
namespace keys_act_test {

// A clamped rod of 1 m along x; E = 1 MPa, nu = 0.25, so that G = 0.4 MPa; a flat section.
std::string scene(const std::string& natural, const std::string& more) {
  return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.25, "density": 1000}}, "rods": {"rod": {
    "section": {"rectangle": {"width": 0.03, "height": 0.02}}, "segments": 12, "path": {"line": {"from": [0,0,0], "to": [1,0,0]}})J" +
         natural +
         R"J(}, "other": {"section": {"circle": {"radius": 0.01}}, "segments": 6, "path": {"arc": {"center": [0,3,1], "from": [0,3,0],
    "axis": [0,-1,0], "angle": 1}})J" +
         (natural.empty() ? "" : natural) +
         R"J(}}, "constraints": [{"clamp": "rod:first"}, {"clamp": "other:first"}])J" + more +
         R"J(, "solver": {"dt": 0.02, "duration": 0.2}, "probes": {"w": {"twist": "rod:5"}})J" + "}";
}

std::vector<double> stateOf(const std::string& text) {
  SceneRun run(text);
  run.toEnd();
  std::vector<double> out;
  for (const auto& body : run.sim.bodies()) {
    out.insert(out.end(), body.nodes.begin(), body.nodes.end());
    out.insert(out.end(), body.twist.begin(), body.twist.end());
  }
  return out;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

// Keys that do not act on rods by themselves: where and when, other bodies, and files.
const std::map<std::string, std::set<std::string>> elsewhere = {
    {"initial",
     {"of", "hingeRate", "bendY", "bendZ", "stretch", "shearY", "shearZ", "twistRate", "bendYRate", "bendZRate",
      "stretchRate", "shearYRate", "shearZRate", "angle", "displacement", "angleRate", "displacementRate", "pose",
      "poseRate"}},
    {"actuation", {"rod", "shell", "angle", "csv", "link", "natural"}},
    {"loads", {"at", "on", "pressure", "link", "wrench"}}};

struct Acts {
  const char *object, *key, *natural, *with, *without;
};

const Acts acts[] = {
    {"initial", "velocity", "", R"(, "initial": [{"velocity": [0,0,"=s"], "of": "rod"}])", ""},
    {"initial", "twist", "", R"(, "initial": [{"twist": "=s", "of": "rod"}])", ""},
    {"initial", "spin", "", R"(, "initial": [{"spin": "=s", "of": "rod"}])", ""},
    {"natural", "curvature", R"(, "natural": {"curvature": [0.2, 0.1]})", "", ""},
    {"natural", "twist", R"(, "natural": {"twist": 0.3})", "", ""},
    {"natural", "stretch", R"(, "natural": {"stretch": 1.1})", "", ""},
    {"rod", "natural", R"(, "natural": "straight")", "", ""},
    {"actuation", "curvature", "", R"(, "actuation": [{"rod": "rod", "curvature": [0.2, 0.1]}])", ""},
    {"actuation", "twist", "", R"(, "actuation": [{"rod": "rod", "twist": 0.3}])", ""},
    {"actuation", "stretch", "", R"(, "actuation": [{"rod": "rod", "stretch": 1.1}])", ""},
    {"actuation", "from", "", R"(, "actuation": [{"rod": "rod", "twist": 0.3, "from": 0.1}])",
     R"(, "actuation": [{"rod": "rod", "twist": 0.3}])"},
    {"actuation", "until", "", R"(, "actuation": [{"rod": "rod", "twist": 0.3, "until": 0.1}])",
     R"(, "actuation": [{"rod": "rod", "twist": 0.3}])"},
    {"actuation", "table", "", R"(, "actuation": [{"rod": "rod", "table": {"time": [0, 1], "twist": [[0], [1]]}}])",
     ""},
    {"table", "curvature1", "",
     R"(, "actuation": [{"rod": "rod", "table": {"time": [0, 1], "curvature1": [[0], [1]]}}])", ""},
    {"table", "curvature2", "",
     R"(, "actuation": [{"rod": "rod", "table": {"time": [0, 1], "curvature2": [[0], [1]]}}])", ""},
    {"table", "twist", "", R"(, "actuation": [{"rod": "rod", "table": {"time": [0, 1], "twist": [[0], [1]]}}])", ""},
    {"table", "stretch", "", R"(, "actuation": [{"rod": "rod", "table": {"time": [0, 1], "stretch": [[1], [2]]}}])",
     ""},
    {"table", "interpolation", "",
     R"(, "actuation": [{"rod": "rod", "table": {"time": [0, 1], "twist": [[0], [1]], "interpolation": "step"}}])",
     R"(, "actuation": [{"rod": "rod", "table": {"time": [0, 1], "twist": [[0], [1]]}}])"},
    {"loads", "force", "", R"(, "loads": [{"force": [0,0,0.1], "at": "rod:last"}])", ""},
    {"loads", "follower", "", R"(, "loads": [{"follower": [0.1,0,0], "at": "rod:last"}])", ""},
    {"loads", "moment", "", R"(, "loads": [{"moment": [0.01,0.01,0], "at": "rod:last"}])", ""},
    {"loads", "line", "", R"(, "loads": [{"line": [0,0,0.1], "on": "rod"}])", ""},
    {"loads", "potential", "", R"(, "loads": [{"potential": "=-0.1*z", "on": "rod"}])", ""},
    {"loads", "per", "", R"(, "loads": [{"potential": "=-0.1*z", "on": "rod", "per": "length"}])",
     R"(, "loads": [{"potential": "=-0.1*z", "on": "rod"}])"},
    {"loads", "mass", "", R"(, "loads": [{"mass": 1, "at": "rod:last"}], "environment": {"gravity": [0,0,-9.81]})",
     R"(, "environment": {"gravity": [0,0,-9.81]})"},
    {"loads", "share", "", R"(, "loads": [{"force": [0,0,0.1], "at": "rod", "share": true}])",
     R"(, "loads": [{"force": [0,0,0.1], "at": "rod"}])"},
    {"loads", "from", "", R"(, "loads": [{"force": [0,0,0.1], "at": "rod:last", "from": 0.1}])",
     R"(, "loads": [{"force": [0,0,0.1], "at": "rod:last"}])"},
    {"loads", "until", "", R"(, "loads": [{"force": [0,0,0.1], "at": "rod:last", "until": 0.1}])",
     R"(, "loads": [{"force": [0,0,0.1], "at": "rod:last"}])"},
};

TEST(KeysAct, EveryOneOfTheStartTheNaturalShapeActuationAndLoadsChangesTheRun) {
  for (const Acts& a : acts) {
    EXPECT_GT(difference(stateOf(scene(a.natural, a.with)), stateOf(scene("", a.without))), 1e-5)
        << a.object << "." << a.key;
  }
}

TEST(KeysAct, NoneIsLeftOut) {
  for (const auto& entry : elsewhere) {
    const auto& section = entry.first;
    const auto& known = entry.second;
    const std::vector<std::string> keys = scene::keysOf(section);
    ASSERT_FALSE(keys.empty()) << section;
    for (const std::string& key : keys) {
      const bool tested = std::any_of(std::begin(acts), std::end(acts),
                                      [&](const Acts& a) { return section == a.object && key == a.key; });
      EXPECT_NE(tested, known.count(key) > 0) << section << "." << key;
    }
  }
}

TEST(InitialTwist, StoresTheEnergyOfItsTwist) {
  SceneRun run(
      R"J({"format": "tendril/1", "rods": {"rod": {"section": {"stiffness": {"EA": 1e4, "EI1": 1, "EI2": 2, "GJ": 3}, "massPerLength": 1,
    "radius": 0.1}, "segments": 10, "path": {"line": {"from": [0,0,0], "to": [1,0,0]}}}}, "constraints": [{"clamp": "rod:first"}, {"fixTwist": "rod:last"}],
    "initial": [{"twist": "=0.8*s", "of": "rod"}], "probes": {"e": {"energy": "twist"}, "b": {"energy": "bend"}, "w": {"twist": "rod"}},
    "solver": {"dt": 0.01, "duration": 1}})J");
  // Nine nodes inside and the clamp's half edge; the last half edge carries none.
  EXPECT_NEAR(run["e"], 0.5 * 3 * 0.64 * 0.95, 1e-14);
  EXPECT_EQ(run["b"], 0);
  EXPECT_NEAR(run["w"], 0.8, 1e-14);
}

TEST(InitialTwist, IsHeldByFixTwist) {
  SceneRun run(
      R"J({"format": "tendril/1", "rods": {"rod": {"section": {"stiffness": {"EA": 1e4, "EI1": 1, "EI2": 2, "GJ": 3}, "massPerLength": 1,
    "radius": 0.1}, "segments": 10, "path": {"line": {"from": [0,0,0], "to": [1,0,0]}}}}, "constraints": [{"clamp": "rod:first"}, {"fixTwist": "rod:9"}],
    "initial": [{"twist": "=0.8*s", "of": "rod"}], "probes": {"w": {"twist": "rod"}, "m": {"reactionMoment": "rod:first"}},
    "solver": {"mode": "static"}})J");
  run.toEnd();
  EXPECT_NEAR(run["w"], 0.8, 1e-9);
  EXPECT_NEAR(run["m.x"], -3 * 0.8, 1e-8);
}

TEST(InitialTwist, SwingsAsATorsionalWaveOfTheRod) {
  // First mode of a rod clamped at one end: w = (pi/2) sqrt(GJ / (rho J_p)) / L. With the midpoint rule it keeps
  // energy.
  const double GJ = 3, inertia = 1 * 0.01 / 2, omega = pi / 2 * std::sqrt(GJ / inertia), period = 2 * pi / omega;
  char text[900];
  std::snprintf(
      text, sizeof text,
      R"J({"format": "tendril/1", "rods": {"rod": {"section": {"stiffness": {"EA": 1e4, "EI1": 1, "EI2": 2, "GJ": 3},
    "massPerLength": 1, "radius": 0.1}, "segments": 40, "path": {"line": {"from": [0,0,0], "to": [1,0,0]}}}}, "constraints": [{"clamp": "rod:first"}],
    "initial": [{"twist": "=0.1*sin(pi/2*u)", "of": "rod"}], "probes": {"e": {"energy": "total"}, "w": {"twist": "rod:first"}},
    "solver": {"integrator": "implicit-midpoint", "dt": %.17g, "duration": %.17g, "tolerance": 1e-11}})J",
      period / 200, period / 2);
  SceneRun run(text);
  const double energy = run["e"], twist = run["w"];
  EXPECT_NEAR(energy, GJ * std::pow(0.1 * pi / 2, 2) / 4, 1e-3 * energy);
  run.toEnd();
  EXPECT_NEAR(run["e"], energy, 1e-9 * energy);
  EXPECT_NEAR(run["w"], -twist, 2e-3 * twist);
}

}  // namespace keys_act_test
}  // namespace tendril::test
