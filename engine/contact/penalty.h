// The contact penalty: energy k f(d)^2 of the gap d, with f the softplus of width 1/K (theory.md, Contact; M 21 in
// meters). Value and derivatives do not overflow at any depth.
#pragma once

#include <cmath>

namespace tendril::contact {

/// E = k f^2, f(d) = log(1 + exp(-K d)) / K with K = 15 / delta. d [m] is the distance minus both radii.
struct Penalty {
  double energy = 0;     ///< [J] with k in N/m
  double force = 0;      ///< -dE/dd [N], pushes apart
  double stiffness = 0;  ///< d2E/dd2 [N/m], never negative
  double slope = 0;      ///< d3E/dd3 [N/m^2]
};

/// Beyond this many delta the energy is below the round-off of its value at touch (1e-17).
inline constexpr double penaltyReach = 1.3;

inline Penalty penalty(double d, double k, double delta) {
  const double K = 15 / delta, z = -K * d;
  // log(1 + e^z) and e^z / (1 + e^z) without overflow.
  const double e = std::exp(z > 0 ? -z : z);
  const double soft = (z > 0 ? z : 0) + std::log1p(e), logistic = (z > 0 ? 1 : e) / (1 + e);
  Penalty p;
  p.energy = k * soft * soft / (K * K);
  p.force = 2 * k * soft * logistic / K;
  p.stiffness = 2 * k * logistic * (logistic + soft * (1 - logistic));
  p.slope = -2 * k * K * logistic * (1 - logistic) * (3 * logistic + soft * (1 - 2 * logistic));
  return p;
}

/// Energy of a contact that just touches [J], for a stiffness k [N/m].
inline double touchEnergy(double k, double delta) {
  const double soft = std::log(2.0) * delta / 15;
  return k * soft * soft;
}

/// Adds a normal force of `share` * stiffness * (start - d) while the gap d is below `start`, its value at the step's
/// start; share is the damping time over the elapsed time. Implicit in d, with the potential share * (E'(d) (d - start)
/// - E(d) + E(start)).
inline void addApproachDamping(Penalty& p, double d, double start, double energyAtStart, double share) {
  if (d >= start) return;
  const double move = d - start;
  const Penalty e = p;
  p.energy += share * (energyAtStart - e.energy - e.force * move);
  p.force -= share * e.stiffness * move;
  p.stiffness += share * (e.stiffness + e.slope * move);
}

}  // namespace tendril::contact
