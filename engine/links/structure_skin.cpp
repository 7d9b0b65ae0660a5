// What of the links touches obstacles and what the medium acts on.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "links/rigid_slices.h"
#include "links/structure.h"
#include "links/touching_places.h"
#include "world/surroundings.h"

namespace tendril::links {
namespace {

constexpr double pointed = 0.01;  // of the widest place of a link: thinner ones say nothing of its size

double meanRadius(const scene::SectionGeometry& g) { return 0.5 * (g.halfAxis1 + g.halfAxis2); }

double rigidRadius(const scene::Scene& scene, const scene::RigidBody& body, double s) {
  return body.section ? meanRadius(sectionAt(scene, *body.section, s, body.length)) : 0;
}

double softRadius(const scene::Scene& scene, const scene::SoftDivision& division, double X) {
  return meanRadius(sectionAt(scene, division.section, X * division.length, division.length));
}

bool canTravel(const scene::LinkJoint& joint) {
  using Kind = scene::LinkJoint::Kind;
  switch (joint.kind) {
    case Kind::helical:
      return joint.pitch != 0;
    case Kind::prismatic:
    case Kind::cylindrical:
    case Kind::planar:
    case Kind::free:
      return true;
    default:
      return false;
  }
}

}  // namespace

// What a link's children may share with it.
struct Structure::Touched {
  struct Sphere {
    double s = 0, radius = 0;  // [m] along it
    int point = -1;            // that touches there; -1: none does
  };
  std::vector<Sphere> spheres;           // its start too
  bool startHeld = false, held = false;  // by the base: cannot give way
};

// Contact points of one link, as they join the skin.
class Structure::Toucher {
 public:
  Toucher(Structure& structure, const scene::Scene& scene, const BuiltLink& built, int group,
          const std::vector<Touched>& touched)
      : structure_(structure),
        scene_(scene),
        built_(built),
        group_(group),
        links_(scene.linkages[static_cast<std::size_t>(built.linkage)].links),
        link_(links_[static_cast<std::size_t>(built.link)]),
        obstacle_(contact::obstacleShape(scene.obstacles[static_cast<std::size_t>(
            structure.skin.groups[static_cast<std::size_t>(group)].obstacles.front())])),
        parent_(link_.parent < 0 ? nullptr : &touched[static_cast<std::size_t>(link_.parent)]) {
    const bool atStart =
        parent_ && (link_.parentAt == 0 || links_[static_cast<std::size_t>(link_.parent)].length() == 0);
    own_.startHeld = !canTravel(link_.joint) && (!parent_ || parent_->held || (parent_->startHeld && atStart));
    own_.held = own_.startHeld && link_.rigid && link_.joint.kind == scene::LinkJoint::Kind::fixed;
  }

  Touched touch() {
    link_.rigid ? touchRigid() : touchSoft();
    return std::move(own_);
  }

 private:
  int add(int step, const Vec3& local, double radius, double share) {
    structure_.skin.points.push_back(
        {step, local, radius, share, link_.rigid ? 1 : 0, built_.linkage, built_.link, group_});
    return static_cast<int>(structure_.skin.points.size()) - 1;
  }
  void join(int point, int before, const Vec3& local, double radius, double apart) {
    ContactPoint& p = structure_.skin.points[static_cast<std::size_t>(point)];
    p.before = before, p.beforeLocal = local, p.beforeRadius = radius, p.apart = apart;
  }
  void passOn(double share) {
    if (starter_ >= 0) structure_.skin.points[static_cast<std::size_t>(starter_)].share += share;
  }
  // What the base holds cannot give way. What lies in another sphere touches by that one, which stands for its length
  // too.
  bool hasStart(double radius) {
    const int around =
        parent_ ? aroundStart(links_[static_cast<std::size_t>(link_.parent)], *parent_, link_, radius) : -1;
    if (around >= 0) starter_ = parent_->spheres[static_cast<std::size_t>(around)].point;
    return !own_.startHeld && around < 0;
  }
  void touchRigid();
  void touchSoft();

