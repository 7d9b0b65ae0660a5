// What all bodies of a scene share: its obstacles with their motion, and the pointer. There is one for all models,
// which see it unchanged while they try a step; it goes on when all have accepted.
#pragma once

#include <optional>

#include "scene/scene.h"
#include "tendril/drawing.h"
#include "world/obstacles.h"

namespace tendril::world {

class World {
 public:
  /// At t = 0, where feedback sees zeros and the initial values of states. The scene must outlive it; its `values` may
  /// change. Throws Failure.
  explicit World(const scene::Scene& scene);

  const scene::Scene& scene() const { return scene_; }
  const Obstacles& obstacles() const { return obstacles_; }

  /// t = 0 again, with the first probe columns. Throws Failure.
  void begin(const double* columns);
  /// A step from t0 that models are to try. Throws Failure.
  void prepare(const scene::Instant& end, double t0) { obstacles_.prepare(end, t0); }
  /// All have accepted the prepared step.
  void accept() { obstacles_.accept(); }

  /// Where the pointer pulls to [m] what a model has attached to it (world/pointer.h); empty: it holds nothing.
  const std::optional<Vec3>& pointer() const { return pointer_; }
  void grab(const Vec3& target) { pointer_ = target; }
  void release() { pointer_.reset(); }

  void draw(Drawing& out) const;
  void snapshot(Snapshot& out) const;

  void visit(model::Archive& archive) { obstacles_.visit(archive); }

 private:
  const scene::Scene& scene_;
  Obstacles obstacles_;
  std::optional<Vec3> pointer_;
};

}  // namespace tendril::world
