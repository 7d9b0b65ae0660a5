// Turn of a rigid frame since the last accepted state, as a function of its increment w by Cayley's transform: a
// rotation by 2 atan(|w| / 2) about w. Unlike the exponential it has two exact properties that energy-keeping steps
// rest on: f(w) - f(0) = w x (f(w) + f(0)) / 2 for every direction f that is fixed in the frame, and the turn of a
// director about such a direction, beyond parallel transport, is 2 atan(w.f(0) / 2).
#pragma once

#include <cmath>

#include "geometry/frames.h"

namespace tendril::elastic {

class FrameTurn {
 public:
  FrameTurn() : FrameTurn(Vec3::Zero()) {}
  explicit FrameTurn(const Vec3& w) : w_(w), s_(1 / (1 + 0.25 * w.squaredNorm())) {}

  const Vec3& increment() const { return w_; }
  double angle() const { return 2 * std::atan(0.5 * w_.norm()); }  ///< [rad]

  /// A vector of the frame, from where it was to where it is.
  Vec3 operator()(const Vec3& v) const {
    const Vec3 c = w_.cross(v);
    return v + s_ * (c + 0.5 * w_.cross(c));
  }
  /// All columns of a matrix.
  Mat3 of(const Mat3& m) const {
    Mat3 out;
    for (int k = 0; k < 3; ++k) out.col(k) = (*this)(m.col(k));
    return out;
  }
  /// T: a change dw of the increment turns the frame by T dw in space.
  Mat3 rate() const {
    Mat3 t = (0.5 * s_) * geometry::skew(w_);
    t.diagonal().array() += s_;
    return t;
  }
  /// Transposed T times a moment: its generalized force on w.
  Vec3 onIncrement(const Vec3& moment) const { return s_ * (moment - 0.5 * w_.cross(moment)); }
  /// Derivative of onIncrement in w, for a moment that is constant in space.
  Mat3 onIncrementSlope(const Vec3& moment) const {
    return (0.5 * s_) * (geometry::skew(moment) - onIncrement(moment) * w_.transpose());
  }
  /// Hessian in w of a sum of products g.f, of directions f that turn with the frame and constant vectors g, given the
  /// sums of f g^T and of f x g.
  Mat3 curvature(const Mat3& fg, const Vec3& moment) const {
    Mat3 inner = fg;
    inner.diagonal().array() -= fg.trace();
    const Mat3 t = rate();
    return t.transpose() * inner * t - (0.5 * s_) * (onIncrement(moment) * w_.transpose() - geometry::skew(moment));
  }
  /// Turn [rad] of a director about a direction that was f0, beyond parallel transport, and its first two derivatives:
  /// slope f0 and curvature f0 f0^T.
  double twist(const Vec3& f0) const { return 2 * std::atan(0.5 * w_.dot(f0)); }
  double twistSlope(const Vec3& f0) const { return 1 / (1 + 0.25 * w_.dot(f0) * w_.dot(f0)); }
  double twistCurvature(const Vec3& f0) const {
    const double c = twistSlope(f0);
    return -0.5 * w_.dot(f0) * c * c;
  }

 private:
  Vec3 w_;
  double s_;
};

/// The increment that makes a rotation R [1]; it grows without bound toward half a turn.
inline Vec3 incrementOf(const Mat3& R) {
  return Vec3(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)) * (2 / (1 + R.trace()));
}

}  // namespace tendril::elastic
