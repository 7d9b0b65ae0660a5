#include "rods_shells/loads.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "elastic/moment.h"
#include "rods_shells/edge_shares.h"
#include "rods_shells/welds.h"
#include "world/surroundings.h"

namespace tendril::rods_shells {

namespace {

/// Components by the directors of one side of a joint, as those by the directors of the other, f or e.
Vec3 acrossJoint(const Spring& joint, bool toF, const Vec3& v) {
  const double c = joint.cosOffset, s = toF ? joint.sinOffset : -joint.sinOffset;
  return {c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]};
}

}  // namespace

Loads::Loads(const Structure& structure, const scene::Scene& scene) : s_(structure), scene_(scene) {
  tributary_ = VectorX::Zero(static_cast<Eigen::Index>(s_.nodes.size()));
  for (const Edge& e : s_.edges) {
    tributary_[e.a] += 0.5 * e.length;
    tributary_[e.b] += 0.5 * e.length;
  }
  // M(27) knows rods only. A shell of area A counts as a body of size sqrt(A), spread evenly over its area.
  breadth_ = VectorX::Zero(static_cast<Eigen::Index>(s_.nodes.size()));
  for (std::size_t i = 0; i + 1 < s_.shell.firstTriangle.size(); ++i) {
    double area = 0;
    const auto first = s_.shell.triangles.begin() + s_.shell.firstTriangle[i];
    const auto last = s_.shell.triangles.begin() + s_.shell.firstTriangle[i + 1];
    for (auto t = first; t != last; ++t) area += t->rest.area;
    for (auto t = first; t != last; ++t) {
      for (int node : t->nodes) breadth_[node] += t->rest.area / (3 * std::sqrt(area));
    }
  }
  for (const scene::Load& load : scene.loads) plans_.push_back(plan(load));
}

// A node shared by several rods is one node: a force on it acts once. A line load acts on edges with both nodes
// selected, so that a part of a rod carries its own length only.
Loads::Plan Loads::plan(const scene::Load& load) const {
  Plan out;
  std::vector<char> known(s_.nodes.size(), 0);
  std::set<std::pair<int, int>> selected;
  std::set<int> shells;
  for (const scene::NodeRef& ref : load.nodes) {
    selected.insert({ref.body, ref.node});
    if (!scene_.isRod(ref.body)) shells.insert(ref.body - static_cast<int>(scene_.rods.size()));
    const int node = s_.node(ref);
    if (known[node]) continue;
    known[node] = 1;
    out.nodes.push_back(node);
    out.bodies.push_back(ref.body);
  }
  double total = 0;
  for (int node : out.nodes) {
    out.shares.push_back(shells.empty() ? tributary_[node] : s_.shell.area[node]);
    total += out.shares.back();
  }
  for (double& share : out.shares) share /= total;
  for (const auto& [body, node] : selected) {
    if (scene_.isRod(body) && selected.count({body, node + 1})) out.edges.push_back(s_.edge({body, node}));
  }
  if (shells.empty() || load.kind != scene::Load::Kind::line) return out;
  std::set<std::pair<int, int>> loaded;  // the edge where two shells meet is one line
  for (std::size_t i = 0; i < s_.shell.edges.size(); ++i) {
    const ShellEdge& e = s_.shell.edges[i];
    if (!shells.count(e.shell) || !known[e.a] || !known[e.b]) continue;
    if (loaded.insert(std::minmax(e.a, e.b)).second) out.shellEdges.push_back(static_cast<int>(i));
  }
  return out;
}

Vec3 Loads::value(const scene::Number3& numbers, const scene::Instant& instant) const {
  formula::Input in;
  in.t = instant.t;
  in.parameters = scene_.values.data();
  in.columns = instant.columns;
  return Vec3(numbers[0](in), numbers[1](in), numbers[2](in));
}

