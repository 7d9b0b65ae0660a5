// What a shell consists of, triangle by triangle: its thickness and its material may be fields of the initial place.
#pragma once

#include <cstddef>
#include <vector>

#include "scene/scene.h"

namespace tendril::scene {

/// The middle of a triangle, as fields see it: its initial place, its number and how many there are.
formula::Input fieldAtTriangle(const Scene& scene, const Shell& shell, std::size_t triangle);

struct SheetValues {
  double thickness = 0;                                      ///< [m]
  double youngs = 0, poisson = 0, density = 0, damping = 0;  ///< as of Material
};

/// At the middle of a triangle, at the scene's present values. Throws Failure.
SheetValues sheetAt(const Scene& scene, const Shell& shell, std::size_t triangle);

/// One thickness per vertex [m]: the mean of the triangles around it. Throws Failure.
std::vector<double> thicknessAtVertices(const Scene& scene, const Shell& shell);

}  // namespace tendril::scene
