// Numbers of a run at a time between two states: linear, but for rotations whose numbers jump where they tell the same otherwise.
#pragma once

#include <cstddef>
#include <vector>

#include "scene/scene.h"

namespace tendril {

class ColumnBlend {
 public:
  explicit ColumnBlend(const scene::Scene& scene);

  /// Columns at `weight` (0..1) of the way from one state's to the next one's. Rotation vectors (`jointAngle` of planar,
  /// spherical and free joints, at most π long) and quaternions (`pose`) go the shorter way round.
  std::vector<double> between(const std::vector<double>& from, const std::vector<double>& to, double weight) const;

 private:
  struct Turn {
    std::size_t first, count;  // a rotation vector's columns
  };
  std::vector<Turn> turns_;
  std::vector<std::size_t> quaternions_;  // first of four columns
};

}  // namespace tendril
