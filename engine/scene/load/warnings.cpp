// Warnings about a scene that loads: what is probably unintended, printed by `validate` and before a run.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "scene/jump_search.h"
#include "scene/load/conflicts.h"
#include "scene/load/links/linkages.h"

namespace tendril::scene {
namespace {

void warnOfConflicts(LoadContext& context) {
  const std::vector<text::Value>& items = itemsOf(context, "constraints");
  for (const ConstraintConflict& conflict : findConflicts(context.scene))
    context.warn(items[std::size_t(conflict.later)],
                 "this constraint and the one at " + items[std::size_t(conflict.earlier)].pointer + " prescribe " +
                     conflict.what + " differently at the same time; the later in the list wins");
}

void warnOfUnused(LoadContext& context) {
  const Scene& scene = context.scene;
  std::set<int> used;
  for (const Rod& rod : scene.rods) used.insert(rod.material);
  for (const Shell& shell : scene.shells) used.insert(shell.material);
  for (const Linkage& linkage : scene.linkages)
    for (const Link& link : linkage.links)
      for (const SoftDivision& division : link.soft) used.insert(division.material);
  const std::vector<text::Member>& materials = membersOf(context, "materials");
  for (std::size_t m = 0; m < materials.size(); ++m)
    if (!used.count(int(m))) context.warn(materials[m].value, "material \"" + materials[m].key + "\" is not used");
  for (std::size_t p = 0; p < scene.parameters.size(); ++p) {
    if (context.usedLive(int(p)) || context.usedForRestart(int(p))) continue;
    const text::Value* parameters = context.root.find("parameters");
    const text::Value* value = parameters ? parameters->find(scene.parameters[p].name) : nullptr;
    if (value) context.warn(*value, "parameter \"" + scene.parameters[p].name + "\" is not used");
  }
}

/// Values that their own slider or menu could not set, and a redefined pi.
void warnOfValues(LoadContext& context) {
  const text::Value* parameters = context.root.find("parameters");
  const Scene& scene = context.scene;
  for (std::size_t i = 0; i < scene.parameters.size(); ++i) {
    const Parameter& p = scene.parameters[i];
    const text::Value* value = parameters ? parameters->find(p.name) : nullptr;
    if (value && p.name == "pi" && scene.values[i] != pi)
      context.warn(*value, "parameter \"pi\" replaces the constant: formulas see " + inWords(scene.values[i]));
    const bool below = p.min && scene.values[i] < *p.min, above = p.max && scene.values[i] > *p.max;
    if (value && (below || above))
      context.warn(*value, "parameter \"" + p.name + "\" is " + inWords(scene.values[i]) + ", " +
                               (below ? "below its min " : "above its max ") + inWords(below ? *p.min : *p.max));
  }
}

void warnOfSolver(LoadContext& context) {
  const Solver& solver = context.scene.solver;
  const text::Value* value = context.root.find("solver");
  if (!value) return;
  const auto warnAt = [&](std::string_view key, const std::string& message) {
    if (const text::Value* at = value->find(key)) context.warn(*at, message);
  };
  if (solver.dynamic && solver.dt > solver.duration)
    warnAt("dt", "dt (" + inWords(solver.dt) + " s) is longer than the duration (" + inWords(solver.duration) + " s)");
  if (solver.dynamic && solver.adaptive && solver.dt > solver.maxStep * (1 + 1e-9))
    warnAt("dt", "dt is longer than the largest adaptive step (" + inWords(solver.maxStep) + " s)");
  if (!solver.dynamic) {
    for (const char* key : {"integrator", "rho", "adaptive", "start"})
      warnAt(key, std::string("\"") + key + "\" has no effect in a static run");
    // By default, contact of rigid links is as stiff as steps of this length can resolve.
    const bool touches =
        !context.scene.linkages.empty() && !context.scene.obstacles.empty() && !context.scene.contact.stiffness;
    warnAt(
        "dt",
        std::string(
            "\"dt\" has no effect in a static run, except as the first step of damped motion where Newton's method fails") +
            (touches ? ", and in the stiffness that contact of rigid links has by default" : ""));
  } else if (solver.loadSteps > 1 && !solver.startEquilibrium) {
    warnAt("loadSteps", "\"loadSteps\" has no effect in a dynamic run");
  }
}

/// Linkages beside rods and shells, and the integrator of each.
void warnOfModels(LoadContext& context) {
  const Scene& scene = context.scene;
  const bool others = scene.bodyCount() > 0;
  const text::Value* vines = context.root.find("vines");
  if (vines && !scene.vines.empty() && (others || !scene.linkages.empty()))
    context.warn(*vines, "vines run side by side with the other bodies, without touching them");
  const text::Value* linkages = context.root.find("linkages");
  if (others && !scene.linkages.empty() && linkages)
    context.warn(*linkages, "linkages run side by side with rods and shells, without touching them");
  const text::Value* solver = context.root.find("solver");
  if (!solver || !scene.solver.dynamic) return;
  const text::Value *integrator = solver->find("integrator"), *rho = solver->find("rho");
  const bool alpha = scene.solver.linkageIntegrator == Integrator::generalizedAlpha;
  if (integrator && alpha && others)
    context.warn(*integrator, "\"generalized-alpha\" is for linkages; rods and shells run \"implicit-euler\"");
  if (rho && (!alpha || scene.linkages.empty()))
    context.warn(*rho, "\"rho\" belongs to \"generalized-alpha\", which does not run here");
}

/// Loads and drives that begin after the end of the run, or act in no step.
void warnOfTimes(LoadContext& context) {
  const Solver& solver = context.scene.solver;
  const double end = solver.duration;
  for (const char* section : {"constraints", "loads", "actuation"}) {
    for (const text::Value& item : itemsOf(context, section)) {
      const text::Value* from = item.find("from");
      if (!from) continue;
      const auto [begin, until] = context.interval(item);
      if (begin >= end)
        context.warn(*from, "this begins at " + inWords(begin) + " s, and the run ends at " + inWords(end) + " s");
      if (begin >= end || !solver.dynamic || solver.adaptive || until < 0) continue;
      // The middle of a step decides what acts in it.
      const double first = (std::ceil(begin / solver.dt - 0.5 - 1e-9) + 0.5) * solver.dt;
      if (first > until + 1e-9 * solver.dt)
        context.warn(*from, "this acts from " + inWords(begin) + " s until " + inWords(until) +
                                " s, where no step has its middle: it does nothing; take a \"dt\" below " +
                                inWords(until - begin) + " s, or let it act for longer and less");
    }
  }
}

/// Joined bodies share a group.
std::vector<int> bodyGroups(const Scene& scene) {
  std::vector<int> group(std::size_t(scene.bodyCount()));
  std::iota(group.begin(), group.end(), 0);
  const auto root = [&group](int body) {
    while (group[std::size_t(body)] != body)
      body = group[std::size_t(body)] = group[std::size_t(group[std::size_t(body)])];
    return body;
  };
  const auto join = [&](const std::vector<NodeRef>& nodes) {
    for (const NodeRef node : nodes) group[std::size_t(root(node.body))] = root(nodes[0].body);
  };
  for (const Joint& joint : scene.joints) join(joint.nodes);
  for (const Spring& spring : scene.springs) join(spring.nodes);
  for (std::size_t r = 0; r < group.size(); ++r) group[r] = root(int(r));
  return group;
}

void warnOfFloating(LoadContext& context) {
  const Scene& scene = context.scene;
  if (scene.solver.dynamic) return;
  const std::vector<int> group = bodyGroups(scene);
  std::set<int> supported;
  for (const Constraint& constraint : scene.constraints)
    for (const NodeRef node : constraint.nodes) supported.insert(group[std::size_t(node.body)]);
  // A field may hold what nothing else does; a moment keeps nothing from moving on.
  for (const Load& load : scene.loads) {
    if (load.kind != Load::Kind::field || !placeOf(load).present) continue;
    if (load.field.kind == LoadField::Kind::moment) continue;
    for (const NodeRef node : load.nodes) supported.insert(group[std::size_t(node.body)]);
  }
  int body = 0;
  for (const char* section : {"rods", "shells"})
    for (const text::Member& member : membersOf(context, section)) {
      if (group[std::size_t(body)] == body && !supported.count(body))
        context.warn(member.value, std::string("nothing holds ") + (scene.isRod(body) ? "rod" : "shell") + " \"" +
                                       member.key + "\" in this static run; expected a clamp, fix or move");
      ++body;
    }
}

/// Wind and drag without anything to act on.
void warnOfMedium(LoadContext& context) {
  const text::Value* around = context.root.find("environment");
  const Scene& scene = context.scene;
  const bool vinesAlone = scene.bodyCount() == 0 && scene.linkages.empty();  // which ignore them
  if (!around || vinesAlone) return;
  const text::Value* drag = around->find("drag");
  if (drag && scene.shells.empty())
    context.warn(*drag, "\"drag\" acts on shells, and the scene has none; \"viscous\" acts on rods too");
  const text::Value* fluid = around->find("fluid");
  const text::Value* velocity = fluid ? fluid->find("velocity") : nullptr;
  const text::Value* rft = around->find("rft");
  const bool resists = rft && !(scene.rods.empty() && scene.linkages.empty());
  if (rft && !resists)
    context.warn(*rft, "\"rft\" acts on rods and links, and the scene has none; \"drag\" acts on shells");
  const bool onLinks = std::any_of(scene.linkages.begin(), scene.linkages.end(), [](const Linkage& linkage) {
    return std::any_of(linkage.links.begin(), linkage.links.end(), [](const Link& link) { return bool(link.fluid); });
  });
  const Number3& stream = scene.environment.fluidVelocity;
  const bool fedBack =
      std::any_of(stream.begin(), stream.end(), [](const formula::Number& u) { return u.seesColumns(); });
  if (velocity && onLinks && fedBack && scene.environment.fluidDensity && scene.solver.dynamic)
    context.warn(
        *velocity,
        "changes of the medium's velocity through a probe or a state act on links only by its current value: their added mass and "
        "the pressure of accelerating fluid follow only its explicit dependence on t");
  if (rft && resists && !scene.solver.dynamic)
    context.warn(*rft, "\"rft\" has no effect in a static run: let a dynamic run come to rest instead");
  if (velocity && !onLinks && !around->find("viscous") && (!drag || scene.shells.empty()) && !resists)
    context.warn(
        *velocity,
        "the velocity of the medium has no effect; it acts through \"viscous\", through \"rft\" on rods and links, "
        "through \"drag\" on shells and through \"fluid\" on links");
}

/// Links that the medium acts on, but that have no section for it.
void warnOfUntouched(LoadContext& context) {
  const Surroundings& around = context.scene.environment;
  const bool everywhere = around.buoyancy || !around.viscous.isZero() || (around.rftTangential && context.dynamic);
  const std::vector<text::Member>& members = membersOf(context, "linkages");
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Linkage& linkage = context.scene.linkages[i];
    for (std::size_t l = 0; l < linkage.links.size(); ++l) {
      const Link& link = linkage.links[l];
      if (!link.fluid && !everywhere) continue;
      const text::Value& value = members[i].value.find("links")->members[l].value;
      const auto warn = [&](const std::string& why) {
        context.warn(link.fluid ? *value.find("fluid") : *value.find("body"),
                     "the medium does not act on \"" + linkage.name + "/" + link.name +
                         "\": no buoyancy, drag or added mass; " + why);
      };
      if (link.rigid && !link.rigid->section && (link.rigid->mass || link.fluid))
        warn("its rigid body has no section; expected \"section\" and \"length\", beside \"mass\" or with \"density\"");
      else if (link.rigid && link.rigid->section && link.rigid->length == 0)
        warn(
            "its rigid body has the length 0, so no volume; expected \"length\", along which a section such as "
            "\"=sqrt(max(r^2 - (s - r)^2, 0))\" makes a ball");
      for (const SoftDivision& division : link.soft) {
        if (division.section.kind != Section::Kind::stiffness || division.section.hasRadius) continue;
        warn("its explicit stiffness has no radius; expected \"radius\" beside \"stiffness\"");
        break;
      }
    }
  }
}

/// Cables inside bodies that skip a link on their path.
void warnOfPassedLinks(LoadContext& context) {
  const std::vector<text::Member>& members = membersOf(context, "linkages");
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Linkage& linkage = context.scene.linkages[i];
    for (std::size_t c = 0; c < linkage.cables.size(); ++c) {
      const Cable& cable = linkage.cables[c];
      for (std::size_t k = 1; k < cable.links.size() && !cable.outside; ++k) {
        const Link &from = linkage.links[std::size_t(cable.links[k - 1])],
                   &to = linkage.links[std::size_t(cable.links[k])];
        if (to.parent == cable.links[k - 1] && to.parentAt == 1) continue;
        context.warn(*members[i].value.find("cables")->members[c].value.find("through"),
                     "the cable goes straight from the tip of \"" + from.name + "\" to the start of \"" + to.name +
                         "\", which is not attached there; expected every link on its path, or \"outside\": true");
        break;
      }
    }
  }
}

