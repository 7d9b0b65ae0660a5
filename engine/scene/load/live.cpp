// Which parameters act while a scene runs: those that stand only in timed values, materials and loads, directly or
// through derived parameters. Also evaluates derived parameters again.
#include "scene/load/topics.h"

namespace tendril::scene {
namespace {

/// Parameters in formulas that are evaluated when the scene loads: columns of series, ranges and menus of parameters.
void markLoadedFormulas(LoadContext& context, const text::Value& value, const formula::Scope& scope) {
  static const text::Bindings none;
  if (value.isFormula()) {
    const auto compiled = formula::compileFormula(value.string, scope, {}, value.bindings ? *value.bindings : none, {});
    if (const auto* formula = std::get_if<std::shared_ptr<const formula::Formula>>(&compiled))
      for (const int parameter : (*formula)->parametersUsed()) context.markUse(parameter, Use::restart);
  }
  for (const text::Value& item : value.items) markLoadedFormulas(context, item, scope);
  for (const text::Member& member : value.members) markLoadedFormulas(context, member.value, scope);
}

void markSeriesAndRanges(LoadContext& context, const formula::Scope& scope) {
  if (const text::Value* series = context.root.find("series")) markLoadedFormulas(context, *series, scope);
  for (const text::Member& parameter : membersOf(context, "parameters"))
    for (const text::Member& detail : parameter.value.members)
      if (detail.key != "value") markLoadedFormulas(context, detail.value, scope);
}

}  // namespace

void findLiveParameters(LoadContext& context, const ResolvedScene& resolved) {
  Scene& scene = context.scene;
  const std::vector<int>& order = resolved.parameterOrder;
  markSeriesAndRanges(context, resolved.scope);
  // Uses travel from a derived parameter to what it sees, so from the end of the order to its beginning.
  for (std::size_t k = order.size(); k-- > 0;) {
    const formula::Formula* formula = scene.derived[std::size_t(order[k])].formula();
    if (!formula) continue;
    for (const int seen : formula->parametersUsed()) {
      if (context.usedLive(order[k])) context.markUse(seen, Use::live);
      if (context.usedForRestart(order[k])) context.markUse(seen, Use::restart);
    }
  }
  for (const int p : order) {
    scene.parameters[std::size_t(p)].live = !context.usedForRestart(p);
    if (scene.derived[std::size_t(p)].isFormula()) scene.derivedOrder.push_back(p);
  }
}

void updateDerivedParameters(Scene& scene) {
  formula::Input input;
  input.parameters = scene.values.data();
  for (const int p : scene.derivedOrder) {
    scene.values[std::size_t(p)] = scene.derived[std::size_t(p)](input);
    scene.parameters[std::size_t(p)].value = scene.values[std::size_t(p)];
  }
}

}  // namespace tendril::scene
