// Checks of vines: invalid starts, growth that is too fast for a step of the solver, and parts of a scene that do not
// affect them.
#include <algorithm>
#include <cmath>

#include "scene/load/topics.h"

namespace tendril::scene {
namespace {

constexpr double velocityError = 0.01;  // of the vine's largest rate: saved states are not exact

Vec3 directionOf(double angle) { return {std::cos(angle), std::sin(angle), 0}; }
Vec3 leftOf(const Vec3& along) { return {-along.y(), along.x(), 0}; }

/// Pins that are open at the start, or bodies of a pair that are not aligned.
void checkPlacements(LoadContext& context, const text::Value& value, const Vine& vine) {
  const double d = 0.5 * vine.length / vine.bodies, allowed = 0.05 * d;
  const auto& p = vine.placements;
  Vec3 end(0, 0, 0);  // end of the previous body
  for (std::size_t b = 0; b < p.size(); ++b) {
    const Vec3 x(p[b][0], p[b][1], 0), along = directionOf(p[b][2]);
    Vec3 open = x - d * along - end;
    if (b % 2 == 1) {
      const Vec3 before = directionOf(p[b - 1][2]);
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

/// Initial rates that would tear pins open, or rotate the two bodies of a pair against each other.
void checkVelocities(LoadContext& context, const text::Value& value, const Vine& vine) {
  const double d = 0.5 * vine.length / vine.bodies;
  const auto &p = vine.placements, &v = vine.velocities;
  if (v.size() != p.size()) return;
  double fastest = 0, turning = 0;
  for (const auto& rates : v) {
    turning = std::max(turning, std::abs(rates[2]));
    fastest = std::max(fastest, std::hypot(rates[0], rates[1]) + d * std::abs(rates[2]));
  }
  const double allowedSpeed = velocityError * fastest,
               allowedTurn = velocityError * std::max(turning, fastest / vine.length);
  const auto refuse = [&](std::size_t body, const std::string& what) {
    context.problem(*value.find("velocities"),
                    "body " + std::to_string(body) + " " + what + "; expected rates at which the bodies stay joined");
  };
  Vec3 end = Vec3::Zero();  // velocity of the previous body's end
  for (std::size_t b = 0; b < v.size(); ++b) {
    const Vec3 rate(v[b][0], v[b][1], 0), along = directionOf(p[b][2]), across = d * v[b][2] * leftOf(along);
    if (b % 2 == 0) {
      const double opens = (rate - across - end).norm();
      if (opens > allowedSpeed) return refuse(b, "leaves where the one before ends at " + inWords(opens) + " m/s");
    } else {
      const double other = v[b - 1][2];
      if (std::abs(v[b][2] - other) > allowedTurn)
        return refuse(b, "turns at " + inWords(v[b][2]) + " rad/s, and the one that it slides on at " + inWords(other) +
                             " rad/s");
      const Vec3 before = directionOf(p[b - 1][2]), apart(p[b][0] - p[b - 1][0], p[b][1] - p[b - 1][1], 0);
      const double leaves =
          std::abs(leftOf(before).dot(rate - Vec3(v[b - 1][0], v[b - 1][1], 0)) - other * before.dot(apart));
      if (leaves > allowedSpeed)
        return refuse(b, "leaves the one that it slides on sideways at " + inWords(leaves) + " m/s");
    }
    end = rate + across;
  }
}

/// Initial growth that adds more than a body's length in a step.
void checkGrowth(LoadContext& context, const text::Value& value, const Vine& vine) {
  const text::Value* at = value.find("growth");
  if (!at || (vine.growth.formula() && vine.growth.formula()->seesColumns())) return;
  const double body = vine.length / vine.bodies, pairs = vine.growsAtTip ? 1 : 0.5 * vine.bodies;
  context.require(*at, {vine.growth}, [growth = vine.growth, body, pairs](const Scene& scene) {
    std::string message = wrongValue(growth, parametersOf(scene), "");
    if (!message.empty()) return message;
    const double dt = scene.solver.dt, step = std::abs(growth(parametersOf(scene))) * dt / pairs;
    if (step > body && body > 0)
      message = "a step of " + inWords(dt) + " s lengthens a pair by " + lengthInWords(step) + ", more than the " +
                lengthInWords(body) + " of a body; expected slower growth, shorter steps (\"dt\") or fewer bodies";
    return message;
  });
}

/// "vine "a"", "vines "a" and "b"", "vines "a", "b" and 3 more".
std::string vinesInWords(const Scene& scene) {
  const std::size_t count = scene.vines.size();
  std::string text = count == 1 ? "vine \"" : "vines \"";
  text += scene.vines[0].name + "\"";
  if (count == 2) text += " and \"" + scene.vines[1].name + "\"";
  if (count > 2) text += ", \"" + scene.vines[1].name + "\" and " + std::to_string(count - 2) + " more";
  return text;
}

/// The medium, which does not act on vines.
void warnOfMediumOfVines(LoadContext& context) {
  const text::Value* around = context.root.find("environment");
  if (!around) return;
  const Surroundings& medium = context.scene.environment;
  const auto warnAt = [&](const char* key, bool acts) {
    const text::Value* at = around->find(key);
    if (at && acts)
      context.warn(*at, std::string("\"") + key + "\" does not act on " + vinesInWords(context.scene) +
                            "; of the environment only \"gravity\" acts on vines");
  };
  warnAt("fluid", true);
  warnAt("buoyancy", medium.buoyancy);
  warnAt("viscous", !medium.viscous.isZero());
  warnAt("rft", true);
  warnAt("drag", !medium.drag.isZero());
}

/// Contact of vines is hard, and only with obstacles: of the contact law only friction applies.
void warnOfContactOfVines(LoadContext& context) {
  const auto warnIn = [&](const text::Value& object, const std::vector<const char*>& keys) {
    for (const char* key : keys)
      if (const text::Value* at = object.find(key))
        context.warn(*at, std::string("\"") + key +
                              "\" has no effect: contact of vines is rigid, and the scene has "
                              "no other bodies; vines use only \"friction\"");
  };
  const text::Value* contact = context.root.find("contact");
  if (contact && context.scene.contact.self)
    context.warn(*contact->find("self"),
                 "\"self\": true is for rods and shells, and the scene has none; vines touch only obstacles");
  if (contact) warnIn(*contact, {"stiffness", "distance", "slip", "damping", "per"});
  for (const text::Member& member : membersOf(context, "obstacles"))
    warnIn(member.value, {"stiffness", "distance", "slip"});
}

/// Energies that vines do not have.
void warnOfIdleEnergies(LoadContext& context) {
  const Scene& scene = context.scene;
  const std::vector<text::Member>& members = membersOf(context, "probes");
  const int others = scene.bodyOfVine(0);  // bodies before the vines
  for (std::size_t p = 0; p < members.size(); ++p) {
    const Probe& probe = scene.probes[p];
    const bool has = probe.energy == EnergyKind::kinetic || probe.energy == EnergyKind::gravity ||
                     probe.energy == EnergyKind::bend || probe.energy == EnergyKind::elastic ||
                     probe.energy == EnergyKind::total;
    if (probe.kind != Probe::Kind::energy || has) continue;
    const bool onlyVines = probe.bodies.empty() ? others == 0 : probe.bodies.front() >= others;
    if (onlyVines)
      context.warn(*members[p].value.find("energy"),
                   "this probe stays 0: vines have the energies \"kinetic\", \"gravity\", \"bend\", "
                   "\"elastic\" and \"total\"");
  }
}

void warnOfSolverOfVines(LoadContext& context) {
  const text::Value* solver = context.root.find("solver");
  if (!solver) return;
  for (const char* key : {"integrator", "tolerance", "iterations", "lineSearch", "start"})
    if (const text::Value* at = solver->find(key))
      context.warn(
          *at, std::string("\"") + key + "\" has no effect on vines, and the scene has no other bodies" +
                   (std::string(key) == "integrator" ? "; \"springs\" of a vine says how its pins are stepped" : ""));
}

/// A plane for rods and shells; vines have their own.
void warnOfPlanes(LoadContext& context) {
  for (const text::Value& item : itemsOf(context, "constraints"))
    if (const text::Value* planar = item.find("planar"))
      context.warn(*planar,
                   "\"planar\" is for rods and shells, and the scene has none; a vine keeps to its own \"plane\"");
}

}  // namespace

void checkStartOfVine(LoadContext& context, const text::Value& value, const Vine& vine) {
  checkPlacements(context, value, vine);
  checkVelocities(context, value, vine);
}

void checkVines(LoadContext& context) {
  const std::vector<text::Member>& members = membersOf(context, "vines");
  for (std::size_t i = 0; i < members.size(); ++i) checkGrowth(context, members[i].value, context.scene.vines[i]);
}

void warnOfVines(LoadContext& context) {
  const Scene& scene = context.scene;
  if (scene.vines.empty()) return;
  warnOfMediumOfVines(context);
  warnOfIdleEnergies(context);
  if (scene.bodyCount() > 0 || !scene.linkages.empty()) return;
  warnOfContactOfVines(context);
  warnOfSolverOfVines(context);
  warnOfPlanes(context);
}

}  // namespace tendril::scene
