// Probes: their columns are declared before any formula is compiled; then each is read, and formula probes are ordered
// so that everything they see is known.
#include <algorithm>
#include <set>

#include "scene/load/links/linkages.h"
#include "scene/select/links.h"
#include "scene/select/selector.h"
#include "scene/select/shells.h"

namespace tendril::scene {
namespace {

using ProbeKind = Probe::Kind;

struct KindInfo {
  const char* key;
  ProbeKind kind;
  std::vector<const char*> columns;  ///< suffixes; empty: the bare name
  const char* onLinks = "";          ///< what to use on a linkage; null where the kind measures points on them too
  bool onEdges = false;
  const char* onShells = "";  ///< what to use on a shell, where the kind measures only rods
};

const std::vector<KindInfo>& kinds() {
  static const std::vector<const char*> xyz = {".x", ".y", ".z"};
  static const char* const effort = "take the \"jointEffort\" of a link";
  static const std::vector<KindInfo> table = {
      {"position", ProbeKind::position, xyz, nullptr},
      {"velocity", ProbeKind::velocity, xyz, nullptr},
      {"tangent", ProbeKind::tangent, xyz, nullptr, false, "take the position of two nodes"},
      {"reaction", ProbeKind::reaction, xyz, effort},
      {"reactionMoment", ProbeKind::reactionMoment, xyz, effort, false,
       "a shell's clamp fixes its nodes, so take the \"reaction\" of the clamped nodes"},
      {"curvature", ProbeKind::curvature, {".c1", ".c2"}, nullptr, false, "take the \"angle\" of its hinges"},
      {"moment", ProbeKind::moment, {".c1", ".c2", ".t"}, effort, false, "take the \"energy\" called hinge"},
      {"pose",
       ProbeKind::pose,
       {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"},
       nullptr,
       false,
       "take its \"position\""},
      {"speed", ProbeKind::speed, {}, nullptr},
      {"twist", ProbeKind::twist, {}, nullptr, false, "take the \"angle\" of its hinges"},
      {"strain",
       ProbeKind::strain,
       {".twist", ".bendY", ".bendZ", ".stretch", ".shearY", ".shearZ"},
       nullptr,
       false,
       "take the energies called membrane and hinge"},
      {"stretch",
       ProbeKind::stretch,
       {},
       "take the \"strain\" of a soft link, whose column stretch is 0 at rest",
       true,
       "take the \"distance\" of two nodes"},
      {"tension", ProbeKind::tension, {}, effort, true, "take the \"reaction\" where it is supported"},
      {"length",
       ProbeKind::length,
       {},
       "take the \"distance\" of two points, or the length of a \"cable\"",
       true,
       "take the \"distance\" of two nodes"},
      {"formula", ProbeKind::formula, {}},
      {"energy", ProbeKind::energy, {}},
      {"distance", ProbeKind::distance, {}, nullptr},
      {"angle", ProbeKind::angle, {}, "take the \"jointAngle\" of a link"},
      {"contact", ProbeKind::contact, {}},
      {"jointAngle", ProbeKind::jointAngle, {}},
      {"jointEffort", ProbeKind::jointEffort, {}},
      {"cable", ProbeKind::cable, {}},
      {"cableRate", ProbeKind::cableRate, {}},
      {"growthForce", ProbeKind::growthForce, {}},
  };
  return table;
}

const KindInfo* kindOf(const text::Value& value) {
  for (const KindInfo& info : kinds())
    if (value.find(info.key)) return &info;
  return nullptr;
}

std::string kindNames() {
  std::string names;
  for (const KindInfo& info : kinds()) names += std::string(names.empty() ? "" : ", ") + info.key;
  return names;
}

const std::vector<std::string>& energyNames() {
  static const std::vector<std::string> names = {"kinetic",  "gravity", "stretch",    "bend",     "twist",
                                                 "membrane", "hinge",   "springs",    "contact",  "elastic",
                                                 "total",    "work",    "dissipated", "numerical"};
  return names;
}

EnergyKind energyOf(LoadContext& context, const text::Value& value) {
  const std::vector<std::string>& names = energyNames();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (value.isString() && names[i] == value.string) return EnergyKind(int(i));
  context.problem(value, unknownName("energy", value.string, names));
  return EnergyKind::total;
}

/// The bodies of the energy balance.
void checkBalance(LoadContext& context, const text::Value& what, const text::Value* of) {
  const std::string of_ = "\"" + what.string + "\" belongs to the energy balance of ";
  if (of) context.problem(*of, of_ + "the whole scene; leave \"of\" out");
  if (!context.scene.solver.dynamic) context.problem(what, of_ + "a motion; a static scene has none");
  if (!context.scene.vines.empty())
    context.problem(
        what, of_ + "rods, shells and linkages; it is not kept for vines, whose growth by pressure stores no energy");
}

ContactKind contactOf(LoadContext& context, const text::Value& value) {
  static const std::vector<std::string> names = {"force", "pairs", "penetration"};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (value.isString() && names[i] == value.string) return ContactKind(int(i));
  context.problem(value, unknownName("measure of contact", value.string, names));
  return ContactKind::force;
}

void readReduce(LoadContext& context, const text::Value& value, Probe& probe) {
  const text::Value* reduce = value.find("reduce");
  if (probe.kind == ProbeKind::reaction || probe.kind == ProbeKind::length) probe.reduce = Reduce::sum;
  if (!reduce) return;
  static const std::vector<std::string> names = {"mean", "sum", "min", "max"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != reduce->string) continue;
    probe.reduce = Reduce(int(i));
    return;
  }
  context.problem(*reduce, unknownName("reduction", reduce->string, names));
}

/// The one link whose joint is meant, which must have a degree of freedom.
void readJointProbe(LoadContext& context, const text::Value& selector, Probe& probe) {
  probe.places = selectLinks(context, selector);
  if (probe.places.size() > 1)
    context.problem(selector, "\"" + selector.string + "\" has " + std::to_string(probe.places.size()) +
                                  " joints; expected one link, such as \"arm/hub\"");
  if (probe.places.size() != 1) return;
  const Linkage& linkage = context.scene.linkages[std::size_t(probe.places[0].linkage)];
  const Link& link = linkage.links[std::size_t(probe.places[0].link)];
  if (link.joint.kind == LinkJoint::Kind::fixed)
    context.problem(selector, "the joint of \"" + linkage.name + "/" + link.name + "\" is fixed and has no coordinate");
}

/// "arm/c1".
void readCableProbe(LoadContext& context, const text::Value& value, Probe& probe) {
  std::vector<std::string> known;
  const std::vector<Linkage>& linkages = context.scene.linkages;
  for (std::size_t a = 0; a < linkages.size(); ++a)
    for (std::size_t c = 0; c < linkages[a].cables.size(); ++c) {
      known.push_back(linkages[a].name + "/" + linkages[a].cables[c].name);
      if (known.back() != value.string) continue;
      probe.linkage = int(a);
      probe.cableIndex = int(c);
      return;
    }
  context.problem(value, unknownName("cable", value.string, known));
}

/// The points of a probe of strains: only on soft links.
void checkStrained(LoadContext& context, const text::Value& selector, const Probe& probe) {
  if (probe.kind == ProbeKind::strain && !probe.nodes.empty() && context.scene.isRod(probe.nodes[0].body))
    context.problem(
        selector, "\"strain\" measures soft links; on rods take the \"curvature\", the \"twist\" and the \"stretch\"");
  if (probe.kind != ProbeKind::strain && probe.kind != ProbeKind::curvature && probe.kind != ProbeKind::twist) return;
  for (const LinkRef& ref : probe.places) {
    const Linkage& linkage = context.scene.linkages[std::size_t(ref.linkage)];
    const Link& link = linkage.links[std::size_t(ref.link)];
    if (!link.rigid) continue;
    context.problem(selector,
                    "\"" + linkage.name + "/" + link.name +
                        "\" is rigid and has no strain; expected a position on a soft link, such as \"arm/limb@0.5\"");
    return;
  }
}

void refuseShells(LoadContext& context, const text::Value& selector, const KindInfo& info, const Probe& probe) {
  if (*info.onShells)
    areOnRods(context, selector, probe.nodes, std::string("\"") + info.key + "\" measures rods", info.onShells);
}

void readWhere(LoadContext& context, const text::Value& value, const KindInfo& info, Probe& probe,
               std::vector<int>& columnsUsed) {
  const text::Value& what = *value.find(info.key);
  if (probe.kind == ProbeKind::formula) {
    probe.formula = context.formula(what, context.observed(), Use::live, &columnsUsed);
  } else if (probe.kind == ProbeKind::energy) {
    probe.energy = energyOf(context, what);
    if (const text::Value* of = value.find("of")) probe.bodies = selectBodies(context, *of);
    if (isOfBalance(probe.energy)) checkBalance(context, what, value.find("of"));
  } else if (probe.kind == ProbeKind::contact) {
    probe.contact = contactOf(context, what);
    readContactProbe(context, value, probe);
  } else if (probe.kind == ProbeKind::distance) {
    if (!what.isArray() || what.items.size() != 2) {
      context.problem(what, "expected two selectors, such as [\"arm:first\", \"arm:last\"]");
      return;
    }
    const Selection one = selectPlaces(context, what.items[0]), other = selectPlaces(context, what.items[1]);
    probe.nodes = one.nodes;
    probe.places = one.places;
    probe.vines = one.vines;
    probe.other = other.nodes;
    probe.otherPlaces = other.places;
    probe.otherVines = other.vines;
  } else if (probe.kind == ProbeKind::jointAngle || probe.kind == ProbeKind::jointEffort) {
    readJointProbe(context, what, probe);
  } else if (probe.kind == ProbeKind::cable || probe.kind == ProbeKind::cableRate) {
    readCableProbe(context, what, probe);
  } else if (probe.kind == ProbeKind::growthForce || (probe.kind == ProbeKind::length && namesVine(context, what))) {
    probe.vines = selectVine(context, what);
  } else if (!info.onLinks) {
    Selection selection = selectPlaces(context, what);
    probe.nodes = std::move(selection.nodes);
    probe.places = std::move(selection.places);
    probe.vines = std::move(selection.vines);
    const bool ofTip = probe.kind == ProbeKind::position || probe.kind == ProbeKind::velocity ||
                       probe.kind == ProbeKind::tangent || probe.kind == ProbeKind::pose ||
                       probe.kind == ProbeKind::speed;
    if (!probe.vines.empty() && !ofTip)
      context.problem(
          what,
          std::string("\"") + info.key +
              "\" is not measured on vines; expected the position, velocity, tangent, "
              "pose or speed of the tip, or the \"length\", \"growthForce\", \"energy\" or \"contact\" of the whole");
    refuseShells(context, what, info, probe);
    checkStrained(context, what, probe);
  } else if (!refuseLinkages(context, what, std::string("\"") + info.key + "\" measures rods and shells",
                             info.onLinks)) {
    probe.nodes = info.onEdges ? selectNodesOfEdges(context, what) : selectNodes(context, what);
    if (probe.kind == ProbeKind::angle)
      areOnHinges(context, what, probe.nodes, "\"angle\" measures the hinges of shells",
                  "on rods take the \"curvature\"");
    refuseShells(context, what, info, probe);
  }
}

/// Per probe, the probes whose columns its formula sees.
using Dependencies = std::vector<std::set<int>>;

/// Reports one cycle among the probes that never became ready.
void reportCycle(LoadContext& context, const Dependencies& waitsFor, const std::vector<int>& open, int start) {
  std::vector<int> path;
  std::vector<bool> onPath(waitsFor.size(), false);
  int probe = start;
  while (!onPath[std::size_t(probe)]) {
    onPath[std::size_t(probe)] = true;
    path.push_back(probe);
    for (const int next : waitsFor[std::size_t(probe)])
      if (open[std::size_t(next)] > 0) probe = next;
  }
  const auto begin = std::find(path.begin(), path.end(), probe);
  std::string chain;
  for (auto step = begin; step != path.end(); ++step) chain += context.scene.probes[std::size_t(*step)].name + " -> ";
  const text::Value& value = membersOf(context, "probes")[std::size_t(probe)].value;
  context.problem(*value.find("formula"),
                  "probes see each other in a cycle: " + chain + context.scene.probes[std::size_t(probe)].name);
}

/// Every probe after those it sees, otherwise in file order.
std::vector<int> orderOf(LoadContext& context, const Dependencies& waitsFor) {
  std::vector<int> order, open(waitsFor.size(), 0);
  std::vector<std::vector<int>> seenBy(waitsFor.size());
  std::set<int> ready;
  for (std::size_t p = 0; p < waitsFor.size(); ++p) {
    open[p] = int(waitsFor[p].size());
    for (const int other : waitsFor[p]) seenBy[std::size_t(other)].push_back(int(p));
    if (open[p] == 0) ready.insert(int(p));
  }
  while (!ready.empty()) {
    const int probe = *ready.begin();
    ready.erase(ready.begin());
    order.push_back(probe);
    for (const int waiting : seenBy[std::size_t(probe)])
      if (--open[std::size_t(waiting)] == 0) ready.insert(waiting);
  }
  const auto stuck = std::find_if(open.begin(), open.end(), [](int count) { return count > 0; });
  if (stuck != open.end()) reportCycle(context, waitsFor, open, int(stuck - open.begin()));
  return order;
}

/// Number of coordinates that a joint probe measures, from the scene's tree: linkages are not loaded yet.
int freedomsOf(const LoadContext& context, const KindInfo& info, const text::Value& probe) {
  const bool joint = info.kind == ProbeKind::jointAngle || info.kind == ProbeKind::jointEffort;
  const JointInfo* kind = joint ? jointInfoOf(jointInTree(context, probe.find(info.key)->string)) : nullptr;
  return kind ? kind->rotations + kind->translations : 0;
}

}  // namespace

Caption captionOf(LoadContext& context, const text::Value& value) {
  for (const char* key : {"unit", "label"})
    if (const text::Value* text = value.find(key); text && text->string.find_first_not_of(" \t\n") == std::string::npos)
      context.problem(*text, std::string("\"") + key + "\" is empty; leave it out if there is nothing to say");
  return {context.textAt(value, "label"), context.textAt(value, "unit"), context.flagAt(value, "hidden", false)};
}

std::string_view nameOf(EnergyKind kind) { return energyNames()[static_cast<std::size_t>(kind)]; }

void declareColumns(LoadContext& context) {
  Scene& scene = context.scene;
  for (const text::Member& member : membersOf(context, "probes")) {
    const KindInfo* info = kindOf(member.value);
    if (!info) context.problem(member.value, "expected one of " + kindNames());
    Probe probe;
    probe.name = member.key;
    probe.pointer = member.value.pointer;
    probe.firstColumn = int(scene.columns.size());
    if (info) probe.kind = info->kind;
    const int freedoms = info ? freedomsOf(context, *info, member.value) : 0;
    if (info && !info->columns.empty())
      for (const char* suffix : info->columns) scene.columns.push_back(probe.name + suffix);
    else if (freedoms > 1)
      for (int k = 0; k < freedoms; ++k) scene.columns.push_back(probe.name + ".q" + std::to_string(k));
    else
      scene.columns.push_back(probe.name);
    probe.columnCount = int(scene.columns.size()) - probe.firstColumn;
    probe.caption = captionOf(context, member.value);
    scene.probes.push_back(std::move(probe));
  }
  int column = 0;
  for (const std::string& name : scene.columns) context.scope.columns[name] = column++;
  for (const text::Member& member : membersOf(context, "states")) {
    context.scope.columns[member.key] = column++;
  }
}

void loadProbes(LoadContext& context) {
  const std::vector<text::Member>& members = membersOf(context, "probes");
  std::vector<int> probeOfColumn;
  for (std::size_t p = 0; p < members.size(); ++p)
    probeOfColumn.insert(probeOfColumn.end(), std::size_t(context.scene.probes[p].columnCount), int(p));
  Dependencies waitsFor(members.size());
  for (std::size_t p = 0; p < members.size(); ++p) {
    const text::Value& value = members[p].value;
    const KindInfo* info = kindOf(value);
    if (!info) continue;
    std::vector<int> columnsUsed;
    readWhere(context, value, *info, context.scene.probes[p], columnsUsed);
    readReduce(context, value, context.scene.probes[p]);
    for (const int column : columnsUsed)  // columns past the probes' are states
      if (column < int(probeOfColumn.size())) waitsFor[p].insert(probeOfColumn[std::size_t(column)]);
  }
  context.scene.probeOrder = orderOf(context, waitsFor);
}

}  // namespace tendril::scene
