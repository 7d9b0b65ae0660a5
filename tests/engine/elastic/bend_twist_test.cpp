// Gradient and Hessian of bending and twisting against finite differences, at states far from the step's start.
#include "elastic/bend_twist.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <type_traits>

namespace tendril::elastic {
namespace bend_twist_test {

using X11 = Vec<11>;  // x0 x1 x2 (9), theta_e, theta_f

struct Spring {
  EdgeStart e, f;
  Vec3 natural, stiffness;
  double near = 0;
  bool reverseE = false, reverseF = false;
  double offset = 0;

  void frames(const X11& x, EdgeFrame& fe, EdgeFrame& ff) const {
    const Vec3 a = x.segment<3>(3) - x.segment<3>(0), b = x.segment<3>(6) - x.segment<3>(3);
    fe = edgeFrame(a.normalized(), a.norm(), x[9], e);
    ff = edgeFrame(b.normalized(), b.norm(), x[10], f);
  }
  double energy(const X11& x) const {
    EdgeFrame fe, ff;
    frames(x, fe, ff);
    BendTwistShared shared;
    const auto s = bendTwistStrain(fe, ff, x[10] - x[9], near, shared);
    const Vec3 d = Vec3(s.curvature1, s.curvature2, s.twist) - natural;
    return 0.5 * d.dot(stiffness.cwiseProduct(d));
  }
  X11 gradient(const X11& x) const {
    EdgeFrame fe, ff;
    frames(x, fe, ff);
    BendTwistShared shared;
    const auto s = bendTwistStrain(fe, ff, x[10] - x[9], near, shared);
    const Vec3 S = stiffness.cwiseProduct(Vec3(s.curvature1, s.curvature2, s.twist) - natural);
    const auto g = bendTwistGradient(fe, ff, s, shared);
    X11 out = X11::Zero();
    for (int i = 0; i < 3; ++i) {
      out.segment<3>(0) -= S[i] * g.be[i];
      out.segment<3>(3) += S[i] * (g.be[i] - g.bf[i]);
      out.segment<3>(6) += S[i] * g.bf[i];
      out[9] += S[i] * g.te[i];
      out[10] += S[i] * g.tf[i];
    }
    return out;
  }
  Mat<11> hessian(const X11& x) const {
    EdgeFrame fe, ff;
    frames(x, fe, ff);
    BendTwistShared shared;
    const auto s = bendTwistStrain(fe, ff, x[10] - x[9], near, shared);
    const Vec3 S = stiffness.cwiseProduct(Vec3(s.curvature1, s.curvature2, s.twist) - natural);
    const auto g = bendTwistGradient(fe, ff, s, shared);
    double ge = 0, gf = 0;
    for (int i = 0; i < 3; ++i) ge += S[i] * g.te[i], gf += S[i] * g.tf[i];
    auto h = bendTwistCurvature(fe, ff, s, shared, S, ge, gf);
    addStiffness(h, g, stiffness);
    Mat<8> r = Mat<8>::Zero();  // e (3), theta_e, f (3), theta_f
    r.block<3, 3>(0, 0) = h.ee;
    r.block<3, 3>(0, 4) = h.ef;
    r.block<3, 3>(4, 0) = h.ef.transpose();
    r.block<3, 3>(4, 4) = h.ff;
    r.block<3, 1>(0, 3) = h.e0, r.block<1, 3>(3, 0) = h.e0.transpose();
    r.block<3, 1>(0, 7) = h.e1, r.block<1, 3>(7, 0) = h.e1.transpose();
    r.block<3, 1>(4, 3) = h.f0, r.block<1, 3>(3, 4) = h.f0.transpose();
    r.block<3, 1>(4, 7) = h.f1, r.block<1, 3>(7, 4) = h.f1.transpose();
    r(3, 3) = h.t00, r(7, 7) = h.t11, r(3, 7) = r(7, 3) = h.t01;
    Mat<8, 11> P = Mat<8, 11>::Zero();
    P.block<3, 3>(0, 0) = -Mat3::Identity(), P.block<3, 3>(0, 3) = Mat3::Identity();
    P.block<3, 3>(4, 3) = -Mat3::Identity(), P.block<3, 3>(4, 6) = Mat3::Identity();
    P(3, 9) = 1, P(7, 10) = 1;
    return P.transpose() * r * P;
  }
};

class BendTwist : public ::testing::Test {
 protected:
  std::mt19937 random{7};
  double uniform(double a, double b) { return a + (b - a) * (double(random()) / 4294967296.0); }
  Vec3 direction() {
    Vec3 v;
    do v = Vec3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
    while (v.norm() > 1 || v.norm() < 0.1);
    return v.normalized();
  }
  // A spring whose edges have turned by up to `turn` rad since the step's start.
  std::pair<Spring, X11> make(double turn) {
    for (;;) {
      Spring s;
      X11 x;
      const Vec3 te = direction();
      const Vec3 tf = geometry::rotate(te, geometry::normalTo(direction(), te), uniform(0.1, 1.8));
      x << Vec3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)), Vec3::Zero(), Vec3::Zero(), uniform(-3, 3),
          uniform(-3, 3);
      x.segment<3>(3) = x.segment<3>(0) + uniform(0.5, 1.5) * te;
      x.segment<3>(6) = x.segment<3>(3) + uniform(0.5, 1.5) * tf;
      s.e.t = geometry::rotate(te, geometry::normalTo(direction(), te), uniform(0.8 * turn, turn));
      s.f.t = geometry::rotate(tf, geometry::normalTo(direction(), tf), uniform(0.8 * turn, turn));
      s.e.d1 = geometry::normalTo(direction(), s.e.t);
      s.f.d1 = geometry::normalTo(direction(), s.f.t);
      s.natural = Vec3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
      s.stiffness = Vec3(uniform(0.5, 2), uniform(0.5, 2), uniform(0.5, 2));
      s.near = uniform(-8, 8);
      EdgeFrame a, b;
      s.frames(x, a, b);
      const double m = referenceTwist(a, b, 1 + a.t.dot(b.t), 0);
      if (std::abs(std::abs(m) - pi) < 0.3) continue;  // stay off the branch cut, which belongs to unwrapping
      s.near = m + 2 * pi * std::round(uniform(-2, 2));
      return {s, x};
    }
  }
};

