// Strain bases and the quadrature they are integrated by.
#include "geometry/strain_basis.h"

#include <gtest/gtest.h>

#include <vector>

#include "geometry/quadrature.h"

namespace tendril::geometry {
namespace strain_basis_test {

const StrainBasis all[] = {
    StrainBasis::monomial, StrainBasis::legendre, StrainBasis::chebyshev,           StrainBasis::fourier,
    StrainBasis::hermite,  StrainBasis::gaussian, StrainBasis::inverseMultiquadric, StrainBasis::fem};

std::vector<double> values(StrainBasis basis, int order, double X) {
  std::vector<double> out(basisSize(basis, order), 99);
  basisValues(basis, order, X, out);
  return out;
}

TEST(Quadrature, IsExactForPolynomialsOfTwiceItsDegree) {
  for (const int n : {1, 2, 3, 5, 8, 20, 64}) {
    const Quadrature q = gaussLegendre(n);
    for (const int degree : {0, 1, n, 2 * n - 1}) {
      double sum = 0;
      for (int i = 0; i < n; ++i) sum += q.weights[i] * std::pow(q.points[i], degree);
      EXPECT_NEAR(sum, 1.0 / (degree + 1), 1e-14) << n << " points, degree " << degree;
    }
    for (int i = 1; i < n; ++i) EXPECT_GT(q.points[i], q.points[i - 1]);
  }
}

TEST(StrainBasis, OrderZeroIsTheConstant) {
  for (const StrainBasis basis : all) {
    for (const double X : {0.0, 0.3, 1.0}) EXPECT_EQ(values(basis, 0, X), std::vector<double>{1});
  }
}

TEST(StrainBasis, PolynomialsSpanTheSameSpace) {
  // The integral of X^2 times each: a linear combination exists iff Legendre's norms are right.
  const Quadrature q = gaussLegendre(8);
  for (int j = 0; j < 4; ++j) {
    for (int k = 0; k < 4; ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < q.points.size(); ++i) {
        const auto v = values(StrainBasis::legendre, 3, q.points[i]);
        sum += q.weights[i] * v[j] * v[k];
      }
      EXPECT_NEAR(sum, j == k ? 1.0 / (2 * j + 1) : 0, 1e-15);
    }
  }
  for (const double X : {0.0, 0.2, 0.9, 1.0}) {
    const double x = 2 * X - 1;
    EXPECT_NEAR(values(StrainBasis::chebyshev, 3, X)[3], 4 * x * x * x - 3 * x, 1e-15);
    EXPECT_NEAR(values(StrainBasis::monomial, 3, X)[3], X * X * X, 1e-15);
  }
}

TEST(StrainBasis, NodalKindsReproduceConstantsAndLines) {
  for (const double X : {0.0, 0.1, 0.25, 0.5, 0.77, 1.0}) {
    const auto fem = values(StrainBasis::fem, 4, X);
    double one = 0, line = 0;
    for (int k = 0; k <= 4; ++k) one += fem[k], line += 0.25 * k * fem[k];
    EXPECT_NEAR(one, 1, 1e-15);
    EXPECT_NEAR(line, X, 1e-15);
    const auto hermite = values(StrainBasis::hermite, 5, X);
    double cubic = 0;
    for (int k = 0; k < 3; ++k)
      cubic += std::pow(0.5 * k, 3) * hermite[2 * k] + 3 * std::pow(0.5 * k, 2) * hermite[2 * k + 1];
    EXPECT_NEAR(cubic, X * X * X, 1e-15);
  }
  for (int k = 0; k <= 3; ++k) {
    EXPECT_EQ(values(StrainBasis::gaussian, 3, k / 3.0)[k], 1);
    EXPECT_EQ(values(StrainBasis::inverseMultiquadric, 3, k / 3.0)[k], 1);
  }
}

TEST(StrainBasis, OrdersThatDoNotExistAreNamed) {
  EXPECT_STRNE(basisProblem(StrainBasis::hermite, 2), "");
  EXPECT_STRNE(basisProblem(StrainBasis::hermite, 1), "");
  EXPECT_STREQ(basisProblem(StrainBasis::hermite, 3), "");
  EXPECT_STREQ(basisProblem(StrainBasis::fourier, 2), "");
  EXPECT_EQ(basisSize(StrainBasis::fourier, 2), 5);
}

}  // namespace strain_basis_test
}  // namespace tendril::geometry
