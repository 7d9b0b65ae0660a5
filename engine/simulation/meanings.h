// What the numbers and checks of a scene mean, for whoever shows them: nobody has to read the scene's text for it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "scene/scene.h"
#include "tendril/drawing.h"

namespace tendril {

/// A column of probes, or a state.
struct ColumnInfo {
  std::string name;      ///< "tip.x"
  std::string unit;      ///< "m", "1" for a pure number; empty where a formula or a state does not say
  std::string quantity;  ///< what is measured, "position", "contact force"; empty for formulas and states
  std::string energy;    ///< of the whole scene's energy probes: which, as the scene says it, "kinetic"; else empty
  std::string label;     ///< the scene's own name for it; empty: none
  bool hidden = false;   ///< not plotted
  int probe = 0;         ///< whose column it is: number of the probe; states are numbered on
};

/// In the order of Simulation::columns(), then the states.
std::vector<ColumnInfo> columnInfo(const scene::Scene& scene);

/// Whether bodies may touch something: an obstacle, each other or themselves.
bool mayTouch(const scene::Scene& scene);

/// Least and largest tension [N] that sliders can ask tendons for, 0 among them: a hint for colors. Each parameter with
/// a range that a tension sees goes to its ends while the others stay, at some times of the run; what is fed back
/// counts as 0.
std::array<double, 2> tensionSpan(const scene::Scene& scene);

/// What the camera follows: the middle of drawn parts, or points of one part that it keeps as large as at first.
struct Followed {
  std::vector<int> parts;           ///< numbers in the drawing; none: nothing is followed
  std::optional<scene::Run> nodes;  ///< of the one part
};

/// What the scene's "view" says of that.
Followed followed(const scene::Scene& scene, const Drawing& drawing);

}  // namespace tendril
