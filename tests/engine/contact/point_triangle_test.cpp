// Distance of a point and a triangle: exact derivatives in all seven regions, force continuous between them, least
// value by search, invariance under rigid motion.
#include "contact/point_triangle.h"

#include <map>

#include "engine/contact/distance_checks.h"

namespace tendril::contact {
namespace point_triangle_test {

PointTriangleDistance distance(const Points& x) {
  return pointTriangleDistance(point(x, 0), point(x, 1), point(x, 2), point(x, 3));
}
Points gradient(const Points& x) { return gradientOf(distance(x)); }
Mat<12> hessian(const Points& x) {
  return hessianOf(pointTriangleHessian(distance(x), point(x, 1), point(x, 2), point(x, 3)));
}

/// Bits of the corners that carry the closest point: 7 face, 3, 5, 6 edges, 1, 2, 4 corners.
int region(const PointTriangleDistance& d) { return (d.c[1] != 0) | (d.c[2] != 0) << 1 | (d.c[3] != 0) << 2; }

/// The point whose foot in the plane has the barycentric coordinates (1 - b - c, b, c), `height` above it.
Points above(double b, double c, double height) {
  const Vec3 x1(0.1, 0.2, -0.1), x2(1.3, 0.1, 0.3), x3(0.4, 1.2, 0.2);
  const Vec3 n = (x2 - x1).cross(x3 - x1).normalized();
  return points(x1 + b * (x2 - x1) + c * (x3 - x1) + height * n, x1, x2, x3);
}

void expectDerivatives(const Points& x, int which) {
  const PointTriangleDistance d = distance(x);
  ASSERT_EQ(region(d), which);
  EXPECT_EQ(d.free, which == 7 ? 2 : which == 1 || which == 2 || which == 4 ? 0 : 1);
  const double h = 1e-4 * std::min(1.0, d.distance);
  const Points numeric = elastic::differenceGradient<12>([](const Points& y) { return distance(y).distance; }, x, h);
  EXPECT_LT((gradient(x) - numeric).norm(), 1e-6);
  const Mat<12> exact = hessian(x), byDifferences = elastic::differenceJacobian<12, 12>(gradient, x, h);
  EXPECT_LT((exact - byDifferences).norm(), 1e-5 * exact.norm());
}

TEST(PointTriangle, DerivativesInEveryRegion) {
  struct Place {
    double b, c;
    int region;
  };
  for (const Place& p : {Place{0.3, 0.3, 7},
                         {0.1, 0.7, 7},
                         {0.5, -0.3, 3},
                         {-0.3, 0.5, 5},
                         {0.7, 0.7, 6},
                         {-0.5, -0.6, 1},
                         {2.0, -0.5, 2},
                         {-0.5, 2.0, 4}}) {
    for (const double height : {-0.8, -0.01, 0.002, 0.3, 2.0}) expectDerivatives(above(p.b, p.c, height), p.region);
  }
  // In the plane, beside the triangle.
  expectDerivatives(above(0.5, -0.2, 0), 3);
  expectDerivatives(above(0.7, 0.7, 0), 6);
  expectDerivatives(above(-0.5, -0.5, 0), 1);
}

TEST(PointTriangle, SliversAndObtuseTriangles) {
  elastic::Chance chance(6);
  int seen[8] = {};
  for (int k = 0; k < 600; ++k) {
    const Vec3 a = chance.vector(), b = chance.vector();
    const Vec3 c = k % 2 ? Vec3(a + chance.uniform(-0.5, 1.5) * (b - a) + 0.03 * chance.vector()) : chance.vector();
    const Points x = points(1.5 * chance.vector(), a, b, c);
    const PointTriangleDistance d = distance(x);
    // Away from changes of case, which differences must not straddle.
    bool clear = d.distance > 0.05 && (b - a).cross(c - a).norm() > 1e-2;
    for (int i = 1; i < 4; ++i) clear = clear && (d.c[i] == 0 || -d.c[i] > 0.03);
    if (!clear) continue;
    bool straddles = false;
    const double h = 2e-5;
    for (int i = 0; i < 12; ++i) {
      for (const double step : {-2 * h, 2 * h}) {
        Points y = x;
        y[i] += step;
        straddles = straddles || region(distance(y)) != region(d);
      }
    }
    if (straddles) continue;
    ++seen[region(d)];
    const Mat<12> exact = hessian(x), numeric = elastic::differenceJacobian<12, 12>(gradient, x, h);
    EXPECT_LT((exact - numeric).norm(), 1e-5 * std::max(1.0, exact.norm())) << k;
  }
  for (const int r : {1, 2, 3, 4, 5, 6, 7}) EXPECT_GT(seen[r], 5) << r;
}

TEST(PointTriangle, ForceIsContinuousBetweenRegions) {
  elastic::Chance chance(9);
  std::map<std::pair<int, int>, int> changes;
  for (int k = 0; k < 3000; ++k) {
    Points x = points(1.5 * chance.vector(), chance.vector(), chance.vector(), chance.vector()), y = x;
    y.head<3>() = 1.5 * chance.vector();
    if ((point(x, 2) - point(x, 1)).cross(point(x, 3) - point(x, 1)).norm() < 0.05) continue;
    const auto at = [&](double u) { return Points((1 - u) * x + u * y); };
    double a = 0, b = 1;
    if (region(distance(at(a))) == region(distance(at(b)))) continue;
    while (b - a > 1e-15) {
      const double middle = 0.5 * (a + b);
      if (middle == a || middle == b) break;
      (region(distance(at(middle))) == region(distance(at(a))) ? a : b) = middle;
    }
    if (distance(at(a)).distance < 1e-2) continue;
    EXPECT_LT((gradient(at(a)) - gradient(at(b))).norm(), 1e-8);
    const int from = region(distance(at(a))), to = region(distance(at(b)));
    ++changes[{std::min(from, to), std::max(from, to)}];
  }
  for (const auto& [r, s] : {std::pair{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}, {3, 7}, {5, 7}, {6, 7}}) {
    EXPECT_GT((changes[{r, s}]), 5) << r << " " << s;
  }
}

TEST(PointTriangle, LeastValueBySearch) {
  // For every share u from corner 1 the least distance to the segment there is known: one convex search remains.
  elastic::Chance chance(12);
  for (int k = 0; k < 2000; ++k) {
    const double size = std::pow(10.0, chance.uniform(-3, 2));
    Points x;
    for (int i = 0; i < 4; ++i) x.segment<3>(3 * i) = size * chance.vector();
    if (k % 4 == 0) x.head<3>() = point(x, 1) + 0.3 * (point(x, 2) - point(x, 1)) + 1e-3 * size * chance.vector();
    const auto value = [&](double u) {
      const Vec3 a = point(x, 1) + u * (point(x, 2) - point(x, 1)), d = u * (point(x, 3) - point(x, 2));
      const double square = d.squaredNorm();
      const double t = square > 0 ? std::clamp(d.dot(point(x, 0) - a) / square, 0.0, 1.0) : 0;
      return (point(x, 0) - a - t * d).norm();
    };
    EXPECT_NEAR(distance(x).distance, convexMinimum(value), 1e-9 * size);
  }
}

TEST(PointTriangle, RigidMotionChangesNothing) {
  elastic::Chance chance(15);
  for (int k = 0; k < 500; ++k) {
    const Points x = points(2 * chance.vector(), chance.vector(), chance.vector(), chance.vector());
    if (distance(x).distance < 0.02) continue;
    const Points g = gradient(x);
    expectBalance(x, g, 1);
    const Mat3 rotation = randomRotation(chance);
    const Points y = moved(x, rotation, chance.vector());
    EXPECT_NEAR(distance(y).distance, distance(x).distance, 1e-13);
    EXPECT_LT((gradient(y) - moved(g, rotation, Vec3::Zero())).norm(), 1e-9);
  }
}

}  // namespace point_triangle_test
}  // namespace tendril::contact
