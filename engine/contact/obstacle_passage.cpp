#include "contact/obstacle_passage.h"

#include <algorithm>
#include <cmath>

namespace tendril {

double coreLimit(const ObstacleShape& o, double radius) { return 0.5 * (radius - inwardDepth(o)); }

// A distance never changes faster than its point moves.
double firstPassage(const ObstacleShape& o, double radius, const Vec3& from, const Vec3& move) {
  const double limit = coreLimit(o, radius), length = move.norm();
  if (!std::isfinite(limit) || length == 0 || distanceAtLeast(o, from) - length > limit) return 1;
  double way = 0, free = signedDistance(o, from).distance - limit;
  if (free <= 0) return 1;
  const double touch = 1e-3 * (radius - limit);
  for (int k = 0; k < 200 && free > touch; ++k) {
    way += free;
    if (way >= length) return 1;
    free = signedDistance(o, from + (way / length) * move).distance - limit;
  }
  return way / length;
}

bool passesThrough(const ObstacleShape& o, const Vec3& before, const Vec3& after, double radius, const Vec3& from,
                   const Vec3& to) {
  ObstacleShape start = o;
  start.moved = before;
  return firstPassage(start, radius, from, to - from - (after - before)) < 1;
}

bool isEngulfed(const ObstacleShape& o, double radius, const Vec3& x) {
  const double limit = coreLimit(o, radius);
  return std::isfinite(limit) && distanceAtLeast(o, x) < limit && signedDistance(o, x).distance < limit;
}

double pointSpacing(const ObstacleShape& o, double radius) {
  const double reach = featureRadius(o) + radius;
  return std::min(0.87 * reach, 2 * std::sqrt(reach * radius));
}

}  // namespace tendril
