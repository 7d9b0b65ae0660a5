// Delaunay triangulation of points in the plane, for generating meshes. Its decisions are exact, so that points on a
// line or a circle do no harm and every machine finds the same triangles.
#pragma once

#include <array>
#include <vector>

#include "geometry/types.h"

namespace tendril::geometry {

/// The triangles (corners counter-clockwise, smallest number first, in increasing order) of the convex hull. For the
/// decisions points are rounded to 2^-26 of the larger side of their box; borders that must stay straight should run
/// along x or y. About n log n in time. Throws std::invalid_argument where fewer than three points do not lie on a line
/// or two coincide after rounding.
std::vector<std::array<int, 3>> delaunay(const std::vector<Vec<2>>& points);

}  // namespace tendril::geometry
