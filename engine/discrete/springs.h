// Which bend-twist springs a structure has: along rods, at welds (every pair of edges), and at clamps.
#pragma once

#include "discrete/structure.h"

namespace tendril {

/// Adds all springs to a structure that has its nodes, edges and unknowns. Throws std::invalid_argument, with the JSON
/// pointer first, where two welded edges fold back on each other (their bending is undefined).
void addSprings(Structure& structure, const Scene& scene);

/// An edge's (or a held) frame as a side of a spring: walked in the spring's direction, f's directors turned at a weld.
EdgeFrame sideFrame(const Spring& spring, bool isF, const EdgeFrame& frame);
/// Both sides in the initial state.
void initialSides(const Structure& structure, const Spring& spring, EdgeFrame& e, EdgeFrame& f);

/// Frame of an edge in the initial state.
EdgeFrame initialFrame(const Edge& edge);
/// A held frame as a side of a spring: unit length, no spin.
EdgeFrame heldFrame(const Vec3& t, const Vec3& d1);

}  // namespace tendril
