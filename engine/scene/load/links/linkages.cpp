// Linkages of a scene: base, links with their parents and offsets, and the loops that close chains. Joints, bodies and
// cables are read in separate files.
#include "scene/load/links/linkages.h"
#include "geometry/frames.h"

#include <cmath>
#include <cstdlib>

namespace tendril::scene {
namespace {

void readBase(LoadContext& context, const text::Value& value, Linkage& linkage) {
  const text::Value *position = value.find("position"), *forward = value.find("forward"), *up = value.find("up");
  Vec3 x = Vec3::UnitX();
  if (position) linkage.position = context.point(*position).value_or(linkage.position);
  if (forward) x = context.direction(*forward, "forward").value_or(x).normalized();
  Vec3 hint = geometry::isParallel(x, Vec3::UnitZ()) ? Vec3::UnitX() : Vec3::UnitZ();
  if (up) {
    const auto given = context.direction(*up, "up");
    if (!given) return;
    if (geometry::isParallel(x, *given)) {
      context.problem(*up, "\"up\" is parallel to \"forward\"; expected a direction across it, toward which z points");
      return;
    }
    hint = given->normalized();
  }
  const Vec3 z = (hint - hint.dot(x) * x).normalized();
  linkage.rotation.col(0) = x;
  linkage.rotation.col(1) = z.cross(x);
  linkage.rotation.col(2) = z;
}

void readOffset(LoadContext& context, const text::Value* value, Vec3& position, Mat3& rotation) {
  if (!value) return;
  if (const text::Value* at = value->find("position")) position = context.point(*at).value_or(position);
  if (const text::Value* turn = value->find("rotation"))
    rotation = context.orientation(*turn, "linkages.links.offset.rotation").value_or(rotation);
}

/// What a link is attached to: a link listed earlier, or the base.
void readParent(LoadContext& context, const text::Value& value, const text::Value& links, const Linkage& linkage,
                Link& link) {
  std::string name;
  if (!splitPosition(value.string, name, link.parentAt)) {
    context.problem(value, "\"" + value.string +
                               "\" is not a position on a link; expected for example \"palm\" or \"palm@0.5\", "
                               "from 0 (its joint) to 1 (its tip)");
  } else if (name == "base") {
    link.parent = -1;
    if (name != value.string) context.problem(value, "the base is one frame and has no length; expected \"base\"");
  } else if (name == link.name) {
    context.problem(value, "\"" + name + "\" is attached to itself; expected a link listed before it, or \"base\"");
  } else if ((link.parent = findLink(linkage, name)) < 0) {
    if (linkage.links.empty() && !links.member(name))
      context.problem(value, "no link is listed before \"" + link.name + "\"; expected \"base\", or no \"parent\"");
    else if (links.member(name))
      context.problem(
          value, "\"" + name + "\" comes after \"" + link.name +
                     "\" in \"links\"; a link is attached to one listed before it, so expected them in that order");
    else
      unknownLink(context, value, name, linkage, true);
  }
}

void readFluid(LoadContext& context, const text::Value& value, Link& link) {
  const text::Value* environment = context.root.find("environment");
  const text::Value* fluid = environment ? environment->find("fluid") : nullptr;
  if (!fluid || !fluid->find("density"))
    context.problem(value,
                    "the fluid's forces on a link need the density of the medium: \"environment\": {\"fluid\": "
                    "{\"density\": 1000}}");
  const auto read = [&](const std::string& key) {
    const text::Value* coefficient = value.find(key);
    const std::string path = "linkages.links.fluid." + key;
    return coefficient ? context.number(*coefficient, path, Use::live) : formula::Number(defaultNumber(path));
  };
  link.fluid = LinkFluid{read("added"), read("drag"), read("lift")};
}

void loadLink(LoadContext& context, const text::Member& member, const text::Value& links, Linkage& linkage) {
  const text::Value& value = member.value;
  Link link;
  link.name = member.key;
  link.pointer = value.pointer;
  link.parent = int(linkage.links.size()) - 1;
  if (link.name == "base")
    context.problemAtKey(member, links,
                         "\"base\" is the name of the frame that a linkage starts from; expected another name");
  if (const text::Value* parent = value.find("parent")) readParent(context, *parent, links, linkage, link);
  readOffset(context, value.find("offset"), link.offset, link.offsetRotation);
  link.joint = loadLinkJoint(context, value.find("joint"), false);
  if (const text::Value* body = value.find("body"))
    loadLinkBody(context, *body, link);
  else
    context.problem(value, "\"body\" is missing; expected {\"rigid\": ...} or {\"soft\": ...}");
  if (const text::Value* fluid = value.find("fluid")) readFluid(context, *fluid, link);
  link.look = loadLook(context, value.find("look"));
  linkage.links.push_back(std::move(link));
}

/// One end of a loop: the number of a link, -1 for the base.
int readEnd(LoadContext& context, const text::Value& loop, const char* key, const Linkage& linkage, double& at) {
  const text::Value* value = loop.find(key);
  std::string name;
  if (!value) {
    context.problem(loop,
                    std::string("\"") + key + "\" is missing; expected a link, such as \"rocker\" or \"rocker@0.5\"");
    return -1;
  }
  if (!splitPosition(value->string, name, at)) {
    context.problem(*value, "\"" + value->string +
                                "\" is not a position on a link; expected for example \"rocker\", "
                                "\"rocker@0.5\" or \"base\"");
    return -1;
  }
  if (name == "base") return -1;
  const int link = findLink(linkage, name);
  if (link < 0) unknownLink(context, *value, name, linkage, true);
  return link;
}

void loadLoop(LoadContext& context, const text::Value& value, Linkage& linkage) {
  LinkLoop loop;
  loop.pointer = value.pointer;
  const std::size_t before = context.problemCount();
  loop.from = readEnd(context, value, "from", linkage, loop.fromAt);
  loop.to = readEnd(context, value, "to", linkage, loop.toAt);
  if (context.problemCount() == before && loop.from == loop.to)
    context.problem(value, "the loop joins " +
                               (loop.from < 0 ? std::string("the base") : "\"" + value.find("from")->string + "\"") +
                               " with itself; expected two different links");
  readOffset(context, value.find("offset"), loop.offset, loop.offsetRotation);
  if (const text::Value* joint = value.find("joint"))
    loop.joint = loadLinkJoint(context, joint, true);
  else
    context.problem(value,
                    "\"joint\" is missing; expected what may still move, such as {\"revolute\": {\"axis\": \"z\"}}");
  linkage.loops.push_back(std::move(loop));
}

/// Appearance that a part does not define comes from its linkage.
void inherit(const Look& from, Look& look) {
  if (look.color.empty()) look.color = from.color;
  if (!look.opacity) look.opacity = from.opacity;
  look.hidden = look.hidden || from.hidden;
}

void loadLinkage(LoadContext& context, const text::Member& member) {
  const text::Value& value = member.value;
  Linkage linkage;
  linkage.name = member.key;
  linkage.pointer = value.pointer;
  linkage.look = loadLook(context, value.find("look"));
  if (const text::Value* base = value.find("base")) readBase(context, *base, linkage);
  const text::Value *links = value.find("links"), *cables = value.find("cables"), *loops = value.find("loops");
  if (!links || links->members.empty()) {
    context.problem(links ? *links : value, "a linkage needs at least one link in \"links\"");
  } else {
    for (const text::Member& link : links->members) loadLink(context, link, *links, linkage);
  }
  if (cables) loadCables(context, *cables, linkage);
  if (loops)
    for (const text::Value& loop : loops->items) loadLoop(context, loop, linkage);
  for (Link& link : linkage.links) inherit(linkage.look, link.look);
  // Except the color: cables show their tension by it.
  for (Cable& cable : linkage.cables) cable.look.hidden = cable.look.hidden || linkage.look.hidden;
  context.claimName(member, value);
  context.linkageNames[linkage.name] = int(context.scene.linkages.size());
  context.scene.linkages.push_back(std::move(linkage));
}

}  // namespace

int findLink(const Linkage& linkage, std::string_view name) {
  for (std::size_t l = 0; l < linkage.links.size(); ++l)
    if (linkage.links[l].name == name) return int(l);
  return -1;
}

void unknownLink(LoadContext& context, const text::Value& at, std::string_view name, const Linkage& linkage,
                 bool within) {
  const std::string prefix = linkage.name + "/";
  if (within && name.substr(0, prefix.size()) == prefix && findLink(linkage, name.substr(prefix.size())) >= 0) {
    context.problem(at, "a linkage names its own links without its own name; expected \"" +
                            std::string(name.substr(prefix.size())) + "\"");
    return;
  }
  std::vector<std::string> known;
  for (const Link& link : linkage.links) known.push_back((within ? "" : prefix) + link.name);
  context.problem(at, unknownName(within ? "link of \"" + linkage.name + "\":" : "link",
                                  (within ? "" : prefix) + std::string(name), known));
}

bool splitPosition(const std::string& text, std::string& name, double& at) {
  const std::size_t cut = text.find('@');
  name = text.substr(0, cut);
  at = 1;
  if (cut == std::string::npos) return !name.empty();
  const char* begin = text.c_str() + cut + 1;
  char* end = nullptr;
  at = std::strtod(begin, &end);
  return !name.empty() && end != begin && *end == '\0' && at >= 0 && at <= 1;
}

void loadLinkages(LoadContext& context) {
  for (const text::Member& member : membersOf(context, "linkages")) loadLinkage(context, member);
}

}  // namespace tendril::scene