void Loads::addLoad(const scene::Load& load, const Plan& plan, const scene::Instant& instant) {
  if (!scene::isActive(load.interval, instant) || load.kind == scene::Load::Kind::pressure) return;
  if (load.kind == scene::Load::Kind::field) return;
  if (load.kind == scene::Load::Kind::mass) {
    formula::Input in;
    in.t = instant.t, in.parameters = scene_.values.data(), in.columns = instant.columns;
    const double mass = load.mass(in);
    for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
      mass_.segment<3>(s_.nodeDof[plan.nodes[i]]).array() += mass;
      added_.push_back({plan.nodes[i], plan.bodies[i], mass});
    }
    return;
  }
  const Vec3 v = instant.factor * value(load.value, instant);
  if (load.kind == scene::Load::Kind::follower || load.kind == scene::Load::Kind::moment) {
    const bool follower = load.kind == scene::Load::Kind::follower;
    for (auto ref = load.nodes.begin(); ref != load.nodes.end(); ++ref) {
      // A moment on two names of a welded node acts once.
      const auto same = [&](const scene::NodeRef& earlier) { return s_.node(earlier) == s_.node(*ref); };
      if (!follower && isWelded(s_, *ref) && std::any_of(load.nodes.begin(), ref, same)) continue;
      addEdgeLoad(follower, *ref, v);
    }
    return;
  }
  if (load.kind == scene::Load::Kind::line) {
    for (int i : plan.edges) {
      const Edge& e = s_.edges[i];
      dead_.segment<3>(s_.nodeDof[e.a]) += (0.5 * e.length) * v;
      dead_.segment<3>(s_.nodeDof[e.b]) += (0.5 * e.length) * v;
    }
    for (int i : plan.shellEdges) {
      const ShellEdge& e = s_.shell.edges[i];
      dead_.segment<3>(s_.nodeDof[e.a]) += (0.5 * e.length) * v;
      dead_.segment<3>(s_.nodeDof[e.b]) += (0.5 * e.length) * v;
    }
    return;
  }
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    dead_.segment<3>(s_.nodeDof[plan.nodes[i]]) += load.share ? Vec3(v * plan.shares[i]) : v;
  }
}

// Each edge at the node alone stands half an edge away from it, on one side. At a free end there is one: between its
// middle and the end a moment bends what is of the second order; a force turns as its natural shape does.
void Loads::addEdgeLoad(bool follower, scene::NodeRef at, const Vec3& value) {
  const int node = s_.node(at), weld = weldOf(s_, at);
  const Spring* joint = follower ? lineJointAt(s_, at) : nullptr;
  for (const EdgeShare& one : edgeShares(s_, at, follower)) {
    // The other rod has other directors.
    const bool ends = joint && at.body == joint->rod && at.node == joint->place;
    const bool other = joint && one.second == ends;
    const Vec3 own = one.share * (other ? acrossJoint(*joint, ends, value) : value);
    edgeLoads_.push_back({follower, one.edge, node, weld, one.at, own, own});
    if (weld < 0 && one.whole && follower) edgeLoads_.back().inEdge = atTheEnd(edgeLoads_.back());
  }
}

// The spring at the other node of an end edge: to the next edge, or, of a rod of one edge, to the frame of a weld or
// clamp; or null.
const Spring* Loads::springInto(const EdgeLoad& load) const {
  const int first = s_.rodFirstNode[load.at.body], next = load.at.node == 0 ? 1 : load.at.node - 1;
  const Spring* half = nullptr;
  for (const int i : s_.springsAt[first + next]) {
    const Spring& p = s_.springs[i];
    if (p.e.edge != load.edge && p.f.edge != load.edge) continue;
    if (p.e.edge >= 0 && p.f.edge >= 0) return &p;
    half = &p;
  }
  return half;
}

// The natural shape goes on from the middle of an end edge to the end as it comes into the edge. A corner that is drawn
// does not.
Vec3 Loads::atTheEnd(const EdgeLoad& load) const {
  constexpr double corner = 0.5;  // 2 tan of half the turn: 28 degrees
  const Spring* p = springInto(load);
  const double bend = p ? std::hypot(p->natural[0], p->natural[1]) : 0;
  if (!p || bend > corner) return load.value;
  const double straightened = bend > 0 ? 2 * std::atan(0.5 * bend) / bend : 1;
  const double share = (p->f.edge == load.edge ? 0.5 : -0.5) * s_.edges[load.edge].length / p->voronoi;
  Vec3 turn = share * Vec3(-straightened * p->natural[1], straightened * p->natural[0], p->natural[2]);
  if (p->joint && p->f.edge == load.edge) turn = acrossJoint(*p, true, turn);
  return turn.isZero(0) ? load.value : Vec3(Eigen::AngleAxisd(turn.norm(), turn.normalized()) * load.value);
}

void Loads::hold(const std::vector<char>& clampOn, const std::vector<elastic::EdgeFrame>& held) {
  clampMoments_.clear();
  const auto goesToClamp = [&](const EdgeLoad& load) {
    for (std::size_t h = 0; h < s_.held.size(); ++h) {
      const HeldFrame& frame = s_.held[h];
      if (frame.rod != load.at.body || frame.place != load.at.node || !clampOn[frame.constraint]) continue;
      if (load.follower) {
        const Vec3& c = load.value;
        dead_.segment<3>(s_.nodeDof[load.node]) += c[0] * held[h].m1 + c[1] * held[h].m2 + c[2] * held[h].t;
      } else {
        clampMoments_.push_back({load.node, load.value});
      }
      return true;
    }
    return false;
  };
  edgeLoads_.erase(std::remove_if(edgeLoads_.begin(), edgeLoads_.end(), goesToClamp), edgeLoads_.end());
}

