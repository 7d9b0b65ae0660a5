// Orders of elimination: permutations that do what they are for.
#include "solve/ordering/ordering.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "random_matrix.h"
#include "solve/ordering/supernodes.h"

namespace tendril::solve {
namespace ordering_test {

using namespace test;

void expectPermutation(std::vector<int> order, int size) {
  std::sort(order.begin(), order.end());
  ASSERT_EQ(int(order.size()), size);
  for (int i = 0; i < size; ++i) ASSERT_EQ(order[i], i);
}

std::size_t factorEntries(const Graph& graph, const std::vector<int>& order) {
  const Supernodes panels = findSupernodes(graph, order);
  std::size_t entries = 0;
  for (int s = 0; s < panels.count(); ++s) entries += std::size_t(panels.width(s)) * panels.height(s);
  return entries;
}

TEST(Graph, MergesTrianglesAndRepeatsAndDropsTheDiagonal) {
  const Graph graph = buildGraph(4, Pattern{{0, 2}, {2, 0}, {1, 1}, {3, 2}, {0, 2}});
  EXPECT_EQ(graph.size(), 4);
  EXPECT_EQ(std::vector<int>(graph.of(2).begin(), graph.of(2).end()), (std::vector<int>{0, 3}));
  EXPECT_TRUE(graph.of(1).empty());
  EXPECT_EQ(graph.of(0).size(), 1u);
}

TEST(Graph, RefusesIndicesOutsideTheMatrix) {
  EXPECT_THROW(buildGraph(3, Pattern{{0, 3}}), std::out_of_range);
  EXPECT_THROW(buildGraph(3, Pattern{{-1, 0}}), std::out_of_range);
}

TEST(Ordering, FoldTurnsARingIntoABandOfTwiceTheWidth) {
  for (int size : {40, 41}) {
    const Graph ring = buildGraph(size, bandPattern(size, 3, true));
    EXPECT_EQ(halfBandwidth(ring, {}), size - 1);
    const std::vector<int> fold = foldOrder(size);
    expectPermutation(fold, size);
    EXPECT_LE(halfBandwidth(ring, fold), 6);
  }
  EXPECT_TRUE(foldOrder(0).empty());
}

TEST(Ordering, ReverseCuthillMcKeeRecoversAShuffledBand) {
  Random random(3);
  const int size = 120, band = 4;
  std::vector<int> name(size);
  for (int i = 0; i < size; ++i) name[i] = i;
  for (int i = size - 1; i > 0; --i) std::swap(name[i], name[random.below(i + 1)]);
  Pattern shuffled;
  for (const auto& [row, col] : bandPattern(size, band)) shuffled.push_back({name[row], name[col]});
  const Graph graph = buildGraph(size, shuffled);
  EXPECT_GT(halfBandwidth(graph, {}), 60);
  const std::vector<int> order = reverseCuthillMcKee(graph);
  expectPermutation(order, size);
  EXPECT_LE(halfBandwidth(graph, order), 2 * band);
}

TEST(Ordering, ReverseCuthillMcKeeHandlesSeparateParts) {
  Pattern pattern;  // three chains, interleaved, and a lone unknown at the end
  for (int i = 0; i + 3 < 60; ++i) pattern.push_back({i, i + 3});
  const Graph graph = buildGraph(61, pattern);
  const std::vector<int> order = reverseCuthillMcKee(graph);
  expectPermutation(order, 61);
  EXPECT_EQ(halfBandwidth(graph, order), 1);
}

TEST(Ordering, MinimumDegreeKeepsFillLowOnAGrid) {
  const int side = 30;
  const Graph graph = buildGraph(side * side, gridEdges(side));
  const std::vector<int> order = fillReducingOrder(graph);
  expectPermutation(order, side * side);
  std::vector<int> natural(side * side);
  for (int i = 0; i < side * side; ++i) natural[i] = i;
  EXPECT_LT(factorEntries(graph, order), factorEntries(graph, natural) * 6 / 10);
}

TEST(Ordering, MinimumDegreeFactorsATreeWithoutFill) {
  Random random(5);
  const Graph graph = buildGraph(200, treeEdges(200, random));
  const Supernodes panels = findSupernodes(graph, fillReducingOrder(graph));
  expectPermutation(panels.order, 200);
  // Without fill L has 199 entries below the diagonal; merging may add a few stored zeros, but few.
  EXPECT_LT(factorEntries(graph, fillReducingOrder(graph)), 1600u);
}

TEST(Supernodes, CoverEveryEntryOfTheFactor) {
  Random random(11);
  const int size = 60;
  Pattern pattern;
  for (int k = 0; k < 150; ++k) pattern.push_back({random.below(size), random.below(size)});
  const Graph graph = buildGraph(size, pattern);
  const Supernodes panels = findSupernodes(graph, fillReducingOrder(graph));
  // Eliminate the boolean pattern densely and look every entry up.
  const std::vector<int> position = invertOrder(panels.order);
  std::vector<std::vector<char>> filled(size, std::vector<char>(size, 0));
  for (int i = 0; i < size; ++i)
    for (int j : graph.of(i)) filled[position[i]][position[j]] = 1;
  for (int k = 0; k < size; ++k)
    for (int i = k + 1; i < size; ++i)
      for (int j = k + 1; j < size; ++j)
        if (filled[i][k] && filled[k][j]) filled[i][j] = 1;
  int entries = 0;
  for (int j = 0; j < size; ++j) {
    const std::span<const int> rows = panels.rowsOf(panels.panelOf[j]);
    ASSERT_TRUE(std::is_sorted(rows.begin(), rows.end()));
    for (int i = j + 1; i < size; ++i) {
      if (!filled[i][j]) continue;
      ++entries;
      EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), i)) << i << ", " << j;
    }
  }
  EXPECT_GT(entries, 150);
}

}  // namespace ordering_test
}  // namespace tendril::solve
