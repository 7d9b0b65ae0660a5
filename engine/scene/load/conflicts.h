// Finds constraints that prescribe the same component at the same time differently.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"

namespace tendril::scene {

/// Constraint `later` wins over `earlier` at a component.
struct ConstraintConflict {
  int earlier = 0, later = 0;              ///< indices into Scene::constraints
  std::string what;                        ///< "x of arm:3", "the twist of edge 0 of arm"
};

/// One entry per pair of constraints of which the later takes the earlier one's place over, at the first component where
/// they differ. Equal prescriptions do not conflict; nodes joined by a weld or pin count as one. n log n in what is
/// prescribed.
std::vector<ConstraintConflict> findConflicts(const Scene& scene);

}  // namespace tendril::scene
