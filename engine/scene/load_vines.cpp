// Vines of a scene: what they are made of, how they grow and are steered.
#include <cmath>

#include "scene/load_topics.h"

namespace tendril {
namespace {

constexpr long mostBodies = 20000;  // of all vines together

/// A live number, zero where it is missing (as the key table says).
Number numberAt(LoadContext& context, const Value& value, const char* key) {
  const Value* number = value.find(key);
  return number ? context.number(*number, std::string("vines.") + key, Use::live) : Number(0);
}

std::optional<Number> optionalAt(LoadContext& context, const Value& value, const char* key) {
  if (!value.find(key)) return std::nullopt;
  return numberAt(context, value, key);
}

/// Fields are checked at the pins of the start; later they are evaluated wherever pins have come to be.
void checkAtPins(LoadContext& context, const Value& value, const char* key, const Number& field, const Vine& vine) {
  const Value* at = value.find(key);
  if (!at || !field.formula() || field.formula()->seesColumns()) return;
  FormulaInput in = context.input();
  const int pins = vine.bodies / 2;
  for (int i = 0; i < pins; ++i) {
    in.s = vine.length * i / pins, in.u = double(i) / pins;
    in.i = i, in.n = pins;
    if (!context.checkField(field, in, *at, std::string("vines.") + key, "pin " + std::to_string(i))) return;
  }
}

void readTube(LoadContext& context, const Value& value, Vine& vine) {
  vine.physical = value.find("massPerLength") != nullptr;
  vine.massPerLength = numberAt(context, value, "massPerLength");
  vine.bendingStiffness = numberAt(context, value, "bendingStiffness");
  vine.bendingDamping = numberAt(context, value, "bendingDamping");
  vine.pressure = optionalAt(context, value, "pressure");
  vine.mass = numberAt(context, value, "mass");
  vine.inertia = optionalAt(context, value, "inertia");
  vine.stiffness = numberAt(context, value, "stiffness");
  vine.damping = numberAt(context, value, "damping");
  if (vine.pressure && !value.find("bendingStiffness"))
    context.problem(*value.find("pressure"),
                    "a tube that wrinkles needs the stiffness that it has before; expected \"bendingStiffness\" beside it");
}

void readBodies(LoadContext& context, const Value& value, Vine& vine) {
  vine.bodies = int(context.constantAt(value, "vines", "bodies"));
  if (vine.bodies % 2 != 0)
    context.problem(value.find("bodies") ? *value.find("bodies") : value,
                    "bodies come in pairs that slide on each other, and " + std::to_string(vine.bodies) +
                        " is odd; expected an even number, such as " + std::to_string(vine.bodies + 1));
}

/// Three numbers for every body.
std::vector<std::array<double, 3>> triplesAt(LoadContext& context, const Value& value, const char* key, const Vine& vine) {
  std::vector<std::array<double, 3>> out;
  const Value* rows = value.find(key);
  if (!rows) return out;
  if (int(rows->items.size()) != vine.bodies) {
    context.problem(*rows, std::to_string(rows->items.size()) + " rows for " + std::to_string(vine.bodies) +
                               " bodies; expected [x, y, theta] of every body");
    return out;
  }
  for (const Value& row : rows->items) {
    if (!row.isArray() || row.items.size() != 3) {
      context.problem(row, "expected three numbers, [x, y, theta]");
      return {};
    }
    std::array<double, 3> triple{};
    for (std::size_t k = 0; k < 3; ++k) triple[k] = context.constantOf(row.items[k]).value_or(0);
    out.push_back(triple);
  }
  return out;
}

/// Pins that are open at the start, or bodies of a pair that do not slide along each other.
void checkPlacements(LoadContext& context, const Value& value, const Vine& vine) {
  const double d = 0.5 * vine.length / vine.bodies, allowed = 0.05 * d;
  const auto& p = vine.placements;
  Vec3 end(0, 0, 0);  // where the body before ends
  for (std::size_t b = 0; b < p.size(); ++b) {
    const Vec3 x(p[b][0], p[b][1], 0), along(std::cos(p[b][2]), std::sin(p[b][2]), 0);
    Vec3 open = x - d * along - end;
    if (b % 2 == 1) {
      const Vec3 before(std::cos(p[b - 1][2]), std::sin(p[b - 1][2]), 0);
      open = x - Vec3(p[b - 1][0], p[b - 1][1], 0);
      open -= open.dot(before) * before;
      open += d * (along - before);
    }
    if (open.norm() > allowed) {
      context.problem(*value.find("placements"),
                      "body " + std::to_string(b) + " is " + lengthInWords(open.norm()) +
                          (b % 2 == 1 ? " beside the one that it slides on" : " away from where the one before ends") +
                          ", with half a body's length of " + lengthInWords(d) + "; expected bodies that join");
      return;
    }
    end = x + d * along;
  }
}

/// Growth at the start that adds more than a body's length in a step.
void checkGrowth(LoadContext& context, const Value& value, const Vine& vine) {
  const Value* at = value.find("growth");
  if (!at || (vine.growth.formula() && vine.growth.formula()->seesColumns())) return;
  const auto rate = context.evaluate(vine.growth, context.input(), *at);
  const double body = vine.length / vine.bodies, dt = context.scene.solver.dt;
  if (!rate) return;
  const double step = std::abs(*rate) * dt / (vine.growsAtTip ? 1 : 0.5 * vine.bodies);
  if (step <= body || !(body > 0)) return;
  context.problem(*at, "a step of " + inWords(dt) + " s lengthens a pair by " + lengthInWords(step) +
                           ", more than the " + lengthInWords(body) +
                           " of a body; expected slower growth, shorter steps (\"dt\") or fewer bodies");
}

void loadVine(LoadContext& context, const Member& member) {
  const Value& value = member.value;
  Vine vine;
  vine.name = member.key;
  vine.pointer = value.pointer;
  readBodies(context, value, vine);
  vine.length = context.constantAt(value, "vines", "length");
  vine.diameter = context.constantAt(value, "vines", "diameter");
  vine.heading = context.constantAt(value, "vines", "heading");
  if (const Value* base = value.find("base")) vine.base = context.point(*base).value_or(vine.base);
  const std::string plane = context.textAt(value, "plane");
  vine.plane = plane == "xz" ? Vine::Plane::xz : plane == "yz" ? Vine::Plane::yz : Vine::Plane::xy;
  readTube(context, value, vine);
  vine.implicitSprings = context.textAt(value, "springs") != "explicit";
  vine.tube = context.textAt(value, "contact") != "pairs";
  vine.growsAtTip = context.flagAt(value, "tip", false);
  vine.growth = numberAt(context, value, "growth");
  vine.stall = optionalAt(context, value, "stall");
  vine.steer = numberAt(context, value, "steer");
  vine.curvature = numberAt(context, value, "curvature");
  vine.look = loadLook(context, value.find("look"));
  checkAtPins(context, value, "steer", vine.steer, vine);
  checkAtPins(context, value, "curvature", vine.curvature, vine);
  checkGrowth(context, value, vine);
  vine.placements = triplesAt(context, value, "placements", vine);
  vine.velocities = triplesAt(context, value, "velocities", vine);
  checkPlacements(context, value, vine);
  context.claimName(member, value);
  context.vineNames[vine.name] = int(context.scene.vines.size());
  context.scene.vines.push_back(std::move(vine));
}

}  // namespace

void loadVines(LoadContext& context) {
  const std::vector<Member>& members = membersOf(context, "vines");
  for (const Member& member : members) loadVine(context, member);
  if (members.empty()) return;
  long bodies = 0;
  for (const Vine& vine : context.scene.vines) bodies += vine.bodies;
  if (bodies > mostBodies)
    context.problem(*context.root.find("vines"), "the vines have " + std::to_string(bodies) + " bodies together; expected at most " +
                                                     std::to_string(mostBodies));
  if (!context.dynamic)
    context.problem(*context.root.find("vines"), "vines grow in time and have no static solve; expected \"mode\": \"dynamic\"");
}

}  // namespace tendril