void warnOfStillness(LoadContext& context) {
  const Solver& solver = context.scene.solver;
  if (solver.dynamic && !solver.startEquilibrium) return;
  for (const text::Value& item : itemsOf(context, "initial"))
    for (const text::Member& member : item.members) {
      const bool rate = member.key.size() > 4 && member.key.compare(member.key.size() - 4, 4, "Rate") == 0;
      if (rate || member.key == "velocity" || member.key == "spin") {
        context.warn(item, solver.dynamic
                               ? "initial velocities have no effect: a run that starts from equilibrium starts at rest"
                               : "initial velocities have no effect in a static run");
        break;
      }
    }
}

// Distance [m] and angle [rad] between a support and its body's position when it begins to act; or size of a jump.
struct Offset {
  double displacement = 0, angle = 0;
};

bool known(const formula::Number& n) { return !n.seesColumns(); }

Offset offsetOf(const Scene& scene, const Constraint& c, const formula::Input& at) {
  Offset offset;
  if (c.displacement && std::all_of(c.displacement->begin(), c.displacement->end(), known)) {
    const Number3& d = *c.displacement;
    offset.displacement = Vec3(d[0](at), d[1](at), d[2](at)).norm();
  }
  for (const Turn& turn : c.rotation) {
    if (known(turn.angle)) offset.angle = std::max(offset.angle, std::abs(turn.angle(at)));
  }
  const bool twisted =
      std::any_of(scene.initial.begin(), scene.initial.end(), [](const Initial& i) { return i.twist.has_value(); });
  if (c.kind == Constraint::Kind::turn && known(c.angle) && !twisted) offset.angle = std::abs(c.angle(at));
  return offset;
}

