// Welds: which of them need a rigid frame of their own, the half edges that are clamped to it, and what ties it to the
// shells that meet there.
#pragma once

#include "rods_shells/structure.h"

namespace tendril::rods_shells {

/// Lists the welds that have a frame, with their arms. Nodes, edges and shells must exist, unknowns need not.
void findWelds(Structure& structure, const scene::Scene& scene);

/// The weld with a frame that a rod's or shell's node belongs to, or -1.
int weldOf(const Structure& structure, scene::NodeRef ref);

/// Unknowns that a tie sees: its node's, its frame's, those of the far ends of its spokes.
std::vector<int> tieUnknowns(const Structure& structure, int tie);

/// Inertia of the frames and stiffness of the ties, from the edges' present ones.
void updateWelds(Structure& structure);

/// Turn [rad] of a weld's frame that balances the twists of its arms at twist angles q, for small ones; exact where all
/// arms are in one line.
Vec3 balancedTurn(const Structure& structure, const Weld& weld, const VectorX& q);

/// Angular velocity [rad/s] of a weld's frame that goes along with its arms at velocities v.
Vec3 spinOfArms(const Structure& structure, const Weld& weld, const VectorX& v);

/// Rotary inertia [kg m^2] that an edge gives from its own to the frame of a weld: half of its half's. Nothing is added
/// where a shaft spins through the weld; about other axes it is that of the sections, which is small.
inline double halfEdgeInertia(const Edge& e) { return 0.25 * e.inertiaPerLength * e.length; }

/// A rod's tangent and director at a node, initially: the frame by which clamps and welds hold it.
void nodeFrameOf(const Structure& structure, const scene::Scene& scene, scene::NodeRef ref, Vec3& t, Vec3& d1);

}  // namespace tendril::rods_shells
