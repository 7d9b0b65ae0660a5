// Cross-sections of rods and links as a scene says them.
#pragma once

#include "formula/number.h"

namespace tendril {

/// Cross-section; dimensions are fields, evaluated at edge midpoints. d1, d2 are the material directors.
struct Section {
  enum class Kind { circle, rectangle, ellipse, tube, stiffness };
  Kind kind = Kind::circle;
  Number radius;                           ///< circle, tube [m]; stiffness: optional, for theta inertia, contact, display
  bool hasRadius = true;
  Number wall;                             ///< tube [m]
  Number width, height;                    ///< rectangle: along d1, along d2 [m]
  Number a, b;                             ///< ellipse: half-axes along d1, d2 [m]
  Number EA, EI1, EI2, GJ;                 ///< stiffness [N], [N m^2] x3: EI1 resists bending toward d1
  Number massPerLength;                    ///< stiffness [kg/m]
};

}  // namespace tendril
