// What the scene does to its linkages at a time: gravity, loads, springs and efforts of joints, tensions, and the
// coordinates that it prescribes.
#pragma once

#include <vector>

#include "links/structure.h"
#include "scene/instant.h"

namespace tendril::links {

/// A prescribed coordinate of a joint at a time.
struct DrivenValue {
  int coordinate = 0;
  double value = 0, rate = 0, acceleration = 0;
  double blur = 0;  ///< round-off of the value, where it is a difference
};

/// Where the rate of a prescribed coordinate jumps within a step, or changes faster than the step follows.
struct DrivenKink {
  int coordinate = 0;
  double after = 0;  ///< [s] from the step's start
  double jump = 0;   ///< of the rate
  double leap = 0;   ///< of the value
};

/// A prescribed coordinate that knows no time, and stands elsewhere since a live value or what it sees has changed.
struct DrivenLeap {
  int coordinate = 0;
  double by = 0;  ///< [rad] or [m]
};

/// The rate with which a prescribed coordinate that has a kink ends a step, and where.
struct DrivenEnd {
  int coordinate = 0;
  double rate = 0, value = 0;
  bool followed = false;  ///< but for its kinks, which leave the value itself as it is, differences see all of it
};

class Drives {
 public:
  explicit Drives(const scene::Scene& scene) : scene_(scene) {}

  /// Marks the prescribed coordinates and adds what acts in joints of several rotations to a fresh system.
  void attach(const Structure& structure, System& system) const;

  /// Everything that acts at `at`. Throws Failure.
  void apply(const scene::Instant& at, const Structure& structure, System& system) const;

  /// On which side of a time differences look: no kink there lies between a step and what it takes for rates.
  enum class Side { before, around, after };
  /// Values at `at`, with derivatives from differences of order four over `width` [s] on that side; 0: none. No formula
  /// is asked before the run's start or beyond its end. Those of joints of several rotations count from where the
  /// system's chain has them, as its coordinates do.
  void driven(const scene::Instant& at, Side side, double width, const Structure& structure, const System& system,
              std::vector<DrivenValue>& out) const;

  /// Kinks within the step of dt [s] that ends at `end`, in the order of time, and the rates of what has them at its
  /// end; both empty where polynomials of order four follow all formulas. `values`, `rates`, and `accelerations` where
  /// given, are those with which the step begins: they count as kinks where formulas go on otherwise.
  void findKinks(const scene::Instant& end, double dt, const VectorX& values, const VectorX& rates,
                 const VectorX* accelerations, const Structure& structure, const System& system,
                 std::vector<DrivenKink>& kinks, std::vector<DrivenEnd>& ends) const;

  /// What stands elsewhere at `at` than in `values`, of coordinates whose formulas know no time.
  void findLeaps(const scene::Instant& at, const VectorX& values, const Structure& structure, const System& system,
                 std::vector<DrivenLeap>& out) const;

  /// The first of the joints of several rotations whose formulas of time turn it by more than `most` [rad] from one
  /// instant to the other, at most pi: the shorter way round would be another. Null: none.
  const BuiltLink* drivenPast(double most, const scene::Instant& from, const scene::Instant& to,
                              const Structure& structure) const;
  /// Whether joints of several rotations are driven.
  bool drivesPoses(const Structure& structure) const;

  /// Torque or force of a joint's coordinate at a time, where it is not driven.
  double effort(const scene::Instant& at, const scene::JointCoordinate& coordinate) const;

 private:
  template <class Visit>
  void forEachDriven(const scene::Instant& at, const Structure& structure, const System& system,
                     const Visit& visit) const;
  template <class Visit>
  void forEachDrivenPose(const scene::Instant& at, const BuiltLink& built, const System& system,
                         const Visit& visit) const;
  void applyLoads(const scene::Instant& at, const Structure& structure, System& system) const;
  void applyWrench(const Structure::PlacedLoad& placed, const scene::Instant& at, const Structure& structure,
                   System& system) const;

  const scene::Scene& scene_;
};

}  // namespace tendril::links
