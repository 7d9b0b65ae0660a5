// Unknowns with the same couplings, such as the three coordinates of a vertex, are eliminated together: the symbolic
// work is done once for such a group.
#pragma once

#include <span>
#include <vector>

#include "solve/ordering/ordering.h"

namespace tendril::solve {

/// A graph of groups. Group i holds the unknowns member[start[i] .. start[i + 1]), ascending.
struct CompressedGraph {
  Graph graph;
  std::vector<int> start;
  std::vector<int> member;

  int size() const { return graph.size(); }
  int unknowns() const { return int(member.size()); }
  int weight(int i) const { return start[i + 1] - start[i]; }
  std::span<const int> of(int i) const { return {member.data() + start[i], member.data() + start[i + 1]}; }
};

/// Groups all unknowns with equal neighborhoods, themselves included; groups are numbered by their first unknown.
CompressedGraph compress(const Graph& graph);

/// Every unknown a group of its own.
CompressedGraph asSingles(Graph graph);

/// Converts an order of groups to an order of unknowns.
std::vector<int> expandOrder(const CompressedGraph& groups, std::span<const int> order);

}  // namespace tendril::solve
