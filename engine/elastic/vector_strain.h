// Strains of a few vectors between points: what springs between places of bodies resist. A kind of spring is one struct
// with what `kindOf` asks of it, in a file of its own, and its line in elastic/spring_kinds.cpp; force, tangent,
// damping and steps that keep energy follow from its value, gradient and Hessian.
#pragma once

#include <algorithm>
#include <cmath>

#include "elastic/discrete_gradient.h"

namespace tendril::elastic {

/// At the vectors u, 3 V components [m].
template <int V>
struct VectorStrain {
  bool valid = true;  ///< false: no gradient exists there
  double value = 0;
  Vec<3 * V> gradient = Vec<3 * V>::Zero();
  Mat<3 * V> hessian = Mat<3 * V>::Zero();
};

inline constexpr int mostVectors = 3;
using StrainVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3 * mostVectors, 1>;
using StrainMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3 * mostVectors, 3 * mostVectors>;

/// A VectorStrain of any number of vectors.
struct StrainValue {
  bool valid = true;
  double value = 0;
  StrainVector gradient;
  StrainMatrix hessian;
};

/// A kind of spring, for those who know no more of it.
struct SpringKind {
  const char* name;       ///< its key in a scene's spring
  int vectors;            ///< from each of its places to the next
  double period;          ///< what comes back after it, such as an angle, counts on from turn to turn; 0: nothing does
  const char* undefined;  ///< where no gradient exists, in words for the user
  StrainValue (*at)(const StrainVector& u);
  /// The discrete gradient (elastic/discrete_gradient.h) from u0 to u1; adds to `noise` the square of the part that
  /// round-off leaves in it.
  StrainVector (*between)(const StrainVector& u0, const StrainValue& start, const StrainVector& u1,
                          const StrainValue& end, double& noise);

  int places() const { return vectors + 1; }
  /// The value that is the same but for whole periods and nearest to another one.
  double nearestTo(double value, double other) const {
    return period > 0 ? value - period * std::round((value - other) / period) : value;
  }
};

template <class S>
StrainValue strainOf(const StrainVector& u) {
  const VectorStrain<S::vectors> strain = S::at(Vec<3 * S::vectors>(u));
  return StrainValue{strain.valid, strain.value, strain.gradient, strain.hessian};
}

/// A kind may have a `between(u0, u1)` of its own, where there is a closed form.
template <class S>
StrainVector discreteGradientOf(const StrainVector& u0, const StrainValue& start, const StrainVector& u1,
                                const StrainValue& end, double& noise) {
  if constexpr (requires { S::between(u0, u1); }) {
    return S::between(u0, u1);
  } else {
    constexpr int V = S::vectors;
    Vec3 from[V], to[V];
    for (int k = 0; k < V; ++k) from[k] = u0.segment<3>(3 * k), to[k] = u1.segment<3>(3 * k);
    const StepElement<V, 0> element(from, to, nullptr);
    const Vec<3 *V> delta = u1 - u0, strained = delta - element.incrementOf(element.rotationOf(delta));
    // The element takes strains to be of order 1 where its vectors change by their own length.
    const double whole = std::max(start.gradient.norm() * u0.norm(), end.gradient.norm() * u1.norm()),
                 unit = whole > 0 ? whole : 1;
    double square = 0;
    const Vec<3 *V> g0 = start.gradient / unit, g1 = end.gradient / unit;
    const Vec<3 * V> out = unit * element.gradient(g0, g1, delta, strained, (end.value - start.value) / unit, 0, square,
                                                   element.steepnessOf(g0, g1, delta));
    noise += unit * unit * element.largestWeight() * square;
    return out;
  }
}

template <class S>
constexpr double periodOf() {
  if constexpr (requires { S::period; }) return S::period;
  return 0;
}

/// S has `name`, `vectors`, `undefined` and `at(u)`, its VectorStrain at vectors u; an angle has its `period`.
template <class S>
constexpr SpringKind kindOf() {
  static_assert(S::vectors <= mostVectors);
  return {S::name, S::vectors, periodOf<S>(), S::undefined, strainOf<S>, discreteGradientOf<S>};
}

}  // namespace tendril::elastic
