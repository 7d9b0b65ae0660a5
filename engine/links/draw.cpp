// Linkages as they are drawn: links as tapered tubes along their centerlines, joints, tendons colored by tension; and the
// pointer's spring on drawn points.
#include <algorithm>
#include <stdexcept>

#include "links/model.h"

namespace tendril::links {
namespace {

const char* kindName(scene::LinkJoint::Kind kind) {
  static const char* const names[] = {"fixed",       "revolute", "prismatic", "helical", "universal",
                                      "cylindrical", "planar",   "spherical", "free"};
  return names[static_cast<int>(kind)];
}

/// A joint whose place stands still where it hangs on the base.
bool onlyTurns(scene::LinkJoint::Kind kind) {
  using Kind = scene::LinkJoint::Kind;
  return kind == Kind::revolute || kind == Kind::universal || kind == Kind::spherical;
}

/// A joint whose sleeve stays with the parent, while the link slides.
bool slides(scene::LinkJoint::Kind kind) {
  using Kind = scene::LinkJoint::Kind;
  return kind == Kind::prismatic || kind == Kind::helical || kind == Kind::cylindrical;
}

/// The drawn point of the link that is nearest to the place along it.
template <class Points>
int nearestPoint(const Points& drawn, const scene::LinkRef& ref) {
  int nearest = -1;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    if (drawn[i].ref.link != ref.link) continue;
    if (nearest < 0 || std::abs(drawn[i].ref.at - ref.at) < std::abs(drawn[static_cast<std::size_t>(nearest)].ref.at - ref.at)) {
      nearest = static_cast<int>(i);
    }
  }
  return nearest;
}

int lastOf(const std::vector<model::DrawingJoint>& joints) { return static_cast<int>(joints.size()) - 1; }

void push(std::vector<float>& out, const Vec3& v) {
  for (int k = 0; k < 3; ++k) out.push_back(static_cast<float>(v[k]));
}

}  // namespace

void Model::draw() {
  model::Drawing d;
  drawn_.clear();
  for (const BuiltLink& built : structure_->links) {
    const scene::Link& l = own_.links[static_cast<std::size_t>(built.link)];
    model::DrawingPart part;
    part.name = own_.name + "/" + l.name;
    part.kind = l.rigid ? "rigid" : "soft";
    part.firstPoint = static_cast<int>(drawn_.size());
    part.color = l.look.color.empty() ? own_.look.color : l.look.color;
    part.label = l.look.label.empty() ? (built.link == 0 ? own_.look.label : "") : l.look.label;
    part.opacity = l.look.opacity.value_or(own_.look.opacity.value_or(1));
    part.hidden = l.look.hidden || own_.look.hidden;
    part.link = built.link;
    drawLink(built, l, d);
    part.pointCount = static_cast<int>(drawn_.size()) - part.firstPoint;
    for (int i = 0; i + 1 < part.pointCount; ++i) {
      d.segments.push_back(static_cast<std::uint32_t>(part.firstPoint + i));
      d.segments.push_back(static_cast<std::uint32_t>(part.firstPoint + i + 1));
    }
    if (l.joint.kind != scene::LinkJoint::Kind::fixed) {
      d.joints.push_back({part.name, kindName(l.joint.kind), drawn_[static_cast<std::size_t>(part.firstPoint)].radius});
    }
    if (l.parent < 0 && l.joint.kind == scene::LinkJoint::Kind::fixed) d.marks.push_back({"clamp", part.firstPoint, {}});
    if (l.parent < 0 && onlyTurns(l.joint.kind)) d.marks.push_back({"fix", part.firstPoint, {}, lastOf(d.joints)});
    d.parts.push_back(std::move(part));
  }
  for (const Structure::Loop& loop : structure_->loops) {
    const scene::LinkLoop& l = own_.loops[static_cast<std::size_t>(loop.index)];
    const BuiltLink& built = structure_->links[static_cast<std::size_t>(std::max(0, l.to))];
    double radius = 0;
    for (const DrawnPoint& p : drawn_) {
      if (p.ref.link == built.link) radius = p.radius;
    }
    d.joints.push_back({own_.name + "/" + own_.links[static_cast<std::size_t>(built.link)].name, kindName(l.joint.kind), radius});
    if (std::min(l.from, l.to) < 0 && onlyTurns(l.joint.kind)) {
      const scene::LinkRef end{structure_->linkage, std::max(l.from, l.to), l.to < 0 ? l.fromAt : l.toAt};
      d.marks.push_back({"fix", nearestPoint(drawn_, end), {}, lastOf(d.joints)});
    }
  }
  int point = 0;
  for (const Structure::Wire& wire : structure_->wires) {
    const scene::Cable& cable = own_.cables[static_cast<std::size_t>(wire.cable)];
    model::DrawingTendon tendon;
    tendon.name = own_.name + "/" + cable.name;
    tendon.firstPoint = point, tendon.pointCount = static_cast<int>(wire.points.size());
    tendon.outside = cable.outside;
    tendon.color = cable.look.color, tendon.label = cable.look.label, tendon.hidden = cable.look.hidden || own_.look.hidden;
    point += tendon.pointCount;
    d.tendons.push_back(std::move(tendon));
  }
  for (const Structure::PlacedLoad& placed : structure_->loads) {
    if (!placed.extra) drawLoad(*placed.load, d);
  }
  d.revision = drawing_.revision + 1;
  drawing_ = std::move(d);
}

