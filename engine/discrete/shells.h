// How shells enter a structure: their edges and triangles, the ghost rod edges around joints with rods, and the planes
// that clamps hold. Inner header of the structure's building.
#pragma once

#include "discrete/structure.h"

namespace tendril {

/// Edges and triangles of all shells, and ghost rod edges at the shell vertices that rods are welded to (J, "rod-shell
/// joint"). Nodes and rod edges must exist.
void addShells(Structure& structure, const Scene& scene);

/// Held planes of clamps on shells. Call after the springs: it completes their clamp plans.
void addHeldEdges(Structure& structure, const Scene& scene);

/// Unit normal of a triangle of the structure at given positions.
Vec3 triangleNormal(const Vec3& a, const Vec3& b, const Vec3& c);

/// Nodes of an edge's hinge in the order of elastic/hinge.h; a held side has no opposite node (-1).
inline std::array<int, 4> hingeNodes(const ShellEdge& e) { return {e.b, e.a, e.opposite[0], e.opposite[1]}; }

/// Third corner of the virtual triangle that spans a held plane with unit normal m on the far side of an edge, seen from
/// its triangle `side`.
inline Vec3 heldCorner(const Vec3& a, const Vec3& b, const Vec3& m, int side) {
  const Vec3 across = m.cross(b - a);
  return 0.5 * (a + b) + (side == 0 ? Vec3(-across) : across);
}

}  // namespace tendril
