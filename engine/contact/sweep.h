// How far a Newton update may go before the centrelines of two edges could cross: a bound that holds for every smaller
// step too, so that a line search inside it never passes one rod through another.
#pragma once

#include <algorithm>
#include <cmath>

#include "contact/broad_phase.h"
#include "geometry/types.h"

namespace tendril {

/// Exact distance [m] of the segments x0 x1 and x2 x3; zero where they cross. (`segmentDistance` is larger by its
/// spread and must not bound a step.) Segments may have no length.
inline double centrelineDistance(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3) {
  const auto toSegment = [](const Vec3& p, const Vec3& a, const Vec3& b) {
    const Vec3 d = b - a;
    const double square = d.squaredNorm();
    const double u = square > 0 ? std::clamp(d.dot(p - a) / square, 0.0, 1.0) : 0;
    return (a + u * d - p).squaredNorm();
  };
  double least = std::min(std::min(toSegment(x0, x2, x3), toSegment(x1, x2, x3)),
                          std::min(toSegment(x2, x0, x1), toSegment(x3, x0, x1)));
  // Between inner points, along the common normal. Nearly parallel ones have their least distance at an end as well.
  const Vec3 d1 = x1 - x0, d2 = x3 - x2, r = x2 - x0, n = d1.cross(d2);
  const double det = n.squaredNorm();
  if (det > 0) {
    const double s = r.cross(d2).dot(n) / det, t = r.cross(d1).dot(n) / det;
    if (s > 0 && s < 1 && t > 0 && t < 1) least = std::min(least, (r + t * d2 - s * d1).squaredNorm());
  }
  return std::sqrt(least);
}

/// Share of the distance that a step may use up.
inline constexpr double sweepShare = 0.8;

/// Largest alpha in [0, 1] for which no point of one edge comes nearer to a point of the other than
/// (1 - sweepShare) D on the way x + beta dx, beta in [0, alpha]. D: centreline distance [m] at x; dx0, dx1 moves of
/// the first edge's ends, dx2, dx3 of the second's [m].
///
/// The relative move of two points is a convex combination of the four differences of end moves, so none exceeds the
/// largest of these; what moves both edges alike drops out. Zero only where the centrelines touch already (D = 0).
inline double longestStep(double D, const Vec3& dx0, const Vec3& dx1, const Vec3& dx2, const Vec3& dx3) {
  const double square = std::max(std::max((dx0 - dx2).squaredNorm(), (dx0 - dx3).squaredNorm()),
                                 std::max((dx1 - dx2).squaredNorm(), (dx1 - dx3).squaredNorm()));
  const double allowed = sweepShare * D;
  return square <= allowed * allowed ? 1 : allowed / std::sqrt(square);
}

/// Holds the edge x0 x1 at every part of the moves dx0, dx1, widened by `margin` [m]. Edges whose boxes with margin 0
/// do not overlap cannot cross within the update: these need no bound.
inline Box sweptBox(const Vec3& x0, const Vec3& x1, const Vec3& dx0, const Vec3& dx1, double margin) {
  const Vec3 y0 = x0 + dx0, y1 = x1 + dx1, wide = Vec3::Constant(margin);
  return {x0.cwiseMin(x1).cwiseMin(y0.cwiseMin(y1)) - wide, x0.cwiseMax(x1).cwiseMax(y0.cwiseMax(y1)) + wide};
}

}  // namespace tendril
