// Springs of pins. A wrinkled tube enters by its secant stiffness, which is exact at the step's start and, being larger
// than the tangent, stable in implicit steps.
#include "vine/pin_spring.h"

#include <algorithm>
#include <cmath>

namespace tendril {

double wrinkledMoment(double pressure, double radius, double critical, double angle) {
  const double scale = pi * pressure * radius * radius * radius;
  if (angle <= critical) return 0.5 * scale * angle / critical;
  const double ratio = std::sin(0.5 * critical) / std::sin(0.5 * std::min(angle, pi));
  const double c = std::clamp(2 * ratio - 1, -1.0, 1.0), g = std::acos(c);
  // Near g = pi both parts vanish like 4 (pi - g)^3 / 3.
  const double rest = pi - g;
  if (rest < 1e-3) return scale * (1 - rest * rest / 10);
  return scale * (std::sin(2 * g) + 2 * rest) / (4 * (std::sin(g) + rest * c));
}

double pinAngle(const VineChain& chain, int pin) {
  return chain.angle(2 * pin) - (pin > 0 ? chain.angle(2 * pin - 1) : chain.parameters().heading);
}

PinSpring pinSpring(const VineChain& chain, int pin, double bend) {
  const VineParameters& p = chain.parameters();
  if (!p.physical) return {p.stiffness, p.damping};
  const double length = chain.pinLength(pin), radius = p.radius();
  PinSpring spring{p.bendingStiffness / length, p.bendingDamping / length};
  if (p.pressure <= 0) return spring;
  const double critical = 0.5 * pi * p.pressure * radius * radius * radius / spring.stiffness;
  const double angle = std::fabs(bend);
  if (angle > critical && critical < pi) spring.stiffness = wrinkledMoment(p.pressure, radius, critical, angle) / angle;
  return spring;
}

}  // namespace tendril
