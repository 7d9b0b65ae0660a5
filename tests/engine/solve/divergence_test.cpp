// Which unsymmetric stiffnesses push on a motion, and which only turn it.
#include "solve/divergence.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include <cmath>

namespace tendril::solve {
namespace divergence_test {

bool divergesOf(const Eigen::MatrixXd& k, const VectorX& mass) {
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(k);
  return diverges([&](const VectorX& b, VectorX& x) { x = lu.solve(b); }, mass);
}
bool divergesOf(const Eigen::MatrixXd& k) { return divergesOf(k, VectorX::Ones(k.rows())); }

TEST(Divergence, IsARealNegativeEigenvalue) {
  Eigen::MatrixXd k = Eigen::VectorXd::LinSpaced(80, 1, 500).asDiagonal();
  EXPECT_FALSE(divergesOf(k));
  k(3, 3) = -2;
  EXPECT_TRUE(divergesOf(k));
  // Two together leave the determinant positive.
  k(7, 7) = -3;
  EXPECT_TRUE(divergesOf(k));
}

// Where all motions have been looked at, what round-off leaves of the stiffest may have any sign.
TEST(Divergence, IsNotRoundOff) {
  for (int n = 3; n <= 39; ++n) {
    Eigen::MatrixXd k = Eigen::MatrixXd::Zero(n, n);
    for (int i = 0; i < n; ++i) k(i, i) = std::pow(10.0, 16.0 * i / (n - 1));
    for (int i = 1; i < n; ++i) k(i, i - 1) = 0.3 * k(i, i), k(i - 1, i) = -0.2 * k(i - 1, i - 1);
    EXPECT_FALSE(divergesOf(k)) << n;
    k(0, 0) *= -1;
    EXPECT_TRUE(divergesOf(k)) << n;
  }
}

// Motions of lengths and angles in other units, and masses in others.
TEST(Divergence, KnowsNoUnits) {
  for (const double length : {1.0, std::exp2(-17), std::exp2(13)}) {
    for (const double mass : {1.0, 8.0, std::exp2(-21)}) {
      const int n = 24;
      Eigen::MatrixXd k = Eigen::MatrixXd::Zero(n, n);
      VectorX m(n);
      const auto unit = [&](int i) { return i % 4 == 3 ? length : 1; };
      for (int i = 0; i < n; ++i) {
        m[i] = mass * unit(i) * unit(i) * (1 + 0.1 * i);
        for (int j = 0; j < n; ++j) k(i, j) = unit(i) * unit(j) * (i == j ? 1 + i * i : 0.1 * std::sin(3.0 * i + j));
      }
      EXPECT_FALSE(divergesOf(k, m));
      k(7, 7) *= -1, k(9, 9) *= -1;
      EXPECT_TRUE(divergesOf(k, m));
    }
  }
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

}  // namespace divergence_test
}  // namespace tendril::solve
