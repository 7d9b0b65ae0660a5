// Reads a MAT-DiSMech geometry text: nodes, rod edges and triangles with their lines. Internal to
// engine/scene/import*.cpp.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tendril/problem.h"

namespace tendril::scene {

/// The content of a geometry text; nodes are numbered from 0 here.
struct Geometry {
  struct Edge {
    std::array<int, 2> nodes{};
    int line = 0;
  };
  struct Triangle {
    std::array<int, 3> nodes{};
    int line = 0;
  };
  std::vector<std::array<double, 3>> nodes;  ///< [m]
  std::vector<int> nodeLines;
  std::vector<Edge> edges;          ///< of rods, including those that end on a shell
  std::vector<Triangle> triangles;  ///< of shells

  /// For each node, whether a triangle uses it.
  std::vector<bool> onShell() const;
};

/// Adds every problem found; the geometry is usable where there is none.
Geometry readGeometry(std::string_view text, Problems& problems);

/// Edges chained into the longest possible paths: between ends, branches (nodes of three or more edges) and nodes of a
/// shell. A closed loop's path ends with its first node. Paths are in the order of their first edge and keep its
/// direction.
std::vector<std::vector<int>> chainEdges(const Geometry& geometry);

}  // namespace tendril::scene
