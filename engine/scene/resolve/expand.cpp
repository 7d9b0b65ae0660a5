// A scene with `repeat`, `defaults`, comments and overrides resolved, as text again, and the published schema.
#include "scene/format/keys.h"
#include "scene/load/load.h"
#include "scene/resolve/expand_writer.h"
#include "scene/resolve/resolve.h"

namespace tendril::scene {

namespace {

/// Writes the overrides into the parameters, so that the expansion represents the loaded scene.
void writeOverrides(const std::map<std::string, double>& overrides, text::Value& root) {
  for (text::Member& section : root.members) {
    if (section.key != "parameters") continue;
    for (text::Member& parameter : section.value.members) {
      const auto found = overrides.find(parameter.key);
      if (found == overrides.end()) continue;
      text::Value* value = &parameter.value;
      if (value->isObject())
        for (text::Member& member : parameter.value.members)
          if (member.key == "value") value = &member.value;
      value->kind = text::Value::Kind::number;
      value->number = found->second;
    }
  }
}

}  // namespace

std::variant<std::string, Problems> expandScene(std::string_view text, const LoadOptions& options) {
  auto scene = loadScene(text, options);
  if (auto* problems = std::get_if<Problems>(&scene)) return std::move(*problems);
  auto parsed = text::Document::parse(std::string(text));
  if (auto* problems = std::get_if<Problems>(&parsed)) return std::move(*problems);
  Problems problems;
  ResolvedScene resolved = resolveScene(std::get<text::Document>(parsed), options.overrides, problems);
  if (!problems.empty()) return problems;
  writeOverrides(options.overrides, resolved.root);
  return writeJson(resolved.root);
}

std::string sceneSchema() { return keysSchema(); }

}  // namespace tendril::scene
