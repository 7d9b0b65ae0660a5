// A small set of vertices whose removal cuts a graph in two halves of nearly equal weight: the step of nested
// dissection.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "solve/ordering/ordering.h"

namespace tendril::solve {

/// Finds separators of parts of one graph. Keeps its memory from call to call.
class SeparatorFinder {
 public:
  /// `weight[v]` is the number of unknowns that vertex v stands for.
  SeparatorFinder(const Graph& graph, std::span<const int> weight);

  /// Splits `vertices`, which must be connected among themselves, into left, right and the separator between them.
  /// Either half may come out empty where there is nothing to cut.
  void split(std::span<const int> vertices, std::vector<int>& left, std::vector<int>& right,
             std::vector<int>& separator);

  /// The parts of `vertices` that are connected among themselves, one after another; `begins` has their starts and the
  /// end.
  void components(std::span<const int> vertices, std::vector<int>& parts, std::vector<int>& begins);

 private:
  enum Side : char { left_, right_, between_, outside_ };

  int search(int root, std::span<const int> vertices, std::vector<int>& distance);
  void layOut(std::span<const int> vertices);
  long cut(std::span<const int> vertices, const std::vector<int>& key, const std::vector<int>& tie);
  void refine(std::span<const int> vertices);
  bool improve();
  void move(int v, int to);
  long gain(int v, int to) const;

  const Graph& graph_;
  std::span<const int> weight_;
  std::vector<char> side_, trial_;              // a Side for every vertex of the graph
  std::array<std::vector<int>, 4> distance_;    // from four far corners
  std::array<std::vector<int>, 4> coordinate_;  // combinations of them: lines of equal value cut the part across
  std::vector<int> queue_, sorted_;
  std::vector<int> cutters_;               // holds the separator, and some vertices that have left it
  std::vector<std::array<long, 2>> gain_;  // weight the separator loses when its vertex moves to the left, to the right
  std::vector<char> locked_;               // moved in this pass
  std::vector<std::pair<int, char>> changes_;  // vertex and its side before, since the best state of a pass
  std::array<long, 3> total_{};                // weight on each side
};

}  // namespace tendril::solve
