// Wavefront texts: the forms of faces, polygons, what is passed over, and every fault with its line.
#include "scene/import/wavefront.h"

#include <gtest/gtest.h>

#include "engine/scene/scene_text.h"

namespace tendril::scene {
namespace wavefront_test {

using Triangles = std::vector<std::array<int, 3>>;

const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

geometry::TriangleMesh read(const std::string& text, geometry::MeshNumbers* numbers = nullptr) {
  auto result = readWavefront(text, numbers);
  if (auto* problems = std::get_if<Problems>(&result)) {
    ADD_FAILURE() << describe(problems->at(0), "text");
    return {};
  }
  return std::get<geometry::TriangleMesh>(result);
}

void expectProblem(const std::string& text, const std::string& part, int line) {
  const auto result = readWavefront(text);
  ASSERT_TRUE(std::holds_alternative<Problems>(result)) << text;
  const Problem& problem = std::get<Problems>(result).at(0);
  EXPECT_NE(problem.message.find(part), std::string::npos) << problem.message;
  EXPECT_EQ(problem.line, line) << problem.message;
  EXPECT_LE(problem.to, text.size());
}

TEST(Wavefront, EveryFormOfAFace) {
  const Triangles expected = {{0, 1, 2}};
  for (const char* face : {"f 1 2 3", "f 1/1 2/2 3/3", "f 1//1 2//1 3//1", "f 1/4/7 2/5/8 3/6/9", "f -4 -3 -2",
                           "  f\t1   2\t3  \r", "f -4/-1 -3/-1/-1 3 # a comment"}) {
    const geometry::TriangleMesh mesh = read(square + face + "\n");
    EXPECT_EQ(mesh.triangles, expected) << face;
    EXPECT_EQ(mesh.points.size(), 3u) << "vertex 4 is of no face";
  }
}

TEST(Wavefront, PolygonsAreFans) {
  EXPECT_EQ(read(square + "f 1 2 3 4").triangles, (Triangles{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(read(square + "v 0.5 0.5 1\nf 5 4 3 2 1\n").triangles, (Triangles{{4, 3, 2}, {4, 2, 1}, {4, 1, 0}}));
}

TEST(Wavefront, NegativeNumbersCountBackFromTheFace) {
  const geometry::TriangleMesh mesh = read("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 1 1 0\nf -3 -1 -2\n");
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {1, 3, 2}}));
}

TEST(Wavefront, LooksAreIgnoredAndNumbersExact) {
  const geometry::TriangleMesh mesh = read(
      "\xEF\xBB\xBF# Gr\xC3\xBC\xC3\x9F"
      "e\nmtllib a.mtl\no thing\ng one two\ns off\nusemtl red\nvt 0 0\nvn 0 0 1\nvp 0.5\n"
      "v 0.1 -2e-3 +3.25 1.0\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0\nl 1 2\np 1\nf 1 2 3\n");
  ASSERT_EQ(mesh.points.size(), 3u);
  EXPECT_EQ(mesh.points[0], Vec3(0.1, -2e-3, 3.25));
}

TEST(Wavefront, TellsWhatTheTextCallsThings) {
  geometry::MeshNumbers numbers;
  read("v 9 9 9\n" + square + "f 2 3 4 5\nf 2 3 4\n", &numbers);
  EXPECT_EQ(numbers.vertices, (std::vector<int>{2, 3, 4, 5}));
  EXPECT_EQ(numbers.triangles, (std::vector<int>{1, 1, 2}));
}

TEST(Wavefront, FaultsAreToldWithTheirLine) {
  expectProblem("", "the text has no vertices", 1);
  expectProblem("# nothing\n\n", "the text has no vertices", 2);
  expectProblem(square, "the text has no faces", 4);
  expectProblem("v 1 2\n", "expected three coordinates of a vertex, found 2 numbers", 1);
  expectProblem("v 1 2 z\n", "expected a finite number, found \"z\"", 1);
  expectProblem("v 1 2 nan\n", "found \"nan\"", 1);
  expectProblem("v 1 1e999 2\n", "found \"1e999\"", 1);
  expectProblem(square + "f 1 2\n", "a face needs three vertices, found 2", 5);
  expectProblem(square + "f 1 2 2\n", "the face has vertex 2 twice", 5);
  expectProblem(square + "f 1 2 5\n", "there is no vertex 5: the text has 4 vertices", 5);
  expectProblem(square + "\nf 1 2 -5\n", "there is no vertex -5: 4 vertex lines came before this face", 6);
  expectProblem(square + "f 0 1 2\n", "expected the number of a vertex, from 1 or backwards from -1", 5);
  expectProblem(square + "f 1 2 3.5\n", "found \"3.5\"", 5);
  expectProblem(square + "f 1 2 3/x\n", "found \"3/x\"", 5);
  expectProblem(square + "f 1 2 \\\n3\n", "not yet: the line goes on after a backslash", 5);
  expectProblem("cstype bezier\n", "not yet: free-form curves and surfaces", 1);
  expectProblem("v 0 0 0\nusemtk red\n", "unknown statement \"usemtk\": did you mean usemtl?", 2);
  expectProblem("v 0 0 0\n{\"format\": 1}\n", "unknown statement", 2);
}

TEST(Wavefront, AProblemPointsAtItsWord) {
  const auto result = readWavefront(
      "# Gr\xC3\xBC\xC3\x9F"
      "e\nv 0 zero 0\n");
  ASSERT_TRUE(std::holds_alternative<Problems>(result));
  const Problem& problem = std::get<Problems>(result).at(0);
  EXPECT_EQ(problem.line, 2);
  EXPECT_EQ(problem.column, 5);
  EXPECT_EQ(problem.from, 12u) << "UTF-16 units: two bytes of an umlaut are one";
  EXPECT_EQ(problem.to, 16u);
}

/// A scene whose shell's mesh is this Wavefront text, in JSON's escapes.
std::string sceneOf(const std::string& text) {
  return R"J({"format": "tendril/1", "materials": {"rubber": {"youngs": 1e6, "density": 1000}},
"shells": {"plate": {"thickness": 1e-3, "mesh": {"obj": ")J" +
         text + R"J("}}}})J";
}

