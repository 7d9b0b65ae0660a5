// Cross-sections of rods and links as given in a scene.
#pragma once

#include "formula/number.h"

namespace tendril::scene {

/// Cross-section; dimensions are fields, evaluated at edge midpoints. d1, d2 are the material directors.
struct Section {
  enum class Kind { circle, rectangle, ellipse, tube, stiffness };
  Kind kind = Kind::circle;
  formula::Number radius;  ///< circle, tube [m]; stiffness: optional, for theta inertia, contact, display
  bool hasRadius = true;
  formula::Number wall;              ///< tube [m]
  formula::Number width, height;     ///< rectangle: along d1, along d2 [m]
  formula::Number a, b;              ///< ellipse: half-axes along d1, d2 [m]
  formula::Number EA, EI1, EI2, GJ;  ///< stiffness [N], [N m^2] x3: EI1 resists bending toward d1
  formula::Number massPerLength;     ///< stiffness [kg/m]
};

}  // namespace tendril::scene
