// Where a scene's obstacles are within a step: a displacement that is told, or the way that a velocity has taken them.
#pragma once

#include <vector>

#include "scene/moment.h"

namespace tendril {

class ObstacleMotion {
 public:
  explicit ObstacleMotion(const Scene& scene);

  /// From its initial place [m], at the step's start, at its end, and where the step is evaluated; mean velocity [m/s].
  struct Way {
    Vec3 before = Vec3::Zero(), after = Vec3::Zero(), now = Vec3::Zero(), velocity = Vec3::Zero();
  };

  /// A step from t0 that ends at `end` and is evaluated at `at`. Throws FormulaFailure.
  void prepare(const Moment& end, const Moment& at, double t0);
  void accept(const Moment& end, double t0);

  const Way& way(std::size_t obstacle) const { return ways_[obstacle]; }
  /// At t = 0, with the feedback and parameters that `at` sees. Throws FormulaFailure.
  Vec3 initial(std::size_t obstacle, const Moment& at) const;

  /// How far obstacles driven by "velocity" have gone; goes into `save`.
  std::vector<Vec3>& traveled() { return traveled_; }
  const std::vector<Vec3>& traveled() const { return traveled_; }

 private:
  Vec3 moved(std::size_t obstacle, const Moment& moment, double t0) const;

  const Scene& scene_;
  std::vector<Vec3> traveled_;
  std::vector<Way> ways_;
};

}  // namespace tendril
