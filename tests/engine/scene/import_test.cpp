// Foreign geometry texts: chains, branches and loops become rods and welds, triangles a shell, edges that end on one
// joints, and everything wrong is told with its line.
#include <gtest/gtest.h>

#include "engine/scene/scene_text.h"
#include "scene/import/geometry.h"
#include "scene/load/load.h"

namespace tendril::scene {
namespace import_test {

Scene imported(const std::string& text, const std::string& material = {}) {
  auto result = importGeometry(text, material);
  if (auto* problems = std::get_if<Problems>(&result)) {
    ADD_FAILURE() << describe(problems->at(0), "geometry");
    return {};
  }
  return loaded(std::get<std::string>(result));
}

void expectProblem(const std::string& text, const std::string& part, int line, const std::string& material = {}) {
  const auto result = importGeometry(text, material);
  ASSERT_TRUE(std::holds_alternative<Problems>(result)) << text;
  const Problems& problems = std::get<Problems>(result);
  EXPECT_NE(problems[0].message.find(part), std::string::npos) << problems[0].message;
  EXPECT_EQ(problems[0].line, line) << problems[0].message;
  for (const Problem& problem : problems) EXPECT_LE(problem.to, text.size());
}

TEST(Import, AChainIsOneRod) {
  const Scene scene = imported("# a rod\r\n*Nodes\r\n0, 0, 0\r\n 0.1 ,0, 0\n\n0.2, 0, 1e-3\n*Edges\n1, 2\n2, 3");
  ASSERT_EQ(scene.rods.size(), 1u);
  EXPECT_EQ(scene.rods[0].name, "rod");
  ASSERT_EQ(scene.rods[0].points.size(), 3u);
  EXPECT_EQ(scene.rods[0].points[2], Vec3(0.2, 0, 1e-3));
  EXPECT_TRUE(scene.joints.empty());
  EXPECT_NE(scene.description.find("E = 2 MPa"), std::string::npos);
  EXPECT_EQ(scene.environment.gravity[2](formula::Input{}), -9.81);
  EXPECT_EQ(scene.materials.at(0).youngs(formula::Input{}), 2e6);
}

TEST(Import, MaterialIsTakenOver) {
  const Scene scene = imported("*Nodes\n0,0,0\n1,0,0\n*Edges\n1,2\n", R"({"youngs": 3e7, "density": 900})");
  EXPECT_EQ(scene.materials.at(0).youngs(formula::Input{}), 3e7);
  EXPECT_EQ(scene.description.find("E = 2 MPa"), std::string::npos);
}

/// A square of four triangles about node 5, and a rope of two edges that hangs from it; the last edge is the joint
/// edge.
const char* const squareWithRope =
    "*Nodes\n0,0,0\n1,0,0\n1,1,0\n0,1,0\n0.5,0.5,0\n0.5,0.5,-1\n0.5,0.5,-0.5\n*Edges\n6,7\n7,5\n"
    "*Triangles\n1,2,5\n2,3,5\n3,4,5\n4,1,5\n";

TEST(Import, TrianglesAreAShell) {
  const Scene scene = imported("*Nodes\n0,0,0\n1,0,0\n1,1,0\n0,1,0.25\n*Triangles\n1,2,3\n1,3,4\n");
  EXPECT_TRUE(scene.rods.empty());
  ASSERT_EQ(scene.shells.size(), 1u);
  const Shell& shell = scene.shells[0];
  EXPECT_EQ(shell.name, "shell");
  EXPECT_EQ(shell.bending, Shell::Bending::midedge);
  EXPECT_EQ(shell.membrane, Shell::Membrane::stvk);
  EXPECT_EQ(shell.thickness(formula::Input{}), 1e-3);
  ASSERT_EQ(shell.points.size(), 4u);
  EXPECT_EQ(shell.points[3], Vec3(0, 1, 0.25));
  EXPECT_EQ(shell.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_TRUE(scene.joints.empty());
  EXPECT_NE(scene.description.find("4 nodes, 0 edges and 2 triangles"), std::string::npos);
  EXPECT_NE(scene.description.find("thickness (here: 1 mm)"), std::string::npos);
}

TEST(Import, JointEdgesAreWeldedToTheShell) {
  const Scene scene = imported(squareWithRope);
  ASSERT_EQ(scene.rods.size(), 1u);
  ASSERT_EQ(scene.shells.size(), 1u);
  EXPECT_EQ(scene.shells[0].points.size(), 5u) << "the rope's own nodes are not the shell's";
  ASSERT_EQ(scene.rods[0].points.size(), 3u);
  EXPECT_EQ(scene.rods[0].points[2], Vec3(0.5, 0.5, 0));
  ASSERT_EQ(scene.joints.size(), 1u);
  EXPECT_TRUE(scene.joints[0].weld);
  EXPECT_EQ(scene.joints[0].nodes, (std::vector<NodeRef>{{0, 2}, {1, 4}}));
}

TEST(Import, RodsEndWhereTheyMeetAShell) {
  // A rib along the diagonal 1, 5, 3 of the square: a rod for each edge, both welded at the middle and at the corners.
  const Scene scene = imported(
      "*Triangles\n1,2,5\n2,3,5\n3,4,5\n4,1,5\n*Edges\n1,5\n5,3\n*Nodes\n0,0,0\n1,0,0\n1,1,0\n0,1,0\n.5,.5,0\n");
  ASSERT_EQ(scene.rods.size(), 2u);
  ASSERT_EQ(scene.joints.size(), 3u);
  std::vector<std::size_t> sizes;
  for (const Joint& joint : scene.joints) sizes.push_back(joint.nodes.size());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{2, 2, 3}));
}

TEST(Import, TrianglesAreTurnedToAgree) {
  const Scene scene = imported("*Nodes\n0,0,0\n1,0,0\n1,1,0\n0,1,0\n*Triangles\n1,2,3\n1,4,3\n");
  EXPECT_EQ(scene.shells.at(0).triangles[1], (std::array<int, 3>{0, 2, 3}));
  EXPECT_TRUE(scene.warnings.empty()) << "the scene's own triangles agree";
}

TEST(Import, WavefrontTextsAreShells) {
  const Scene scene = imported(
      "# a pyramid's roof\nmtllib none.mtl\no roof\nv 9 9 9\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv .5 .5 .3\n"
      "vn 0 0 1\nf 2/1/1 3/1/1 6/1/1\nf 3//1 4//1 6//1\nf -3 -2 -1\nf 5 2 6\n",
      R"({"youngs": 3e7, "density": 900})");
  ASSERT_EQ(scene.shells.size(), 1u);
  EXPECT_EQ(scene.shells[0].points.size(), 5u);
  EXPECT_EQ(scene.shells[0].triangles[2], (std::array<int, 3>{2, 3, 4}));
  EXPECT_EQ(scene.materials.at(0).youngs(formula::Input{}), 3e7);
  EXPECT_NE(scene.description.find("a Wavefront text with 5 vertices and 4 triangles"), std::string::npos);
}

TEST(Import, BranchesAreWelded) {
  // A Y: node 2 has three edges; sections in another order, edges shuffled and reversed.
  const Scene scene = imported("*Edges\n3, 2\n5, 4\n4, 2\n1, 2\n*Nodes\n0,0,0\n1,0,0\n2,1,0\n2,-1,0\n3,-1,0\n");
  ASSERT_EQ(scene.rods.size(), 3u);
  EXPECT_EQ(scene.rods[1].points.size(), 3u);
  EXPECT_EQ(scene.rods[1].points[0], Vec3(3, -1, 0)) << "the direction of the first edge is kept";
  ASSERT_EQ(scene.joints.size(), 1u);
  EXPECT_TRUE(scene.joints[0].weld);
  EXPECT_EQ(scene.joints[0].nodes.size(), 3u);
}

TEST(Import, LoopsAreClosedByAWeld) {
  const Scene ring = imported("*Nodes\n0,0,0\n1,0,0\n1,1,0\n0,1,0\n*Edges\n1,2\n2,3\n3,4\n4,1\n");
  ASSERT_EQ(ring.rods.size(), 1u);
  EXPECT_EQ(ring.rods[0].points.size(), 5u);
  ASSERT_EQ(ring.joints.size(), 1u);
  EXPECT_EQ(ring.joints[0].nodes.size(), 2u);
  // A loop that hangs on a branch: both its ends and the stem's end meet there.
  const Scene lasso = imported("*Nodes\n0,0,0\n1,0,0\n2,1,0\n2,-1,0\n*Edges\n1,2\n2,3\n3,4\n4,2\n");
  ASSERT_EQ(lasso.rods.size(), 2u);
  ASSERT_EQ(lasso.joints.size(), 1u);
  EXPECT_EQ(lasso.joints[0].nodes.size(), 3u);
}

TEST(Import, SeparatePiecesAreSeparateRods) {
  const Scene scene = imported("*Nodes\n0,0,0\n1,0,0\n0,1,0\n1,1,0\n*Edges\n1,2\n3,4\n*Triangles\n");
  EXPECT_EQ(scene.rods.size(), 2u);
  EXPECT_EQ(scene.rods[1].name, "rod2");
  EXPECT_TRUE(scene.joints.empty());
}

TEST(Import, EveryEdgeStandsInOnePath) {
  // A square grid: many branches of degree 3 and 4.
  Geometry geometry;
  const int n = 6;
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) geometry.nodes.push_back({double(column), double(row), 0});
  for (int k = 0; k < n * n; ++k) {
    if (k % n + 1 < n) geometry.edges.push_back({{k, k + 1}, 0});
    if (k / n + 1 < n) geometry.edges.push_back({{k + n, k}, 0});
  }
  std::size_t edges = 0;
  for (const std::vector<int>& path : chainEdges(geometry)) edges += path.size() - 1;
  EXPECT_EQ(edges, geometry.edges.size());
}

