// What the numbers and checks of a scene mean, for whoever shows them: nobody has to read the scene's text for it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace tendril {

/// A column of probes, or a state.
struct ColumnInfo {
  std::string name;      ///< "tip.x"
  std::string unit;      ///< "m", "1" for a pure number; empty where a formula or a state does not say
  std::string quantity;  ///< what is measured, "position", "contact force"; empty for formulas and states
  std::string energy;    ///< of the whole scene's energy probes: which, as the scene says it, "kinetic"; else empty
  std::string label;     ///< the scene's own name for it; empty: none
  bool hidden = false;   ///< not plotted
};

/// In the order of Simulation::columns(), then the states.
std::vector<ColumnInfo> columnInfo(const scene::Scene& scene);

/// Whether bodies may touch something: an obstacle, each other or themselves.
bool mayTouch(const scene::Scene& scene);

/// Least and largest tension [N] that sliders can ask tendons for, 0 among them: a hint for colors. Each parameter with a range that
/// a tension sees goes to its ends while the others stay, at some times of the run; what is fed back counts as 0.
std::array<double, 2> tensionSpan(const scene::Scene& scene);

}  // namespace tendril
