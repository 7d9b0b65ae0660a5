// Where a formula of time jumps.
#pragma once

#include "formula/number.h"

namespace tendril::scene {

struct Jump {
  double time = 0;  ///< [s]
  double size = 0;  ///< 0: there is none
};

/// The largest jump of a formula of time within [from, until] [s]. Throws FormulaFailure where it has no value.
Jump largestJump(const formula::Number& number, formula::FormulaInput input, double from, double until);

}  // namespace tendril::scene
