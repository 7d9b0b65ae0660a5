// Orders of elimination for symmetric patterns: folded rings, reverse Cuthill-McKee for a small band, and minimum
// degree for little fill. An order lists unknowns, order[p] being eliminated as number p; an empty order is the natural
// one.
#pragma once

#include <array>
#include <span>
#include <vector>

namespace tendril::solve {

/// Who is coupled to whom: the neighbors of i, without i, ascending, are neighbor[start[i] .. start[i + 1]).
struct Graph {
  std::vector<int> start;
  std::vector<int> neighbor;

  int size() const { return int(start.size()) - 1; }
  std::span<const int> of(int i) const { return {neighbor.data() + start[i], neighbor.data() + start[i + 1]}; }
};

/// Graph of a pattern of (row, col) pairs in any triangle and with any repeats.
/// Throws std::out_of_range for an index outside [0, size).
Graph buildGraph(int size, std::span<const std::array<int, 2>> pattern);

/// position[order[p]] = p.
std::vector<int> invertOrder(std::span<const int> order);

/// Largest distance of two coupled unknowns in the given order; 0 for a diagonal matrix.
int halfBandwidth(const Graph& graph, std::span<const int> order);

/// 0, n-1, 1, n-2, ...: folds a closed ring into a band twice as wide as an open one.
std::vector<int> foldOrder(int size);

/// Reverse Cuthill-McKee (Cuthill and McKee 1969, George 1971): breadth first, low degrees first, each connected part
/// started from a pseudo-peripheral vertex (George and Liu 1979).
std::vector<int> reverseCuthillMcKee(const Graph& graph);

/// Approximate minimum degree (Amestoy, Davis and Duff 1996), as Eigen provides it.
std::vector<int> fillReducingOrder(const Graph& graph);

}  // namespace tendril::solve
