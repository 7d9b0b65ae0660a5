// Values of live parameters: what follows from them follows, and what a load would refuse is refused alike, with
// nothing changed.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "scene/load/load.h"

namespace tendril::scene {
namespace live_values_test {

Scene loaded(const std::string& text) {
  auto result = loadScene(text);
  if (const auto* problems = std::get_if<Problems>(&result)) {
    ADD_FAILURE() << describe(problems->front(), "scene") << "\n" << text;
    return {};
  }
  return std::move(std::get<Scene>(result));
}

int indexOf(const Scene& scene, const std::string& name) {
  for (std::size_t p = 0; p < scene.parameters.size(); ++p) {
    if (scene.parameters[p].name == name) return static_cast<int>(p);
  }
  ADD_FAILURE() << name;
  return 0;
}

std::string told(const Problems& problems) {
  std::string all;
  for (const Problem& p : problems) {
    all += describe(p, "scene") + " [" + std::to_string(p.from) + ", " + std::to_string(p.to) + ")\n";
  }
  return all;
}

/// Tries values on every live parameter: refused as a load refuses them, and with nothing changed. How many were
/// refused.
int refusedAsALoadDoes(const std::string& text, bool many) {
  Scene scene = loaded(text);
  int refused = 0;
  const std::vector<Parameter> parameters = scene.parameters;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    if (!parameters[p].live) continue;
    const std::vector<double> before = scene.values;
    const double own = before[p], size = std::max(1.0, std::abs(own));
    std::vector<double> values = {0.0, -own, 1e3 * size};
    if (many) {
      const std::vector<double> more = {-1.0,        0.5 * own,   0.3,
                                        -1e3 * size, 1e30 * size, -1e30 * size,
                                        1e-30 * own, 1e308,       std::numeric_limits<double>::infinity(),
                                        std::nan("")};
      values.insert(values.end(), more.begin(), more.end());
    }
    for (const double value : values) {
      LoadOptions options;
      options.overrides[parameters[p].name] = value;
      const auto whole = loadScene(text, options);
      const auto* expected = std::get_if<Problems>(&whole);
      Scene tried = scene;
      const Problems found = setLiveParameter(tried, static_cast<int>(p), value);
      EXPECT_EQ(told(found), expected ? told(*expected) : "") << parameters[p].name << " = " << value << "\n"
                                                              << scene.title;
      refused += !found.empty();
      EXPECT_EQ(tried.values, expected ? before : std::get<Scene>(whole).values)
          << parameters[p].name << " = " << value << "\n"
          << scene.title;
    }
  }
  return refused;
}

TEST(LiveValues, AreRefusedAsALoadRefusesThem) {
  const char* const scenes[] = {
      // Materials, fields of soft links, moments of inertia, joints.
      R"J({"format": "tendril/1", "parameters": {"E": 1e6, "k": 0.5, "I": 1e-3, "nu": 0.4, "c": 1, "b": "=1/c", "a": "=b^2"},
      "materials": {"m": {"youngs": "=E", "poisson": "=nu", "density": "=a", "damping": "=b"}},
      "linkages": {"arm": {"links": {
        "a": {"joint": {"revolute": {"axis": "y", "stiffness": "=k", "damping": "=b"}},
              "body": {"rigid": {"length": 0.1, "mass": 1, "inertia": ["=I", 1e-3, 1.5e-3]}}},
        "b": {"body": {"soft": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "strains": {"bendY": 2},
                                "natural": {"bendY": "=k/(u - c/3)", "twist": "=1/(k*u + 1)"}}}}}}},
      "environment": {"gravity": [0, 0, "=-sqrt(k)"]}, "solver": {"dt": 0.01, "duration": 1}})J",
      // Vines: growth, fields at pins, a stall that may not start at zero.
      R"J({"format": "tendril/1", "parameters": {"g": 0.1, "late": 1, "w": 2, "p": 1e3},
      "vines": {"v": {"bodies": 8, "length": 0.4, "diameter": 0.03, "massPerLength": 0.05, "bendingStiffness": "=w", "bendingDamping": 1e-4,
        "growth": "=g*(1 + t)", "stall": "=late - t", "curvature": "=1/(w - late + u)", "pressure": "=p"}},
      "solver": {"dt": 0.02, "duration": 0.5}})J",
      // Contact: ramps, thickness, and where bodies and obstacles start; in copies, too.
      R"J({"format": "tendril/1", "parameters": {"h": 0.002, "down": -0.2, "k": 100, "mu": 0.3, "E": 1e6},
      "materials": {"m": {"youngs": "=E", "poisson": 0.3, "density": 1000}},
      "shells": {"cloth": {"mesh": {"rectangle": {"corner": [-0.2, -0.2, 0], "along": [0.4, 0, 0], "across": [0, 0.4, 0], "edge": 0.1}}, "thickness": "=h", "border": "=mu + 0.5",
                           "membrane": "springs"}},
      "rods": {"r{j}": {"repeat": {"j": 2}, "section": {"circle": {"radius": 0.01}}, "segments": 4,
                        "path": {"line": {"from": [-0.2, 0, "=0.05 + 0.04*j"], "to": [0.2, 0, "=0.05 + 0.04*j"]}}}},
      "obstacles": {"ball": {"sphere": {"center": [0, 0, -0.1], "radius": 0.05}, "displacement": [0, 0, "=down"], "friction": "=mu"},
                    "floor": {"plane": {"normal": [0, 0, 1], "point": [0, 0, -1]}, "stiffness": "=k*(1 - t)"}},
      "contact": {"stiffness": "=k", "friction": "=mu*t - 0.1*mu + 0.1"},
      "loads": [{"repeat": {"j": 3}, "force": [0, 0, "=log(k)*j"], "at": "r0:last"}],
      "solver": {"dt": 0.001, "duration": 0.01}})J"};
  for (const char* text : scenes) EXPECT_GT(refusedAsALoadDoes(text, true), 10);
}

