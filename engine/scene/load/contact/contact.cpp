// The law of contact, the targets of contact probes, and unsupported combinations: shells in self-contact (not yet),
// friction with explicit integrators, rods without a radius.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "scene/load/bodies/rod_samples.h"
#include "scene/load/topics.h"
#include "scene/shell_values.h"

namespace tendril::scene {
namespace {

/// A penalty stiffer or softer than the softest body by more than this must be an error.
constexpr double absurdFactor = 1e6;

/// Value at t = 0; empty where it sees probes, or has none.
std::optional<double> valueAtStart(const LoadContext& context, const formula::Number& number) {
  if (number.formula() && number.formula()->seesColumns()) return std::nullopt;
  try {
    return number(context.input());
  } catch (const formula::Failure&) {
    return std::nullopt;
  }
}

bool isExplicit(const Solver& solver) {
  return solver.dynamic &&
         (solver.integrator == Integrator::symplecticEuler || solver.integrator == Integrator::verlet);
}

/// Whether some contact of the scene may have friction: a coefficient that applies somewhere and is not written as 0.
bool hasFriction(const Scene& scene) {
  if (scene.contact.self && !scene.contact.friction.isZero()) return true;
  return std::any_of(scene.obstacles.begin(), scene.obstacles.end(), [&scene](const Obstacle& obstacle) {
    return !(obstacle.friction ? *obstacle.friction : scene.contact.friction).isZero();
  });
}

const text::Value* integratorOf(const LoadContext& context) {
  const text::Value* solver = context.root.find("solver");
  return solver ? solver->find("integrator") : nullptr;
}

/// Every rod that may touch something needs a radius.
void checkRadii(LoadContext& context) {
  const std::vector<text::Member>& members = membersOf(context, "rods");
  for (std::size_t r = 0; r < context.scene.rods.size(); ++r) {
    const Rod& rod = context.scene.rods[r];
    if (rod.section.kind != Section::Kind::stiffness || rod.section.hasRadius) continue;
    const text::Value* section = members[r].value.find("section");
    context.problem(section ? *section : members[r].value,
                    "rod \"" + rod.name +
                        "\" has no radius, and contact needs one; expected \"radius\" beside "
                        "\"stiffness\"");
  }
}

/// So does every soft link, if there are obstacles.
void checkLinkRadii(LoadContext& context) {
  const std::vector<text::Member>& members = membersOf(context, "linkages");
  for (std::size_t i = 0; i < members.size() && !context.scene.obstacles.empty(); ++i) {
    const Linkage& linkage = context.scene.linkages[i];
    for (std::size_t l = 0; l < linkage.links.size(); ++l) {
      const Link& link = linkage.links[l];
      const text::Value* links = members[i].value.find("links");
      const text::Value* body = link.soft.empty() || !links ? nullptr : links->members[l].value.find("body");
      const text::Value* soft = body ? body->find("soft") : nullptr;
      const text::Value* divisions = soft ? soft->find("divisions") : nullptr;
      for (std::size_t d = 0; soft && d < link.soft.size(); ++d) {
        const Section& section = link.soft[d].section;
        if (section.kind != Section::Kind::stiffness || section.hasRadius) continue;
        const text::Value* at =
            divisions && d < divisions->items.size() ? divisions->items[d].find("section") : nullptr;
        if (!at) at = soft->find("section");
        context.problem(at ? *at : *soft, "link \"" + linkage.name + "/" + link.name +
                                              "\" has no radius, and contact needs one; expected \"radius\" beside "
                                              "\"stiffness\"");
      }
    }
  }
}

struct Softness {
  double perContact = std::numeric_limits<double>::infinity();  ///< E r [N/m]
  double perLength = std::numeric_limits<double>::infinity();   ///< E [N/m^2]
};

/// E A of a rod's edge [N].
double stretchStiffness(const LoadContext& context, const Rod& rod, const formula::Input& at) {
  const Section& s = rod.section;
  if (s.kind == Section::Kind::stiffness) return s.EA(at);
  const double youngs = context.scene.materials.at(std::size_t(rod.material)).youngs(context.input());
  switch (s.kind) {
    case Section::Kind::circle:
      return youngs * pi * s.radius(at) * s.radius(at);
    case Section::Kind::tube:
      return youngs * pi * s.wall(at) * (2 * s.radius(at) - s.wall(at));
    case Section::Kind::ellipse:
      return youngs * pi * s.a(at) * s.b(at);
    case Section::Kind::rectangle:
      return youngs * s.width(at) * s.height(at);
    case Section::Kind::stiffness:
      break;
  }
  return 0;
}

/// Of the softest edge or shell: E A / (pi r) and E h / 2, and the same divided by r.
Softness softestBody(const LoadContext& context) {
  Softness softest;
  const auto consider = [&softest](double youngs, double radius) {
    softest.perContact = std::min(softest.perContact, youngs * radius);
    softest.perLength = std::min(softest.perLength, youngs);
  };
  try {
    for (const Rod& rod : context.scene.rods) {
      const std::vector<double> radii = contactRadii(context.scene, rod);
      RodSamples samples(context.scene, rod);
      for (std::size_t e = 0; e < radii.size(); ++e)
        consider(stretchStiffness(context, rod, samples.atEdge(int(e))) / (pi * radii[e] * radii[e]), radii[e]);
    }
    for (const Shell& shell : context.scene.shells) {
      if (shell.material < 0) return {};
      for (std::size_t t = 0; t < shell.triangles.size(); ++t) {
        const SheetValues sheet = sheetAt(context.scene, shell, t);
        consider(sheet.youngs, 0.5 * sheet.thickness);
      }
    }
  } catch (const formula::Failure&) {
    return {};
  }
  return softest;
}

void warnOfStiffness(LoadContext& context) {
  const Scene& scene = context.scene;
  const Softness softest = softestBody(context);
  const bool perLength = scene.contact.perLength;
  const double natural = perLength ? softest.perLength : softest.perContact;
  if (!(natural > 0) || !std::isfinite(natural)) return;
  const std::string what = perLength ? "E of the softest body (" + inWords(natural) + " N/m^2)"
                                     : "E r of the softest body (" + inWords(natural) + " N/m)";
  const auto check = [&](const std::optional<formula::Number>& stiffness, const text::Value& holder) {
    const text::Value* at = holder.find("stiffness");
    const auto k = stiffness && at ? valueAtStart(context, *stiffness) : std::nullopt;
    if (!k || *k <= 0) return;  // a ramp may start at 0
    if (*k > absurdFactor * natural)
      context.warn(*at, "this stiffness is more than a million times " + what + "; steps will be hard to solve");
    if (*k < natural / absurdFactor)
      context.warn(*at, "this stiffness is less than a millionth of " + what + "; bodies will sink in");
  };
  if (const text::Value* contact = context.root.find("contact")) check(scene.contact.stiffness, *contact);
  const std::vector<text::Member>& members = membersOf(context, "obstacles");
  for (std::size_t o = 0; o < members.size(); ++o) check(scene.obstacles[o].stiffness, members[o].value);
}

/// Friction that cannot act, or not well.
void warnOfFriction(LoadContext& context) {
  const Scene& scene = context.scene;
  if (!hasFriction(scene)) return;
  const text::Value* integrator = integratorOf(context);
  if (scene.solver.dynamic && scene.solver.integrator == Integrator::implicitMidpoint && integrator)
    context.warn(*integrator,
                 "friction with \"implicit-midpoint\": it lets undamped contacts bounce forever, and what should stick "
                 "creeps; expected \"implicit-euler\", or contact \"damping\"");
  if (scene.solver.dynamic) return;
  const text::Value* contact = context.root.find("contact");
  const text::Value* friction = contact ? contact->find("friction") : nullptr;
  for (const text::Member& member : membersOf(context, "obstacles"))
    if (!friction) friction = member.value.find("friction");
  if (friction) context.warn(*friction, "friction has no effect in a static run: nothing slides");
}

/// Contact probes where nothing can touch.
void warnOfIdleProbes(LoadContext& context) {
  for (const text::Member& member : membersOf(context, "probes")) {
    const text::Value* energy = member.value.find("energy");
    const bool touches = energy && energy->isString() && energy->string == "contact";
    if (touches || member.value.find("contact"))
      context.warn(member.value,
                   "this probe stays 0: nothing touches without obstacles or \"self\": true in \"contact\"");
  }
}

}  // namespace

formula::Number timedNumber(LoadContext& context, const text::Value& value, const std::string& path) {
  formula::Number number = context.number(value, path, Use::live);
  if (!number.isTimed() || number.formula()->seesColumns()) return number;
  // A ramp may start at 0, whatever the range.
  context.require(value, {number}, [number, path](const Scene& scene) {
    std::string message = wrongValue(number, parametersOf(scene), "");
    if (!message.empty()) return message;
    const double start = number(parametersOf(scene));
    return start < 0 ? rangeMessage(path, start) + " at t = 0" : "";
  });
  return number;
}

void loadContact(LoadContext& context) {
  const text::Value* value = context.root.find("contact");
  Contact& contact = context.scene.contact;
  if (!value) return;
  contact.self = context.flagAt(*value, "self", false);
  if (const text::Value* stiffness = value->find("stiffness"))
    contact.stiffness = limitedToRange(timedNumber(context, *stiffness, "contact.stiffness"), "contact.stiffness");
  if (const text::Value* friction = value->find("friction"))
    contact.friction = limitedToRange(timedNumber(context, *friction, "contact.friction"), "contact.friction");
  if (const text::Value* distance = value->find("distance"))
    contact.distance = context.constantOf(*distance, "contact.distance");
  contact.slip = context.constantAt(*value, "contact", "slip");
  contact.damping = context.constantAt(*value, "contact", "damping");
  contact.perLength = context.textAt(*value, "per") == "length";
}

void readContactProbe(LoadContext& context, const text::Value& value, Probe& probe) {
  const text::Value* of = value.find("of");
  if (!of || !context.bodiesUsable) return;
  const Scene& scene = context.scene;
  std::set<int> bodies, obstacles;
  const auto add = [&](const text::Value& at) {
    if (!at.isString()) {
      context.problem(at, "expected the name of a body or an obstacle");
      return;
    }
    std::vector<std::string> known;
    bool matched = false;
    const auto fits = [&](const std::string& name) {
      known.push_back(name);
      const bool fit = nameMatches(at.string, name);
      matched = matched || fit;
      return fit;
    };
    for (int body = 0; body < scene.bodyCount(); ++body)
      if (fits(scene.bodyName(body))) bodies.insert(body);
    for (std::size_t a = 0; a < scene.linkages.size(); ++a)
      if (fits(scene.linkages[a].name)) bodies.insert(scene.bodyOfLinkage(int(a)));
    for (std::size_t v = 0; v < scene.vines.size(); ++v)
      if (fits(scene.vines[v].name)) bodies.insert(scene.bodyOfVine(int(v)));
    for (std::size_t o = 0; o < scene.obstacles.size(); ++o)
      if (fits(scene.obstacles[o].name)) obstacles.insert(int(o));
    if (!matched) context.problem(at, unknownName("body or obstacle", at.string, known));
  };
  if (of->isArray())
    for (const text::Value& item : of->items) add(item);
  else
    add(*of);
  probe.bodies.assign(bodies.begin(), bodies.end());
  probe.obstacles.assign(obstacles.begin(), obstacles.end());
}

void checkContact(LoadContext& context) {
  const Scene& scene = context.scene;
  if (scene.obstacles.empty() && !scene.contact.self) return;
  const text::Value* integrator = integratorOf(context);
  const bool slides = hasFriction(scene), damps = scene.contact.damping > 0;
  if (isExplicit(scene.solver) && (slides || damps) && integrator) {
    const std::string what = slides ? "friction" : "contact \"damping\"";
    context.problem(*integrator, "\"" + integrator->string + "\" is explicit, and " + what +
                                     " has to be solved implicitly; expected an implicit integrator such as "
                                     "\"implicit-euler\", or no " +
                                     what);
  }
  checkRadii(context);
  checkLinkRadii(context);
  checkObstacleOverlaps(context);
  checkRodOverlaps(context);
}

void warnOfContact(LoadContext& context) {
  const Scene& scene = context.scene;
  if (!scene.obstacles.empty() || scene.contact.self) {
    warnOfStiffness(context);
    warnOfFriction(context);
    return;
  }
  const text::Value* contact = context.root.find("contact");
  const auto saysMore = [](const text::Member& member) { return member.key != "self"; };
  if (contact && std::any_of(contact->members.begin(), contact->members.end(), saysMore))
    context.warn(*contact, "nothing touches here: the scene has no obstacles, and \"self\" is not true");
  warnOfIdleProbes(context);
}

}  // namespace tendril::scene
