// Discrete gradients over large steps of strongly deformed elements: exact differences, no work in rigid rotations, the
// gradient itself in the limit of short steps, smoothness where an element turns without straining.
#include "elastic/discrete_gradient.h"

#include <gtest/gtest.h>

#include <array>

#include "elastic/hinge.h"
#include "elastic/stretch.h"
#include "engine/elastic/differences.h"
#include "geometry/frames.h"

namespace tendril::elastic {
namespace discrete_gradient_test {

using Hinge = Vec<9>;

double angleOf(const Hinge& u) {
  return hingeShape(Vec3::Zero(), u.segment<3>(0), u.segment<3>(3), u.segment<3>(6)).angle;
}

Hinge slopeOf(const Hinge& u) {
  const HingeGradient g = hingeGradient(hingeShape(Vec3::Zero(), u.segment<3>(0), u.segment<3>(3), u.segment<3>(6)));
  Hinge out;
  for (int k = 0; k < 3; ++k) out.segment<3>(3 * k) = g.g[k + 1];
  return out;
}

// Unlike triangles beside an edge of length 1, folded by up to a radian.
Hinge folded(Chance& chance) {
  Hinge u;
  u << 1, 0, 0, chance.uniform(0.2, 0.8), chance.uniform(0.4, 1.2), chance.uniform(-0.4, 0.4), chance.uniform(0.2, 0.8),
      -chance.uniform(0.4, 1.2), chance.uniform(-0.4, 0.4);
  return u;
}

StepElement<3, 0> elementOf(const Hinge& u0, const Hinge& u1) {
  Vec3 start[3], end[3];
  for (int k = 0; k < 3; ++k) start[k] = u0.segment<3>(3 * k), end[k] = u1.segment<3>(3 * k);
  return StepElement<3, 0>(start, end, nullptr);
}

Hinge discreteSlope(const Hinge& u0, const Hinge& u1) {
  const auto element = elementOf(u0, u1);
  const Hinge delta = u1 - u0, strain = delta - element.incrementOf(element.rotationOf(delta));
  double noise = 0;
  return element.gradient(slopeOf(u0), slopeOf(u1), delta, strain, angleOf(u1) - angleOf(u0), 0, noise);
}

// u turned as a whole by the Cayley rotation of w about its own middle: the middle of both is u / 2 less than u by
// second order, but the increment is exactly one that incrementOf gives there.
Hinge turned(const Hinge& u, const Vec3& axis, double angle) {
  Hinge out;
  for (int k = 0; k < 3; ++k) out.segment<3>(3 * k) = geometry::rotate(u.segment<3>(3 * k), axis, angle);
  return out;
}

TEST(DiscreteGradient, DoesExactlyTheWorkOfTheChange) {
  Chance chance(11);
  for (int i = 0; i < 200; ++i) {
    const Hinge u0 = folded(chance);
    Hinge u1 = turned(u0, chance.direction(), chance.uniform(0, 1));
    for (int k = 0; k < 9; ++k) u1[k] += 0.2 * chance.uniform(-1, 1);
    const double change = angleOf(u1) - angleOf(u0);
    ASSERT_GT(std::abs(change), 1e-4);
    EXPECT_NEAR(discreteSlope(u0, u1).dot(u1 - u0), change, 2e-13);
  }
}

TEST(DiscreteGradient, DoesNoWorkInRotationsOfTheMiddle) {
  Chance chance(12);
  for (int i = 0; i < 200; ++i) {
    const Hinge u0 = folded(chance);
    Hinge u1 = turned(u0, chance.direction(), chance.uniform(0, 1));
    for (int k = 0; k < 9; ++k) u1[k] += 0.2 * chance.uniform(-1, 1);
    const Hinge D = discreteSlope(u0, u1), middle = 0.5 * (u0 + u1);
    Vec3 moment = Vec3::Zero();
    for (int k = 0; k < 3; ++k) moment += middle.segment<3>(3 * k).cross(D.segment<3>(3 * k));
    EXPECT_LT(moment.norm(), 1e-13 * D.norm());
  }
}

TEST(DiscreteGradient, IsTheGradientToSecondOrder) {
  Chance chance(13);
  for (int i = 0; i < 20; ++i) {
    const Hinge middle = folded(chance);
    Hinge way;
    for (int k = 0; k < 9; ++k) way[k] = chance.uniform(-1, 1);
    const auto error = [&](double h) {
      return (discreteSlope(middle - 0.5 * h * way, middle + 0.5 * h * way) - slopeOf(middle)).norm();
    };
    EXPECT_NEAR(std::log2(error(0.08) / error(0.04)), 2, 0.25);
  }
}

// An element that turns by a third of a radian a step and strains by less and less: a discrete gradient whose
// correction went along the increment alone would jump to any side here.
TEST(DiscreteGradient, IsSmoothWhereAnElementTurnsWithoutStraining) {
  Chance chance(14);
  for (int i = 0; i < 20; ++i) {
    const Hinge u0 = folded(chance), u1 = turned(u0, chance.direction(), 0.3), rigid = discreteSlope(u0, u1);
    for (const double h : {1e-3, 1e-5, 1e-7}) {
      Hinge near = u1;
      for (int k = 0; k < 9; ++k) near[k] += h * chance.uniform(-1, 1);
      EXPECT_LT((discreteSlope(u0, near) - rigid).norm(), 30 * h + 1e-9) << h;
    }
  }
}

TEST(DiscreteGradient, OfAHeldElementDoesTheWorkToo) {
  Chance chance(15);
  for (int i = 0; i < 100; ++i) {
    const Hinge u0 = folded(chance);
    Hinge u1 = u0;
    for (int k = 0; k < 9; ++k) u1[k] += 0.3 * chance.uniform(-1, 1);
    const Hinge delta = u1 - u0;
    const double change = angleOf(u1) - angleOf(u0);
    const Hinge D = elementOf(u0, u1).heldGradient(slopeOf(u0), slopeOf(u1), delta, change);
    EXPECT_NEAR(D.dot(delta), change, 1e-12);
  }
}

StretchStep stretched(const Vec3& e0, const Vec3& e1, double rest, double viscosity) {
  return {rest,
          {40, viscosity},
          1,
          e0.norm() / rest - 1,
          e1.norm() / rest - 1,
          e0.norm(),
          e1.norm(),
          e0.normalized(),
          e1.normalized()};
}

// Edges from a fiftieth of their natural length, where they are crushed, to three times it.
TEST(StretchStep, DoesExactlyTheWorkOfItsEnergyAndPullsAlongItsMiddle) {
  Chance chance(16);
  for (int i = 0; i < 300; ++i) {
    const Vec3 e0 = std::exp(chance.uniform(-4, 1)) * chance.direction();
    const Vec3 e1 = std::exp(chance.uniform(-4, 1)) * (e0.normalized() + chance.vector()).normalized();
    const StretchStep step = stretched(e0, e1, 1, 0);
    const double energy0 = step.law.energy(step.strain0), energy1 = step.law.energy(step.strain1);
    EXPECT_NEAR(step.force().dot(e1 - e0), energy1 - energy0, 1e-12 * (energy0 + energy1));
    EXPECT_LT(step.force().cross(e0 + e1).norm(), 1e-12 * step.force().norm() * (e0 + e1).norm());
  }
}

TEST(StretchStep, ItsTangentIsTheDerivativeOfItsForceAndItsPotentialOfTheSmoothPart) {
  Chance chance(17);
  for (int i = 0; i < 100; ++i) {
    const Vec3 e0 = std::exp(chance.uniform(-3.5, 1)) * chance.direction(), e1 = e0 + 0.5 * e0.norm() * chance.vector();
    const Vec3 middle = 0.5 * (e0 + e1);
    const auto at = [&](const Vec3& x) { return stretched(e0, 2 * x - e0, 1, 3); };
    const double h = 1e-4 * e1.norm();
    const Mat3 difference = differenceJacobian<3, 3>([&](const Vec3& x) { return at(x).force(); }, middle, h);
    const Mat3 tangent = at(middle).symmetric() + at(middle).remainder();
    EXPECT_LT((tangent - difference).norm(), 1e-6 * difference.norm());
    const Vec3 slope = differenceGradient<3>([&](const Vec3& x) { return at(x).potential(); }, middle, h);
    EXPECT_LT((slope - at(middle).smooth()).norm(), 1e-6 * slope.norm());
  }
}

TEST(UnitStretch, IsLinearDownToATenthOfTheLengthAndNeverLetsAnEdgeVanish) {
  for (const double strain : {-0.89, -0.5, 0.0, 2.0}) {
    EXPECT_EQ(UnitStretch::stress(strain), strain);
    EXPECT_EQ(UnitStretch::stiffness(strain), 1);
  }
  for (const double strain : {-0.905, -0.95, -0.99}) {
    const double h = 1e-6;
    EXPECT_NEAR((UnitStretch::energy(strain + h) - UnitStretch::energy(strain - h)) / (2 * h),
                UnitStretch::stress(strain), 1e-6 * std::abs(UnitStretch::stress(strain)));
    EXPECT_NEAR((UnitStretch::stress(strain + h) - UnitStretch::stress(strain - h)) / (2 * h),
                UnitStretch::stiffness(strain), 1e-6 * UnitStretch::stiffness(strain));
  }
  EXPECT_LT(UnitStretch::stress(-0.99), -100);
}

}  // namespace discrete_gradient_test
}  // namespace tendril::elastic
