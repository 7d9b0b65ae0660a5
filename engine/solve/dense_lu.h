// LU factors of a dense matrix, with pivoting by rows or by rows and columns, its rank and one vector of its null
// space. Plain loops: for the few hundred unknowns of closed chains, and small in the WebAssembly module.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tendril::solve {

class DenseLu {
 public:
  enum class Pivots {
    rows,  ///< the largest of the column: for matrices known to be regular
    all    ///< the largest of all remaining entries: reveals the rank
  };

  DenseLu() = default;
  DenseLu(const Eigen::MatrixXd& a, Pivots pivots, double threshold = 0, const Eigen::VectorXd& weights = {}) {
    factor(a, pivots, threshold, weights);
  }

  /// Factors the square matrix `a`. With Pivots::all it ends where no remaining entry is larger than `threshold` times
  /// the first pivot (0: the machine precision times the number of rows). `weights` make rows of different units
  /// comparable, in the choice of pivots only.
  void factor(const Eigen::MatrixXd& a, Pivots pivots, double threshold = 0, const Eigen::VectorXd& weights = {});

  int size() const { return size_; }
  /// Pivots that are neither zero nor, with Pivots::all, below the threshold.
  int rank() const { return rank_; }
  /// All pivots exist and all factors are finite.
  bool regular() const { return rank_ == size_ && finite_; }

  /// x with a x = b. After Pivots::all and rank() < size() the unknowns without a pivot are zero, and equations without
  /// one are ignored.
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

  /// After Pivots::all and rank() < size(): a nonzero x with a x = 0.
  Eigen::VectorXd kernel() const;

 private:
  double& at(int row, int col) { return lu_[static_cast<std::size_t>(col) * size_ + row]; }
  double at(int row, int col) const { return lu_[static_cast<std::size_t>(col) * size_ + row]; }
  void bring(int row, int col, int to);
  void eliminate(int step);
  void backwards(std::vector<double>& x) const;

  int size_ = 0, rank_ = 0;
  bool finite_ = true;
  std::vector<double> lu_;        // by columns: L below its unit diagonal, U on and above
  std::vector<int> rows_, cols_;  // row and column of `a` at each position
};

}  // namespace tendril::solve
