// How far a Newton update may go before two edges, or a point and a triangle, could cross: a bound that also holds for
// every smaller step, so that a line search within it never passes one body through another.
#pragma once

#include <algorithm>
#include <cmath>

#include "contact/contact_mesh.h"
#include "geometry/types.h"

namespace tendril::contact {

/// Exact distance [m] of the segments x0 x1 and x2 x3; zero where they cross. (`segmentDistance` is larger by its
/// spread and must not bound a step.) Segments may have zero length.
inline double centerlineDistance(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3) {
  const auto toSegment = [](const Vec3& p, const Vec3& a, const Vec3& b) {
    const Vec3 d = b - a;
    const double square = d.squaredNorm();
    const double u = square > 0 ? std::clamp(d.dot(p - a) / square, 0.0, 1.0) : 0;
    return (a + u * d - p).squaredNorm();
  };
  double least = std::min(std::min(toSegment(x0, x2, x3), toSegment(x1, x2, x3)),
                          std::min(toSegment(x2, x0, x1), toSegment(x3, x0, x1)));
  // Between interior points, along the common normal. Nearly parallel segments also have their minimum distance at an
  // end.
  const Vec3 d1 = x1 - x0, d2 = x3 - x2, r = x2 - x0, n = d1.cross(d2);
  const double det = n.squaredNorm();
  if (det > 0) {
    const double s = r.cross(d2).dot(n) / det, t = r.cross(d1).dot(n) / det;
    if (s > 0 && s < 1 && t > 0 && t < 1) least = std::min(least, (r + t * d2 - s * d1).squaredNorm());
  }
  return std::sqrt(least);
}

/// Share of the distance that a step may consume.
inline constexpr double sweepShare = 0.8;

/// Centerline (or middle surface) distance of a pair's four points [m]; zero where they cross.
double centeredistance(ContactPair::Kind kind, const std::array<Vec3, 4>& x);

/// Largest alpha in [0, 1] such that along x + beta dx, beta in [0, alpha], the center distance falls neither below (1
/// - sweepShare) of its value at x nor below `floor` [m] (by 2 %, where it starts there): conservative advancement,
/// which lets a pair slide along itself by some forty distances at once. Without the floor, many updates would bring
/// the distance down to round-off, where it is unclear which side is which.
double longestStep(ContactPair::Kind kind, const std::array<Vec3, 4>& x, const std::array<Vec3, 4>& dx, double floor);

/// Whether the center distance stays above `floor` [m], or above 98 % of its value at x where that is less, along the
/// whole straight path.
bool staysApart(ContactPair::Kind kind, const std::array<Vec3, 4>& x, const std::array<Vec3, 4>& dx, double floor);

}  // namespace tendril::contact
