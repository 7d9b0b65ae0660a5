// Scalars of two frames: gradients and Hessians by differences at arbitrary poses, and rows of closing joints that
// vanish exactly for the motions that the joint allows.
#include "links/chain/frame_pair.h"

#include <gtest/gtest.h>

#include <functional>

#include "links/closures.h"

namespace tendril::links {
namespace frame_pair_test {

using Pair = std::function<FramePair(const geometry::Pose&, const geometry::Pose&)>;

geometry::Pose somewhere(double seed) {
  geometry::Vec6 x;
  for (int k = 0; k < 6; ++k) x[k] = std::sin(3.1 * seed + 1.7 * k + 0.4);
  return geometry::exponential(1.3 * x);
}

geometry::Pose moved(const geometry::Pose& g, const geometry::Vec6& twist) { return g * geometry::exponential(twist); }

void expectDerivatives(const char* name, const Pair& f) {
  const geometry::Pose a = somewhere(1), b = somewhere(2);
  const FramePair at = f(a, b);
  const double h = 2e-5;
  for (int k = 0; k < 6; ++k) {
    const geometry::Vec6 d = h * geometry::Vec6::Unit(k);
    const FramePair up = f(moved(a, d), b), down = f(moved(a, -d), b);
    EXPECT_NEAR((up.value - down.value) / (2 * h), at.onA[k], 2e-8) << name << " a " << k;
    EXPECT_LT(((up.onA - down.onA) / (2 * h) - at.aa.col(k)).norm(), 1e-7) << name << " aa " << k;
    EXPECT_LT(((up.onB - down.onB) / (2 * h) - at.ba.col(k)).norm(), 1e-7) << name << " ba " << k;
    const FramePair right = f(a, moved(b, d)), left = f(a, moved(b, -d));
    EXPECT_NEAR((right.value - left.value) / (2 * h), at.onB[k], 2e-8) << name << " b " << k;
    EXPECT_LT(((right.onA - left.onA) / (2 * h) - at.ab.col(k)).norm(), 1e-7) << name << " ab " << k;
    EXPECT_LT(((right.onB - left.onB) / (2 * h) - at.bb.col(k)).norm(), 1e-7) << name << " bb " << k;
  }
}

TEST(FramePair, GradientsAndHessiansMatchDifferences) {
  const Vec3 c(0.3, -0.5, 0.8), d(0.9, 0.1, -0.4), o(0.2, 0.7, -0.3);
  expectDerivatives("product",
                    [&](const geometry::Pose& a, const geometry::Pose& b) { return directionProduct(c, d, a, b); });
  expectDerivatives("distance",
                    [&](const geometry::Pose& a, const geometry::Pose& b) { return distanceAlong(c, o, a, b); });
  expectDerivatives("span", [&](const geometry::Pose& a, const geometry::Pose& b) { return spanLength(o, d, a, b); });
  expectDerivatives("rounded span",
                    [&](const geometry::Pose& a, const geometry::Pose& b) { return spanLength(o, d, a, b, 0.3); });
  expectDerivatives("crossing",
                    [&](const geometry::Pose& a, const geometry::Pose& b) { return crossingLength(o, d, a, b); });
}

TEST(FramePair, ACrossingIsSignedAndSmoothWhereSectionsTouch) {
  // A hinge on the centerline: a tendon beside it by d shortens by 2 d sin(angle / 2) on one side, lengthens on the
  // other.
  for (const double angle : {-2.5, -0.5, -1e-9, 0.0, 1e-9, 0.5, 2.5}) {
    const geometry::Pose turned{Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix(), Vec3::Zero()};
    EXPECT_NEAR(crossingLength(Vec3(0, 0.02, 0), Vec3(0, 0.02, 0), geometry::Pose(), turned).value,
                -0.04 * std::sin(0.5 * angle), 1e-15);
  }
  const geometry::Pose apart{Mat3::Identity(), Vec3(0.1, 0, 0)};
  EXPECT_NEAR(crossingLength(Vec3(0, 0.02, 0), Vec3(0, 0.02, 0), geometry::Pose(), apart).value, 0.1, 1e-16);
}

using Kind = scene::LinkJoint::Kind;

/// A motion of each kind of joint about its axis.
geometry::Pose allowed(Kind kind, int axis, double s) {
  const int b = (axis + 1) % 3, c = (axis + 2) % 3;
  const auto turn = [](int k, double x) {
    return geometry::Pose{Eigen::AngleAxisd(x, Vec3::Unit(k)).toRotationMatrix(), Vec3::Zero()};
  };
  const auto move = [](int k, double x) { return geometry::Pose{Mat3::Identity(), x * Vec3::Unit(k)}; };
  switch (kind) {
    case Kind::revolute:
      return turn(axis, 2 * s);
    case Kind::prismatic:
      return move(axis, s);
    case Kind::universal:
      return turn(b, s) * turn(c, -0.7 * s);
    case Kind::cylindrical:
      return turn(axis, 3 * s) * move(axis, -s);
    case Kind::planar:
      return move(b, s) * move(c, 0.4 * s) * turn(axis, 2 * s);
    case Kind::spherical:
      return turn(0, s) * turn(1, 2 * s) * turn(2, -s);
    default:
      return {};
  }
}

TEST(Closures, RowsVanishForTheJointsOwnMotionsAndForNoOther) {
  for (const Kind kind : {Kind::fixed, Kind::revolute, Kind::prismatic, Kind::universal, Kind::cylindrical,
                          Kind::planar, Kind::spherical}) {
    for (int axis = 0; axis < 3; ++axis) {
      const std::vector<ClosureRow> rows = closureRows(kind, axis, 0, 1, 0.5);
      ASSERT_EQ(static_cast<int>(rows.size()), 6 - scene::LinkJoint::freedoms(kind));
      const geometry::Pose a = somewhere(3);
      Eigen::MatrixXd gradients(static_cast<int>(rows.size()), 6);
      for (const double s : {0.0, 0.8, 2.9, -7.0}) {
        const geometry::Pose b = a * allowed(kind, axis, s);
        for (std::size_t r = 0; r < rows.size(); ++r) {
          const FramePair gap = closureGap(rows[r], a, b);
          EXPECT_NEAR(gap.value, 0, 1e-14) << static_cast<int>(kind) << " row " << r << " at " << s;
          gradients.row(static_cast<int>(r)) = gap.onB.transpose();
        }
        // Independent: everything else is forbidden, however far the joint has turned.
        EXPECT_EQ(Eigen::FullPivLU<Eigen::MatrixXd>(gradients).rank(), static_cast<int>(rows.size()));
      }
    }
  }
}

}  // namespace frame_pair_test
}  // namespace tendril::links
