// Where a scene's obstacles are: a displacement that is prescribed, or the path that a velocity has taken them. They
// move from where they stand: what a live parameter or feedback moves sweeps its path as all else does.
#pragma once

#include <utility>
#include <vector>

#include "scene/instant.h"

namespace tendril::world {

/// Of one obstacle within a step: from its initial place [m], at the step's start, at its end, and where the step is
/// evaluated; mean velocity [m/s].
struct ObstacleWay {
  Vec3 before = Vec3::Zero(), after = Vec3::Zero(), now = Vec3::Zero(), velocity = Vec3::Zero();
};

class Obstacles {
 public:
  explicit Obstacles(const scene::Scene& scene);

  /// Places are taken as `at` says, without a way: the beginning. Throws Failure.
  void stand(const scene::Instant& at);

  /// A step from t0 that ends at `end` and is evaluated at `at`, from the accepted places. A place that jumps at t0,
  /// because what its formula sees has changed, is caught up with over one time step of the scene: parts of a step that
  /// was cut go that part of the jump. A step without length, in statics one to the accepted load factor, stays at the
  /// accepted places. Throws Failure.
  ObstacleWay way(std::size_t obstacle, const scene::Instant& end, const scene::Instant& at, double t0) const;
  /// Where they are once that step is accepted. Throws Failure.
  void prepare(const scene::Instant& end, double t0);
  void accept() { states_.swap(next_); }

  /// Of one obstacle at the accepted state. [m], [m/s]
  struct State {
    Vec3 traveled = Vec3::Zero();  ///< by its "velocity"
    Vec3 place = Vec3::Zero(), velocity = Vec3::Zero(), initial = Vec3::Zero();
    double factor = 1;  ///< of the load that it stands at
  };
  const std::vector<State>& states() const { return states_; }
  void setStates(std::vector<State> states) { states_ = std::move(states); }

 private:
  Vec3 moved(std::size_t obstacle, const scene::Instant& instant, double t0) const;

  const scene::Scene& scene_;
  std::vector<State> states_, next_;
};

/// The ways of all obstacles within the step that a model prepares.
class ObstacleWays {
 public:
  explicit ObstacleWays(const Obstacles& obstacles) : obstacles_(obstacles), ways_(obstacles.states().size()) {
    stand();
  }

  void stand();  ///< at the accepted places
  void prepare(const scene::Instant& end, const scene::Instant& at, double t0);

  const ObstacleWay& way(std::size_t obstacle) const { return ways_[obstacle]; }
  /// Where it stood at the beginning.
  const Vec3& initial(std::size_t obstacle) const { return obstacles_.states()[obstacle].initial; }

 private:
  const Obstacles& obstacles_;
  std::vector<ObstacleWay> ways_;
};

}  // namespace tendril::world
