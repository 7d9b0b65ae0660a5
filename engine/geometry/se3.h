// Rigid motions and twists: exponential and logarithm on SE(3), adjoint maps, and the tangent operator of the
// exponential with its derivative, to full precision at any angle (S, Appendix; notation of Selig and of Renda).
#pragma once

#include <array>
#include <cmath>

#include "geometry/dual.h"

namespace tendril::geometry {

/// x in a body's frame is R x + r in its parent's.
struct Pose {
  Mat3 R = Mat3::Identity();
  Vec3 r = Vec3::Zero();  ///< [m]
};

inline Pose operator*(const Pose& a, const Pose& b) { return {a.R * b.R, a.R * b.r + a.r}; }
inline Pose inverse(const Pose& g) { return {g.R.transpose(), -(g.R.transpose() * g.r)}; }

/// ad_x: the bracket [x, y] = ad_x y of twists.
inline Mat6 bracketMatrix(const Vec6& x) { return skew(DualVector(x)).matrix(); }
[[gnu::always_inline]] inline Vec6 bracket(const Vec6& x, const Vec6& y) {
  return cross(DualVector(x), DualVector(y)).twist();
}

/// ad_x^T y as a matrix acting on x: the change of the wrench y under a twist x.
inline Mat6 bracketTransposed(const Vec6& y) {
  Mat6 m = Mat6::Zero();
  const Mat3 M = skew(Vec3(y.head<3>())), F = skew(Vec3(y.tail<3>()));
  m << M, F, F, Mat3::Zero();
  return m;
}

/// Ad_g: maps twists from the body's frame to the parent's.
inline Mat6 adjoint(const Pose& g) {
  Mat6 m = Mat6::Zero();
  m.topLeftCorner<3, 3>() = m.bottomRightCorner<3, 3>() = g.R;
  m.bottomLeftCorner<3, 3>() = skew(g.r) * g.R;
  return m;
}
/// Ad_g^-1 x.
[[gnu::always_inline]] inline Vec6 pullBack(const Pose& g, const Vec6& x) {
  const Vec3 k = x.head<3>();
  Vec6 y;
  y << g.R.transpose() * k, g.R.transpose() * (x.tail<3>() - g.r.cross(k));
  return y;
}
/// Ad_g^-T f: maps a wrench from the body's frame to the parent's.
[[gnu::always_inline]] inline Vec6 pushWrench(const Pose& g, const Vec6& f) {
  const Vec3 force = g.R * f.tail<3>();
  Vec6 y;
  y << g.R * f.head<3>() + g.r.cross(force), force;
  return y;
}

/// e_k = sum over n of (-x)^n / (2n + k)! for k = 0..9 with x = angle^2: cos, sin / angle, (1 - cos) / angle^2, ...
struct ExponentialSeries {
  std::array<double, 10> e;
  static constexpr std::array<double, 36> inverseFactorial = [] {
    std::array<double, 36> f{};
    double product = 1;
    for (std::size_t n = 0; n < f.size(); ++n) product *= n > 0 ? static_cast<double>(n) : 1, f[n] = 1 / product;
    return f;
  }();

  explicit ExponentialSeries(double x) {
    static constexpr double factorial[10] = {1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880};
    if (x < 9) {
      // The highest two by their series to 1e-18 of the first term, the others by recursion downward: e_k = 1/k! - x
      // e_(k+2).
      const int terms = x < 0.25 ? 6 : x < 1 ? 8 : 13;
      double even = 0, odd = 0;
      for (int n = terms - 1; n >= 0; --n) {
        even = inverseFactorial[2 * n + 8] - x * even;
        odd = inverseFactorial[2 * n + 9] - x * odd;
      }
      e[8] = even, e[9] = odd;
      for (int k = 7; k >= 0; --k) e[k] = inverseFactorial[k] - x * e[k + 2];
    } else {
      const double angle = std::sqrt(x);
      e[0] = std::cos(angle), e[1] = std::sin(angle) / angle;
      for (int k = 0; k < 8; ++k) e[k + 2] = (1 / factorial[k] - e[k]) / x;
    }
  }
  /// First derivative of e_k with respect to x for k <= 7, second for k <= 5, third for k <= 3.
  double slope(int k) const { return 0.5 * (k * e[k + 2] - e[k + 1]); }
  double bend(int k) const { return 0.5 * (k * slope(k + 2) - slope(k + 1)); }
  double third(int k) const { return 0.5 * (k * bend(k + 2) - bend(k + 1)); }
};

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

/// A quantity with its first and second time derivatives.
template <class T>
struct Jet {
  T value, rate, acceleration;
};

/// The tangent operator V(k) = int_0^1 exp(s [k]x) ds = 1 + e2 [k]x + e3 [k]x^2 and its derivatives, over dual vectors:
/// for twists k it is T(k) = int_0^1 exp(s ad_k) ds, with exp(k)^-1 d exp(k) = Ad_exp(-k) T(k) dk.
class TangentOperator {
 public:
  TangentOperator() : TangentOperator(Vec6(Vec6::Zero())) {}
  explicit TangentOperator(const Vec6& twist) : k_(twist), square_(dot(k_, k_)) {
    const ExponentialSeries s(square_.a);
    sine_ = s.e[1];
    for (int i = 0; i < 2; ++i) {
      const int n = i + 2;
      value_[i] = {s.e[n], s.slope(n) * square_.b};
      slope_[i] = {s.slope(n), s.bend(n) * square_.b};
      bend_[i] = {s.bend(n), s.third(n) * square_.b};
    }
  }

