// Which parameters act while a scene runs: those that stand only in timed values, materials and loads, directly or
// through derived parameters. Also evaluates derived parameters again.
#include "scene/load_topics.h"

namespace tendril {
namespace {

/// Parameters that the formula of a derived one sees.
std::vector<int> dependenciesOf(const Number& number, const Scope& scope) {
  if (!number.isFormula()) return {};
  const auto compiled = compileFormula(number.text(), scope, {}, {}, {});
  if (std::holds_alternative<FormulaError>(compiled)) return {};
  return std::get<0>(compiled)->parametersUsed();
}

}  // namespace

void findLiveParameters(LoadContext& context, const ResolvedScene& resolved) {
  Scene& scene = context.scene;
  const std::vector<int>& order = resolved.parameterOrder;
  // Uses travel from a derived parameter to what it sees, so from the end of the order to its beginning.
  for (std::size_t k = order.size(); k-- > 0;) {
    for (const int seen : dependenciesOf(scene.derived[std::size_t(order[k])], resolved.scope)) {
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
  FormulaInput input;
  input.parameters = scene.values.data();
  for (const int p : scene.derivedOrder) {
    scene.values[std::size_t(p)] = scene.derived[std::size_t(p)](input);
    scene.parameters[std::size_t(p)].value = scene.values[std::size_t(p)];
  }
}

}  // namespace tendril
