#include "world/obstacles.h"

namespace tendril::world {

Obstacles::Obstacles(const scene::Scene& scene) : scene_(scene), states_(scene.obstacles.size()) {}

Vec3 Obstacles::moved(std::size_t obstacle, const scene::Instant& instant, double t0) const {
  const scene::Obstacle& o = scene_.obstacles[obstacle];
  formula::Input in = timedInput(scene_, instant);
  const auto value = [&](const scene::Number3& n) { return Vec3(n[0](in), n[1](in), n[2](in)); };
  if (o.displacement) return instant.factor * value(*o.displacement);
  if (!o.velocity) return Vec3::Zero();
  in.t = 0.5 * (t0 + instant.t);
  return states_[obstacle].traveled + instant.factor * (instant.t - t0) * value(*o.velocity);
}

void Obstacles::stand(const scene::Instant& at) {
  scene::Instant start = at;
  start.factor = 1;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    State& s = states_[i];
    s.traveled = s.velocity = Vec3::Zero();
    s.initial = moved(i, start, at.t);
    s.place = moved(i, at, at.t);
    s.factor = at.factor;
  }
}

ObstacleWay Obstacles::way(std::size_t obstacle, const scene::Instant& end, const scene::Instant& at, double t0) const {
  const State& s = states_[obstacle];
  ObstacleWay way;
  way.before = s.place;
  if (end.t <= t0 && (scene_.solver.dynamic || end.factor == s.factor)) {
    way.after = way.now = way.before, way.velocity = s.velocity;
    return way;
  }
  way.after = moved(obstacle, end, t0);
  if (!scene_.solver.dynamic) {
    way.now = way.after;
    return way;
  }
  const double length = end.t - t0, dt = scene_.solver.dt;
  // Of a jump: what the step's end has of it still to go.
  const double left = length < dt * (1 - 1e-9) ? 1 - length / dt : 0;
  scene::Instant start = end;
  start.t = t0;
  const Vec3 jump = moved(obstacle, start, t0) - way.before;
  if (left > 0) way.after -= left * jump;
  way.now = way.after;
  if (at.t != end.t) way.now = moved(obstacle, at, t0) - (1 - (1 - left) * (at.t - t0) / length) * jump;
  // The mean velocity of the step, so that what sticks to an obstacle goes with it exactly.
  way.velocity = (way.after - way.before) / length;
  return way;
}

void Obstacles::prepare(const scene::Instant& end, double t0) {
  next_ = states_;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const ObstacleWay gone = way(i, end, end, t0);
    State& s = next_[i];
    if (scene_.obstacles[i].velocity && end.factor != 0) s.traveled = moved(i, end, t0) / end.factor;
    s.place = gone.after, s.velocity = gone.velocity, s.factor = end.factor;
  }
}

void ObstacleWays::stand() {
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    const Obstacles::State& s = obstacles_.states()[i];
    ways_[i] = {s.place, s.place, s.place, s.velocity};
  }
}

void ObstacleWays::prepare(const scene::Instant& end, const scene::Instant& at, double t0) {
  for (std::size_t i = 0; i < ways_.size(); ++i) ways_[i] = obstacles_.way(i, end, at, t0);
}

}  // namespace tendril::world
