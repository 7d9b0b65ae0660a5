// How far a thick point may move before it passes through an obstacle, and how closely points must be spaced so that
// nothing passes between them.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "contact/obstacle.h"

namespace tendril::contact {

/// Signed distance that no point of this radius may go below [m]: halfway between touching and the obstacle's core.
/// Points on an edge are so close together that whatever passes between two of them brings one of them below this
/// limit.
double coreLimit(const ObstacleShape& o, double radius);

/// Fraction in [0, 1] of a path that a point completes before it comes closer than `limit`, a signed distance [m]; 1
/// where it never does, or starts there. Arguments as below; accurate to a thousandth of the difference between
/// `radius` and the limit.
template <class Path>
double firstBelow(const ObstacleShape& o, double limit, double radius, double length, const Path& path) {
  if (!std::isfinite(limit) || length == 0) return 1;
  const Vec3 from = path(0);
  if (distanceAtLeast(o, from) - length > limit) return 1;
  double traveled = 0, free = signedDistance(o, from).distance - limit;
  if (free <= 0) return 1;
  const double touch = 1e-3 * (radius - limit);
  for (int k = 0; k < 200 && free > touch; ++k) {
    traveled += free;
    if (traveled >= length) return 1;
    free = signedDistance(o, path(traveled / length)).distance - limit;
  }
  return traveled / length;
}

/// Fraction in [0, 1] of a path that a point completes before it drops below that limit; 1 where it never does, or
/// starts there. `path(fraction)` is the point's position [m], at most `length` [m] times the fraction from its start.
/// A distance never changes faster than its point moves.
template <class Path>
double firstPassageAlong(const ObstacleShape& o, double radius, double length, const Path& path) {
  return firstBelow(o, coreLimit(o, radius), radius, length, path);
}

/// Fraction of the straight displacement `move` from `from` that a point completes before it drops below that limit; 1
/// where it never does, or starts there.
double firstPassage(const ObstacleShape& o, double radius, const Vec3& from, const Vec3& move);

/// Whether a point passes through the obstacle on a straight path relative to it, while the obstacle moves from
/// `before` to `after` [m].
bool passesThrough(const ObstacleShape& o, const Vec3& before, const Vec3& after, double radius, const Vec3& from,
                   const Vec3& to);

/// Whether a point at x is below the limit, where contact could no longer separate it from the obstacle.
bool isEngulfed(const ObstacleShape& o, double radius, const Vec3& x);

/// Largest distance between two points [m] that still keeps the obstacle from passing between them, however deep they
/// are pressed in.
double closedSpacing(const ObstacleShape& o, double radius);

/// Largest spacing of points on a body of this radius [m]: no obstacle passes between two of them, and a chord between
/// two that touch sags by at most half the radius.
double pointSpacing(const ObstacleShape& o, double radius);

/// Number of parts that a side of this length [m] is divided into for that spacing; at most 1e6.
double partsNeeded(const ObstacleShape& o, double radius, double length);

/// The message that the points of a body, in quotes, are `apart` where it meets an obstacle, so that the obstacle may
/// pass between them, and what to do; `stretch` is the body's local length over its rest length.
std::string passageInWords(const std::string& body, double stretch, const std::string& obstacle, double apart,
                           double limit, const std::string& remedy);

}  // namespace tendril::contact
