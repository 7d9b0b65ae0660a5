// Obstacles in the plane of a chain: convex cores rounded by a radius (circles, capsules, polygons) and half planes,
// with signed distance and exact outward gradient to points and to straight pieces of tube.
#pragma once

#include <array>
#include <vector>

#include "geometry/types.h"

namespace tendril::vines {

/// t rotated to the left by a right angle.
inline Vec2 leftOf(const Vec2& t) { return {-t.y(), t.x()}; }
/// Positive where b points to the left of a.
inline double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// Axis-aligned bounding box [m].
struct PlanarBox {
  Vec2 low, high;

  bool touches(const PlanarBox& other) const {
    return low.x() <= other.high.x() && other.low.x() <= high.x() && low.y() <= other.high.y() &&
           other.low.y() <= high.y();
  }
  PlanarBox grown(double by) const { return {low - Vec2(by, by), high + Vec2(by, by)}; }
  PlanarBox moved(const Vec2& by) const { return {low + by, high + by}; }
  /// Enlarges the box to contain `x`.
  void include(const Vec2& x) { low = low.cwiseMin(x), high = high.cwiseMax(x); }
};

/// All points within `radius` of a convex core, or a half plane. It moves without rotating.
struct PlanarShape {
  std::vector<Vec2> core;        ///< [m] one point (circle), two (capsule), or a convex polygon, counter-clockwise
  double radius = 0;             ///< [m]
  bool halfPlane = false;        ///< solid behind core[0], where normal . (x - core[0]) < 0
  Vec2 normal = Vec2::Zero();    ///< of a half plane, unit
  Vec2 velocity = Vec2::Zero();  ///< [m/s]
  double friction = -1;          ///< coefficient of Coulomb friction; negative: the chain's own

  static PlanarShape circle(const Vec2& center, double radius);
  static PlanarShape capsule(const Vec2& from, const Vec2& to, double radius);
  /// Half sides `half`, rotated by `angle` [rad] about its center.
  static PlanarShape box(const Vec2& center, const Vec2& half, double angle = 0);
  /// The convex hull of `points`, at least three that do not lie on one line (else std::invalid_argument).
  static PlanarShape polygon(const std::vector<Vec2>& points);
  static PlanarShape plane(const Vec2& point, const Vec2& normal);

  /// Smallest box around it; unbounded for a half plane.
  PlanarBox box() const;
};

/// Distance [m], negative inside, and its gradient: unit, outward from the shape. At a corner it is radial; inside, the
/// nearest face decides.
struct PlanarDistance {
  double distance;
  Vec2 normal;
};

PlanarDistance planarDistance(const PlanarShape& shape, const Vec2& x);

/// Smallest signed distance of the points of the segment a b; where the segment crosses the core, minus the shortest
/// displacement out of it.
double planarDistance(const PlanarShape& shape, const Vec2& a, const Vec2& b);

/// A point of a segment that faces a shape.
struct SegmentContact {
  double along;     ///< [m] from a
  double distance;  ///< [m] to the shape, to first order in motions of the segment
  Vec2 normal;      ///< of the shape outward, unit: d distance = normal . (displacement of the point)
  int feature;      ///< 0: the end b; 1 + i: vertex i of the core; -1: the segment crosses the core
};

/// The points of the segment a b that must stay outside: its end b, and the vertices of the core that face it between
/// the ends, two or three where the shape lies flat against it, so that neither can rock on the other. Points farther
/// than `reach` are omitted. The end a belongs to the preceding piece. Returns how many.
int segmentContacts(const PlanarShape& shape, const Vec2& a, const Vec2& b, double reach,
                    std::array<SegmentContact, 4>& contacts);

}  // namespace tendril::vines
