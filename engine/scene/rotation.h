// Rotations that formulas of time prescribe.
#pragma once

#include <vector>

#include "formula/number.h"
#include "geometry/types.h"

namespace tendril::scene {

struct Turn {
  Vec3 axis;              ///< unit
  formula::Number angle;  ///< [rad]
};
using Rotation = std::vector<Turn>;  ///< applied in order about fixed axes

}  // namespace tendril::scene
