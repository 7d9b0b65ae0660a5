// What of the links touches obstacles and what the medium acts on.
#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/quadrature.h"
#include "strain/structure.h"

namespace tendril {
namespace {

double meanRadius(const SectionGeometry& g) { return 0.5 * (g.halfAxis1 + g.halfAxis2); }

bool canTravel(const LinkJoint& joint) {
  return std::any_of(joint.coordinates.begin(), joint.coordinates.end(), [](const JointCoordinate& c) { return !c.rotation; });
}

}  // namespace

void LinkageStructure::addSkin(const Scene& scene) {
  for (const BuiltLink& built : links) {
    if (!scene.obstacles.empty()) addContactPoints(scene, built);
    if (scene.environment.fluidDensity || !scene.environment.viscous.isZero() || scene.environment.rftNormal) {
      addFluidPoints(scene, built);
    }
  }
}

void LinkageStructure::addContactPoints(const Scene& scene, const BuiltLink& built) {
  const Link& l = scene.linkages[static_cast<std::size_t>(built.linkage)].links[static_cast<std::size_t>(built.link)];
  const auto add = [&](int step, const Vec3& local, double radius, double share) {
    contactPoints.push_back({step, local, radius, share, l.rigid ? 1 : 0, built.linkage, built.link});
    return &contactPoints.back();
  };
  const auto join = [](LinkageContactPoint& p, int before, const Vec3& local, double radius, double apart) {
    p.before = before, p.beforeLocal = local, p.beforeRadius = radius, p.apart = apart;
  };
  // The start belongs to the parent's tip, and where the base holds it, it cannot give way.
  const bool withStart = l.parent < 0 && canTravel(l.joint);
  if (l.rigid) {
    const double length = l.rigid->length;
    const auto radiusAt = [&](double s) { return l.rigid->section ? meanRadius(sectionAt(scene, *l.rigid->section, s, length)) : 0; };
    const int parts = length > 0 ? LinkageContact::parts(scene, length, radiusAt(0.5 * length)) : 0;
    for (int n = withStart || parts == 0 ? 0 : 1; n <= parts; ++n) {
      const double s = parts > 0 ? length * n / parts : 0;
      LinkageContactPoint* p = add(built.start(), Vec3(s, 0, 0), radiusAt(s), parts > 0 ? length / parts * (n == 0 || n == parts ? 0.5 : 1) : 0);
      const double before = parts > 0 ? length * (n - 1) / parts : 0;
      if (n > 0) join(*p, built.start(), Vec3(before, 0, 0), radiusAt(before), length / parts);
    }
    return;
  }
  int before = built.start();
  for (std::size_t d = 0; d < built.softs.size(); ++d) {
    const SoftDivision& division = l.soft[d];
    const auto radiusAt = [&](double X) { return meanRadius(sectionAt(scene, division.section, X * division.length, division.length)); };
    const int parts = LinkageContact::parts(scene, division.length, radiusAt(0.5));
    for (int n = d == 0 && withStart ? 0 : 1; n <= parts; ++n) {
      const double X = static_cast<double>(n) / parts;
      const bool tip = d + 1 == built.softs.size() && n == parts;
      int step = n == 0 ? built.start() : n == parts ? builder.tipOf(built.softs[d]) : builder.addStep(builder.soft(built.softs[d]).stepTo(X));
      LinkageContactPoint* p = add(step, Vec3::Zero(), radiusAt(X), division.length / parts * (n == 0 || tip ? 0.5 : 1));
      if (n > 0) join(*p, before, Vec3::Zero(), radiusAt((n - 1.0) / parts), division.length / parts);
      before = step;
    }
  }
}

void LinkageStructure::addFluidPoints(const Scene& scene, const BuiltLink& built) {
  const Link& l = scene.linkages[static_cast<std::size_t>(built.linkage)].links[static_cast<std::size_t>(built.link)];
  FormulaInput in;
  in.parameters = scene.values.data();
  const double density = scene.environment.fluidDensity ? (*scene.environment.fluidDensity)(in) : 0;
  const double coefficient = l.fluid ? l.fluid->added(in) : 0;
  const auto add = [&](int step, const Vec3& local, double length, const SectionGeometry& g, int mass) {
    fluidPoints.push_back({step, local, length, meanRadius(g), built.linkage, built.link});
    if (mass >= 0) builder.mass(mass).added += addedInertia(density, g.area, coefficient, length, local);
  };
  if (l.rigid) {
    if (!l.rigid->section || l.rigid->length == 0) return;
    const Quadrature gauss = gaussLegendre(8);  // exact for tapers by polynomials, and as the mass is integrated
    double volume = 0, moment = 0;
    for (std::size_t n = 0; n < gauss.points.size(); ++n) {
      const double s = gauss.points[n] * l.rigid->length, part = gauss.weights[n] * l.rigid->length;
      const SectionGeometry g = sectionAt(scene, *l.rigid->section, s, l.rigid->length);
      add(built.start(), Vec3(s, 0, 0), part, g, built.mass);
      volume += part * g.area, moment += part * g.area * s;
    }
    if (!scene.environment.buoyancy || built.mass < 0) return;
    if (l.rigid->mass) {  // its centre may be elsewhere than that of its volume
      fluidPoints.push_back({built.start(), Vec3(moment / volume, 0, 0), 0, 0, built.linkage, built.link, volume});
    } else {
      MassPoint& m = builder.mass(built.mass);
      m.weight = 1 - density * volume / m.inertia(3, 3);
    }
    return;
  }
  for (std::size_t d = 0; d < built.softs.size(); ++d) {
    const SoftSegment& soft = builder.soft(built.softs[d]);
    for (std::size_t n = 0; n < soft.places.size(); ++n) {
      const double s = soft.places[n] * soft.body.length;
      const SectionGeometry g = sectionAt(scene, l.soft[d].section, s, soft.body.length);
      MassPoint& m = builder.mass(soft.masses[n]);
      add(m.step, Vec3::Zero(), soft.points[n].weight, g, soft.masses[n]);
      if (scene.environment.buoyancy && m.inertia(3, 3) > 0) {
        m.weight = 1 - density * soft.points[n].weight * g.area / m.inertia(3, 3);
      }
    }
  }
}

double LinkageStructure::contactRadius() const {
  double smallest = std::numeric_limits<double>::infinity();
  for (const LinkageContactPoint& p : contactPoints) {
    if (p.radius > 0) smallest = std::min(smallest, p.radius);
  }
  return std::isfinite(smallest) ? smallest : 0.01 * scale;
}

std::vector<double> LinkageStructure::contactStiffness(const Scene& scene) const {
  FormulaInput in;
  in.parameters = scene.values.data();
  const Number3& g = scene.environment.gravity;
  const double gravity = Vec3(g[0](in), g[1](in), g[2](in)).norm();
  double mass = 0;
  for (int i = 0; i < builder.masses(); ++i) mass += builder.mass(i).inertia(3, 3);
  constexpr double none = std::numeric_limits<double>::infinity();
  double softest = none, radius = none;
  for (const Link& l : scene.linkages[static_cast<std::size_t>(linkage)].links) {
    for (const SoftDivision& d : l.soft) {
      const double r = meanRadius(sectionAt(scene, d.section, 0.5 * d.length, d.length));
      if (d.material >= 0 && r > 0) softest = std::min(softest, r * scene.materials[static_cast<std::size_t>(d.material)].youngs(in));
    }
    if (l.rigid && l.rigid->section) radius = std::min(radius, meanRadius(sectionAt(scene, *l.rigid->section, 0, l.rigid->length)));
  }
  if (radius == none) radius = contactRadius();
  // Rigid bodies have no stiffness: their linkage's weight presses them in by a thousandth of the radius, a blow is over
  // no sooner than steps see, and what is soft on them is never the harder one.
  const double borne = 1e3 * mass * gravity / std::max(radius, 1e-3 * scale), slow = 3 * scene.solver.dt;
  const double rigid = std::max(borne, mass / (slow * slow));
  if (softest == none) return {rigid, rigid};
  return {softest, std::max(softest, rigid)};
}

}  // namespace tendril
