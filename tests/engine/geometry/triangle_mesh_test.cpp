// Edges of triangle meshes, and every fault that checkMesh finds: its words, the numbers in them, and what it repairs.
#include "geometry/triangle_mesh.h"

#include <gtest/gtest.h>

#include <ctime>
#include <stdexcept>

#include "engine/geometry/mesh_measures.h"
#include "geometry/mesh_shapes.h"

namespace tendril::geometry {
namespace triangle_mesh_test {

/// Two triangles of the unit square: 0 (0,0), 1 (1,0), 2 (1,1), 3 (0,1).
TriangleMesh square() { return {{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0)}, {{0, 1, 2}, {0, 2, 3}}}; }

TriangleMesh plate(double edge) {
  return rectangleMesh(Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), edge, MeshPattern::random);
}

/// A closed or (with `twist`) half twisted strip of n squares, each of two triangles.
TriangleMesh ring(int n, bool twist) {
  TriangleMesh mesh;
  for (int k = 0; k < n; ++k) {
    const double turn = 2 * pi * k / n, half = twist ? turn / 2 : 0;
    const Vec3 out(std::cos(turn), std::sin(turn), 0);
    const Vec3 side = std::cos(half) * Vec3::UnitZ() + std::sin(half) * out;
    mesh.points.push_back(out - 0.2 * side);
    mesh.points.push_back(out + 0.2 * side);
  }
  for (int k = 0; k < n; ++k) {
    const bool crossed = twist && k == n - 1;
    const int a = 2 * k, b = 2 * k + 1, next = 2 * ((k + 1) % n);
    const int c = crossed ? next + 1 : next, d = crossed ? next : next + 1;
    mesh.triangles.push_back({a, c, d});
    mesh.triangles.push_back({a, d, b});
  }
  return mesh;
}

void expectError(TriangleMesh mesh, const std::string& message) {
  const MeshReport report = checkMesh(mesh);
  for (const std::string& error : report.errors)
    if (error.find(message) != std::string::npos) return;
  ADD_FAILURE() << "not said: " << message << "\nbut: " << (report.errors.empty() ? "nothing" : report.errors[0]);
}

TEST(MeshTopology, EdgesComeByFirstAppearance) {
  const MeshTopology topology = meshTopology(square().triangles);
  ASSERT_EQ(topology.edges.size(), 5u);
  const std::array<std::array<int, 2>, 5> expected = {{{1, 2}, {2, 0}, {0, 1}, {2, 3}, {3, 0}}};
  for (std::size_t e = 0; e < 5; ++e) {
    EXPECT_EQ(topology.edges[e].a, expected[e][0]);
    EXPECT_EQ(topology.edges[e].b, expected[e][1]);
    EXPECT_EQ(topology.edges[e].isBorder(), e != 1);
  }
  EXPECT_EQ(topology.triangleEdges[0], (std::array<int, 3>{0, 1, 2}));
  EXPECT_EQ(topology.triangleEdges[1], (std::array<int, 3>{3, 4, 1}));
  EXPECT_EQ(topology.edges[1].triangle, (std::array<int, 2>{0, 1}));
  EXPECT_EQ(topology.edges[1].opposite, (std::array<int, 2>{1, 3}));
}

TEST(MeshTopology, EdgesRunRightHandedAboutTheFirstTriangle) {
  const TriangleMesh mesh = plate(0.1);
  const MeshTopology topology = meshTopology(mesh.triangles);
  const auto at = [&](int v) { return mesh.points[static_cast<std::size_t>(v)]; };
  for (const MeshEdge& edge : topology.edges) {
    EXPECT_GT((at(edge.b) - at(edge.a)).cross(at(edge.opposite[0]) - at(edge.a)).z(), 0);
    if (edge.isBorder()) continue;
    EXPECT_LT((at(edge.b) - at(edge.a)).cross(at(edge.opposite[1]) - at(edge.a)).z(), 0);
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const MeshEdge& edge = topology.edges[static_cast<std::size_t>(topology.triangleEdges[t][k])];
      const std::size_t side = edge.triangle[0] == static_cast<int>(t) ? 0 : 1;
      EXPECT_EQ(edge.triangle[side], static_cast<int>(t));
      EXPECT_EQ(edge.opposite[side], mesh.triangles[t][k]);
    }
}

