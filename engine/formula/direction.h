// How fast a formula's value changes along a change of what it sees.
#pragma once

#include "formula/formula.h"

namespace tendril::formula {

/// Where a formula is evaluated, and how its parameters and columns change there.
struct Direction : Input {
  const double* parameterSlopes = nullptr;  ///< one per parameter
  const double* columnSlopes = nullptr;     ///< one per column
};

/// The exact derivative of the value along the direction, forward through the formula's own program. Throws Failure
/// where it or the value is not finite.
double slopeAlong(const Formula& formula, const Direction& direction);

}  // namespace tendril::formula
