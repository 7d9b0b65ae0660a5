// Which parameters act while a scene runs: those that stand only in timed values, materials and loads, directly or
// through derived parameters. Also the order in which derived parameters are evaluated again.
#include <cctype>
#include <functional>

#include "scene/load_topics.h"

namespace tendril {
namespace {

/// Calls `found` for every parameter whose name stands in the text.
void namesIn(const std::string& text, const Scope& scope, const std::function<void(int)>& found) {
  const auto letter = [&text](std::size_t i) {
    return std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_';
  };
  for (std::size_t i = 0; i < text.size();) {
    if (!letter(i)) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && letter(end)) ++end;
    const auto parameter = scope.parameters.find(text.substr(i, end - i));
    if (parameter != scope.parameters.end()) found(parameter->second);
    i = end;
  }
}

/// The parts of a text within braces, which `repeat` replaces by numbers.
std::string bracedParts(const std::string& text) {
  std::string parts;
  for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open + 1)) {
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) break;
    parts += text.substr(open + 1, close - open - 1) + " ";
  }
  return parts;
}

/// Parameters that shape the tree itself: repeat counts, braces, and what is inside `whole` (series, ranges).
void findStructural(const Value& value, bool whole, const Scope& scope, const std::function<void(int)>& found) {
  if (value.isString()) namesIn(whole ? value.string : bracedParts(value.string), scope, found);
  for (const Value& item : value.items) findStructural(item, whole, scope, found);
  for (const Member& member : value.members) {
    namesIn(bracedParts(member.key), scope, found);
    findStructural(member.value, whole || member.key == "repeat", scope, found);
  }
}

void markStructural(LoadContext& context) {
  const auto mark = [&context](int parameter) { context.markUse(parameter, Use::restart); };
  for (const Member& member : context.document.root().members) {
    if (member.key == "title" || member.key == "description") continue;
    if (member.key != "parameters") {
      findStructural(member.value, member.key == "series", context.scope, mark);
      continue;
    }
    for (const Member& parameter : member.value.members)  // ranges and menus, not the value itself
      for (const Member& detail : parameter.value.members)
        if (detail.key != "value") findStructural(detail.value, detail.key != "label" && detail.key != "unit", context.scope, mark);
  }
}

/// Parameters that the formula of a derived one sees.
std::vector<int> dependenciesOf(const Number& number, const Scope& scope) {
  if (!number.isFormula()) return {};
  Scope parametersOnly = scope;
  parametersOnly.columns.clear();
  auto compiled = compileFormula(number.text(), parametersOnly, {}, {}, {});
  if (std::holds_alternative<FormulaError>(compiled)) return {};
  return std::get<0>(compiled)->parametersUsed();
}

}  // namespace

void findLiveParameters(LoadContext& context) {
  Scene& scene = context.scene;
  markStructural(context);
  const std::size_t count = scene.parameters.size();
  std::vector<std::vector<int>> sees(count), seenBy(count);
  std::vector<int> open(count, 0), order;
  for (std::size_t p = 0; p < count; ++p) {
    sees[p] = dependenciesOf(scene.derived[p], context.scope);
    open[p] = int(sees[p].size());
    for (const int other : sees[p]) seenBy[std::size_t(other)].push_back(int(p));
    if (open[p] == 0) order.push_back(int(p));
  }
  for (std::size_t k = 0; k < order.size(); ++k)
    for (const int waiting : seenBy[std::size_t(order[k])])
      if (--open[std::size_t(waiting)] == 0) order.push_back(waiting);
  // Uses travel from a derived parameter to what it sees, so from the end of the order to its beginning.
  for (std::size_t k = order.size(); k-- > 0;) {
    for (const int other : sees[std::size_t(order[k])]) {
      if (context.usedLive(order[k])) context.markUse(other, Use::live);
      if (context.usedForRestart(order[k])) context.markUse(other, Use::restart);
    }
  }
  for (const int p : order) {
    scene.parameters[std::size_t(p)].live = !context.usedForRestart(p);
    if (scene.derived[std::size_t(p)].isFormula()) scene.derivedOrder.push_back(p);
  }
}

void updateDerivedParameters(Scene& scene) {
  FormulaInput input;
  input.parameters = scene.values.data();
  for (const int p : scene.derivedOrder) {
    scene.values[std::size_t(p)] = scene.derived[std::size_t(p)](input);
    scene.parameters[std::size_t(p)].value = scene.values[std::size_t(p)];
  }
}

}  // namespace tendril
