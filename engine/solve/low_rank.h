// A symmetric matrix plus a small unsymmetric block on a few unknowns, solved through the symmetric factor by the
// formula of Woodbury (1950). Follower forces need it: their Jacobian touches a handful of DOFs and is not symmetric.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "solve/linear_solver.h"

namespace tendril {

/// Solves (A + sum_b P_b K_b P_b^T) x = b, where A is the wrapped solver's matrix and P_b picks block b's unknowns.
/// Without blocks it is the wrapped solver. Meant for up to some tens of unknowns: each costs one solve per factor().
class LowRankSolver final : public LinearSolver {
 public:
  explicit LowRankSolver(std::unique_ptr<LinearSolver> base);

  /// Forgets all blocks. Memory is kept, so that a warm clear, add and factor allocate nothing.
  void clear();

  /// Adds block(i, j) at (dofs[i], dofs[j]); rows and columns of a negative DOF (a constrained one) are dropped. Blocks
  /// may overlap. Takes effect with the next factor() and at once in multiply().
  void add(std::span<const int> dofs, const Eigen::Ref<const Eigen::MatrixXd>& block);

  int size() const override { return base_->size(); }
  std::span<double> values() override { return base_->values(); }
  int offset(int row, int col) const override { return base_->offset(row, col); }

  /// Pivot counts are those of the symmetric part; ok is also false if the blocks make the matrix singular. A null
  /// pivot of the symmetric part pins its unknown even where a block would support it.
  Factorisation factor(double shift, std::span<const double> weights) override;
  void solve(std::span<const double> rhs, std::span<double> x) override;
  void multiply(std::span<const double> x, std::span<double> y) const override;
  const char* kind() const override { return base_->kind(); }
  /// Of the wrapped solver alone.
  double cost() const override { return base_->cost(); }

  /// Number of unknowns that blocks touch.
  int rank() const { return int(dofs_.size()); }

 private:
  void factorCapacitance();

  std::unique_ptr<LinearSolver> base_;
  std::vector<int> slot_;  // place of each unknown in dofs_, or -1
  std::vector<int> dofs_;  // unknowns that blocks touch, in order of first appearance

  struct Entry {
    int row, col;  // places in dofs_
    double value;
  };
  std::vector<Entry> entries_;

  // As of the last factor(), k = rank():
  int factored_ = 0;
  bool regular_ = true;
  std::vector<double> coupling_;     // K, k x k by rows
  std::vector<double> influence_;    // Z = A^-1 P, size x k by columns
  std::vector<double> capacitance_;  // S = I + K P^T Z by rows, then its LU factors
  std::vector<int> pivotRow_;
  std::vector<double> small_;
};

}  // namespace tendril