/// Evaluated here: an expression of the values of f would outlive them.
template <class F>
std::invoke_result_t<F, X11> centralDifference(const F& f, const X11& x, int i, double h) {
  X11 a = x, b = x;
  a[i] += h, b[i] -= h;
  X11 a2 = x, b2 = x;
  a2[i] += 2 * h, b2[i] -= 2 * h;
  return ((8.0 * (f(a) - f(b)) - (f(a2) - f(b2))) / (12.0 * h));
}

TEST_F(BendTwist, GradientMatchesFiniteDifferencesFarFromTheStepsStart) {
  for (double turn : {0.0, 0.1, 0.5, 1.0, 1.5, 2.0}) {
    for (int k = 0; k < 60; ++k) {
      const auto [s, x] = make(turn);
      const X11 g = s.gradient(x);
      ASSERT_GT(g.norm(), 1e-3);
      X11 d;
      const auto energy = [&s = s](const X11& y) { return s.energy(y); };
      for (int i = 0; i < 11; ++i) d[i] = centralDifference(energy, x, i, 1e-3);
      EXPECT_LT((g - d).norm(), 1e-6 * g.norm()) << "turn " << turn;
    }
  }
}

TEST_F(BendTwist, HessianMatchesFiniteDifferencesFarFromTheStepsStart) {
  for (double turn : {0.0, 0.1, 0.5, 1.0, 1.5, 2.0}) {
    for (int k = 0; k < 60; ++k) {
      const auto [s, x] = make(turn);
      const Mat<11> h = s.hessian(x);
      ASSERT_GT(h.norm(), 1e-3);
      Mat<11> d;
      const auto gradient = [&s = s](const X11& y) -> X11 { return s.gradient(y); };
      for (int i = 0; i < 11; ++i) d.col(i) = centralDifference(gradient, x, i, 1e-3);
      EXPECT_LT((h - d).norm(), 1e-5 * h.norm()) << "turn " << turn;
    }
  }
}

