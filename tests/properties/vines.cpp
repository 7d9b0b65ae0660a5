// Random scenes of vines: in a plane, growing and steered, among walls, discs and boxes.
#include <algorithm>

#include "told.h"

namespace tendril::properties {
namespace {

/// What is told of a plane: the vine's own, in which it is drawn.
struct PlaneTelling {
  const Telling& t;

  const char* name() const {
    const Vec3 normal = t.turn * Vec3::UnitZ();
    return std::abs(normal.z()) > 0.5 ? "xy" : std::abs(normal.y()) > 0.5 ? "xz" : "yz";
  }
  /// Counted in the told plane from its first axis toward its second.
  double heading(double angle) const {
    const Vec3 along = t.matrix() * Vec3(std::cos(angle), std::sin(angle), 0);
    const int first = name()[0] - 'x', second = name()[1] - 'x';
    return std::atan2(along[second], along[first]);
  }
  /// 1, or -1 where left is told as right.
  double left() const {
    const Vec3 x = t.matrix().col(0), y = t.matrix().col(1);
    const int first = name()[0] - 'x', second = name()[1] - 'x';
    return x[first] * y[second] - x[second] * y[first] > 0 ? 1 : -1;
  }
};

Json box(Draw& draw, const Vec3& at, double size, const Telling& t) {
  const double angle = draw.uniform(0, pi), length = size * draw.uniform(1, 3);
  const Mat3 own = Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix();
  // As columns of where its edges point; a mirrored box is the box with another of its axes turned.
  Mat3 frame = t.matrix() * own;
  if (t.mirror) frame.col(2) = -frame.col(2);
  const Eigen::AngleAxisd rotation(frame);
  return {{"box",
           {{"center", t.place(at)},
            {"half", {t.value(length, 0, 1, 0), t.value(size, 0, 1, 0), t.value(0.4, 0, 1, 0)}},
            {"rotation", {{"axis", Telling::list(rotation.axis())}, {"angle", rotation.angle()}}}}}};
}

Json obstacle(Draw& draw, const Telling& t) {
  const double x = draw.uniform(0.38, 0.75), y = draw.uniform(-0.2, 0.2), size = draw.uniform(0.01, 0.05),
               lean = draw.uniform(-0.4, 0.4);
  const int kind = draw.whole(0, 3);
  const Vec3 at(x, y, 0), depth(0, 0, 0.2);
  const Json radius = t.value(size, 0, 1, 0);
  if (kind == 0) return {{"sphere", {{"center", t.place(at)}, {"radius", radius}}}};
  if (kind == 1) return {{"capsule", {{"from", t.place(at - depth)}, {"to", t.place(at + depth)}, {"radius", radius}}}};
  if (kind == 2) return box(draw, at, size, t);
  return {{"plane",
           {{"point", t.place(Vec3(0.5 + 0.5 * x, 0, 0))}, {"normal", t.direction(Vec3(-1, lean, 0).normalized())}}}};
}

}  // namespace

std::string vines(unsigned seed, const Telling& t, const Asked&) {
  Draw draw(seed ^ 0x76696e65u);
  const Features has{draw, t};
  // Forces, masses and stiffnesses in another unit: no motion depends on it, but round-off does.
  Telling m = t;
  m.mass *= 1 + 1e11 * t.nudge;
  const PlaneTelling plane{t};
  Json scene = {{"format", "tendril/1"}}, vine;
  const int pairs = draw.whole(1, 8);
  const double length = draw.uniform(0.2, 0.35), diameter = draw.uniform(0.015, 0.04),
               heading = draw.uniform(-0.3, 0.3);
  vine["bodies"] = 2 * pairs, vine["length"] = t.value(length, 0, 1, 0), vine["diameter"] = t.value(diameter, 0, 1, 0);
  vine["base"] = t.place(Vec3::Zero()), vine["heading"] = plane.heading(heading), vine["plane"] = plane.name();
  const double density = draw.uniform(0.02, 0.1), stiffness = draw.log(1e-3, 2e-2), pressure = draw.uniform(500, 3000);
  vine["massPerLength"] = m.value(density, 1, -1, 0);
  vine["bendingStiffness"] = m.value(stiffness, 1, 3, -2);
  vine["bendingDamping"] = m.value(1e-2 * stiffness, 1, 3, -1);
  if (has("pressure", 0.4)) vine["pressure"] = m.value(pressure, 1, -1, -2);
  if (has("tip", 0.5)) vine["tip"] = true;
  const double stall = draw.log(0.2, 3), growth = draw.uniform(0.1, 0.35) * (draw.uniform(0, 1) < 0.15 ? -0.4 : 1);
  if (has("stall", 0.75)) vine["stall"] = m.value(stall, 1, 1, -2);
  if (has("growth", 0.85)) vine["growth"] = t.value(growth, 0, 1, -1);
  const double steer = draw.uniform(-2e-3, 2e-3), curvature = draw.uniform(-1, 1);
  if (has("steer", 0.5)) vine["steer"] = plane.left() * m.value(steer, 1, 2, -2);
  if (has("curvature", 0.5)) vine["curvature"] = plane.left() * t.value(curvature, 0, -1, 0);
  std::vector<std::pair<std::string, Json>> all = {{"one", vine}};
  // A second one beside it in the same plane: vines do not meet, obstacles meet both.
  Json other = vine;
  const double beside = draw.uniform(0.02, 0.1), aside = draw.uniform(-0.2, 0.2);
  other["base"] = t.place(Vec3(0, beside, 0)), other["heading"] = plane.heading(aside),
  other["bodies"] = 2 * draw.whole(1, 5);
  if (has("second", 0.4)) all.push_back({"two", other});
  if (t.stranger && t.without.count("stranger") == 0) {
    Json stranger = {{"bodies", 6},
                     {"length", t.value(0.3, 0, 1, 0)},
                     {"diameter", t.value(0.02, 0, 1, 0)},
                     {"massPerLength", m.value(0.05, 1, -1, 0)},
                     {"growth", t.value(0.1, 0, 1, -1)},
                     {"base", t.place(Vec3(0, 0, 40))},
                     {"plane", plane.name()}};
    all.push_back({"stranger", stranger});
  }
  if (t.bodiesReversed) std::reverse(all.begin(), all.end());
  for (auto& [name, body] : all) scene["vines"][name] = std::move(body);

  const int count = draw.whole(1, 7);
  const bool crowd = has("crowd", 0.7), moves = has("moving", 0.3);
  for (int i = 0; i < count; ++i) {
    Json one = obstacle(draw, t);
    const Vec3 speed(draw.uniform(-0.05, 0.05), draw.uniform(-0.05, 0.05), 0);
    if (moves && draw.uniform(0, 1) < 0.5) one["velocity"] = t.vector(speed, 0, 1, -1);
    if (i == 0 || crowd) scene["obstacles"]["o" + std::to_string(i)] = one;
  }
  // Its skin begins in a knob, or a strait ahead is as wide as it is, more or less.
  Draw own(seed + 91);
  const Features hasOwn{own, t};
  const Vec3 along(std::cos(heading), std::sin(heading), 0), left(-along.y(), along.x(), 0);
  const double side = own.chance(0.5) ? 1 : -1, depth = own.uniform(0.55, 0.98) * 0.5 * diameter,
               width = own.uniform(0.85, 1.1) * diameter, ahead = length + own.uniform(0.5, 2) * diameter;
  const Vec3 knob = own.uniform(0.2, 0.9) * length * along - side * (depth + diameter) * left;
  if (hasOwn("pressed", 0.2))
    scene["obstacles"]["knob"]["capsule"] = {{"from", t.place(knob - Vec3(0, 0, 0.2))},
                                             {"to", t.place(knob + Vec3(0, 0, 0.2))},
                                             {"radius", t.value(diameter, 0, 1, 0)}};
  if (hasOwn("strait", 0.2)) {
    const double thick = diameter, off = own.uniform(-0.1, 0.1) * diameter;
    for (const double s : {1.0, -1.0}) {
      const Vec3 at = ahead * along + (off + s * (0.5 * width + thick)) * left;
      scene["obstacles"][s > 0 ? "strait1" : "strait2"]["capsule"] = {{"from", t.place(at - Vec3(0, 0, 0.2))},
                                                                      {"to", t.place(at + Vec3(0, 0, 0.2))},
                                                                      {"radius", t.value(thick, 0, 1, 0)}};
    }
  }
  const double mu = draw.uniform(0.05, 0.6), g = draw.uniform(0.3, 4);
  if (has("friction", 0.6)) scene["contact"]["friction"] = mu;
  const bool heavy = has("weight", 0.5);
  scene["environment"]["gravity"] = heavy ? t.vector(Vec3(0, -g, 0), 0, 1, -2) : Json::array({0, 0, 0});
  const Vec3 push(draw.uniform(-0.05, 0.05), draw.uniform(-0.05, 0.05), 0);
  if (has("force", 0.4)) scene["loads"].push_back({{"force", m.vector(push, 1, 1, -2)}, {"at", "one:tip"}});
  scene["solver"] = {{"dt", t.value(t.dt / 64, 0, 0, 1)}, {"duration", t.value(1.25 * t.duration, 0, 0, 1)}};
  return scene.dump();
}

}  // namespace tendril::properties
