// Shells whose hinges open from the start.
#pragma once

#include "rods_shells/terms/system.h"

namespace tendril::rods_shells {

/// Initial rates [rad/s] of the natural hinge angles, per shell edge, positive where triangles fold toward their
/// normals; empty where the scene gives none. Later entries of `initial` replace earlier ones. Throws
/// model::BuildError.
std::vector<double> initialHingeRates(const Structure& structure, const scene::Scene& scene);

}  // namespace tendril::rods_shells
