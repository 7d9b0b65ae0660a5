// From a scene to nodes, edges and springs: what joints merge, which springs they make, lengths, masses and
// stiffnesses.
#include "discrete/structure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "engine/discrete/build_scene.h"

namespace tendril::test {
namespace {

// Rods of EI1 = 1, EI2 = 2, GJ = 3, EA = 100, 2 kg/m, radius 0.1 along given paths; `rest` completes the scene.
std::string rods(const std::vector<std::pair<std::string, std::string>>& paths, const std::string& rest = "") {
  std::string text = R"J({"format": "tendril/1", "defaults": {"rods": {"section": {"stiffness":
    {"EA": 100, "EI1": 1, "EI2": 2, "GJ": 3}, "massPerLength": 2, "radius": 0.1}}}, "rods": {)J";
  for (std::size_t i = 0; i < paths.size(); ++i) {
    text += (i ? ", \"" : "\"") + paths[i].first + "\": {" + paths[i].second + "}";
  }
  return text + "}" + (rest.empty() ? "" : ", " + rest) + "}";
}

const char* const along = R"("segments": 4, "path": {"line": {"from": [0,0,0], "to": [2,0,0]}})";
const char* const up = R"("segments": 3, "path": {"line": {"from": [2,0,0], "to": [2,0,3]}})";
const char* const sideways = R"("segments": 2, "path": {"line": {"from": [2,2,0], "to": [2,0,0]}})";

int jointSprings(const Structure& s) {
  return static_cast<int>(std::count_if(s.springs.begin(), s.springs.end(), [](const Spring& p) { return p.joint; }));
}

TEST(Structure, WeldsAndPinsMergeNodes) {
  EXPECT_EQ(buildStructure(loaded(rods({{"a", along}, {"b", up}}))).nodes.size(), 9u);
  for (const char* joint : {"weld", "pin"}) {
    const Structure s = buildStructure(loaded(
        rods({{"a", along}, {"b", up}}, std::string("\"joints\": [{\"") + joint + "\": [\"a:last\", \"b:first\"]}]")));
    EXPECT_EQ(s.nodes.size(), 8u);
    EXPECT_EQ(s.bodyNodes[0][4], s.bodyNodes[1][0]);
    EXPECT_EQ(s.size, 3 * 8 + 7);
    EXPECT_EQ(jointSprings(s), *joint == 'w' ? 1 : 0);
  }
}

TEST(Structure, WeldsMakeASpringForEveryPairOfEdges) {
  // A rod that ends there, one that starts there, one that passes through: four edges, six pairs, one of them the
  // passing rod's own spring.
  const char* const through = R"("segments": 2, "path": {"line": {"from": [2,-1,-1], "to": [2,1,1]}})";
  const Structure s = buildStructure(
      loaded(rods({{"a", along}, {"b", up}, {"c", through}}, R"("joints": [{"weld": ["a:last", "b:first", "c:1"]}])")));
  EXPECT_EQ(s.nodeEdges[s.bodyNodes[0][4]].size(), 4u);
  EXPECT_EQ(jointSprings(s), 5);
  // Two welds at one place are two nodes, each with its own pair.
  const Structure two = buildStructure(loaded(rods({{"a", along}, {"b", up}, {"c", sideways}, {"d", R"("segments": 1,
    "path": {"line": {"from": [2,0,0], "to": [3,1,1]}})"}},
                                                   R"("joints": [{"weld": ["a:last", "b:first"]},
    {"weld": ["c:last", "d:first"]}])")));
  EXPECT_EQ(jointSprings(two), 2);
  EXPECT_NE(two.bodyNodes[0][4], two.bodyNodes[3][0]);
}

TEST(Structure, ARingWeldedToItselfHasASpringThereToo) {
  const Structure s = buildStructure(loaded(rods({{"ring", R"("segments": 12, "path": {"arc": {"center": [0,0,0],
    "from": [1,0,0], "axis": [0,0,1], "angle": "=2*pi"}})"}},
                                                 R"("joints": [{"weld": ["ring:first", "ring:last"]}])")));
  EXPECT_EQ(s.nodes.size(), 12u);
  EXPECT_EQ(s.springs.size(), 12u);
  // All twelve are alike: same curvature and no twist.
  for (const Spring& p : s.springs) {
    EXPECT_NEAR(p.natural0.head<2>().norm(), 2 * std::tan(pi / 12), 1e-12);
    EXPECT_NEAR(p.natural0[2], 0, 1e-12);
    EXPECT_NEAR(p.voronoi, s.springs[0].voronoi, 1e-12);
  }
}

TEST(Structure, WeldedRodsThatFoldBackAreRefused) {
  const char* const back = R"("segments": 2, "path": {"line": {"from": [2,0,0], "to": [0.5,0,0]}})";
  try {
    buildStructure(loaded(rods({{"a", along}, {"b", back}}, R"("joints": [{"weld": ["a:last", "b:first"]}])")));
    FAIL() << "not refused";
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()).find("/joints/0: "), 0u) << error.what();
  }
  EXPECT_NO_THROW(
      buildStructure(loaded(rods({{"a", along}, {"b", back}}, R"("joints": [{"pin": ["a:last", "b:first"]}])"))));
}

