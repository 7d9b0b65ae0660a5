// Where loads are taken that are formulas of the point that they act on.
#pragma once

#include <array>
#include <vector>

#include "rods_shells/structure.h"

namespace tendril::rods_shells {

/// Where a load is taken, at one node.
struct FieldPoint {
  std::array<int, 3> corners{-1, -1, -1};  ///< nodes of the edge or triangle that has its direction
  int count = 1;                           ///< of these; 1: no direction is seen, and the node is alone
  int own = 0;                             ///< which of them is its node
  double weight = 1;                       ///< what the formula's value is multiplied by: 1, [m], [m^2] or [kg]
  double s = 0, u = 0, i = 0, n = 0;       ///< as formulas see them
  int edge = -1, weld = -1;                ///< of a moment: the edge that it turns, or the frame of a weld
  std::vector<int> clamps;                 ///< and the constraints that may clamp the rod at its node
  bool clamped = false;                    ///< one of them does: the moment goes to the clamp
  int node() const { return corners[static_cast<std::size_t>(own)]; }
};

/// Of a load of kind field: elements count that have all their nodes selected; for a direction at a node, all at it.
/// A moment acts as a dead one does (edge_shares.h), and per length or mass on its own edge.
std::vector<FieldPoint> fieldPoints(const Structure& structure, const scene::Scene& scene, const scene::Load& load);

}  // namespace tendril::rods_shells
