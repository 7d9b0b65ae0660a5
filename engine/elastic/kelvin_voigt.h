// The linear law with a damper beside it (Kelvin-Voigt): what rods, shells and springs resist with, each in a strain of
// its own. With the strain's change d from its natural value and its speed v,
//   stress = K d + C v,  stored energy = d . K d / 2,  dissipated power = v . C v,
// where K [N m] and C [N m s], for a strain without unit, are a number, a number per component, or matrices.
#pragma once

#include "geometry/types.h"

namespace tendril::elastic {

inline double applied(double modulus, double strain) { return modulus * strain; }
inline Vec3 applied(double modulus, const Vec3& strain) { return modulus * strain; }
inline Vec3 applied(const Vec3& modulus, const Vec3& strain) { return modulus.cwiseProduct(strain); }

inline double workOf(double stress, double strain) { return stress * strain; }
inline double workOf(const Vec3& stress, const Vec3& strain) { return stress.dot(strain); }

/// What the laws share; `Law` has stress(d) and damping(v).
template <class Law>
struct LinearLaw {
  template <class Strain>
  double energy(const Strain& d) const {
    return 0.5 * workOf(law().stress(d), d);
  }
  /// [J s]: what the damper takes while the strain changes evenly, times the duration.
  template <class Strain>
  double dissipation(const Strain& change) const {
    return workOf(law().damping(change), change);
  }
  /// (energy(d1) - energy(d0)) / (d1 - d0)
  template <class Strain>
  Strain meanStress(const Strain& d0, const Strain& d1) const {
    return 0.5 * (law().stress(d0) + law().stress(d1));
  }

 private:
  const Law& law() const { return static_cast<const Law&>(*this); }
};

/// `Modulus`: a number, or one per component of the strain.
template <class Modulus>
struct KelvinVoigt : LinearLaw<KelvinVoigt<Modulus>> {
  Modulus stiffness, viscosity;

  KelvinVoigt(const Modulus& k, const Modulus& c) : stiffness(k), viscosity(c) {}
  template <class Strain>
  Strain stress(const Strain& d) const {
    return applied(stiffness, d);
  }
  template <class Strain>
  Strain damping(const Strain& v) const {
    return applied(viscosity, v);
  }
  /// d stress / d strain where the speed changes by `rate` [1/s] times the strain.
  Modulus tangent(double rate) const { return stiffness + rate * viscosity; }
};

/// A matrix K, and C = delay K with the ratio `delay` [s] of viscosity to Young's modulus.
struct ProportionalLaw : LinearLaw<ProportionalLaw> {
  const Mat3& stiffness;
  double delay;

  ProportionalLaw(const Mat3& k, double time) : stiffness(k), delay(time) {}
  Vec3 stress(const Vec3& d) const { return stiffness * d; }
  Vec3 damping(const Vec3& v) const { return delay * (stiffness * v); }
  Mat3 tangent(double rate) const { return (1 + delay * rate) * stiffness; }
};

/// Stress at the end of an implicit step, and the incremental potential there: stored, and of the damper.
template <class Strain>
struct Response {
  Strain stress;
  double stored, damped;

  void addTo(double& potential) const { potential += stored, potential += damped; }
};

/// At a change d and speed v; `rate` [1/s]: dv / dd, 0 without damping.
template <class Strain, class Law>
Response<Strain> respond(const Law& law, const Strain& d, const Strain& v, double rate) {
  Response<Strain> out{law.stress(d), law.energy(d), 0};
  if (rate > 0) {
    const Strain damping = law.damping(v);
    out.stress += damping;
    out.damped = 0.5 * workOf(damping, v) / rate;
  }
  return out;
}

/// Of a step of the midpoint rule that keeps energy, with the middle as its unknown (elastic/discrete_gradient.h).
template <class Strain>
struct StepResponse {
  Strain stress0, stress1;  ///< elastic, at the ends
  Strain damping;
  Strain stress;  ///< along the discrete gradient: it does the work of the change of energy, and that of the damper
  double potential, magnitude;  ///< of what has one, but for the work of stress0 / 2 along the start's gradient [J]

  /// Along the end's gradient: what has a potential. The derivative of `stress` in the middle is law.tangent(2 rate).
  Strain atEnd() const { return 0.5 * stress1 + damping; }
};

/// From d0 to d1, where the damper sees `change` at `rate` [1/s], one over the duration.
template <class Strain, class Law>
StepResponse<Strain> respondOver(const Law& law, const Strain& d0, const Strain& d1, const Strain& change,
                                 double rate) {
  const Strain damping = law.damping(Strain(rate * change));
  return {law.stress(d0),
          law.stress(d1),
          damping,
          law.meanStress(d0, d1) + damping,
          0.25 * law.energy(d1) + 0.25 * workOf(damping, change),
          0.25 * (law.energy(d0) + law.energy(d1))};
}

}  // namespace tendril::elastic
