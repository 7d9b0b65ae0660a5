// Supernodal LDL^T. A panel holds C = L D; a finished panel updates the panels that its rows reach by C_target -=
// C_source (C_source D^-1)^T restricted to the shared rows, in register tiles of a few rows by four columns.
#include "solve/sparse_ldlt.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "geometry/invariants.h"
#include "solve/dense_kernels.h"
#include "solve/pivot.h"

namespace tendril::solve {
namespace {

/// scaled(c, t) = source(c, t) / d_t.
void scaleRows(int columns, const double* source, std::ptrdiff_t stride, int inner, const double* inverse,
               double* scaled) {
  for (int t = 0; t < inner; ++t)
    for (int c = 0; c < columns; ++c) scaled[tileColumns * t + c] = source[t * stride + c] * inverse[t];
}

}  // namespace

SparseLdlt::SparseLdlt(const Graph& graph, Supernodes panels)
    : kernels_(denseKernels()),
      size_(graph.size()),
      panels_(std::move(panels)),
      position_(invertOrder(panels_.order)),
      matrix_(graph, panels_.order, panels_.groupBegin) {
  assert(int(panels_.order.size()) == size_ && panels_.isConsistent());
  const int count = panels_.count();
  panelStart_.push_back(0);
  int tallest = 0, widest = 0;
  for (int s = 0; s < count; ++s) {
    panelStart_.push_back(panelStart_.back() + std::size_t(panels_.height(s)) * std::size_t(panels_.width(s)));
    tallest = std::max(tallest, panels_.height(s));
    widest = std::max(widest, panels_.width(s));
  }
  if (factorEntries() > std::size_t(std::numeric_limits<int>::max()))
    throw std::length_error("the factor of a matrix of " + std::to_string(size_) + " unknowns is too large");

  std::vector<int> position(size_, 0);
  for (int g = 0, s = 0; g < matrix_.groups(); ++g) {
    const int col = matrix_.begin()[g];
    for (; col >= panels_.firstColumn[s + 1]; ++s) {
    }
    const std::span<const int> rows = panels_.rowsOf(s);
    if (col == panels_.firstColumn[s])
      for (std::size_t i = 0; i < rows.size(); ++i) position[rows[i]] = int(i);
    const std::size_t column = panelStart_[s] + std::size_t(col - panels_.firstColumn[s]) * rows.size();
    for (const MatrixBlock& block : matrix_.column(g)) target_.push_back(column + std::size_t(position[block.row]));
  }
  for (int p = 0; p < size_; ++p) diagonalSlot_.push_back(matrix_.offset(p, p));
  factor_.assign(factorEntries() + kernelOverrun, 0.0);
  inverse_.assign(size_, 0.0);
  diagonal_.assign(size_, 0.0);
  pending_.assign(count, -1);
  nextPending_.assign(count, -1);
  reached_.assign(count, 0);
  panelPosition_.assign(size_, 0);
  relative_.assign(tallest, 0);
  scaled_.assign(std::size_t(widest) * tileColumns, 0.0);
  work_.assign(size_, 0.0);
  gathered_.assign(tallest, 0.0);
  counting_.resize(tallest);
  std::iota(counting_.begin(), counting_.end(), 0);
  in_.assign(std::size_t(size_) + BlockMatrix::padding, 0.0);
  out_ = in_;
  costs_ = modeledCosts(panels_);
  costs_.multiply = 0.25 * double(matrix_.values().size());
}

DensePanel SparseLdlt::densePanel(int s) {
  return {factor_.data() + panelStart_[s], panels_.height(s), panels_.width(s), panels_.height(s)};
}

void SparseLdlt::gatherMatrix() {
  std::fill(factor_.begin(), factor_.end(), 0.0);
  const std::span<const double> values = std::as_const(matrix_).values();
  const std::span<const int> begin = matrix_.begin();
  const std::size_t* target = target_.data();
  for (int g = 0; g < matrix_.groups(); ++g) {
    const int width = begin[g + 1] - begin[g], stride = panels_.height(panels_.panelOf[begin[g]]);
    double* diagonal = factor_.data() + *target;
    for (const MatrixBlock& block : matrix_.column(g)) {
      const double* from = values.data() + block.value;
      double* to = factor_.data() + *target++;
      for (int c = 0; c < width; ++c, from += block.height, to += stride) std::copy_n(from, block.height, to);
    }
    // The first block's diagonal, shifted; the columns' own rows come first in the panel's list.
    for (int c = 0; c < width; ++c) diagonal[std::ptrdiff_t(c) * stride + c] = diagonal_[begin[g] + c];
  }
}

/// Subtracts panel `source`'s part of panel `target`: rows begin .. end of its list are columns of the target.
void SparseLdlt::updateFrom(int source, int target, int begin, int end) {
  const std::span<const int> rows = panels_.rowsOf(source);
  const int height = int(rows.size()), inner = panels_.width(source);
  const std::ptrdiff_t stride = height, targetStride = panels_.height(target);
  for (int i = begin; i < height; ++i) {
    relative_[i] = panelPosition_[rows[i]];
    assert(geometry::inRange(relative_[i], targetStride) && panels_.rowsOf(target)[relative_[i]] == rows[i]);
  }
  const double* from = factor_.data() + panelStart_[source];
  for (int k = begin; k < end; k += tileColumns) {
    const int columns = std::min(tileColumns, end - k);
    scaleRows(columns, from + k, stride, inner, inverse_.data() + panels_.firstColumn[source], scaled_.data());
    double* column[tileColumns] = {};
    for (int c = 0; c < columns; ++c)
      column[c] = factor_.data() + panelStart_[target] + relative_[k + c] * targetStride;
    // Rows above the diagonal are computed too; that triangle of a panel is never read.
    kernels_.subtractProduct(from + k, stride, inner, height - k, scaled_.data(), columns, column,
                             relative_.data() + k);
  }
}

/// Dense LDL^T of the panel's own columns, down to its last row, a few columns at a time.
void SparseLdlt::factorPanel(int s, PivotRule& pivots) {
  const int width = panels_.width(s), height = panels_.height(s), first = panels_.firstColumn[s];
  double* panel = factor_.data() + panelStart_[s];
  double* inverse = inverse_.data() + first;
  for (int k = 0; k < width; k += tileColumns) {
    const int columns = std::min(tileColumns, width - k);
    double* column[tileColumns] = {};
    for (int c = 0; c < columns; ++c) column[c] = panel + std::ptrdiff_t(k + c) * height;
    if (k > 0) {
      scaleRows(columns, panel + k, height, k, inverse, scaled_.data());
      kernels_.subtractProduct(panel + k, height, k, height - k, scaled_.data(), columns, column, counting_.data() + k);
    }
    double l[tileColumns * tileColumns];
    for (int c = 0; c < columns; ++c) {
      for (int b = 0; b < c; ++b) {
        const double factor = l[tileColumns * c + b] = column[b][k + c] * inverse[k + b];
        for (int i = k + c; i < k + columns; ++i) column[c][i] -= factor * column[b][i];
      }
      inverse[k + c] = pivots.invert(column[c][k + c], diagonal_[first + k + c]);
    }
    kernels_.finishRows(column[0], height, columns, k + columns, height, l);
  }
}

Factorization SparseLdlt::factor(double shift, std::span<const double> weights) {
  PivotRule pivots(shiftDiagonal(
      shift, weights, diagonal_, [&](int p) { return matrix_.values()[diagonalSlot_[p]]; },
      [&](int p) { return panels_.order[p]; }));
  gatherMatrix();
  std::fill(pending_.begin(), pending_.end(), -1);
  const auto queue = [&](int source, int reached) {
    reached_[source] = reached;
    if (reached == panels_.height(source)) return;
    int& list = pending_[panels_.panelOf[panels_.rowsOf(source)[reached]]];
    nextPending_[source] = list;
    list = source;
  };
  for (int s = 0; s < panels_.count(); ++s) {
    const std::span<const int> rows = panels_.rowsOf(s);
    for (std::size_t i = 0; i < rows.size(); ++i) panelPosition_[rows[i]] = int(i);
    for (int source = pending_[s]; source != -1;) {
      const int next = nextPending_[source];
      const std::span<const int> sourceRows = panels_.rowsOf(source);
      int end = reached_[source];
      while (end < int(sourceRows.size()) && sourceRows[end] < panels_.firstColumn[s + 1]) ++end;
      updateFrom(source, s, reached_[source], end);
      queue(source, end);
      source = next;
    }
    factorPanel(s, pivots);
    queue(s, panels_.width(s));
  }
  return pivots.outcome();
}

void SparseLdlt::solve(std::span<const double> rhs, std::span<double> x) {
  for (int p = 0; p < size_; ++p) work_[p] = rhs[panels_.order[p]];
  const int count = panels_.count();
  double* scaled = scaled_.data();
  for (int s = 0; s < count; ++s) {
    const std::span<const int> rows = panels_.rowsOf(s);
    const DensePanel panel = densePanel(s);
    double* own = work_.data() + panels_.firstColumn[s];
    for (int c = 0; c < panel.width; ++c) {
      const double* column = panel.at + c * panel.stride;
      scaled[c] = own[c] * inverse_[panels_.firstColumn[s] + c];
      for (int i = c + 1; i < panel.width; ++i) own[i] -= column[i] * scaled[c];
    }
    if (panel.height == panel.width) continue;
    std::fill_n(gathered_.begin() + panel.width, panel.height - panel.width, 0.0);
    kernels_.addColumns(panel, panel.width, scaled, gathered_.data());
    for (int i = panel.width; i < panel.height; ++i) work_[rows[i]] -= gathered_[i];
  }
  for (int s = count - 1; s >= 0; --s) {
    const std::span<const int> rows = panels_.rowsOf(s);
    const DensePanel panel = densePanel(s);
    double* own = work_.data() + panels_.firstColumn[s];
    for (int i = panel.width; i < panel.height; ++i) gathered_[i] = work_[rows[i]];
    kernels_.dotColumns(panel, panel.width, gathered_.data(), scaled);
    for (int c = panel.width - 1; c >= 0; --c) {
      const double* column = panel.at + c * panel.stride;
      double sum = scaled[c];
      for (int i = c + 1; i < panel.width; ++i) sum += column[i] * own[i];
      own[c] = (own[c] - sum) * inverse_[panels_.firstColumn[s] + c];
    }
  }
  for (int p = 0; p < size_; ++p) x[panels_.order[p]] = work_[p];
}

void SparseLdlt::multiply(std::span<const double> x, std::span<double> y) const {
  for (int p = 0; p < size_; ++p) in_[p] = x[panels_.order[p]];
  matrix_.multiply(in_.data(), out_.data());
  for (int p = 0; p < size_; ++p) y[panels_.order[p]] = out_[p];
}

/// Measured: 0.05 (AVX) to 0.14 ns (WebAssembly without SIMD) per multiply-add in the panels, and 1.5 ns per stored
/// entry for all operations linear in them.
SolverCosts SparseLdlt::modeledCosts(const Supernodes& panels) {
  double products = 0, entries = 0;
  for (int s = 0; s < panels.count(); ++s) {
    entries += double(panels.width(s)) * panels.height(s);
    for (int c = 0; c < panels.width(s); ++c) products += 0.5 * (panels.height(s) - c) * (panels.height(s) - c);
  }
  return {0.08 * products + 1.5 * entries, 0.6 * entries, 0};
}

}  // namespace tendril::solve
