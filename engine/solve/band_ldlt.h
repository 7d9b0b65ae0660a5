// LDL^T of a symmetric band matrix without pivoting, the solver of rods, rings and chains. Each column is finished in
// registers from the columns before it, with the half-bandwidth known at compile time for the sizes rods have.
#pragma once

#include <vector>

#include "solve/linear_solver.h"

namespace tendril::solve {

struct BandView;
class PivotRule;

/// The inner loops for one half-bandwidth, which may be wider than requested.
struct BandKernel {
  int band;
  int stride;  // of a factor column: band + 1 entries, then zeros that wide loads may run into
  void (*factor)(const BandView&, PivotRule&);
  void (*solve)(const BandView&, double* y, double* scaled);
};

/// One triangle of a band matrix, column after column: entry (j + k, j), 0 <= k <= halfBandwidth(), sits at
/// j * (halfBandwidth() + 1) + k in the order of elimination.
class BandLdlt final : public LinearSolver {
 public:
  /// `order[p]` is the unknown eliminated as number p; an empty `order` is the natural one and costs nothing.
  /// `halfBandwidth` is the largest distance of two coupled unknowns in that order; it may be rounded up internally.
  /// Throws std::length_error if the storage exceeds 2^31 entries.
  BandLdlt(int size, int halfBandwidth, std::vector<int> order);

  int size() const override { return size_; }
  std::span<double> values() override { return values_; }
  void keepValuesIn(std::span<double> memory) override { values_ = memory, own_ = {}; }
  /// Every entry inside the band has a slot, including those outside the pattern.
  int offset(int row, int col) const override;
  Factorization factor(double shift, std::span<const double> weights) override;
  void solve(std::span<const double> rhs, std::span<double> x) override;
  void multiply(std::span<const double> x, std::span<double> y) const override;
  const char* kind() const override { return "band"; }
  SolverCosts costs() const override { return modeledCosts(size_, kernel_.band); }

  int halfBandwidth() const { return kernel_.band; }
  /// For a requested half-bandwidth, rounding included.
  static SolverCosts modeledCosts(int size, int halfBandwidth);

 private:
  BandView view();

  BandKernel kernel_;
  int size_;
  std::vector<int> order_;     // empty: natural
  std::vector<int> position_;  // inverse of order_
  std::vector<double> own_;
  std::span<double> values_;      // own_, or the caller's
  std::vector<double> factor_;    // columns of L D, after a band of zero columns that column 0 may read
  std::vector<double> inverse_;   // 1 / d_j after a band of zeros; 0 stands for a null pivot
  std::vector<double> diagonal_;  // shifted a_jj in the order of elimination, the scale of the pivots
  std::vector<double> work_;      // right-hand side in the order of elimination, a band of zeros on both sides
  std::vector<double> scaled_;    // D^-1 times the forward solution, a band of zeros in front
  std::vector<double> row_;       // scratch of the general kernel
};

}  // namespace tendril::solve
