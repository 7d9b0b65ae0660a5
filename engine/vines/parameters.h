// Parameters of a growing chain and of its time step. All in SI units; the published planar simulator (Jitosho,
// Agharese, Okamura, Manchester 2021) is one choice of these, the physical robot another.
#pragma once

#include <limits>
#include <string>

#include "vines/step/planar_shapes.h"

namespace tendril::vines {

/// L pairs of bodies. The first body of a pair is pinned to the pair before, and the second slides along the first; all
/// have the same half length d, from a body's center to its pin.
struct Parameters {
  enum class Springs { implicit, atStart };  ///< atStart: explicit, as published
  enum class GrowthForm { length, rate };    ///< rate: rate of the distance between bodies, linearized, as published
  enum class GrowthSite { shared, tip };     ///< in all pairs alike, or in the last one, which splits
  enum class Contact { tube, pairs };        ///< pairs: only the far ends of pairs touch, as published

  int bodies = 30;               ///< at the start; even
  double halfLength = 0.1 / 15;  ///< d [m]: pairs are 4 d long at the start
  Vec2 base = Vec2::Zero();      ///< [m]
  double heading = 0;            ///< of the base [rad]
  double diameter = 0.024;       ///< of the tube [m]

  /// Whether masses and stiffnesses follow from the tube and from the current length of pairs.
  bool physical = true;
  double massPerLength = 0.1;      ///< [kg/m]
  double bendingStiffness = 1e-2;  ///< EI [N m^2]
  double bendingDamping = 0;       ///< [N m^2 s]
  /// Internal pressure [Pa] of a tube whose wall wrinkles in bending; 0: it never wrinkles.
  double pressure = 0;
  /// Otherwise the same for every body and pin.
  double mass = 1e-3;      ///< [kg]
  double inertia = 2e-4;   ///< [kg m^2]
  double stiffness = 0.5;  ///< K [N m/rad]
  double damping = 3e-5;   ///< C [N m s/rad]

  Springs springs = Springs::implicit;
  GrowthForm growthForm = GrowthForm::length;
  GrowthSite growthSite = GrowthSite::shared;
  /// Force on the tip [N] at which growth stops; the rate falls linearly. Infinite: growth is an equality.
  double stall = std::numeric_limits<double>::infinity();

  Contact contact = Contact::tube;
  double friction = 0;         ///< coefficient of Coulomb friction, for obstacles without their own
  double gapTolerance = 1e-5;  ///< [m] allowed overlap of tube and obstacle after a step
  double recovery = 0.5;       ///< [m/s] largest speed at which an existing overlap opens,
  double recoveryTime = 0.01;  ///< and [s] shortest time for it

  double radius() const { return 0.5 * diameter; }
  double pairLength() const { return 4 * halfLength; }

  /// The published program: explicit springs, growth as a rate, contact at the ends of pairs, K and C per pin.
  static Parameters published(int bodies, double halfLength);
  /// A tube of `length` [m] divided into `bodies`.
  static Parameters tube(int bodies, double length);

  /// What is invalid, in words; empty if nothing is.
  std::string problem() const;
};

}  // namespace tendril::vines
