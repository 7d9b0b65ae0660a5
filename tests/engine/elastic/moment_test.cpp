// Follower forces and moments: Jacobians against finite differences, and the moment's virtual work against rotations.
#include "elastic/moment.h"

#include <gtest/gtest.h>

#include <random>

namespace tendril::elastic {
namespace moment_test {

class MomentTest : public ::testing::Test {
 protected:
  std::mt19937 random{11};
  double uniform(double a, double b) { return a + (b - a) * (double(random()) / 4294967296.0); }
  Vec3 vector() { return Vec3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)); }
  EdgeStart start;
  Vec3 e;
  double theta = 0;
  void make(double turn) {
    start.t = vector().normalized();
    start.d1 = geometry::normalTo(vector(), start.t);
    e = uniform(0.5, 1.5) * geometry::rotate(start.t, geometry::normalTo(vector(), start.t), turn);
    theta = uniform(-3, 3);
  }
  EdgeFrame frame(const Vec3& v, double th) const { return edgeFrame(v.normalized(), v.norm(), th, start); }
};

TEST_F(MomentTest, JacobiansMatchFiniteDifferencesFarFromTheStepsStart) {
  for (double turn : {0.0, 0.3, 1.0, 2.0}) {
    for (int k = 0; k < 30; ++k) {
      make(turn);
      const Vec3 M = vector(), c = vector();
      const EdgeMoment m = edgeMoment(frame(e, theta), M);
      const FollowerForce w = followerForce(frame(e, theta), c);
      const double h = 1e-5;
      Mat3 dm, dw;
      Vec3 dt;
      for (int i = 0; i < 3; ++i) {
        const Vec3 d = h * Vec3::Unit(i);
        const EdgeMoment a = edgeMoment(frame(e + d, theta), M), b = edgeMoment(frame(e - d, theta), M);
        dm.col(i) = (a.force - b.force) / (2 * h);
        dt[i] = (a.twist - b.twist) / (2 * h);
        dw.col(i) =
            (followerForce(frame(e + d, theta), c).force - followerForce(frame(e - d, theta), c).force) / (2 * h);
      }
      const Vec3 dtheta =
          (followerForce(frame(e, theta + h), c).force - followerForce(frame(e, theta - h), c).force) / (2 * h);
      ASSERT_GT(m.forceJacobian.norm(), 1e-3);
      ASSERT_GT(w.edgeJacobian.norm(), 1e-3);
      EXPECT_LT((m.forceJacobian - dm).norm(), 1e-7 * m.forceJacobian.norm());
      EXPECT_LT((m.twistJacobian - dt).norm(), 1e-7);
      EXPECT_LT((w.edgeJacobian - dw).norm(), 1e-7 * w.edgeJacobian.norm());
      EXPECT_LT((w.thetaJacobian - dtheta).norm(), 1e-7);
    }
  }
}

TEST_F(MomentTest, WorkOnARotationOfTheEdgeIsMomentTimesAngle) {
  for (int k = 0; k < 20; ++k) {
    make(0.8);
    const Vec3 M = vector(), w = vector();
    const EdgeFrame f = frame(e, theta);
    const EdgeMoment m = edgeMoment(f, M);
    // A rotation w turns e by w x e and the material frame by w.t about t: dtheta = w.t - a . de.
    const Vec3 de = w.cross(e);
    const double dtheta = w.dot(f.t) - f.spin.dot(de);
    EXPECT_NEAR(m.force.dot(de) + m.twist * dtheta, M.dot(w), 1e-12);
  }
}

}  // namespace moment_test
}  // namespace tendril::elastic
