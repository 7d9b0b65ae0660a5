// Where the watches of feedback look at a load's formula that sees the point that it acts on.
#pragma once

#include <array>
#include <vector>

#include "scene/scene.h"

namespace tendril {

using PlaceSamples = std::vector<std::array<double, formula::Place::count>>;

/// Some points of the load that the formula belongs to, where they begin, at rest and in motion; empty: it sees none.
PlaceSamples samplesOf(const scene::Scene& scene, const formula::Number& number);

/// A mean of the formula's values at its samples, or its value; weights are uneven, so that opposite values do not
/// cancel. False: it has no value anywhere.
bool sampledValue(const formula::Number& number, const PlaceSamples& samples, formula::Input in, double& value);

}  // namespace tendril
