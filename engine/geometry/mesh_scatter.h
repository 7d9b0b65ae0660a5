// Irregular triangle meshes of the rectangle from (0, 0) to `size`: random with even elements, and strongly uneven.
// Internal to the generators in mesh_shapes.cpp.
#pragma once

#include <array>
#include <vector>

#include "geometry/types.h"

namespace tendril::geometry {

struct PlaneMesh {
  std::vector<Vec<2>> points;                 ///< [m], the border first, counter-clockwise from (0, 0)
  std::vector<std::array<int, 3>> triangles;  ///< counter-clockwise
};

/// Even elements with edges of about `edge` [m]; border points evenly spaced.
PlaneMesh scatteredMesh(const Vec<2>& size, double edge);

/// Elements from about half to one and a half times `edge` [m], many of them skewed; smallest angle above 8 degrees.
PlaneMesh unevenMesh(const Vec<2>& size, double edge);

}  // namespace tendril::geometry
