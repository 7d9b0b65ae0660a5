// The equations of motion of all models of a scene as those of one.
#pragma once

#include <vector>

#include "model/equations.h"
#include "simulation/side_by_side.h"

namespace tendril {

/// One model after the other: nothing couples them.
struct WholeEquations {
  model::Equations all;
  std::vector<int> first;       ///< unknown of each model; then the end
  std::vector<int> firstInput;  ///< the same of inputs
};

/// Throws model::NoEquations.
WholeEquations wholeEquations(SideBySide& side);

}  // namespace tendril
