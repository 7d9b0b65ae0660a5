// Groups of alike unknowns, separators that separate, and nested dissection that leaves less fill on sheets.
#include "solve/ordering/dissection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "shell_matrix.h"
#include "solve/ordering/compress.h"
#include "solve/ordering/separator.h"
#include "solve/ordering/supernodes.h"

namespace tendril::solve {
namespace dissection_test {

using namespace test;

std::vector<int> weightsOf(const CompressedGraph& groups) {
  std::vector<int> weight;
  for (int i = 0; i < groups.size(); ++i) weight.push_back(groups.weight(i));
  return weight;
}

void expectPermutation(std::vector<int> order, int size) {
  std::sort(order.begin(), order.end());
  ASSERT_EQ(int(order.size()), size);
  for (int i = 0; i < size; ++i) ASSERT_EQ(order[i], i);
}

double multiplications(const Supernodes& panels) {
  double sum = 0;
  for (int s = 0; s < panels.count(); ++s)
    sum += double(panels.width(s)) * double(panels.height(s)) * double(panels.height(s));
  return sum;
}

TEST(Compress, VerticesAndEdgesOfShellsAreGroups) {
  const CompressedGraph hinge = compress(buildGraph(3 * 49, hingePattern(7).pairs()));
  EXPECT_EQ(hinge.size(), 49);
  for (int v = 0; v < 49; ++v) {
    EXPECT_EQ(hinge.weight(v), 3);
    EXPECT_EQ(hinge.of(v)[0], 3 * v);
  }
  const ShellPattern midedge = midedgePattern(7);
  const CompressedGraph groups = compress(buildGraph(midedge.size, midedge.pairs()));
  EXPECT_EQ(groups.unknowns(), midedge.size);
  EXPECT_LT(groups.size(), midedge.size - 2 * 40);
}

TEST(Compress, GroupsExactlyTheIndistinguishable) {
  Random random(7);
  for (int trial = 0; trial < 30; ++trial) {
    const int size = 12;
    Pattern pattern;
    for (int k = 0; k < 40; ++k) pattern.push_back({random.below(size), random.below(size)});
    const Graph graph = buildGraph(size, pattern);
    const CompressedGraph groups = compress(graph);
    std::vector<int> groupOf(size);
    for (int g = 0; g < groups.size(); ++g)
      for (int i : groups.of(g)) groupOf[i] = g;
    const auto closed = [&](int i) {
      std::set<int> all(graph.of(i).begin(), graph.of(i).end());
      all.insert(i);
      return all;
    };
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j) EXPECT_EQ(groupOf[i] == groupOf[j], closed(i) == closed(j));
    for (int g = 0; g < groups.size(); ++g) {
      std::set<int> expected, found(groups.graph.of(g).begin(), groups.graph.of(g).end());
      for (int j : graph.of(groups.of(g)[0]))
        if (groupOf[j] != g) expected.insert(groupOf[j]);
      EXPECT_EQ(found, expected);
      EXPECT_TRUE(std::is_sorted(groups.graph.of(g).begin(), groups.graph.of(g).end()));
    }
  }
}

TEST(Separator, CutsASheetStraightAcross) {
  const int side = 30;
  const CompressedGraph groups = compress(buildGraph(3 * side * side, hingePattern(side).pairs()));
  const std::vector<int> weight = weightsOf(groups);
  SeparatorFinder finder(groups.graph, weight);
  std::vector<int> all(groups.size()), left, right, separator;
  std::iota(all.begin(), all.end(), 0);
  finder.split(all, left, right, separator);
  std::vector<char> where(groups.size(), 2);
  for (int v : left) where[v] = 0;
  for (int v : right) where[v] = 1;
  EXPECT_EQ(int(left.size() + right.size() + separator.size()), groups.size());
  for (int v : left)
    for (int u : groups.graph.of(v)) EXPECT_NE(where[u], 1);
  EXPECT_GT(left.size(), all.size() * 2 / 5);
  EXPECT_GT(right.size(), all.size() * 2 / 5);
  EXPECT_LE(separator.size(), 2u * side);  // hinges reach two rows far
}

TEST(Separator, FindsTheComponents) {
  const Graph graph = buildGraph(7, Pattern{{0, 2}, {2, 4}, {1, 3}, {5, 6}});
  const std::vector<int> weight(7, 1);
  SeparatorFinder finder(graph, weight);
  std::vector<int> parts, begins;
  finder.components(std::vector<int>{0, 1, 2, 3, 4, 5}, parts, begins);
  EXPECT_EQ(begins, (std::vector<int>{0, 3, 5, 6}));
  EXPECT_EQ(parts, (std::vector<int>{0, 2, 4, 1, 3, 5}));
}

TEST(Dissection, OrdersAnyGraph) {
  Random random(8);
  std::vector<std::pair<int, Pattern>> cases{{0, {}}, {1, {}}, {500, {}}};
  cases.push_back({400, treeEdges(400, random)});
  cases.push_back({300, bandPattern(300, 2, true)});
  Pattern star, dense, scattered;
  for (int i = 1; i < 300; ++i) star.push_back({0, i});
  for (int i = 0; i < 150; ++i)
    for (int j = 0; j < i; ++j)
      if (random.below(3) > 0) dense.push_back({i, j});
  for (int k = 0; k < 2000; ++k) scattered.push_back({random.below(700), random.below(700)});
  cases.insert(cases.end(), {{300, star}, {150, dense}, {700, scattered}});
  for (const auto& [size, pattern] : cases) {
    const Graph graph = buildGraph(size, pattern);
    const std::vector<int> weight(size, 1);
    const std::vector<int> order = nestedDissection(graph, weight);
    expectPermutation(order, size);
    EXPECT_EQ(order, nestedDissection(graph, weight));
  }
}

TEST(Dissection, LeavesLessWorkOnSheetsThanMinimumDegree) {
  for (const ShellPattern& shell : {hingePattern(50), midedgePattern(40)}) {
    const CompressedGraph groups = compress(buildGraph(shell.size, shell.pairs()));
    const double degree = multiplications(findSupernodes(groups, fillReducingOrder(groups.graph)));
    const double dissected = multiplications(findSupernodes(groups, nestedDissection(groups.graph, weightsOf(groups))));
    EXPECT_LT(dissected, 0.9 * degree);
  }
}

// Work grows as n^1.5, eightfold here, where cuts are straight and balanced; the border's share makes it a little more.
TEST(Dissection, WorkGrowsHardlyFasterThanTheory) {
  double work[2];
  for (int k : {0, 1}) {
    const int side = k == 0 ? 30 : 60;
    const CompressedGraph groups = compress(buildGraph(3 * side * side, hingePattern(side).pairs()));
    work[k] = multiplications(findSupernodes(groups, nestedDissection(groups.graph, weightsOf(groups))));
  }
  EXPECT_LT(work[1] / work[0], 10);
}

}  // namespace dissection_test
}  // namespace tendril::solve
