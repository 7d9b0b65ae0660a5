// LDL^T of a sparse symmetric matrix without pivoting, the solver of nets, trees and shells: a left-looking supernodal
// factorization, that is, columns that share their rows are stored as dense panels and updated by small dense products.
#pragma once

#include <cstddef>
#include <vector>

#include "solve/block_matrix.h"
#include "solve/dense_kernels.h"
#include "solve/linear_solver.h"
#include "solve/ordering/ordering.h"
#include "solve/ordering/supernodes.h"

namespace tendril::solve {

class SparseLdlt final : public LinearSolver {
 public:
  /// `panels` must come from the same pattern. Throws std::length_error if the factor passes 2^31 entries.
  SparseLdlt(const Graph& graph, Supernodes panels);
  /// `order` is a fill-reducing order of all unknowns.
  SparseLdlt(const Graph& graph, std::span<const int> order) : SparseLdlt(graph, findSupernodes(graph, order)) {}

  int size() const override { return size_; }
  std::span<double> values() override { return matrix_.values(); }
  void keepValuesIn(std::span<double> memory) override { matrix_.keepValuesIn(memory); }
  int offset(int row, int col) const override { return matrix_.offset(position_[row], position_[col]); }
  Factorization factor(double shift, std::span<const double> weights) override;
  void solve(std::span<const double> rhs, std::span<double> x) override;
  void multiply(std::span<const double> x, std::span<double> y) const override;
  const char* kind() const override { return "sparse"; }
  SolverCosts costs() const override { return costs_; }

  /// Entries of the factor as stored, zeros inside panels included.
  std::size_t factorEntries() const { return panelStart_.back(); }
  /// Of a matrix with these panels, excluding its products.
  static SolverCosts modeledCosts(const Supernodes& panels);

 private:
  void gatherMatrix();
  void updateFrom(int source, int target, int begin, int end);
  void factorPanel(int s, class PivotRule& pivots);

  DensePanel densePanel(int s);

  const DenseKernels& kernels_;
  int size_;
  Supernodes panels_;
  std::vector<int> position_;  // of each unknown in panels_.order

  BlockMatrix matrix_;               // in the order of elimination
  std::vector<int> diagonalSlot_;    // of each position, in the matrix's values
  std::vector<std::size_t> target_;  // of the first entry of each block in factor_, block after block

  std::vector<std::size_t> panelStart_;  // panel s: height(s) x width(s) by columns, L D in its lower part
  std::vector<double> factor_;
  std::vector<double> inverse_;   // 1 / d_j, 0 for a null pivot
  std::vector<double> diagonal_;  // shifted a_jj

  std::vector<int> pending_;        // first source panel that still has to update each panel
  std::vector<int> nextPending_;    // the next in the same list
  std::vector<int> reached_;        // how far down the rows a source panel has been used
  std::vector<int> panelPosition_;  // row -> position in the rows of the panel under construction
  std::vector<int> relative_;       // positions of a source panel's rows in it
  std::vector<int> counting_;       // 0, 1, 2, ...
  std::vector<double> scaled_;      // a few rows of L
  std::vector<double> work_, gathered_;
  mutable std::vector<double> in_, out_;  // of a product, in the order of elimination
  SolverCosts costs_;
};

}  // namespace tendril::solve
