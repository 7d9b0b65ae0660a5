#include "rods_shells/support_motion.h"

#include <algorithm>

namespace tendril::rods_shells {

SupportMotion::Phase SupportMotion::phase(const scene::Constraint& c, const scene::Instant& instant) const {
  if (instant.middle < c.interval.from - instant.slack) return c.freeBefore ? Phase::off : Phase::before;
  if (instant.middle <= c.interval.until + instant.slack) return Phase::on;
  return c.release ? Phase::off : Phase::after;
}

// A support lets go at the end of a step and moves on up to there: if it stopped earlier within the step, it would
// brake what it releases.
scene::Instant SupportMotion::clipped(const scene::Constraint& c, const scene::Instant& instant) const {
  scene::Instant out = instant;
  if (!c.release || phase(c, instant) != Phase::on) out.t = std::min(instant.t, c.interval.until);
  return out;
}

Vec3 SupportMotion::displacement(int index, const scene::Instant& instant, double t0, const Vec3& traveled) const {
  const scene::Constraint& c = scene_.constraints[index];
  if (phase(c, instant) == Phase::before && !c.velocity) return Vec3::Zero();
  formula::Input in;
  in.parameters = scene_.values.data(), in.columns = instant.columns;
  const auto value = [&](const scene::Number3& n) { return Vec3(n[0](in), n[1](in), n[2](in)); };
  if (c.displacement) {
    in.t = clipped(c, instant).t;
    return instant.factor * value(*c.displacement);
  }
  if (!c.velocity) return Vec3::Zero();
  if (phase(c, instant) == Phase::off) return instant.factor * traveled;
  // For the same reason what it catches moves along from the start of the step.
  const double from = c.freeBefore ? t0 : std::max(t0, c.interval.from), until = clipped(c, instant).t;
  Vec3 moved = traveled;
  if (until > from) {
    in.t = 0.5 * (from + until);
    moved += (until - from) * value(*c.velocity);
  }
  return instant.factor * moved;
}

double SupportMotion::angle(const scene::Constraint& c, const scene::Turn& turn, const scene::Instant& instant) const {
  if (phase(c, instant) == Phase::before) return 0;
  formula::Input in;
  in.parameters = scene_.values.data(), in.columns = instant.columns;
  in.t = clipped(c, instant).t;
  return instant.factor * turn.angle(in);
}

Mat3 SupportMotion::rotation(const scene::Constraint& c, const scene::Instant& instant) const {
  Mat3 turn = Mat3::Identity();
  for (const scene::Turn& t : c.rotation) {
    turn = Eigen::AngleAxisd(angle(c, t, instant), t.axis.normalized()).toRotationMatrix() * turn;
  }
  return turn;
}

}  // namespace tendril::rods_shells
