// Which bend-twist springs a structure has: along rods, from edges to the frames of welds, and at clamps.
#pragma once

#include "rods_shells/structure.h"

namespace tendril {

/// Adds all springs to a structure that has its nodes, edges, welds and unknowns.
void addSprings(Structure& structure, const Scene& scene);

/// An edge's frame, or a rigid one, as a side of a spring: f's directors are turned where two rods go on in one line.
EdgeFrame sideFrame(const Spring& spring, bool isF, const EdgeFrame& frame);
/// Both sides in the initial state.
void initialSides(const Structure& structure, const Spring& spring, EdgeFrame& e, EdgeFrame& f);

/// Strain of a clamp's half spring between its edge and the frame, both with their directors; less than half a turn of twist.
Vec3 strainBetween(const Spring& half, const EdgeFrame& edge, const EdgeFrame& held);

/// Frame of an edge in the initial state.
EdgeFrame initialFrame(const Edge& edge);
/// A held frame as a side of a spring: unit length, no spin.
EdgeFrame heldFrame(const Vec3& t, const Vec3& d1);

}  // namespace tendril
