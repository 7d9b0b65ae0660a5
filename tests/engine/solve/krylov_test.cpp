// The two Krylov methods alone, on dense matrices.
#include "solve/krylov.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "allocation_count.h"
#include "random_matrix.h"

namespace tendril::solve {
namespace krylov_test {

using namespace test;

constexpr int size = 60;

class KrylovMethods : public ::testing::Test {
 protected:
  Random random{61};
  Eigen::MatrixXd a = randomMatrix(size, bandPattern(size, 9), random);
  VectorX b = randomVector(size, random), x, none;
  Krylov krylov;

  KrylovOutcome conjugateGradients(const KrylovLimits& limits, const VectorX& scale = {}) {
    return krylov.conjugateGradients(
        b, scale, limits, [&](const VectorX& v, VectorX& y) { y.noalias() = a * v; },
        [&](const VectorX& r, VectorX& z) { z = r.cwiseQuotient(a.diagonal().cwiseAbs()); }, x);
  }
  KrylovOutcome gmres(const KrylovLimits& limits, const VectorX& scale = {}) {
    return krylov.gmres(
        b, scale, limits, [&](const VectorX& v, VectorX& y) { y.noalias() = a * v; },
        [&](const VectorX& r, VectorX& z) { z = r.cwiseQuotient(a.diagonal().cwiseAbs()); }, x);
  }
  void skew(double strength) {
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < i; ++j) {
        const double s = strength * random.signedUnit();
        a(i, j) += s;
        a(j, i) -= s;
      }
  }
};

TEST_F(KrylovMethods, ConjugateGradientsReachTheirAccuracy) {
  for (double accuracy : {1e-2, 1e-6, 1e-11}) {
    const KrylovOutcome out = conjugateGradients({accuracy, 200, 200});
    ASSERT_TRUE(out.converged);
    EXPECT_LE((a * x - b).norm(), 1.01 * accuracy * b.norm());
    EXPECT_GT((a * x - b).norm(), 1e-4 * accuracy * b.norm());
  }
}

TEST_F(KrylovMethods, ConjugateGradientsSeeNegativeCurvature) {
  a(30, 30) *= -1;
  const KrylovOutcome out = conjugateGradients({1e-10, 200, 200});
  EXPECT_TRUE(out.indefinite);
  EXPECT_FALSE(out.converged);
}

TEST_F(KrylovMethods, TheyGiveUpWhereProgressIsTooSlow) {
  a.setZero();  // second differences: as many iterations as unknowns
  for (int i = 0; i < size; ++i) a(i, i) = 2;
  for (int i = 0; i + 1 < size; ++i) a(i, i + 1) = a(i + 1, i) = -1;
  EXPECT_TRUE(conjugateGradients({1e-10, 2 * size, 2 * size}).converged);
  const KrylovOutcome out = conjugateGradients({1e-10, 15, 4});
  EXPECT_FALSE(out.converged);
  EXPECT_LT(out.iterations, 8);
  EXPECT_FALSE(gmres({1e-10, 15, 4}).converged);
}

TEST_F(KrylovMethods, GmresSolvesUnsymmetricSystemsThroughRestarts) {
  skew(2);
  const KrylovOutcome out = gmres({1e-11, 200, 200});
  ASSERT_TRUE(out.converged);
  EXPECT_LT((x - a.partialPivLu().solve(b)).norm(), 1e-9 * x.norm());
  EXPECT_GT(out.iterations, 20);
}

TEST_F(KrylovMethods, ResidualsAreMeasuredByTheScale) {
  skew(0.5);
  const VectorX scale = randomVector(size, random).array().exp() * 100;
  ASSERT_TRUE(gmres({1e-6, 200, 200}, scale).converged);
  EXPECT_LE((a * x - b).cwiseProduct(scale).norm(), 1.01e-6 * b.cwiseProduct(scale).norm());
  a = ((a + a.transpose()) / 2).eval();
  ASSERT_TRUE(conjugateGradients({1e-6, 200, 200}, scale).converged);
  EXPECT_LE((a * x - b).cwiseProduct(scale).norm(), 1.01e-6 * b.cwiseProduct(scale).norm());
}

TEST_F(KrylovMethods, AZeroRightHandSideHasAZeroSolution) {
  b.setZero();
  EXPECT_TRUE(conjugateGradients({}).converged);
  EXPECT_EQ(x.norm(), 0);
  EXPECT_TRUE(gmres({}).converged);
  EXPECT_EQ(x.norm(), 0);
}

TEST_F(KrylovMethods, NaNEndsThem) {
  b[3] = std::nan("");
  EXPECT_FALSE(conjugateGradients({}).converged);
  EXPECT_FALSE(gmres({}).converged);
}

TEST_F(KrylovMethods, WarmCallsAllocateNothing) {
  conjugateGradients({});
  gmres({});
  const long before = allocationCount();
  conjugateGradients({}, none);
  gmres({}, none);
  EXPECT_EQ(allocationCount(), before);
}

}  // namespace krylov_test
}  // namespace tendril::solve
