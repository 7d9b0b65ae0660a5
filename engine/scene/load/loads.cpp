// Loads: their values are timed and live.
#include <algorithm>
#include <set>

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

bool actsOnRods(LoadContext& context, const text::Value& selector, const Load& moment) {
  return areOnRods(context, selector, moment.nodes, "\"moment\" acts on the edge of a rod",
                   "on shells give two opposite forces, or weld a rod to the shell and turn the rod");
}

/// Refuses shells for a load that acts in or about a rod's frame.
void refuseShells(LoadContext& context, const text::Value& selector, const Load& load) {
  if (load.kind == Load::Kind::follower)
    areOnRods(context, selector, load.nodes, "\"follower\" turns with the edge of a rod",
              "on shells \"pressure\" turns with the surface, and \"force\" keeps its direction");
  if (load.kind == Load::Kind::moment) actsOnRods(context, selector, load);
}

bool isFieldOf(const std::vector<formula::Number>& numbers) {
  return std::any_of(numbers.begin(), numbers.end(), [](const formula::Number& n) { return n.isField(); });
}

/// Tells of the scene's own names, which hide those of the point that a load acts on.
void warnOfHidden(LoadContext& context, const text::Value& value, const std::vector<formula::Number>& numbers) {
  std::vector<std::string> names;
  for (const formula::Number& number : numbers) {
    if (!number.isFormula()) continue;
    for (const std::string& name : number.formula()->hidden()) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  if (names.empty()) return;
  // Copies of a repeated load stand at one place.
  const Problem source = context.document.problem(value, "");
  const auto same = [&](const Problem& p) { return p.line == source.line && p.column == source.column; };
  if (std::any_of(context.scene.warnings.begin(), context.scene.warnings.end(), same)) return;
  for (const std::string& name : names)
    context.warn(value, "\"" + name +
                            "\" is a name of this scene here, and hides that of the point that the load acts on; "
                            "another name in the scene would show it");
}

/// Whether bodies of a vine keep their material, and so have an initial place.
void checkFieldOnVines(LoadContext& context, const text::Value& value, const Load& load,
                       const formula::PlaceUse& sees) {
  if (load.vines.empty()) return;
  if (load.field.kind == LoadField::Kind::moment)
    context.problem(value,
                    "a vine takes a \"force\", a \"line\" and a \"potential\", and no \"moment\"; \"steer\" bends it");
  if (sees.normal)
    context.problem(value,
                    "nx ny nz are the normal of a shell, and this load acts on a vine, whose tangent is tx ty tz");
  if (!sees.initial) return;
  for (const int i : load.vines) {
    const Vine& vine = context.scene.vines[static_cast<std::size_t>(i)];
    if (vine.growth.isZero()) continue;
    context.problem(value, "X Y Z are where the point was at the start, and of vine \"" + vine.name +
                               "\", which grows, most is not there yet; expected x y z, or a vine without \"growth\"");
    return;
  }
}

/// What the selection must have for a field, and what its formulas may not see there.
void checkField(LoadContext& context, const text::Value& value, const text::Value& selector, const Load& load,
                const std::vector<formula::Number>& numbers) {
  const formula::PlaceUse sees = placeOf(load);
  const Scene& scene = context.scene;
  bool rod = false, shell = false;
  for (const NodeRef node : load.nodes) (scene.isRod(node.body) ? rod : shell) = true;
  if (shell && sees.tangent)
    context.problem(value,
                    "tx ty tz are the tangent of a rod, and this load acts on a shell, whose normal is nx ny nz");
  if (rod && sees.normal)
    context.problem(value,
                    "nx ny nz are the normal of a shell, and this load acts on a rod, whose tangent is tx ty tz");
  const bool onLinks = !load.places.empty() || !load.links.empty();
  if (onLinks && sees.normal)
    context.problem(value,
                    "nx ny nz are the normal of a shell, and this load acts on a link, whose direction is tx ty tz");
  checkFieldOnVines(context, value, load, sees);
  if (load.field.kind == LoadField::Kind::moment && !actsOnRods(context, selector, load)) return;
  if (load.field.kind == LoadField::Kind::potential && sees.velocity)
    context.problem(value, "a potential does not see velocities; expected a \"force\"");
  if (load.field.per == LoadField::Per::length && sees.normal)
    context.problem(value, "a force per length acts along edges, which have no normal; expected \"per\": \"area\"");
  for (const formula::Number& number : numbers) checkFieldOnShells(context, value, number, load.nodes);
  if (load.nodes.empty()) return;
  const ShellParts parts = shellPartsWithin(scene, load.nodes);
  std::set<std::pair<int, int>> selected;
  for (const NodeRef node : load.nodes) selected.insert({node.body, node.node});
  const bool edge = std::any_of(selected.begin(), selected.end(), [&](const auto& at) {
    return scene.isRod(at.first) && selected.count({at.first, at.second + 1});
  });
  using Per = LoadField::Per;
  if (load.field.per == Per::length && !edge && parts.edges == 0)
    context.problem(selector, "the selection holds no whole edge; expected a body, or both nodes of at least one edge");
  if (load.field.per == Per::area && rod)
    context.problem(selector, "rods have no area; expected \"per\": \"length\", or shells");
  else if (load.field.per == Per::area && parts.triangles == 0)
    context.problem(selector,
                    "the selection holds no whole triangle; expected a shell, or all three corners of at least one");
  if (load.field.per == Per::mass && !edge && parts.triangles == 0)
    context.problem(selector, "the selection holds no whole edge of a rod or triangle of a shell, which have mass");
}

LoadField::Per perOf(LoadContext& context, const text::Value& item) {
  const std::string per = context.textAt(item, "per");
  return per == "length" ? LoadField::Per::length
         : per == "area" ? LoadField::Per::area
         : per == "mass" ? LoadField::Per::mass
                         : LoadField::Per::node;
}

/// Nodes and points, or where it counts by length or mass, rods and shells, whole soft links or vines. False: a
/// problem.
bool selectForField(LoadContext& context, const text::Value& selector, Load& load) {
  using Per = LoadField::Per;
  const Per per = load.field.per;
  if (per == Per::node) {
    Selection selection = selectPlaces(context, selector);
    load.nodes = std::move(selection.nodes), load.places = std::move(selection.places);
    load.vines = std::move(selection.vines);
    return true;
  }
  if (per == Per::area) {
    if (refuseLinkages(context, selector, "\"per\": \"area\" counts by the area of shells",
                       "on a soft link expected \"per\": \"length\" or \"mass\""))
      return false;
  } else if (meansVines(context, selector)) {
    load.vines = selectVines(context, selector);
    return !load.vines.empty();
  } else if (meansLinkages(context, selector)) {
    load.links = selectSoftLinks(context, selector, "a load per length or mass acts along soft links",
                                 "give it a force at a point, such as \"arm/hub@0.5\", without \"per\"");
    return !load.links.empty();
  }
  load.nodes = per == Per::length ? selectNodesOfEdges(context, selector) : selectNodes(context, selector);
  return true;
}

void readField(LoadContext& context, const text::Value& value, const text::Value* selector, Load& load,
               const std::vector<formula::Number>& numbers) {
  load.kind = Load::Kind::field;
  warnOfHidden(context, value, numbers);
  if (selector && selectForField(context, *selector, load)) checkField(context, value, *selector, load, numbers);
}

void readPotential(LoadContext& context, const text::Value& item, const text::Value& value, Load& load) {
  load.field.kind = LoadField::Kind::potential;
  load.field.per = perOf(context, item);
  load.field.amount = context.number(value, "loads.potential", Use::live);
  readField(context, value, selectorAt(context, item, "on"), load, {load.field.amount});
}

void readVectorLoad(LoadContext& context, const text::Value& item, std::string_view name, std::string_view key,
                    Load& load) {
  const text::Value& value = *item.find(name);
  load.value = context.vector(value, "loads." + std::string(name), Use::live);
  const text::Value* selector = selectorAt(context, item, key);
  const std::vector<formula::Number> numbers(load.value.begin(), load.value.end());
  const bool turns = load.kind == Load::Kind::moment;
  const bool mayBeField = load.kind == Load::Kind::force || load.kind == Load::Kind::line || turns;
  const bool along = load.kind == Load::Kind::line && selector &&
                     (meansLinkages(context, *selector) || meansVines(context, *selector));
  load.field.per = load.kind == Load::Kind::line ? LoadField::Per::length : perOf(context, item);
  if (mayBeField && (isFieldOf(numbers) || item.find("per") || along)) {
    if (load.share)
      context.problem(item,
                      "\"share\" divides one total force, and this one is given by a field or by what \"per\" says");
    if (turns) load.field.kind = LoadField::Kind::moment;
    return readField(context, value, selector, load, numbers);
  }
  warnOfHidden(context, value, numbers);
  if (!selector) return;
  if (load.kind != Load::Kind::line)
    selectBoth(context, *selector, load);
  else
    load.nodes = selectNodesOfEdges(context, *selector);
  refuseShells(context, *selector, load);
  if (load.share) checkShare(context, *selector, load);
}

void readPressure(LoadContext& context, const text::Value& item, const text::Value& value, Load& load) {
  load.kind = Load::Kind::pressure;
  load.pressure = context.number(value, "loads.pressure", Use::live);
  const text::Value* selector = selectorAt(context, item, "on");
  warnOfHidden(context, value, {load.pressure});
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
  if (!load.pressure.isField()) return;
  load.kind = Load::Kind::field;
  load.field = {LoadField::Kind::pressure, LoadField::Per::area, load.pressure};
  checkField(context, value, *selector, load, {load.pressure});
}

void readWrench(LoadContext& context, const text::Value& item, const text::Value& wrench, Load& load) {
  load.kind = Load::Kind::wrench;
  const text::Value *moment = wrench.find("moment"), *force = wrench.find("force");
  if (wrench.isObject() && !moment && !force)
    context.problem(wrench, "neither \"moment\" nor \"force\" is given; expected one of them, or both");
  if (moment) load.moment = context.vector(*moment, "loads.wrench.moment", Use::live);
  if (force) load.value = context.vector(*force, "loads.wrench.force", Use::live);
  const text::Value* selector = selectorAt(context, item, "link");
  if (selector)
    load.links = selectSoftLinks(context, *selector, "a \"wrench\" per length acts along soft links",
                                 "give it a \"follower\" or a \"moment\" at a point, such as \"arm/hub@0.5\"");
}

bool readLoad(LoadContext& context, const text::Value& item, Load& load) {
  using Kind = Load::Kind;
  if (item.find("force")) {
    load.kind = Kind::force;
    load.share = context.flagAt(item, "share", false);
    readVectorLoad(context, item, "force", "at", load);
  } else if (item.find("follower")) {
    load.kind = Kind::follower;
    readVectorLoad(context, item, "follower", "at", load);
  } else if (item.find("moment")) {
    load.kind = Kind::moment;
    readVectorLoad(context, item, "moment", "at", load);
  } else if (item.find("line")) {
    load.kind = Kind::line;
    readVectorLoad(context, item, "line", "on", load);
  } else if (const text::Value* pressure = item.find("pressure")) {
    readPressure(context, item, *pressure, load);
  } else if (const text::Value* potential = item.find("potential")) {
    readPotential(context, item, *potential, load);
  } else if (const text::Value* wrench = item.find("wrench")) {
    readWrench(context, item, *wrench, load);
  } else if (const text::Value* mass = item.find("mass")) {
    load.kind = Kind::mass;
    load.mass = context.number(*mass, "loads.mass", Use::live);
    if (const text::Value* selector = selectorAt(context, item, "at")) selectBoth(context, *selector, load);
  } else {
    context.problem(item, "expected one of force, follower, moment, line, pressure, potential, wrench, mass");
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