TEST(Import, WrongTextsAreToldWithTheirLine) {
  expectProblem("", "has no *Nodes", 1);
  expectProblem("# only\n", "has no *Nodes", 1);
  expectProblem("*Nodes\n0,0,0\n1,0,0\n", "has no *Edges and no *Triangles", 3);
  expectProblem("0,0,0\n", "expected a section such as *Nodes", 1);
  expectProblem("*Nodes\n0,0\n*Edges\n",
                "expected 3 numbers separated by commas, the coordinates x, y, z of a node, found 2 fields", 2);
  expectProblem("*Nodes\n0 0 0\n", "found 1 field", 2);
  expectProblem("*Nodes\n0,zero,0\n", "expected a finite number, found \"zero\"", 2);
  expectProblem("*Nodes\n0,nan,0\n", "found \"nan\"", 2);
  expectProblem("*Nodes\n0,1e999,0\n", "found \"1e999\"", 2);
  expectProblem("*Nodes\n0,,0\n", "expected a finite number", 2);
  expectProblem("*Nodes\n0,0,0\n1,0,0\n*Edges\n1,2,3\n", "the two nodes of an edge, found 3 fields", 5);
  expectProblem("*Nodes\n0,0,0\n1,0,0\n*Edges\n0,1\n", "count from 1, found 0", 5);
  expectProblem("*Nodes\n0,0,0\n1,0,0\n*Edges\n1,1.5\n", "count from 1, found 1.5", 5);
  expectProblem("*Nodes\n0,0,0\n1,0,0\n*Edges\n1,3\n", "node 3 does not exist: there are 2 nodes", 5);
  expectProblem("*Nodes\n0,0,0\n1,0,0\n*Edges\n1,1\n", "joins a node with itself", 5);
  expectProblem("*Nodes\n0,0,0\n1,0,0\n*Edges\n1,2\n\n2,1\n", "appears twice", 7);
  expectProblem("*Nodes\n0,0,0\n0,0,0\n*Edges\n1,2\n", "has no length", 5);
  expectProblem("*Nodes\n0,0,0\n1,0,0\n# stray\n2,0,0\n*Edges\n1,2\n", "node 3 belongs to no edge and no triangle", 5);
  expectProblem("*rodNodes\n0,0,0\n", "older dialect", 1);
  expectProblem("*FaceNodes\n1,2,3\n", "older dialect", 1);
  expectProblem("*Node\n0,0,0\n", "did you mean *nodes?", 1);
  expectProblem("v 0 0 0\nf 1 2 3\n", "there is no vertex 2: the text has 1 vertex", 2);
  expectProblem("\xFF\xFE\x80 binary\n", "found \"??? binary\"", 1);
  const std::string good = "*Nodes\n0,0,0\n1,0,0\n*Edges\n1,2\n";
  expectProblem(good, "in the material: ", 1, "{");
  expectProblem(good, "must be an object", 1, "[1]");
  expectProblem(good, "in the material: ", 1, R"({"youngs": -1, "density": 1})");
  expectProblem(good, "did you mean \"youngs\"?", 1, R"({"young": 1, "density": 1})");
}

