// Small linear complementarity problems with unsymmetric matrices, as Coulomb friction produces: Lemke's pivoting,
// which finds a solution wherever contacts with friction have one.
#pragma once

#include <vector>

namespace tendril::solve {

/// z >= 0 with w = M z + q >= 0 and z . w = 0. Dense; scale rows and columns to about one.
class Complementarity {
 public:
  /// Sets all of M (size x size) and q to zero.
  void resize(int size);
  double& m(int row, int col) { return m_[static_cast<std::size_t>(row) * size_ + col]; }
  double& q(int row) { return q_[row]; }

  /// Lemke (1965) with the lexicographic rule against cycling. False: it ended in a ray, or after too many pivots.
  bool solve();

  const std::vector<double>& z() const { return z_; }

 private:
  double& at(int row, int col) { return table_[static_cast<std::size_t>(row) * width_ + col]; }
  void pivot(int row, int col);
  int leavingRow(int col);

  int size_ = 0, width_ = 0;
  std::vector<double> m_, q_, z_;
  std::vector<double> table_;  // w's columns, z's, the artificial one, right-hand side
  std::vector<int> basis_;     // column that is basic in each row
};

}  // namespace tendril::solve
