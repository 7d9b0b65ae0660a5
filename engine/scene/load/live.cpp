// Finds the parameters that act during a run, which are those that appear only in timed values, materials and loads,
// directly or through derived parameters; and changes their values.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "scene/load/load.h"
#include "scene/load/topics.h"
#include "scene/resolve/resolve.h"

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
  // Uses propagate from a derived parameter to those that it sees, so from the end of the order to its beginning.
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

namespace {

/// Updates the values of derived parameters; returns problems for those without a value.
Problems follow(Scene& scene) {
  Problems problems;
  for (const int p : scene.derivedOrder) {
    const formula::Number& formula = scene.derived[std::size_t(p)];
    try {
      scene.values[std::size_t(p)] = formula(parametersOf(scene));
    } catch (const formula::Failure&) {
      scene.values[std::size_t(p)] = 0;  // as loading continues
      problems.push_back(
          scene.source.problem(formula.formula()->location().pointer,
                               noFiniteParameter(scene.parameters[std::size_t(p)].name, formula.text())));
    }
  }
  return problems.empty() ? problems : inOrder(std::move(problems));
}

Problems wrongNow(const Scene& scene) {
  Problems problems;
  for (const LiveRule& rule : scene.liveRules) {
    const std::string message = rule.wrong(scene);
    if (message.empty() || problems.size() >= LoadContext::mostProblems) continue;
    problems.push_back(rule.source);
    problems.back().message = message + rule.source.message;
  }
  return problems.empty() ? problems : inOrder(std::move(problems));
}

}  // namespace

Problems setLiveParameter(Scene& scene, int parameter, double value) {
  const std::size_t p = std::size_t(parameter);
  if (!std::isfinite(value)) {
    Problem problem = scene.source.problem("/parameters", notToBeSet(scene.parameters[p].name, value));
    problem.to = problem.from + 1;
    return {problem};
  }
  const std::vector<double> before = scene.values;
  const auto order = std::make_pair(scene.derivedOrder, scene.derived[p]);
  // A parameter that was set is no longer derived.
  scene.derivedOrder.erase(std::remove(scene.derivedOrder.begin(), scene.derivedOrder.end(), parameter),
                           scene.derivedOrder.end());
  scene.derived[p] = formula::Number(value);
  scene.values[p] = value;
  Problems problems = follow(scene);
  if (problems.empty()) problems = wrongNow(scene);
  if (!problems.empty()) {
    std::copy(before.begin(), before.end(), scene.values.begin());
    std::tie(scene.derivedOrder, scene.derived[p]) = order;
    return problems;
  }
  scene.parameters[p].derived = false;
  for (std::size_t k = 0; k < scene.values.size(); ++k) scene.parameters[k].value = scene.values[k];
  return problems;
}

}  // namespace tendril::scene
