// The accepted state at drawn points, and the pointer's spring on one of them.
#include "links/view/viewer.h"

#include <algorithm>
#include <stdexcept>

#include "links/view/probes.h"

namespace tendril::links {
namespace {

/// A joint whose sleeve stays with the parent, while the link slides.
bool slides(scene::LinkJoint::Kind kind) {
  using Kind = scene::LinkJoint::Kind;
  return kind == Kind::prismatic || kind == Kind::helical || kind == Kind::cylindrical;
}

void push(std::vector<float>& out, const Vec3& v) {
  for (int k = 0; k < 3; ++k) out.push_back(static_cast<float>(v[k]));
}

}  // namespace

Viewer::PointState Viewer::stateOf(const Point& p) const {
  PointState out;
  out.state = state_.at(p.ref);
  const BuiltLink& built = state_.structure->at(p.ref);
  if (built.softs.empty()) return out;
  const SoftSegment& soft = state_.structure->builder.soft(built.softs[static_cast<std::size_t>(p.division)]);
  const double X = std::min(1.0, p.s / soft.body.length);
  const geometry::Vec6 xi = soft.strain(X, state_.history.q), apart = xi - soft.reference(X);
  out.curvature = xi.head<3>().norm();
  out.strain = xi[3] - 1;
  out.energy = 0.5 * apart.dot(soft.body.law(X).stiffness.cwiseProduct(apart));
  return out;
}

void Viewer::snapshot(Snapshot& out) const {
  out.positions.clear(), out.directors.clear(), out.curvature.clear(), out.strain.clear(), out.energy.clear();
  out.joints.clear(), out.tendons.clear(), out.tensions.clear();
  for (const Point& p : points_) {
    const PointState s = stateOf(p);
    push(out.positions, s.state.pose.r);
    push(out.directors, s.state.pose.R.col(1));
    out.curvature.push_back(static_cast<float>(s.curvature));
    out.strain.push_back(static_cast<float>(s.strain));
    out.energy.push_back(static_cast<float>(s.energy));
  }
  snapJoints(out);
  snapTendons(out);
}

void Viewer::snapJoints(Snapshot& out) const {
  const std::vector<ChainFrame>& at = state_.frames();
  // Where a joint is before its motion.
  const auto seatOf = [&](int number) {
    const ChainStep& step = state_.system->chain().steps()[static_cast<std::size_t>(number)];
    return step.parent < 0 ? step.offset : at[static_cast<std::size_t>(step.parent)].pose * step.offset;
  };
  for (const BuiltLink& built : state_.structure->links) {
    const scene::LinkJoint& joint = state_.own.links[static_cast<std::size_t>(built.link)].joint;
    if (joint.kind == scene::LinkJoint::Kind::fixed) continue;
    push(out.joints, slides(joint.kind) ? seatOf(built.joint.front()).r : at[built.start()].pose.r);
    push(out.joints, at[built.start()].pose.R.col(joint.axis));
  }
  for (const Structure::Loop& loop : state_.structure->loops) {
    const scene::LinkJoint& joint = state_.own.loops[static_cast<std::size_t>(loop.index)].joint;
    push(out.joints, at[slides(joint.kind) ? loop.a : loop.b].pose.r);
    push(out.joints, at[loop.b].pose.R.col(joint.axis));
  }
}

void Viewer::snapTendons(Snapshot& out) const {
  const std::vector<ChainFrame>& at = state_.frames();
  for (const Structure::Wire& wire : state_.structure->wires) {
    for (std::size_t i = 0; i < wire.way.size(); ++i) {
      const geometry::Pose pose = stateAt(wire.way[i], at, state_.history.q, state_.history.v).pose;
      push(out.tendons, pose.r + pose.R * wire.points[i]);
    }
    const scene::Cable& cable = state_.own.cables[static_cast<std::size_t>(wire.cable)];
    out.tensions.push_back(
        static_cast<float>(state_.instant.factor * cable.tension(scene::timedInput(state_.scene, state_.instant))));
  }
}

void Viewer::grab(int point, PointerSpring& pointer) const {
  if (point < 0 || point >= static_cast<int>(points_.size()))
    throw std::invalid_argument("no drawn point has this number");
  const Point& p = points_[static_cast<std::size_t>(point)];
  const BuiltLink& built = state_.structure->at(p.ref);
  const Vec3 place = stateOf(p).state.pose.r;
  // The nearest end of a step carries it.
  int best = built.start();
  for (int s = built.firstStep; s <= built.lastStep; ++s) {
    if ((state_.frames()[s].pose.r - place).norm() < (state_.frames()[best].pose.r - place).norm()) best = s;
  }
  double mass = 0, elastic = 0;
  for (const MassPoint& m : state_.system->masses()) mass += m.inertia(3, 3);
  for (const int number : built.softs) {
    const SoftSegment& soft = state_.structure->builder.soft(number);
    const geometry::Vec6 law = soft.body.law(0.5).stiffness;
    elastic = std::max(elastic, std::max(law[1], law[2]) / (soft.body.length * soft.body.length * soft.body.length));
  }
  pointer.active = true;
  pointer.step = best;
  pointer.local = state_.frames()[best].pose.R.transpose() * (place - state_.frames()[best].pose.r);
  pointer.stiffness = 30 * elastic + 40 * mass / state_.structure->scale;
}

void Viewer::bodies(std::vector<BodyState>& out) const {
  BodyState body;
  body.name = state_.own.name;
  for (const BuiltLink& built : state_.structure->links) {
    BodyState::LinkState link;
    link.name = body.name + "/" + state_.own.links[static_cast<std::size_t>(built.link)].name;
    const VectorX joint = jointCoordinates(state_, built);
    link.q.assign(joint.data(), joint.data() + joint.size());
    for (int k = built.jointCount; k < built.count; ++k) link.q.push_back(state_.history.q[built.first + k]);
    for (int k = 0; k < built.count; ++k) link.v.push_back(state_.history.v[built.first + k]);
    link.firstNode = static_cast<int>(body.nodes.size() / 3);
    for (const Point& p : points_) {
      if (p.ref.link != built.link) continue;
      const PointState s = stateOf(p);
      const Vec3 velocity = s.state.pose.R * s.state.velocity.tail<3>();
      for (int k = 0; k < 3; ++k) {
        body.nodes.push_back(s.state.pose.r[k]);
        body.velocity.push_back(velocity[k]);
        body.d1.push_back(s.state.pose.R(k, 1));
      }
      body.radius.push_back(p.radius);
      body.curvature.push_back(s.curvature);
      body.stretch.push_back(1 + s.strain);
    }
    link.nodeCount = static_cast<int>(body.nodes.size() / 3) - link.firstNode;
    body.links.push_back(std::move(link));
  }
  out.push_back(std::move(body));
}

}  // namespace tendril::links
