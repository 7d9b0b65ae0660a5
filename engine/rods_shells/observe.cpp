#include "rods_shells/observe.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include "elastic/stretch.h"
#include "rods_shells/shell_fields.h"
#include "rods_shells/welds.h"
#include "scene/reducer.h"

namespace tendril::rods_shells {
namespace {

Vec3 position(const System& system, const VectorX& q, int node) {
  const Structure& s = system.structure();
  return s.nodes[node] + q.segment<3>(s.nodeDof[node]);
}

double kineticOf(System& system, const ObservedState& state, const scene::Scene& scene, int body) {
  const Structure& s = system.structure();
  const VectorX& v = *state.v;
  double kinetic = 0;
  const auto add = [&](int node, double mass) { kinetic += 0.5 * mass * v.segment<3>(s.nodeDof[node]).squaredNorm(); };
  for (const Loads::AddedMass& a : system.loads().addedMasses()) {
    if (a.body == body) add(a.node, a.mass);
  }
  for (const Edge& e : s.edges) {
    if (e.rod != body) continue;
    for (int node : {e.a, e.b}) add(node, 0.5 * e.massPerLength * e.length);
    kinetic += 0.5 * e.inertiaPerLength * e.length * v[e.theta] * v[e.theta];
  }
  for (const Weld& weld : s.welds) {
    for (const int i : weld.edges) {
      const Edge& e = s.edges[i];
      if (e.rod != body) continue;
      kinetic += 0.5 * halfEdgeInertia(e) * (v.segment<3>(weld.turn).squaredNorm() - v[e.theta] * v[e.theta]);
    }
  }
  if (scene.isRod(body)) return kinetic;
  const std::size_t shell = static_cast<std::size_t>(body) - scene.rods.size();
  for (int i = s.shell.firstTriangle[shell]; i < s.shell.firstTriangle[shell + 1]; ++i) {
    const ShellTriangle& t = s.shell.triangles[i];
    for (int node : t.nodes) add(node, t.massPerArea * t.rest.area / 3);
  }
  return kinetic;
}

double contactEnergy(const System& system, const VectorX& q, int body) {
  const double outside = system.contacts().energy(q, body);
  return system.pairs().empty() ? outside : outside + system.pairs().energy(q, body);
}

double energyOf(System& system, const scene::Probe& probe, const ObservedState& state, int body) {
  const VectorX &v = *state.v, &mass = system.loads().mass();
  if (probe.energy == scene::EnergyKind::gravity) return system.loads().gravityEnergy(*state.q, body);
  const auto kinetic = [&] {
    return body < 0 ? 0.5 * v.dot(mass.cwiseProduct(v)) : kineticOf(system, state, system.scene(), body);
  };
  if (probe.energy == scene::EnergyKind::kinetic) return kinetic();
  const ElasticEnergy e = system.elasticity().energies(state.strains, body);
  switch (probe.energy) {
    case scene::EnergyKind::stretch:
      return e.stretch;
    case scene::EnergyKind::bend:
      return e.bend;
    case scene::EnergyKind::twist:
      return e.twist;
    case scene::EnergyKind::membrane:
      return e.membrane;
    case scene::EnergyKind::hinge:
      return e.hinge;
    case scene::EnergyKind::springs:
      return e.springs;
    case scene::EnergyKind::elastic:
      return e.total();
    case scene::EnergyKind::contact:
      return contactEnergy(system, *state.q, body);
    case scene::EnergyKind::total:
      return kinetic() + system.loads().gravityEnergy(*state.q, body) + e.total() +
             contactEnergy(system, *state.q, body);
    default:
      return 0;
  }
}

void observeFrames(System& system, const scene::Probe& probe, const ObservedState& state, scene::Reducer& reducer) {
  const Structure& s = system.structure();
  const auto& frames = system.elasticity().edgeFrames(*state.q);
  for (const scene::NodeRef& ref : probe.nodes) {
    const NodeFrame f = nodeFrame(s, frames, ref);
    if (probe.kind == scene::Probe::Kind::tangent) {
      reducer.add(f.t);
      continue;
    }
    Mat3 r;
    r << f.m1, f.t.cross(f.m1), f.t;
    Eigen::Quaterniond turn(r);
    if (turn.w() < 0) turn.coeffs() = -turn.coeffs();
    const Vec3 x = position(system, *state.q, s.node(ref));
    const double row[7] = {x.x(), x.y(), x.z(), turn.w(), turn.x(), turn.y(), turn.z()};
    reducer.add(row);
  }
}

// Moment, or curvature and twist per length.
Vec3 springValue(System& system, const scene::Probe& probe, const ObservedState& state, int i) {
  const Spring& p = system.structure().springs[i];
  const Vec3& strain = state.strains.bend[i];
  if (probe.kind == scene::Probe::Kind::moment) return system.elasticity().springStress(i, strain);
  Vec3 out;
  out << continuousCurvature(strain.head<2>(), p.voronoi), strain[2] / p.voronoi;
  return out;
}

// Of the half springs of a rod that passes a weld or a clamp, the one behind the node.
int otherHalf(const Structure& s, int spring, scene::NodeRef ref) {
  const Spring& before = s.springs[spring];
  if (before.f.edge >= 0) return -1;
  for (const int i : s.springsAt[s.rodFirstNode[ref.body] + ref.node]) {
    const Spring& p = s.springs[i];
    if (p.e.edge < 0 && p.active == before.active && p.kept == before.kept) return i;
  }
  return -1;
}

void observeSprings(System& system, const scene::Probe& probe, const ObservedState& state, scene::Reducer& reducer) {
  const Structure& s = system.structure();
  for (const scene::NodeRef& ref : probe.nodes) {
    const int i = springAt(s, ref);
    if (i < 0) {
      // A free end carries no moment and no curvature; in a selection of a whole rod it does not count.
      if (probe.nodes.size() == 1) reducer.add(Vec3(0, 0, 0));
      continue;
    }
    // Where a rod passes a weld or a clamp, its halves on either side carry different moments: the mean is that of the
    // node.
    const int other = otherHalf(s, i, ref);
    Vec3 value = springValue(system, probe, state, i);
    if (other >= 0) value = 0.5 * (value + springValue(system, probe, state, other));
    if (probe.kind == scene::Probe::Kind::twist) {
      reducer.add(value[2]);
    } else if (probe.kind == scene::Probe::Kind::curvature) {
      reducer.add(value.data());
    } else {
      reducer.add(value);
    }
  }
}

void observeEdges(System& system, const scene::Probe& probe, const ProbePlan& plan, const ObservedState& state,
                  scene::Reducer& reducer) {
  const Structure& s = system.structure();
  for (int i : plan.edges) {
    const Edge& e = s.edges[i];
    const double strain = state.strains.stretch[i];
    const double length = (1 + strain) * e.naturalLength;
    if (probe.kind == scene::Probe::Kind::stretch) reducer.add(length / e.length);
    if (probe.kind == scene::Probe::Kind::tension) reducer.add(e.EA * elastic::UnitStretch::stress(strain));
    if (probe.kind == scene::Probe::Kind::length) reducer.add(length);
  }
}

void observeForces(System& system, const scene::Probe& probe, const ProbePlan& plan, const ObservedState& state,
                   scene::Reducer& reducer) {
  const Structure& s = system.structure();
  for (int node : plan.nodes) {
    if (probe.kind == scene::Probe::Kind::reaction) {
      Vec3 force = Vec3::Zero();
      for (int k = 0; k < 3; ++k) {
        const int dof = s.nodeDof[node] + k;
        if (system.supports().prescribed()[dof]) force[k] = state.balance->residual[dof];
      }
      reducer.add(force);
      continue;
    }
    Vec3 moment = -system.loads().momentOnClamp(node) - system.fields().momentOnClamp(node, *state.q, *state.v);
    for (std::size_t h = 0; h < s.held.size(); ++h) {
      if (s.held[h].node == node) moment += system.elasticity().heldMoment(*state.q, static_cast<int>(h));
    }
    // What a shell does to the frame of a weld that is held.
    const int weld = s.weldAt[node];
    if (weld >= 0 && system.supports().weldsHeld()[weld] >= 0)
      moment += state.balance->residual.segment<3>(s.welds[weld].turn);
    reducer.add(moment);
  }
}

// Of some bodies, against some obstacles; where no obstacles are named, also among bodies.
double contactValue(const System& system, const scene::Probe& probe, const VectorX& q) {
  scene::ContactSummary all;
  const auto add = [&](const scene::ContactSummary& one) {
    all.force += one.force;
    all.pairs += one.pairs;
    all.penetration = std::max(all.penetration, one.penetration);
  };
  static constexpr int every[] = {-1};
  const auto named = [](const std::vector<int>& some) {
    return some.empty() ? std::span<const int>(every) : std::span<const int>(some);
  };
  for (int body : named(probe.bodies)) {
    if (body >= system.scene().bodyCount()) continue;  // another model's
    for (int obstacle : named(probe.obstacles)) add(system.contacts().summary(q, body, obstacle));
  }
  if (probe.obstacles.empty() && !system.pairs().empty()) add(system.pairs().summary(q, probe.bodies));
  if (probe.contact == scene::ContactKind::force) return all.force;
  return probe.contact == scene::ContactKind::pairs ? all.pairs : all.penetration;
}

}  // namespace

Vec3 meanPosition(const System& system, const VectorX& q, const std::vector<scene::NodeRef>& nodes) {
  Vec3 sum = Vec3::Zero();
  for (const scene::NodeRef& ref : nodes) sum += position(system, q, system.structure().node(ref));
  return sum / static_cast<double>(std::max<std::size_t>(1, nodes.size()));
}

NodeFrame nodeFrame(const Structure& s, const std::vector<elastic::EdgeFrame>& frames, scene::NodeRef ref) {
  const int edges = static_cast<int>(s.bodyNodes[ref.body].size()) - 1;
  const elastic::EdgeFrame& before = frames[s.rodFirstEdge[ref.body] + std::max(0, ref.node - 1)];
  const elastic::EdgeFrame& after = frames[s.rodFirstEdge[ref.body] + std::min(edges - 1, ref.node)];
  NodeFrame f;
  f.t = (before.t + after.t).normalized();
  f.m1 = geometry::normalTo(before.m1 + after.m1, f.t);
  return f;
}

int springAt(const Structure& s, scene::NodeRef ref) {
  for (int i : s.springsAt[s.rodFirstNode[ref.body] + ref.node]) {
    if (s.springs[i].active) return i;
  }
  for (int i : s.springsAt[s.rodFirstNode[ref.body] + ref.node]) {
    if (s.springs[i].kept) return i;
  }
  return -1;
}

bool needsBalance(const scene::Probe& probe) {
  return probe.kind == scene::Probe::Kind::reaction || probe.kind == scene::Probe::Kind::reactionMoment;
}

ProbePlan planProbe(const Structure& s, const scene::Probe& probe) {
  ProbePlan plan;
  std::set<std::pair<int, int>> in;
  std::set<int> seen;
  for (const scene::NodeRef& n : probe.nodes) {
    in.insert({n.body, n.node});
    if (seen.insert(s.node(n)).second) plan.nodes.push_back(s.node(n));
  }
  if (probe.kind == scene::Probe::Kind::angle) {
    plan.hinges = selectedHinges(s, probe.nodes);
    return plan;
  }
  const int rods = static_cast<int>(s.rodFirstEdge.size());
  for (const scene::NodeRef& n : probe.nodes) {
    if (n.body < rods && in.count({n.body, n.node + 1})) plan.edges.push_back(s.edge({n.body, n.node}));
  }
  if (plan.edges.empty() && probe.nodes.size() == 1 && probe.nodes[0].body < rods)
    plan.edges.push_back(s.edgeAt(probe.nodes[0]));
  return plan;
}

void observeProbe(System& system, const scene::Probe& probe, const ProbePlan& plan, const ObservedState& state,
                  std::span<double> columns) {
  const Structure& s = system.structure();
  if (probe.kind == scene::Probe::Kind::distance) {
    columns[0] = (meanPosition(system, *state.q, probe.nodes) - meanPosition(system, *state.q, probe.other)).norm();
    return;
  }
  if (probe.kind == scene::Probe::Kind::contact) {
    columns[0] = contactValue(system, probe, *state.q);
    return;
  }
  if (probe.kind == scene::Probe::Kind::energy) {
    columns[0] = probe.bodies.empty() ? energyOf(system, probe, state, -1) : 0;
    for (int body : probe.bodies) {
      if (body < system.scene().bodyCount()) columns[0] += energyOf(system, probe, state, body);
    }
    return;
  }
  scene::Reducer reducer(probe.reduce, columns);
  switch (probe.kind) {
    case scene::Probe::Kind::position:
      for (const scene::NodeRef& ref : probe.nodes) reducer.add(position(system, *state.q, s.node(ref)));
      break;
    case scene::Probe::Kind::velocity:
      for (const scene::NodeRef& ref : probe.nodes) reducer.add(Vec3(state.v->segment<3>(s.nodeDof[s.node(ref)])));
      break;
    case scene::Probe::Kind::speed:
      for (const scene::NodeRef& ref : probe.nodes) reducer.add(state.v->segment<3>(s.nodeDof[s.node(ref)]).norm());
      break;
    case scene::Probe::Kind::tangent:
    case scene::Probe::Kind::pose:
      observeFrames(system, probe, state, reducer);
      break;
    case scene::Probe::Kind::curvature:
    case scene::Probe::Kind::twist:
    case scene::Probe::Kind::moment:
      observeSprings(system, probe, state, reducer);
      break;
    case scene::Probe::Kind::stretch:
    case scene::Probe::Kind::tension:
    case scene::Probe::Kind::length:
      observeEdges(system, probe, plan, state, reducer);
      break;
    case scene::Probe::Kind::reaction:
    case scene::Probe::Kind::reactionMoment:
      observeForces(system, probe, plan, state, reducer);
      break;
    case scene::Probe::Kind::angle:
      for (int hinge : plan.hinges) reducer.add(state.strains.shell.angle[hinge]);
      break;
    default:
      break;
  }
}

}  // namespace tendril::rods_shells
