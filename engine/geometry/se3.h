// Rigid motions and twists: exponential and logarithm on SE(3), adjoint maps, and the tangent operator of the
// exponential with its derivative, to full precision at any angle (S, Appendix; notation of Selig and of Renda).
#pragma once

#include <array>
#include <cmath>

#include "geometry/frames.h"
#include "geometry/types.h"

namespace tendril {

using Vec6 = Vec<6>;  ///< twist (angular; linear) or wrench (moment; force), in a body frame
using Mat6 = Mat<6>;

/// x in a body's frame is R x + r in its parent's.
struct Pose {
  Mat3 R = Mat3::Identity();
  Vec3 r = Vec3::Zero();  ///< [m]
};

inline Pose operator*(const Pose& a, const Pose& b) { return {a.R * b.R, a.R * b.r + a.r}; }
inline Pose inverse(const Pose& g) { return {g.R.transpose(), -(g.R.transpose() * g.r)}; }

/// ad_x: the bracket [x, y] = ad_x y of twists.
inline Mat6 bracketMatrix(const Vec6& x) {
  Mat6 m = Mat6::Zero();
  m.topLeftCorner<3, 3>() = m.bottomRightCorner<3, 3>() = skew(x.head<3>());
  m.bottomLeftCorner<3, 3>() = skew(x.tail<3>());
  return m;
}
inline Vec6 bracket(const Vec6& x, const Vec6& y) {
  const Vec3 k = x.head<3>(), p = x.tail<3>(), l = y.head<3>(), q = y.tail<3>();
  Vec6 z;
  z << k.cross(l), k.cross(q) + p.cross(l);
  return z;
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

/// e_k = sum over n of (-x)^n / (2n + k)! for k = 0..7 with x = angle^2: cos, sin / angle, (1 - cos) / angle^2, ...
struct ExponentialSeries {
  std::array<double, 8> e;

  explicit ExponentialSeries(double x) {
    static constexpr double factorial[8] = {1, 1, 2, 6, 24, 120, 720, 5040};
    if (x < 4) {
      // The highest two by their series, the others downwards: e_k = 1/k! - x e_(k+2).
      for (int k = 6; k < 8; ++k) {
        double term = 1 / factorial[k], sum = term;
        for (int n = 1; n < 18 && std::abs(term) > 1e-18 * sum; ++n) {
          term *= -x / ((2 * n + k - 1) * (2 * n + k));
          sum += term;
        }
        e[k] = sum;
      }
      for (int k = 5; k >= 0; --k) e[k] = 1 / factorial[k] - x * e[k + 2];
    } else {
      const double angle = std::sqrt(x);
      e[0] = std::cos(angle), e[1] = std::sin(angle) / angle;
      for (int k = 0; k < 6; ++k) e[k + 2] = (1 / factorial[k] - e[k]) / x;
    }
  }
  /// de_k / dx for k <= 5, and d2e_k / dx2 for k <= 3.
  double slope(int k) const { return 0.5 * (k * e[k + 2] - e[k + 1]); }
  double bend(int k) const { return 0.5 * (k * slope(k + 2) - slope(k + 1)); }
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

/// Derivative of V(k) = int_0^1 exp(s K) ds = 1 + e2 K + e3 K^2 along p.
inline Mat3 tangentSlope(const Vec3& k, const Vec3& p, const ExponentialSeries& s) {
  const Mat3 K = skew(k), P = skew(p);
  return s.e[2] * P + s.e[3] * (K * P + P * K) + 2 * k.dot(p) * (s.slope(2) * K + s.slope(3) * (K * K));
}

/// Tangent operator T(x) = int_0^1 exp(s ad_x) ds: exp(x)^-1 d exp(x) = Ad_exp(-x) T(x) dx. Its lower left block is the
/// derivative of the upper left one along the linear part, since twists are angular vectors over the dual numbers.
inline Mat6 tangentOperator(const Vec6& twist) {
  const Vec3 k = twist.head<3>();
  const ExponentialSeries s(k.squaredNorm());
  const Mat3 K = skew(k);
  Mat6 T = Mat6::Zero();
  T.topLeftCorner<3, 3>() = T.bottomRightCorner<3, 3>() = Mat3::Identity() + s.e[2] * K + s.e[3] * (K * K);
  T.bottomLeftCorner<3, 3>() = tangentSlope(k, twist.tail<3>(), s);
  return T;
}

/// Derivative of tangentOperator at `twist` along `rate`.
inline Mat6 tangentOperatorRate(const Vec6& twist, const Vec6& rate) {
  const Vec3 k = twist.head<3>(), p = twist.tail<3>(), l = rate.head<3>(), q = rate.tail<3>();
  const ExponentialSeries s(k.squaredNorm());
  const Mat3 K = skew(k), P = skew(p), L = skew(l), K2 = K * K;
  const double kp = k.dot(p), kl = k.dot(l), pl = p.dot(l);
  // Second derivative of V along p and l.
  const Mat3 second = s.e[3] * (L * P + P * L) + 2 * kl * (s.slope(2) * P + s.slope(3) * (K * P + P * K)) +
                      2 * pl * (s.slope(2) * K + s.slope(3) * K2) + 2 * kp * (s.slope(2) * L + s.slope(3) * (K * L + L * K)) +
                      4 * kp * kl * (s.bend(2) * K + s.bend(3) * K2);
  Mat6 T = Mat6::Zero();
  T.topLeftCorner<3, 3>() = T.bottomRightCorner<3, 3>() = tangentSlope(k, l, s);
  T.bottomLeftCorner<3, 3>() = second + tangentSlope(k, q, s);
  return T;
}

}  // namespace tendril
