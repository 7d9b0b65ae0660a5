#include "links/view/probes.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "links/natural_strains.h"

namespace tendril::links {
namespace {

geometry::Vec6 strainOf(const State& state, const scene::LinkRef& ref) {
  const BuiltLink& built = state.structure->at(ref);
  const scene::Link& link = state.own.links[static_cast<std::size_t>(ref.link)];
  const double s = ref.at * link.length();
  std::size_t k = built.softs.size() - 1;
  while (k > 0 && built.starts[k] > s) --k;
  const SoftSegment& soft = state.structure->builder.soft(built.softs[k]);
  geometry::Vec6 strain = soft.strain(std::min(1.0, (s - built.starts[k]) / soft.body.length), state.history.q);
  strain[3] -= 1;
  return strain;
}

double contactOf(const State& state, const scene::Probe& probe) {
  scene::ContactSummary sum;
  state.prepare(state.instant, state.instant, state.instant.t);
  std::vector<int> obstacles = probe.obstacles;
  if (obstacles.empty()) obstacles.push_back(-1);
  for (const int o : obstacles) {
    const scene::ContactSummary one = state.contact->summary(state.frames(), o);
    sum.force += one.force, sum.pairs += one.pairs;
    sum.penetration = std::max(sum.penetration, one.penetration);
  }
  return probe.contact == scene::ContactKind::force   ? sum.force
         : probe.contact == scene::ContactKind::pairs ? sum.pairs
                                                      : sum.penetration;
}

// The system counts a spring's energy from 0: what is missing where it is at ease elsewhere.
double energyOfRests(const State& state) {
  const formula::Input in = scene::timedInput(state.scene, state.instant);
  double sum = 0;
  for (const BuiltLink& built : state.structure->links) {
    const scene::LinkJoint& joint = state.own.links[static_cast<std::size_t>(built.link)].joint;
    for (int i = 0; i < built.jointCount && !built.onGroup; ++i) {
      const scene::JointCoordinate& c = joint.coordinates[static_cast<std::size_t>(i)];
      const double rest = c.rest(in);
      sum += c.stiffness(in) * rest * (0.5 * rest - state.history.q[built.jointFirst + i]);
    }
  }
  return sum;
}

double energyOf(const State& state, scene::EnergyKind kind) {
  // Stretch with shear, bend and twist are of soft bodies; springs of joints are elastic too.
  double modes[6] = {}, actuated[6] = {};
  if (!state.structure->actuated.empty()) {
    std::vector<NaturalStrain> natural;
    findNaturalStrains(state.scene, state.instant, *state.structure, natural);
    addNaturalEnergy(natural, *state.structure, state.history.q, actuated);
    std::copy(std::begin(actuated), std::end(actuated), modes);
  }
  for (const BuiltLink& built : state.structure->links) {
    for (const int number : built.softs) {
      const SoftSegment& soft = state.structure->builder.soft(number);
      const int n = static_cast<int>(soft.modes.size());
      const VectorX q = state.history.q.segment(soft.first, n),
                    force = state.system->stiffness().block(soft.first, soft.first, n, n) * q;
      for (int j = 0; j < n; ++j) modes[soft.modes[static_cast<std::size_t>(j)]] += 0.5 * q[j] * force[j];
    }
  }
  if (kind == scene::EnergyKind::twist) return modes[0];
  if (kind == scene::EnergyKind::bend) return modes[1] + modes[2];
  if (kind == scene::EnergyKind::stretch) return modes[3] + modes[4] + modes[5];
  if (kind == scene::EnergyKind::membrane || kind == scene::EnergyKind::hinge || kind == scene::EnergyKind::springs)
    return 0;
  if (kind == scene::EnergyKind::contact) return state.contact->energy(state.frames());
  const System::Energies& e = state.energies();
  if (kind == scene::EnergyKind::kinetic) return e.kinetic;
  const double lifted = state.fluid->empty() ? 0 : state.fluid->buoyantEnergy(state.frames());
  if (kind == scene::EnergyKind::gravity) return e.gravity + lifted;
  const double rests = std::accumulate(std::begin(actuated), std::end(actuated), energyOfRests(state));
  if (kind == scene::EnergyKind::elastic) return e.elastic + rests;
  return e.total() + lifted + rests + state.contact->energy(state.frames());
}

void observeAt(const State& state, const scene::Probe& probe, const scene::LinkRef& ref, scene::Reducer& out) {
  using Kind = scene::Probe::Kind;
  const BuiltLink& built = state.structure->at(ref);
  if (probe.kind == Kind::jointAngle) {
    out.add(jointCoordinates(state, built).eval().data());
    return;
  }
  if (probe.kind == Kind::jointEffort) {
    const scene::LinkJoint& joint = state.own.links[static_cast<std::size_t>(ref.link)].joint;
    VectorX effort(built.jointCount);
    for (int i = 0; i < built.jointCount; ++i) {
      const scene::JointCoordinate& c = joint.coordinates[static_cast<std::size_t>(i)];
      effort[i] = c.driven ? state.system->effort()[built.jointFirst + i] : state.drives.effort(state.instant, c);
      if (!c.driven && state.moreEffort.size() > 0) effort[i] += state.moreEffort[built.jointFirst + i];
    }
    out.add(effort.data());
    return;
  }
  if (probe.kind == Kind::strain || probe.kind == Kind::curvature || probe.kind == Kind::twist) {
    const geometry::Vec6 strain = strainOf(state, ref);
    // Toward d1 = y the body turns by bendZ, toward d2 = z against bendY.
    const double toward[] = {strain[2], -strain[1]};
    if (probe.kind == Kind::strain) out.add(strain.data());
    if (probe.kind == Kind::curvature) out.add(toward);
    if (probe.kind == Kind::twist) out.add(strain[0]);
    return;
  }
  const PlaceState seen = state.at(ref);
  const Vec3 velocity = seen.pose.R * seen.velocity.tail<3>();
  switch (probe.kind) {
    case Kind::position:
      out.add(seen.pose.r);
      break;
    case Kind::velocity:
      out.add(velocity);
      break;
    case Kind::tangent:
      out.add(Vec3(seen.pose.R.col(0)));
      break;
    case Kind::speed:
      out.add(velocity.norm());
      break;
    case Kind::pose: {
      const Eigen::Quaterniond turn(seen.pose.R);
      const double row[] = {seen.pose.r.x(), seen.pose.r.y(), seen.pose.r.z(), turn.w(), turn.x(), turn.y(), turn.z()};
      out.add(row);
      break;
    }
    default:
      break;
  }
}

}  // namespace

// Of joints of several rotations: rotation vector, then displacement, of the pose over the joint.
VectorX jointCoordinates(const State& state, const BuiltLink& link) {
  if (!link.onGroup) return state.history.q.segment(link.jointFirst, link.jointCount);
  const ChainStep& step = state.system->chain().steps()[static_cast<std::size_t>(link.joint[0])];
  const geometry::Pose g = geometry::inverse(link.offset) * step.offset *
                           motionOf(link.base * state.history.q.segment(link.jointFirst, link.jointCount));
  geometry::Vec6 whole;
  whole << geometry::logarithm({g.R, Vec3::Zero()}).head<3>(), g.r;
  return link.base.transpose() * whole;
}

Vec3 meanPosition(const State& state, const scene::Probe& probe, bool second) {
  const std::vector<scene::LinkRef>& places = second ? probe.otherPlaces : probe.places;
  Vec3 sum = Vec3::Zero();
  double count = 0;
  for (const scene::LinkRef& ref : places) {
    if (ref.linkage != state.structure->linkage) continue;
    sum += state.at(ref).pose.r;
    ++count;
  }
  return sum / std::max(1.0, count);
}

void observe(const State& state, const scene::Probe& probe, scene::Reducer& out) {
  using Kind = scene::Probe::Kind;
  if (probe.kind == Kind::energy) {
    out.add(energyOf(state, probe.energy));
    return;
  }
  if (probe.kind == Kind::contact) {
    out.add(contactOf(state, probe));
    return;
  }
  if (probe.kind == Kind::distance) {
    out.add((meanPosition(state, probe, false) - meanPosition(state, probe, true)).norm());
    return;
  }
  if (probe.kind == Kind::cable || probe.kind == Kind::cableRate) {
    for (const Structure::Wire& wire : state.structure->wires) {
      if (wire.cable != probe.cableIndex) continue;
      out.add(probe.kind == Kind::cable ? wire.rigid + tendonLength(wire.tendon, state.history.q, state.frames())
                                        : tendonRate(wire.tendon, state.history.q, state.history.v, state.frames()));
    }
    return;
  }
  for (const scene::LinkRef& ref : probe.places) {
    if (ref.linkage == state.structure->linkage) observeAt(state, probe, ref, out);
  }
}

}  // namespace tendril::links
