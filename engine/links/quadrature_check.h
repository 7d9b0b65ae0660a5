// Whether the quadrature points of soft links follow what is told along them: sections, natural strains, paths of
// cables.
#pragma once

#include <vector>

#include "model/model.h"
#include "scene/scene.h"

namespace tendril::links {

/// A warning where a linkage answers to its weight, or to the pull of a cable, otherwise by more than a percent with
/// twice as many points: compared are small deflections from the natural shape, and that shape's tips. At most one, of
/// the link that shows it most.
std::vector<model::Remark> quadratureRemarks(const scene::Scene& scene, int linkage);

}  // namespace tendril::links
