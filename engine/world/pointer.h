// The spring with which the pointer pulls a point of a body. Where it pulls to is the World's; the model that has the
// point attaches it there.
#pragma once

namespace tendril::world {

/// [N/m] of a body with this bending stiffness [N m^2], mass [kg] and length [m]: stiff enough to lead all of it, soft
/// enough not to tear it.
inline double pointerStiffness(double bending, double mass, double length) {
  return 30 * bending / (length * length * length) + 40 * mass / length;
}

}  // namespace tendril::world
