// Delaunay triangulation of points in the plane, for generating meshes. Its decisions are exact, so that collinear or
// cocircular points do no harm and every machine finds the same triangles.
#pragma once

#include <array>
#include <vector>

#include "geometry/types.h"

namespace tendril::geometry {

/// The triangles (corners counter-clockwise, smallest number first, in increasing order) of the convex hull. For the
/// decisions, points are rounded to 2^-26 of the larger side of their bounding box; borders that must stay straight
/// should run along x or y. Takes about n log n time. Throws std::invalid_argument where all points lie on a line,
/// there are fewer than three, or two coincide after rounding.
std::vector<std::array<int, 3>> delaunay(const std::vector<Vec<2>>& points);

}  // namespace tendril::geometry
