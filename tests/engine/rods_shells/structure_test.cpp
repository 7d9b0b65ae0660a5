// From a scene to nodes, edges and springs: what joints merge, which springs they make, lengths, masses and
// stiffnesses.
#include "rods_shells/structure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/rods_shells/build_scene.h"

namespace tendril::test {
namespace structure_test {

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

TEST(Structure, WeldsAndPinsMergeNodes) {
  EXPECT_EQ(rods_shells::buildStructure(loaded(rods({{"a", along}, {"b", up}}))).nodes.size(), 9u);
  for (const char* joint : {"weld", "pin"}) {
    const rods_shells::Structure s = rods_shells::buildStructure(loaded(
        rods({{"a", along}, {"b", up}}, std::string("\"joints\": [{\"") + joint + "\": [\"a:last\", \"b:first\"]}]")));
    EXPECT_EQ(s.nodes.size(), 8u);
    EXPECT_EQ(s.bodyNodes[0][4], s.bodyNodes[1][0]);
    EXPECT_EQ(s.size, 3 * 8 + 7 + (*joint == 'w' ? 3 : 0));
    EXPECT_EQ(s.welds.size(), *joint == 'w' ? 1u : 0u);
  }
}

TEST(Structure, AWeldIsOneFrameToWhichEachEdgeIsClampedByAHalfSpring) {
  // A rod that ends there, one that starts there, one that passes through: four half edges, and no spring of the
  // passing rod's own at that node.
  const char* const through = R"("segments": 2, "path": {"line": {"from": [2,-1,-1], "to": [2,1,1]}})";
  const rods_shells::Structure s = rods_shells::buildStructure(
      loaded(rods({{"a", along}, {"b", up}, {"c", through}}, R"("joints": [{"weld": ["a:last", "b:first", "c:1"]}])")));
  ASSERT_EQ(s.welds.size(), 1u);
  EXPECT_EQ(s.welds[0].edges.size(), 4u);
  ASSERT_EQ(s.welds[0].springs.size(), 4u);
  EXPECT_EQ(s.arms.size(), 3u) << "one for the rod that passes";
  EXPECT_EQ(s.springs.size(), 3u + 2 + 4);
  for (const int i : s.welds[0].springs) {
    const rods_shells::Spring& p = s.springs[i];
    const rods_shells::Edge& e = s.edges[std::max(p.e.edge, p.f.edge)];
    EXPECT_DOUBLE_EQ(p.voronoi, 0.5 * e.length);
    EXPECT_NEAR(p.stiffness[0], 2 * e.EI1 / e.length, 1e-12);
    EXPECT_NEAR(p.natural0.norm(), 0, 1e-12);
  }
  // Two welds at one place are two nodes, each with its own frame.
  const rods_shells::Structure two =
      rods_shells::buildStructure(loaded(rods({{"a", along}, {"b", up}, {"c", sideways}, {"d", R"("segments": 1,
    "path": {"line": {"from": [2,0,0], "to": [3,1,1]}})"}},
                                              R"("joints": [{"weld": ["a:last", "b:first"]},
    {"weld": ["c:last", "d:first"]}])")));
  EXPECT_EQ(two.welds.size(), 2u);
  EXPECT_NE(two.bodyNodes[0][4], two.bodyNodes[3][0]);
}

TEST(Structure, ARingWeldedToItselfHasASpringThereToo) {
  const rods_shells::Structure s =
      rods_shells::buildStructure(loaded(rods({{"ring", R"("segments": 12, "path": {"arc": {"center": [0,0,0],
    "from": [1,0,0], "axis": [0,0,1], "angle": "=2*pi"}})"}},
                                              R"("joints": [{"weld": ["ring:first", "ring:last"]}])")));
  EXPECT_EQ(s.nodes.size(), 12u);
  EXPECT_EQ(s.springs.size(), 12u);
  // All twelve are alike: same curvature and no twist.
  for (const rods_shells::Spring& p : s.springs) {
    EXPECT_NEAR(p.natural0.head<2>().norm(), 2 * std::tan(pi / 12), 1e-12);
    EXPECT_NEAR(p.natural0[2], 0, 1e-12);
    EXPECT_NEAR(p.voronoi, s.springs[0].voronoi, 1e-12);
  }
}

TEST(Structure, WeldedRodsMayLeaveInTheSameDirection) {
  const char* const back = R"("segments": 2, "path": {"line": {"from": [2,0,0], "to": [0.5,0,0]}})";
  const rods_shells::Structure s = rods_shells::buildStructure(
      loaded(rods({{"a", along}, {"b", back}}, R"("joints": [{"weld": ["a:last", "b:first"]}])")));
  for (const rods_shells::Spring& p : s.springs) EXPECT_NEAR(p.natural0.norm(), 0, 1e-12);
}

TEST(Structure, TwoRodsThatGoOnInOneLineShareAPlainSpringWhateverTheOrder) {
  const char* const on = R"("segments": 3, "path": {"line": {"from": [2,0,0], "to": [3,0,0]}})";
  for (const char* joint :
       {R"("joints": [{"weld": ["a:last", "b:first"]}])", R"("joints": [{"weld": ["b:first", "a:last"]}])"}) {
    const rods_shells::Structure s = rods_shells::buildStructure(loaded(rods({{"a", along}, {"b", on}}, joint)));
    EXPECT_TRUE(s.welds.empty());
    ASSERT_EQ(s.springs.size(), 3u + 2 + 1);
    EXPECT_EQ(s.springs.back().e.edge, 3);
    EXPECT_EQ(s.springs.back().f.edge, 4);
  }
  // Not where their flat sections are turned against each other, nor at a corner of 5 degrees.
  const std::string turned = std::string(on) + R"(, "frame": [0,1,1])";
  const char* const corner = R"("segments": 3, "path": {"line": {"from": [2,0,0], "to": [3,0.0875,0]}})";
  for (const std::string& b : {turned, std::string(corner)}) {
    EXPECT_EQ(rods_shells::buildStructure(
                  loaded(rods({{"a", along}, {"b", b}}, R"("joints": [{"weld": ["a:last", "b:first"]}])")))
                  .welds.size(),
              1u);
  }
}

TEST(Structure, VoronoiLengthsAreMeansOfBothEdgesAndStiffnessIsInSeries) {
  // Edges of 1 and 3 m; EI1 = 1 + 3 s at their midpoints: 2.5 and 8.5.
  const rods_shells::Structure s =
      rods_shells::buildStructure(loaded(R"J({"format": "tendril/1", "rods": {"a": {"section":
    {"stiffness": {"EA": 10, "EI1": "=1 + 3*s", "EI2": 5, "GJ": "=2 + i"}, "massPerLength": "=1 + s", "radius": 0.1},
    "path": {"points": [[0,0,0], [1,0,0], [4,0,0]]}}}})J"));
  ASSERT_EQ(s.springs.size(), 1u);
  const rods_shells::Spring& p = s.springs[0];
  EXPECT_DOUBLE_EQ(p.voronoi, 2);
  EXPECT_NEAR(p.stiffness[0], 1 / (0.5 / 2.5 + 1.5 / 8.5), 1e-12);
  EXPECT_NEAR(p.stiffness[1], 5.0 / 2, 1e-12);
  EXPECT_NEAR(p.stiffness[2], 1 / (0.5 / 2 + 1.5 / 3), 1e-12);
  // Mass per length at the midpoints, half of each edge to each of its nodes.
  EXPECT_NEAR(s.mass[s.nodeDof[0]], 0.5 * 1.5, 1e-12);
  EXPECT_NEAR(s.mass[s.nodeDof[1]], 0.5 * 1.5 + 0.5 * 3 * 3.5, 1e-12);
  EXPECT_NEAR(s.mass[s.edges[1].theta], 3 * 3.5 * 0.01 / 2, 1e-12);
}

TEST(Structure, APlainWeldsSpringIsInSeriesOverBothRods) {
  // Round sections: directors at odds by 45 degrees are taken out, straight on is stress-free.
  const rods_shells::Structure s = rods_shells::buildStructure(
      loaded(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.25, "density": 1}}, "rods": {
    "a": {"section": {"circle": {"radius": 0.1}}, "segments": 2, "path": {"line": {"from": [0,0,0], "to": [2,0,0]}}},
    "b": {"section": {"circle": {"radius": 0.2}}, "segments": 2, "path": {"line": {"from": [2,0,0], "to": [8,0,0]}}, "frame": [0,1,1]}},
    "joints": [{"weld": ["a:last", "b:first"]}]})J"));
  const rods_shells::Spring& p = s.springs.back();
  ASSERT_TRUE(p.joint);
  const double EI = 1e6 * pi / 4 * 1e-4, GJ = 0.4e6 * pi / 2 * 1e-4;
  EXPECT_DOUBLE_EQ(p.voronoi, 2);
  EXPECT_NEAR(p.stiffness[0], 1 / (0.5 / EI + 1.5 / (16 * EI)), 1e-9 * EI);
  EXPECT_NEAR(p.stiffness[2], 1 / (0.5 / GJ + 1.5 / (16 * GJ)), 1e-9 * GJ);
  EXPECT_NEAR(p.natural0.norm(), 0, 1e-12);
  EXPECT_NEAR(std::abs(std::atan2(p.sinOffset, p.cosOffset)), pi / 4, 1e-12);
}

