// The hinge angle: its sign, range and exactness in the plane; gradient and Hessian against finite differences from
// flat to nearly folded shut, far from any symmetry.
#include "elastic/hinge.h"

#include <gtest/gtest.h>

#include "engine/elastic/differences.h"
#include "geometry/frames.h"

namespace tendril::elastic {
namespace hinge_test {

using X12 = Vec<12>;

HingeShape shapeOf(const X12& x) {
  return hingeShape(x.segment<3>(0), x.segment<3>(3), x.segment<3>(6), x.segment<3>(9));
}

X12 gradientOf(const X12& x) {
  const HingeGradient g = hingeGradient(shapeOf(x));
  X12 out;
  for (int i = 0; i < 4; ++i) out.segment<3>(3 * i) = g.g[i];
  return out;
}

/// A hinge of unlike triangles, feet on or off the edge, folded by `angle`, anywhere in space.
X12 makeHinge(Chance& chance, double angle) {
  const double length = chance.uniform(0.5, 1.5);
  const Vec3 a(chance.uniform(-0.5, 1.5), chance.uniform(0.4, 1.2), 0);
  const double h = chance.uniform(0.4, 1.2);
  // Flat: x3 at -y. The angle turns n1, and with it the face of x3, about +x.
  const Vec3 b(chance.uniform(-0.5, 1.5), -h * std::cos(angle), -h * std::sin(angle));
  const Vec3 axis = chance.direction(), at = chance.vector();
  const double turn = chance.uniform(-3, 3);
  const Vec3 points[4] = {Vec3::Zero(), Vec3(length, 0, 0), a, b};
  X12 x;
  for (int i = 0; i < 4; ++i) x.segment<3>(3 * i) = at + geometry::rotate(points[i], axis, turn);
  return x;
}

const double foldAngles[] = {-3, -2.5, -pi / 2, -1, -0.1, -1e-3, 0, 1e-6, 0.02, 0.5, pi / 2, 2, 3};

TEST(Hinge, AngleIsSignedAboutTheEdge) {
  Chance chance(3);
  for (double angle : foldAngles) {
    for (int k = 0; k < 20; ++k) {
      const HingeShape s = shapeOf(makeHinge(chance, angle));
      EXPECT_TRUE(s.valid);
      EXPECT_NEAR(s.angle, angle, 2e-14);
    }
  }
}

TEST(Hinge, ValleyIsPositiveWithTheEdgeAsMetInTheSecondTriangle) {
  // First triangle (a, b, c), second (b, a, d), both with normal +z while flat; d is lifted toward it.
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(0.4, 1, 0), d(0.6, -1, 0.2);
  EXPECT_NEAR(hingeShape(b, a, c, d).angle, std::atan(0.2), 1e-15);
  EXPECT_NEAR(hingeShape(a, b, c, d).angle, -std::atan(0.2), 1e-15);
}

TEST(Hinge, FlatIsExactlyZeroAndFoldedShutIsPlusPi) {
  const Vec3 a(0.1, 0.2, 0), b(1.3, 0.7, 0), c(0.4, 1.9, 0), d(0.6, -1.1, 0), shut(0.5, 2, 0);
  EXPECT_EQ(hingeShape(a, b, c, d).angle, 0.0);
  EXPECT_EQ(hingeShape(a, b, c, shut).angle, pi);
  EXPECT_EQ(hingeShape(b, a, c, shut).angle, pi);
}

TEST(Hinge, FacesWithoutSizeAreNotValid) {
  const Vec3 a(0.1, 0.2, 0.3), b(1.3, 0.7, 0.1), c(0.4, 1.9, 0), d(0.6, -1.1, 0);
  EXPECT_TRUE(hingeShape(a, b, c, d).valid);
  EXPECT_TRUE(hingeShape(1e-9 * a, 1e-9 * b, 1e-9 * c, 1e-9 * d).valid);
  EXPECT_FALSE(hingeShape(a, a, c, d).valid);
  EXPECT_FALSE(hingeShape(a, b, a + 0.3 * (b - a), d).valid);
  EXPECT_FALSE(hingeShape(a, b, c, a).valid);
  EXPECT_FALSE(hingeShape(a, a + 1e-14 * (b - a), c, d).valid);
  EXPECT_FALSE(hingeShape(a, b, c, Vec3(std::nan(""), 0, 0)).valid);
}

TEST(Hinge, GradientMatchesFiniteDifferencesAndSumsToZero) {
  Chance chance(5);
  for (double angle : foldAngles) {
    for (int k = 0; k < 20; ++k) {
      const X12 x = makeHinge(chance, angle);
      const X12 g = gradientOf(x);
      const double at = shapeOf(x).angle;
      // Unwrapped, so that a difference across pi is one of the angle itself.
      const X12 d =
          differenceGradient<12>([&](const X12& y) { return geometry::unwrapAngle(shapeOf(y).angle, at); }, x, 1e-3);
      EXPECT_LT((g - d).norm(), 1e-8 * g.norm()) << angle;
      const Vec3 sum = g.segment<3>(0) + g.segment<3>(3) + g.segment<3>(6) + g.segment<3>(9);
      EXPECT_LT(sum.norm(), 1e-14 * g.norm());
    }
  }
}

TEST(Hinge, HessianMatchesFiniteDifferences) {
  Chance chance(7);
  for (double angle : foldAngles) {
    for (int k = 0; k < 20; ++k) {
      const X12 x = makeHinge(chance, angle);
      const HingeShape s = shapeOf(x);
      Mat<12> h = Mat<12>::Identity();  // added to, not overwritten
      addHingeCurvature(s, hingeGradient(s), -1.7, h);
      h -= Mat<12>::Identity();
      const Mat<12> d = -1.7 * differenceJacobian<12, 12>(gradientOf, x, 1e-3);
      ASSERT_GT(h.norm(), 1e-1);
      EXPECT_LT((h - d).norm(), 1e-8 * h.norm()) << angle;
      EXPECT_LT((h - h.transpose()).norm(), 1e-14 * h.norm());
    }
  }
}

TEST(Hinge, LowerBlocksAreThoseOfTheWholeHessian) {
  Chance chance(9);
  const HingeShape s = shapeOf(makeHinge(chance, 0.8));
  const HingeGradient g = hingeGradient(s);
  const HingeHessian blocks = hingeHessian(s, g);
  Mat<12> h = Mat<12>::Zero();
  addHingeCurvature(s, g, 1.0, h);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j <= i; ++j) {
      const Mat3 block = h.block<3, 3>(3 * i, 3 * j);
      EXPECT_EQ((block - blocks.h[i][j]).norm(), 0.0) << i << j;
    }
  }
}

}  // namespace hinge_test
}  // namespace tendril::elastic
