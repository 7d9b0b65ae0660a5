// Transport of directors between unit tangents, and angles about an axis: the calculus of reference frames. Everything
// here is a closed form of its arguments, so that energies built on it have ordinary derivatives.
#pragma once

#include <cmath>

#include "geometry/types.h"

namespace tendril::geometry {

/// So nearly parallel that their common normal is undefined.
inline bool isParallel(const Vec3& a, const Vec3& b) { return a.normalized().cross(b.normalized()).norm() < 1e-6; }

/// d carried from unit tangent t0 to unit tangent t1 by the smallest rotation. d must be normal to t0; t1 = -t0 is
/// singular.
inline Vec3 transport(const Vec3& d, const Vec3& t0, const Vec3& t1) {
  return d - (t1.dot(d) / (1.0 + t0.dot(t1))) * (t0 + t1);
}

/// Signed angle [rad], in (-pi, pi], from a to b about the unit axis (a and b need not be unit).
inline double signedAngle(const Vec3& a, const Vec3& b, const Vec3& axis) {
  return std::atan2(a.cross(b).dot(axis), a.dot(b));
}

/// The value of angle + 2 pi k nearest to `near`.
inline double unwrapAngle(double angle, double near) {
  const double away = angle - near;
  if (std::abs(away) < pi) return angle;
  return angle - 2.0 * pi * std::round(away / (2.0 * pi));
}

/// v rotated about the unit axis by the angle [rad] (Rodrigues).
inline Vec3 rotate(const Vec3& v, const Vec3& axis, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return c * v + s * axis.cross(v) + ((1.0 - c) * axis.dot(v)) * axis;
}

/// The part of v normal to the unit tangent t, normalized. v must not be parallel to t.
inline Vec3 normalTo(const Vec3& v, const Vec3& t) { return (v - v.dot(t) * t).normalized(); }

/// [v]x, so that [v]x w = v x w.
inline Mat3 skew(const Vec3& v) {
  Mat3 m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

}  // namespace tendril::geometry
