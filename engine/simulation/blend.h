// Values of a run between two states: linear, except for rotations whose numbers jump between equivalent values.
#pragma once

#include <cstddef>
#include <vector>

#include "scene/scene.h"

namespace tendril {

class ColumnBlend {
 public:
  explicit ColumnBlend(const scene::Scene& scene);

  /// Columns at `weight` (0..1) between one state and the next. Rotation vectors (`jointAngle` of planar, spherical and
  /// free joints, at most π long) and quaternions (`pose`) take the shorter path.
  std::vector<double> between(const std::vector<double>& from, const std::vector<double>& to, double weight) const;
  /// How between() changes where both states do by `slopesFrom` and `slopesTo` [per unit of anything].
  std::vector<double> slopesBetween(const std::vector<double>& from, const std::vector<double>& to,
                                    const std::vector<double>& slopesFrom, const std::vector<double>& slopesTo,
                                    double weight) const;

 private:
  struct Turn {
    std::size_t first, count;  // a rotation vector's columns
  };
  std::vector<Turn> turns_;
  std::vector<std::size_t> quaternions_;  // first of four columns
};

}  // namespace tendril
