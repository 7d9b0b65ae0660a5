// Rigid motions and twists: exponential and logarithm on SE(3), adjoint maps, and the tangent operator of the
// exponential with its derivative, to full precision at any angle (S, Appendix; notation of Selig and of Renda).
#pragma once

#include <array>
#include <cmath>

#include "geometry/dual.h"

namespace tendril {

/// x in a body's frame is R x + r in its parent's.
struct Pose {
  Mat3 R = Mat3::Identity();
  Vec3 r = Vec3::Zero();  ///< [m]
};

inline Pose operator*(const Pose& a, const Pose& b) { return {a.R * b.R, a.R * b.r + a.r}; }
inline Pose inverse(const Pose& g) { return {g.R.transpose(), -(g.R.transpose() * g.r)}; }

/// ad_x: the bracket [x, y] = ad_x y of twists.
inline Mat6 bracketMatrix(const Vec6& x) { return skew(DualVector(x)).matrix(); }
inline Vec6 bracket(const Vec6& x, const Vec6& y) { return cross(DualVector(x), DualVector(y)).twist(); }

/// ad_x^T y as a matrix of x: the wrench that a turn x makes of y.
inline Mat6 bracketTransposed(const Vec6& y) {
  Mat6 m = Mat6::Zero();
  const Mat3 M = skew(Vec3(y.head<3>())), F = skew(Vec3(y.tail<3>()));
  m << M, F, F, Mat3::Zero();
  return m;
}

/// Ad_g: twists of the body's frame, seen from the parent's.
inline Mat6 adjoint(const Pose& g) {
  Mat6 m = Mat6::Zero();
  m.topLeftCorner<3, 3>() = m.bottomRightCorner<3, 3>() = g.R;
  m.bottomLeftCorner<3, 3>() = skew(g.r) * g.R;
  return m;
}
/// Ad_g^-1 x.
inline Vec6 pullBack(const Pose& g, const Vec6& x) {
  const Vec3 k = x.head<3>();
  Vec6 y;
  y << g.R.transpose() * k, g.R.transpose() * (x.tail<3>() - g.r.cross(k));
  return y;
}
/// Ad_g^-T f: a wrench of the body's frame, seen from the parent's.
inline Vec6 pushWrench(const Pose& g, const Vec6& f) {
  const Vec3 force = g.R * f.tail<3>();
  Vec6 y;
  y << g.R * f.head<3>() + g.r.cross(force), force;
  return y;
}

/// e_k = sum over n of (-x)^n / (2n + k)! for k = 0..9 with x = angle^2: cos, sin / angle, (1 - cos) / angle^2, ...
struct ExponentialSeries {
  std::array<double, 10> e;

