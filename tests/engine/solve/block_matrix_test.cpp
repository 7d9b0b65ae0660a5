// Products of matrices in blocks of every shape, and where their entries are kept.
#include "solve/block_matrix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "shell_matrix.h"
#include "solve/ordering/compress.h"

namespace tendril::solve {
namespace block_matrix_test {

using namespace test;

/// Groups of random sizes, coupled at random; unknowns shuffled among positions.
struct Case {
  explicit Case(int groups, int widest, Random& random) {
    begin.push_back(0);
    for (int g = 0; g < groups; ++g) begin.push_back(begin.back() + 1 + random.below(widest));
    size = begin.back();
    for (int i = 0; i < size; ++i) order.push_back(i);
    for (int i = size - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
    for (int g = 0; g < groups; ++g)
      for (int h = 0; h <= g; ++h) {
        if (h < g && random.below(4) > 0) continue;
        for (int p = begin[g]; p < begin[g + 1]; ++p)
          for (int q = begin[h]; q < begin[h + 1]; ++q) pattern.push_back({order[p], order[q]});
      }
  }
  int size = 0;
  std::vector<int> begin, order;
  Pattern pattern;
};

TEST(BlockMatrix, MultipliesBlocksOfAnyShape) {
  Random random(71);
  for (int widest : {1, 2, 3, 5})
    for (int groups : {1, 2, 9, 25}) {
      const Case c(groups, widest, random);
      BlockMatrix matrix(buildGraph(c.size, c.pattern), c.order, c.begin);
      EXPECT_EQ(matrix.groups(), groups);
      Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(c.size, c.size);
      for (int p = 0; p < c.size; ++p)
        for (int q = 0; q <= p; ++q) {
          const int slot = matrix.offset(p, q);
          ASSERT_EQ(slot, matrix.offset(q, p));
          if (slot < 0) continue;
          ASSERT_EQ(matrix.values()[slot], 0) << "two entries share a slot";
          matrix.values()[slot] = dense(p, q) = dense(q, p) = random.signedUnit();
        }
      matrix.values().back() = std::nan("");  // the trash is never used
      Eigen::VectorXd x(c.size + BlockMatrix::padding), y(c.size + BlockMatrix::padding);
      for (double& value : x) value = random.signedUnit();
      x[c.size] = std::nan("");
      matrix.multiply(x.data(), y.data());
      EXPECT_LT((y.head(c.size) - dense * x.head(c.size)).norm(), 1e-14 * (1 + dense.norm()));
    }
}

TEST(BlockMatrix, HasSlotsForThePatternAlone) {
  Random random(72);
  const Case c(20, 4, random);
  BlockMatrix matrix(buildGraph(c.size, c.pattern), c.order, c.begin);
  Eigen::MatrixXi expected = Eigen::MatrixXi::Zero(c.size, c.size);
  const std::vector<int> position = invertOrder(c.order);
  for (const auto& [row, col] : c.pattern)
    expected(position[row], position[col]) = expected(position[col], position[row]) = 1;
  for (int p = 0; p < c.size; ++p)
    for (int q = 0; q < c.size; ++q) EXPECT_EQ(matrix.offset(p, q) >= 0, expected(p, q) == 1);
}

}  // namespace block_matrix_test
}  // namespace tendril::solve