TEST(Structure, NaturalFieldsSitWhereTheSpringsAndEdgesSit) {
  const rods_shells::Structure s = rods_shells::buildStructure(
      loaded(R"J({"format": "tendril/1", "rods": {"a": {"section": {"circle": {"radius": 0.1}},
    "segments": 4, "path": {"line": {"from": [0,0,0], "to": [2,0,0]}},
    "natural": {"curvature": ["=0.3*s", "=0.1*i"], "twist": "=x*n", "stretch": "=1 + 0.1*u"}}},
    "materials": {"m": {"youngs": 1e6, "poisson": 0.5, "density": 1000}}})J"));
  ASSERT_EQ(s.springs.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    // Per length of the rod as it is by nature: half of the two edges beside the node.
    const double at = 0.5 * (i + 1), k1 = 0.3 * at, k2 = 0.1 * i, size = std::hypot(k1, k2),
                 length = 0.5 * (1 + 0.1 * (i + 1) / 4);
    EXPECT_NEAR(s.springs[i].natural0[0], 2 * std::tan(size * length / 2) * k1 / size, 1e-12);
    EXPECT_NEAR(s.springs[i].natural0[1], 2 * std::tan(size * length / 2) * k2 / size, 1e-12);
    EXPECT_NEAR(s.springs[i].natural0[2], at * 3 * length, 1e-12);
  }
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(s.edges[i].naturalLength, 0.5 * (1 + 0.1 * (i + 0.5) / 4), 1e-12);
}

