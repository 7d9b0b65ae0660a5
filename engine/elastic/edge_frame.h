// The triad of a rod edge at a trial state, as a function of the edge vector and its twist angle. The reference
// director is carried by time-parallel transport from the accepted state in closed form, so that every energy is a
// function of the unknowns alone within a step.
#pragma once

#include <cmath>

#include "geometry/frames.h"

namespace tendril::elastic {

/// An edge where a step starts: its unit tangent and reference director.
struct EdgeStart {
  using Scalar = double;  ///< all of it
  Vec3 t;                 ///< unit tangent
  Vec3 d1;                ///< unit reference director, normal to t
};

struct EdgeFrame {
  Vec3 t;              ///< unit tangent
  Vec3 d1;             ///< reference director
  Vec3 m1, m2;         ///< material directors; (m1, m2, t) is right-handed
  Vec3 t0;             ///< tangent at the step's start
  Vec3 spin;           ///< a [1/m]: at fixed twist angle the material frame spins by a . de about t
  double inverse = 0;  ///< 1 / |e| [1/m]
  double chart = 2;    ///< 1 + t0 . t; 2 where the edge has not turned, singular at 0
};

/// Frame of an edge vector e = length * t with twist angle theta [rad].
inline EdgeFrame edgeFrame(const Vec3& t, double length, double theta, const EdgeStart& start) {
  EdgeFrame f;
  f.t = t;
  f.t0 = start.t;
  f.inverse = 1.0 / length;
  f.chart = 1.0 + start.t.dot(t);
  f.d1 = start.d1 - (t.dot(start.d1) / f.chart) * (start.t + t);
  f.spin = t.cross(start.t) * (f.inverse / f.chart);
  const Vec3 d2 = t.cross(f.d1);
  const double c = std::cos(theta), s = std::sin(theta);
  f.m1 = c * f.d1 + s * d2;
  f.m2 = c * d2 - s * f.d1;
  return f;
}

/// Second derivative S of the spin angle in the edge vector: the Hessian in e gains (dE/dtheta) S. S is the symmetric
/// part of da/de; its antisymmetric part belongs to the zero-spin derivative (holonomy of time-parallel transport).
inline Mat3 spinHessian(const EdgeFrame& f) {
  const double c = f.chart - 1.0;
  const Vec3 w = ((2.0 + c) * f.t + f.t0) * (-0.5 * f.inverse / f.chart);
  const Mat3 half = f.spin * w.transpose();
  return half + half.transpose();
}

/// da/de, not symmetric: what follower moments need.
inline Mat3 spinJacobian(const EdgeFrame& f) {
  const double c = f.chart - 1.0, k = f.inverse * f.inverse;
  const Vec3 b = f.t.cross(f.t0);
  const Mat3 project = Mat3::Identity() - f.t * f.t.transpose();
  return k * (-(geometry::skew(f.t0) * project) / f.chart - b * (f.t0 - c * f.t).transpose() / (f.chart * f.chart) -
              b * f.t.transpose() / f.chart);
}

/// The same edge seen from its other end, as joints need it: tangent, d1 and twist angle change sign, m2 stays.
inline EdgeFrame reversed(const EdgeFrame& f) {
  EdgeFrame r = f;
  r.t = -f.t;
  r.t0 = -f.t0;
  r.d1 = -f.d1;
  r.m1 = -f.m1;
  return r;
}

/// Directors turned about the tangent by the angle whose cosine and sine are given (a joint's initial mismatch).
inline EdgeFrame turned(const EdgeFrame& f, double c, double s) {
  EdgeFrame r = f;
  r.d1 = c * f.d1 + s * f.t.cross(f.d1);
  r.m1 = c * f.m1 + s * f.m2;
  r.m2 = c * f.m2 - s * f.m1;
  return r;
}

}  // namespace tendril::elastic
