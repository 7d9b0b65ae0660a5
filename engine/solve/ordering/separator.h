// A small set of vertices whose removal divides a graph into two halves of nearly equal weight: the step of nested
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
  /// `weight[v]` is the number of unknowns that vertex v represents.
  SeparatorFinder(const Graph& graph, std::span<const int> weight);

  /// Splits `vertices`, which must be connected among themselves, into left, right and the separator between them.
  /// Either half may be empty where nothing can be divided.
  void split(std::span<const int> vertices, std::vector<int>& left, std::vector<int>& right,
             std::vector<int>& separator);

  /// The connected components of `vertices`, one after another; `begins` has their starts and the end.
  void components(std::span<const int> vertices, std::vector<int>& parts, std::vector<int>& begins);

 private:
  enum Side : unsigned char { left_, right_, between_, outside_ };

  int search(int root, std::span<const int> vertices, std::vector<int>& distance);
  void layOut(std::span<const int> vertices);
  long cut(std::span<const int> vertices, const std::vector<int>& key, const std::vector<int>& tie);
  void refine(std::span<const int> vertices);
  bool improve();
  void move(int v, int to);
  long gain(int v, int to) const;

  const Graph& graph_;
  std::span<const int> weight_;
  std::vector<unsigned char> side_, trial_;     // a Side for every vertex of the graph
  std::array<std::vector<int>, 4> distance_;    // from four far corners
  std::array<std::vector<int>, 4> coordinate_;  // their combinations: level lines divide the part
  std::vector<int> queue_, sorted_;
  std::vector<int> cutters_;               // contains the separator, and some vertices that have left it
  std::vector<std::array<long, 2>> gain_;  // weight that the separator loses when the vertex moves left, or right
  std::vector<char> locked_;               // moved in this pass
  std::vector<std::pair<int, unsigned char>> changes_;  // vertices and their old sides, since the best state of a pass
  std::array<long, 3> total_{};                         // weight on each side
};

}  // namespace tendril::solve