TEST(Structure, DiscreteAndContinuousCurvatureAreInverse) {
  for (const double size : {0.0, 1e-9, 0.3, 4.0}) {
    const Vec<2> k(0.6 * size, -0.8 * size);
    const Vec<2> back = rods_shells::continuousCurvature(rods_shells::discreteCurvature(k, 0.5), 0.5);
    EXPECT_NEAR((back - k).norm(), 0, 1e-12 * (1 + size));
  }
  // An arc's polygon: edges of length l on a circle of radius R turn by 2 asin(l / 2R) at a node.
  EXPECT_NEAR(rods_shells::discreteCurvature({2.0, 0}, 0.3)[0], 2 * std::tan(0.3), 1e-15);
}

TEST(Structure, DirectorsAreCarriedWithoutTwist) {
  const rods_shells::Structure s =
      rods_shells::buildStructure(loaded(rods({{"h", R"("segments": 50, "path": {"helix": {"from": [0.5,0,0],
    "axis": [0,0,1], "center": [0,0,0], "pitch": 0.4, "length": 6}}, "frame": [1,0,0])"}})));
  for (const rods_shells::Spring& p : s.springs) EXPECT_NEAR(p.natural0[2], 0, 1e-12);
  for (const rods_shells::Edge& e : s.edges) {
    EXPECT_NEAR(e.d1.norm(), 1, 1e-12);
    EXPECT_NEAR(e.d1.dot(e.initial), 0, 1e-12);
  }
  EXPECT_GT(s.edges[0].d1.x(), 0.9);
}

}  // namespace structure_test
}  // namespace tendril::test