// Distances below a thousandth of an edge or of a radian are within the errors of a mesh. Empty: not more.
std::string farther(const Scene& scene, const Constraint& c, const Offset& offset, const char* moved,
                    const char* turn) {
  constexpr double small = 1e-3;
  double edge = 0;
  if (!c.nodes.empty()) {
    const auto& points = scene.points(c.nodes[0].body);
    edge = (points[1] - points[0]).norm();
  }
  if (offset.displacement > small * edge) return inWords(offset.displacement) + " m" + moved;
  return offset.angle > small ? inWords(offset.angle) + " rad" + turn : "";
}

// Motion begins with an impact where a support does not start at its body's position.
void warnOfBegin(LoadContext& context, const text::Value& item, const Constraint& c) {
  const bool late = c.interval.from > 0;
  if (late ? c.interval.from >= context.scene.solver.duration || (c.freeBefore && c.kind == Constraint::Kind::move)
           : c.freeBefore)
    return;
  formula::Input at = context.input();
  at.t = late ? c.interval.from : 0;
  const Offset offset = offsetOf(context.scene, c, at);
  const std::string far = farther(context.scene, c, offset,
                                  late ? " away from where it found its node" : " away from where its node begins",
                                  late ? " away from how it found its body" : " away from how its body begins");
  if (far.empty()) return;
  const std::string when = inWords(at.t), then = late ? inWords(at.t + 1) : "1";
  context.warn(item, "at t = " + when + (late ? " s, when it begins to act," : "") + " this support is " + far +
                         (late ? ": it jumps there; " : ": the run begins with that jump; ") +
                         "let its motion begin at 0, as \"=0.1*smooth(t, " + when + ", " + then + ")\" does" +
                         (late ? "" : ", put the body there, or take \"start\": \"equilibrium\""));
}

