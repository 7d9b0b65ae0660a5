// Which models a scene needs: rods and shells are one, linkages another. Everything else sees one model.
#pragma once

#include <memory>

#include "scene/scene.h"
#include "simulation/side_by_side.h"

namespace tendril {

/// The scene's models side by side in their world, at t = 0. The scene must outlive it. Throws
/// model::BuildError where something cannot be assembled, Failure where a formula is not finite.
std::unique_ptr<SideBySide> makeModel(const scene::Scene& scene);

}  // namespace tendril
