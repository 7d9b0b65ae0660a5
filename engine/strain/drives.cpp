#include "strain/drives.h"

#include <algorithm>

namespace tendril {
namespace {

const LinkJoint& jointOf(const Scene& scene, const BuiltLink& built) {
  return scene.linkages[static_cast<std::size_t>(built.linkage)].links[static_cast<std::size_t>(built.link)].joint;
}

template <class Visit>
void forEachLink(const LinkageStructure& structure, const Visit& visit) {
  for (const BuiltLink& built : structure.links) visit(built);
}

Vec3 vectorOf(const Number3& value, const FormulaInput& in) { return {value[0](in), value[1](in), value[2](in)}; }

// Rate and acceleration by differences over h of a formula of which a run to `end` knows nothing before 0 and beyond.
template <class Formula>
void differentiate(const Formula& formula, double t, double h, double end, DrivenValue& d) {
  const double reach = 1e-9 * h;  // round-off
  h = std::min(h, end / 6);       // short runs have room for one side
  const auto f = [&](double steps) { return formula(std::min(t + steps * h, end)); };
  const bool first = t < 2 * h - reach;
  if (!first && t + 2 * h <= end + reach) {
    const double m2 = f(-2), m1 = f(-1), p1 = f(1), p2 = f(2);
    d.rate = (m2 - 8 * m1 + 8 * p1 - p2) / (12 * h);
    d.acceleration = (-m2 + 16 * m1 - 30 * d.value + 16 * p1 - p2) / (12 * h * h);
    return;
  }
  const double side = first ? 1 : -1, f1 = f(side), f2 = f(2 * side), f3 = f(3 * side), f4 = f(4 * side);
  d.rate = side * (-25 * d.value + 48 * f1 - 36 * f2 + 16 * f3 - 3 * f4) / (12 * h);
  d.acceleration = (35 * d.value - 104 * f1 + 114 * f2 - 56 * f3 + 11 * f4) / (12 * h * h);
}

}  // namespace

void Drives::attach(const LinkageStructure& structure, LinkageSystem& system) const {
  system.springs.clear();
  forEachLink(structure, [&](const BuiltLink& built) {
    const LinkJoint& joint = jointOf(scene_, built);
    if (built.onGroup) {
      PoseSpring spring;
      spring.step = built.joint[0], spring.offset = built.offset;
      system.springs.push_back(spring);
    }
    for (int i = 0; i < built.jointCount; ++i) {
      system.held[static_cast<std::size_t>(built.jointFirst + i)] = joint.coordinates[static_cast<std::size_t>(i)].driven ? 1 : 0;
    }
  });
  for (const LinkageStructure::Wire& wire : structure.wires) system.tendons.push_back(wire.tendon);
}

double Drives::effort(const Moment& at, const JointCoordinate& coordinate) const {
  return at.factor * coordinate.effort(timedInput(scene_, at));
}

void Drives::apply(const Moment& at, const LinkageStructure& structure, LinkageSystem& system) const {
  const FormulaInput in = timedInput(scene_, at);
  system.gravity = at.factor * vectorOf(scene_.environment.gravity, in);
  std::size_t spring = 0;
  system.restEnergy = 0;
  forEachLink(structure, [&](const BuiltLink& built) {
    const LinkJoint& joint = jointOf(scene_, built);
    PoseSpring* pose = built.onGroup ? &system.springs[spring++] : nullptr;
    Vec6 w = Vec6::Zero();
    for (int i = 0; i < built.jointCount; ++i) {
      const JointCoordinate& c = joint.coordinates[static_cast<std::size_t>(i)];
      const int row = built.jointFirst + i;
      const double k = c.stiffness(in), force = effort(at, c);
      if (pose) {
        (c.rotation ? pose->rotation : pose->translation) = k;
        (c.rotation ? pose->turning : pose->moving) = c.damping(in);
        w += force * structure.builder.step(built.joint[0]).base.col(i);
      } else {
        system.setCoordinate(row, k, c.damping(in));
        const double rest = c.rest(in);
        system.restForce[row] = k * rest, system.restEnergy += 0.5 * k * rest * rest;
        system.force[row] = force + system.restForce[row];
      }
    }
    if (pose) pose->effort = w;
  });
  for (std::size_t i = 0; i < structure.wires.size(); ++i) {
    const LinkageStructure::Wire& wire = structure.wires[i];
    const Cable& cable = scene_.linkages[static_cast<std::size_t>(structure.linkage)].cables[static_cast<std::size_t>(wire.cable)];
    system.tendons[i].tension = at.factor * cable.tension(in);
  }
  applyLoads(at, structure, system);
}

void Drives::applyLoads(const Moment& at, const LinkageStructure& structure, LinkageSystem& system) const {
  system.wrenches.clear();
  const FormulaInput in = timedInput(scene_, at);
  for (const LinkageStructure::PlacedLoad& placed : structure.loads) {
    const Load& load = *placed.load;
    const bool on = placed.extra ? at.extra != nullptr : isActive(load.interval, at);
    for (std::size_t k = 0; k < placed.steps.size(); ++k) {
      if (load.kind == Load::Kind::mass) {
        const double m = on ? load.mass(in) : 0;
        Vec6 d;
        d << 0, 0, 0, m, m, m;
        system.masses()[static_cast<std::size_t>(placed.masses[k])].inertia = d.asDiagonal();
        continue;
      }
      if (!on) continue;
      PointWrench p;
      p.step = placed.steps[k];
      p.world = load.kind != Load::Kind::follower;
      const double share = load.share ? 1.0 / static_cast<double>(load.places.size()) : 1;
      const Vec3 value = at.factor * share * vectorOf(load.value, in);
      if (load.kind == Load::Kind::moment) {
        p.wrench.head<3>() = value;
      } else {
        p.wrench.tail<3>() = value;
      }
      system.wrenches.push_back(p);
    }
  }
}

void Drives::driven(const Moment& at, double width, const LinkageStructure& structure, std::vector<DrivenValue>& out) const {
  out.clear();
  forEachLink(structure, [&](const BuiltLink& built) {
    const LinkJoint& joint = jointOf(scene_, built);
    for (int i = 0; i < built.jointCount; ++i) {
      const JointCoordinate& c = joint.coordinates[static_cast<std::size_t>(i)];
      if (!c.driven) continue;
      const auto f = [&](double t) {
        FormulaInput in = timedInput(scene_, at);
        in.t = t;
        return at.factor * (*c.driven)(in);
      };
      DrivenValue d;
      d.coordinate = built.jointFirst + i;
      d.value = f(at.t);
      if (width > 0 && c.driven->isTimed()) differentiate(f, at.t, width, std::max(at.t, scene_.solver.duration), d);
      out.push_back(d);
    }
  });
}

}  // namespace tendril
