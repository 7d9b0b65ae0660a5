// Coulomb friction by the smooth stick-slip law of the implicit contact method (M 23), as a dissipation potential of
// the tangential velocity. The normal force and the tangent plane are parameters here: callers either lag them and
// iterate until they settle, or include their derivatives and solve an unsymmetric system.
#pragma once

#include <cmath>

#include "geometry/types.h"

namespace tendril::contact {

/// gamma(u) = 2 / (1 + exp(-15 u / nu)) - 1 = tanh(7.5 u / nu): the friction force is mu N gamma, opposite to u.
struct FrictionForce {
  double rate = 0;  ///< potential [W]: mu N (nu / 7.5) ln cosh(7.5 |u| / nu)
  Vec3 force;       ///< its gradient in the velocity [N]; acts against the motion
  Mat3 slope;       ///< second derivative [N s/m], symmetric and positive semidefinite
  double drag = 0;  ///< |force| / |u| [N s/m]
};

/// `limit` = mu N [N], `normal` a unit vector, `slip` = nu [m/s], `velocity` relative, in any direction.
inline FrictionForce friction(double limit, const Vec3& normal, double slip, const Vec3& velocity) {
  FrictionForce f;
  const Vec3 u = velocity - normal.dot(velocity) * normal;
  const double speed = u.norm(), z = 7.5 * speed / slip;
  const double decay = std::exp(-2 * z), gamma = (1 - decay) / (1 + decay);
  f.rate = limit * slip / 7.5 * (z + std::log1p(decay) - std::log(2.0));
  const Mat3 plane = Mat3::Identity() - normal * normal.transpose();
  const double steepest = 7.5 * limit / slip;
  if (z < 1e-6) {
    f.force = steepest * u;
    f.slope = steepest * plane;
    f.drag = steepest;
    return f;
  }
  const Vec3 along = u / speed;
  f.force = limit * gamma * along;
  f.drag = limit * gamma / speed;
  const Mat3 forward = along * along.transpose();
  f.slope = (steepest * (1 - gamma * gamma)) * forward + f.drag * (plane - forward);
  return f;
}

/// Derivative of the force with respect to the unit normal at fixed limit and velocity, for changes perpendicular to
/// the normal: u rotates with the tangent plane.
inline Mat3 frictionByNormal(const FrictionForce& f, const Vec3& normal, const Vec3& velocity) {
  return -normal.dot(velocity) * f.slope - f.drag * (normal * velocity.transpose());
}

}  // namespace tendril::contact
