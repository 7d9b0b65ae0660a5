// The entry point of the scene language: text in, a typed scene or the full list of its problems out. No I/O, never
// throws.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>

#include "scene/scene.h"
#include "tendril/problem.h"

namespace tendril::scene {

struct LoadOptions {
  std::map<std::string, double> overrides;  ///< `--set`; an unknown name is a problem
};

/// The only problem of a scene that exceeds the memory.
inline constexpr char tooLargeForMemory[] = "the scene is too large for the memory of this machine";

/// A scene, or every problem found (never both, never empty problems).
std::variant<Scene, Problems> loadScene(std::string_view text, const LoadOptions& options = {});

/// Sets a live parameter, and updates those derived from it. If loading with that value would fail, returns the same
/// problems and changes nothing; no text is read for it.
Problems setLiveParameter(Scene& scene, int parameter, double value);

/// The scene text with comments stripped, `repeat` and `defaults` resolved; JSON indented by two. Or the problems.
std::variant<std::string, Problems> expandScene(std::string_view text, const LoadOptions& options = {});

/// The JSON Schema (2020-12) of the format, printed from the key table (scene/format/keys.h).
std::string sceneSchema();

/// Converts a MAT-DiSMech geometry text (*Nodes, *Edges, *Triangles; notes) or a Wavefront text (.obj, recognized by
/// its statements) to a scene: rods, a shell "shell", and welds where they meet. `material` is an optional JSON object
/// text for the scene's one material.
std::variant<std::string, Problems> importGeometry(std::string_view text, std::string_view material = {});

}  // namespace tendril::scene
