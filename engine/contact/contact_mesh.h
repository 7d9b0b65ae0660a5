// The contact geometry: rods and shells as points, edges and triangles with radii, over one numbering of nodes.
#pragma once

#include <array>
#include <compare>
#include <vector>

#include "geometry/types.h"

namespace tendril::contact {

struct ContactMesh {
  struct Point {
    int node = 0, body = 0;
    double radius = 0;  ///< of the rod, or half the shell's thickness [m]
    double share = 0;   ///< length that the point represents [m]; on shells the side of a square of its area
  };
  struct Edge {
    std::array<int, 2> nodes{};
    int body = 0;
    double radius = 0;  ///< [m]
    double length = 0;  ///< at rest [m]
  };
  struct Triangle {
    std::array<int, 3> nodes{};
    int body = 0;
    double radius = 0;  ///< half the thickness [m]
  };
  std::vector<Point> points;        ///< one per node, in the order of nodes
  std::vector<Edge> edges;          ///< of rods, then of shells
  std::vector<Triangle> triangles;  ///< of shells
};

/// Four nodes that may touch: two edges, or a point and a triangle.
struct ContactPair {
  enum class Kind { edges, pointTriangle };
  Kind kind = Kind::edges;
  int i = 0, j = 0;                                      ///< edges i < j; or point i and triangle j
  auto operator<=>(const ContactPair&) const = default;  // NOLINT(modernize-use-nullptr): the 0 is the compiler's
};

}  // namespace tendril::contact
