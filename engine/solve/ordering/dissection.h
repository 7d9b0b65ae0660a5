// Nested dissection (George 1973): divide the graph in halves, order the halves first and the separator last, and so
// on; small parts by minimum degree. On sheets it leaves less fill and larger dense blocks than minimum degree alone.
#pragma once

#include <span>
#include <vector>

#include "solve/ordering/ordering.h"

namespace tendril::solve {

/// An order of elimination. `weight[v]` is the number of unknowns that vertex v represents. The same graph gives the
/// same order everywhere.
std::vector<int> nestedDissection(const Graph& graph, std::span<const int> weight);

}  // namespace tendril::solve
