// A scene with `repeat`, `defaults`, comments and overrides resolved, as text again, and the published schema.
#include "scene/format/keys.h"
#include "scene/load/load.h"
#include "scene/resolve/expand_writer.h"
#include "scene/resolve/resolve.h"

namespace tendril {

namespace {

/// Writes the overrides into the parameters, so that the expansion stands for the scene that was loaded.
void writeOverrides(const std::map<std::string, double>& overrides, Value& root) {
  for (Member& section : root.members) {
    if (section.key != "parameters") continue;
    for (Member& parameter : section.value.members) {
      const auto found = overrides.find(parameter.key);
      if (found == overrides.end()) continue;
      Value* value = &parameter.value;
      if (value->isObject())
        for (Member& member : parameter.value.members)
          if (member.key == "value") value = &member.value;
      value->kind = Value::Kind::number;
      value->number = found->second;
    }
  }
}

}  // namespace

std::variant<std::string, Problems> expandScene(std::string_view text, const LoadOptions& options) {
  auto scene = loadScene(text, options);
  if (auto* problems = std::get_if<Problems>(&scene)) return std::move(*problems);
  auto parsed = Document::parse(std::string(text));
  if (auto* problems = std::get_if<Problems>(&parsed)) return std::move(*problems);
  Problems problems;
  ResolvedScene resolved = resolveScene(std::get<Document>(parsed), options.overrides, problems);
  if (!problems.empty()) return problems;
  writeOverrides(options.overrides, resolved.root);
  return writeJson(resolved.root);
}

std::string sceneSchema() { return keysSchema(); }

}  // namespace tendril
