// Probes of vines, and their state for result files.
#include <algorithm>
#include <cmath>

#include "scene/reducer.h"
#include "vines/model.h"
#include "vines/pin_spring.h"
#include "world/surroundings.h"

namespace tendril::vines {

Vec3 Model::nodeVelocity(const Robot& robot, int node) const {
  const Chain& chain = robot.chain;
  if (node == chain.pairs()) return robot.plane.vector(chain.tipVelocity());
  const int body = 2 * node;
  const double d = chain.parameters().halfLength;
  return robot.plane.vector(Vec2(chain.velocity(body) - d * chain.v[static_cast<std::size_t>(3 * body + 2)] *
                                                            leftOf(directionOf(chain.angle(body)))));
}

Model::Energies Model::energiesOf(const Robot& robot) const {
  const Chain& chain = robot.chain;
  const Vec3 gravity = world::gravity(scene_, instant_);
  Energies e;
  for (int b = 0; b < chain.bodies(); ++b) {
    const double rate = chain.v[static_cast<std::size_t>(3 * b + 2)];
    e.kinetic += 0.5 * (chain.bodyMass(b) * chain.velocity(b).squaredNorm() + chain.bodyInertia(b) * rate * rate);
    e.gravity -= chain.bodyMass(b) * gravity.dot(robot.plane.point(chain.position(b)));
  }
  std::vector<double> bend;
  bends(robot, bend);
  for (int pin = 0; pin < chain.pairs(); ++pin) e.bend += pinEnergy(chain, pin, bend[static_cast<std::size_t>(pin)]);
  return e;
}

// Forces of the last accepted step.
double Model::contactOf(const scene::Probe& probe) {
  double force = 0, deepest = 0;
  int pairs = 0;
  const auto wanted = [](const std::vector<int>& list, int what) {
    return list.empty() || std::find(list.begin(), list.end(), what) != list.end();
  };
  for (std::size_t i = 0; i < robots_.size(); ++i) {
    Robot& robot = robots_[i];
    if (!wanted(probe.bodies, scene_.bodyOfVine(static_cast<int>(i)))) continue;
    for (const Contact& c : robot.contacts) {
      if (!wanted(probe.obstacles, robot.obstacles[static_cast<std::size_t>(c.obstacle)])) continue;
      force += c.normalForce;
      ++pairs;
    }
    if (probe.contact != scene::ContactKind::penetration) continue;
    std::vector<PlanarShape> shapes;
    for (std::size_t s = 0; s < robot.shapes.size(); ++s) {
      if (wanted(probe.obstacles, robot.obstacles[s])) shapes.push_back(robot.shapes[s]);
    }
    const Overlap found = robot.step.overlap(robot.chain, shapes);
    if (found.body >= 0) deepest = std::max(deepest, found.depth);
  }
  return probe.contact == scene::ContactKind::force   ? force
         : probe.contact == scene::ContactKind::pairs ? pairs
                                                      : deepest;
}

void Model::observe(int number, std::span<double> columns) {
  using Kind = scene::Probe::Kind;
  const scene::Probe& probe = scene_.probes[static_cast<std::size_t>(number)];
  scene::Reducer out(probe.reduce, columns);
  if (probe.kind == Kind::energy) {
    double sum = 0;
    for (std::size_t i = 0; i < robots_.size(); ++i) {
      const int body = scene_.bodyOfVine(static_cast<int>(i));
      if (!probe.bodies.empty() && std::find(probe.bodies.begin(), probe.bodies.end(), body) == probe.bodies.end())
        continue;
      const Energies e = energiesOf(robots_[i]);
      switch (probe.energy) {
        case scene::EnergyKind::kinetic:
          sum += e.kinetic;
          break;
        case scene::EnergyKind::gravity:
          sum += e.gravity;
          break;
        case scene::EnergyKind::bend:
        case scene::EnergyKind::elastic:
          sum += e.bend;
          break;
        case scene::EnergyKind::total:
          sum += e.kinetic + e.gravity + e.bend;
          break;
        default:
          break;
      }
    }
    out.add(sum);
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
  for (const int i : probe.vines) {
    const Robot& robot = robots_[static_cast<std::size_t>(i)];
    const Chain& chain = robot.chain;
    const Vec3 velocity = robot.plane.vector(chain.tipVelocity());
    const Vec3 along = robot.plane.vector(directionOf(chain.angle(chain.bodies() - 1)));
    switch (probe.kind) {
      case Kind::position:
        out.add(tipOf(robot));
        break;
      case Kind::velocity:
        out.add(velocity);
        break;
      case Kind::tangent:
        out.add(along);
        break;
      case Kind::speed:
        out.add(velocity.norm());
        break;
      case Kind::length:
        out.add(chain.length());
        break;
      case Kind::growthForce:
        out.add(robot.report.growthForce);
        break;
      case Kind::pose: {
        Mat3 frame;
        frame << along, robot.plane.normal().cross(along), robot.plane.normal();
        const Eigen::Quaterniond turn(frame);
        const Vec3 x = tipOf(robot);
        const double row[] = {x.x(), x.y(), x.z(), turn.w(), turn.x(), turn.y(), turn.z()};
        out.add(row);
        break;
      }
      default:
        break;
    }
  }
}

Vec3 Model::meanPosition(int number, bool second) {
  const scene::Probe& probe = scene_.probes[static_cast<std::size_t>(number)];
  const std::vector<int>& vines = second ? probe.otherVines : probe.vines;
  Vec3 sum = Vec3::Zero();
  for (const int i : vines) sum += tipOf(robots_[static_cast<std::size_t>(i)]);
  return vines.empty() ? sum : Vec3(sum / static_cast<double>(vines.size()));
}

void Model::bodies(std::vector<BodyState>& out) {
  for (const Robot& robot : robots_) {
    const Chain& chain = robot.chain;
    BodyState body;
    body.name = robot.vine.name;
    body.placements = chain.q;
    const Vec3 normal = robot.plane.normal();
    for (int i = 0; i <= chain.pairs(); ++i) {
      const Vec3 x = robot.plane.point(chain.node(i)), v = nodeVelocity(robot, i);
      for (int k = 0; k < 3; ++k) {
        body.nodes.push_back(x[k]);
        body.velocity.push_back(v[k]);
        body.d1.push_back(normal[k]);
      }
      body.radius.push_back(chain.parameters().radius());
      body.curvature.push_back(i < chain.pairs() ? pinAngle(chain, i) / chain.pinLength(i) : 0);
      body.stretch.push_back(1);
    }
    out.push_back(std::move(body));
  }
}

}  // namespace tendril::vines
