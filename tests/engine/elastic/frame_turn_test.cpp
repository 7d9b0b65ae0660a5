// The turn of a weld's frame: exact properties of Cayley's form, and its derivatives against finite differences.
#include "elastic/frame_turn.h"

#include <gtest/gtest.h>

#include <random>

namespace tendril::elastic {
namespace frame_turn_test {

class FrameTurnTest : public ::testing::Test {
 protected:
  std::mt19937 random{3};
  double uniform(double a, double b) { return a + (b - a) * (double(random()) / 4294967296.0); }
  Vec3 vector(double size) { return size * Vec3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)); }
};

TEST_F(FrameTurnTest, IsARotationByTwiceTheArcOfHalfItsIncrement) {
  for (int k = 0; k < 50; ++k) {
    const Vec3 w = vector(1.5), v = vector(1);
    const FrameTurn turn(w);
    const Mat3 R = Eigen::AngleAxisd(turn.angle(), w.normalized()).toRotationMatrix();
    EXPECT_LT((turn(v) - R * v).norm(), 1e-14);
    EXPECT_LT((turn(v) - v - w.cross(0.5 * (turn(v) + v))).norm(), 1e-15);
    EXPECT_LT((incrementOf(R) - w).norm(), 1e-13);
    // What is left of the turn of a director beyond parallel transport.
    const Vec3 t = vector(1).normalized(), d = geometry::normalTo(vector(1), t);
    EXPECT_NEAR(geometry::signedAngle(geometry::transport(d, t, turn(t)), turn(d), turn(t)), turn.twist(t), 1e-13);
  }
}

TEST_F(FrameTurnTest, DerivativesMatchFiniteDifferences) {
  const double h = 1e-5;
  for (int k = 0; k < 30; ++k) {
    const Vec3 w = vector(1.5), f = vector(1), g = vector(1), m = vector(1), b = vector(1), t = vector(1).normalized();
    const FrameTurn turn(w), up(w + h * b), down(w - h * b);
    const Vec3 df = (up(f) - down(f)) / (2 * h);
    EXPECT_LT((df - (turn.rate() * b).cross(turn(f))).norm(), 1e-8);
    EXPECT_LT((turn.onIncrement(m) - turn.rate().transpose() * m).norm(), 1e-15);
    EXPECT_LT(((up.onIncrement(m) - down.onIncrement(m)) / (2 * h) - turn.onIncrementSlope(m) * b).norm(), 1e-8);
    const auto slope = [&](const FrameTurn& at) -> Vec3 { return at.onIncrement(at(f).cross(g)); };
    const Mat3 curvature = turn.curvature(turn(f) * g.transpose(), turn(f).cross(g));
    EXPECT_LT(((slope(up) - slope(down)) / (2 * h) - curvature * b).norm(), 1e-8);
    EXPECT_LT((curvature - curvature.transpose()).norm(), 1e-14);
    EXPECT_NEAR((up.twist(t) - down.twist(t)) / (2 * h), turn.twistSlope(t) * t.dot(b), 1e-8);
    EXPECT_NEAR((up.twistSlope(t) - down.twistSlope(t)) / (2 * h), turn.twistCurvature(t) * t.dot(b), 1e-8);
  }
}

}  // namespace frame_turn_test
}  // namespace tendril::elastic
