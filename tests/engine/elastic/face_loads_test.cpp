// Drag and pressure on a face: known values, Jacobians against finite differences, and behavior where a corner's
// velocity changes from one side of the face to the other.
#include "elastic/face_loads.h"

#include <gtest/gtest.h>

#include "engine/elastic/differences.h"

namespace tendril::elastic {
namespace face_loads_test {

using X9 = Vec<9>;

FaceDrag drag(const X9& x, const X9& u, double c) {
  return faceDrag(x.segment<3>(0), x.segment<3>(3), x.segment<3>(6), u.segment<3>(0), u.segment<3>(3), u.segment<3>(6),
                  c);
}

X9 dragForces(const X9& x, const X9& u, double c) {
  const FaceDrag d = drag(x, u, c);
  X9 f;
  for (int i = 0; i < 3; ++i) f.segment<3>(3 * i) = d.force[i];
  return f;
}

Vec3 pressure(const X9& x, double p) { return facePressure(x.segment<3>(0), x.segment<3>(3), x.segment<3>(6), p); }

X9 triangle(Chance& chance) {
  X9 x;
  do {
    for (int i = 0; i < 3; ++i) x.segment<3>(3 * i) = chance.vector();
  } while (pressure(x, 3.0).norm() < 0.2);
  return x;
}

TEST(FaceDrag, FlatPlateFeelsHalfDensityTimesSpeedSquared) {
  // Density 3, Cd 1.2, area 0.5, moving at (7, 0, 2) past the medium: only the normal part counts.
  const X9 x = (X9() << 0, 0, 0, 1, 0, 0, 0, 1, 0).finished();
  for (double w : {2.0, -2.0}) {
    const X9 u = (X9() << 7, 0, w, 7, 0, w, 7, 0, w).finished();
    const FaceDrag d = drag(x, u, 0.5 * 3 * 1.2 * 0.5 / 3);
    const Vec3 total = d.force[0] + d.force[1] + d.force[2];
    EXPECT_LT((total - Vec3(0, 0, -0.5 * 3 * 1.2 * 0.5 * w * std::abs(w))).norm(), 1e-14);
  }
}

TEST(FaceDrag, JacobiansMatchFiniteDifferences) {
  Chance chance(31);
  for (int k = 0; k < 100; ++k) {
    const X9 x = triangle(chance);
    const double c = chance.uniform(0.5, 2);
    X9 u;
    const Vec3 n = pressure(x, 1.0).normalized();
    for (int i = 0; i < 3; ++i) {
      // Away from the change of sign, where the second derivative jumps and a difference is only of first order.
      do u.segment<3>(3 * i) = 3 * chance.vector();
      while (std::abs(u.segment<3>(3 * i).dot(n)) < 0.1);
    }
    const FaceDrag d = drag(x, u, c);
    Mat<9> byVelocity = Mat<9>::Zero(), byPosition;
    for (int i = 0; i < 3; ++i) {
      byVelocity.block<3, 3>(3 * i, 3 * i) = d.velocityJacobian(i);
      for (int j = 0; j < 3; ++j) byPosition.block<3, 3>(3 * i, 3 * j) = d.positionJacobian(i, j);
    }
    const Mat<9> dv = differenceJacobian<9, 9>([&](const X9& y) { return dragForces(x, y, c); }, u, 1e-3);
    const Mat<9> dx = differenceJacobian<9, 9>([&](const X9& y) { return dragForces(y, u, c); }, x, 1e-3);
    EXPECT_LT((byVelocity - dv).norm(), 1e-9 * byVelocity.norm());
    EXPECT_LT((byPosition - dx).norm(), 1e-6 * byPosition.norm());
  }
}

TEST(FaceDrag, ForceAndJacobiansAreContinuousThroughTheChangeOfSign) {
  Chance chance(32);
  for (int k = 0; k < 20; ++k) {
    const X9 x = triangle(chance);
    const Vec3 n = pressure(x, 1.0).normalized(), slip = chance.vector();
    const Vec3 inPlane = slip - slip.dot(n) * n;
    X9 u;
    for (int i = 0; i < 3; ++i) u.segment<3>(3 * i) = inPlane;
    // At the change everything is zero up to round-off; a difference of step h over it then stays below 2 c h.
    const FaceDrag d = drag(x, u, 1.0);
    for (int i = 0; i < 3; ++i) {
      EXPECT_LT(d.force[i].norm(), 1e-30);
      EXPECT_LT(d.velocityJacobian(i).norm(), 1e-14);
      for (int j = 0; j < 3; ++j) EXPECT_LT(d.positionJacobian(i, j).norm(), 1e-13);
    }
    for (double h : {1e-2, 1e-4}) {
      const Mat<9> dv = differenceJacobian<9, 9>([&](const X9& y) { return dragForces(x, y, 1.0); }, u, h);
      EXPECT_LT(dv.norm(), 6 * h);
      X9 up = u, down = u;
      up.head<3>() += h * n, down.head<3>() -= h * n;
      EXPECT_LT((drag(x, up, 1.0).force[0] + h * h * n).norm(), 1e-12 * h);
      EXPECT_LT((drag(x, down, 1.0).force[0] - h * h * n).norm(), 1e-12 * h);
      EXPECT_LT((drag(x, up, 1.0).velocityJacobian(0) - drag(x, down, 1.0).velocityJacobian(0)).norm(), 1e-12);
    }
  }
}

TEST(FaceDrag, TakesEnergyOutAndTurnsWithTheFace) {
  Chance chance(33);
  for (int k = 0; k < 20; ++k) {
    const X9 x = triangle(chance);
    X9 u;
    for (int i = 0; i < 9; ++i) u[i] = chance.uniform(-2, 2);
    const X9 f = dragForces(x, u, 1.3);
    for (int i = 0; i < 3; ++i) EXPECT_LE(f.segment<3>(3 * i).dot(u.segment<3>(3 * i)), 0);
    const Vec3 axis = chance.direction();
    const double turn = chance.uniform(-3, 3);
    X9 x2, u2, f2;
    for (int i = 0; i < 9; i += 3) {
      x2.segment<3>(i) = geometry::rotate(x.segment<3>(i), axis, turn);
      u2.segment<3>(i) = geometry::rotate(u.segment<3>(i), axis, turn);
      f2.segment<3>(i) = geometry::rotate(f.segment<3>(i), axis, turn);
    }
    EXPECT_LT((dragForces(x2, u2, 1.3) - f2).norm(), 1e-13 * (1 + f.norm()));
  }
}

TEST(FaceDrag, AFaceWithoutAreaHasNone) {
  const X9 x = (X9() << 0, 0, 0, 1, 1, 1, 2, 2, 2).finished();
  const FaceDrag d = drag(x, X9::Ones(), 1.0);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(d.force[i].norm(), 0);
    EXPECT_EQ(d.velocityJacobian(i).norm(), 0);
    for (int j = 0; j < 3; ++j) EXPECT_EQ(d.positionJacobian(i, j).norm(), 0);
  }
}

TEST(FacePressure, IsAThirdOfPressureTimesAreaAlongTheNormal) {
  const Vec3 f = facePressure(Vec3(1, 1, 5), Vec3(3, 1, 5), Vec3(1, 4, 5), 10.0);
  EXPECT_LT((f - Vec3(0, 0, 10.0 * 3.0 / 3.0)).norm(), 1e-14);
}

TEST(FacePressure, JacobianMatchesFiniteDifferences) {
  Chance chance(34);
  for (int k = 0; k < 50; ++k) {
    const X9 x = triangle(chance);
    const double p = chance.uniform(-2, 2);
    Mat3 j[3];
    facePressureJacobian(x.segment<3>(0), x.segment<3>(3), x.segment<3>(6), p, j);
    Mat<3, 9> exact;
    exact << j[0], j[1], j[2];
    const Mat<3, 9> d = differenceJacobian<3, 9>([&](const X9& y) -> Vec3 { return pressure(y, p); }, x, 1e-2);
    EXPECT_LT((exact - d).norm(), 1e-11 * exact.norm());
    EXPECT_LT((j[0] + j[1] + j[2]).norm(), 1e-15);
  }
}

TEST(FacePressure, ClosedSurfacesHaveNoResultantAndASymmetricJacobian) {
  // A tetrahedron: the assembled Jacobian is p times the Hessian of the volume.
  Chance chance(35);
  Vec3 x[4];
  for (Vec3& v : x) v = chance.vector();
  const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  Vec<12> force = Vec<12>::Zero();
  Mat<12> J = Mat<12>::Zero();
  for (const auto& f : faces) {
    const Vec3 each = facePressure(x[f[0]], x[f[1]], x[f[2]], 2.0);
    Mat3 j[3];
    facePressureJacobian(x[f[0]], x[f[1]], x[f[2]], 2.0, j);
    for (int a = 0; a < 3; ++a) {
      force.segment<3>(3 * f[a]) += each;
      for (int b = 0; b < 3; ++b) J.block<3, 3>(3 * f[a], 3 * f[b]) += j[b];
    }
  }
  const Vec3 total = force.segment<3>(0) + force.segment<3>(3) + force.segment<3>(6) + force.segment<3>(9);
  EXPECT_LT(total.norm(), 1e-14);
  EXPECT_GT(J.norm(), 0.1);
  EXPECT_LT((J - J.transpose()).norm(), 1e-14);
}

}  // namespace face_loads_test
}  // namespace tendril::elastic
