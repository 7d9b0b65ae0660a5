// Where a scene's obstacles are within a step: a displacement that is told, or the way that a velocity has taken them.
// They go from where they stand: what a live parameter or feedback moves sweeps its way as all else does.
#pragma once

#include <vector>

#include "scene/instant.h"

namespace tendril::scene {

class ObstacleMotion {
 public:
  explicit ObstacleMotion(const Scene& scene);

  /// Places are taken as `at` says, without a way: the beginning. Throws Failure.
  void stand(const Instant& at);

  /// From its initial place [m], at the step's start, at its end, and where the step is evaluated; mean velocity [m/s].
  struct Way {
    Vec3 before = Vec3::Zero(), after = Vec3::Zero(), now = Vec3::Zero(), velocity = Vec3::Zero();
  };

  /// A step from t0 that ends at `end` and is evaluated at `at`, from the accepted places. A place that jumps at t0, because
  /// what its formula sees has changed, is caught up with over one time step of the scene: parts of a step that was cut
  /// go that part of the jump. A step without length, in statics one to the accepted load factor, stays at the accepted
  /// places. Throws Failure.
  void prepare(const Instant& end, const Instant& at, double t0);
  void accept(const Instant& end, double t0);

  const Way& way(std::size_t obstacle) const { return ways_[obstacle]; }
  /// Where it stood at the beginning.
  const Vec3& initial(std::size_t obstacle) const { return state_[obstacle].initial; }

  /// Of one obstacle; goes into `save`. [m], [m/s]
  struct State {
    Vec3 traveled = Vec3::Zero();  ///< by its "velocity"
    Vec3 place = Vec3::Zero(), velocity = Vec3::Zero(), initial = Vec3::Zero();
    double factor = 1;  ///< of the load that it stands at
  };
  const std::vector<State>& state() const { return state_; }
  /// A step without length must be prepared afterwards.
  std::vector<State>& state() { return state_; }

 private:
  Vec3 moved(std::size_t obstacle, const Instant& instant, double t0) const;

  const Scene& scene_;
  std::vector<State> state_;
  std::vector<Way> ways_;
};

template <class Writer>
void writeObstacles(Writer& writer, const ObstacleMotion& motion) {
  for (const ObstacleMotion::State& s : motion.state()) {
    for (const Vec3* v : {&s.traveled, &s.place, &s.velocity, &s.initial}) writer.array(v->data(), 3);
    writer.value(s.factor);
  }
}

template <class Reader>
void readObstacles(Reader& reader, ObstacleMotion& motion) {
  for (ObstacleMotion::State& s : motion.state()) {
    for (Vec3* v : {&s.traveled, &s.place, &s.velocity, &s.initial}) reader.array(v->data(), 3);
    reader.value(s.factor);
  }
}

}  // namespace tendril::scene
