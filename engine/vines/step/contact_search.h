// Which places of the tube may touch which obstacles within a step, as rows of the step's quadratic program: their
// distance at the step's start, how it changes with the velocities, and how tube and obstacle slide on each other.
#pragma once

#include <span>
#include <vector>

#include "solve/programs/quadratic_program.h"
#include "vines/chain.h"
#include "vines/step/shape_grid.h"

namespace tendril::vines {

/// A place of the tube and an obstacle near it.
struct SurfacePoint {
  int pair, obstacle, feature;  ///< feature: as SegmentContact
  int near;                     ///< number of the pair and obstacle among those near
  int body;                     ///< that the row acts on
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
  /// Pairs and obstacles that come within `margin` [m] and what the obstacle moves of touching, for the chain at q.
  /// Obstacles are at their places at the step's end; `dt` [s] takes them back to its start.
  void findPairs(const Chain& chain, std::span<const PlanarShape> shapes, double dt, double margin);

  /// Places of those pairs within `margin` and twice what the obstacle moves in `dt` [s], at q; obstacles `back` [s]
  /// before their given places.
  void findPlaces(const Chain& chain, std::span<const double> q, std::span<const PlanarShape> shapes, double back,
                  double dt, double margin);

  std::span<const SurfacePoint> places() const { return places_; }

  /// Looks which of those pairs a straight motion of its ends takes over an obstacle, from the chain's own place
  /// (obstacles `dt` [s] before theirs) to q: one of the core's vertices was on the axis on the way, or the obstacle came
  /// over the base. Returns one's number among those near, or -1. Half planes cannot be passed unseen.
  int findCrossed(const Chain& chain, std::span<const double> q, std::span<const PlanarShape> shapes, double dt);
  /// Places of the pairs that findCrossed found are replaced by those at the step's start, on the side they came from.
  void replaceCrossed(std::span<const SurfacePoint> atStart);
  int pairOf(int near) const { return near_[near].pair; }
  int obstacleOf(int near) const { return near_[near].obstacle; }
  int pairCount() const { return int(near_.size()); }

  /// Smallest distance [m] of the axis to the obstacles that are near, at q; infinite without any. With whom.
  double axisDistance(const Chain& chain, std::span<const double> q, std::span<const PlanarShape> shapes,
                      double back, int* pair, int* obstacle) const;

 private:
  struct Near {
    int pair, obstacle;
  };
  void addPlace(const Chain& chain, const Near& near, const PlanarShape& shape, const SegmentContact& contact,
                double length, const Vec2& start, const Vec2& along);

  std::vector<PlanarBox> boxes_;
  std::vector<Near> near_;
  std::vector<SurfacePoint> places_, merged_;
  std::vector<char> crossed_;  // of each near pair
  ShapeGrid grid_;
};

/// u . (v + w lever left(t)) as a row on a body's velocity (v, w): the speed in direction u of the place `lever` [m]
/// along its axis t.
inline Vec3 placeRow(const Vec2& u, const Vec2& t, double lever) { return {u.x(), u.y(), lever * u.dot(leftOf(t))}; }

}  // namespace tendril::vines
