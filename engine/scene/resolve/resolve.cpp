// The first passes over a scene, in order: parameters and series, `repeat`, `defaults`, and the check against the key
// table.
#include "scene/resolve/resolve.h"

#include <set>
#include <tuple>

#include "geometry/sort_rows.h"
#include "scene/format/keys.h"
#include "scene/format/tables/table.h"
#include "scene/resolve/passes.h"
#include "text/words.h"

namespace tendril::scene {

namespace {

constexpr std::size_t mostProblems = 100;

/// A single object in a section that is a list counts as a list of one.
bool isLone(const text::Member& section) {
  const Key* key = findKeySet("scene")->find(section.key);
  return key && key->types[0].kind == KeyType::Kind::list && section.value.isObject();
}
text::Value loneList(const text::Value& value) {
  text::Value list;
  list.kind = text::Value::Kind::array;
  list.span = value.span;
  list.pointer = value.pointer;
  list.items.push_back(value);
  return list;
}

/// Fills in what `item` omits. Keys that depend on others come last, so that they see what was filled in.
void fillObject(const std::string& section, const text::Value& defaults, Repeater& repeater, text::Value& item) {
  const KeySet& set = *findKeySet(findKeySet("defaults")->find(section)->types[0].object);
  for (const bool dependent : {false, true})
    for (const text::Member& member : defaults.members) {
      const Key* key = set.find(member.key);
      const bool follows = key && (!key->with.empty() || key->name == "segments");
      if (!key || follows != dependent || !defaultFits(section, item, member.key)) continue;
      item.members.push_back({member.key, member.keySpan, repeater.inside(member.value, item.bindings)});
    }
}

void fillDefaults(const text::Value& defaults, Repeater& repeater, text::Value& root) {
  if (!defaults.isObject()) return;
  for (text::Member& section : root.members) {
    const text::Value* values = findKeySet("defaults")->find(section.key) ? defaults.find(section.key) : nullptr;
    if (!values || !values->isObject()) continue;
    for (text::Member& member : section.value.members)
      if (member.value.isObject()) fillObject(section.key, *values, repeater, member.value);
    for (text::Value& item : section.value.items)
      if (item.isObject()) fillObject(section.key, *values, repeater, item);
  }
}

/// The message without the values of the repeat names: the same fault in every copy is one problem.
std::string core(const std::string& message) {
  const std::size_t with = message.rfind(" (with ");
  return with == std::string::npos ? message : message.substr(0, with);
}

void tidy(Problems& problems) {
  std::set<std::tuple<std::size_t, std::size_t, std::string>> seen;
  Problems kept;
  for (Problem& problem : problems)
    if (seen.emplace(problem.from, problem.to, core(problem.message)).second) kept.push_back(std::move(problem));
  geometry::sortRows(kept, [](const Problem& a, const Problem& b) { return a.from < b.from; });
  if (kept.size() > mostProblems) {
    kept.resize(mostProblems);
    kept.back().message += text::andMoreProblems;
  }
  problems = std::move(kept);
}

void markStructural(const std::set<int>& used, ResolvedScene& resolved) {
  std::vector<int> open(used.begin(), used.end());
  while (!open.empty()) {
    const std::size_t parameter = static_cast<std::size_t>(open.back());
    open.pop_back();
    if (resolved.structural[parameter]) continue;
    resolved.structural[parameter] = true;
    if (!resolved.derived[parameter].isFormula()) continue;
    for (const int needed : resolved.derived[parameter].formula()->parametersUsed()) open.push_back(needed);
  }
}

}  // namespace

ResolvedScene resolveScene(const text::Document& document, const std::map<std::string, double>& overrides,
                           Problems& problems) {
  ResolvedScene resolved;
  const text::Value& source = document.root();
  if (!source.isObject()) {
    checkStructure(document, source, problems);
    return resolved;
  }
  text::Value& root = resolved.root;
  root.kind = source.kind;
  root.span = source.span;
  const text::Value* defaults = source.find("defaults");
  const auto isFirst = [](const std::string& key) { return key == "parameters" || key == "series"; };

  // Parameters and series come first, since counts of `repeat` read them; their own repeats see no parameters.
  const formula::Scope empty;
  const std::vector<double> none;
  Repeater early(document, empty, none, problems);
  for (const text::Member& section : source.members)
    if (isFirst(section.key)) root.members.push_back({section.key, section.keySpan, early.section(section.value)});
  if (defaults) fillDefaults(*defaults, early, root);
  readParameters(document, root, overrides, resolved, problems);

  Repeater repeater(document, resolved.scope, resolved.values, problems);
  text::Value rest;
  for (const text::Member& section : source.members) {
    if (section.key == "defaults") continue;
    if (isFirst(section.key)) {
      text::Member* done = nullptr;
      for (text::Member& member : root.members)
        if (member.key == section.key) done = &member;
      rest.members.push_back(std::move(*done));
    } else {
      rest.members.push_back(
          {section.key, section.keySpan,
           isLone(section) ? repeater.section(loneList(section.value)) : repeater.section(section.value)});
    }
  }
  root.members = std::move(rest.members);
  if (defaults) {
    checkDefaults(document, *defaults, problems);
    fillDefaults(*defaults, repeater, root);
  }
  markStructural(repeater.parametersUsed(), resolved);
  if (!repeater.exhausted() && !early.exhausted()) checkStructure(document, root, problems);
  tidy(problems);
  return resolved;
}

}  // namespace tendril::scene
