// Where a scene's obstacles are: a displacement that is prescribed, or the path along which a velocity has taken them.
// They move on from where they are: what a live parameter or feedback moves sweeps its path like everything else.
#pragma once

#include <utility>
#include <vector>

#include "model/archive.h"
#include "scene/instant.h"

namespace tendril::world {

/// Of one obstacle within a step: its displacements [m] from the initial position at the step's start, at its end, and
/// where the step is evaluated; its mean velocity [m/s].
struct ObstaclePath {
  Vec3 before = Vec3::Zero(), after = Vec3::Zero(), now = Vec3::Zero(), velocity = Vec3::Zero();
  Vec3 move() const { return after - before; }  ///< [m]
  Vec3 moveUntilNow() const { return now - before; }
};

class Obstacles {
 public:
  explicit Obstacles(const scene::Scene& scene);

  /// The beginning: obstacles are where they are to be at `at`, without a path that led there. Throws Failure.
  void stand(const scene::Instant& at);

  /// A step from t0 that ends at `end` and is evaluated at `at`, from the accepted positions. A position that jumps at
  /// t0, because what its formula sees has changed, is caught up with over one time step of the scene: a part of a step
  /// that was cut goes that part of the jump. A step without length, in statics one to the accepted load factor, stays
  /// at the accepted positions. Throws Failure.
  ObstaclePath path(std::size_t obstacle, const scene::Instant& end, const scene::Instant& at, double t0) const;
  /// Where they are once that step is accepted. Throws Failure.
  void prepare(const scene::Instant& end, double t0);
  void accept() { states_.swap(next_); }

  /// Of one obstacle at the accepted state. [m], [m/s]
  struct State {
    Vec3 traveled = Vec3::Zero();  ///< by its "velocity"
    Vec3 displacement = Vec3::Zero(), velocity = Vec3::Zero(), initial = Vec3::Zero();
    double factor = 1;  ///< of the load, there
  };
  const std::vector<State>& states() const { return states_; }
  void visit(model::Archive& archive);

 private:
  Vec3 moved(std::size_t obstacle, const scene::Instant& instant, double t0) const;

  const scene::Scene& scene_;
  std::vector<State> states_, next_;
};

/// The paths of all obstacles within the step that a model prepares.
class ObstaclePaths {
 public:
  explicit ObstaclePaths(const Obstacles& obstacles) : obstacles_(obstacles), paths_(obstacles.states().size()) {
    stand();
  }

  void stand();  ///< at the accepted positions
  void prepare(const scene::Instant& end, const scene::Instant& at, double t0);

  const ObstaclePath& path(std::size_t obstacle) const { return paths_[obstacle]; }
  /// Its displacement at the beginning [m].
  const Vec3& initial(std::size_t obstacle) const { return obstacles_.states()[obstacle].initial; }

 private:
  const Obstacles& obstacles_;
  std::vector<ObstaclePath> paths_;
};

}  // namespace tendril::world
