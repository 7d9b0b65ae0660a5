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
    s.displacement = moved(i, at, at.t);
    s.factor = at.factor;
  }
}

ObstaclePath Obstacles::path(std::size_t obstacle, const scene::Instant& end, const scene::Instant& at,
                             double t0) const {
  const State& s = states_[obstacle];
  ObstaclePath out;
  out.before = s.displacement;
  if (end.t <= t0 && (scene_.solver.dynamic || end.factor == s.factor)) {
    out.after = out.now = out.before, out.velocity = s.velocity;
    return out;
  }
  out.after = moved(obstacle, end, t0);
  if (!scene_.solver.dynamic) {
    out.now = out.after;
    return out;
  }
  const double length = end.t - t0, dt = scene_.solver.dt;
  // Of a jump: what the step's end has of it still to go.
  const double left = length < dt * (1 - 1e-9) ? 1 - length / dt : 0;
  scene::Instant start = end;
  start.t = t0;
  const Vec3 jump = moved(obstacle, start, t0) - out.before;
  if (left > 0) out.after -= left * jump;
  out.now = out.after;
  if (at.t != end.t) out.now = moved(obstacle, at, t0) - (1 - (1 - left) * (at.t - t0) / length) * jump;
  // The mean velocity of the step, so that what sticks to an obstacle goes with it exactly.
  out.velocity = (out.after - out.before) / length;
  return out;
}

void Obstacles::prepare(const scene::Instant& end, double t0) {
  next_ = states_;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const ObstaclePath gone = path(i, end, end, t0);
    State& s = next_[i];
    if (scene_.obstacles[i].velocity && end.factor != 0) s.traveled = moved(i, end, t0) / end.factor;
    s.displacement = gone.after, s.velocity = gone.velocity, s.factor = end.factor;
  }
}

void ObstaclePaths::stand() {
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const Obstacles::State& s = obstacles_.states()[i];
    paths_[i] = {s.displacement, s.displacement, s.displacement, s.velocity};
  }
}

void ObstaclePaths::prepare(const scene::Instant& end, const scene::Instant& at, double t0) {
  for (std::size_t i = 0; i < paths_.size(); ++i) paths_[i] = obstacles_.path(i, end, at, t0);
}

void Obstacles::visit(model::Archive& archive) {
  for (State& s : states_) archive(s.traveled, s.displacement, s.velocity, s.initial, s.factor);
}

}  // namespace tendril::world
