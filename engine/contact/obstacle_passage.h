// How far a thick point may go before it passes through an obstacle, and how close points must lie so that nothing passes
// between them.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "contact/obstacle.h"

namespace tendril::contact {

/// Signed distance that no point of this radius gets below [m]: half way between touch and the obstacle's core. Points on
/// an edge are so close to each other that whatever passes between two of them brings one below this.
double coreLimit(const ObstacleShape& o, double radius);

/// Part in [0, 1] of a way before its point comes nearer than `limit`, a signed distance [m]; 1 where it does not, or
/// begins there. As below, to a thousandth of what is between `radius` and the limit.
template <class Path>
double firstBelow(const ObstacleShape& o, double limit, double radius, double length, const Path& path) {
  if (!std::isfinite(limit) || length == 0) return 1;
  const Vec3 from = path(0);
  if (distanceAtLeast(o, from) - length > limit) return 1;
  double way = 0, free = signedDistance(o, from).distance - limit;
  if (free <= 0) return 1;
  const double touch = 1e-3 * (radius - limit);
  for (int k = 0; k < 200 && free > touch; ++k) {
    way += free;
    if (way >= length) return 1;
    free = signedDistance(o, path(way / length)).distance - limit;
  }
  return way / length;
}

/// Part in [0, 1] of a way before its point comes below that limit; 1 where it does not, or begins there. `path(part)`:
/// where the point is then [m]; it never goes farther than `length` [m] times the part. A distance never changes faster
/// than its point moves.
template <class Path>
double firstPassageAlong(const ObstacleShape& o, double radius, double length, const Path& path) {
  return firstBelow(o, coreLimit(o, radius), radius, length, path);
}

/// Part of a point's straight way `move` from `from` before it comes below that limit; 1 where it does not, or begins
/// there.
double firstPassage(const ObstacleShape& o, double radius, const Vec3& from, const Vec3& move);

/// Whether a point passes through on its straight way, seen from the obstacle, which goes from `before` to `after` [m]
/// meanwhile.
bool passesThrough(const ObstacleShape& o, const Vec3& before, const Vec3& after, double radius, const Vec3& from,
                   const Vec3& to);

/// Whether a point at x is below the limit: contact could not part it from the obstacle again.
bool isEngulfed(const ObstacleShape& o, double radius, const Vec3& x);

/// How far apart two points may be [m] that the obstacle cannot pass between, however deep they are pressed in.
double closedSpacing(const ObstacleShape& o, double radius);

/// How far apart points of a body with this radius may be [m]: no obstacle passes between two of them, and a chord
/// between two that touch sags by half the radius at most.
double pointSpacing(const ObstacleShape& o, double radius);

/// Into how many parts a side of this length [m] goes so that its points are no farther apart; 1e6 at most.
double partsNeeded(const ObstacleShape& o, double radius, double length);

/// That the points of a body, in quotes, are so far `apart` where it meets an obstacle that this may pass between them, and what
/// to do: `stretch` is its length over that at rest, there.
std::string passageInWords(const std::string& body, double stretch, const std::string& obstacle, double apart, double limit,
                           const std::string& remedy);

}  // namespace tendril::contact
