// Laws of elements with dampers beside them: what a step takes from them are derivatives of one potential, and their
// work is what they store and dissipate.
#include "elastic/kelvin_voigt.h"

#include <gtest/gtest.h>

#include "elastic/stretch.h"
#include "engine/elastic/differences.h"

namespace tendril::elastic {
namespace kelvin_voigt_test {

constexpr double rate = 7;

// The damper counts from e0, at the step's start.
template <class Strain, class Law>
Response<Strain> at(const Law& law, const Strain& natural, const Strain& e0, const Strain& e) {
  return respond<Strain>(law, e - natural, rate * (e - e0), rate);
}

template <class Law>
void expectDerivatives(const Law& law, const Mat3& tangent) {
  const Vec3 natural(0.2, -0.1, 0.3), e0(-0.3, 0.1, 0.5), e(0.4, -0.6, 0.1);
  const auto potential = [&](const Vec3& x) {
    double sum = 0;
    at(law, natural, e0, x).addTo(sum);
    return sum;
  };
  const auto stress = [&](const Vec3& x) { return at(law, natural, e0, x).stress; };
  EXPECT_LT((differenceGradient<3>(potential, e, 0.1) - stress(e)).norm(), 1e-12 * stress(e).norm());
  EXPECT_LT((differenceJacobian<3, 3>(stress, e, 0.1) - tangent).norm(), 1e-12 * tangent.norm());
}

template <class Law>
void expectWork(const Law& law) {
  const Vec3 d0(-0.3, 0.1, 0.5), d1(0.4, -0.6, 0.1), change = d1 - d0;
  const auto over = respondOver<Vec3>(law, d0, d1, change, rate);
  EXPECT_NEAR(over.stress.dot(change), law.energy(d1) - law.energy(d0) + rate * law.dissipation(change), 1e-13);
  EXPECT_LT((0.5 * over.stress0 + over.atEnd() - over.stress).norm(), 1e-14);
  // Of a step's middle, by which its end changes twice as much.
  const auto stress = [&](const Vec3& middle) {
    const Vec3 end = 2 * middle - d0;
    return respondOver<Vec3>(law, d0, end, end - d0, rate).stress;
  };
  const Mat3 tangent = differenceJacobian<3, 3>(stress, Vec3(0.5 * (d0 + d1)), 0.1);
  Mat3 expected;
  for (int k = 0; k < 3; ++k)
    expected.col(k) = law.stress(Vec3(Vec3::Unit(k))) + 2 * rate * law.damping(Vec3(Vec3::Unit(k)));
  EXPECT_LT((tangent - expected).norm(), 1e-12 * expected.norm());
}

Mat3 symmetric() {
  Mat3 m;
  m << 3, 0.5, -0.2, 0.5, 2, 0.4, -0.2, 0.4, 1.5;
  return m;
}

TEST(KelvinVoigt, StressAndTangentAreDerivativesOfAnImplicitStepsPotential) {
  const KelvinVoigt<Vec3> each(Vec3(2, 3, 5), Vec3(0.1, 0.2, 0.05));
  expectDerivatives(each, each.tangent(rate).asDiagonal());
  const KelvinVoigt<double> alike(2, 0.3);
  expectDerivatives(alike, alike.tangent(rate) * Mat3::Identity());
  const Mat3 k = symmetric();
  const ProportionalLaw matrix(k, 0.04);
  expectDerivatives(matrix, matrix.tangent(rate));
}

TEST(KelvinVoigt, TheStressOfAMidpointStepDoesTheWorkOfItsEnergyAndItsDamper) {
  expectWork(KelvinVoigt<Vec3>(Vec3(2, 3, 5), Vec3(0.1, 0.2, 0.05)));
  expectWork(KelvinVoigt<double>(2, 0.3));
  const Mat3 k = symmetric();
  expectWork(ProportionalLaw(k, 0.04));
}

TEST(KelvinVoigt, WithoutARateTheDamperIsNoPartOfIt) {
  const KelvinVoigt<double> law(2, 0.3);
  const Response<double> out = respond(law, 0.5, 100.0, 0);
  EXPECT_EQ(out.stress, 1);
  EXPECT_EQ(out.stored, 0.25);
  EXPECT_EQ(out.damped, 0);
}

TEST(StretchLaw, DampsAsTheLinearLawDoesAlsoWhereItIsCrushed) {
  const StretchLaw law{40, 3};
  for (const double strain : {-0.95, -0.5, 0.8}) {
    const double h = 1e-4, start = strain + 0.1;
    const auto potential = [&](double e) {
      double sum = 0;
      respond(law, e, rate * (e - start), rate).addTo(sum);
      return sum;
    };
    const auto stress = [&](double e) { return respond(law, e, rate * (e - start), rate).stress; };
    EXPECT_NEAR((potential(strain + h) - potential(strain - h)) / (2 * h), stress(strain),
                1e-4 * std::abs(stress(strain)));
    EXPECT_NEAR((stress(strain + h) - stress(strain - h)) / (2 * h), law.tangent(strain, rate),
                1e-4 * law.tangent(strain, rate));
  }
}

}  // namespace kelvin_voigt_test
}  // namespace tendril::elastic
