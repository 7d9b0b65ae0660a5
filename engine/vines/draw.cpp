// How vines are drawn, held by the pointer, saved and restored.
#include <cmath>
#include <stdexcept>

#include "model/bytes.h"
#include "vines/pin_spring.h"
#include "vines/model.h"

namespace tendril::vines {
namespace {

std::array<double, 3> list(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

void push(std::vector<float>& out, const Vec3& v) {
  for (int k = 0; k < 3; ++k) out.push_back(static_cast<float>(v[k]));
}

}  // namespace

// Shape and connectivity: one point per node, anew whenever bodies appear or vanish.
void Model::draw() {
  const std::uint64_t revision = drawing_.revision;
  const bool again = !drawing_.parts.empty();
  drawing_ = model::Drawing();
  if (again) drawing_.revision = revision + 1;
  for (const Robot& robot : robots_) {
    model::DrawingPart part;
    part.name = robot.vine.name;
    part.kind = "vine";
    part.firstPoint = static_cast<int>(drawing_.halfAxes.size() / 2);
    part.pointCount = robot.chain.pairs() + 1;
    part.color = robot.vine.look.color, part.label = robot.vine.look.label;
    part.opacity = robot.vine.look.opacity.value_or(1), part.hidden = robot.vine.look.hidden;
    part.bodyLength = 2 * robot.chain.parameters().halfLength;
    const auto radius = static_cast<float>(robot.chain.parameters().radius());
    for (int i = 0; i < part.pointCount; ++i) {
      drawing_.halfAxes.insert(drawing_.halfAxes.end(), {radius, radius});
      drawing_.round.push_back(1);
      const auto point = static_cast<std::uint32_t>(part.firstPoint + i);
      if (i > 0) drawing_.segments.insert(drawing_.segments.end(), {point - 1, point});
    }
    model::DrawingMark mark;
    mark.kind = "clamp";
    mark.point = part.firstPoint;
    mark.direction = list(robot.plane.vector(directionOf(robot.vine.heading)));
    drawing_.marks.push_back(mark);
    drawing_.parts.push_back(std::move(part));
  }
}

void Model::snapshot(model::Snapshot& out) {
  out = model::Snapshot();
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

void Model::grab(int point, const Vec3& target) {
  int first = 0;
  for (std::size_t i = 0; i < robots_.size(); ++i) {
    const Chain& chain = robots_[i].chain;
    const int node = point - first;
    first += chain.pairs() + 1;
    if (node < 0 || point >= first) continue;
    held_.robot = static_cast<int>(i);
    held_.pair = std::min(node, chain.pairs() - 1);
    held_.along = node == chain.pairs() ? chain.pairLength(held_.pair) : 0;
    held_.target = target;
    double mass = 0, stiffness = 0;
    for (int b = 0; b < chain.bodies(); ++b) mass += chain.bodyMass(b);
    for (int pin = 0; pin < chain.pairs(); ++pin) stiffness = std::max(stiffness, pinSpring(chain, pin, 0).stiffness * chain.pinLength(pin));
    const double length = chain.length();
    held_.stiffness = 30 * stiffness / (length * length * length) + 40 * mass / length;
    return;
  }
  throw std::invalid_argument("no drawn point has this number");
}

void Model::save(std::vector<std::byte>& out) const {
  model::ByteWriter writer(out);
  for (const Robot& robot : robots_) {
    const Chain& chain = robot.chain;
    writer.value(static_cast<std::uint64_t>(chain.bodies())), writer.value(static_cast<std::uint64_t>(chain.carried.size()));
    writer.value(static_cast<std::uint64_t>(robot.contacts.size()));
    writer.array(chain.q.data(), chain.q.size()), writer.array(chain.v.data(), chain.v.size());
    writer.array(chain.target.data(), chain.target.size()), writer.array(chain.fed.data(), chain.fed.size());
    // Field by field: structs have padding, and saved states are compared byte for byte.
    for (const CarriedContact& c : chain.carried) {
      writer.value(c.pair), writer.value(c.obstacle), writer.value(c.feature), writer.value(c.normal), writer.value(c.tangent);
    }
    for (const Contact& c : robot.contacts) {
      writer.value(c.body), writer.value(c.obstacle), writer.value(c.normalForce), writer.value(c.frictionForce);
      writer.array(c.point.data(), 2), writer.array(c.normal.data(), 2);
    }
    writer.value(robot.report.growthForce);
  }
  writer.value(instant_.t), writer.value(instant_.middle), writer.value(instant_.slack), writer.value(maxPenetration_);
  writer.array(columns_.data(), columns_.size());
}

void Model::restore(std::span<const std::byte>& in) {
  model::ByteReader reader(in);
  bool changed = false;
  for (Robot& robot : robots_) {
    Chain& chain = robot.chain;
    std::uint64_t bodies = 0, carried = 0, contacts = 0;
    reader.value(bodies), reader.value(carried), reader.value(contacts);
    if (bodies < 2 || bodies % 2 != 0 || bodies > mostBodies || carried > mostBodies * 64 || contacts > mostBodies * 64) {
      throw std::runtime_error("the saved state does not belong to this scene");
    }
    changed = changed || bodies != static_cast<std::uint64_t>(chain.bodies());
    chain.q.resize(3 * bodies), chain.v.resize(3 * bodies), chain.target.resize(bodies / 2), chain.fed.resize(bodies / 2), chain.carried.resize(carried);
    reader.array(chain.q.data(), chain.q.size()), reader.array(chain.v.data(), chain.v.size());
    reader.array(chain.target.data(), chain.target.size()), reader.array(chain.fed.data(), chain.fed.size());
    for (CarriedContact& c : chain.carried) {
      reader.value(c.pair), reader.value(c.obstacle), reader.value(c.feature), reader.value(c.normal), reader.value(c.tangent);
    }
    robot.contacts.resize(contacts);
    for (Contact& c : robot.contacts) {
      reader.value(c.body), reader.value(c.obstacle), reader.value(c.normalForce), reader.value(c.frictionForce);
      reader.array(c.point.data(), 2), reader.array(c.normal.data(), 2);
    }
    reader.value(robot.report.growthForce);
  }
  reader.value(instant_.t), reader.value(instant_.middle), reader.value(instant_.slack), reader.value(maxPenetration_);
  reader.array(columns_.data(), columns_.size());
  instant_.columns = columns_.data();
  standAtAccepted();
  if (changed) draw();
}

}  // namespace tendril::vines
