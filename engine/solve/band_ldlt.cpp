// Banded LDL^T. Column j of L D is a_j - sum_k l(j, j-k) (L D)(:, j-k), k = b..1, summed in registers and stored once;
// neighboring columns overlap in the processor because only the last term needs the column just finished.
#include "solve/band_ldlt.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "solve/ordering/ordering.h"
#include "solve/pack.h"
#include "solve/pivot.h"

namespace tendril::solve {

/// Views of one matrix's storage, advanced past the leading zeros: column j of the factor starts at j * stride, and the
/// `band` columns before column 0 read as zero.
struct BandView {
  int size, band, stride;
  const double* values;
  const double* diagonal;  // shifted
  double* factor;
  double* inverse;
  double* row;  // band + 1 entries of scratch, general kernel only
};

namespace {

/// Half-bandwidths that have their own kernel; values between are rounded up, and larger ones use the general kernel.
/// 10 and 11 are open rods, 20 and 22 folded rings.
using FixedBands = std::integer_sequence<int, 4, 8, 10, 11, 12, 16, 20, 22, 24>;
constexpr int widestFixedBand = 24;
constexpr int mostPacks = packLanes > 1 ? 13 : 9;  // kept in registers by a kernel of fixed width
constexpr int tileLanes = 4 * packLanes;           // rows kept in registers by the general kernel

constexpr int fixedStride(int band) { return (band + packLanes + 1) / 2 * 2; }

/// sum -= l times the rows of an earlier column, starting at its entry `From`.
template <int From, std::size_t... P>
[[gnu::always_inline]] inline void subtractRows(Pack* sum, const double* column, double l, std::index_sequence<P...>) {
  const Pack spread = spreadPack(l);
  ((sum[P] -= spread * loadPack(column + From + packLanes * int(P))), ...);
}

/// Packs needed for row `row` of a column and the rows below it, down to the band's edge `back` columns earlier.
constexpr int packsLeft(int band, int back, int row) { return (band - back - row + packLanes) / packLanes; }

/// Finishes rows Row .. Row + Packs * packLanes of a column: sum -= l(j, j-k) (L D)(j + Row .., j-k) for k = Band - Row
/// .. 1; `column` and `inverse` point at column j.
template <int Band, int Row, int Packs, std::size_t... I>
[[gnu::always_inline]] inline void finishRows(Pack* sum, const double* column, const double* inverse,
                                              std::index_sequence<I...>) {
  constexpr int stride = fixedStride(Band), farthest = Band - Row;
  (subtractRows<farthest - int(I) + Row>(
       sum, column - (farthest - int(I)) * stride,
       column[(farthest - int(I)) * (1 - stride)] * inverse[int(I) - farthest],
       std::make_index_sequence<std::min(Packs, packsLeft(Band, farthest - int(I), Row))>{}),
   ...);
}

/// Rows from Row down of column j, as many at a time as the registers hold.
template <int Band, int Row>
[[gnu::always_inline]] inline void finishColumn(const double* from, double diagonal, double* column,
                                                const double* inverse) {
  constexpr int all = (Band + packLanes) / packLanes, parts = (all + mostPacks - 1) / mostPacks;
  constexpr int packs = std::min((all + parts - 1) / parts, all - Row / packLanes);
  constexpr bool last = Row + packs * packLanes > Band, partial = Row + packs * packLanes > Band + 1;
  Pack sum[packs];
  for (int p = 0; p < packs - (partial ? 1 : 0); ++p) sum[p] = loadPack(from + Row + packLanes * p);
  if constexpr (partial) {
    sum[packs - 1] = spreadPack(0);
    setFirstLane(sum[packs - 1], from[Band]);
  }
  if constexpr (Row == 0) setFirstLane(sum[0], diagonal);
  finishRows<Band, Row, packs>(sum, column, inverse, std::make_index_sequence<Band - Row>{});
  for (int p = 0; p < packs; ++p) storePack(column + Row + packLanes * p, sum[p]);
  if constexpr (!last) finishColumn<Band, Row + packs * packLanes>(from, diagonal, column, inverse);
}

template <int Band>
void factorFixed(const BandView& view, PivotRule& pivots) {
  PivotRule rule = pivots;  // a local copy stays in registers
  for (int j = 0; j < view.size; ++j) {
    double* column = view.factor + std::ptrdiff_t(j) * fixedStride(Band);
    finishColumn<Band, 0>(view.values + std::ptrdiff_t(j) * (Band + 1), view.diagonal[j], column, view.inverse + j);
    view.inverse[j] = rule.invert(column[0], view.diagonal[j]);
  }
  pivots = rule;
}

/// y_j - sum_k (L D)(j, j-k) w_(j-k) for k = Band .. 3, without the two newest terms.
template <int Band, std::size_t... I>
[[gnu::always_inline]] inline double forwardTerms(double sum, const double* column, const double* scaled,
                                                  std::index_sequence<I...>) {
  constexpr int step = 1 - fixedStride(Band);
  ((sum -= column[(Band - int(I)) * step] * scaled[int(I) - Band]), ...);
  return sum;
}

template <int Band, std::size_t... I>
[[gnu::always_inline]] inline double backwardTerms(double sum, const double* column, const double* x,
                                                   std::index_sequence<I...>) {
  ((sum -= column[Band - int(I)] * x[Band - int(I)]), ...);
  return sum;
}

/// The two newest unknowns stay in registers, so that the chain of dependent operations is three long per column.
template <int Band>
void solveFixed(const BandView& view, double* y, double* scaled) {
  constexpr int stride = fixedStride(Band);
  double newest = 0, older = 0;
  for (int j = 0; j < view.size; ++j) {
    const double* column = view.factor + std::ptrdiff_t(j) * stride;
    double sum = forwardTerms<Band>(y[j], column, scaled + j, std::make_index_sequence<Band - 2>{});
    sum -= column[2 - 2 * stride] * older;
    sum -= column[1 - stride] * newest;
    y[j] = sum;
    older = newest;
    scaled[j] = newest = sum * view.inverse[j];
  }
  newest = older = 0;
  for (int j = view.size - 1; j >= 0; --j) {
    const double* column = view.factor + std::ptrdiff_t(j) * stride;
    double sum = backwardTerms<Band>(y[j], column, y + j, std::make_index_sequence<Band - 2>{});
    sum -= column[2] * older;
    sum -= column[1] * newest;
    older = newest;
    y[j] = newest = sum * view.inverse[j];
  }
}

void factorGeneral(const BandView& view, PivotRule& pivots) {
  const int band = view.band;
  const std::ptrdiff_t stride = view.stride;
  for (int j = 0; j < view.size; ++j) {
    double* column = view.factor + j * stride;
    std::fill(std::copy_n(view.values + std::ptrdiff_t(j) * (band + 1), band + 1, column), column + stride, 0.0);
    column[0] = view.diagonal[j];
    const int reach = std::min(band, j);
    for (int k = reach; k > 0; --k) view.row[k] = column[k * (1 - stride)] * view.inverse[j - k];
    for (int r = 0; r <= band; r += tileLanes) {
      Pack sum[4];
      for (int p = 0; p < 4; ++p) sum[p] = loadPack(column + r + packLanes * p);
      for (int k = std::min(reach, band - r); k > 0; --k) {
        const double* earlier = column - k * stride + k + r;
        const Pack spread = spreadPack(view.row[k]);
        for (int p = 0; p < 4; ++p) sum[p] -= spread * loadPack(earlier + packLanes * p);
      }
      for (int p = 0; p < 4; ++p) storePack(column + r + packLanes * p, sum[p]);
    }
    view.inverse[j] = pivots.invert(column[0], view.diagonal[j]);
  }
}

void solveGeneral(const BandView& view, double* y, double*) {
  const std::ptrdiff_t stride = view.stride;
  for (int j = 0; j < view.size; ++j) {
    const double* column = view.factor + j * stride;
    const double scaled = y[j] * view.inverse[j];
    const int reach = std::min(view.band, view.size - 1 - j);
    for (int k = 1; k <= reach; ++k) y[j + k] -= scaled * column[k];
  }
  for (int j = view.size - 1; j >= 0; --j) {
    const double* column = view.factor + j * stride;
    double sum[4] = {};  // in four parts: a single running sum would wait for every addition
    int k = 1;
    for (; k + 3 <= view.band; k += 4)
      for (int p = 0; p < 4; ++p) sum[p] += column[k + p] * y[j + k + p];
    for (; k <= view.band; ++k) sum[0] += column[k] * y[j + k];
    y[j] = (y[j] - ((sum[0] + sum[1]) + (sum[2] + sum[3]))) * view.inverse[j];
  }
}

/// The narrowest kernel that fits the band.
template <int... Band>
BandKernel chooseKernel(int band, std::integer_sequence<int, Band...>) {
  BandKernel kernel{band, band + tileLanes, factorGeneral, solveGeneral};
  bool found = false;
  const auto offer = [&](const BandKernel& fixed) {
    if (!found && band <= fixed.band) kernel = fixed;
    found = found || band <= fixed.band;
  };
  (offer({Band, fixedStride(Band), factorFixed<Band>, solveFixed<Band>}), ...);
  return kernel;
}

std::size_t entryCount(int size, int width) {
  const std::size_t entries = std::size_t(size) * std::size_t(width);
  if (entries > std::size_t(std::numeric_limits<int>::max()) - 1)
    throw std::length_error("a band matrix of " + std::to_string(size) + " unknowns and " + std::to_string(width) +
                            " diagonals is too large: use the sparse solver");
  return entries;
}

}  // namespace

BandLdlt::BandLdlt(int size, int halfBandwidth, std::vector<int> order)
    : kernel_(chooseKernel(halfBandwidth, FixedBands{})),
      size_(size),
      order_(std::move(order)),
      position_(invertOrder(order_)),
      own_(entryCount(size, kernel_.band + 1) + 1, 0.0),
      values_(own_),
      factor_((std::size_t(size) + kernel_.band) * kernel_.stride, 0.0),
      inverse_(std::size_t(size) + kernel_.band, 0.0),
      diagonal_(size, 0.0),
      work_(std::size_t(size) + 2 * std::size_t(kernel_.band), 0.0),
      scaled_(std::size_t(size) + kernel_.band, 0.0),
      row_(kernel_.band + 1, 0.0) {}

BandView BandLdlt::view() {
  return {size_,
          kernel_.band,
          kernel_.stride,
          values_.data(),
          diagonal_.data(),
          factor_.data() + std::ptrdiff_t(kernel_.band) * kernel_.stride,
          inverse_.data() + kernel_.band,
          row_.data()};
}

int BandLdlt::offset(int row, int col) const {
  const int p = position_.empty() ? row : position_[row], q = position_.empty() ? col : position_[col];
  const int below = p > q ? p - q : q - p;
  return below > kernel_.band ? -1 : std::min(p, q) * (kernel_.band + 1) + below;
}

Factorization BandLdlt::factor(double shift, std::span<const double> weights) {
  const auto entryAt = [&](int p) { return values_[std::size_t(p) * (kernel_.band + 1)]; };
  const double largest = order_.empty()
                             ? shiftDiagonal(shift, weights, diagonal_, entryAt, [](int p) { return p; })
                             : shiftDiagonal(shift, weights, diagonal_, entryAt, [&](int p) { return order_[p]; });
  PivotRule pivots(largest);
  kernel_.factor(view(), pivots);
  return pivots.outcome();
}

void BandLdlt::solve(std::span<const double> rhs, std::span<double> x) {
  double* y = work_.data() + kernel_.band;
  if (order_.empty())
    std::copy_n(rhs.data(), size_, y);
  else
    for (int p = 0; p < size_; ++p) y[p] = rhs[order_[p]];
  kernel_.solve(view(), y, scaled_.data() + kernel_.band);
  if (order_.empty())
    std::copy_n(y, size_, x.data());
  else
    for (int p = 0; p < size_; ++p) x[order_[p]] = y[p];
}

void BandLdlt::multiply(std::span<const double> x, std::span<double> y) const {
  std::fill_n(y.data(), size_, 0.0);
  const auto unknownAt = [&](int p) { return order_.empty() ? p : order_[p]; };
  for (int p = 0; p < size_; ++p) {
    const double* column = values_.data() + std::ptrdiff_t(p) * (kernel_.band + 1);
    const int i = unknownAt(p), reach = std::min(kernel_.band, size_ - 1 - p);
    double sum = column[0] * x[i];
    for (int k = 1; k <= reach; ++k) {
      const int j = unknownAt(p + k);
      sum += column[k] * x[j];
      y[j] += column[k] * x[i];
    }
    y[i] += sum;
  }
}

/// Measured at half-bandwidths of 8 to 100.
SolverCosts BandLdlt::modeledCosts(int size, int halfBandwidth) {
  const double band = chooseKernel(halfBandwidth, FixedBands{}).band;
  return {size * (band <= widestFixedBand ? 0.055 : 0.06) * band * band, size * (4 + 0.45 * band), size * 0.5 * band};
}

}  // namespace tendril::solve
