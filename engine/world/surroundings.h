// What surrounds all bodies of a scene alike at an instant: gravity and the medium, as timed values of the scene.
#pragma once

#include "scene/instant.h"

namespace tendril::world {

/// [m/s^2], times the instant's load factor. Throws Failure.
Vec3 gravity(const scene::Scene& scene, const scene::Instant& at);

/// Density of the medium [kg/m^3]; 0 without one. Throws Failure.
double mediumDensity(const scene::Scene& scene, const scene::Instant& at);

/// Velocity of the medium [m/s], times the instant's load factor. Throws Failure.
Vec3 mediumVelocity(const scene::Scene& scene, const scene::Instant& at);

}  // namespace tendril::world
