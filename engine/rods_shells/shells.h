// How shells enter a structure: their edges and triangles, and the planes that clamps hold. Inner header of the
// structure's building.
#pragma once

#include "elastic/hinge.h"
#include "geometry/frames.h"
#include "rods_shells/structure.h"

namespace tendril::rods_shells {

/// Edges and triangles of all shells. Nodes must exist.
void addShells(Structure& structure, const scene::Scene& scene);

/// Held planes of clamps on shells. Call after the springs: it completes their clamp plans.
void addHeldEdges(Structure& structure, const scene::Scene& scene);

/// Unit mid-edge normal of an edge: the average of its triangles' normals turned by psi [rad]. `place(node)` gives
/// positions [m]; of the hinge angles that differ by 2 pi the one near `angle` counts.
template <class Place>
Vec3 midedgeNormal(const ShellEdge& e, const Place& place, double angle, double psi) {
  const Vec3 a = place(e.a), b = place(e.b), opposite = place(e.opposite[0]);
  const Vec3 normal = (b - a).cross(opposite - a).normalized();
  double turn = psi;
  if (!e.isBorder())
    turn += 0.5 * geometry::unwrapAngle(elastic::hingeShape(b, a, opposite, place(e.opposite[1])).angle, angle);
  // alpha of the first triangle counts about a - b (elastic/hinge.h); a fold of pi has no mean of normals.
  return geometry::rotate(normal, (a - b).normalized(), turn);
}

/// Nodes of an edge's hinge in the order of elastic/hinge.h; a held side has no opposite node (-1).
inline std::array<int, 4> hingeNodes(const ShellEdge& e) { return {e.b, e.a, e.opposite[0], e.opposite[1]}; }

/// Third corner of the virtual triangle that spans a held plane with unit normal m on the far side of an edge, seen
/// from its triangle `side`.
inline Vec3 heldCorner(const Vec3& a, const Vec3& b, const Vec3& m, int side) {
  const Vec3 across = m.cross(b - a);
  return 0.5 * (a + b) + (side == 0 ? Vec3(-across) : across);
}

}  // namespace tendril::rods_shells
