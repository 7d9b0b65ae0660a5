// Which unsymmetric stiffnesses push on a motion, and which only turn it.
#include "solve/divergence.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

namespace tendril {
namespace {

bool divergesOf(const Eigen::MatrixXd& k) {
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(k);
  return diverges([&](const VectorX& b, VectorX& x) { x = lu.solve(b); }, VectorX::Ones(k.rows()));
}

TEST(Divergence, IsARealNegativeEigenvalue) {
  Eigen::MatrixXd k = Eigen::VectorXd::LinSpaced(80, 1, 500).asDiagonal();
  EXPECT_FALSE(divergesOf(k));
  k(3, 3) = -2;
  EXPECT_TRUE(divergesOf(k));
  // Two together leave the determinant positive.
  k(7, 7) = -3;
  EXPECT_TRUE(divergesOf(k));
}

TEST(Divergence, TurnsAboutAsItGrows) {
  // A pair of negative real part, as a torque makes of the two ways in which a round column bends.
  Eigen::MatrixXd k = Eigen::VectorXd::LinSpaced(80, 1, 500).asDiagonal();
  k(3, 3) = k(4, 4) = -2;
  for (const double torque : {1e-9, 1e-4, 0.1, 1.9, 10.0}) {
    k(3, 4) = torque, k(4, 3) = -torque;
    EXPECT_TRUE(divergesOf(k)) << torque;
  }
}

TEST(Divergence, IsNotWhatTurns) {
  // Its symmetric part is indefinite, its eigenvalues are those of a rotation.
  Eigen::MatrixXd k = Eigen::VectorXd::LinSpaced(80, 1, 500).asDiagonal();
  k(3, 3) = -1, k(4, 4) = 2;
  EXPECT_TRUE(divergesOf(k));
  k(3, 4) = 6, k(4, 3) = -6;
  EXPECT_FALSE(divergesOf(k));
}

}  // namespace
}  // namespace tendril