// Points along a link with their sections. Rigid bodies without one are drawn as thick as a ball of their inertia.
void Model::drawLink(const BuiltLink& built, const scene::Link& l, model::Drawing& d) {
  const auto add = [&](double at, int division, double s, const scene::SectionGeometry& g) {
    drawn_.push_back({{built.linkage, built.link, at}, division, s, 0.5 * (g.halfAxis1 + g.halfAxis2)});
    d.halfAxes.push_back(static_cast<float>(g.halfAxis1)), d.halfAxes.push_back(static_cast<float>(g.halfAxis2));
    d.round.push_back(g.round ? 1 : 0);
  };
  if (l.rigid) {
    const double length = l.rigid->length;
    scene::SectionGeometry g;
    g.halfAxis1 = g.halfAxis2 = 0.04 * std::max(length, 0.2 * structure_->scale);
    if (l.rigid->mass && !l.rigid->section) {
      formula::Input in;
      in.parameters = scene_.values.data();
      const double m = (*l.rigid->mass)(in), moment = l.rigid->inertia[0](in);
      if (moment > 0) g.halfAxis1 = g.halfAxis2 = std::sqrt(2.5 * moment / m);
    }
    const int parts = length > 0 ? (l.rigid->section && l.rigid->section->kind != scene::Section::Kind::stiffness ? 16 : 1) : 0;
    for (int i = 0; i <= parts; ++i) {
      const double at = parts > 0 ? static_cast<double>(i) / parts : 0;
      if (l.rigid->section) g = sectionAt(scene_, *l.rigid->section, at * length, length);
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
      add(tip ? 1 : (built.starts[k] + s) / whole, static_cast<int>(k), s, sectionAt(scene_, division.section, s, division.length));
    }
  }
}

// Directions at the start, or what grows from nothing at the end; followers as their link lies at the start.
void Model::drawLoad(const scene::Load& load, model::Drawing& d) {
  for (const scene::LinkRef& ref : load.places) {
    if (ref.linkage != structure_->linkage) continue;
    model::DrawingMark mark;
    mark.kind = load.kind == scene::Load::Kind::mass ? "mass" : load.kind == scene::Load::Kind::moment ? "moment"
                : load.kind == scene::Load::Kind::follower ? "follower" : "force";
    mark.point = nearestPoint(drawn_, ref);
    formula::Input in = scene::timedInput(scene_, instant_);
    const auto valueNow = [&] {
      try {
        return Vec3(load.value[0](in), load.value[1](in), load.value[2](in));
      } catch (const formula::Failure&) {
        return Vec3(Vec3::Zero());  // not finite there: drawn without an arrow
      }
    };
    Vec3 value = load.kind == scene::Load::Kind::mass ? Vec3(Vec3::Zero()) : valueNow();
    if (load.kind != scene::Load::Kind::mass && value.norm() == 0) in.t = scene_.solver.duration, value = valueNow();
    if (load.kind == scene::Load::Kind::follower) {
      value = stateAt(structure_->place(scene_, ref), frames(), history_.q, history_.v).pose.R * value;
    }
    if (value.norm() > 0) {
      value.normalize();
      mark.direction = {value.x(), value.y(), value.z()};
    }
    d.marks.push_back(mark);
  }
}

