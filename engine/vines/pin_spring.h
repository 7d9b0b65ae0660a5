// A pin's resistance: its spring and damper, linear or those of an inflated tube whose wall wrinkles.
#pragma once

#include "elastic/kelvin_voigt.h"
#include "vines/chain.h"

namespace tendril::vines {

/// [N m/rad], secant at the present angle, and [N m s/rad] of pin i, bent by `bend` [rad] beyond its natural angle.
/// Physical: K = EI / l and C = damping / l with l = pinLength.
elastic::KelvinVoigt<double> pinSpring(const Chain& chain, int pin, double bend);

/// How the moment of pin i rises with its bend [N m/rad]: below the secant where the wall wrinkles.
double pinTangent(const Chain& chain, int pin, double bend);

/// Energy [J] stored by pin i bent by `bend` [rad] beyond its natural angle.
double pinEnergy(const Chain& chain, int pin, double bend);

/// Angle of pin i relative to the preceding pair, or to the base's heading for i = 0.
double pinAngle(const Chain& chain, int pin);

/// Bending moment [N m] of an inflated thin-walled tube of radius R and pressure P, bent by `angle` >= 0 [rad]. It is
/// linear up to the angle `critical`, where it reaches pi P R^3 / 2 and the wall begins to wrinkle; beyond, the
/// wrinkled part 2 g of the circumference is slack and the rest balances the pressure (Comer and Levy 1963),
/// M = pi P R^3 (sin 2g + 2 pi - 2 g) / (4 (sin g + (pi - g) cos g)), angle / critical = pi / (sin g + (pi - g) cos
/// g)
/// which rises toward the collapse moment pi P R^3 with a continuous slope.
double wrinkledMoment(double pressure, double radius, double critical, double angle);

}  // namespace tendril::vines