TEST(MeshTopology, RefusesWhatIsNoSheet) {
  EXPECT_THROW(meshTopology({{0, 1, 2}, {0, 3, 1}, {0, 1, 4}}), std::invalid_argument);
  EXPECT_THROW(meshTopology({{0, 1, 2}, {0, 1, 3}}), std::invalid_argument);
}

TEST(CheckMesh, ASoundMeshIsLeftAlone) {
  for (TriangleMesh mesh : {square(), ring(12, false), plate(0.2)}) {
    const std::vector<std::array<int, 3>> before = mesh.triangles;
    const MeshReport report = checkMesh(mesh);
    EXPECT_TRUE(report.errors.empty()) << report.errors[0];
    EXPECT_TRUE(report.warnings.empty()) << report.warnings[0];
    EXPECT_EQ(report.flipped, 0);
    EXPECT_EQ(mesh.triangles, before);
  }
}

TEST(CheckMesh, SaysWhatIsWrongWithNumbers) {
  expectError({}, "the mesh has no triangles: it needs at least one");
  expectError({{Vec3(0, 0, 0)}, {{0, 1, 2}}}, "triangle 0 names vertex 1, but there is only one (0)");
  TriangleMesh mesh = square();
  mesh.triangles[1][2] = 57;
  expectError(mesh, "triangle 1 names vertex 57, but there are only 4 (0 to 3)");
  mesh.triangles[1][2] = -1;
  expectError(mesh, "triangle 1 names vertex -1");
  mesh = square();
  mesh.points[2].y() = std::nan("");
  expectError(mesh, "vertex 2 has no finite position");
  mesh = square();
  mesh.triangles.push_back({3, 1, 3});
  expectError(mesh, "triangle 2 has vertex 3 twice");
  mesh = square();
  mesh.triangles.push_back({2, 0, 1});
  expectError(mesh, "triangles 0 and 2 have the same corners");
  mesh.triangles.back() = {1, 0, 2};
  expectError(mesh, "triangles 0 and 2 have the same corners");
  mesh = square();
  mesh.points.push_back(Vec3(2, 2, 0));
  expectError(mesh, "vertex 4 belongs to no triangle: remove it");
  mesh = square();
  mesh.points.push_back(Vec3(1, 1 + 1e-10, 0));
  mesh.triangles[1] = {0, 4, 3};
  expectError(mesh, "vertices 2 and 4 are at the same position");
  mesh = square();
  for (Vec3& p : mesh.points) p = Vec3(1, 2, 3);
  expectError(mesh, "all vertices are at the same position");
  mesh = square();
  mesh.points.push_back(Vec3(0.5, 0.5, 1));
  mesh.triangles.push_back({0, 2, 4});
  expectError(mesh, "the edge between vertices 0 and 2 belongs to 3 triangles (0, 1, 2): an edge can have two at most");
  mesh = square();
  mesh.points[3] = Vec3(0.5, 0.5, 0);
  expectError(mesh, "triangle 1 has no area: its corners 0, 2 and 3 lie on a line");
}

TEST(CheckMesh, PlacesAreComparedAcrossCells) {
  // Near pairs on both sides of cell borders and near the origin of the cells; pairs a little further apart are kept.
  for (const double apart : {0.3e-9, 3e-9})
    for (int k = 0; k < 50; ++k) {
      TriangleMesh mesh = square();
      const double size = std::sqrt(2.0);
      const Vec3 at = Vec3(0.5, 0.25, 0) + 0.11e-9 * k * Vec3(1, 1, 0);
      mesh.points.push_back(at);
      mesh.points.push_back(at + apart * size * Vec3(0.6, -0.8, 0));
      mesh.triangles = {{0, 1, 4}, {1, 2, 4}, {0, 5, 3}, {2, 3, 5}};
      const MeshReport report = checkMesh(mesh);
      bool said = false;
      for (const std::string& error : report.errors) said = said || error.find("vertices 4 and 5") == 0;
      EXPECT_EQ(said, apart < 1e-9) << k << " " << apart;
    }
}