Model::DrawnState Model::drawnState(const DrawnPoint& p) {
  DrawnState out;
  out.state = stateAt(structure_->place(scene_, p.ref), frames(), history_.q, history_.v);
  const BuiltLink& built = structure_->at(p.ref);
  if (built.softs.empty()) return out;
  const SoftSegment& soft = structure_->builder.soft(built.softs[static_cast<std::size_t>(p.division)]);
  const double X = std::min(1.0, p.s / soft.body.length);
  const geometry::Vec6 xi = soft.strain(X, history_.q), apart = xi - soft.reference(X);
  out.curvature = xi.head<3>().norm();
  out.strain = xi[3] - 1;
  out.energy = 0.5 * apart.dot(soft.body.law(X).stiffness.cwiseProduct(apart));
  return out;
}

void Model::snapshot(model::Snapshot& out) {
  out.positions.clear(), out.directors.clear(), out.curvature.clear(), out.strain.clear(), out.energy.clear();
  out.joints.clear(), out.tendons.clear(), out.tensions.clear();
  for (const DrawnPoint& p : drawn_) {
    const DrawnState s = drawnState(p);
    push(out.positions, s.state.pose.r);
    push(out.directors, s.state.pose.R.col(1));
    out.curvature.push_back(static_cast<float>(s.curvature));
    out.strain.push_back(static_cast<float>(s.strain));
    out.energy.push_back(static_cast<float>(s.energy));
  }
  const std::vector<ChainFrame>& at = frames();
  // Where a joint is before its motion.
  const auto seatOf = [&](int number) {
    const ChainStep& step = system_->chain().steps()[static_cast<std::size_t>(number)];
    return step.parent < 0 ? step.offset : at[static_cast<std::size_t>(step.parent)].pose * step.offset;
  };
  for (const BuiltLink& built : structure_->links) {
    const scene::LinkJoint& joint = own_.links[static_cast<std::size_t>(built.link)].joint;
    if (joint.kind == scene::LinkJoint::Kind::fixed) continue;
    push(out.joints, slides(joint.kind) ? seatOf(built.joint.front()).r : at[built.start()].pose.r);
    push(out.joints, at[built.start()].pose.R.col(joint.axis));
  }
  for (const Structure::Loop& loop : structure_->loops) {
    const scene::LinkJoint& joint = own_.loops[static_cast<std::size_t>(loop.index)].joint;
    push(out.joints, at[slides(joint.kind) ? loop.a : loop.b].pose.r);
    push(out.joints, at[loop.b].pose.R.col(joint.axis));
  }
  for (const Structure::Wire& wire : structure_->wires) {
    for (std::size_t i = 0; i < wire.way.size(); ++i) {
      const geometry::Pose pose = stateAt(wire.way[i], at, history_.q, history_.v).pose;
      push(out.tendons, pose.r + pose.R * wire.points[i]);
    }
    const scene::Cable& cable = own_.cables[static_cast<std::size_t>(wire.cable)];
    out.tensions.push_back(static_cast<float>(instant_.factor * cable.tension(scene::timedInput(scene_, instant_))));
  }
}

void Model::grab(int point) {
  if (point < 0 || point >= static_cast<int>(drawn_.size())) throw std::invalid_argument("no drawn point has this number");
  const DrawnPoint& p = drawn_[static_cast<std::size_t>(point)];
  const BuiltLink& built = structure_->at(p.ref);
  const Vec3 place = drawnState(p).state.pose.r;
  // The nearest end of a step carries it.
  int best = built.start();
  for (int s = built.firstStep; s <= built.lastStep; ++s) {
    if ((frames()[s].pose.r - place).norm() < (frames()[best].pose.r - place).norm()) best = s;
  }
  double mass = 0, elastic = 0;
  for (const MassPoint& m : system_->masses()) mass += m.inertia(3, 3);
  for (const int number : built.softs) {
    const SoftSegment& soft = structure_->builder.soft(number);
    const geometry::Vec6 law = soft.body.law(0.5).stiffness;
    elastic = std::max(elastic, std::max(law[1], law[2]) / (soft.body.length * soft.body.length * soft.body.length));
  }
  pointer_.active = true;
  pointer_.step = best;
  pointer_.local = frames()[best].pose.R.transpose() * (place - frames()[best].pose.r);
  pointer_.stiffness = 30 * elastic + 40 * mass / structure_->scale;
}

void Model::release() { pointer_.active = false; }

}  // namespace tendril::links
