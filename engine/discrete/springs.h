// Which bend-twist springs a structure has: along rods, at welds (every pair of edges), and at clamps.
#pragma once

#include "discrete/structure.h"

namespace tendril {

/// Adds all springs to a structure that has its nodes, edges and unknowns. Throws std::invalid_argument, with the JSON
/// pointer first, where two welded edges fold back on each other (their bending is undefined).
void addSprings(Structure& structure, const Scene& scene);

/// Frames of both sides of a spring from the frames of all edges; a held side comes from `held` (present frames).
void springFrames(const Spring& spring, const std::vector<EdgeFrame>& edges, const std::vector<EdgeFrame>& held,
                  EdgeFrame& e, EdgeFrame& f);

/// Frame of an edge in the initial state.
EdgeFrame initialFrame(const Edge& edge);
/// A held frame as a side of a spring: unit length, no spin.
EdgeFrame heldFrame(const Vec3& t, const Vec3& d1);

}  // namespace tendril
