// Steps within the bound never take two centerlines through each other: seen by dense sampling in time, with moves at
// random and moves that aim at each other; and the bound is not idle: somewhat longer steps do cross.
#include "contact/sweep.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/elastic/differences.h"

namespace tendril::contact {
namespace sweep_test {

struct Pair {
  Vec3 x[4], dx[4];
  Vec3 at(int i, double beta) const { return x[i] + beta * dx[i]; }
  double distance(double beta = 0) const {
    return centerlineDistance(at(0, beta), at(1, beta), at(2, beta), at(3, beta));
  }
  double step(double floor = 0) const {
    return longestStep(ContactPair::Kind::edges, {x[0], x[1], x[2], x[3]}, {dx[0], dx[1], dx[2], dx[3]}, floor);
  }
  /// Sixfold volume of the tetrahedron of the four ends: changes sign where the lines cross.
  double triple(double beta) const {
    return (at(1, beta) - at(0, beta)).cross(at(3, beta) - at(2, beta)).dot(at(2, beta) - at(0, beta));
  }
};

/// Edges of length 1 at a distance from touching to one length.
Pair randomPair(elastic::Chance& chance) {
  Pair p;
  const Vec3 normal = chance.direction(), t1 = normal.cross(chance.direction()), t2 = normal.cross(chance.direction());
  const double gap = std::pow(10.0, chance.uniform(-4, 0));
  const double s = chance.uniform(-0.2, 1.2), t = chance.uniform(-0.2, 1.2);
  p.x[0] = -s * t1, p.x[1] = (1 - s) * t1;
  p.x[2] = gap * normal - t * t2, p.x[3] = gap * normal + (1 - t) * t2;
  const double size = gap * std::pow(10.0, chance.uniform(-1, 2));
  const Vec3 common = 10 * chance.vector();
  for (Vec3& d : p.dx) d = size * chance.vector() + common;
  return p;
}

/// Distance by sampling one edge and projecting on the other.
double sampledDistance(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3, int samples) {
  double least = 1e300;
  for (int i = 0; i <= samples; ++i) {
    const Vec3 p = x0 + (x1 - x0) * i / samples, d = x3 - x2;
    const double t = std::min(1.0, std::max(0.0, d.dot(p - x2) / d.squaredNorm()));
    least = std::min(least, (x2 + t * d - p).norm());
  }
  return least;
}

TEST(Sweep, CenterlineDistanceAgainstSampling) {
  elastic::Chance chance(3);
  for (int k = 0; k < 2000; ++k) {
    Pair p = randomPair(chance);
    if (k % 4 == 0) p.x[3] = p.x[2] + (p.x[1] - p.x[0]) * chance.uniform(-1, 1);   // parallel
    if (k % 4 == 1) p.x[3] = p.x[2] + (p.x[1] - p.x[0]) + 1e-9 * chance.vector();  // nearly
    const double sampled = sampledDistance(p.x[0], p.x[1], p.x[2], p.x[3], 2000);
    // A sample is at most 1/4000 of the edge away from the closest point; along the edge the distance is convex.
    EXPECT_LE(p.distance(), sampled + 1e-12);
    EXPECT_GE(p.distance(), sampled - 0.00025);
    const double exact = p.distance();
    EXPECT_NEAR(centerlineDistance(p.x[2], p.x[3], p.x[1], p.x[0]), exact, 1e-12);
  }
}

TEST(Sweep, CenterlineDistanceOfDegenerateEdges) {
  const Vec3 o = Vec3::Zero(), x = Vec3::UnitX(), y = Vec3::UnitY();
  EXPECT_EQ(centerlineDistance(o, o, o, o), 0);
  EXPECT_NEAR(centerlineDistance(o, o, x, x), 1, 1e-15);
  EXPECT_NEAR(centerlineDistance(y, y, -x, x), 1, 1e-15);
  EXPECT_NEAR(centerlineDistance(-x, x, -y, y), 0, 1e-15);        // crossing
  EXPECT_NEAR(centerlineDistance(o, x, 3 * x, 2 * x), 1, 1e-15);  // in one line, apart
  EXPECT_NEAR(centerlineDistance(o, 2 * x, x, 3 * x), 0, 1e-15);  // in one line, over each other
}

TEST(Sweep, NoMoveWithinTheBoundCrosses) {
  elastic::Chance chance(7);
  int shortened = 0, whole = 0;
  for (int k = 0; k < 3000; ++k) {
    const Pair p = randomPair(chance);
    const double start = p.distance(), alpha = p.step();
    ASSERT_GT(alpha, 0);
    ASSERT_LE(alpha, 1);
    ++(alpha < 1 ? shortened : whole);
    for (int i = 1; i <= 100; ++i) ASSERT_GE(p.distance(alpha * i / 100), 0.2 * start * (1 - 1e-9)) << k;
  }
  EXPECT_GT(shortened, 300);
  EXPECT_GT(whole, 300);
}

TEST(Sweep, SidesDoNotChange) {
  // Crossed edges keep the sign of their triple product; past the bound many of the same moves do change it.
  elastic::Chance chance(13);
  int crossings = 0;
  for (int k = 0; k < 2000; ++k) {
    Pair p;
    const double gap = std::pow(10.0, chance.uniform(-4, -1)), angle = chance.uniform(0.3, 2.8);
    p.x[0] = Vec3(-0.5, 0, 0), p.x[1] = Vec3(0.5, 0, 0);
    p.x[2] = Vec3(-0.5 * std::cos(angle), -0.5 * std::sin(angle), gap), p.x[3] = -p.x[2] + Vec3(0, 0, 2 * gap);
    for (Vec3& d : p.dx) d = gap * chance.vector();
    p.dx[2] -= Vec3(0, 0, 2 * gap), p.dx[3] -= Vec3(0, 0, 2 * gap);
    const double alpha = p.step(), side = p.triple(0);
    for (int i = 1; i <= 50; ++i) ASSERT_GT(p.triple(alpha * i / 50) * side, 0) << k;
    if (p.triple(1) * side < 0) ++crossings;
  }
  EXPECT_GT(crossings, 500);
}

TEST(Sweep, AimedMovesReachTheBoundExactly) {
  Pair p;
  p.x[0] = Vec3(-1, 0, 0), p.x[1] = Vec3(1, 0, 0), p.x[2] = Vec3(0, -1, 0.1), p.x[3] = Vec3(0, 1, 0.1);
  for (int i = 0; i < 4; ++i) p.dx[i] = Vec3(0, 0, i < 2 ? 0.3 : -0.2);
  const double alpha = p.step();
  EXPECT_NEAR(alpha, 0.8 * 0.1 / 0.5, 1e-14);
  EXPECT_NEAR(p.distance(alpha), 0.02, 1e-14);
  EXPECT_LT(p.triple(1.3 * alpha) * p.triple(0), 0);
}

TEST(Sweep, CommonMovesAndFarEdgesAreFree) {
  Pair p;
  p.x[0] = Vec3(-1, 0, 0), p.x[1] = Vec3(1, 0, 0), p.x[2] = Vec3(0, -1, 0.001), p.x[3] = Vec3(0, 1, 0.001);
  for (Vec3& d : p.dx) d = Vec3(5, 7, -30);
  EXPECT_EQ(p.step(), 1);
  for (Vec3& d : p.dx) d.setZero();
  EXPECT_EQ(p.step(), 1);
  // Along each other, however near: nothing is lost by sliding.
  p.dx[2] = p.dx[3] = Vec3(0.02, 0.01, 0);
  EXPECT_EQ(p.step(), 1);
  p.x[2].z() = p.x[3].z() = 0, p.dx[2] = p.dx[3] = Vec3(0, 0, -1);
  EXPECT_EQ(p.step(), 0);
}

TEST(Sweep, BelowTheFloorPairsOnlyPart) {
  Pair p;
  p.x[0] = Vec3(-1, 0, 0), p.x[1] = Vec3(1, 0, 0), p.x[2] = Vec3(0, -1, 0.1), p.x[3] = Vec3(0, 1, 0.1);
  p.dx[0] = p.dx[1] = Vec3::Zero(), p.dx[2] = p.dx[3] = Vec3(0, 0, -1);
  EXPECT_NEAR(p.step(0.07), 0.03, 1e-4);  // stops at the floor
  EXPECT_NEAR(p.step(0.3), 0.002, 1e-5);  // began below it: a fiftieth nearer at most
  p.dx[2] = p.dx[3] = Vec3(0, 0, 1);
  EXPECT_EQ(p.step(0.3), 1);
}

TEST(Sweep, PointsDoNotPassThroughTriangles) {
  elastic::Chance chance(19);
  int shortened = 0;
  for (int k = 0; k < 2000; ++k) {
    const double gap = std::pow(10.0, chance.uniform(-3, -1));
    std::array<Vec3, 4> x = {Vec3(chance.uniform(-0.2, 0.7), chance.uniform(-0.2, 0.7), gap), Vec3::Zero(),
                             Vec3::UnitX(), Vec3::UnitY()};
    std::array<Vec3, 4> dx;
    for (Vec3& d : dx) d = gap * chance.vector();
    dx[0] -= Vec3(0, 0, 2 * gap);
    const double alpha = longestStep(ContactPair::Kind::pointTriangle, x, dx, 0),
                 start = centeredistance(ContactPair::Kind::pointTriangle, x);
    shortened += alpha < 1;
    for (int i = 1; i <= 50; ++i) {
      std::array<Vec3, 4> y = x;
      for (int n = 0; n < 4; ++n) y[n] += (alpha * i / 50) * dx[n];
      ASSERT_GE(centeredistance(ContactPair::Kind::pointTriangle, y), 0.2 * start * (1 - 1e-9)) << k;
    }
  }
  EXPECT_GT(shortened, 500);
}

}  // namespace sweep_test
}  // namespace tendril::contact
