// The typed scene of a simulation, for the program, the module and tests: other programs do without.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/model.h"
#include "scene/scene.h"
#include "tendril/simulation.h"

namespace tendril {

class ProbeColumns;
class SideBySide;
class Stepper;

/// Simulation's friend.
struct Inside {
  static const scene::Scene& sceneOf(const Simulation& simulation);
  /// In the same state, with checks and warnings of its own.
  static Simulation copyOf(const Simulation& simulation);
  static scene::Scene& sceneIn(Simulation& simulation);
  static SideBySide& modelIn(Simulation& simulation);
  static ProbeColumns& columnsIn(Simulation& simulation);
  static Stepper& stepperIn(Simulation& simulation);

  /// Of a run that is to be begun by open() or start(): built, but not observed yet. `tolerance`: where it is less than
  /// the scene's. Throws as the constructor.
  static Simulation unstarted(std::string_view sceneText, const std::map<std::string, double>& overrides,
                              std::optional<double> tolerance);
  /// Its state at t = 0, without the equilibrium that it may begin from.
  static void open(Simulation& simulation);
  /// A run of this text with these overrides, in the state that a run of the same text with others has saved: what acts
  /// from now on is its own. Throws as the constructor and restore().
  static Simulation resumed(std::string_view sceneText, const std::map<std::string, double>& overrides,
                            std::span<const std::byte> saved);
  /// All of its state at t = 0; `settled` after each static solve on the way to the equilibrium that it begins from.
  static void start(Simulation& simulation, const std::function<void(const model::SettleRequest&)>& settled);
};

/// Valid as long as the run: until a parameter restarts it, a reset or a restore.
inline const scene::Scene& sceneOf(const Simulation& simulation) { return Inside::sceneOf(simulation); }

}  // namespace tendril