TEST_F(BendTwist, ClassicGradientWithoutTheHolonomyTermIsWrongFarFromTheStart) {
  // The guard behind the two tests above: dropping the spin vectors must show, or they would prove nothing.
  double worst = 0;
  for (int k = 0; k < 20; ++k) {
    const auto [s, x] = make(1.0);
    EdgeFrame fe, ff;
    s.frames(x, fe, ff);
    fe.spin.setZero(), ff.spin.setZero();
    BendTwistShared shared;
    const auto strain = bendTwistStrain(fe, ff, x[10] - x[9], s.near, shared);
    const Vec3 S = s.stiffness.cwiseProduct(Vec3(strain.curvature1, strain.curvature2, strain.twist) - s.natural);
    const auto g = bendTwistGradient(fe, ff, strain, shared);
    Vec3 classic = Vec3::Zero();
    for (int i = 0; i < 3; ++i) classic -= S[i] * g.be[i];
    const Vec3 exact = s.gradient(x).head<3>();
    worst = std::max(worst, (classic - exact).norm() / exact.norm());
  }
  EXPECT_GT(worst, 0.1);
}

TEST_F(BendTwist, ReversedEdgesGiveTheSameEnergyAndGradient) {
  for (int k = 0; k < 20; ++k) {
    const auto [s, x] = make(0.7);
    EdgeFrame fe, ff;
    s.frames(x, fe, ff);
    // The spring walked backwards: first edge is f reversed, second is e reversed.
    BendTwistShared a, b;
    const auto forward = bendTwistStrain(fe, ff, x[10] - x[9], s.near, a);
    const EdgeFrame re = reversed(ff), rf = reversed(fe);
    const auto backward = bendTwistStrain(re, rf, x[10] - x[9], s.near, b);
    EXPECT_NEAR(std::abs(backward.curvature1), std::abs(forward.curvature1), 1e-12);
    EXPECT_NEAR(std::abs(backward.curvature2), std::abs(forward.curvature2), 1e-12);
    EXPECT_NEAR(backward.twist, forward.twist, 1e-12);
    const auto gf = bendTwistGradient(fe, ff, forward, a);
    const auto gb = bendTwistGradient(re, rf, backward, b);
    // d/d(-f) of the backward twist equals -d/df of the forward twist.
    EXPECT_LT((gb.be[2] + gf.bf[2]).norm(), 1e-12 * (1 + gf.bf[2].norm()));
    EXPECT_LT((gb.bf[2] + gf.be[2]).norm(), 1e-12 * (1 + gf.be[2].norm()));
  }
}

TEST_F(BendTwist, PositiveCurvatureTurnsTheRodAheadTowardTheDirector) {
  // A flat strip along x with d1 = z: bending the rod ahead toward +z is curvature 1 positive, 2 tan(angle / 2).
  const double angle = 0.3;
  const Vec3 te(1, 0, 0), tf(std::cos(angle), 0, std::sin(angle));
  const EdgeFrame e = edgeFrame(te, 1, 0, {te, Vec3(0, 0, 1)});
  const EdgeFrame f = edgeFrame(tf, 1, 0, {tf, geometry::transport(Vec3(0, 0, 1), te, tf)});
  BendTwistShared shared;
  const auto s = bendTwistStrain(e, f, 0, 0, shared);
  EXPECT_NEAR(s.curvature1, 2 * std::tan(angle / 2), 1e-14);
  EXPECT_NEAR(s.curvature2, 0, 1e-14);
  const Vec3 tg(std::cos(angle), -std::sin(angle), 0);  // d2 = t x d1 = -y
  const EdgeFrame g = edgeFrame(tg, 1, 0, {tg, Vec3(0, 0, 1)});
  const auto r = bendTwistStrain(e, g, 0, 0, shared);
  EXPECT_NEAR(r.curvature2, 2 * std::tan(angle / 2), 1e-14);
  EXPECT_NEAR(r.curvature1, 0, 1e-14);
}

}  // namespace bend_twist_test
}  // namespace tendril::elastic
