// The saved states of two runs whose parameters lie on either side of another's: how far from it they are, and how
// evenly; and the same for parameters that lie closer to it, to second order.
#pragma once

#include <vector>

#include "model/archive.h"

namespace tendril::model {

/// How places, or their rates, lie on both sides of the base: the largest of each.
struct Spread {
  SavedState::Kind kind = SavedState::Kind::place;
  double size = 0;  ///< of the base
  double odd = 0;   ///< half of what both sides differ by: the slope times the change of the parameter
  double even = 0;  ///< what their mean is off the base by: half of the curvature times the square of that change
};

/// Whether the states have the same numbers in the same places. Others cannot be compared: a list of what touches that
/// one side has longer than the other.
bool alike(const SavedState& base, const SavedState& above, const SavedState& below);

/// Of each list of places and rates of alike states, in the order of their runs.
void spreadOf(const SavedState& base, const SavedState& above, const SavedState& below, std::vector<Spread>& out);

/// Sets the numbers of alike neighbors to those of neighbors whose parameters are `factor` times as far from the base.
/// All else in them becomes the base's.
void rescale(const SavedState& base, SavedState& above, SavedState& below, double factor);

}  // namespace tendril::model
