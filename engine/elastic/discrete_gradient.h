// Discrete gradients of strains: what makes a step of the midpoint rule keep energy. For a strain eps of an element
// with coordinates u, from u0 to u1 = u0 + delta, a vector D with
//   D . delta = eps(u1) - eps(u0)   exactly, and D = (grad eps(u0) + grad eps(u1)) / 2 + O(delta^2).
// The force (mean stress) D then does exactly the work by which k (eps - natural)^2 / 2 changes. D does no work in a
// rigid rotation of the middle of the step, as the gradient there would: with it the midpoint rule keeps momentum.
//
// After Gonzalez 1996 (J. Nonlinear Sci. 6) and Simo & Tarnow 1992 (ZAMP 43), with the correction along the increment
// without its rigid rotation, and the gradients of both ends in place of the one in the middle: what is left to correct
// then vanishes with the square of that increment, so that D stays smooth where an element turns without straining.
#pragma once

#include <algorithm>
#include <cmath>

#include "geometry/types.h"

namespace tendril::elastic {

/// An element in the middle of a step, in coordinates u = (V vectors between its points, A angles), and the rigid
/// rotations of that: one by w changes vector e by w x e and angle a by generator[a] . w. Increments are measured
/// relative to the vectors' own lengths, so that an edge that is nearly crushed counts as the long one beside it.
template <int V, int A>
class StepElement {
 public:
  static constexpr int size = 3 * V + A;
  using Coordinates = Vec<size>;

  /// Vectors [m] at both ends, angle generators [1] in the middle.
  StepElement(const Vec3 (&start)[V], const Vec3 (&end)[V], const Vec3* generators) {
    Mat3 inertia = Mat3::Zero();
    for (int i = 0; i < V; ++i) {
      vector_[i] = 0.5 * (start[i] + end[i]);
      weight_[i] = 2 / (start[i].squaredNorm() + end[i].squaredNorm());
      inertia -= weight_[i] * vector_[i] * vector_[i].transpose();
      inertia.diagonal().array() += weight_[i] * vector_[i].squaredNorm();
    }
    for (int a = 0; a < A; ++a) {
      generator_[a] = generators[a];
      inertia += generators[a] * generators[a].transpose();
    }
    // Round-off of its size, so that collinear vectors divide by no zero: no force acts along the turn that is lost.
    inertia.diagonal().array() += 1e-14;
    inverse_ = inverseOf(inertia);
  }

  /// Of the shortest vector: its inverse square [1/m^2].
  double largestWeight() const { return *std::max_element(weight_, weight_ + V); }

  /// Rotation that comes nearest to the increment, as the vector w [1] of its Cayley form.
  Vec3 rotationOf(const Coordinates& delta) const {
    Vec3 moment = Vec3::Zero();
    for (int i = 0; i < V; ++i) moment += weight_[i] * vector_[i].cross(delta.template segment<3>(3 * i));
    for (int a = 0; a < A; ++a) moment += delta[3 * V + a] * generator_[a];
    return inverse_ * moment;
  }

  /// The increment that a rotation makes.
  Coordinates incrementOf(const Vec3& w) const {
    Coordinates out;
    for (int i = 0; i < V; ++i) out.template segment<3>(3 * i) = w.cross(vector_[i]);
    for (int a = 0; a < A; ++a) out[3 * V + a] = generator_[a].dot(w);
    return out;
  }

  /// Takes out of a force what would do work in a rigid rotation.
  void balance(Coordinates& force) const {
    Vec3 moment = Vec3::Zero();
    for (int i = 0; i < V; ++i) moment += vector_[i].cross(force.template segment<3>(3 * i));
    for (int a = 0; a < A; ++a) moment += force[3 * V + a] * generator_[a];
    force -= weighted(incrementOf(inverse_ * moment));
  }

  /// From an increment to the force whose work in it is its square [1].
  Coordinates weighted(Coordinates u) const {
    for (int i = 0; i < V; ++i) u.template segment<3>(3 * i) *= weight_[i];
    return u;
  }

  /// Discrete gradient of a strain with gradients g0, g1 at the ends. `strain`: the increment `delta` without its rigid
  /// rotation; `difference`: eps1 - eps0; `turned`: the part of it that the rotation alone makes, 0 for a strain that
  /// no rotation changes. Adds to `noise` the square of what the round-off of strains of order 1 leaves in it [1], each
  /// vector's part counted by its own length: a force by the square of an inverse length times that. `steepness`: where
  /// the strain may change over less than the vectors' lengths, what steepnessOf() says; else 1.
  Coordinates gradient(const Coordinates& g0, const Coordinates& g1, const Coordinates& delta,
                       const Coordinates& strain, double difference, double turned, double& noise,
                       double steepness = 1) const {
    Coordinates D = 0.5 * (g0 + g1);
    balance(D);
    const Coordinates force = weighted(strain), whole = weighted(delta);
    const double strain2 = force.dot(strain), delta2 = whole.dot(delta), size = std::sqrt(delta2);
    const double missing = difference - turned - D.dot(delta);
    const double share = correction(steepness * steepness * size * strain2, roundOff, strain2, 1e-13);
    noise += share * share * squared(force);
    D += (share * missing / roundOff) * force;
    if (turned != 0) D += correction(size * delta2, turned, delta2, 1e-15) * whole;
    return D;
  }

  /// Over which part of the vectors' lengths the gradient of a strain changes by its size, if less than the whole: the
  /// inverse of that, at least 1. What the mean of both gradients misses of the strain's change grows with its square.
  double steepnessOf(const Coordinates& g0, const Coordinates& g1, const Coordinates& delta) const {
    const double change2 = squared(g1 - g0), delta2 = weighted(delta).dot(delta);
    return change2 > delta2 ? std::sqrt(change2 / delta2) : 1;
  }

  /// The same where what is not in the coordinates is held, so that rotations strain the element.
  Coordinates heldGradient(const Coordinates& g0, const Coordinates& g1, const Coordinates& delta,
                           double difference) const {
    const Coordinates D = 0.5 * (g0 + g1), whole = weighted(delta);
    const double delta2 = whole.dot(delta);
    return D + correction(std::sqrt(delta2) * delta2, difference - D.dot(delta), delta2, 1e-15) * whole;
  }

 private:
  static constexpr double roundOff = 1e-15;  // of a difference of two strains

  /// missing / square, faded out where `missing` is round-off that the division would blow up. `bound`: of the order of
  /// the largest that `missing` can be [1]. What is left out changes the energy by about stress * noise in a step.
  static double correction(double bound, double missing, double square, double noise) {
    return bound > 1e-3 * noise ? bound / (bound + noise) * missing / square : 0;
  }

  double squared(const Coordinates& force) const {
    double out = 0;
    for (int i = 0; i < V; ++i) out += force.template segment<3>(3 * i).squaredNorm() / weight_[i];
    for (int a = 0; a < A; ++a) out += force[3 * V + a] * force[3 * V + a];
    return out;
  }

  static Mat3 inverseOf(const Mat3& m) {
    Mat3 out;
    out.row(0) = m.col(1).cross(m.col(2));
    out.row(1) = m.col(2).cross(m.col(0));
    out.row(2) = m.col(0).cross(m.col(1));
    return out / m.col(0).dot(out.row(0).transpose());
  }

  Vec3 vector_[V], generator_[A > 0 ? A : 1];
  double weight_[V];
  Mat3 inverse_;
};

}  // namespace tendril::elastic