  /// exp(k).
  Pose exponential() const {
    const Vec3 kb = k_.a.cross(k_.b);
    return {turn(sine_, value_[0].a), k_.b + value_[0].a * kb + value_[1].a * k_.a.cross(kb)};
  }

  /// T x, T^T of a wrench (moment; force), and the derivative of T along w times w.
  Vec6 operator*(const Vec6& x) const { return applied(DualVector(x), 1).twist(); }
  Vec6 transposedTimes(const Vec6& wrench) const { return swapped(applied(swapped(wrench), -1)); }
  Vec6 rateAlong(const Vec6& vector) const {
    const DualVector w(vector), kw = cross(k_, w);
    const Dual along = 2 * dot(k_, w);
    return ((along * slope_[0]) * kw + (along * slope_[1]) * cross(k_, kw) + value_[1] * cross(w, kw)).twist();
  }

  DualMatrix dual() const {
    DualMatrix m = symmetric(k_, (0.5 * value_[1]) * k_) + skew(value_[0] * k_);
    addDiagonal(m, Dual{1, 0} - value_[1] * square_);
    return m;
  }
  Mat6 matrix() const { return dual().matrix(); }

  /// With its time derivatives where k has rate w and acceleration a.
  Jet<DualMatrix> jet(const Vec6& rate, const Vec6& acceleration) const {
    const DualVector w(rate), a(acceleration);
    // Of x = k . k, then of e2 and e3.
    const Dual x1 = 2 * dot(k_, w), x2 = 2 * (dot(k_, a) + dot(w, w));
    std::array<Dual, 2> f1, f2;
    for (int i = 0; i < 2; ++i) f1[i] = slope_[i] * x1, f2[i] = bend_[i] * (x1 * x1) + slope_[i] * x2;
    Jet<DualMatrix> t;
    t.value = dual();
    t.rate = symmetric(k_, (0.5 * f1[1]) * k_ + value_[1] * w) + skew(f1[0] * k_ + value_[0] * w);
    addDiagonal(t.rate, -(f1[1] * square_ + value_[1] * x1));
    t.acceleration = symmetric(k_, (0.5 * f2[1]) * k_ + (2 * f1[1]) * w + value_[1] * a) + symmetric(w, value_[1] * w) +
                     skew(f2[0] * k_ + (2 * f1[0]) * w + value_[0] * a);
    addDiagonal(t.acceleration, -(f2[1] * square_ + 2 * (f1[1] * x1) + value_[1] * x2));
    return t;
  }

  /// Derivative of matrix() along w.
  Mat6 along(const Vec6& w) const { return jet(w, Vec6::Zero()).rate.matrix(); }

  /// d (matrix()^T y) / d twist, as a dual matrix that maps twists to wrenches force + e moment.
  DualMatrix transposedSlope(const Vec6& wrench) const {
    const DualVector f = swapped(wrench), kf = cross(k_, f);
    DualMatrix m = skew(value_[0] * f - value_[1] * kf) +
                   outer((-2 * slope_[0]) * kf + (2 * slope_[1]) * cross(k_, kf), k_) + outer((-value_[1]) * f, k_);
    addDiagonal(m, value_[1] * dot(k_, f));
    return m;
  }

  static DualVector swapped(const Vec6& wrench) { return {wrench.tail<3>(), wrench.head<3>()}; }
  static Vec6 swapped(const DualVector& f) {
    Vec6 y;
    y << f.b, f.a;
    return y;
  }

 private:
  static void addDiagonal(DualMatrix& m, Dual s) { m.a.diagonal().array() += s.a, m.b.diagonal().array() += s.b; }
  DualVector applied(const DualVector& x, double sign) const {
    const DualVector kx = cross(k_, x);
    return x + (sign * value_[0]) * kx + value_[1] * cross(k_, kx);
  }
  // 1 + s [k]x + c [k]x^2.
  Mat3 turn(double s, double c) const {
    Mat3 m = c * (k_.a * k_.a.transpose()) + skew(Vec3(s * k_.a));
    m.diagonal().array() += 1 - c * square_.a;
    return m;
  }

  DualVector k_;
  Dual square_;
  double sine_;
  std::array<Dual, 2> value_, slope_, bend_;  // of e2 and e3
};

/// exp of a twist: the motion along it for unit time.
inline Pose exponential(const Vec6& twist) { return TangentOperator(twist).exponential(); }

/// A dual matrix that maps twists to wrenches force + e moment, as a matrix of twists and wrenches (moment; force).
inline Mat6 wrenchMatrix(const DualMatrix& s) {
  Mat6 m;
  m << s.b, s.a, s.a, Mat3::Zero();
  return m;
}

/// d (T(x)^T y) / dx.
inline Mat6 transposedSlope(const Vec6& x, const Vec6& y) {
  return wrenchMatrix(TangentOperator(x).transposedSlope(y));
}

}  // namespace tendril::geometry
