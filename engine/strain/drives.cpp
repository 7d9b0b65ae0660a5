#include "strain/drives.h"

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
        w += force * structure.builder.step(built.joint[0]).base.col(i);
        system.setCoordinate(row, 0, c.damping(in));
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

void Drives::driven(const Moment& at, double h, const LinkageStructure& structure, std::vector<DrivenValue>& out) const {
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
      if (h > 0 && c.driven->isTimed()) {
        const double t = at.t;
        if (t >= 2 * h) {
          const double m2 = f(t - 2 * h), m1 = f(t - h), p1 = f(t + h), p2 = f(t + 2 * h);
          d.rate = (m2 - 8 * m1 + 8 * p1 - p2) / (12 * h);
          d.acceleration = (-m2 + 16 * m1 - 30 * d.value + 16 * p1 - p2) / (12 * h * h);
        } else {
          // A run knows nothing of the time before it.
          const double p1 = f(t + h), p2 = f(t + 2 * h), p3 = f(t + 3 * h), p4 = f(t + 4 * h);
          d.rate = (-25 * d.value + 48 * p1 - 36 * p2 + 16 * p3 - 3 * p4) / (12 * h);
          d.acceleration = (35 * d.value - 104 * p1 + 114 * p2 - 56 * p3 + 11 * p4) / (12 * h * h);
        }
      }
      out.push_back(d);
    }
  });
}

}  // namespace tendril
