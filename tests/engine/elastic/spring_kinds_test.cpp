// Every kind of spring between places, whatever its strain: gradient and Hessian by differences, discrete gradients
// that do exactly the work of a change and none in a rotation.
#include "elastic/spring_kinds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/elastic/differences.h"
#include "geometry/frames.h"

namespace tendril::elastic {
namespace spring_kinds_test {

/// A kind of two vectors, for what no kind of one vector needs: the logarithm of the ratio of their lengths, and a part
/// of their product.
struct Ratio {
  static constexpr const char* name = "ratio";
  static constexpr const char* undefined = "nowhere";
  static constexpr int vectors = 2;
  static VectorStrain<2> at(const Vec<6>& u) {
    VectorStrain<2> out;
    const Vec3 a = u.head<3>(), b = u.tail<3>();
    const double a2 = a.squaredNorm(), b2 = b.squaredNorm();
    out.value = 0.5 * std::log(a2 / b2) + 0.3 * a.dot(b);
    out.gradient << a / a2 + 0.3 * b, -b / b2 + 0.3 * a;
    const Mat3 I = Mat3::Identity(), A = (I - 2 * a * a.transpose() / a2) / a2,
               B = (I - 2 * b * b.transpose() / b2) / b2;
    out.hessian << A, 0.3 * I, 0.3 * I, -B;
    return out;
  }
};

std::vector<SpringKind> allKinds() {
  std::vector<SpringKind> kinds(springKinds().begin(), springKinds().end());
  kinds.push_back(kindOf<Ratio>());
  return kinds;
}

/// Where differences have digits: what grows without bound near degenerate places has lost them there.
StrainVector drawn(Chance& chance, const SpringKind& kind) {
  constexpr double steepest = 4;
  StrainVector u(3 * kind.vectors);
  do {
    for (int k = 0; k < kind.vectors; ++k) u.segment<3>(3 * k) = chance.uniform(0.7, 2) * chance.direction();
  } while (!(kind.at(u).gradient.norm() < steepest));
  return u;
}

/// Counted on from `near`, so that differences go through where a period ends.
StrainValue onFrom(const SpringKind& kind, const StrainVector& u, double near) {
  StrainValue out = kind.at(u);
  out.value = kind.nearestTo(out.value, near);
  return out;
}

TEST(SpringKinds, GradientAndHessianAreThoseOfTheStrain) {
  for (const SpringKind& kind : allKinds()) {
    Chance chance(5);
    for (int trial = 0; trial < 50; ++trial) {
      const StrainVector u = drawn(chance, kind);
      const StrainValue strain = kind.at(u);
      ASSERT_TRUE(strain.valid) << kind.name;
      const double h = 1e-3;
      for (Eigen::Index i = 0; i < u.size(); ++i) {
        StrainVector a = u, b = u, a2 = u, b2 = u;
        a[i] += h, b[i] -= h, a2[i] += 2 * h, b2[i] -= 2 * h;
        const StrainValue fa = onFrom(kind, a, strain.value), fb = onFrom(kind, b, strain.value),
                          fa2 = onFrom(kind, a2, strain.value), fb2 = onFrom(kind, b2, strain.value);
        EXPECT_NEAR(strain.gradient[i], (8 * (fa.value - fb.value) - (fa2.value - fb2.value)) / (12 * h), 1e-8)
            << kind.name;
        const StrainVector slope = (8 * (fa.gradient - fb.gradient) - (fa2.gradient - fb2.gradient)) / (12 * h);
        EXPECT_LT((strain.hessian.col(i) - slope).norm(), 1e-7 * (1 + slope.norm())) << kind.name;
      }
      EXPECT_LT((strain.hessian - strain.hessian.transpose()).norm(), 1e-12 * (1 + strain.hessian.norm())) << kind.name;
    }
  }
}

TEST(SpringKinds, StrainsDoNotSeeRotations) {
  for (const SpringKind& kind : allKinds()) {
    Chance chance(6);
    const StrainVector u = drawn(chance, kind);
    const Vec3 axis = chance.direction();
    StrainVector turned = u;
    for (int k = 0; k < kind.vectors; ++k) turned.segment<3>(3 * k) = geometry::rotate(u.segment<3>(3 * k), axis, 1.2);
    EXPECT_NEAR(kind.at(turned).value, kind.at(u).value, 1e-13) << kind.name;
  }
}

TEST(SpringKinds, DiscreteGradientsDoTheWorkOfAChangeAndTurnNothing) {
  for (const SpringKind& kind : allKinds()) {
    Chance chance(7);
    for (int trial = 0; trial < 50; ++trial) {
      const StrainVector u0 = drawn(chance, kind);
      StrainVector u1 = u0;
      for (Eigen::Index i = 0; i < u1.size(); ++i) u1[i] += chance.uniform(-0.1, 0.1);
      const StrainValue start = kind.at(u0), end = onFrom(kind, u1, start.value);
      const double steep = std::max(1.0, start.gradient.norm());
      double noise = 0;
      const StrainVector D = kind.between(u0, start, u1, end, noise);
      EXPECT_NEAR(D.dot(u1 - u0), end.value - start.value, 1e-13 * (1 + start.gradient.norm() * u0.norm()))
          << kind.name;
      Vec3 moment = Vec3::Zero();
      for (int k = 0; k < kind.vectors; ++k) moment += (u0 + u1).segment<3>(3 * k).cross(D.segment<3>(3 * k));
      EXPECT_LT(moment.norm(), 1e-12) << kind.name;
      EXPECT_LT((D - 0.5 * (start.gradient + end.gradient)).norm(), 0.1 * steep * steep) << kind.name;
    }
  }
}

// Where an outer place passes by the axis, far nearer than the vectors are long, the angle changes over that distance:
// a discrete gradient does its work there too, in steps of any length, up to the last digits of the work and a share of
// it that any shorter step takes.
TEST(SpringKinds, ADihedralAngleDoesItsWorkHoweverNearItsAxisAPlacePasses) {
  const auto& kinds = springKinds();
  const auto kind =
      std::find_if(kinds.begin(), kinds.end(), [](const SpringKind& k) { return std::string(k.name) == "dihedral"; });
  ASSERT_NE(kind, kinds.end());
  for (const double near : {1e-2, 1e-3, 8e-5, 1e-5}) {
    for (int k = -2; k <= 30; ++k) {
      const double way = std::ldexp(near, -k);
      StrainVector u0(9), u1(9);
      u0 << 0.1, -0.5, 0, 0.7, 0, 0, -0.2, near, 0;
      u1 << 0.1, -0.5, 0.1 * way, 0.7, 0.2 * way, 0, -0.2, near - 0.3 * way, way;
      const StrainValue start = kind->at(u0), end = onFrom(*kind, u1, start.value);
      double noise = 0;
      const StrainVector D = kind->between(u0, start, u1, end, noise);
      const double size = start.gradient.norm() + end.gradient.norm();
      EXPECT_NEAR(D.dot(u1 - u0), end.value - start.value, size * (1e-6 * (u1 - u0).norm() + 1e-13))
          << near << " " << way;
    }
  }
}

TEST(SpringKinds, WhatCannotBeMeasuredIsNotValid) {
  for (const SpringKind& kind : allKinds()) {
    if (std::string(kind.name) == "ratio") continue;
    Chance chance(8);
    StrainVector line(3 * kind.vectors), nowhere = StrainVector::Zero(3 * kind.vectors);
    const Vec3 along = chance.direction();
    for (int k = 0; k < kind.vectors; ++k) line.segment<3>(3 * k) = chance.uniform(0.7, 2) * along;
    EXPECT_FALSE(kind.at(nowhere).valid) << kind.name;
    if (kind.period > 0) {
      EXPECT_FALSE(kind.at(line).valid) << kind.name;
    }
  }
}

// An angle at the end of its period: on either side it is pi, and counts on from there.
TEST(SpringKinds, ADihedralAngleIsPublishedConventionAndCountsOn) {
  const auto& kinds = springKinds();
  const auto found =
      std::find_if(kinds.begin(), kinds.end(), [](const SpringKind& k) { return std::string(k.name) == "dihedral"; });
  ASSERT_NE(found, kinds.end());
  double last = 0;
  for (int k = 0; k <= 40; ++k) {
    // From p1 on the x axis to p2; p0 stands in y, p3 turns right-handed about x.
    const double angle = 0.25 * k;
    StrainVector u(9);
    u << 0.1, -0.5, 0, 0.7, 0, 0, -0.2, 0.3 * std::cos(angle), 0.3 * std::sin(angle);
    last = found->nearestTo(found->at(u).value, last);
    EXPECT_NEAR(last, angle, 1e-12);
  }
}

}  // namespace spring_kinds_test
}  // namespace tendril::elastic
