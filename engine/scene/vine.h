// The typed scene of vines: growing robots in a plane, as described in docs/vines.md. SI units, radians.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "formula/number.h"
#include "geometry/types.h"
#include "scene/linkage.h"

namespace tendril::scene {

struct Vine {
  enum class Plane { xy, xz, yz };  ///< heading 0 points along the first axis and increases toward the second
  std::string name;
  int bodies = 30;           ///< initial; even
  double length = 0;         ///< initial [m]
  double diameter = 0;       ///< of the tube [m]
  double heading = 0;        ///< [rad]
  Vec3 base = Vec3::Zero();  ///< [m]
  Plane plane = Plane::xy;

  /// Of the tube: properties of bodies and pins follow from their length. Otherwise per body and pin, as published.
  bool physical = true;
  formula::Number massPerLength;            ///< [kg/m]
  formula::Number bendingStiffness;         ///< EI [N m^2]
  formula::Number bendingDamping;           ///< [N m^2 s]
  std::optional<formula::Number> pressure;  ///< [Pa] of a tube whose wall wrinkles; empty: it never wrinkles
  formula::Number mass;                     ///< [kg]
  std::optional<formula::Number> inertia;   ///< [kg m^2]; empty: that of a thin-walled tube
  formula::Number stiffness, damping;       ///< of a pin [N m/rad], [N m s/rad]

  bool implicitSprings = true;
  bool tube = true;  ///< contact of the whole tube; false: of the ends of pairs, as published
  bool growsAtTip = false;
  formula::Number growth;                ///< [m/s], timed; negative retracts
  std::optional<formula::Number> stall;  ///< [N], timed
  formula::Number steer;                 ///< moment of every pin [N m], timed field of s, u, i, n over the pins
  formula::Number curvature;             ///< natural, at every pin [1/m], the same

  /// Initial state, if not straight and at rest: x, y [m] from the base and theta [rad] of every body's center, and
  /// their rates.
  std::vector<std::array<double, 3>> placements, velocities;

  Look look;
  std::string pointer;
};

}  // namespace tendril::scene
