// Probes of rods and shells: columns of numbers from an accepted state.
#pragma once

#include <span>

#include "rods_shells/terms/system.h"
#include "tendril/drawing.h"

namespace tendril::rods_shells {

/// An accepted state as probes see it; strains and forces are filled in once per state.
struct ObservedState {
  const VectorX* q = nullptr;
  const VectorX* v = nullptr;
  const VectorX* a = nullptr;
  double strainRate = 0;                  ///< of the damping forces [1/s]
  Strains strains;                        ///< elastic strains
  const ForceBalance* balance = nullptr;  ///< computed when a probe asks for forces
};

/// What a probe's selection means in the structure, found once.
struct ProbePlan {
  std::vector<int> nodes;   ///< each once, however many rods share it
  std::vector<int> edges;   ///< with both nodes selected; for a single node its end edge
  std::vector<int> hinges;  ///< of shells, with both nodes selected
};
ProbePlan planProbe(const Structure& structure, const scene::Probe& probe);

/// Values of one probe, its columnCount columns.
void observeProbe(System& system, const scene::Probe& probe, const ProbePlan& plan, const ObservedState& state,
                  std::span<double> columns);
/// Mean position [m] of nodes at displacements q.
Vec3 meanPosition(const System& system, const VectorX& q, const std::vector<scene::NodeRef>& nodes);
/// True for probes that need ForceBalance.
bool needsBalance(const scene::Probe& probe);

/// Drawing of all bodies: parts, half-axes, segments, triangles, marks.
Drawing drawBodies(const System& system, const scene::Scene& scene);
/// Positions, directors and scalars of a state, in the order of the drawing.
void snapshotBodies(System& system, const scene::Scene& scene, const ObservedState& state, Snapshot& out);

/// Unit tangent, material director d1 at a rod's node: the mean of its edges there, one edge at an end.
struct NodeFrame {
  Vec3 t, m1;
};
NodeFrame nodeFrame(const Structure& structure, const std::vector<elastic::EdgeFrame>& frames, scene::NodeRef ref);
/// Springs of a rod at a node that are switched on (the rod's own, or a clamp's), or -1.
int springAt(const Structure& structure, scene::NodeRef ref);

}  // namespace tendril::rods_shells
