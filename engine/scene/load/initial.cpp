// Initial values: velocities, twists and spins of rods and shells, rates of hinges, strains and joint coordinates of
// linkages.
#include <algorithm>

#include "scene/load/links/linkages.h"
#include "scene/select/links.h"
#include "scene/select/selector.h"
#include "scene/select/shells.h"

namespace tendril::scene {
namespace {

constexpr const char* strainNames[] = {"twist", "bendY", "bendZ", "stretch", "shearY", "shearZ"};

/// The bodies concerned; only edges of rods have twist and spin.
void readStarters(LoadContext& context, const text::Value& of, bool edges, Initial& initial) {
  initial.nodes = edges ? selectNodesOfEdges(context, of) : selectNodes(context, of);
  if (edges && !areOnRods(context, of, initial.nodes, "\"twist\" and \"spin\" turn the edges of rods",
                          "give a shell the \"velocity\" field of its rotation"))
    initial.nodes.clear();
}

/// One rate for all hinges of the selection, or one for each.
void readHingeRate(LoadContext& context, const text::Value& value, const text::Value& of, Initial& initial) {
  if (!areOnHinges(context, of, initial.nodes, "\"hingeRate\" opens the hinges of shells",
                   "rods start with a \"velocity\" and the \"spin\" of their edges"))
    return;
  const auto hinges = std::size_t(shellPartsWithin(context.scene, initial.nodes).hinges);
  const bool list = value.isArray();
  if (list && value.items.size() != hinges && !initial.nodes.empty()) {
    context.problem(value, std::to_string(value.items.size()) + " rates for " + std::to_string(hinges) +
                               " hinges; expected one number or formula for all of them, or a list of one for each");
    return;
  }
  for (std::size_t k = 0; k < (list ? hinges : 1); ++k) {
    const text::Value& one = list ? value.items[k] : value;
    initial.hingeRate.push_back(context.number(one, "initial.hingeRate", Use::restart));
    checkFieldOnShells(context, one, initial.hingeRate.back(), initial.nodes);
  }
}

void readNodes(LoadContext& context, const text::Value& item, const text::Value& of, Initial& initial) {
  const text::Value *velocity = item.find("velocity"), *twist = item.find("twist"), *spin = item.find("spin");
  if (velocity) initial.velocity = context.vector(*velocity, "initial.velocity", Use::restart);
  if (twist) initial.twist = context.number(*twist, "initial.twist", Use::restart);
  if (spin) initial.spin = context.number(*spin, "initial.spin", Use::restart);
  for (const text::Member& member : item.members)
    if (member.key != "of" && member.key != "velocity" && member.key != "twist" && member.key != "spin" &&
        member.key != "hingeRate")
      context.problemAtKey(member, item,
                           "\"" + member.key +
                               "\" is for linkages; rods and shells start with a velocity, rods with a "
                               "twist or a spin, shells with a hingeRate");
  readStarters(context, of, twist || spin, initial);
  if (const text::Value* rate = item.find("hingeRate")) readHingeRate(context, *rate, of, initial);
  if (velocity && velocity->isArray())
    for (std::size_t k = 0; k < 3 && k < velocity->items.size(); ++k)
      checkFieldOnShells(context, velocity->items[k], (*initial.velocity)[k], initial.nodes);
}

bool hasMode(const Link& link, std::size_t mode) {
  return std::any_of(link.soft.begin(), link.soft.end(),
                     [mode](const SoftDivision& division) { return division.order[mode] >= 0; });
}

/// Strains (or their rates) of the links, each of which must have the mode.
void readStrains(LoadContext& context, const text::Value& item, bool rates, Initial& initial) {
  for (std::size_t mode = 0; mode < 6; ++mode) {
    const std::string key = std::string(strainNames[mode]) + (rates ? "Rate" : "");
    const text::Value* value = item.find(key);
    if (!value) continue;
    // "twist" of rods is an angle; on links it is a strain like the others.
    const std::string path = rates ? "initial." + key : "linkages.links.body.soft.natural." + key;
    (rates ? initial.strainRate : initial.strain)[mode] = context.number(*value, path, Use::restart);
    for (const LinkRef& ref : initial.links) {
      const Link& link = context.scene.linkages[std::size_t(ref.linkage)].links[std::size_t(ref.link)];
      if (hasMode(link, mode)) continue;
      context.problem(*value, "\"" + link.name + "\" has no " + strainNames[mode] +
                                  (link.rigid ? ": it is rigid" : " among its \"strains\": it is rigid in this mode"));
      break;
    }
  }
}

/// The numbers under `key` for the rotations (translations) of the links' joints.
void readCoordinates(LoadContext& context, const text::Value& item, const char* key, bool rotations,
                     const LinkJoint& joint, const std::string& link,
                     std::vector<std::optional<formula::Number>>& into) {
  const text::Value* value = item.find(key);
  if (!value) return;
  const JointInfo& info = jointInfoOf(joint.kind);
  const std::size_t first = std::size_t(rotations ? 0 : info.rotations);
  const std::size_t count = std::size_t(rotations ? info.rotations : info.translations);
  const std::size_t found = value->isArray() ? value->items.size() : 1;
  if (found != count) {
    context.problem(*value, "the " + std::string(info.name) + " joint of \"" + link + "\" has " +
                                std::to_string(count) + (rotations ? " rotations" : " translations") + "; found " +
                                std::to_string(found) + (found == 1 ? " number" : " numbers"));
    return;
  }
  into.resize(joint.coordinates.size());
  for (std::size_t k = 0; k < count; ++k) {
    if (joint.coordinates[first + k].driven) {
      context.problem(*value, "the joint of \"" + link + "\" is driven: it starts where its formula of time does");
      return;
    }
    into[first + k] =
        context.number(value->isArray() ? value->items[k] : *value, std::string("initial.") + key, Use::restart);
  }
}

void readLinks(LoadContext& context, const text::Value& item, const text::Value& of, Initial& initial) {
  initial.links = selectLinks(context, of);
  for (const char* key : {"velocity", "spin", "hingeRate"})
    if (const text::Member* member = item.member(key))
      context.problemAtKey(*member, item,
                           std::string("\"") + key + "\" is for " +
                               (std::string(key) == "hingeRate" ? "shells" : "rods and shells") +
                               "; links start with the rates "
                               "of their coordinates, such as \"angleRate\" and \"bendYRate\"");
  if (initial.links.empty()) return;
  readStrains(context, item, false, initial);
  readStrains(context, item, true, initial);
  const bool joints =
      item.find("angle") || item.find("displacement") || item.find("angleRate") || item.find("displacementRate");
  if (!joints) return;
  const auto linkOf = [&](const LinkRef& ref) -> const Link& {
    return context.scene.linkages[std::size_t(ref.linkage)].links[std::size_t(ref.link)];
  };
  const LinkJoint::Kind kind = linkOf(initial.links[0]).joint.kind;
  for (const LinkRef& ref : initial.links) {
    const Link& link = linkOf(ref);
    if (link.joint.kind != kind) {
      context.problem(of, "the links have joints of different kinds (\"" + linkOf(initial.links[0]).name + "\" and \"" +
                              link.name + "\"); expected an entry for each");
      return;
    }
    const std::size_t before = context.problemCount();
    readCoordinates(context, item, "angle", true, link.joint, link.name, initial.coordinate);
    readCoordinates(context, item, "displacement", false, link.joint, link.name, initial.coordinate);
    readCoordinates(context, item, "angleRate", true, link.joint, link.name, initial.coordinateRate);
    readCoordinates(context, item, "displacementRate", false, link.joint, link.name, initial.coordinateRate);
    if (context.problemCount() > before) return;
  }
}

}  // namespace

void loadInitial(LoadContext& context) {
  for (const text::Value& item : itemsOf(context, "initial")) {
    Initial initial;
    initial.pointer = item.pointer;
    const text::Value* of = item.find("of");
    if (!of)
      context.problem(item, "\"of\" is missing; expected what starts so, such as \"arm\"");
    else if (of->isString() && meansLinkages(context, *of))
      readLinks(context, item, *of, initial);
    else if (namesVine(context, *of))
      context.problem(
          *of,
          "\"" + of->string + "\" is a vine, which starts with the \"placements\" and \"velocities\" in its own entry");
    else if (!refuseLinkages(context, *of, "it starts with strains and joint coordinates",
                             "give each link an entry of its own"))
      readNodes(context, item, *of, initial);
    context.scene.initial.push_back(std::move(initial));
  }
}

}  // namespace tendril::scene
