// Which bend-twist springs a structure has: along rods, from edges to the frames of welds, and at clamps.
#pragma once

#include "rods_shells/structure.h"

namespace tendril::rods_shells {

/// Adds all springs to a structure that has its nodes, edges, welds and unknowns.
void addSprings(Structure& structure, const scene::Scene& scene);

/// An edge's frame, or a rigid one, as a side of a spring: f's directors are turned where two rods go on in one line.
elastic::EdgeFrame sideFrame(const Spring& spring, bool isF, const elastic::EdgeFrame& frame);
/// Both sides in the initial state.
void initialSides(const Structure& structure, const Spring& spring, elastic::EdgeFrame& e, elastic::EdgeFrame& f);

/// Strain of a clamp's half spring between its edge and the frame, both with their directors; less than half a turn of
/// twist.
Vec3 strainBetween(const Spring& half, const elastic::EdgeFrame& edge, const elastic::EdgeFrame& held);

/// Frame of an edge in the initial state.
elastic::EdgeFrame initialFrame(const Edge& edge);
/// A held frame as a side of a spring: unit length, no spin.
elastic::EdgeFrame heldFrame(const Vec3& t, const Vec3& d1);

}  // namespace tendril::rods_shells
