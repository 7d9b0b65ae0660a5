// Points of the tube that may touch obstacles within a step, as rows of the step's quadratic program: their distance at
// the step's start, how it changes with the velocities, and how tube and obstacle slide along each other.
#pragma once

#include <span>
#include <vector>

#include "solve/programs/quadratic_program.h"
#include "vines/chain.h"
#include "vines/step/shape_grid.h"

namespace tendril::vines {

/// A point of the tube and an obstacle near it.
struct SurfacePoint {
  int pair, obstacle, feature;  ///< feature: as SegmentContact
  int near;                     ///< index of the pair and obstacle among those near
  int body;                     ///< the body that the row acts on
  double lever;                 ///< [m] from the body's center along its axis
  double along;                 ///< [m] from the pair's start
  double gap;                   ///< [m] between skin and obstacle
  Vec2 normal;                  ///< outward of the obstacle, unit
  Vec2 direction;               ///< of the pair, unit
  Vec2 point;                   ///< [m] on the tube's axis
  double friction;              ///< coefficient
  bool atStart = false;         ///< gap and normal are those of the step's start
};

class ContactSearch {
 public:
  /// Finds pairs and obstacles that come within `margin` [m], plus the obstacle's displacement, of touching, for the
  /// chain at q. Obstacles are at their final positions; `dt` [s] moves them back to the step's start.
  void findPairs(const Chain& chain, std::span<const PlanarShape> shapes, double dt, double margin);

  /// Points of those pairs within `margin` plus twice the obstacle's displacement in `dt` [s], at q; obstacles `back`
  /// [s] before their given positions.
  void findPoints(const Chain& chain, std::span<const double> q, std::span<const PlanarShape> shapes, double back,
                  double dt, double margin);

  std::span<const SurfacePoint> points() const { return points_; }

  /// Finds which of those pairs pass over an obstacle when their ends move straight from the chain's own position
  /// (obstacles `dt` [s] earlier) to q: one of the core's vertices crossed the axis, or the obstacle moved over the
  /// base. Returns the index of one among those near, or -1. Half planes cannot be passed unnoticed.
  int findCrossed(const Chain& chain, std::span<const double> q, std::span<const PlanarShape> shapes, double dt);
  /// Replaces the points of the pairs found by findCrossed with those at the step's start, on the side where they
  /// started.
  void replaceCrossed(std::span<const SurfacePoint> atStart);
  int pairOf(int near) const { return near_[near].pair; }
  int obstacleOf(int near) const { return near_[near].obstacle; }
  int pairCount() const { return int(near_.size()); }

  /// Smallest distance [m] from the axis to the near obstacles, at q, and its pair and obstacle; infinite without any.
  double axisDistance(const Chain& chain, std::span<const double> q, std::span<const PlanarShape> shapes, double back,
                      int* pair, int* obstacle) const;

 private:
  struct Near {
    int pair, obstacle;
  };
  void addPoint(const Chain& chain, const Near& near, const PlanarShape& shape, const SegmentContact& contact,
                double length, const Vec2& start, const Vec2& along);

  std::vector<PlanarBox> boxes_;
  std::vector<Near> near_;
  std::vector<SurfacePoint> points_, merged_;
  std::vector<char> crossed_;  // of each near pair
  ShapeGrid grid_;
};

/// u . (v + w lever left(t)) as a row on a body's velocity (v, w): the speed in direction u of the point `lever` [m]
/// along its axis t.
inline Vec3 pointRow(const Vec2& u, const Vec2& t, double lever) { return {u.x(), u.y(), lever * u.dot(leftOf(t))}; }

}  // namespace tendril::vines
