#include "scene/obstacle_motion.h"

#include <algorithm>

namespace tendril::scene {

ObstacleMotion::ObstacleMotion(const Scene& scene)
    : scene_(scene), state_(scene.obstacles.size()), ways_(scene.obstacles.size()) {}

Vec3 ObstacleMotion::moved(std::size_t obstacle, const Instant& instant, double t0) const {
  const Obstacle& o = scene_.obstacles[obstacle];
  formula::Input in = timedInput(scene_, instant);
  const auto value = [&](const Number3& n) { return Vec3(n[0](in), n[1](in), n[2](in)); };
  if (o.displacement) return instant.factor * value(*o.displacement);
  if (!o.velocity) return Vec3::Zero();
  in.t = 0.5 * (t0 + instant.t);
  return state_[obstacle].traveled + instant.factor * (instant.t - t0) * value(*o.velocity);
}

void ObstacleMotion::stand(const Instant& at) {
  Instant start = at;
  start.factor = 1;
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    State& s = state_[i];
    s.traveled = s.velocity = Vec3::Zero();
    s.initial = moved(i, start, at.t);
    s.place = moved(i, at, at.t);
    s.factor = at.factor;
    ways_[i] = {s.place, s.place, s.place, Vec3::Zero()};
  }
}

void ObstacleMotion::prepare(const Instant& end, const Instant& at, double t0) {
  const double length = end.t - t0, dt = scene_.solver.dt;
  // Of a jump: what the step's end has of it still to go.
  const double left = length < dt * (1 - 1e-9) ? 1 - length / dt : 0;
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    Way& way = ways_[i];
    way.before = state_[i].place;
    if (end.t <= t0 && (scene_.solver.dynamic || end.factor == state_[i].factor)) {
      way.after = way.now = way.before, way.velocity = state_[i].velocity;
      continue;
    }
    way.after = moved(i, end, t0);
    if (!scene_.solver.dynamic) {
      way.now = way.after;
      continue;
    }
    Instant start = end;
    start.t = t0;
    const Vec3 jump = moved(i, start, t0) - way.before;
    if (left > 0) way.after -= left * jump;
    way.now = way.after;
    if (at.t != end.t) way.now = moved(i, at, t0) - (1 - (1 - left) * (at.t - t0) / length) * jump;
    // The mean velocity of the step, so that what sticks to an obstacle goes with it exactly.
    way.velocity = (way.after - way.before) / length;
  }
}

void ObstacleMotion::accept(const Instant& end, double t0) {
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    if (scene_.obstacles[i].velocity && end.factor != 0) state_[i].traveled = moved(i, end, t0) / end.factor;
    state_[i].place = ways_[i].after, state_[i].velocity = ways_[i].velocity, state_[i].factor = end.factor;
  }
}

}  // namespace tendril::scene
