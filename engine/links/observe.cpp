// What probes see of linkages, and their state for result files.
#include <algorithm>

#include "model/balance_probe.h"
#include "scene/reducer.h"
#include "links/model.h"

namespace tendril::links {

// Of joints of several rotations: rotation vector, then place, of the pose over the joint.
VectorX Model::jointCoordinates(const BuiltLink& link) const {
  if (!link.onGroup) return history_.q.segment(link.jointFirst, link.jointCount);
  const ChainStep& step = system_->chain().steps()[static_cast<std::size_t>(link.joint[0])];
  const geometry::Pose g = geometry::inverse(link.offset) * step.offset * motionOf(link.base * history_.q.segment(link.jointFirst, link.jointCount));
  geometry::Vec6 whole;
  whole << geometry::logarithm({g.R, Vec3::Zero()}).head<3>(), g.r;
  return link.base.transpose() * whole;
}

geometry::Vec6 Model::strainAt(const scene::LinkRef& ref) const {
  const BuiltLink& built = structure_->at(ref);
  const scene::Link& link = own_.links[static_cast<std::size_t>(ref.link)];
  const double s = ref.at * link.length();
  std::size_t k = built.softs.size() - 1;
  while (k > 0 && built.starts[k] > s) --k;
  const SoftSegment& soft = structure_->builder.soft(built.softs[k]);
  geometry::Vec6 strain = soft.strain(std::min(1.0, (s - built.starts[k]) / soft.body.length), history_.q);
  strain[3] -= 1;
  return strain;
}

void Model::observe(int number, std::span<double> columns) {
  using Kind = scene::Probe::Kind;
  const scene::Probe& probe = scene_.probes[static_cast<std::size_t>(number)];
  scene::Reducer out(probe.reduce, columns);
  if (probe.kind == Kind::energy && scene::isOfBalance(probe.energy)) {
    model::EnergyBalance balance;
    energyBalance(balance);
    out.add(model::valueOf(balance, probe.energy));
    return;
  }
  if (probe.kind == Kind::energy) {
    out.add(energyOf(probe.energy));
    return;
  }
  if (probe.kind == Kind::contact) {
    out.add(contactOf(probe));
    return;
  }
  if (probe.kind == Kind::distance) {
    out.add((meanPosition(number, false) - meanPosition(number, true)).norm());
    return;
  }
  if (probe.kind == Kind::cable || probe.kind == Kind::cableRate) {
    for (const Structure::Wire& wire : structure_->wires) {
      if (wire.cable != probe.cableIndex) continue;
      out.add(probe.kind == Kind::cable ? wire.rigid + tendonLength(wire.tendon, history_.q, frames())
                                        : tendonRate(wire.tendon, history_.q, history_.v, frames()));
    }
    return;
  }
  if (probe.kind == Kind::jointEffort) balance();
  for (const scene::LinkRef& ref : probe.places) {
    if (ref.linkage == structure_->linkage) observeAt(probe, ref, out);
  }
}

double Model::contactOf(const scene::Probe& probe) {
  scene::ContactSummary sum;
  prepare(instant_, instant_, instant_.t);
  std::vector<int> obstacles = probe.obstacles;
  if (obstacles.empty()) obstacles.push_back(-1);
  for (const int o : obstacles) {
    const scene::ContactSummary one = contact_->summary(frames(), o);
    sum.force += one.force, sum.pairs += one.pairs;
    sum.penetration = std::max(sum.penetration, one.penetration);
  }
  return probe.contact == scene::ContactKind::force ? sum.force : probe.contact == scene::ContactKind::pairs ? sum.pairs : sum.penetration;
}

void Model::observeAt(const scene::Probe& probe, const scene::LinkRef& ref, scene::Reducer& out) {
  using Kind = scene::Probe::Kind;
  const BuiltLink& built = structure_->at(ref);
  if (probe.kind == Kind::jointAngle) {
    out.add(jointCoordinates(built).eval().data());
    return;
  }
  if (probe.kind == Kind::jointEffort) {
    const scene::LinkJoint& joint = own_.links[static_cast<std::size_t>(ref.link)].joint;
    VectorX effort(built.jointCount);
    for (int i = 0; i < built.jointCount; ++i) {
      const scene::JointCoordinate& c = joint.coordinates[static_cast<std::size_t>(i)];
      effort[i] = c.driven ? system_->effort()[built.jointFirst + i] : drives_.effort(instant_, c);
    }
    out.add(effort.data());
    return;
  }
  if (probe.kind == Kind::strain || probe.kind == Kind::curvature || probe.kind == Kind::twist) {
    const geometry::Vec6 strain = strainAt(ref);
    // Toward d1 = y the body turns by bendZ, toward d2 = z against bendY.
    const double toward[] = {strain[2], -strain[1]};
    if (probe.kind == Kind::strain) out.add(strain.data());
    if (probe.kind == Kind::curvature) out.add(toward);
    if (probe.kind == Kind::twist) out.add(strain[0]);
    return;
  }
  const PlaceState state = stateAt(structure_->place(scene_, ref), frames(), history_.q, history_.v);
  const Vec3 velocity = state.pose.R * state.velocity.tail<3>();
  switch (probe.kind) {
    case Kind::position: out.add(state.pose.r); break;
    case Kind::velocity: out.add(velocity); break;
    case Kind::tangent: out.add(Vec3(state.pose.R.col(0))); break;
    case Kind::speed: out.add(velocity.norm()); break;
    case Kind::pose: {
      const Eigen::Quaterniond turn(state.pose.R);
      const double row[] = {state.pose.r.x(), state.pose.r.y(), state.pose.r.z(), turn.w(), turn.x(), turn.y(), turn.z()};
      out.add(row);
      break;
    }
    default: break;
  }
}

bool Model::energyBalance(model::EnergyBalance& out) {
  prepare(instant_, instant_, instant_.t);
  out = ledger_->balance(history_.q, history_.v);
  out.little = little(scene_.solver.dt) + ledger_->flightDigits();
  framesFresh_ = false;
  return true;
}

Vec3 Model::meanPosition(int number, bool second) {
  const scene::Probe& probe = scene_.probes[static_cast<std::size_t>(number)];
  const std::vector<scene::LinkRef>& places = second ? probe.otherPlaces : probe.places;
  Vec3 sum = Vec3::Zero();
  double count = 0;
  for (const scene::LinkRef& ref : places) {
    if (ref.linkage != structure_->linkage) continue;
    sum += stateAt(structure_->place(scene_, ref), frames(), history_.q, history_.v).pose.r;
    ++count;
  }
  return sum / std::max(1.0, count);
}

// The system counts a spring's energy from 0: what is missing where it is at ease elsewhere.
double Model::energyOfRests() const {
  const formula::Input in = scene::timedInput(scene_, instant_);
  double sum = 0;
  for (const BuiltLink& built : structure_->links) {
    const scene::LinkJoint& joint = own_.links[static_cast<std::size_t>(built.link)].joint;
    for (int i = 0; i < built.jointCount && !built.onGroup; ++i) {
      const scene::JointCoordinate& c = joint.coordinates[static_cast<std::size_t>(i)];
      const double rest = c.rest(in);
      sum += c.stiffness(in) * rest * (0.5 * rest - history_.q[built.jointFirst + i]);
    }
  }
  return sum;
}

double Model::energyOf(scene::EnergyKind kind) {
  // Stretch with shear, bend and twist are of soft bodies; springs of joints are elastic too.
  double modes[6] = {};
  for (const BuiltLink& built : structure_->links) {
    for (const int number : built.softs) {
      const SoftSegment& soft = structure_->builder.soft(number);
      const int n = static_cast<int>(soft.modes.size());
      const VectorX q = history_.q.segment(soft.first, n), force = system_->stiffness().block(soft.first, soft.first, n, n) * q;
      for (int j = 0; j < n; ++j) modes[soft.modes[static_cast<std::size_t>(j)]] += 0.5 * q[j] * force[j];
    }
  }
  if (kind == scene::EnergyKind::twist) return modes[0];
  if (kind == scene::EnergyKind::bend) return modes[1] + modes[2];
  if (kind == scene::EnergyKind::stretch) return modes[3] + modes[4] + modes[5];
  if (kind == scene::EnergyKind::membrane || kind == scene::EnergyKind::hinge || kind == scene::EnergyKind::springs) return 0;
  if (kind == scene::EnergyKind::contact) return contact_->energy(frames());
  const System::Energies& e = state_.energies();
  if (kind == scene::EnergyKind::kinetic) return e.kinetic;
  const double lifted = fluid_->empty() ? 0 : fluid_->buoyantEnergy(frames());
  if (kind == scene::EnergyKind::gravity) return e.gravity + lifted;
  const double rests = energyOfRests();
  if (kind == scene::EnergyKind::elastic) return e.elastic + rests;
  return e.total() + lifted + rests + contact_->energy(frames());
}

void Model::bodies(std::vector<model::BodyState>& out) {
  model::BodyState body;
  body.name = own_.name;
  for (const BuiltLink& built : structure_->links) {
    model::BodyState::LinkState link;
    link.name = body.name + "/" + own_.links[static_cast<std::size_t>(built.link)].name;
    const VectorX joint = jointCoordinates(built);
    link.q.assign(joint.data(), joint.data() + joint.size());
    for (int k = built.jointCount; k < built.count; ++k) link.q.push_back(history_.q[built.first + k]);
    for (int k = 0; k < built.count; ++k) link.v.push_back(history_.v[built.first + k]);
    link.firstNode = static_cast<int>(body.nodes.size() / 3);
    for (const DrawnPoint& p : drawn_) {
      if (p.ref.link != built.link) continue;
      const DrawnState s = drawnState(p);
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
