// Symbolic analysis of a sparse LDL^T: which columns of the factor share their rows and are stored as one dense panel.
// Done once per pattern.
#pragma once

#include <span>
#include <vector>

#include "solve/ordering/compress.h"

namespace tendril::solve {

/// Panels of the factor in elimination order. Panel s covers columns firstColumn[s] .. firstColumn[s + 1) and the rows
/// rowsOf(s): its own columns first, then the rows below that they reach, ascending.
struct Supernodes {
  std::vector<int> order;  // unknown eliminated as number p: the given order, with its elimination tree in postorder
  std::vector<int> groupBegin;   // first position of each group of equivalent unknowns, and the end
  std::vector<int> firstColumn;  // count() + 1 entries
  std::vector<int> panelOf;      // panel of each column
  std::vector<std::size_t> rowStart;
  std::vector<int> rows;

  int count() const { return int(firstColumn.size()) - 1; }
  int width(int s) const { return firstColumn[s + 1] - firstColumn[s]; }
  int height(int s) const { return int(rowStart[s + 1] - rowStart[s]); }
  std::span<const int> rowsOf(int s) const { return {rows.data() + rowStart[s], rows.data() + rowStart[s + 1]}; }
  /// For assert: the panels divide the columns, and the rows of each ascend, from its own columns on.
  bool isConsistent() const;
};

/// Finds the panels for a pattern and an order of its groups. Small panels are merged with the next where the zeros
/// that this stores cost less than the bookkeeping saved, and wide ones are divided, so that their parts stay in the
/// processor's cache.
Supernodes findSupernodes(const CompressedGraph& groups, std::span<const int> order);

/// The same with an order of unknowns.
Supernodes findSupernodes(const Graph& graph, std::span<const int> order);

}  // namespace tendril::solve
