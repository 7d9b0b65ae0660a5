// Every kind of spring between places, whatever its strain: gradient and Hessian by differences, discrete gradients
// that do exactly the work of a change and none in a rotation.
#include "elastic/spring_kinds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "engine/elastic/differences.h"
#include "geometry/frames.h"

namespace tendril::elastic {
namespace spring_kinds_test {

/// A kind of two vectors, for what no kind of one vector needs: the logarithm of the ratio of their lengths, and a part
/// of their product.
struct Ratio {
  static constexpr const char* name = "ratio";
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

StrainVector drawn(Chance& chance, const SpringKind& kind) {
  StrainVector u(3 * kind.vectors);
  for (int k = 0; k < kind.vectors; ++k) u.segment<3>(3 * k) = chance.uniform(0.7, 2) * chance.direction();
  return u;
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
        const StrainValue fa = kind.at(a), fb = kind.at(b), fa2 = kind.at(a2), fb2 = kind.at(b2);
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
      const StrainValue start = kind.at(u0), end = kind.at(u1);
      double noise = 0;
      const StrainVector D = kind.between(u0, start, u1, end, noise);
      EXPECT_NEAR(D.dot(u1 - u0), end.value - start.value, 1e-13) << kind.name;
      Vec3 moment = Vec3::Zero();
      for (int k = 0; k < kind.vectors; ++k) moment += (u0 + u1).segment<3>(3 * k).cross(D.segment<3>(3 * k));
      EXPECT_LT(moment.norm(), 1e-12) << kind.name;
      EXPECT_LT((D - 0.5 * (start.gradient + end.gradient)).norm(), 0.1) << kind.name;
    }
  }
}

}  // namespace spring_kinds_test
}  // namespace tendril::elastic