void warnOfJumpsWithin(LoadContext& context, const text::Value& item, const Constraint& c) {
  const double from = std::max(0.0, c.interval.from), until = std::min(context.scene.solver.duration, c.interval.until);
  if (from >= until) return;
  Jump displacement, angle;
  const auto look = [&](const formula::Number& number, Jump& largest) {
    if (!number.isTimed() || !known(number)) return;
    const Jump jump = largestJump(number, context.input(), from, until);
    if (jump.size > largest.size) largest = jump;
  };
  if (c.displacement) {
    for (const formula::Number& d : *c.displacement) look(d, displacement);
  }
  for (const Turn& turn : c.rotation) look(turn.angle, angle);
  if (c.kind == Constraint::Kind::turn) look(c.angle, angle);
  const std::string far = farther(context.scene, c, {displacement.size, angle.size}, "", "");
  if (far.empty()) return;
  const double time = far.back() == 'm' ? displacement.time : angle.time;
  context.warn(item, "this support jumps by " + far + " at t = " + inWords(time) +
                         " s: no force can move a mass at once; \"smooth(t, t0, t1)\" makes a step that takes time");
}

void warnOfSupports(LoadContext& context) {
  const Scene& scene = context.scene;
  if (!scene.solver.dynamic) return;
  const std::vector<text::Value>& items = itemsOf(context, "constraints");
  for (std::size_t k = 0; k < scene.constraints.size() && k < items.size(); ++k) {
    try {
      if (!scene.solver.startEquilibrium || scene.constraints[k].interval.from > 0)
        warnOfBegin(context, items[k], scene.constraints[k]);
      warnOfJumpsWithin(context, items[k], scene.constraints[k]);
    } catch (const formula::Failure&) {  // reported when the run gets there
    }
  }
}

}  // namespace

void addWarnings(LoadContext& context) {
  warnOfConflicts(context);
  warnOfUnused(context);
  warnOfValues(context);
  warnOfSolver(context);
  warnOfModels(context);
  warnOfJumps(context);
  warnOfTimes(context);
  warnOfFloating(context);
  warnOfMedium(context);
  warnOfUntouched(context);
  warnOfPassedLinks(context);
  warnOfContact(context);
  warnOfVines(context);
  warnOfStillness(context);
  warnOfSupports(context);
}

}  // namespace tendril::scene
