// Stretching of an edge: strain, its gradient and Hessian in the edge vector (M 9-10), and its law.
#pragma once

#include "elastic/kelvin_voigt.h"

namespace tendril::elastic {

/// eps = |e| / l - 1 [1] of edge vector e with rest length l. `stress` is dE/deps = EA l (eps) [N m].
/// Gradient in e: stress * t / l. The node before gets the negative.
inline Vec3 stretchGradient(const Vec3& t, double inverseRest, double stress) { return (stress * inverseRest) * t; }

/// Hessian in e: stiffness (t/l)(t/l)^T + stress (I - t t^T) / (|e| l); `stiffness` is dstress/deps.
inline Mat3 stretchHessian(const Vec3& t, double inverseLength, double inverseRest, double stiffness, double stress) {
  const double transverse = stress * inverseLength * inverseRest;
  Mat3 h = ((stiffness * inverseRest * inverseRest) - transverse) * (t * t.transpose());
  h.diagonal().array() += transverse;
  return h;
}

/// What an edge resists beyond the linear law once it is crushed to less than a tenth of its natural length: an edge of
/// no length has no direction, and no rod passes through itself. Of x = |e| / l, per EA l: b = u^3 / 20 with u = 0.1 /
/// x - 1, 0 from x = 0.1 on. No material is linear there; a run that comes there is told so.
struct Crushing {
  static constexpr double limit = 0.1;
  static double depth(double x) { return x < limit ? limit / x - 1 : 0; }
  static double energy(double x) { return 0.05 * depth(x) * depth(x) * depth(x); }
  static double stress(double x) { return -0.15 * depth(x) * depth(x) * limit / (x * x); }
  static double stiffness(double x) {
    const double u = depth(x), slope = limit / (x * x);
    return 0.3 * u * slope * (slope + u / x);
  }
  /// (energy(x1) - energy(x0)) / (x1 - x0) without its cancellation, and its derivative in x1.
  static double quotient(double x0, double x1) {
    const double u0 = depth(x0), u1 = depth(x1);
    if (u0 == 0 && u1 == 0) return 0;
    if (u0 == 0 || u1 == 0) return (energy(x1) - energy(x0)) / (x1 - x0);
    return -0.05 * limit / (x0 * x1) * (u1 * u1 + u1 * u0 + u0 * u0);
  }
  static double quotientSlope(double x0, double x1) {
    const double u0 = depth(x0), u1 = depth(x1);
    if (u0 == 0 && u1 == 0) return 0;
    if (u0 == 0 || u1 == 0) return (stress(x1) - quotient(x0, x1)) / (x1 - x0);
    const double sum = u1 * u1 + u1 * u0 + u0 * u0;
    return 0.05 * limit / (x0 * x1 * x1) * ((2 * u1 + u0) * limit / x1 + sum);
  }
};

/// What an edge stores at a strain, per EA l, with the first two derivatives.
struct UnitStretch {
  static double energy(double strain) { return 0.5 * strain * strain + Crushing::energy(1 + strain); }
  static double stress(double strain) { return strain + Crushing::stress(1 + strain); }
  static double stiffness(double strain) { return 1 + Crushing::stiffness(1 + strain); }
};

/// That of a whole edge, with a damper beside it: as KelvinVoigt (elastic/kelvin_voigt.h), but where it is crushed.
struct StretchLaw {
  double stiffness = 0;  ///< EA l [N m]
  double viscosity = 0;  ///< eta A l [N m s]

  double energy(double strain) const { return stiffness * UnitStretch::energy(strain); }
  double stress(double strain) const { return stiffness * UnitStretch::stress(strain); }
  double damping(double speed) const { return viscosity * speed; }
  /// [J s], as LinearLaw::dissipation.
  double dissipation(double change) const { return damping(change) * change; }
  double tangent(double strain, double rate) const {
    return stiffness * UnitStretch::stiffness(strain) + rate * viscosity;
  }
  double meanStress(double strain0, double strain1) const {
    return stiffness * (0.5 * (strain0 + strain1) + Crushing::quotient(1 + strain0, 1 + strain1));
  }
  /// Of the stress over a step (StepResponse), in its middle.
  double stepTangent(double strain0, double strain1, double rate) const {
    return stiffness * (1 + 2 * Crushing::quotientSlope(1 + strain0, 1 + strain1)) + 2 * rate * viscosity;
  }
};

/// An edge in a step of the midpoint rule that keeps energy (elastic/discrete_gradient.h), from e0 = length0 t0 to
/// e1 = length1 t1. The discrete gradient of |e| is (e0 + e1) / (|e0| + |e1|).
struct StretchStep {
  double rest = 1;  ///< natural length l [m]
  StretchLaw law;
  double rate = 0;  ///< 1 / dt [1/s]
  double strain0 = 0, strain1 = 0;
  double length0 = 1, length1 = 1;
  Vec3 t0, t1;
  StepResponse<double> response = respondOver(law, strain0, strain1, strain1 - strain0, rate);

  double slope() const { return law.stepTangent(strain0, strain1, rate); }
  /// Incremental potential [J] of smooth(), as a function of the middle (e0 + e1) / 2.
  double potential() const {
    return response.potential + 0.25 * response.stress0 / rest * (length1 * t0.dot(t1) - length0);
  }
  Vec3 mean() const { return (length0 * t0 + length1 * t1) / (length0 + length1); }
  /// Force in the edge vector [N], and its part that has a potential.
  Vec3 force() const { return (response.stress / rest) * mean(); }
  Vec3 smooth() const {
    return (0.5 * law.stiffness / rest) * (UnitStretch::stress(strain0) * t0 + UnitStretch::stress(strain1) * t1) +
           (response.damping / rest) * t1;
  }
  /// The force's derivative in the middle is symmetric() + remainder() [N/m].
  Mat3 symmetric() const { return stretchHessian(t1, 1 / length1, 1 / rest, slope(), response.stress); }
  Mat3 remainder() const {
    const double turn = 2 * response.stress / (rest * (length0 + length1));
    Mat3 h = (slope() / (rest * rest) - turn) * (mean() * t1.transpose()) - symmetric();
    h.diagonal().array() += turn;
    return h;
  }
};

}  // namespace tendril::elastic