TEST(CheckMesh, LongListsAreCutShort) {
  TriangleMesh mesh = square();
  for (int k = 0; k < 30; ++k) mesh.triangles.push_back({0, 1, 100 + k});
  MeshReport report = checkMesh(mesh);
  ASSERT_EQ(report.errors.size(), 11u);
  EXPECT_EQ(report.errors[10], "and 20 more like the last one");
  mesh = square();
  mesh.points.assign(50000, Vec3(0, 0, 0));
  mesh.points[1] = Vec3(1, 0, 0);
  report = checkMesh(mesh);
  EXPECT_LE(report.errors.size(), 22u);
}

TEST(CheckMesh, TurnsTrianglesThatDisagree) {
  TriangleMesh mesh = plate(0.1);
  const std::vector<std::array<int, 3>> before = mesh.triangles;
  for (const std::size_t t : {5u, 17u, 60u}) std::swap(mesh.triangles[t][0], mesh.triangles[t][1]);
  MeshReport report = checkMesh(mesh);
  EXPECT_TRUE(report.errors.empty());
  EXPECT_EQ(report.flipped, 3);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_EQ(report.warnings[0], "3 triangles were turned so that neighbors agree which side is up: 5, 17, 60");
  EXPECT_NEAR(measure(mesh, Vec3::UnitZ()).leastNormal, 1, 1e-12);
  // The first triangle decides: all the others follow it.
  mesh.triangles = before;
  std::swap(mesh.triangles[0][0], mesh.triangles[0][1]);
  report = checkMesh(mesh);
  EXPECT_EQ(report.flipped, static_cast<int>(before.size()) - 1);
  EXPECT_NEAR(measure(mesh, -Vec3::UnitZ()).leastNormal, 1, 1e-12);
}

TEST(CheckMesh, PiecesAreTurnedOnTheirOwn) {
  TriangleMesh mesh = square();
  for (int k = 0; k < 4; ++k) mesh.points.push_back(mesh.points[static_cast<std::size_t>(k)] + Vec3(3, 0, 0));
  mesh.triangles.push_back({4, 6, 5});
  mesh.triangles.push_back({4, 6, 7});
  const MeshReport report = checkMesh(mesh);
  EXPECT_TRUE(report.errors.empty());
  EXPECT_EQ(report.flipped, 1);
  EXPECT_EQ(report.warnings.at(0), "1 triangle was turned so that neighbors agree which side is up: 3");
  EXPECT_EQ(mesh.triangles[2], (std::array<int, 3>{4, 6, 5}));
  EXPECT_EQ(mesh.triangles[3], (std::array<int, 3>{4, 7, 6}));
}

TEST(CheckMesh, AMoebiusStripIsRefused) {
  expectError(ring(12, true), "the piece with triangle 0 has no two sides (a Moebius strip)");
  TriangleMesh annulus = ring(12, false);
  EXPECT_TRUE(checkMesh(annulus).errors.empty());
}

TEST(CheckMesh, SliversAreWarnedOf) {
  TriangleMesh mesh = square();
  mesh.points[3] = Vec3(0.5 - 0.004, 0.5 + 0.004, 0);  // atan(0.008)
  const MeshReport report = checkMesh(mesh);
  EXPECT_TRUE(report.errors.empty());
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_EQ(report.warnings[0].find("triangle 1 is a sliver (smallest angle 0.46 degrees)"), 0u) << report.warnings[0];
}

TEST(CheckMesh, LargeMeshesTakeLittleTime) {
  TriangleMesh mesh = rectangleMesh(Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), 0.0045, MeshPattern::equilateral);
  ASSERT_GT(mesh.triangles.size(), 100000u);
  const auto begin = std::clock();
  EXPECT_TRUE(checkMesh(mesh).errors.empty());
  meshTopology(mesh.triangles);
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 60)
      << "usually 0.1 s; a quadratic search takes hours";
}

}  // namespace triangle_mesh_test
}  // namespace tendril::geometry