Vec3 Loads::momentOnClamp(int node) const {
  Vec3 sum = Vec3::Zero();
  for (const ClampMoment& m : clampMoments_) {
    if (m.node == node) sum += m.value;
  }
  return sum;
}

bool Loads::conservative() const {
  return std::none_of(edgeLoads_.begin(), edgeLoads_.end(), [this](const EdgeLoad& load) { return isMine(load); });
}

void Loads::prepare(const scene::Instant& instant) {
  mass_ = s_.mass;
  dead_ = VectorX::Zero(s_.size);
  viscosity_ = VectorX::Zero(s_.size);
  edgeLoads_.clear();
  added_.clear();
  for (std::size_t i = 0; i < scene_.loads.size(); ++i) addLoad(scene_.loads[i], plans_[i], instant);
  if (instant.extra) {
    for (const scene::Load& load : *instant.extra) addLoad(load, plan(load), instant);
  }
  formula::Input in;
  in.t = instant.t, in.parameters = scene_.values.data(), in.columns = instant.columns;
  gravity_ = world::gravity(scene_, instant);
  fluid_ = scene_.environment.buoyancy ? world::mediumDensity(scene_, instant) : 0;
  const double eta = scene_.environment.viscous(in);
  medium_ = world::mediumVelocity(scene_, instant);
  for (std::size_t i = 0; i < s_.nodes.size(); ++i) {
    const int d = s_.nodeDof[i];
    dead_.segment<3>(d) += (mass_[d] - fluid_ * s_.displaced[d]) * gravity_;
    const Eigen::Index k = static_cast<Eigen::Index>(i);
    viscosity_.segment<3>(d).setConstant(eta * (tributary_[k] + breadth_[k]));
    dead_.segment<3>(d) += viscosity_[d] * medium_;
  }
}

// A moment turns the frame; a follower force turns with it, in the direction that the rod has there.
void Loads::addWeldLoad(const EdgeLoad& load, const Elasticity& elasticity, const std::vector<char>& prescribed,
                        VectorX& residual, solve::PartedTangent* tangent) const {
  const Weld& weld = s_.welds[load.weld];
  const elastic::FrameTurn& turn = elasticity.turnOf(load.weld);
  const int x = s_.nodeDof[load.node], w = weld.turn;
  std::array<int, 6> dofs{x, x + 1, x + 2, w, w + 1, w + 2};
  Mat<6> block = Mat<6>::Zero();
  if (load.follower) {
    const auto same = [&](const scene::NodeRef& ref) { return ref.body == load.at.body && ref.node == load.at.node; };
    const auto at = std::find_if(weld.refs.begin(), weld.refs.end(), same) - weld.refs.begin();
    const WeldArm& arm = s_.arms[weld.arms[static_cast<std::size_t>(at)]];
    const Vec3 local = load.value[0] * arm.d1 + load.value[1] * arm.t.cross(arm.d1) + load.value[2] * arm.t;
    const Vec3 force = turn(elasticity.frames().welds[load.weld].turn * local);
    residual.segment<3>(x) -= force;
    block.block<3, 3>(0, 3) = geometry::skew(force) * turn.rate();
  } else {
    const Vec3 force = turn.onIncrement(load.value);
    residual.segment<3>(w) -= force;
    block.block<3, 3>(3, 3) = turn.onIncrementSlope(load.value) * -1;
  }
  if (!tangent) return;
  for (int& dof : dofs) {
    if (prescribed[dof]) dof = -1;
  }
  tangent->add(dofs, block);
}

