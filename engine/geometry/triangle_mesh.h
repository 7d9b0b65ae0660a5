// A triangle mesh's topology: edges with the triangles on either side, consistent orientation, and descriptions of what
// is wrong. Independent of shells.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "geometry/types.h"

namespace tendril::geometry {

/// An edge from a to b. The first triangle traverses it from a to b (its interior lies on the left, seen from the
/// normal), the second from b to a.
struct MeshEdge {
  int a = 0, b = 0;                        ///< vertices
  std::array<int, 2> triangle = {-1, -1};  ///< second is -1 at the border
  std::array<int, 2> opposite = {-1, -1};  ///< third vertex of either triangle
  bool isBorder() const { return triangle[1] < 0; }
};

struct TriangleMesh {
  std::vector<Vec3> points;                   ///< [m]
  std::vector<std::array<int, 3>> triangles;  ///< corners, right-handed about the normal
};

struct MeshTopology {
  std::vector<MeshEdge> edges;                    ///< by first appearance, triangle after triangle
  std::vector<std::array<int, 3>> triangleEdges;  ///< per triangle: the edge opposite to corner k
};

/// Edges of a valid mesh (checkMesh found no error). Throws std::invalid_argument on an edge of three triangles or on
/// neighbors of opposite orientation.
MeshTopology meshTopology(const std::vector<std::array<int, 3>>& triangles);

/// The result of checkMesh: errors refuse the mesh, warnings do not.
struct MeshReport {
  std::vector<std::string> errors, warnings;
  int flipped = 0;  ///< triangles flipped so that neighbors agree
};

/// Numbers of the vertices and triangles in the mesh's source, for messages.
struct MeshNumbers {
  std::vector<int> vertices, triangles;  ///< per vertex, per triangle; empty: counted from 0
};

/// Checks a mesh and flips triangles so that neighbors agree in orientation (the first triangle of each connected piece
/// keeps its own). Errors, each with triangle or vertex numbers and the fix: no triangles, a corner out of range, a
/// repeated corner, a repeated triangle, unused vertices, coincident points (closer than 1e-9 of the size), an edge of
/// three or more triangles, a piece that cannot be oriented (a Moebius strip), zero area. Warnings: slivers (smallest
/// angle below 1 degree), flipped triangles.
MeshReport checkMesh(TriangleMesh& mesh, const MeshNumbers& numbers = {});

}  // namespace tendril::geometry
