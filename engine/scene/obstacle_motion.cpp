#include "scene/obstacle_motion.h"

#include <algorithm>

namespace tendril {

ObstacleMotion::ObstacleMotion(const Scene& scene)
    : scene_(scene), traveled_(scene.obstacles.size(), Vec3::Zero()), ways_(scene.obstacles.size()) {}

Vec3 ObstacleMotion::moved(std::size_t obstacle, const Moment& moment, double t0) const {
  const Obstacle& o = scene_.obstacles[obstacle];
  FormulaInput in = timedInput(scene_, moment);
  const auto value = [&](const Number3& n) { return Vec3(n[0](in), n[1](in), n[2](in)); };
  if (o.displacement) return moment.factor * value(*o.displacement);
  if (!o.velocity) return Vec3::Zero();
  in.t = 0.5 * (t0 + moment.t);
  return traveled_[obstacle] + moment.factor * (moment.t - t0) * value(*o.velocity);
}

void ObstacleMotion::prepare(const Moment& end, const Moment& at, double t0) {
  Moment start = end;
  start.t = std::min(t0, end.t);
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    Way& way = ways_[i];
    way.before = moved(i, start, t0);
    way.after = moved(i, end, t0);
    way.now = at.t == end.t ? way.after : moved(i, at, t0);
    // The mean velocity of the step, so that what sticks to an obstacle goes with it exactly.
    if (end.t > t0) way.velocity = (way.after - way.before) / (end.t - t0);
  }
}

void ObstacleMotion::accept(const Moment& end, double t0) {
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    if (scene_.obstacles[i].velocity && end.factor != 0) traveled_[i] = moved(i, end, t0) / end.factor;
  }
}

Vec3 ObstacleMotion::initial(std::size_t obstacle, const Moment& at) const {
  Moment start = at;
  start.t = start.middle = 0, start.factor = 1;
  return scene_.obstacles[obstacle].displacement ? moved(obstacle, start, 0) : Vec3::Zero();
}

}  // namespace tendril