TEST(Import, WrongTrianglesAreToldWithTheirLine) {
  const std::string nodes = "*Nodes\n0,0,0\n1,0,0\n1,1,0\n0,1,0\n2,2,2\n*Triangles\n";
  expectProblem("*Nodes\n0,0,0\n*Triangles\n1,2,3\n", "node 3 does not exist: there is 1 node", 4);
  expectProblem(nodes + "1,2\n", "the three nodes of a triangle, found 2 fields", 8);
  expectProblem(nodes + "1,2,3\n1,3,0\n", "count from 1, found 0", 9);
  expectProblem(nodes + "1,2,3\n1,3,3\n", "the triangle 1, 3, 3 has node 3 twice", 9);
  expectProblem(nodes + "1,2,3\n\n3,1,2\n", "the triangle 3, 1, 2 appears twice", 10);
  expectProblem(nodes + "1,2,3\n1,3,4\n", "node 5 belongs to no edge and no triangle", 6);
  expectProblem(nodes + "1,2,3\n1,3,4\n1,3,5\n",
                "the triangles make no shell: the edge between vertices 1 and 3 belongs to 3 triangles (1, 2, 3)", 8);
  expectProblem("*Nodes\n0,0,0\n1,0,0\n2,0,0\n*Triangles\n1,2,3\n", "triangle 1 has no area: its corners 1, 2 and 3",
                6);
  expectProblem("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "triangle 1 has no area", 1);
}

}  // namespace import_test
}  // namespace tendril::scene
