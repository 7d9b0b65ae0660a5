// The product of a symmetric block matrix, half of which is stored: every block is used for its own rows and,
// transposed, for its columns. Sums are taken in the same order at every width.
#include "solve/block_matrix.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <stdexcept>
#include <utility>

#include "geometry/invariants.h"
#include "solve/pack.h"
#include "solve/wide.h"

namespace tendril::solve {
namespace {

/// Three doubles in as few registers as the width allows.
template <int Lanes>
struct Triple {
  double part[3];
  [[gnu::always_inline]] void load(const double* from) { std::copy_n(from, 3, part); }
  [[gnu::always_inline]] void store(double* to) const { std::copy_n(part, 3, to); }
  [[gnu::always_inline]] void addScaled(const Triple& a, double factor) {
    for (int k = 0; k < 3; ++k) part[k] += a.part[k] * factor;
  }
  [[gnu::always_inline]] void addProduct(const Triple& a, const Triple& b) {
    for (int k = 0; k < 3; ++k) part[k] += a.part[k] * b.part[k];
  }
  [[gnu::always_inline]] double sum() const { return (part[0] + part[1]) + part[2]; }
};

template <>
struct Triple<2> {
  WideOf<2>::Type low{};
  double high = 0;
  [[gnu::always_inline]] void load(const double* from) {
    loadWide(low, from);
    high = from[2];
  }
  [[gnu::always_inline]] void store(double* to) const {
    storeWide(to, low);
    to[2] = high;
  }
  [[gnu::always_inline]] void addScaled(const Triple& a, double factor) {
    low += a.low * factor;
    high += a.high * factor;
  }
  [[gnu::always_inline]] void addProduct(const Triple& a, const Triple& b) {
    low += a.low * b.low;
    high += a.high * b.high;
  }
  [[gnu::always_inline]] double sum() const { return (low[0] + low[1]) + high; }
};

/// The fourth lane carries whatever follows in memory and is never stored.
template <>
struct Triple<4> {
  WideOf<4>::Type all{};
  [[gnu::always_inline]] void load(const double* from) { loadWide(all, from); }
  [[gnu::always_inline]] void store(double* to) const {
    const WideOf<2>::Type low = __builtin_shufflevector(all, all, 0, 1);
    storeWide(to, low);
    to[2] = all[2];
  }
  [[gnu::always_inline]] void addScaled(const Triple& a, double factor) { all += a.all * factor; }
  [[gnu::always_inline]] void addProduct(const Triple& a, const Triple& b) { all += a.all * b.all; }
  [[gnu::always_inline]] double sum() const { return (all[0] + all[1]) + all[2]; }
};

template <int Lanes>
struct Product {
  using Three = Triple<Lanes>;

  /// One block three rows high in a column Width wide: x is the column's part; sum gets the transposed block's product.
  template <int Width, int... C>
  [[gnu::always_inline]] static inline void tallBlock(const double* v, const double* x, const double* own, double* y,
                                                      Three* sum, std::integer_sequence<int, C...>) {
    Three column[Width], here, total;
    here.load(own);
    total.load(y);
    (column[C].load(v + 3 * C), ...);
    (total.addScaled(column[C], x[C]), ...);
    (sum[C].addProduct(column[C], here), ...);
    total.store(y);
  }

