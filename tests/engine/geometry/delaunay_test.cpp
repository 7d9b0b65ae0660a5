// The Delaunay triangulation: empty circles, the whole convex hull, and points that are hard (grids, circles, lines).
#include "geometry/delaunay.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <stdexcept>

#include "geometry/random.h"
#include "geometry/triangle_mesh.h"

namespace tendril::geometry {
namespace delaunay_test {

using Points = std::vector<Vec<2>>;

double doubledArea(const Points& points, const std::array<int, 3>& t) {
  const auto at = [&](std::size_t k) { return points[static_cast<std::size_t>(t[k])]; };
  const Vec<2> u = at(1) - at(0), v = at(2) - at(0);
  return u.x() * v.y() - u.y() * v.x();
}

/// All points used, counter-clockwise, edges consistent, the area of the hull.
void expectTriangulation(const Points& points, double area) {
  const auto triangles = delaunay(points);
  double sum = 0;
  std::vector<bool> used(points.size(), false);
  for (const auto& t : triangles) {
    EXPECT_GT(doubledArea(points, t), 0);
    sum += doubledArea(points, t) / 2;
    for (const int v : t) used[static_cast<std::size_t>(v)] = true;
  }
  EXPECT_NEAR(sum, area, 1e-9 * area);
  EXPECT_EQ(std::count(used.begin(), used.end(), false), 0);
  const MeshTopology topology = meshTopology(triangles);
  EXPECT_EQ(points.size() + triangles.size(), topology.edges.size() + 1);
}

Points randomPoints(int count, std::uint64_t seed) {
  SplitMix random(seed);
  Points points = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  while (static_cast<int>(points.size()) < count) points.emplace_back(random.uniform(0, 1), random.uniform(0, 1));
  return points;
}

TEST(Delaunay, CirclesAreEmpty) {
  const Points points = randomPoints(300, 7);
  expectTriangulation(points, 1);
  for (const auto& t : delaunay(points)) {
    const Vec<2> a = points[static_cast<std::size_t>(t[0])], b = points[static_cast<std::size_t>(t[1])] - a,
                 c = points[static_cast<std::size_t>(t[2])] - a;
    const double d = 2 * (b.x() * c.y() - b.y() * c.x());
    const Vec<2> center((c.y() * b.squaredNorm() - b.y() * c.squaredNorm()) / d,
                        (b.x() * c.squaredNorm() - c.x() * b.squaredNorm()) / d);
    for (const Vec<2>& p : points) EXPECT_GT((p - a - center).norm(), center.norm() * (1 - 1e-6));
  }
}

TEST(Delaunay, GridsCirclesAndLines) {
  Points grid;
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 30; ++x) grid.emplace_back(0.1 * x, 0.1 * y);
  expectTriangulation(grid, 2.9 * 1.9);
  Points circle;
  for (int k = 0; k < 64; ++k) circle.emplace_back(std::cos(2 * pi * k / 64), std::sin(2 * pi * k / 64));
  expectTriangulation(circle, 32 * std::sin(2 * pi / 64));
  circle.emplace_back(0, 0);
  expectTriangulation(circle, 32 * std::sin(2 * pi / 64));
  Points fan = {{0.5, 1}};  // all but one on a line
  for (int k = 0; k <= 100; ++k) fan.emplace_back(0.01 * k, 0);
  expectTriangulation(fan, 0.5);
  expectTriangulation({{0, 0}, {1e-3, 0}, {0, 1e-3}}, 0.5e-6);
}

TEST(Delaunay, ManyRandomSets) {
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    expectTriangulation(randomPoints(5 + static_cast<int>(seed), seed), 1);
}

TEST(Delaunay, WhatHasNoTrianglesIsRefused) {
  EXPECT_THROW(delaunay({{0, 0}, {1, 0}}), std::invalid_argument);
  EXPECT_THROW(delaunay({{0, 0}, {1, 1}, {2, 2}, {3, 3}}), std::invalid_argument);
  EXPECT_THROW(delaunay({{0, 0}, {1, 0}, {0, 1}, {1, 0}}), std::invalid_argument);
  EXPECT_THROW(delaunay({{0, 0}, {0, 0}, {0, 0}}), std::invalid_argument);
}

TEST(Delaunay, ManyPointsTakeLittleTime) {
  const Points points = randomPoints(50000, 3);
  const auto begin = std::clock();
  expectTriangulation(points, 1);
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 60)
      << "usually 0.2 s; a quadratic search takes hours";
}

}  // namespace delaunay_test
}  // namespace tendril::geometry
