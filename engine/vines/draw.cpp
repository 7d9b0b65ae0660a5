// How vines are drawn and grabbed by the pointer.
#include <cmath>
#include <stdexcept>

#include "vines/model.h"
#include "vines/pin_spring.h"
#include "world/pointer.h"

namespace tendril::vines {
namespace {

std::array<double, 3> list(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

void push(std::vector<float>& out, const Vec3& v) {
  for (int k = 0; k < 3; ++k) out.push_back(static_cast<float>(v[k]));
}

}  // namespace

// Shape and connectivity: one point per node, rebuilt whenever bodies appear or vanish.
void Model::draw() {
  const std::uint64_t revision = drawing_.revision;
  const bool again = !drawing_.parts.empty();
  drawing_ = Drawing();
  if (again) drawing_.revision = revision + 1;
  for (const Robot& robot : robots_) {
    DrawingPart part;
    part.name = robot.vine.name;
    part.kind = "vine";
    part.firstPoint = static_cast<int>(drawing_.halfAxes.size() / 2);
    part.pointCount = robot.chain.pairs() + 1;
    part.color = robot.vine.look.color, part.label = robot.vine.look.label;
    part.opacity = robot.vine.look.opacity.value_or(1), part.hidden = robot.vine.look.hidden;
    part.bodyLength = 2 * robot.chain.parameters().halfLength;
    part.body = static_cast<int>(drawing_.parts.size());
    const auto radius = static_cast<float>(robot.chain.parameters().radius());
    for (int i = 0; i < part.pointCount; ++i) {
      drawing_.halfAxes.insert(drawing_.halfAxes.end(), {radius, radius});
      drawing_.round.push_back(1);
      const auto point = static_cast<std::uint32_t>(part.firstPoint + i);
      if (i > 0) drawing_.segments.insert(drawing_.segments.end(), {point - 1, point});
    }
    DrawingMark mark;
    mark.kind = "clamp";
    mark.point = part.firstPoint;
    mark.direction = list(robot.plane.vector(directionOf(robot.vine.heading)));
    drawing_.marks.push_back(mark);
    drawing_.parts.push_back(std::move(part));
  }
}

void Model::snapshot(Snapshot& out) {
  out = Snapshot();
  out.time = instant_.t;
  std::vector<double> bend;
  for (const Robot& robot : robots_) {
    const Chain& chain = robot.chain;
    bends(robot, bend);
    for (int i = 0; i <= chain.pairs(); ++i) {
      push(out.positions, robot.plane.point(chain.node(i)));
      push(out.directors, robot.plane.normal());
      out.strain.push_back(0);
      if (i == chain.pairs()) {  // the tip bears no moment
        out.curvature.push_back(0), out.energy.push_back(0);
        continue;
      }
      const double length = chain.pinLength(i);
      out.curvature.push_back(static_cast<float>(std::abs(pinAngle(chain, i)) / length));
      out.energy.push_back(static_cast<float>(pinEnergy(chain, i, bend[static_cast<std::size_t>(i)]) / length));
    }
    for (const Contact& c : robot.contacts) {
      push(out.contacts, robot.plane.point(c.point));
      push(out.contacts, robot.plane.vector(Vec2(c.normalForce * c.normal + c.frictionForce * leftOf(c.normal))));
    }
  }
}

void Model::grab(int point) {
  int first = 0;
  for (std::size_t i = 0; i < robots_.size(); ++i) {
    const Chain& chain = robots_[i].chain;
    const int node = point - first;
    first += chain.pairs() + 1;
    if (node < 0 || point >= first) continue;
    grabbed_.robot = static_cast<int>(i);
    grabbed_.pair = std::min(node, chain.pairs() - 1);
    grabbed_.along = node == chain.pairs() ? chain.pairLength(grabbed_.pair) : 0;
    double mass = 0, stiffness = 0;
    for (int b = 0; b < chain.bodies(); ++b) mass += chain.bodyMass(b);
    for (int pin = 0; pin < chain.pairs(); ++pin)
      stiffness = std::max(stiffness, pinSpring(chain, pin, 0).stiffness * chain.pinLength(pin));
    grabbed_.stiffness = world::pointerStiffness(stiffness, mass, chain.length());
    return;
  }
  throw std::invalid_argument("no drawn point has this number");
}

}  // namespace tendril::vines
