#include "solve/allowed_motions.h"

#include <cmath>

namespace tendril::solve {

// By elimination with exchanges: each row gives one coordinate by the others.
Eigen::MatrixXd allowedMotions(Eigen::MatrixXd A, const std::vector<int>& free, int n, std::vector<int>* own) {
  if (own) own->clear();
  std::vector<char> given(free.size(), 0);
  std::vector<int> pivotRow, pivotCol;
  std::vector<char> used(static_cast<std::size_t>(A.rows()), 0);
  const double threshold = A.size() > 0 ? 1e-11 * A.cwiseAbs().maxCoeff() : 0;
  for (int step = 0; step < A.rows(); ++step) {
    double largest = threshold;
    int row = -1, col = -1;
    for (int r = 0; r < A.rows(); ++r) {
      for (std::size_t c = 0; c < free.size() && !used[static_cast<std::size_t>(r)]; ++c) {
        if (!given[c] && std::abs(A(r, free[c])) > largest)
          largest = std::abs(A(r, free[c])), row = r, col = static_cast<int>(c);
      }
    }
    if (row < 0) break;
    const int at = free[static_cast<std::size_t>(col)];
    A.row(row) /= A(row, at);
    for (int r = 0; r < A.rows(); ++r) {
      if (r != row && A(r, at) != 0) A.row(r) -= A(r, at) * A.row(row).eval();
    }
    used[static_cast<std::size_t>(row)] = given[static_cast<std::size_t>(col)] = 1;
    pivotRow.push_back(row), pivotCol.push_back(at);
  }
  Eigen::MatrixXd Z = Eigen::MatrixXd::Zero(n, static_cast<int>(free.size() - pivotRow.size()));
  int column = 0;
  for (std::size_t c = 0; c < free.size(); ++c) {
    if (given[c]) continue;
    Z(free[c], column) = 1;
    if (own) own->push_back(free[c]);
    for (std::size_t p = 0; p < pivotRow.size(); ++p) Z(pivotCol[p], column) = -A(pivotRow[p], free[c]);
    ++column;
  }
  return Z;
}

}  // namespace tendril::solve
