// The constant-strain triangle: known stretches, invariance under large rotations, digits of tiny strains, and exact
// derivatives at large strain.
#include "elastic/membrane.h"

#include <gtest/gtest.h>

#include "engine/elastic/differences.h"
#include "geometry/frames.h"

namespace tendril::elastic {
namespace membrane_test {

using X9 = Vec<9>;

MembraneShape shapeOf(const MembraneRest& rest, const X9& u) {
  return membraneShape(rest, u.segment<3>(0), u.segment<3>(3), u.segment<3>(6));
}

struct Triangle {
  Vec3 x[3];
  MembraneRest rest;
  explicit Triangle(Chance& chance) {
    do {
      for (Vec3& p : x) p = chance.vector();
      rest = membraneRest(x[0], x[1], x[2]);
    } while (rest.area < 0.2);
  }
};

TEST(Membrane, RestHasAFrameAndBarycentricGradients) {
  Chance chance(1);
  for (int k = 0; k < 50; ++k) {
    const Triangle t(chance);
    EXPECT_LT((t.rest.frame.transpose() * t.rest.frame - Mat<2>::Identity()).norm(), 1e-14);
    const Vec3 normal = (t.x[1] - t.x[0]).cross(t.x[2] - t.x[0]);
    EXPECT_NEAR(t.rest.area, 0.5 * normal.norm(), 1e-15);
    EXPECT_GT(t.rest.frame.col(0).cross(t.rest.frame.col(1)).dot(normal), 0);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        // lambda_i falls from 1 at corner i to 0 at the others.
        const Vec3 way = t.x[j] - t.x[i];
        const double change = t.rest.gradient.col(i).dot(t.rest.frame.transpose() * way);
        EXPECT_NEAR(change, i == j ? 0.0 : -1.0, 1e-14);
      }
    }
  }
}

TEST(Membrane, UniformStretchGivesTheGreenStrainAndItsEnergy) {
  Chance chance(2);
  for (int k = 0; k < 50; ++k) {
    const Triangle t(chance);
    // x -> R U X with U symmetric in the plane of the triangle: E = (U^2 - 1) / 2 whatever R is.
    Mat<2> U;
    U << chance.uniform(0.5, 2), 0.3, 0.3, chance.uniform(0.5, 2);
    const Vec3 axis = chance.direction(), at = chance.vector();
    const double turn = chance.uniform(-3, 3);
    X9 u;
    for (int i = 0; i < 3; ++i) {
      const Vec3 inPlane = t.rest.frame * (U * (t.rest.frame.transpose() * (t.x[i] - t.x[0])));
      u.segment<3>(3 * i) = at + geometry::rotate(inPlane, axis, turn) - t.x[i];
    }
    const Mat<2> E = 0.5 * (U * U - Mat<2>::Identity());
    const Vec3 strain = shapeOf(t.rest, u).strain;
    EXPECT_NEAR(strain[0], E(0, 0), 1e-13);
    EXPECT_NEAR(strain[1], E(1, 1), 1e-13);
    EXPECT_NEAR(strain[2], 2 * E(0, 1), 1e-13);
    // Energy per volume Y / (2 (1 - nu^2)) ((1 - nu) E : E + nu (tr E)^2).
    const double Y = 7, nu = 0.37;
    const double density = Y / (2 * (1 - nu * nu)) * ((1 - nu) * (E * E).trace() + nu * E.trace() * E.trace());
    EXPECT_NEAR(0.5 * strain.dot(planeStress(Y, nu) * strain), density, 1e-13 * (1 + density));
  }
}

TEST(Membrane, RigidMotionsGiveNoStrain) {
  Chance chance(3);
  for (int k = 0; k < 50; ++k) {
    const Triangle t(chance);
    const Vec3 axis = chance.direction(), at = chance.vector();
    X9 u;
    for (int i = 0; i < 3; ++i)
      u.segment<3>(3 * i) = at + geometry::rotate(t.x[i], axis, 3.1 * (k / 25.0 - 1)) - t.x[i];
    EXPECT_LT(shapeOf(t.rest, u).strain.norm(), 2e-14);
  }
}

TEST(Membrane, TinyStrainsKeepTheirDigits) {
  Chance chance(4);
  const Triangle t(chance);
  // Far below the round-off of the positions (1e-16), where lengths would say zero.
  X9 u;
  for (int i = 0; i < 3; ++i) {
    u.segment<3>(3 * i) = 1e-20 * t.rest.frame.col(0) * t.rest.frame.col(0).dot(t.x[i] - t.x[0]);
  }
  const Vec3 strain = shapeOf(t.rest, u).strain;
  EXPECT_NEAR(strain[0], 1e-20, 1e-33);
  EXPECT_NEAR(strain[1], 0, 1e-33);
  EXPECT_NEAR(strain[2], 0, 1e-33);
}

TEST(Membrane, GradientMatchesFiniteDifferencesAtLargeStrain) {
  Chance chance(5);
  for (int k = 0; k < 50; ++k) {
    const Triangle t(chance);
    X9 u;
    for (int i = 0; i < 9; ++i) u[i] = chance.uniform(-1, 1);
    const Mat<3, 9> B = membraneGradient(t.rest, shapeOf(t.rest, u));
    const Mat<3, 9> d =
        differenceJacobian<3, 9>([&](const X9& y) -> Vec3 { return shapeOf(t.rest, y).strain; }, u, 1e-2);
    EXPECT_LT((B - d).norm(), 1e-11 * B.norm());
  }
}

TEST(Membrane, HessianOfTheEnergyMatchesFiniteDifferences) {
  Chance chance(6);
  const Mat3 C = planeStress(3.0, 0.3);
  for (int k = 0; k < 50; ++k) {
    const Triangle t(chance);
    const auto gradient = [&](const X9& y) -> X9 {
      const MembraneShape s = shapeOf(t.rest, y);
      return membraneGradient(t.rest, s).transpose() * (C * s.strain);
    };
    X9 u;
    for (int i = 0; i < 9; ++i) u[i] = chance.uniform(-1, 1);
    const MembraneShape s = shapeOf(t.rest, u);
    const Mat<3, 9> B = membraneGradient(t.rest, s);
    Mat<9> H = B.transpose() * C * B;
    addMembraneCurvature(t.rest, C * s.strain, H);
    const Mat<9> d = differenceJacobian<9, 9>(gradient, u, 1e-2);
    EXPECT_LT((H - d).norm(), 1e-10 * H.norm());
    const X9 g = gradient(u), gd = differenceGradient<9>(
                                  [&](const X9&y) {
                                    const Vec3 e = shapeOf(t.rest, y).strain;
                                    return 0.5 * e.dot(C * e);
                                  },
                                  u, 1e-2);
    EXPECT_LT((g - gd).norm(), 1e-10 * g.norm());
  }
}

TEST(Membrane, PlaneStressInvertsToHookesLaw) {
  const double Y = 5, nu = 0.5;
  // Uniaxial stress s along 1: strains s/Y, -nu s/Y, no shear; pure shear: 2 E12 = tau 2 (1 + nu) / Y.
  const Vec3 uniaxial = planeStress(Y, nu) * Vec3(0.2, -nu * 0.2, 0);
  EXPECT_LT((uniaxial - Vec3(0.2 * Y, 0, 0)).norm(), 1e-15);
  const Vec3 shear = planeStress(Y, nu) * Vec3(0, 0, 0.1);
  EXPECT_LT((shear - Vec3(0, 0, 0.1 * Y / (2 * (1 + nu)))).norm(), 1e-15);
}

}  // namespace membrane_test
}  // namespace tendril::elastic
