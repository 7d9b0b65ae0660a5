// Vines of a scene: their properties, growth and steering.
#include "scene/load/topics.h"

namespace tendril::scene {
namespace {

constexpr long mostBodies = 20000;  // of all vines together

/// A live number; zero where it is missing (as in the key table).
formula::Number numberAt(LoadContext& context, const text::Value& value, const char* key) {
  const text::Value* number = value.find(key);
  return number ? context.number(*number, std::string("vines.") + key, Use::live) : formula::Number(0);
}

std::optional<formula::Number> optionalAt(LoadContext& context, const text::Value& value, const char* key) {
  if (!value.find(key)) return std::nullopt;
  return numberAt(context, value, key);
}

/// It must be positive at the start and stay positive.
std::optional<formula::Number> stallAt(LoadContext& context, const text::Value& value) {
  std::optional<formula::Number> stall = optionalAt(context, value, "stall");
  if (!stall) return stall;
  if (stall->isTimed() && !stall->seesColumns())
    context.require(*value.find("stall"), {*stall}, [number = *stall](const Scene& scene) {
      return wrongValue(number, parametersOf(scene), "vines.stall", "t = 0");
    });
  return limitedToRange(*stall, "vines.stall");
}

/// Fields are checked at the initial pins; later they are evaluated wherever the pins are.
void checkAtPins(LoadContext& context, const text::Value& value, const char* key, const formula::Number& field,
                 const Vine& vine) {
  const text::Value* at = value.find(key);
  if (!at || !field.formula() || field.formula()->seesColumns()) return;
  const auto wrong = [field, path = std::string("vines.") + key, length = vine.length,
                      pins = vine.bodies / 2](const Scene& scene) {
    formula::Input in = parametersOf(scene);
    std::string message;
    for (int i = 0; i < pins && message.empty(); ++i) {
      in.s = length * i / pins, in.u = double(i) / pins;
      in.i = i, in.n = pins;
      message = wrongValue(field, in, path, "pin " + std::to_string(i));
    }
    return message;
  };
  context.require(*at, {field}, wrong);
}

void readTube(LoadContext& context, const text::Value& value, Vine& vine) {
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
    context.problem(
        *value.find("pressure"),
        "a tube that wrinkles needs the stiffness that it has before; expected \"bendingStiffness\" beside it");
}

void readBodies(LoadContext& context, const text::Value& value, Vine& vine) {
  vine.bodies = int(context.constantAt(value, "vines", "bodies"));
  if (vine.bodies % 2 != 0)
    context.problem(value.find("bodies") ? *value.find("bodies") : value,
                    "bodies come in pairs that slide on each other, and " + std::to_string(vine.bodies) +
                        " is odd; expected an even number, such as " + std::to_string(vine.bodies + 1));
}

/// Three numbers for every body.
std::vector<std::array<double, 3>> triplesAt(LoadContext& context, const text::Value& value, const char* key,
                                             const Vine& vine) {
  std::vector<std::array<double, 3>> out;
  const text::Value* rows = value.find(key);
  if (!rows) return out;
  if (int(rows->items.size()) != vine.bodies) {
    context.problem(*rows, std::to_string(rows->items.size()) + " rows for " + std::to_string(vine.bodies) +
                               " bodies; expected [x, y, theta] of every body");
    return out;
  }
  for (const text::Value& row : rows->items) {
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

void loadVine(LoadContext& context, const text::Member& member) {
  const text::Value& value = member.value;
  Vine vine;
  vine.name = member.key;
  vine.pointer = value.pointer;
  readBodies(context, value, vine);
  vine.length = context.constantAt(value, "vines", "length");
  vine.diameter = context.constantAt(value, "vines", "diameter");
  vine.heading = context.constantAt(value, "vines", "heading");
  if (const text::Value* base = value.find("base")) vine.base = context.point(*base).value_or(vine.base);
  const std::string plane = context.textAt(value, "plane");
  vine.plane = plane == "xz" ? Vine::Plane::xz : plane == "yz" ? Vine::Plane::yz : Vine::Plane::xy;
  readTube(context, value, vine);
  vine.implicitSprings = context.textAt(value, "springs") != "explicit";
  vine.tube = context.textAt(value, "contact") != "pairs";
  vine.growsAtTip = context.flagAt(value, "tip", false);
  vine.growth = numberAt(context, value, "growth");
  vine.stall = stallAt(context, value);
  vine.steer = numberAt(context, value, "steer");
  vine.curvature = numberAt(context, value, "curvature");
  vine.look = loadLook(context, value.find("look"));
  checkAtPins(context, value, "steer", vine.steer, vine);
  checkAtPins(context, value, "curvature", vine.curvature, vine);
  vine.placements = triplesAt(context, value, "placements", vine);
  vine.velocities = triplesAt(context, value, "velocities", vine);
  checkStartOfVine(context, value, vine);
  context.claimName(member, value);
  context.vineNames[vine.name] = int(context.scene.vines.size());
  context.scene.vines.push_back(std::move(vine));
}

}  // namespace

void loadVines(LoadContext& context) {
  const std::vector<text::Member>& members = membersOf(context, "vines");
  for (const text::Member& member : members) loadVine(context, member);
  if (members.empty()) return;
  long bodies = 0;
  for (const Vine& vine : context.scene.vines) bodies += vine.bodies;
  if (bodies > mostBodies)
    context.problem(*context.root.find("vines"), "the vines have " + std::to_string(bodies) +
                                                     " bodies together; expected at most " +
                                                     std::to_string(mostBodies));
  if (!context.dynamic)
    context.problem(*context.root.find("vines"),
                    "vines grow in time and have no static solve; expected \"mode\": \"dynamic\"");
}

}  // namespace tendril::scene
