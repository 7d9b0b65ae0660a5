// Dual numbers a + e b with e^2 = 0, and vectors and matrices of them: a twist (angular; linear) is one dual vector,
// and identities for rotations of vectors hold for rigid motions of twists (Study 1903; "principle of transference").
#pragma once

#include "geometry/frames.h"
#include "geometry/types.h"

namespace tendril::geometry {

using Vec6 = Vec<6>;  ///< twist (angular; linear) or wrench (moment; force), in a body frame
using Mat6 = Mat<6>;

struct Dual {
  double a = 0, b = 0;
};
inline Dual operator+(Dual x, Dual y) { return {x.a + y.a, x.b + y.b}; }
inline Dual operator-(Dual x, Dual y) { return {x.a - y.a, x.b - y.b}; }
inline Dual operator*(Dual x, Dual y) { return {x.a * y.a, x.a * y.b + x.b * y.a}; }
inline Dual operator-(Dual x) { return {-x.a, -x.b}; }
inline Dual operator*(double s, Dual x) { return {s * x.a, s * x.b}; }

struct DualVector {
  Vec3 a, b;
  DualVector() = default;
  DualVector(const Vec3& real, const Vec3& dual) : a(real), b(dual) {}
  explicit DualVector(const Vec6& twist) : a(twist.head<3>()), b(twist.tail<3>()) {}
  Vec6 twist() const {
    Vec6 x;
    x << a, b;
    return x;
  }
};
inline DualVector operator+(const DualVector& x, const DualVector& y) { return {x.a + y.a, x.b + y.b}; }
inline DualVector operator-(const DualVector& x, const DualVector& y) { return {x.a - y.a, x.b - y.b}; }
inline DualVector operator*(double s, const DualVector& x) { return {s * x.a, s * x.b}; }
inline DualVector operator*(Dual s, const DualVector& x) { return {s.a * x.a, s.a * x.b + s.b * x.a}; }
[[gnu::always_inline]] inline DualVector cross(const DualVector& x, const DualVector& y) {
  return {x.a.cross(y.a), x.a.cross(y.b) + x.b.cross(y.a)};
}
[[gnu::always_inline]] inline Dual dot(const DualVector& x, const DualVector& y) {
  return {x.a.dot(y.a), x.a.dot(y.b) + x.b.dot(y.a)};
}

struct DualMatrix {
  Mat3 a = Mat3::Zero(), b = Mat3::Zero();
  /// As a matrix of twists.
  Mat6 matrix() const {
    Mat6 m;
    m << a, Mat3::Zero(), b, a;
    return m;
  }
};
inline DualMatrix operator+(const DualMatrix& x, const DualMatrix& y) { return {x.a + y.a, x.b + y.b}; }
inline DualMatrix operator*(Dual s, const DualMatrix& x) { return {s.a * x.a, s.a * x.b + s.b * x.a}; }
inline DualMatrix operator*(const DualMatrix& x, const DualMatrix& y) { return {x.a * y.a, x.a * y.b + x.b * y.a}; }
inline DualMatrix operator*(double s, const DualMatrix& x) { return {s * x.a, s * x.b}; }
inline DualVector operator*(const DualMatrix& m, const DualVector& x) { return {m.a * x.a, m.a * x.b + m.b * x.a}; }
inline DualMatrix transposed(const DualMatrix& x) { return {x.a.transpose(), x.b.transpose()}; }
inline DualMatrix skew(const DualVector& x) { return {skew(x.a), skew(x.b)}; }
/// [x]x m, skipping its zeros.
inline Mat3 crossColumns(const Vec3& x, const Mat3& m) {
  Mat3 y;
  y.row(0) = x[1] * m.row(2) - x[2] * m.row(1);
  y.row(1) = x[2] * m.row(0) - x[0] * m.row(2);
  y.row(2) = x[0] * m.row(1) - x[1] * m.row(0);
  return y;
}
inline DualMatrix cross(const DualVector& x, const DualMatrix& m) {
  return {crossColumns(x.a, m.a), crossColumns(x.a, m.b) + crossColumns(x.b, m.a)};
}
/// x y^T.
inline DualMatrix outer(const DualVector& x, const DualVector& y) {
  return {x.a * y.a.transpose(), x.a * y.b.transpose() + x.b * y.a.transpose()};
}
/// x y^T + y x^T.
inline Mat3 symmetric(const Vec3& x, const Vec3& y) {
  const Mat3 m = x * y.transpose();
  return m + m.transpose();
}
inline DualMatrix symmetric(const DualVector& x, const DualVector& y) {
  return {symmetric(x.a, y.a), symmetric(x.a, y.b) + symmetric(x.b, y.a)};
}
inline DualMatrix diagonal(Dual s) { return {s.a * Mat3::Identity(), s.b * Mat3::Identity()}; }
inline DualMatrix dualIdentity() { return {Mat3::Identity(), Mat3::Zero()}; }

}  // namespace tendril::geometry
