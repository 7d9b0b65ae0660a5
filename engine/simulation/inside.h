// The typed scene of a simulation, for the program, the module and tests: other programs do without.
#pragma once

#include "scene/scene.h"
#include "tendril/simulation.h"

namespace tendril {

class ProbeColumns;
class SideBySide;

/// Simulation's friend.
struct Inside {
  static const scene::Scene& sceneOf(const Simulation& simulation);
  /// In the same state, with checks and warnings of its own.
  static Simulation copyOf(const Simulation& simulation);
  static scene::Scene& sceneIn(Simulation& simulation);
  static SideBySide& modelIn(Simulation& simulation);
  static ProbeColumns& columnsIn(Simulation& simulation);
};

/// Valid as long as the run: until a parameter restarts it, a reset or a restore.
inline const scene::Scene& sceneOf(const Simulation& simulation) { return Inside::sceneOf(simulation); }

}  // namespace tendril