void Loads::addEdgeLoads(const Elasticity& elasticity, const std::vector<elastic::EdgeFrame>& frames,
                         const std::vector<char>& prescribed, VectorX& residual, solve::PartedTangent* tangent) const {
  for (const EdgeLoad& load : edgeLoads_) {
    if (!isMine(load)) continue;
    if (load.weld >= 0) {
      addWeldLoad(load, elasticity, prescribed, residual, tangent);
      continue;
    }
    const Edge& e = s_.edges[load.edge];
    const int a = s_.nodeDof[e.a], b = s_.nodeDof[e.b];
    std::array<int, 7> dofs{a, a + 1, a + 2, b, b + 1, b + 2, e.theta};
    Mat<7> block = Mat<7>::Zero();
    if (load.follower) {
      const elastic::FollowerForce f = elastic::followerForce(frames[load.edge], load.inEdge);
      const int row = load.node == e.a ? 0 : 3;
      residual.segment<3>(s_.nodeDof[load.node]) -= f.force;
      block.block<3, 3>(row, 0) = f.edgeJacobian;
      block.block<3, 3>(row, 3) = -f.edgeJacobian;
      block.block<3, 1>(row, 6) = -f.thetaJacobian;
    } else {
      const elastic::EdgeMoment m = elastic::edgeMoment(frames[load.edge], load.value);
      residual.segment<3>(a) += m.force;
      residual.segment<3>(b) -= m.force;
      residual[e.theta] -= m.twist;
      block.block<3, 3>(0, 0) = block.block<3, 3>(3, 3) = -m.forceJacobian;
      block.block<3, 3>(0, 3) = block.block<3, 3>(3, 0) = m.forceJacobian;
      block.block<1, 3>(6, 0) = m.twistJacobian.transpose();
      block.block<1, 3>(6, 3) = -m.twistJacobian.transpose();
    }
    if (!tangent) continue;
    for (int& dof : dofs) {
      if (prescribed[dof]) dof = -1;
    }
    tangent->add(dofs, block);
  }
}

Vec3 Loads::heaviness(const VectorX& q) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < s_.nodes.size(); ++i) {
    const int d = s_.nodeDof[i];
    if (!part_->has(d)) continue;
    sum += (mass_[d] - fluid_ * s_.displaced[d]) * (s_.nodes[i] + q.segment<3>(d));
  }
  return sum;
}

double Loads::gravityWork(const VectorX& move, const Vec3& gravity) const {
  double sum = 0;
  for (const int d : part_->nodeDofs) sum += (mass_[d] - fluid_ * s_.displaced[d]) * gravity.dot(move.segment<3>(d));
  return sum;
}

double Loads::heavyMass() const {
  double sum = 0;
  for (const int d : part_->nodeDofs) sum += mass_[d] - fluid_ * s_.displaced[d];
  return sum;
}

void Loads::thrust(VectorX& out) const {
  out = dead_;
  for (const int d : s_.nodeDof) {
    out.segment<3>(d) -= (mass_[d] - fluid_ * s_.displaced[d]) * gravity_ + viscosity_[d] * medium_;
  }
}

model::WorkDone Loads::dragWork(const VectorX& move, double dt, const Vec3& medium) const {
  model::WorkDone done;
  for (const int d : part_->nodeDofs) {
    const double eta = viscosity_[d];
    if (eta == 0) continue;
    const Vec3 u = move.segment<3>(d) / dt - medium;
    done.dissipated += dt * eta * u.squaredNorm();
    done.work -= dt * eta * u.dot(medium);
  }
  return done;
}

Vec3 Loads::drag(const VectorX& move, double dt, const Vec3& medium) const {
  Vec3 force = Vec3::Zero();
  for (const int d : part_->nodeDofs) force -= viscosity_[d] * (move.segment<3>(d) / dt - medium);
  return force;
}

double Loads::gravityEnergy(const VectorX& q, int body) const {
  double energy = 0;
  const auto add = [&](int node, double mass) {
    energy -= mass * gravity_.dot(s_.nodes[node] + q.segment<3>(s_.nodeDof[node]));
  };
  if (body < 0) {
    for (std::size_t i = 0; i < s_.nodes.size(); ++i) {
      const int d = s_.nodeDof[i];
      add(static_cast<int>(i), mass_[d] - fluid_ * s_.displaced[d]);
    }
    return energy;
  }
  for (const AddedMass& a : added_) {
    if (a.body == body) add(a.node, a.mass);
  }
  for (const Edge& e : s_.edges) {
    if (e.rod != body) continue;
    for (int node : {e.a, e.b}) add(node, 0.5 * e.length * (e.massPerLength - fluid_ * e.section.area));
  }
  if (scene_.isRod(body)) return energy;
  const std::size_t shell = static_cast<std::size_t>(body) - scene_.rods.size();
  for (int i = s_.shell.firstTriangle[shell]; i < s_.shell.firstTriangle[shell + 1]; ++i) {
    const ShellTriangle& t = s_.shell.triangles[i];
    for (int node : t.nodes) add(node, t.rest.area / 3 * (t.massPerArea - fluid_ * t.thickness));
  }
  return energy;
}

}  // namespace tendril::rods_shells
