// Matrices with the pattern that shells have, for tests and benchmarks: hinges couple the four vertices around every
// inner edge, mid-edge triangles their six surrounding vertices and one unknown on each of their three edges.
#pragma once

#include <algorithm>
#include <map>

#include "random_matrix.h"

namespace tendril::test {

/// A square sheet of side x side vertices with its diagonals in one direction, as cliques of unknowns.
struct ShellPattern {
  int size = 0;
  std::vector<std::vector<int>> cliques;

  Pattern pairs() const {
    Pattern all;
    for (const auto& clique : cliques)
      for (std::size_t i = 0; i < clique.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j) all.push_back({clique[i], clique[j]});
    return all;
  }
};

inline std::vector<std::array<int, 3>> sheetTriangles(int side) {
  std::vector<std::array<int, 3>> triangles;
  for (int i = 0; i + 1 < side; ++i)
    for (int j = 0; j + 1 < side; ++j) {
      const int a = i * side + j, b = a + side, c = b + 1, d = a + 1;
      triangles.push_back({a, b, c});
      triangles.push_back({a, c, d});
    }
  return triangles;
}

/// Both triangles at each edge, by the edge's two vertices in ascending order: opposite vertices, -1 at the border.
inline std::map<std::array<int, 2>, std::array<int, 2>> sheetEdges(int side) {
  std::map<std::array<int, 2>, std::array<int, 2>> opposite;
  for (const auto& t : sheetTriangles(side))
    for (int k = 0; k < 3; ++k) {
      const int a = t[(k + 1) % 3], b = t[(k + 2) % 3];
      const auto found = opposite.insert({{std::min(a, b), std::max(a, b)}, {-1, -1}}).first;
      found->second[found->second[0] < 0 ? 0 : 1] = t[k];
    }
  return opposite;
}

inline std::vector<int> coordinates(std::span<const int> vertices) {
  std::vector<int> unknowns;
  for (int v : vertices)
    for (int k = 0; k < 3; ++k) unknowns.push_back(3 * v + k);
  return unknowns;
}

inline ShellPattern hingePattern(int side) {
  ShellPattern out{3 * side * side, {}};
  for (const auto& [edge, opposite] : sheetEdges(side)) {
    std::vector<int> vertices{edge[0], edge[1], opposite[0]};
    if (opposite[1] >= 0) vertices.push_back(opposite[1]);
    out.cliques.push_back(coordinates(vertices));
  }
  return out;
}

inline ShellPattern midedgePattern(int side) {
  const auto edges = sheetEdges(side);
  std::map<std::array<int, 2>, int> number;
  for (const auto& [edge, opposite] : edges) number.insert({edge, int(number.size())});
  ShellPattern out{3 * side * side + int(edges.size()), {}};
  for (const auto& t : sheetTriangles(side)) {
    std::vector<int> vertices(t.begin(), t.end()), onEdges;
    for (int k = 0; k < 3; ++k) {
      const int a = t[(k + 1) % 3], b = t[(k + 2) % 3];
      const std::array<int, 2> edge{std::min(a, b), std::max(a, b)};
      onEdges.push_back(3 * side * side + number[edge]);
      for (int other : edges.at(edge))
        if (other >= 0 && other != t[k]) vertices.push_back(other);
    }
    std::vector<int> clique = coordinates(vertices);
    clique.insert(clique.end(), onEdges.begin(), onEdges.end());
    out.cliques.push_back(clique);
  }
  return out;
}

/// Adds to the solver's values, for every clique, a random positive semidefinite matrix of rank 3 and of size
/// `stiffness`, and `mass` on the diagonal. The same seed gives the same matrix; `change` moves it a little.
inline void fillShell(solve::LinearSolver& solver, const ShellPattern& shell, double stiffness, double mass,
                      double change = 0) {
  Random random(77), other(78);
  std::fill(solver.values().begin(), solver.values().end(), 0.0);
  std::vector<double> row;
  for (const auto& clique : shell.cliques)
    for (int rank = 0; rank < 3; ++rank) {
      row.clear();
      for (std::size_t i = 0; i < clique.size(); ++i) row.push_back(random.signedUnit() + change * other.signedUnit());
      for (std::size_t i = 0; i < clique.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j)
          solver.values()[solver.offset(clique[i], clique[j])] += stiffness * row[i] * row[j];
    }
  for (int i = 0; i < shell.size; ++i) solver.values()[solver.offset(i, i)] += mass;
}

}  // namespace tendril::test
