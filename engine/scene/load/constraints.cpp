// Constraints of a scene: what is prescribed, when, and how.
#include "scene/load/topics.h"
#include "scene/select/links.h"
#include "scene/select/selector.h"
#include "scene/select/shells.h"

namespace tendril::scene {
namespace {

void readAxes(LoadContext& context, const text::Value& value, Constraint& constraint) {
  constraint.axes = {false, false, false};
  bool good = value.isString() && !value.string.empty();
  if (good) {
    for (const char letter : value.string) {
      const bool known = letter >= 'x' && letter <= 'z' && !constraint.axes[std::size_t(letter - 'x')];
      good = good && known;
      if (known) constraint.axes[std::size_t(letter - 'x')] = true;
    }
  }
  if (!good) context.problem(value, "expected the fixed axes, each once: \"x\", \"xz\", \"xyz\", ...");
}

/// "displacement" or "velocity", not both.
void readMotion(LoadContext& context, const text::Value& item, Constraint& constraint) {
  const text::Value* displacement = item.find("displacement");
  const text::Value* velocity = item.find("velocity");
  if (displacement) constraint.displacement = context.vector(*displacement, "constraints.displacement", Use::live);
  if (velocity) constraint.velocity = context.vector(*velocity, "constraints.velocity", Use::live);
  if (displacement && velocity)
    context.problem(*velocity, "\"displacement\" and \"velocity\" exclude each other; expected one of them");
  context.refuseVelocity(velocity);
}

void readPlane(LoadContext& context, const text::Value& value, Constraint& constraint) {
  const std::string& plane = value.string;
  const bool twoLetters = value.isString() && plane.size() == 2 && plane[0] != plane[1] &&
                          plane.find_first_not_of("xyz") == std::string::npos;
  if (!twoLetters) {
    context.problem(value, "expected a plane: \"xy\", \"xz\" or \"yz\"");
    return;
  }
  constraint.normal = ('x' + 'y' + 'z') - plane[0] - plane[1] - 'x';
}

void readTiming(LoadContext& context, const text::Value& item, Constraint& constraint) {
  constraint.interval = context.interval(item);
  constraint.freeBefore = context.textAt(item, "before") == "free";
  constraint.release = context.textAt(item, "then") == "release";
  if (constraint.freeBefore && !item.find("from"))
    context.problem(*item.find("before"), "\"before\" needs \"from\", the time at which the constraint begins");
  if (item.find("then") && !item.find("until"))
    context.problem(*item.find("then"), "\"then\" needs \"until\", the time at which the constraint ends");
}

/// A clamp fixes a shell's plane along edges: nodes without an edge between them are only fixed.
void warnOfLooseClamp(LoadContext& context, const text::Value& selector, const Constraint& constraint) {
  bool onShell = false;
  for (const NodeRef node : constraint.nodes) onShell = onShell || !context.scene.isRod(node.body);
  if (onShell && shellPartsWithin(context.scene, constraint.nodes).edges == 0)
    context.warn(selector,
                 "a clamp fixes the plane of a shell along edges with both ends clamped, and this one has none: it "
                 "acts like \"fix\"");
}

/// Links are constrained by their joints.
bool meansLinks(LoadContext& context, const text::Value& item) {
  for (const char* key : {"clamp", "fix", "fixTwist", "turn", "move"})
    if (const text::Value* selector = item.find(key))
      return refuseLinkages(
          context, *selector, std::string("\"") + key + "\" constrains rods and shells",
          "a link is constrained by its joint (fixed, or driven by \"angle\" or \"displacement\"), and by "
          "\"loops\" that tie it to \"base\"");
  return false;
}

bool readKind(LoadContext& context, const text::Value& item, Constraint& constraint) {
  using Kind = Constraint::Kind;
  if (meansLinks(context, item)) return false;
  if (const text::Value* clamp = item.find("clamp")) {
    constraint.kind = Kind::clamp;
    constraint.nodes = selectNodes(context, *clamp);
    readMotion(context, item, constraint);
    warnOfLooseClamp(context, *clamp, constraint);
    if (const text::Value* rotation = item.find("rotation"))
      constraint.rotation = context.rotation(*rotation, "constraints.rotation", Use::live);
  } else if (const text::Value* fix = item.find("fix")) {
    constraint.kind = Kind::fix;
    constraint.nodes = selectNodes(context, *fix);
    if (const text::Value* axes = item.find("axes")) readAxes(context, *axes, constraint);
  } else if (const text::Value* fixTwist = item.find("fixTwist")) {
    constraint.kind = Kind::fixTwist;
    constraint.edges = selectEdges(context, *fixTwist, "fixTwist");
  } else if (const text::Value* turn = item.find("turn")) {
    constraint.kind = Kind::turn;
    constraint.edges = selectEdges(context, *turn, "turn");
    const text::Value* angle = item.find("angle");
    if (angle)
      constraint.angle = context.number(*angle, "constraints.angle", Use::live);
    else
      context.problem(item, "\"turn\" needs \"angle\", the twist angle of the edge [rad]");
  } else if (const text::Value* move = item.find("move")) {
    constraint.kind = Kind::move;
    constraint.nodes = selectNodes(context, *move);
    readMotion(context, item, constraint);
    if (!item.find("displacement") && !item.find("velocity"))
      context.problem(item, "\"move\" needs \"displacement\" [m] or \"velocity\" [m/s]");
  } else if (const text::Value* planar = item.find("planar")) {
    constraint.kind = Kind::planar;
    readPlane(context, *planar, constraint);
  } else {
    context.problem(item, "expected one of clamp, fix, fixTwist, turn, move, planar");
    return false;
  }
  return true;
}

}  // namespace

void loadConstraints(LoadContext& context) {
  for (const text::Value& item : itemsOf(context, "constraints")) {
    Constraint constraint;
    constraint.pointer = item.pointer;
    if (!readKind(context, item, constraint)) continue;
    readTiming(context, item, constraint);
    context.scene.constraints.push_back(std::move(constraint));
  }
}

}  // namespace tendril::scene
