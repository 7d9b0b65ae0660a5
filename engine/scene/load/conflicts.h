// Finds constraints that prescribe different values for the same component at the same time.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"

namespace tendril::scene {

/// Constraint `later` overrides `earlier` at a component.
struct ConstraintConflict {
  int earlier = 0, later = 0;  ///< indices into Scene::constraints
  std::string what;            ///< "x of arm:3", "the twist of edge 0 of arm"
};

/// One entry per pair of constraints where the later overrides the earlier one, at the first component where they
/// differ. Equal values do not conflict; nodes joined by a weld or pin count as one. n log n in the number of
/// prescribed components.
std::vector<ConstraintConflict> findConflicts(const Scene& scene);

}  // namespace tendril::scene