  Structure& structure_;
  const scene::Scene& scene_;
  const BuiltLink& built_;
  int group_;
  const std::vector<scene::Link>& links_;
  const scene::Link& link_;
  contact::ObstacleShape obstacle_;
  const Touched* parent_;
  Touched own_;
  int starter_ = -1;  // what touches in the place of a start that does not itself
};

void Structure::Toucher::touchRigid() {
  const double length = link_.rigid->length;
  const auto radiusAt = [&](double s) { return rigidRadius(scene_, *link_.rigid, s); };
  const double start = radiusAt(0);
  if (!(length > 0)) {
    own_.spheres.push_back({0, start, add(built_.start(), Vec3::Zero(), start, 0)});
    return;
  }
  const int parts = Contact::parts(obstacle_, length, radiusAt(0.5 * length));
  const bool starts = hasStart(start);
  if (!starts) own_.spheres.push_back({0, start, starter_});
  double before = 0, beforeRadius = start;
  for (const TouchingPlace& place : touchingPlaces(
           length, parts, [&](double s, double) { return radiusAt(s); }, 1)) {
    if (place.u == 0 && !starts) {
      passOn(place.share);
      continue;
    }
    const int point = add(built_.start(), Vec3(place.s, 0, 0), place.radius, place.share);
    if (place.u > 0) join(point, built_.start(), Vec3(before, 0, 0), beforeRadius, place.apart);
    before = place.s, beforeRadius = place.radius;
    own_.spheres.push_back({place.s, place.radius, point});
  }
}

void Structure::Toucher::touchSoft() {
  constexpr double slack = 1.25;  // a soft body may be stretched by a quarter before what lies in a sphere is out of it
  Builder& builder = structure_.builder;
  int before = built_.start();
  double endRadius = 0;
  int end = -1;  // the point at the end of the division before
  for (std::size_t d = 0; d < built_.softs.size(); ++d) {
    const scene::SoftDivision& division = link_.soft[d];
    const auto radiusAt = [&](double X) { return softRadius(scene_, division, X); };
    const int parts = Contact::parts(obstacle_, division.length, radiusAt(0.5));
    const double start = radiusAt(0);
    const bool starts = d == 0 ? hasStart(start) : (1 - uncovered) * start > endRadius;
    if (d > 0) starter_ = end;
    double beforeRadius = start;
    if (!starts) own_.spheres.push_back({built_.starts[d], start, starter_});
    end = -1;
    for (const TouchingPlace& place : touchingPlaces(
             division.length, parts, [&](double, double X) { return radiusAt(X); }, slack)) {
      if (place.u == 0 && !starts) {
        passOn(place.share);
        continue;
      }
      const int step = place.u == 0   ? before
                       : place.u == 1 ? builder.tipOf(built_.softs[d])
                                      : builder.addStep(builder.soft(built_.softs[d]).stepTo(place.u));
      const int point = add(step, Vec3::Zero(), place.radius, place.share);
      if (place.u > 0) join(point, before, Vec3::Zero(), beforeRadius, place.apart);
      before = step, beforeRadius = place.radius;
      own_.spheres.push_back({built_.starts[d] + place.s, place.radius, point});
      if (place.u == 1) end = point;
    }
    before = builder.tipOf(built_.softs[d]), endRadius = radiusAt(1);
  }
}

void Structure::addSkin(const scene::Scene& scene) {
  skin.groups = contactGroups(scene);
  for (std::size_t g = 0; g < skin.groups.size(); ++g) {
    const int group = static_cast<int>(g);
    std::vector<Touched> touched;
    for (const BuiltLink& built : links) touched.push_back(Toucher(*this, scene, built, group, touched).touch());
    skin.groups[g].stiffness = contactStiffness(scene, group);
    skin.groups[g].radius = contactRadius(group);
  }
  for (const BuiltLink& built : links) {
    if (scene.environment.fluidDensity || !scene.environment.viscous.isZero() || scene.environment.rftNormal) {
      addFluidPoints(scene, built);
    }
  }
}

// Which sphere of the link before it a link's start, of this radius, lies in wherever the joint may be: rather one that
// touches; or -1.
int Structure::aroundStart(const scene::Link& parent, const Touched& before, const scene::Link& l, double radius) {
  if (canTravel(l.joint)) return -1;
  const double at = l.parentAt * parent.length(), same = 1e-9 * parent.length();
  int found = -1;
  for (std::size_t i = 0; i < before.spheres.size(); ++i) {
    const Touched::Sphere& sphere = before.spheres[i];
    const bool apart = std::abs(sphere.s - at) > same;
    if (apart && !parent.rigid) continue;  // that may come nearer, or go away
    const Vec3 way = l.offset + Vec3(apart ? at - sphere.s : 0, 0, 0);
    if (way.norm() + (1 - uncovered) * radius > sphere.radius) continue;
    found = static_cast<int>(i);
    if (sphere.point >= 0) break;
  }
  return found;
}

// Obstacles for which every link goes into as many parts. Their order is that of the parts, so that further obstacles
// do not change it.
std::vector<Skin::Group> Structure::contactGroups(const scene::Scene& scene) const {
  std::map<std::vector<int>, std::vector<int>> alike;
  for (std::size_t o = 0; o < scene.obstacles.size(); ++o) {
    const contact::ObstacleShape shape = contact::obstacleShape(scene.obstacles[o]);
    std::vector<int> parts;
    for (const scene::Link& l : scene.linkages[static_cast<std::size_t>(linkage)].links) {
      if (l.rigid)
        parts.push_back(Contact::parts(shape, l.rigid->length, rigidRadius(scene, *l.rigid, 0.5 * l.rigid->length)));
      for (const scene::SoftDivision& d : l.soft)
        parts.push_back(Contact::parts(shape, d.length, softRadius(scene, d, 0.5)));
    }
    alike[parts].push_back(static_cast<int>(o));
  }
  std::vector<Skin::Group> out;
  out.reserve(alike.size());
  for (const auto& [parts, obstacles] : alike) out.push_back({obstacles, {}, 0});
  return out;
}

void Structure::addFluidPoints(const scene::Scene& scene, const BuiltLink& built) {
  const scene::Link& l =
      scene.linkages[static_cast<std::size_t>(built.linkage)].links[static_cast<std::size_t>(built.link)];
  formula::Input in;
  in.parameters = scene.values.data();
  const double density = world::mediumDensity(scene, {});
  const double coefficient = l.fluid ? l.fluid->added(in) : 0;
  const auto add = [&](int step, const Vec3& local, double length, const scene::SectionGeometry& g, int mass) {
    const double displaced = l.fluid ? density * g.area * length : 0, added = mass >= 0 ? coefficient * displaced : 0;
    fluidPoints.push_back({step, local, length, meanRadius(g), built.linkage, built.link, 0, added, displaced});
    if (mass >= 0) builder.mass(mass).added += addedInertia(added, local);
  };
  if (l.rigid) {
    if (!l.rigid->section || l.rigid->length == 0) return;
    double volume = 0, moment = 0;
    for (const auto& [s, part, g] : slicesOf(scene, *l.rigid)) {
      add(built.start(), Vec3(s, 0, 0), part, g, built.mass);
      volume += part * g.area, moment += part * g.area * s;
    }
    if (!scene.environment.buoyancy || built.mass < 0) return;
    if (l.rigid->mass) {  // its center may be elsewhere than that of its volume
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
      const scene::SectionGeometry g = sectionAt(scene, l.soft[d].section, s, soft.body.length);
      MassPoint& m = builder.mass(soft.masses[n]);
      add(m.step, Vec3::Zero(), soft.points[n].weight, g, soft.masses[n]);
      if (scene.environment.buoyancy && m.inertia(3, 3) > 0) {
        m.weight = 1 - density * soft.points[n].weight * g.area / m.inertia(3, 3);
      }
    }
  }
}

// Where a body ends in a point, or in what round-off leaves of one, that says nothing of its size.
double Structure::thinnest(int link, int group) const {
  double widest = 0, smallest = std::numeric_limits<double>::infinity();
  for (const ContactPoint& p : skin.points) {
    if (p.link == link && p.group == group) widest = std::max(widest, p.radius);
  }
  for (const ContactPoint& p : skin.points) {
    if (p.link == link && p.group == group && p.radius > pointed * widest) smallest = std::min(smallest, p.radius);
  }
  return smallest;
}

double Structure::contactRadius(int group) const {
  double smallest = std::numeric_limits<double>::infinity();
  for (const BuiltLink& built : links) smallest = std::min(smallest, thinnest(built.link, group));
  return std::isfinite(smallest) ? smallest : 0.01 * scale;
}

std::vector<double> Structure::contactStiffness(const scene::Scene& scene, int group) const {
  formula::Input in;
  in.parameters = scene.values.data();
  const double gravity = world::gravity(scene, {}).norm();
  double mass = 0;
  for (int i = 0; i < builder.masses(); ++i) mass += builder.mass(i).inertia(3, 3);
  constexpr double none = std::numeric_limits<double>::infinity();
  double softest = none, radius = none;
  for (const BuiltLink& built : links) {
    const scene::Link& l =
        scene.linkages[static_cast<std::size_t>(linkage)].links[static_cast<std::size_t>(built.link)];
    for (const scene::SoftDivision& d : l.soft) {
      const double r = softRadius(scene, d, 0.5);
      if (d.material >= 0 && r > 0)
        softest = std::min(softest, r * scene.materials[static_cast<std::size_t>(d.material)].youngs(in));
    }
    if (!l.rigid || !l.rigid->section) continue;
    const double start = meanRadius(sectionAt(scene, *l.rigid->section, 0, l.rigid->length)),
                 least = thinnest(built.link, group);
    radius = std::min(radius, std::isfinite(least) && start < pointed * least ? least : start);
  }
  if (radius == none) radius = contactRadius(group);
  // Rigid bodies have no stiffness: their linkage's weight presses them in by a thousandth of the radius, an impact is
  // over no sooner than steps see, and what is soft on them is never the harder one.
  const double borne = 1e3 * mass * gravity / std::max(radius, 1e-3 * scale), slow = 3 * scene.solver.dt;
  const double rigid = std::max(borne, mass / (slow * slow));
  if (softest == none) return {rigid, rigid};
  return {softest, std::max(softest, rigid)};
}

}  // namespace tendril::links
