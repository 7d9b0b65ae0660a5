// Short scene texts for the loader's tests, and loading that reports its problems through GTest.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "scene/load/load.h"

namespace tendril::scene {

/// A scene with one material and the rods "arm" (10 edges along x, 1 m), "leg0" and "leg1" (4 edges each, from the ends
/// of arm along z), and `more` top-level members.
inline std::string sceneText(const std::string& more) {
  const std::string rod = R"J("section": {"circle": {"radius": 1e-3}}, )J";
  return R"J({"format": "tendril/1",
"materials": {"rubber": {"youngs": 1e6, "density": 1000}},
"rods": {
  "arm": {)J" +
         rod + R"J("segments": 10, "path": {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}}},
  "leg0": {)J" +
         rod + R"J("segments": 4, "path": {"line": {"from": [0, 0, 0], "to": [0, 0, 1]}}},
  "leg1": {)J" +
         rod + R"J("segments": 4, "path": {"line": {"from": [1, 0, 0], "to": [1, 0, 1]}}}})J" +
         (more.empty() ? "" : ",\n") + more + "}";
}

/// A scene whose one rod "arm" has these members beside section and material.
inline std::string rodText(const std::string& rod, const std::string& more = "") {
  return R"J({"format": "tendril/1", "materials": {"rubber": {"youngs": 1e6, "density": 1000}},
"rods": {"arm": {"section": {"circle": {"radius": 1e-3}}, )J" +
         rod + "}}" + (more.empty() ? "" : ",\n") + more + "}";
}

/// A scene with one material, the rod "rope" (4 edges, from the origin down along z, 0.1 m) and the shell "plate", four
/// triangles about vertex 4 at the center of a square of 0.1 m in the plane xy (corners 0 to 3 at (0,0), (1,0), (1,1),
/// (0,1) times 0.1 m), and `more` top-level members.
inline std::string plateText(const std::string& more) {
  return R"J({"format": "tendril/1", "materials": {"rubber": {"youngs": 1e6, "poisson": 0.3, "density": 1000}},
"rods": {"rope": {"section": {"circle": {"radius": 1e-3}}, "segments": 4, "path": {"line": {"from": [0, 0, 0], "to": [0, 0, -0.1]}}}},
"shells": {"plate": {"thickness": 1e-3, "mesh": {
  "points": [[0, 0, 0], [0.1, 0, 0], [0.1, 0.1, 0], [0, 0.1, 0], [0.05, 0.05, 0]],
  "triangles": [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]}}})J" +
         std::string(more.empty() ? "" : ",\n") + more + "}";
}

/// A scene whose one shell "plate" has these members.
inline std::string shellText(const std::string& shell, const std::string& more = "") {
  return R"J({"format": "tendril/1", "materials": {"rubber": {"youngs": 1e6, "density": 1000}},
"shells": {"plate": {)J" +
         shell + "}}" + (more.empty() ? "" : ",\n") + more + "}";
}

/// A scene with one material and the linkage "arm" from the base along x: the rigid link "hub" (0.1 m, turns about z)
/// and the soft link "limb" (0.3 m, ball joint, modes bendY, bendZ and stretch), the cable "c1" in limb, `members`
/// beside them in the linkage, and `more` top-level members.
inline std::string armText(const std::string& more, const std::string& members = "") {
  return R"J({"format": "tendril/1", "materials": {"rubber": {"youngs": 1e6, "density": 1000}},
"linkages": {"arm": {"links": {
  "hub": {"joint": {"revolute": {"axis": "z"}}, "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 1000}}},
  "limb": {"joint": {"spherical": {}}, "body": {"soft": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "strains": {"bendY": 2, "bendZ": 1, "stretch": 0}}}}},
 "cables": {"c1": {"through": "limb", "path": {"constant": [0, 0.005]}, "tension": 1}})J" +
         std::string(members.empty() ? "" : ",\n ") + members + "}}" + (more.empty() ? "" : ",\n") + more + "}";
}

/// A scene with one material and one linkage "arm" with these links.
inline std::string linksText(const std::string& links, const std::string& members = "", const std::string& more = "") {
  return R"J({"format": "tendril/1", "materials": {"rubber": {"youngs": 1e6, "density": 1000}},
"linkages": {"arm": {"links": {)J" +
         links + "}" + (members.empty() ? "" : ",\n ") + members + "}}" + (more.empty() ? "" : ",\n") + more + "}";
}

/// A scene with the vine "v" of 20 bodies (0.4 m, 20 mm thick, along x) with these members beside, and `more` top-level
/// members.
inline std::string vineText(const std::string& vine, const std::string& more = "") {
  return R"J({"format": "tendril/1", "vines": {"v": {"bodies": 20, "length": 0.4, "diameter": 0.02, "massPerLength": 0.05, "bendingStiffness": 0.02)J" +
         std::string(vine.empty() ? "" : ",\n ") + vine + "}}" + (more.empty() ? "" : ",\n") + more + "}";
}

/// The scene; where it does not load, a failure with its problems and an empty scene.
inline Scene loaded(const std::string& text, const LoadOptions& options = {}) {
  auto result = loadScene(text, options);
  if (auto* scene = std::get_if<Scene>(&result)) return std::move(*scene);
  for (const Problem& problem : std::get<Problems>(result)) ADD_FAILURE() << describe(problem, "scene") << "\n" << text;
  return {};
}

/// A number at a time, at u (and s, of a body of `length`) along a body, with the scene's parameters.
inline double valueOf(const Scene& scene, const formula::Number& number, double t = 0, double u = 0,
                      double length = 1) {
  formula::Input input;
  input.parameters = scene.values.data();
  input.t = t;
  input.u = u;
  input.s = u * length;
  return number(input);
}

/// All warnings of a scene, a line each: place and message.
inline std::string warningsOf(const Scene& scene) {
  std::string all;
  for (const Problem& warning : scene.warnings) all += warning.pointer + ": " + warning.message + "\n";
  return all;
}

/// The problems of a text; none where it loads.
inline Problems problemsOf(const std::string& text) {
  auto result = loadScene(text);
  auto* problems = std::get_if<Problems>(&result);
  return problems ? *problems : Problems();
}

}  // namespace tendril::scene
