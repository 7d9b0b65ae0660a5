// The part of force fields that a step of a vine takes as it is at the step's start, and how long steps may be for it.
#pragma once

#include <optional>

#include "vines/step/chain_system.h"

namespace tendril::vines {

/// Whether, in `duration` [s] of steps of `dt` [s], it could make motions grow at all that the fields do not.
bool mayGrow(const Chain& chain, std::span<const BodySlopes> fields, double dt, double duration);

/// The longest step up to `dt` [s] whose small motions about the present state do not grow by 5 % in `duration` [s]
/// beyond those of the exact motion; empty: `dt` is short enough. 0: none is long enough to be worth it.
std::optional<double> longestStep(const Chain& chain, const Actuation& actuation, double dt, double duration);

}  // namespace tendril::vines
