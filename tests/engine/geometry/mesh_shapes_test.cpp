// Generated meshes: how many vertices and triangles, that corners and borders are exact, areas, angles, refinement.
#include "geometry/mesh_shapes.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "engine/geometry/mesh_measures.h"

namespace tendril::geometry {
namespace mesh_shapes_test {

constexpr MeshPattern patterns[] = {MeshPattern::equilateral, MeshPattern::equilateralAligned,
                                    MeshPattern::rightIsosceles, MeshPattern::random, MeshPattern::nonuniform};

TriangleMesh strip(double edge, MeshPattern pattern) {
  return rectangleMesh(Vec3(0, 0, 0), Vec3(0.1, 0, 0), Vec3(0, 0.02, 0), edge, pattern);
}

bool holds(const TriangleMesh& mesh, const Vec3& point) {
  return std::count(mesh.points.begin(), mesh.points.end(), point) == 1;
}

/// Length of the border edges along the four sides of the rectangle from 0 to (x, y): all of the border, if exact.
double borderOnSides(const TriangleMesh& mesh, double x, double y) {
  double length = 0;
  for (const MeshEdge& edge : meshTopology(mesh.triangles).edges) {
    if (!edge.isBorder()) continue;
    const Vec3& a = mesh.points[static_cast<std::size_t>(edge.a)];
    const Vec3& b = mesh.points[static_cast<std::size_t>(edge.b)];
    const bool alongX = a.y() == b.y() && (a.y() == 0 || a.y() == y);
    const bool alongY = a.x() == b.x() && (a.x() == 0 || a.x() == x);
    EXPECT_TRUE(alongX || alongY) << a.transpose() << "; " << b.transpose();
    length += (b - a).norm();
  }
  return length;
}

TEST(RectangleMesh, CornersBordersAndAreaAreExact) {
  for (const MeshPattern pattern : patterns)
    for (const double edge : {0.2, 0.02, 0.005, 0.0031, 0.001}) {
      SCOPED_TRACE(testing::Message() << "pattern " << static_cast<int>(pattern) << ", edge " << edge);
      TriangleMesh mesh = strip(edge, pattern);
      const MeshReport report = checkMesh(mesh);
      EXPECT_TRUE(report.errors.empty()) << report.errors[0];
      EXPECT_EQ(report.flipped, 0);
      for (const Vec3& corner : {Vec3(0, 0, 0), Vec3(0.1, 0, 0), Vec3(0.1, 0.02, 0), Vec3(0, 0.02, 0)})
        EXPECT_TRUE(holds(mesh, corner)) << corner.transpose();
      EXPECT_NEAR(borderOnSides(mesh, 0.1, 0.02), 0.24, 1e-14);
      const MeshMeasures measures = measure(mesh, Vec3(0, 0, 1));
      EXPECT_NEAR(measures.area, 0.002, 1e-14);
      EXPECT_NEAR(measures.leastNormal, 1, 1e-12);
      EXPECT_EQ(measures.euler, 1) << "one piece without holes";
    }
}

TEST(RectangleMesh, CountsOfRegularPatterns) {
  // 20 edges along, 0.02 / (0.005 sqrt(3) / 2) = 4.6 rows: 5 rows of 41 triangles.
  EXPECT_EQ(strip(0.005, MeshPattern::equilateral).triangles.size(), 5u * 41);
  EXPECT_EQ(strip(0.005, MeshPattern::equilateral).points.size(), 3u * 21 + 3 * 22);
  // 4 edges across, 23 rows of 9.
  EXPECT_EQ(strip(0.005, MeshPattern::equilateralAligned).triangles.size(), 23u * 9);
  EXPECT_EQ(strip(0.005, MeshPattern::equilateralAligned).points.size(), 12u * 5 + 12 * 6);
  EXPECT_EQ(strip(0.005, MeshPattern::rightIsosceles).triangles.size(), 2u * 20 * 4);
  EXPECT_EQ(strip(0.005, MeshPattern::rightIsosceles).points.size(), 21u * 5);
}

TEST(RectangleMesh, DiagonalsOfRightIsoscelesRunOneWay) {
  const TriangleMesh mesh = strip(0.005, MeshPattern::rightIsosceles);
  int diagonals = 0;
  for (const MeshEdge& edge : meshTopology(mesh.triangles).edges) {
    const Vec3 d = mesh.points[static_cast<std::size_t>(edge.b)] - mesh.points[static_cast<std::size_t>(edge.a)];
    if (std::abs(d.x()) < 1e-9 || std::abs(d.y()) < 1e-9) continue;
    EXPECT_GT(d.x() * d.y(), 0);
    ++diagonals;
  }
  EXPECT_EQ(diagonals, 80);
}

TEST(RectangleMesh, AnglesAndEdgesAreAsWanted) {
  for (const double edge : {0.02, 0.01, 0.005, 0.0025, 0.00125, 0.0007}) {
    SCOPED_TRACE(edge);
    for (const MeshPattern pattern : {MeshPattern::equilateral, MeshPattern::equilateralAligned}) {
      const MeshMeasures measures = measure(strip(edge, pattern), Vec3(0, 0, 1));
      EXPECT_GT(measures.leastAngle, 26) << "30 degrees at the ragged ends, a little less in squeezed rows";
      EXPECT_LT(measures.longest, 1.2 * edge);
    }
    EXPECT_NEAR(measure(strip(edge, MeshPattern::rightIsosceles), Vec3(0, 0, 1)).leastAngle, 45, 2);
    const MeshMeasures random = measure(strip(edge, MeshPattern::random), Vec3(0, 0, 1));
    EXPECT_GT(random.leastAngle, 20);
    EXPECT_NEAR(random.meanEdge / edge, 1, 0.15);
    EXPECT_GT(random.shortest, 0.65 * edge);
    EXPECT_LT(random.longest, 2.2 * edge);
    const MeshMeasures uneven = measure(strip(edge, MeshPattern::nonuniform), Vec3(0, 0, 1));
    EXPECT_GT(uneven.leastAngle, 8);
    if (edge > 0.006) continue;  // unevenness needs room
    EXPECT_LT(uneven.leastAngle, 18) << "skewed elements";
    EXPECT_NEAR(uneven.meanEdge / edge, 1, 0.15);
    EXPECT_GT(uneven.longest / uneven.shortest, 5) << "large and small ones";
  }
}

TEST(RectangleMesh, HalvingTheEdgeHalvesTheEdges) {
  for (const MeshPattern pattern : patterns) {
    const TriangleMesh coarse = strip(0.0025, pattern), fine = strip(0.00125, pattern);
    EXPECT_NEAR(measure(fine, Vec3(0, 0, 1)).meanEdge / measure(coarse, Vec3(0, 0, 1)).meanEdge, 0.5, 0.02);
    EXPECT_NEAR(static_cast<double>(fine.triangles.size()) / static_cast<double>(coarse.triangles.size()), 4, 0.25);
  }
}

TEST(RectangleMesh, IsTheSameEveryTime) {
  for (const MeshPattern pattern : patterns) {
    const TriangleMesh first = strip(0.003, pattern), second = strip(0.003, pattern);
    EXPECT_EQ(first.triangles, second.triangles);
    for (std::size_t v = 0; v < first.points.size(); ++v) EXPECT_EQ(first.points[v], second.points[v]);
  }
}

TEST(RectangleMesh, StandsAnywhereAndMayBeSheared) {
  const Vec3 corner(1, -2, 3), along(0.3, 0.1, 0.2), across(-0.05, 0.3, 0.1);
  for (const MeshPattern pattern : patterns) {
    TriangleMesh mesh = rectangleMesh(corner, along, across, 0.03, pattern);
    EXPECT_TRUE(checkMesh(mesh).errors.empty());
    const MeshMeasures measures = measure(mesh, along.cross(across));
    EXPECT_NEAR(measures.area, along.cross(across).norm(), 1e-12);
    EXPECT_NEAR(measures.leastNormal, 1, 1e-9);
    for (const double u : {0.0, 1.0})
      for (const double v : {0.0, 1.0}) {
        double nearest = 1;
        for (const Vec3& p : mesh.points) nearest = std::min(nearest, (p - corner - u * along - v * across).norm());
        EXPECT_LT(nearest, 1e-15);
      }
  }
}

TEST(RegularPolygonMesh, TheParachutesHexagon) {
  TriangleMesh mesh = regularPolygonMesh(Vec3(0, 0, 0), Vec3(0, 0, 1), 1, 6, 1.0 / 6, Vec3(1, 0, 0));
  EXPECT_TRUE(checkMesh(mesh).errors.empty());
  EXPECT_EQ(mesh.points.size(), 127u);
  EXPECT_EQ(mesh.triangles.size(), 216u);
  const MeshMeasures measures = measure(mesh, Vec3(0, 0, 1));
  EXPECT_NEAR(measures.shortest, 1.0 / 6, 1e-14);
  EXPECT_NEAR(measures.longest, 1.0 / 6, 1e-14);
  EXPECT_NEAR(measures.leastAngle, 60, 1e-9);
  EXPECT_EQ(measures.euler, 1);
  EXPECT_EQ(measures.borders, 36);
  const double h = std::sqrt(3.0) / 2;
  for (const Vec3& corner : {Vec3(1, 0, 0), Vec3(0.5, h, 0), Vec3(-0.5, h, 0), Vec3(-1, 0, 0), Vec3(-0.5, -h, 0),
                             Vec3(0.5, -h, 0), Vec3(0, 0, 0)}) {
    int found = 0;
    for (const Vec3& p : mesh.points) found += (p - corner).norm() < 1e-15;
    EXPECT_EQ(found, 1) << corner.transpose();
  }
  EXPECT_EQ(mesh.points[1 + 3 * 6 * 5], Vec3(1, 0, 0)) << "the last ring begins at the first corner";
}

TEST(RegularPolygonMesh, AnyNumberOfSides) {
  const Vec3 normal(1, 2, -1), center(0.1, 0.2, 0.3);
  for (const int sides : {3, 4, 5, 7, 8, 12, 31}) {
    TriangleMesh mesh = regularPolygonMesh(center, normal, 0.3, sides, 0.1, Vec3(0, 0, 1));
    EXPECT_TRUE(checkMesh(mesh).errors.empty());
    EXPECT_EQ(mesh.triangles.size(), static_cast<std::size_t>(sides) * 9);
    const MeshMeasures measures = measure(mesh, normal);
    EXPECT_NEAR(measures.area, sides * 0.09 / (4 * std::tan(pi / sides)), 1e-12);
    EXPECT_NEAR(measures.leastNormal, 1, 1e-12);
    EXPECT_EQ(measures.euler, 1);
    // All corners at the circumradius; the first one toward `toward`.
    const double radius = 0.15 / std::sin(pi / sides);
    const Vec3 n = normal.normalized(), first = (Vec3(0, 0, 1) - n * n.z()).normalized();
    int corners = 0;
    for (const Vec3& p : mesh.points) corners += std::abs((p - center).norm() - radius) < 1e-12;
    EXPECT_EQ(corners, sides);
    EXPECT_LT((mesh.points[static_cast<std::size_t>(1 + sides * 3)] - center - radius * first).norm(), 1e-14);
  }
}

TEST(RegularPolygonMesh, FirstCornerWithoutADirection) {
  // Where `toward` is along the normal: x projected on the plane, or y where the normal is along x.
  EXPECT_EQ(regularPolygonMesh(Vec3(0, 0, 0), Vec3(0, 0, 2), 1, 6, 1, Vec3(0, 0, 1)).points[1], Vec3(1, 0, 0));
  EXPECT_EQ(regularPolygonMesh(Vec3(0, 0, 0), Vec3(3, 0, 0), 1, 6, 1, Vec3(1, 0, 0)).points[1], Vec3(0, 1, 0));
}

TEST(DiskMesh, RingsOfSixVerticesMoreEach) {
  TriangleMesh mesh = diskMesh(Vec3(0, 0, 1), Vec3(0, 0, 1), 0.5, 0.05, Vec3(0, 1, 0));
  EXPECT_TRUE(checkMesh(mesh).errors.empty());
  EXPECT_EQ(mesh.points.size(), 1u + 3 * 10 * 11);
  EXPECT_EQ(mesh.triangles.size(), 600u);
  const MeshTopology topology = meshTopology(mesh.triangles);
  int border = 0;
  for (const MeshEdge& edge : topology.edges) {
    if (!edge.isBorder()) continue;
    ++border;
    EXPECT_NEAR((mesh.points[static_cast<std::size_t>(edge.a)] - Vec3(0, 0, 1)).norm(), 0.5, 1e-15);
  }
  EXPECT_EQ(border, 60);
  const MeshMeasures measures = measure(mesh, Vec3(0, 0, 1));
  EXPECT_NEAR(measures.area, 30 * 0.25 * std::sin(pi / 30), 1e-12) << "the area of the 60-gon";
  EXPECT_GT(measures.leastAngle, 40);
  EXPECT_EQ(measures.euler, 1);
  EXPECT_EQ(mesh.points[271], Vec3(0, 0.5, 1));
}

TEST(MeshShapes, BadArgumentsAreRefusedBeforeAnythingIsMade) {
  const Vec3 o(0, 0, 0), x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  for (const MeshPattern pattern : patterns) {
    EXPECT_THROW(rectangleMesh(o, x, y, 1e-5, pattern), std::length_error);
    EXPECT_THROW(rectangleMesh(o, x, y, 1e-300, pattern), std::length_error);
    EXPECT_THROW(rectangleMesh(o, x, x, 0.1, pattern), std::invalid_argument);
    EXPECT_THROW(rectangleMesh(o, x, y, 0, pattern), std::invalid_argument);
  }
  EXPECT_THROW(regularPolygonMesh(o, z, 1, 2, 0.1, x), std::invalid_argument);
  EXPECT_THROW(regularPolygonMesh(o, o, 1, 6, 0.1, x), std::invalid_argument);
  EXPECT_THROW(regularPolygonMesh(o, z, 1, 6, 1e-6, x), std::length_error);
  EXPECT_THROW(diskMesh(o, z, 1, 1e-6, x), std::length_error);
  EXPECT_THROW(diskMesh(o, z, 0, 0.1, x), std::invalid_argument);
  try {
    rectangleMesh(o, x, y, 1e-4, MeshPattern::rightIsosceles);
    ADD_FAILURE();
  } catch (const std::length_error& error) {
    EXPECT_STREQ(error.what(),
                 "the mesh would have about 200000000 triangles, at most 4000000 are possible: choose a larger edge");
  }
}

}  // namespace mesh_shapes_test
}  // namespace tendril::geometry