TEST(Structure, VoronoiLengthsAreMeansOfBothEdgesAndStiffnessIsInSeries) {
  // Edges of 1 and 3 m; EI1 = 1 + 3 s at their midpoints: 2.5 and 8.5.
  const Structure s = buildStructure(loaded(R"J({"format": "tendril/1", "rods": {"a": {"section":
    {"stiffness": {"EA": 10, "EI1": "=1 + 3*s", "EI2": 5, "GJ": "=2 + i"}, "massPerLength": "=1 + s", "radius": 0.1},
    "path": {"points": [[0,0,0], [1,0,0], [4,0,0]]}}}})J"));
  ASSERT_EQ(s.springs.size(), 1u);
  const Spring& p = s.springs[0];
  EXPECT_DOUBLE_EQ(p.voronoi, 2);
  EXPECT_NEAR(p.stiffness[0], 1 / (0.5 / 2.5 + 1.5 / 8.5), 1e-12);
  EXPECT_NEAR(p.stiffness[1], 5.0 / 2, 1e-12);
  EXPECT_NEAR(p.stiffness[2], 1 / (0.5 / 2 + 1.5 / 3), 1e-12);
  // Mass per length at the midpoints, half of each edge to each of its nodes.
  EXPECT_NEAR(s.mass[s.nodeDof[0]], 0.5 * 1.5, 1e-12);
  EXPECT_NEAR(s.mass[s.nodeDof[1]], 0.5 * 1.5 + 0.5 * 3 * 3.5, 1e-12);
  EXPECT_NEAR(s.mass[s.edges[1].theta], 3 * 3.5 * 0.01 / 2, 1e-12);
}

TEST(Structure, AWeldSpringIsInSeriesOverBothRods) {
  const Structure s = buildStructure(loaded(R"J({"format": "tendril/1", "rods": {
    "a": {"section": {"stiffness": {"EA": 10, "EI1": 1, "EI2": 1, "GJ": 2}, "massPerLength": 1, "radius": 0.1},
      "segments": 2, "path": {"line": {"from": [0,0,0], "to": [2,0,0]}}},
    "b": {"section": {"stiffness": {"EA": 10, "EI1": 4, "EI2": 4, "GJ": 6}, "massPerLength": 1, "radius": 0.1},
      "segments": 2, "path": {"line": {"from": [2,0,0], "to": [8,0,0]}}, "frame": [0,1,1]}},
    "joints": [{"weld": ["a:last", "b:first"]}]})J"));
  const Spring& p = s.springs.back();
  ASSERT_TRUE(p.joint);
  EXPECT_DOUBLE_EQ(p.voronoi, 2);
  EXPECT_NEAR(p.stiffness[0], 1 / (0.5 / 1 + 1.5 / 4), 1e-12);
  EXPECT_NEAR(p.stiffness[2], 1 / (0.5 / 2 + 1.5 / 6), 1e-12);
  // The directors' mismatch of 45 degrees is taken out: straight on is stress-free.
  EXPECT_NEAR(p.natural0.norm(), 0, 1e-12);
  EXPECT_NEAR(std::abs(std::atan2(p.sinOffset, p.cosOffset)), pi / 4, 1e-12);
}

TEST(Structure, NaturalFieldsSitWhereTheSpringsAndEdgesSit) {
  const Structure s =
      buildStructure(loaded(R"J({"format": "tendril/1", "rods": {"a": {"section": {"circle": {"radius": 0.1}},
    "segments": 4, "path": {"line": {"from": [0,0,0], "to": [2,0,0]}},
    "natural": {"curvature": ["=0.3*s", "=0.1*i"], "twist": "=x*n", "stretch": "=1 + 0.1*u"}}},
    "materials": {"m": {"youngs": 1e6, "poisson": 0.5, "density": 1000}}})J"));
  ASSERT_EQ(s.springs.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    const double at = 0.5 * (i + 1), k1 = 0.3 * at, k2 = 0.1 * i, size = std::hypot(k1, k2);
    EXPECT_NEAR(s.springs[i].natural0[0], 2 * std::tan(size * 0.25) * k1 / size, 1e-12);
    EXPECT_NEAR(s.springs[i].natural0[1], 2 * std::tan(size * 0.25) * k2 / size, 1e-12);
    EXPECT_NEAR(s.springs[i].natural0[2], at * 3 * 0.5, 1e-12);
  }
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(s.edges[i].naturalLength, 0.5 * (1 + 0.1 * (i + 0.5) / 4), 1e-12);
}

TEST(Structure, DiscreteAndContinuousCurvatureAreInverse) {
  for (const double size : {0.0, 1e-9, 0.3, 4.0}) {
    const Vec<2> k(0.6 * size, -0.8 * size);
    const Vec<2> back = continuousCurvature(discreteCurvature(k, 0.5), 0.5);
    EXPECT_NEAR((back - k).norm(), 0, 1e-12 * (1 + size));
  }
  // An arc's polygon: edges of length l on a circle of radius R turn by 2 asin(l / 2R) at a node.
  EXPECT_NEAR(discreteCurvature({2.0, 0}, 0.3)[0], 2 * std::tan(0.3), 1e-15);
}

TEST(Structure, DirectorsAreCarriedWithoutTwist) {
  const Structure s = buildStructure(loaded(rods({{"h", R"("segments": 50, "path": {"helix": {"from": [0.5,0,0],
    "axis": [0,0,1], "center": [0,0,0], "pitch": 0.4, "length": 6}}, "frame": [1,0,0])"}})));
  for (const Spring& p : s.springs) EXPECT_NEAR(p.natural0[2], 0, 1e-12);
  for (const Edge& e : s.edges) {
    EXPECT_NEAR(e.d1.norm(), 1, 1e-12);
    EXPECT_NEAR(e.d1.dot(e.initial), 0, 1e-12);
  }
  EXPECT_GT(s.edges[0].d1.x(), 0.9);
}

}  // namespace
}  // namespace tendril::test
