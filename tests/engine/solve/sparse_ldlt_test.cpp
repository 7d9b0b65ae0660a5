// The supernodal factorization itself: trees, networks, grids, dense blocks, any order.
#include "solve/sparse_ldlt.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "shell_matrix.h"
#include "solve/ordering/compress.h"
#include "solve/ordering/dissection.h"

namespace tendril::solve {
namespace sparse_ldlt_test {

using namespace test;

void expectSolves(int size, const Pattern& pattern, const std::vector<int>& order, Random& random) {
  const Graph graph = buildGraph(size, pattern);
  SparseLdlt solver(graph, order.empty() ? fillReducingOrder(graph) : order);
  for (bool indefinite : {false, true}) {
    const Eigen::MatrixXd a = randomMatrix(size, pattern, random, indefinite);
    fill(solver, a);
    const Factorization outcome = solver.factor(0, {});
    ASSERT_TRUE(outcome.ok);
    EXPECT_EQ(outcome.nullPivots, 0);
    EXPECT_EQ(outcome.negativePivots, int((a.diagonal().array() < 0).count()));
    const Eigen::VectorXd b = randomVector(size, random), exact = a.partialPivLu().solve(b);
    EXPECT_LT((solved(solver, b) - exact).norm(), 1e-12 * exact.norm());
  }
}

TEST(SparseLdlt, AgreesWithADenseSolveOnRandomPatterns) {
  Random random(1);
  for (int size : {1, 2, 3, 7, 25, 80, 150})
    for (int density : {0, 1, 3, 9}) {
      Pattern pattern;
      for (int k = 0; k < density * size; ++k) pattern.push_back({random.below(size), random.below(size)});
      expectSolves(size, pattern, {}, random);
    }
}

TEST(SparseLdlt, SolvesTreesNetworksAndGridsOfBlocks) {
  Random random(2);
  for (int block : {1, 3, 4}) {
    expectSolves(60 * block, networkPattern(treeEdges(60, random), block), {}, random);
    expectSolves(100 * block, networkPattern(gridEdges(10), block), {}, random);
  }
}

TEST(SparseLdlt, SolvesAFullMatrixAsOnePanel) {
  Random random(3);
  const int size = 43;
  expectSolves(size, bandPattern(size, size - 1), {}, random);
}

TEST(SparseLdlt, SolvesShellsInGroupsOfUnknowns) {
  Random random(6);
  for (const ShellPattern& shell : {hingePattern(9), midedgePattern(6)}) {
    const Pattern pattern = shell.pairs();
    const Graph graph = buildGraph(shell.size, pattern);
    const CompressedGraph groups = compress(graph);
    std::vector<int> weight;
    for (int i = 0; i < groups.size(); ++i) weight.push_back(groups.weight(i));
    SparseLdlt solver(graph, findSupernodes(groups, nestedDissection(groups.graph, weight)));
    const Eigen::MatrixXd a = randomMatrix(shell.size, pattern, random, true);
    fill(solver, a);
    const Factorization outcome = solver.factor(0, {});
    ASSERT_TRUE(outcome.ok);
    EXPECT_EQ(outcome.negativePivots, int((a.diagonal().array() < 0).count()));
    const Eigen::VectorXd b = randomVector(shell.size, random), exact = a.partialPivLu().solve(b);
    EXPECT_LT((solved(solver, b) - exact).norm(), 1e-12 * exact.norm());
  }
}

TEST(SparseLdlt, CutsWidePanels) {
  Random random(7);
  const int size = 200;
  const Graph graph = buildGraph(size, bandPattern(size, size - 1));
  const Supernodes panels = findSupernodes(graph, fillReducingOrder(graph));
  EXPECT_EQ(panels.count(), 4);
  expectSolves(size, bandPattern(size, size - 1), {}, random);
}

TEST(SparseLdlt, TakesAnyOrder) {
  Random random(4);
  const int size = 90;
  const Pattern pattern = networkPattern(treeEdges(30, random), 3);
  std::vector<int> order(size);
  for (int i = 0; i < size; ++i) order[i] = i;
  expectSolves(size, pattern, order, random);
  for (int i = size - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
  expectSolves(size, pattern, order, random);
}

TEST(SparseLdlt, HasSlotsExactlyForThePattern) {
  Random random(5);
  const int size = 40;
  Pattern pattern;
  for (int k = 0; k < 70; ++k) pattern.push_back({random.below(size), random.below(size)});
  const Graph graph = buildGraph(size, pattern);
  SparseLdlt solver(graph, fillReducingOrder(graph));
  Eigen::MatrixXi expected = Eigen::MatrixXi::Identity(size, size);
  for (const auto& [row, col] : pattern) expected(row, col) = expected(col, row) = 1;
  std::vector<int> used(solver.values().size(), 0);
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      const int slot = solver.offset(i, j);
      ASSERT_EQ(slot >= 0, expected(i, j) == 1);
      ASSERT_EQ(slot, solver.offset(j, i));
      if (slot >= 0 && i >= j) ++used[slot];
    }
  for (int slot = 0; slot < solver.trash(); ++slot) EXPECT_EQ(used[slot], 1);
  EXPECT_EQ(used[solver.trash()], 0);
}

}  // namespace sparse_ldlt_test
}  // namespace tendril::solve
