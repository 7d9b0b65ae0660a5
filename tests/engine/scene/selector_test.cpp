// Selectors resolved to nodes and edges, through the constraints of a scene.
#include "scene/select/selector.h"

#include "scene_text.h"

namespace tendril::scene {
namespace selector_test {

using Nodes = std::vector<NodeRef>;

Scene withConstraint(const std::string& constraint) {
  return loaded(sceneText("\"constraints\": [" + constraint + "]"));
}

Nodes nodesOf(const std::string& selector) {
  const Scene scene = withConstraint("{\"fix\": " + selector + "}");
  return scene.constraints.empty() ? Nodes() : scene.constraints[0].nodes;
}

std::vector<EdgeRef> edgesOf(const std::string& selector) {
  const Scene scene = withConstraint("{\"fixTwist\": " + selector + "}");
  return scene.constraints.empty() ? std::vector<EdgeRef>() : scene.constraints[0].edges;
}

Nodes run(int rod, int first, int last) {
  Nodes nodes;
  for (int i = first; i <= last; ++i) nodes.push_back({rod, i});
  return nodes;
}

TEST(Selector, NamesAndIndices) {
  EXPECT_EQ(nodesOf("\"arm\""), run(0, 0, 10));
  EXPECT_EQ(nodesOf("\"arm:first\""), run(0, 0, 0));
  EXPECT_EQ(nodesOf("\"arm:last\""), run(0, 10, 10));
  EXPECT_EQ(nodesOf("\"arm:3\""), run(0, 3, 3));
  EXPECT_EQ(nodesOf("\"arm:-2\""), run(0, 9, 9));
  EXPECT_EQ(nodesOf("\"arm:2..5\""), run(0, 2, 5));
  EXPECT_EQ(nodesOf("\"arm:-3..-1\""), run(0, 8, 10));
  EXPECT_EQ(nodesOf("\"arm:8..-1\""), run(0, 8, 10));
}

TEST(Selector, Wildcards) {
  EXPECT_EQ(nodesOf("\"leg*:first\""), (Nodes{{1, 0}, {2, 0}}));
  EXPECT_EQ(nodesOf("\"*:last\""), (Nodes{{0, 10}, {1, 4}, {2, 4}}));
  EXPECT_EQ(nodesOf("\"*g1:0\""), (Nodes{{2, 0}}));
  EXPECT_EQ(nodesOf("\"l*g*1:0\""), (Nodes{{2, 0}}));
  EXPECT_EQ(nodesOf("\"*\"").size(), 11u + 5u + 5u);
}

TEST(Selector, Conditions) {
  EXPECT_EQ(nodesOf(R"J({"of": "arm", "where": "x < 0.25"})J"), run(0, 0, 2));
  EXPECT_EQ(nodesOf(R"J({"of": "arm", "where": "=u > 0.75 && s < 0.95"})J"), run(0, 8, 9));
  EXPECT_EQ(nodesOf(R"J({"of": "arm", "where": "i == n - 1"})J"), run(0, 10, 10));
  EXPECT_EQ(nodesOf(R"J({"of": "leg*", "where": "z == 1"})J"), (Nodes{{1, 4}, {2, 4}}));
  EXPECT_EQ(nodesOf(R"J({"of": "*", "where": "x == 1 && y == 0 && z == 0"})J"), (Nodes{{0, 10}, {2, 0}}));
}

TEST(Selector, NearestNode) {
  EXPECT_EQ(nodesOf("\"arm@[0.31, 5, 0]\""), run(0, 3, 3));
  EXPECT_EQ(nodesOf("\"arm@[-1,0,0]\""), run(0, 0, 0));
}

TEST(Selector, EdgesAreNumberedFromTheirOwnZero) {
  EXPECT_EQ(edgesOf("\"arm:0\""), (std::vector<EdgeRef>{{0, 0}}));
  EXPECT_EQ(edgesOf("\"arm:first\""), (std::vector<EdgeRef>{{0, 0}}));
  EXPECT_EQ(edgesOf("\"arm:last\""), (std::vector<EdgeRef>{{0, 9}}));
  EXPECT_EQ(edgesOf("\"arm:-2\""), (std::vector<EdgeRef>{{0, 8}}));
  EXPECT_EQ(edgesOf("\"leg*:last\""), (std::vector<EdgeRef>{{1, 3}, {2, 3}}));
  EXPECT_EQ(edgesOf("\"leg0\"").size(), 4u);
  EXPECT_EQ(edgesOf(R"J({"of": "arm", "where": "x < 0.35"})J"), (std::vector<EdgeRef>{{0, 0}, {0, 1}, {0, 2}}));
}

TEST(Selector, RepeatValuesInsideConditions) {
  const Scene scene =
      loaded(sceneText(R"J("constraints": [{"repeat": {"k": 2}, "fix": {"of": "leg{k}", "where": "i == k"}}])J"));
  ASSERT_EQ(scene.constraints.size(), 2u);
  EXPECT_EQ(scene.constraints[0].nodes, (Nodes{{1, 0}}));
  EXPECT_EQ(scene.constraints[1].nodes, (Nodes{{2, 1}}));
}

TEST(Selector, EdgesWithinANodeSelection) {
  const Scene scene = loaded(sceneText(""));
  const std::vector<EdgeRef> edges = edgesWithin(scene.rods, {{0, 4}, {0, 3}, {0, 7}, {1, 4}, {0, 5}, {2, 0}});
  EXPECT_EQ(edges, (std::vector<EdgeRef>{{0, 3}, {0, 4}}));
}

}  // namespace selector_test
}  // namespace tendril::scene
