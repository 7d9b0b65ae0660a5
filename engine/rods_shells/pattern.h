// Which unknowns of rods and shells the tangent couples.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "rods_shells/structure.h"

namespace tendril::rods_shells {

using Pattern = std::vector<std::array<int, 2>>;

/// All pairs of these unknowns; what is negative is none.
void addClique(std::span<const int> unknowns, Pattern& pattern);

/// Those that the elastic energy of the structure's elements couples.
Pattern elasticPattern(const Structure& structure);

}  // namespace tendril::rods_shells
