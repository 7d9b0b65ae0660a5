// Finds jumps in a formula of time.
#pragma once

#include "formula/number.h"

namespace tendril::scene {

struct Jump {
  double time = 0;  ///< [s]
  double size = 0;  ///< 0: there is none
};

/// The largest jump of a formula of time within [from, until] [s]. Throws Failure where it has no value.
Jump largestJump(const formula::Number& number, formula::Input input, double from, double until);

}  // namespace tendril::scene