  explicit ExponentialSeries(double x) {
    static constexpr double factorial[10] = {1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880};
    if (x < 9) {
      // The highest two by their series, the others downwards: e_k = 1/k! - x e_(k+2).
      for (int k = 8; k < 10; ++k) {
        double term = 1 / factorial[k], sum = term;
        for (int n = 1; n < 24 && std::abs(term) > 1e-18 * sum; ++n) {
          term *= -x / ((2 * n + k - 1) * (2 * n + k));
          sum += term;
        }
        e[k] = sum;
      }
      for (int k = 7; k >= 0; --k) e[k] = 1 / factorial[k] - x * e[k + 2];
    } else {
      const double angle = std::sqrt(x);
      e[0] = std::cos(angle), e[1] = std::sin(angle) / angle;
      for (int k = 0; k < 8; ++k) e[k + 2] = (1 / factorial[k] - e[k]) / x;
    }
  }
  /// First derivative of e_k in x for k <= 7, second for k <= 5, third for k <= 3.
  double slope(int k) const { return 0.5 * (k * e[k + 2] - e[k + 1]); }
  double bend(int k) const { return 0.5 * (k * slope(k + 2) - slope(k + 1)); }
  double third(int k) const { return 0.5 * (k * bend(k + 2) - bend(k + 1)); }
};

/// exp of a twist: the motion along it for unit time.
inline Pose exponential(const Vec6& twist) {
  const Vec3 k = twist.head<3>();
  const ExponentialSeries s(k.squaredNorm());
  const Mat3 K = skew(k), K2 = K * K;
  return {Mat3::Identity() + s.e[1] * K + s.e[2] * K2, twist.tail<3>() + (s.e[2] * K + s.e[3] * K2) * twist.tail<3>()};
}

/// The twist of smallest angle with exp(twist) = g; its angle is at most pi.
inline Vec6 logarithm(const Pose& g) {
  const Eigen::Quaterniond q(g.R);
  const double sine = q.vec().norm(), angle = 2 * std::atan2(sine, std::abs(q.w()));
  Vec3 k = sine > 1e-300 ? Vec3(q.vec() * (angle / sine)) : Vec3(2 * q.vec());
  if (q.w() < 0) k = -k;
  const double x = k.squaredNorm();
  const ExponentialSeries s(x);
  const Mat3 K = skew(k);
  // V^-1 = 1 - K/2 + (1/x - e1 / (2 x e2)) K^2.
  const double c = x < 1e-4 ? 1.0 / 12 + x / 720 : (1 - s.e[1] / (2 * s.e[2])) / x;
  Vec6 twist;
  twist << k, g.r - 0.5 * K * g.r + c * (K * (K * g.r));
  return twist;
}

/// The tangent operator V(k) = int_0^1 exp(s [k]x) ds = 1 + e2 [k]x + e3 [k]x^2 and its derivatives, over dual vectors:
/// for twists k it is T(k) = int_0^1 exp(s ad_k) ds, with exp(k)^-1 d exp(k) = Ad_exp(-k) T(k) dk.
class TangentOperator {
 public:
  explicit TangentOperator(const Vec6& twist) : k_(twist), K_(skew(k_)) {
    const Dual x = dot(k_, k_);
    const ExponentialSeries s(x.a);
    for (int i = 0; i < 2; ++i) {
      const int n = i + 2;
      value_[i] = {s.e[n], s.slope(n) * x.b};
      slope_[i] = {s.slope(n), s.bend(n) * x.b};
      bend_[i] = {s.bend(n), s.third(n) * x.b};
    }
  }

  Mat6 matrix() const { return (dualIdentity() + value_[0] * K_ + value_[1] * (K_ * K_)).matrix(); }

  /// Derivative of matrix() along w.
  Mat6 along(const Vec6& w) const {
    const DualVector d(w);
    const DualMatrix W = skew(d);
    return (value_[0] * W + value_[1] * (K_ * W + W * K_) + (2 * dot(k_, d)) * (slope_[0] * K_ + slope_[1] * (K_ * K_))).matrix();
  }

  /// d (matrix() y) / d twist.
  Mat6 slopeOf(const Vec6& vector) const {
    const DualVector y(vector), ky = cross(k_, y), kky = cross(k_, ky);
    const Dual minus{-1, 0};
    return ((minus * value_[0]) * skew(y) + (minus * value_[1]) * (skew(ky) + K_ * skew(y)) +
            Dual{2, 0} * outer(slope_[0] * ky + slope_[1] * kky, k_)).matrix();
  }

  /// d (along(w) w) / d twist at fixed w.
  Mat6 bendOf(const Vec6& vector) const {
    const DualVector w(vector), kw = cross(k_, w), kkw = cross(k_, kw);
    const DualMatrix W = skew(w);
    const Dual minus{-1, 0}, along = dot(k_, w);
    return ((minus * value_[1]) * (W * W) + Dual{2, 0} * outer(slope_[1] * cross(w, kw), k_) +
            Dual{2, 0} * outer(slope_[0] * kw + slope_[1] * kkw, w) +
            (2 * (minus * along)) * (slope_[0] * W + slope_[1] * (K_ * W + skew(kw))) +
            (4 * along) * outer(bend_[0] * kw + bend_[1] * kkw, k_)).matrix();
  }

 private:
  DualVector k_;
  DualMatrix K_;
  std::array<Dual, 2> value_, slope_, bend_;  // of e2 and e3
};

/// d (T(x)^T y) / dx, since T(x)^T acts on the dual vector force + e moment as T(-x) does on twists.
inline Mat6 transposedSlope(const Vec6& x, const Vec6& y) {
  Vec6 swapped;
  swapped << y.tail<3>(), y.head<3>();
  const Mat6 s = -TangentOperator(-x).slopeOf(swapped);
  Mat6 m = Mat6::Zero();
  m << s.bottomLeftCorner<3, 3>(), s.topLeftCorner<3, 3>(), s.topLeftCorner<3, 3>(), Mat3::Zero();
  return m;
}

}  // namespace tendril
