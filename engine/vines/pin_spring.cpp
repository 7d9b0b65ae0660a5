// Pin springs. A wrinkled tube is represented by its secant stiffness, which is exact at the step's start and, being
// larger than the tangent, stable in implicit steps.
#include "vines/pin_spring.h"

#include <algorithm>
#include <cmath>

#include "geometry/quadrature.h"

namespace tendril::vines {

namespace {

constexpr double small = 1e-2;  // r below which differences of terms in r^3 are taken from their series

// r = pi - g: sin r - r cos r = y, whose left side has the slope r sin r and is about r^3 / 3 for small r.
double tautAngle(double critical, double angle) {
  const double y = pi * critical / angle;
  double low = 0, high = pi, r = std::min(std::cbrt(3 * y), 0.99 * pi);
  for (int k = 0; k < 60; ++k) {
    const double over = std::sin(r) - r * std::cos(r) - y;
    (over > 0 ? high : low) = r;
    const double next = r - over / (r * std::sin(r));
    const double before = r;
    r = next > low && next < high ? next : 0.5 * (low + high);
    if (std::fabs(r - before) <= 1e-15 * r) break;
  }
  return r;
}

double criticalAngle(const Parameters& p, double stiffness) {
  return 0.5 * pi * p.pressure * p.radius() * p.radius() * p.radius() / stiffness;
}

}  // namespace

double wrinkledMoment(double pressure, double radius, double critical, double angle) {
  const double scale = pi * pressure * radius * radius * radius;
  if (angle <= critical) return 0.5 * scale * angle / critical;
  const double r = tautAngle(critical, angle), y = pi * critical / angle;
  // Near r = 0 numerator and denominator vanish together.
  if (r < small) return scale * (1 - r * r / 10);
  return scale * (2 * r - std::sin(2 * r)) / (4 * y);
}

double pinAngle(const Chain& chain, int pin) {
  return chain.angle(2 * pin) - (pin > 0 ? chain.angle(2 * pin - 1) : chain.parameters().heading);
}

elastic::KelvinVoigt<double> pinSpring(const Chain& chain, int pin, double bend) {
  const Parameters& p = chain.parameters();
  if (!p.physical) return {p.stiffness, p.damping};
  const double length = chain.pinLength(pin), radius = p.radius();
  elastic::KelvinVoigt<double> spring{p.bendingStiffness / length, p.bendingDamping / length};
  if (p.pressure <= 0) return spring;
  const double critical = 0.5 * pi * p.pressure * radius * radius * radius / spring.stiffness;
  const double angle = std::fabs(bend);
  if (angle > critical) spring.stiffness = wrinkledMoment(p.pressure, radius, critical, angle) / angle;
  return spring;
}

double pinTangent(const Chain& chain, int pin, double bend) {
  const Parameters& p = chain.parameters();
  const double stiffness = pinSpring(chain, pin, 0).stiffness, angle = std::fabs(bend);
  if (!p.physical || p.pressure <= 0) return stiffness;
  const double critical = criticalAngle(p, stiffness);
  if (angle <= critical) return stiffness;
  const double r = tautAngle(critical, angle);
  const double change =
      r < small ? 4.0 / 45 * std::pow(r, 5) : 2 * r - std::sin(2 * r) - 4 * std::sin(r) / r * (pi * critical / angle);
  return stiffness * change / (2 * pi);
}

double pinEnergy(const Chain& chain, int pin, double bend) {
  const Parameters& p = chain.parameters();
  const double angle = std::fabs(bend);
  const elastic::KelvinVoigt<double> spring = pinSpring(chain, pin, 0);
  if (!p.physical || p.pressure <= 0) return spring.energy(angle);
  const double radius = p.radius(), critical = 0.5 * pi * p.pressure * radius * radius * radius / spring.stiffness;
  if (angle <= critical) return spring.energy(angle);
  // Beyond it the moment is smooth.
  double sum = spring.energy(critical);
  const double beyond = angle - critical;
  const geometry::Quadrature rule = geometry::gaussLegendre(12);
  for (std::size_t k = 0; k < rule.points.size(); ++k) {
    sum += beyond * rule.weights[k] * wrinkledMoment(p.pressure, radius, critical, critical + rule.points[k] * beyond);
  }
  return sum;
}

}  // namespace tendril::vines
