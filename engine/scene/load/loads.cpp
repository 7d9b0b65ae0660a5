// Loads: their values are timed and live.
#include "scene/load/topics.h"
#include "scene/select/links.h"
#include "scene/select/selector.h"
#include "scene/select/shells.h"

namespace tendril::scene {
namespace {

/// The selector under `key`; a missing one is a problem.
const text::Value* selectorAt(LoadContext& context, const text::Value& item, std::string_view key) {
  const text::Value* selector = item.find(key);
  if (!selector)
    context.problem(item,
                    "\"" + std::string(key) + "\" is missing; expected where the load acts, such as \"arm:last\"");
  return selector;
}

/// Lengths, areas and points have no common measure, so one total force is shared among bodies of one kind.
void checkShare(LoadContext& context, const text::Value& selector, const Load& load) {
  bool rod = false, shell = false;
  for (const NodeRef node : load.nodes) (context.scene.isRod(node.body) ? rod : shell) = true;
  if (rod && shell)
    context.problem(selector,
                    "\"share\" divides a force by length on rods and by area on shells, and this selection holds "
                    "both; expected a load for each");
  else if ((rod || shell) && !load.places.empty())
    context.problem(selector,
                    "\"share\" divides a force by length or area on rods and shells and equally over the points of "
                    "linkages, and this selection holds both; expected a load for each");
}

/// Nodes of rods and shells, and points on linkages.
void selectBoth(LoadContext& context, const text::Value& selector, Load& load) {
  Selection selection = selectPlaces(context, selector);
  load.nodes = std::move(selection.nodes);
  load.places = std::move(selection.places);
  load.vines = std::move(selection.vines);
  if (!load.vines.empty() && (load.kind != Load::Kind::force || load.share))
    context.problem(selector, "the tip of a vine takes a \"force\" only, without \"share\"");
}

/// Refuses shells for a load that acts in or about a rod's frame.
void refuseShells(LoadContext& context, const text::Value& selector, const Load& load) {
  if (load.kind == Load::Kind::follower)
    areOnRods(context, selector, load.nodes, "\"follower\" turns with the edge of a rod",
              "on shells \"pressure\" turns with the surface, and \"force\" keeps its direction");
  if (load.kind == Load::Kind::moment)
    areOnRods(context, selector, load.nodes, "\"moment\" acts on the edge of a rod",
              "on shells give two opposite forces, or weld a rod to the shell and turn the rod");
}

void readVectorLoad(LoadContext& context, const text::Value& item, const text::Value& value, std::string_view key,
                    Load& load) {
  load.value = context.vector(value, "loads.force", Use::live);
  const text::Value* selector = selectorAt(context, item, key);
  if (!selector) return;
  if (load.kind != Load::Kind::line)
    selectBoth(context, *selector, load);
  else if (!refuseLinkages(context, *selector, "\"line\" acts along the edges of rods and shells",
                           "on links give a \"force\" with \"share\": true at several points, \"arm/limb@0.25\""))
    load.nodes = selectNodesOfEdges(context, *selector);
  refuseShells(context, *selector, load);
  if (load.share) checkShare(context, *selector, load);
}

void readPressure(LoadContext& context, const text::Value& item, const text::Value& value, Load& load) {
  load.kind = Load::Kind::pressure;
  load.pressure = context.number(value, "loads.pressure", Use::live);
  const text::Value* selector = selectorAt(context, item, "on");
  if (!selector || refuseLinkages(context, *selector, "\"pressure\" acts on the triangles of shells",
                                  "a chamber of a soft link is a cable with negative \"tension\""))
    return;
  load.nodes = selectNodes(context, *selector);
  if (!areOnShells(context, *selector, load.nodes, "\"pressure\" acts on the triangles of shells",
                   "on rods give a \"line\" load [N/m]"))
    return;
  if (!load.nodes.empty() && shellPartsWithin(context.scene, load.nodes).triangles == 0)
    context.problem(*selector,
                    "the selection holds no whole triangle; expected a shell, or a part with all three corners "
                    "of at least one triangle");
}

bool readLoad(LoadContext& context, const text::Value& item, Load& load) {
  using Kind = Load::Kind;
  if (const text::Value* force = item.find("force")) {
    load.kind = Kind::force;
    load.share = context.flagAt(item, "share", false);
    readVectorLoad(context, item, *force, "at", load);
  } else if (const text::Value* follower = item.find("follower")) {
    load.kind = Kind::follower;
    readVectorLoad(context, item, *follower, "at", load);
  } else if (const text::Value* moment = item.find("moment")) {
    load.kind = Kind::moment;
    readVectorLoad(context, item, *moment, "at", load);
  } else if (const text::Value* line = item.find("line")) {
    load.kind = Kind::line;
    readVectorLoad(context, item, *line, "on", load);
  } else if (const text::Value* pressure = item.find("pressure")) {
    readPressure(context, item, *pressure, load);
  } else if (const text::Value* mass = item.find("mass")) {
    load.kind = Kind::mass;
    load.mass = context.number(*mass, "loads.mass", Use::live);
    if (const text::Value* selector = selectorAt(context, item, "at")) selectBoth(context, *selector, load);
  } else {
    context.problem(item, "expected one of force, follower, moment, line, pressure, mass");
    return false;
  }
  return true;
}

}  // namespace

std::vector<Load> loadsOf(LoadContext& context, const std::vector<text::Value>& items) {
  std::vector<Load> loads;
  for (const text::Value& item : items) {
    Load load;
    load.pointer = item.pointer;
    if (!readLoad(context, item, load)) continue;
    load.interval = context.interval(item);
    loads.push_back(std::move(load));
  }
  return loads;
}

void loadLoads(LoadContext& context) { context.scene.loads = loadsOf(context, itemsOf(context, "loads")); }

}  // namespace tendril::scene
