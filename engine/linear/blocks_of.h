// Parts of sparse matrices.
#pragma once

#include <vector>

#include "model/equations.h"

namespace tendril::linear {

using model::Sparse;

/// The rows and columns of these numbers, in this order.
Sparse among(const Sparse& m, const std::vector<int>& rows, const std::vector<int>& columns);

/// n x columns.size(): unit columns.
Sparse units(int n, const std::vector<int>& columns);

/// One below the other; of equally many columns.
Sparse stacked(const Sparse& top, const Sparse& bottom);

/// m in `of` rows and columns, from (row, column) on; all else is zero.
Sparse placed(const Sparse& m, int rows, int columns, int row, int column);

}  // namespace tendril::linear
