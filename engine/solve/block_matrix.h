// A symmetric matrix stored in dense blocks, one for every two coupled groups of unknowns: one index for nine entries
// of a shell, and products three entries at a time.
#pragma once

#include <span>
#include <vector>

#include "solve/ordering/ordering.h"

namespace tendril::solve {

/// Rows row .. row + height of one column of blocks; its entries, column after column, begin at values[value].
struct MatrixBlock {
  int row, height, value;
};

/// What the product's kernels see. Group g covers the rows begin[g] .. begin[g + 1); its column holds the blocks
/// firstBlock[g] .. firstBlock[g + 1), the one on the diagonal first.
struct BlockView {
  const int* begin;
  const int* firstBlock;
  const MatrixBlock* blocks;
  const double* values;
};

/// Lower triangle in the order of elimination: rows and columns are positions in it.
class BlockMatrix {
 public:
  /// `order[p]` is the unknown at position p, where equivalent unknowns are adjacent: group g has positions begin[g] ..
  /// begin[g + 1). Throws std::length_error beyond 2^31 entries.
  BlockMatrix(const Graph& graph, std::span<const int> order, std::span<const int> begin);

  /// By columns of blocks; the last slot is the trash. Slots above the diagonal of a diagonal block are unused and stay
  /// zero.
  std::span<double> values() { return values_; }
  std::span<const double> values() const { return values_; }
  /// Uses the caller's memory instead, of the same length.
  void keepValuesIn(std::span<double> memory) { values_ = memory, own_ = {}; }
  /// Index into values() of an entry and its mirror image; -1 outside the pattern.
  int offset(int row, int col) const;

  /// y = A x. `x` and `y` have `padding` more doubles than rows, whose values are irrelevant.
  void multiply(const double* x, double* y) const;
  static constexpr int padding = 1;

  int groups() const { return int(begin_.size()) - 1; }
  std::span<const int> begin() const { return begin_; }
  std::span<const MatrixBlock> column(int g) const {
    return {blocks_.data() + firstBlock_[g], blocks_.data() + firstBlock_[g + 1]};
  }

 private:
  std::vector<int> begin_, groupOf_;  // of groups, and of positions
  std::vector<int> firstBlock_;
  std::vector<MatrixBlock> blocks_;  // rows ascending in each column
  std::vector<double> own_;
  std::span<double> values_;  // own_, or the caller's
  bool allThree_ = false;     // every group has three unknowns
  using Kernel = void (*)(const BlockView&, int group, const double* x, double* y);
  Kernel column3_, column1_;  // a column of blocks, three unknowns wide or one
};

}  // namespace tendril::solve
