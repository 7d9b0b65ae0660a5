// Stability of tangents: signs on the motions that closing rows allow.
#include "links/definiteness.h"

#include <gtest/gtest.h>

namespace tendril::links {
namespace definiteness_test {

TEST(Definiteness, TellsStableNeutralAndUnstable) {
  Eigen::MatrixXd k = Eigen::Vector3d(1, 2, 3).asDiagonal();
  k(0, 1) = 0.4, k(1, 0) = -0.2;  // only the symmetric part counts
  const std::vector<char> none(3, 0);
  EXPECT_EQ(stabilityOf(k, 3, none), Stability::stable);
  k(2, 2) = 0;
  Eigen::VectorXd motion;
  EXPECT_EQ(stabilityOf(k, 3, none, &motion), Stability::neutral);
  EXPECT_NEAR((k * motion).norm(), 0, 1e-14);
  EXPECT_EQ(stabilityOf(k, 3, {0, 0, 1}), Stability::stable);  // that one is held
  // Without stiffness of its own, but coupled: it pushes.
  k(1, 2) = k(2, 1) = 0.1;
  EXPECT_EQ(stabilityOf(k, 3, none, &motion), Stability::unstable);
  EXPECT_LT(motion.dot(k * motion), 0);
  std::swap(k(0, 0), k(2, 2));
  k(0, 1) = k(1, 0) = 0.1, k(1, 2) = k(2, 1) = 0;
  EXPECT_EQ(stabilityOf(k, 3, none, &motion), Stability::unstable);
  EXPECT_LT(motion.dot(k * motion), 0);
}

// Pushed on along x + y, say, which a row forbids or not.
TEST(Definiteness, ClosingRowsForbidMotions) {
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(3, 3);
  k.topLeftCorner<2, 2>() << 1, -3, -3, 1;
  k.row(2) << 2, 2, 0;
  k.col(2) << 2, 2, 0;
  Eigen::VectorXd motion;
  EXPECT_EQ(stabilityOf(k, 2, {0, 0}, &motion), Stability::stable);
  EXPECT_EQ(stabilityOf(k.topLeftCorner(2, 2), 2, {0, 0}), Stability::unstable);
  k(2, 1) = k(1, 2) = -2;
  EXPECT_EQ(stabilityOf(k, 2, {0, 0}, &motion), Stability::unstable);
  EXPECT_NEAR(motion[0] - motion[1], 0, 1e-14);
}

// Of the only motion left what the entries leave is round-off, which has a sign; whatever the unit.
TEST(Definiteness, APivotWithinRoundOffIsNeutral) {
  for (const double unit : {0x1p-40, 1.0, 0x1p40}) {
    for (const double left : {-1e-15, 1e-15, -1e-12}) {
      Eigen::MatrixXd k = Eigen::MatrixXd::Zero(3, 3);
      k.topLeftCorner<2, 2>() << 1, -1, -1, 1 + left;
      k.topLeftCorner<2, 2>() *= unit;
      k.row(2) << 1, -1, 0;
      k.col(2) << 1, -1, 0;
      EXPECT_EQ(stabilityOf(k, 2, {0, 0}), left < -1e-14 ? Stability::unstable : Stability::neutral)
          << left << " of " << unit;
    }
  }
}

}  // namespace definiteness_test
}  // namespace tendril::links
