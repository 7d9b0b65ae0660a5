// The wide kernels give exactly what the plain ones give, and the plain ones what a loop gives.
#include "solve/dense_kernels.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <vector>

#include "random_matrix.h"

namespace tendril::solve {
namespace dense_kernels_test {

using namespace test;

std::vector<double> randomValues(std::size_t count, Random& random) {
  std::vector<double> out(count);
  for (double& value : out) value = random.signedUnit();
  return out;
}

/// Heights around every tile's edge, places with and without gaps.
TEST(DenseKernels, ProductsAgreeToTheLastBit) {
  Random random(1);
  for (int columns = 1; columns <= tileColumns; ++columns)
    for (int height : {1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 31})
      for (int inner : {1, 3, 20})
        for (bool gaps : {false, true}) {
          const auto source = randomValues(std::size_t(height) * inner + kernelOverrun, random);
          const auto scaled = randomValues(std::size_t(tileColumns) * inner, random);
          std::vector<int> place;
          for (int r = 0; r < height; ++r) place.push_back(gaps ? 2 * r + r / 5 : r + 3);
          const int rows = place.back() + 1;
          const auto start = randomValues(std::size_t(rows) * columns, random);
          const auto run = [&](const DenseKernels& kernels) {
            std::vector<double> target = start;
            double* column[tileColumns];
            for (int c = 0; c < columns; ++c) column[c] = target.data() + c * rows;
            kernels.subtractProduct(source.data(), height, inner, height, scaled.data(), columns, column, place.data());
            return target;
          };
          std::vector<double> expected = start;
          for (int c = 0; c < columns; ++c)
            for (int r = 0; r < height; ++r) {
              double sum = 0;
              for (int t = 0; t < inner; ++t) sum += source[t * height + r] * scaled[tileColumns * t + c];
              expected[c * rows + place[r]] -= sum;
            }
          ASSERT_EQ(run(plainDenseKernels()), expected) << columns << " x " << height << " x " << inner;
          ASSERT_EQ(run(denseKernels()), expected) << columns << " x " << height << " x " << inner;
        }
}

TEST(DenseKernels, FinishedRowsAgreeToTheLastBit) {
  Random random(2);
  for (int columns = 1; columns <= tileColumns; ++columns)
    for (int height : {7, 8, 9, 10, 11, 12, 23}) {
      const auto start = randomValues(std::size_t(height) * columns, random);
      const auto l = randomValues(tileColumns * tileColumns, random);
      std::vector<double> expected = start;
      for (int c = 0; c < columns; ++c)
        for (int b = 0; b < c; ++b)
          for (int r = columns; r < height; ++r)
            expected[c * height + r] -= expected[b * height + r] * l[tileColumns * c + b];
      for (const DenseKernels* kernels : {&plainDenseKernels(), &denseKernels()}) {
        std::vector<double> found = start;
        kernels->finishRows(found.data(), height, columns, columns, height, l.data());
        ASSERT_EQ(found, expected) << columns << " x " << height;
      }
    }
}

TEST(DenseKernels, TriangularSolvesAgreeToTheLastBit) {
  Random random(3);
  for (int width : {1, 2, 3, 4, 5, 8, 11})
    for (int height : {width, width + 1, width + 3, width + 4, width + 6, width + 17}) {
      std::vector<double> values = randomValues(std::size_t(height) * width, random);
      const DensePanel panel{values.data(), height, width, height};
      const auto x = randomValues(height, random), factor = randomValues(width, random);
      std::vector<double> sum[2], dot[2];
      int k = 0;
      for (const DenseKernels* kernels : {&plainDenseKernels(), &denseKernels()}) {
        sum[k] = x;
        dot[k].resize(width);
        kernels->addColumns(panel, width, factor.data(), sum[k].data());
        kernels->dotColumns(panel, width, x.data(), dot[k].data());
        ++k;
      }
      ASSERT_EQ(sum[0], sum[1]);
      ASSERT_EQ(dot[0], dot[1]);
      const Eigen::Map<const Eigen::MatrixXd> dense(values.data(), height, width);
      const Eigen::Map<const Eigen::VectorXd> xs(x.data(), height), factors(factor.data(), width);
      const Eigen::VectorXd expected = xs.tail(height - width) + dense.bottomRows(height - width) * factors;
      const Eigen::VectorXd dots = dense.bottomRows(height - width).transpose() * xs.tail(height - width);
      const Eigen::Map<const Eigen::VectorXd> sums(sum[0].data() + width, height - width), found(dot[0].data(), width);
      EXPECT_LT((sums - expected).norm(), 1e-14 * (1 + expected.norm()));
      EXPECT_LT((found - dots).norm(), 1e-14 * (1 + dots.norm()));
    }
}

}  // namespace dense_kernels_test
}  // namespace tendril::solve