  /// The diagonal block, of which one triangle is used, and the blocks three rows high below it in a column Width wide.
  /// They have their own loop; otherwise the compiler runs out of registers.
  template <int Width, int... C>
  [[gnu::always_inline]] static inline void column(const BlockView& m, int g, const double* x, double* y,
                                                   std::integer_sequence<int, C...> all) {
    const int col = m.begin[g];
    const double part[Width] = {x[col + C]...};
    Three sum[Width] = {};
    const MatrixBlock* end = m.blocks + m.firstBlock[g + 1];
    for (const MatrixBlock* block = m.blocks + m.firstBlock[g] + 1; block != end; ++block) {
      if (block->height != 3) continue;
      tallBlock<Width>(m.values + block->value, part, x + block->row, y + block->row, sum, all);
    }
    const double* v = m.values + m.blocks[m.firstBlock[g]].value;
    for (int c = 0; c < Width; ++c) {
      double total = sum[c].sum();
      for (int i = 0; i < Width; ++i) total += v[i > c ? c * Width + i : i * Width + c] * part[i];
      y[col + c] += total;
    }
  }
};

/// Blocks of any shape below the diagonal in a column Width wide (0: any width), except those that column() handles.
template <int Width>
void otherBlocks(const BlockView& m, int g, const double* x, double* y) {
  const int col = m.begin[g], width = m.begin[g + 1] - col;
  const MatrixBlock* end = m.blocks + m.firstBlock[g + 1];
  double sum[std::max(Width, 1)] = {};
  for (const MatrixBlock* block = m.blocks + m.firstBlock[g] + 1; block != end; ++block) {
    if (Width > 0 && block->height == 3) continue;
    const double* v = m.values + block->value;
    if (Width > 0 && block->height == 1) {
      const double own = x[block->row];
      double total = y[block->row];
      for (int c = 0; c < Width; ++c) {
        total += v[c] * x[col + c];
        sum[c] += v[c] * own;
      }
      y[block->row] = total;
      continue;
    }
    for (int c = 0; c < width; ++c, v += block->height) {
      double total = 0;
      for (int i = 0; i < block->height; ++i) {
        y[block->row + i] += v[i] * x[col + c];
        total += v[i] * x[block->row + i];
      }
      y[col + c] += total;
    }
  }
  for (int c = 0; c < Width; ++c) y[col + c] += sum[c];
}

/// The diagonal block of a column of any width.
void diagonalBlock(const BlockView& m, int g, const double* x, double* y) {
  const int col = m.begin[g], width = m.begin[g + 1] - col;
  const double* v = m.values + m.blocks[m.firstBlock[g]].value;
  for (int c = 0; c < width; ++c)
    for (int i = 0; i < width; ++i) y[col + c] += v[i > c ? c * width + i : i * width + c] * x[col + i];
}

template <int Width>
void plainColumn(const BlockView& m, int g, const double* x, double* y) {
  Product<packLanes>::column<Width>(m, g, x, y, std::make_integer_sequence<int, Width>{});
}
#ifdef TENDRIL_AVX
template <int Width>
TENDRIL_AVX void avxColumn(const BlockView& m, int g, const double* x, double* y) {
  Product<4>::column<Width>(m, g, x, y, std::make_integer_sequence<int, Width>{});
}
#endif

}  // namespace

BlockMatrix::BlockMatrix(const Graph& graph, std::span<const int> order, std::span<const int> begin)
    : begin_(begin.begin(), begin.end()), groupOf_(order.size()), column3_(plainColumn<3>), column1_(plainColumn<1>) {
#ifdef TENDRIL_AVX
  if (processorHasAvx()) column3_ = avxColumn<3>, column1_ = avxColumn<1>;
#endif
  for (int g = 0; g < groups(); ++g) std::fill(groupOf_.begin() + begin_[g], groupOf_.begin() + begin_[g + 1], g);
  const std::vector<int> position = invertOrder(order);
  const auto width = [&](int g) { return begin_[g + 1] - begin_[g]; };
  std::size_t entries = 0;
  std::vector<int> rows;
  firstBlock_.push_back(0);
  for (int g = 0; g < groups(); ++g) {
    rows.assign(1, g);
    for (int neighbor : graph.of(order[begin_[g]])) {
      const int row = groupOf_[position[neighbor]];
      if (row > g && begin_[row] == position[neighbor]) rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end());
    for (int row : rows) {
      blocks_.push_back({begin_[row], width(row), int(entries)});
      entries += std::size_t(width(g)) * std::size_t(width(row));
      if (entries >= std::size_t(std::numeric_limits<int>::max()))
        throw std::length_error("a matrix with so many coupled unknowns is too large");
    }
    firstBlock_.push_back(int(blocks_.size()));
  }
  own_.assign(entries + 1, 0.0);
  values_ = own_;
  allThree_ = std::all_of(blocks_.begin(), blocks_.end(), [](const MatrixBlock& block) { return block.height == 3; });
}

int BlockMatrix::offset(int row, int col) const {
  assert(geometry::inRange(row, groupOf_.size()) && geometry::inRange(col, groupOf_.size()));
  if (row < col) std::swap(row, col);
  const int g = groupOf_[col], begin = begin_[groupOf_[row]];
  const auto first = blocks_.begin() + firstBlock_[g], last = blocks_.begin() + firstBlock_[g + 1];
  const auto found =
      std::lower_bound(first, last, begin, [](const MatrixBlock& block, int wanted) { return block.row < wanted; });
  if (found == last || found->row != begin) return -1;
  return found->value + (col - begin_[g]) * found->height + (row - begin);
}

void BlockMatrix::multiply(const double* x, double* y) const {
  const BlockView view{begin_.data(), firstBlock_.data(), blocks_.data(), values_.data()};
  std::fill_n(y, groupOf_.size(), 0.0);
  for (int g = 0; g < groups(); ++g) {
    const int width = begin_[g + 1] - begin_[g];
    if (width == 3) {
      column3_(view, g, x, y);
      if (!allThree_) otherBlocks<3>(view, g, x, y);
    } else if (width == 1) {
      column1_(view, g, x, y);
      otherBlocks<1>(view, g, x, y);
    } else {
      diagonalBlock(view, g, x, y);
      otherBlocks<0>(view, g, x, y);
    }
  }
}

}  // namespace tendril::solve
