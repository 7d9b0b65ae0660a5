// Loads and the environment: their values are timed and live.
#include "scene/load_topics.h"
#include "scene/selector.h"

namespace tendril {
namespace {

/// The selector under `key`; a missing one is a problem.
const Value* selectorAt(LoadContext& context, const Value& item, std::string_view key) {
  const Value* selector = item.find(key);
  if (!selector)
    context.problem(item, "\"" + std::string(key) + "\" is missing; expected where the load acts, such as \"arm:last\"");
  return selector;
}

void readVectorLoad(LoadContext& context, const Value& item, const Value& value, std::string_view place, Load& load) {
  load.value = context.vector(value, "loads.force", Use::live);
  const Value* selector = selectorAt(context, item, place);
  if (!selector) return;
  load.nodes = load.kind == Load::Kind::line ? selectNodesOfEdges(context, *selector) : selectNodes(context, *selector);
}

bool readLoad(LoadContext& context, const Value& item, Load& load) {
  using Kind = Load::Kind;
  if (const Value* force = item.find("force")) {
    load.kind = Kind::force;
    load.share = context.flagAt(item, "share", false);
    readVectorLoad(context, item, *force, "at", load);
  } else if (const Value* follower = item.find("follower")) {
    load.kind = Kind::follower;
    readVectorLoad(context, item, *follower, "at", load);
  } else if (const Value* moment = item.find("moment")) {
    load.kind = Kind::moment;
    readVectorLoad(context, item, *moment, "at", load);
  } else if (const Value* line = item.find("line")) {
    load.kind = Kind::line;
    readVectorLoad(context, item, *line, "on", load);
  } else if (const Value* mass = item.find("mass")) {
    load.kind = Kind::mass;
    load.mass = context.number(*mass, "loads.mass", Use::live);
    if (const Value* selector = selectorAt(context, item, "at")) load.nodes = selectNodes(context, *selector);
  } else {
    context.problem(item, item.find("pressure") ? "\"pressure\" acts on shells: not yet"
                                                : "expected one of force, follower, moment, line, mass");
    return false;
  }
  return true;
}

}  // namespace

std::vector<Load> loadsOf(LoadContext& context, const std::vector<Value>& items) {
  std::vector<Load> loads;
  for (const Value& item : items) {
    Load load;
    load.pointer = item.pointer;
    if (!readLoad(context, item, load)) continue;
    load.interval = context.interval(item);
    loads.push_back(std::move(load));
  }
  return loads;
}

void loadLoads(LoadContext& context) { context.scene.loads = loadsOf(context, itemsOf(context, "loads")); }

void loadEnvironment(LoadContext& context) {
  const Value* value = context.root.find("environment");
  if (!value) return;
  Surroundings& around = context.scene.environment;
  if (const Value* gravity = value->find("gravity"))
    around.gravity = context.vector(*gravity, "environment.gravity", Use::live);
  const Value* fluid = value->find("fluid");
  const Value* density = fluid ? fluid->find("density") : nullptr;
  if (density)
    around.fluidDensity = context.number(*density, "environment.fluid.density", Use::live);
  around.buoyancy = context.flagAt(*value, "buoyancy", false);
  if (around.buoyancy && !density)
    context.problem(*value->find("buoyancy"), "buoyancy needs the density of the medium: "
                                              "\"fluid\": {\"density\": 1000}");
  if (const Value* viscous = value->find("viscous"))
    around.viscous = context.number(*viscous, "environment.viscous", Use::live);
}

}  // namespace tendril