TEST(LiveValues, OfTheGalleryAreRefusedAsALoadRefusesThem) {
  int scenes = 0, refused = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(TENDRIL_SOURCE_DIR) + "/scenes")) {
    if (entry.path().extension() != ".json" || entry.path().stem() == "tendril.schema") continue;
    std::ifstream in(entry.path());
    refused +=
        refusedAsALoadDoes(std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>()), false);
    ++scenes;
  }
  EXPECT_GT(scenes, 50);
  EXPECT_GT(refused, scenes);
}

const char* const chain = R"J({"format": "tendril/1", "parameters": {"c": "=b + 1", "b": "=2*a", "a": 3},
"materials": {"m": {"youngs": 1e6, "poisson": 0.4, "density": 1000}},
"rods": {"arm": {"section": {"circle": {"radius": 0.01}}, "segments": 4, "path": {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}}}},
"loads": [{"force": ["=c", 0, 0], "at": "arm:last"}]})J";

double force(const Scene& scene) { return scene.loads[0].value[0](parametersOf(scene)); }

TEST(LiveValues, WhatFollowsFollows) {
  Scene scene = loaded(chain);
  EXPECT_EQ(force(scene), 7);
  EXPECT_TRUE(setLiveParameter(scene, indexOf(scene, "a"), 10).empty());
  EXPECT_EQ(force(scene), 21);
  EXPECT_EQ(scene.parameters[static_cast<std::size_t>(indexOf(scene, "b"))].value, 20);
}

TEST(LiveValues, WhatIsSetFollowsNoMore) {
  Scene scene = loaded(chain);
  EXPECT_TRUE(setLiveParameter(scene, indexOf(scene, "b"), 5).empty());
  EXPECT_EQ(force(scene), 6);
  EXPECT_TRUE(setLiveParameter(scene, indexOf(scene, "a"), 10).empty());
  EXPECT_EQ(force(scene), 6);
  EXPECT_FALSE(scene.parameters[static_cast<std::size_t>(indexOf(scene, "b"))].derived);
}

}  // namespace live_values_test
}  // namespace tendril::scene