TEST(Wavefront, StandsInAScene) {
  const std::string points = R"(v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n)";
  const Scene scene = loaded(sceneOf(points + R"(f 1 2 3 4\n)"));
  ASSERT_EQ(scene.shells.size(), 1u);
  EXPECT_EQ(scene.shells[0].triangles, (Triangles{{0, 1, 2}, {0, 2, 3}}));
  const auto first = [](const Problems& problems) { return problems.empty() ? "none" : problems[0].message; };
  const Problems bad = problemsOf(sceneOf(points + R"(f 1 2 9\n)"));
  EXPECT_EQ(first(bad), "in line 5 of the Wavefront text: there is no vertex 9: the text has 4 vertices");
  EXPECT_EQ(bad.at(0).pointer, "/shells/plate/mesh/obj");
  const Problems flat = problemsOf(sceneOf(R"(v 7 7 7\nv 0 0 0\nv 1 0 0\nv 2 0 0\nf 2 3 4)"));
  EXPECT_EQ(first(flat), "triangle 1 has no area: its corners 2, 3 and 4 lie on a line");
  EXPECT_NE(first(problemsOf(sceneOf(""))).find("the text has no vertices"), std::string::npos);
}

TEST(Wavefront, IsToldByItsFirstStatement) {
  EXPECT_TRUE(looksLikeWavefront("# made by hand\n\n  o thing\n"));
  EXPECT_TRUE(looksLikeWavefront("v 0 0 0"));
  EXPECT_FALSE(looksLikeWavefront("*Nodes\n0,0,0\n"));
  EXPECT_FALSE(looksLikeWavefront("{\"format\": \"tendril/1\"}"));
  EXPECT_FALSE(looksLikeWavefront(""));
}

}  // namespace wavefront_test
}  // namespace tendril::scene
