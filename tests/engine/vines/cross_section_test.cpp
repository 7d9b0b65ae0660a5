// Cuts of obstacles with a vine's plane: the same points are inside, near the surface to the cut's resolution.
#include "vines/cross_section.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "geometry/signed_distance.h"

namespace tendril::vines {
namespace cross_section_test {

double distanceInSpace(const scene::Obstacle& o, const Vec3& x) {
  switch (o.kind) {
    case scene::Obstacle::Kind::plane:
      return geometry::planeDistance(x, o.point, o.normal).distance;
    case scene::Obstacle::Kind::sphere:
      return geometry::sphereDistance(x, o.point, o.radius).distance;
    case scene::Obstacle::Kind::box:
      return ((o.axes.transpose() * (x - o.point)).cwiseAbs() - o.half).maxCoeff();
    case scene::Obstacle::Kind::capsule:
      return geometry::capsuleDistance(x, o.point, o.end, o.radius).distance;
    default:
      return geometry::cylinderDistance(x, o.point, o.end, o.radius).distance;
  }
}

class Random {
 public:
  double operator()() { return uniform_(engine_); }
  Vec3 vector() { return {(*this)(), (*this)(), (*this)()}; }
  Mat3 rotation() {
    const Vec3 a = vector().normalized(), b = vector(), c = a.cross(b).normalized();
    Mat3 r;
    r << a, c.cross(a), c;
    return r;
  }

 private:
  std::mt19937 engine_{7};
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

TEST(CrossSection, HoldsThePointsThatTheObstacleHolds) {
  Random random;
  int inside = 0, cuts = 0;
  for (const scene::Obstacle::Kind kind :
       {scene::Obstacle::Kind::plane, scene::Obstacle::Kind::sphere, scene::Obstacle::Kind::box,
        scene::Obstacle::Kind::capsule, scene::Obstacle::Kind::cylinder}) {
    for (int trial = 0; trial < 40; ++trial) {
      Plane plane;
      const Mat3 frame = random.rotation();
      plane.origin = random.vector(), plane.u = frame.col(0), plane.v = frame.col(1);
      scene::Obstacle o;
      o.kind = kind;
      o.point = plane.origin + 0.5 * random.vector(), o.end = o.point + random.vector();
      // Along and across the plane too.
      if (trial % 4 == 1) o.end = o.point + frame.col(0) - 0.3 * frame.col(1);
      if (trial % 4 == 2) o.end = o.point + frame.col(2);
      o.normal = random.vector().normalized();
      o.half = 0.6 * (random.vector().cwiseAbs() + Vec3::Constant(0.1)), o.axes = random.rotation();
      o.radius = 0.1 + 0.4 * std::abs(random());
      const Vec3 moved = 0.2 * random.vector();
      const auto shape = crossSection(o, moved, plane);
      cuts += shape ? 1 : 0;
      const double resolution = 2e-3;
      for (int i = 0; i < 300; ++i) {
        const Vec2 x(2 * random(), 2 * random());
        const double space = distanceInSpace(o, plane.point(x) - moved);
        const double inPlane = shape ? planarDistance(*shape, x).distance : 1;
        if (std::abs(space) < resolution * 1.5 || std::abs(inPlane) < resolution) continue;
        EXPECT_EQ(space < 0, inPlane < 0)
            << "kind " << int(kind) << " trial " << trial << ": " << space << " " << inPlane;
        inside += space < 0 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(inside, 2000);
  EXPECT_GT(cuts, 120);
}

TEST(CrossSection, OfStandingBodiesAreExact) {
  scene::Obstacle o;
  const Plane plane;
  o.kind = scene::Obstacle::Kind::cylinder, o.radius = 0.3, o.point = {1, 2, -1}, o.end = {1, 2, 1};
  auto shape = crossSection(o, Vec3(0, 0, 0.5), plane);
  ASSERT_TRUE(shape && shape->core.size() == 1);
  EXPECT_EQ(shape->radius, 0.3);
  EXPECT_NEAR((shape->core[0] - Vec2(1, 2)).norm(), 0, 1e-15);
  EXPECT_FALSE(crossSection(o, Vec3(0, 0, 1.5), plane));
  o.kind = scene::Obstacle::Kind::sphere, o.point = {0, 0, 0.18};
  shape = crossSection(o, Vec3::Zero(), plane);
  ASSERT_TRUE(shape);
  EXPECT_NEAR(shape->radius, 0.24, 1e-15);
  o.kind = scene::Obstacle::Kind::box, o.half = {1, 2, 3}, o.point = Vec3::Zero();
  shape = crossSection(o, Vec3(5, 0, 0), plane);
  ASSERT_TRUE(shape && shape->core.size() == 4);
  EXPECT_NEAR(planarDistance(*shape, Vec2(3.5, 0)).distance, 0.5, 1e-15);
  EXPECT_FALSE(crossSection(o, Vec3(0, 0, 3), plane));  // only touched
  o.kind = scene::Obstacle::Kind::plane, o.normal = Vec3::UnitZ(), o.point = {0, 0, 0.1};
  EXPECT_FALSE(crossSection(o, Vec3::Zero(), plane));
  EXPECT_TRUE(holdsPlane(o, Vec3::Zero(), plane));
  EXPECT_FALSE(holdsPlane(o, Vec3(0, 0, -0.2), plane));
}

}  // namespace cross_section_test
}  // namespace tendril::vines
