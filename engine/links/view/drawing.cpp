// How a linkage is drawn.
#include <algorithm>
#include <cmath>

#include "links/view/viewer.h"

namespace tendril::links {
namespace {

const char* kindName(scene::LinkJoint::Kind kind) {
  static const char* const names[] = {"fixed",       "revolute", "prismatic", "helical", "universal",
                                      "cylindrical", "planar",   "spherical", "free"};
  return names[static_cast<int>(kind)];
}

/// A joint whose position stands still where it hangs on the base.
bool onlyTurns(scene::LinkJoint::Kind kind) {
  using Kind = scene::LinkJoint::Kind;
  return kind == Kind::revolute || kind == Kind::universal || kind == Kind::spherical;
}

int lastOf(const std::vector<DrawingJoint>& joints) { return static_cast<int>(joints.size()) - 1; }

}  // namespace

void Viewer::draw() {
  Drawing d;
  points_.clear();
  drawLinks(d);
  drawLoops(d);
  drawTendons(d);
  for (const Structure::PlacedLoad& placed : state_.structure->loads) {
    if (!placed.extra) drawLoad(*placed.load, d);
  }
  d.revision = drawing_.revision + 1;
  drawing_ = std::move(d);
}

void Viewer::drawLinks(Drawing& d) {
  for (const BuiltLink& built : state_.structure->links) {
    const scene::Link& l = state_.own.links[static_cast<std::size_t>(built.link)];
    DrawingPart part;
    part.name = state_.own.name + "/" + l.name;
    part.kind = l.rigid ? "rigid" : "soft";
    part.firstPoint = static_cast<int>(points_.size());
    part.color = l.look.color.empty() ? state_.own.look.color : l.look.color;
    part.label = l.look.label.empty() ? (built.link == 0 ? state_.own.look.label : "") : l.look.label;
    part.opacity = l.look.opacity.value_or(state_.own.look.opacity.value_or(1));
    part.hidden = l.look.hidden || state_.own.look.hidden;
    part.link = built.link;
    drawLink(built, l, d);
    part.pointCount = static_cast<int>(points_.size()) - part.firstPoint;
    for (int i = 0; i + 1 < part.pointCount; ++i) {
      d.segments.push_back(static_cast<std::uint32_t>(part.firstPoint + i));
      d.segments.push_back(static_cast<std::uint32_t>(part.firstPoint + i + 1));
    }
    if (l.joint.kind != scene::LinkJoint::Kind::fixed) {
      d.joints.push_back(
          {part.name, kindName(l.joint.kind), points_[static_cast<std::size_t>(part.firstPoint)].radius});
    }
    if (l.parent < 0 && l.joint.kind == scene::LinkJoint::Kind::fixed)
      d.marks.push_back({"clamp", part.firstPoint, {}});
    if (l.parent < 0 && onlyTurns(l.joint.kind)) d.marks.push_back({"fix", part.firstPoint, {}, lastOf(d.joints)});
    d.parts.push_back(std::move(part));
  }
}

// Points along a link with their sections. Rigid bodies without one are drawn as thick as a ball of their inertia.
void Viewer::drawLink(const BuiltLink& built, const scene::Link& l, Drawing& d) {
  const auto add = [&](double at, int division, double s, const scene::SectionGeometry& g) {
    points_.push_back({{built.linkage, built.link, at}, division, s, 0.5 * (g.halfAxis1 + g.halfAxis2)});
    d.halfAxes.push_back(static_cast<float>(g.halfAxis1)), d.halfAxes.push_back(static_cast<float>(g.halfAxis2));
    d.round.push_back(g.round ? 1 : 0);
  };
  if (l.rigid) {
    const double length = l.rigid->length;
    scene::SectionGeometry g;
    g.halfAxis1 = g.halfAxis2 = 0.04 * std::max(length, 0.2 * state_.structure->scale);
    if (l.rigid->mass && !l.rigid->section) {
      formula::Input in;
      in.parameters = state_.scene.values.data();
      const double m = (*l.rigid->mass)(in), moment = l.rigid->inertia[0](in);
      if (moment > 0) g.halfAxis1 = g.halfAxis2 = std::sqrt(2.5 * moment / m);
    }
    const int parts =
        length > 0 ? (l.rigid->section && l.rigid->section->kind != scene::Section::Kind::stiffness ? 16 : 1) : 0;
    for (int i = 0; i <= parts; ++i) {
      const double at = parts > 0 ? static_cast<double>(i) / parts : 0;
      if (l.rigid->section) g = sectionAt(state_.scene, *l.rigid->section, at * length, length);
      add(at, 0, at * length, g);
    }
    return;
  }
  const double whole = l.length();
  for (std::size_t k = 0; k < built.softs.size(); ++k) {
    const scene::SoftDivision& division = l.soft[k];
    const int parts = std::clamp(4 * division.points, 16, 60);
    for (int i = k == 0 ? 0 : 1; i <= parts; ++i) {
      const double s = division.length * i / parts;
      const bool tip = i == parts && k + 1 == built.softs.size();
      add(tip ? 1 : (built.starts[k] + s) / whole, static_cast<int>(k), s,
          sectionAt(state_.scene, division.section, s, division.length));
    }
  }
}

void Viewer::drawLoops(Drawing& d) const {
  for (const Structure::Loop& loop : state_.structure->loops) {
    const scene::LinkLoop& l = state_.own.loops[static_cast<std::size_t>(loop.index)];
    const BuiltLink& built = state_.structure->links[static_cast<std::size_t>(std::max(0, l.to))];
    double radius = 0;
    for (const Point& p : points_) {
      if (p.ref.link == built.link) radius = p.radius;
    }
    d.joints.push_back({state_.own.name + "/" + state_.own.links[static_cast<std::size_t>(built.link)].name,
                        kindName(l.joint.kind), radius});
    if (std::min(l.from, l.to) < 0 && onlyTurns(l.joint.kind)) {
      const scene::LinkRef end{state_.structure->linkage, std::max(l.from, l.to), l.to < 0 ? l.fromAt : l.toAt};
      d.marks.push_back({"fix", nearestPoint(end), {}, lastOf(d.joints)});
    }
  }
}

void Viewer::drawTendons(Drawing& d) const {
  int point = 0;
  for (const Structure::Wire& wire : state_.structure->wires) {
    const scene::Cable& cable = state_.own.cables[static_cast<std::size_t>(wire.cable)];
    DrawingTendon tendon;
    tendon.name = state_.own.name + "/" + cable.name;
    tendon.firstPoint = point, tendon.pointCount = static_cast<int>(wire.points.size());
    tendon.outside = cable.outside;
    tendon.color = cable.look.color, tendon.label = cable.look.label,
    tendon.hidden = cable.look.hidden || state_.own.look.hidden;
    point += tendon.pointCount;
    d.tendons.push_back(std::move(tendon));
  }
}

// Directions at the start, or what grows from nothing at the end; followers as their link lies at the start.
void Viewer::drawLoad(const scene::Load& load, Drawing& d) const {
  using Kind = scene::Load::Kind;
  for (const scene::LinkRef& ref : load.places) {
    const bool turns = load.kind == Kind::field && load.field.kind == scene::LoadField::Kind::moment;
    const char* kind = load.kind == Kind::mass       ? "mass"
                       : turns                       ? "moment"
                       : load.kind == Kind::moment   ? "moment"
                       : load.kind == Kind::follower ? "follower"
                                                     : "force";
    drawAt(ref, kind, load.kind == Kind::mass || load.kind == Kind::field ? nullptr : &load.value,
           load.kind == Kind::follower, d);
  }
  const auto acts = [](const scene::Number3& value) {
    return std::any_of(value.begin(), value.end(), [](const formula::Number& n) { return !n.isZero(); });
  };
  for (scene::LinkRef ref : load.links) {
    for (const double at : {0.25, 0.5, 0.75}) {
      ref.at = at;
      if (load.kind == Kind::field)
        drawAt(ref, load.field.kind == scene::LoadField::Kind::moment ? "moment" : "force", nullptr, false, d);
      if (load.kind != Kind::wrench) continue;
      if (acts(load.value)) drawAt(ref, "follower", &load.value, true, d);
      if (acts(load.moment)) drawAt(ref, "moment", &load.moment, true, d);
    }
  }
}

// `value`: of the load, none without a direction; in the link's own frame, or in the world.
void Viewer::drawAt(const scene::LinkRef& ref, const char* kind, const scene::Number3* value, bool own,
                    Drawing& d) const {
  if (ref.linkage != state_.structure->linkage) return;
  DrawingMark mark;
  mark.kind = kind;
  mark.point = nearestPoint(ref);
  formula::Input in = scene::timedInput(state_.scene, state_.instant);
  in.u = ref.at, in.s = ref.at * state_.own.links[static_cast<std::size_t>(ref.link)].length();
  const auto valueNow = [&] {
    try {
      return Vec3((*value)[0](in), (*value)[1](in), (*value)[2](in));
    } catch (const formula::Failure&) {
      return Vec3(Vec3::Zero());  // not finite there: drawn without an arrow
    }
  };
  Vec3 direction = value ? valueNow() : Vec3(Vec3::Zero());
  if (value && direction.norm() == 0) in.t = state_.scene.solver.duration, direction = valueNow();
  if (own) direction = state_.at(ref).pose.R * direction;
  if (direction.norm() > 0) {
    direction.normalize();
    mark.direction = {direction.x(), direction.y(), direction.z()};
  }
  d.marks.push_back(mark);
}

// The drawn point of the link that is nearest to the position along it.
int Viewer::nearestPoint(const scene::LinkRef& ref) const {
  int nearest = -1;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (points_[i].ref.link != ref.link) continue;
    if (nearest < 0 ||
        std::abs(points_[i].ref.at - ref.at) < std::abs(points_[static_cast<std::size_t>(nearest)].ref.at - ref.at)) {
      nearest = static_cast<int>(i);
    }
  }
  return nearest;
}

}  // namespace tendril::links
