#include "solve/dense_lu.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tendril::solve {

void DenseLu::factor(const Eigen::MatrixXd& a, Pivots pivots, double threshold, const Eigen::VectorXd& weights) {
  const int n = size_ = static_cast<int>(a.rows());
  lu_.assign(a.data(), a.data() + a.size());
  rows_.resize(static_cast<std::size_t>(n)), cols_.resize(static_cast<std::size_t>(n));
  std::iota(rows_.begin(), rows_.end(), 0), std::iota(cols_.begin(), cols_.end(), 0);
  if (threshold == 0) threshold = n * std::numeric_limits<double>::epsilon();
  rank_ = 0, finite_ = true;
  double least = 0;  // pivots must be larger
  for (int k = 0; k < n; ++k) {
    int row = k, col = k;
    double largest = 0;
    const int last = pivots == Pivots::all ? n : k + 1;
    for (int j = k; j < last; ++j) {
      const double* entries = &at(0, j);
      for (int i = k; i < n; ++i) {
        const double size = weights.size() == 0 ? std::abs(entries[i]) : weights[rows_[i]] * std::abs(entries[i]);
        if (size > largest) largest = size, row = i, col = j;
      }
    }
    if (k == 0 && pivots == Pivots::all) least = threshold * largest;
    if (largest > least) {
      bring(row, col, k);
      eliminate(k);
      ++rank_;
    } else if (pivots == Pivots::all) {
      break;
    }
  }
  for (const double x : lu_) finite_ = finite_ && std::isfinite(x);
}

void DenseLu::bring(int row, int col, int to) {
  if (row != to) {
    for (int j = 0; j < size_; ++j) std::swap(at(row, j), at(to, j));
    std::swap(rows_[row], rows_[to]);
  }
  if (col != to) {
    std::swap_ranges(&at(0, col), &at(0, col) + size_, &at(0, to));
    std::swap(cols_[col], cols_[to]);
  }
}

void DenseLu::eliminate(int step) {
  double* factors = &at(0, step);
  const double pivot = factors[step];
  for (int i = step + 1; i < size_; ++i) factors[i] /= pivot;
  for (int j = step + 1; j < size_; ++j) {
    double* entries = &at(0, j);
    const double u = entries[step];
    if (u == 0) continue;
    for (int i = step + 1; i < size_; ++i) entries[i] -= u * factors[i];
  }
}

// x = U^-1 x in the leading rows; rows beyond the rank are left as they are.
void DenseLu::backwards(std::vector<double>& x) const {
  for (int k = rank_ - 1; k >= 0; --k) {
    x[k] /= at(k, k);
    for (int i = 0; i < k; ++i) x[i] -= at(i, k) * x[k];
  }
}

Eigen::VectorXd DenseLu::solve(const Eigen::VectorXd& b) const {
  std::vector<double> x(static_cast<std::size_t>(size_));
  for (int i = 0; i < size_; ++i) x[i] = b[rows_[i]];
  for (int k = 0; k < rank_; ++k) {
    for (int i = k + 1; i < size_; ++i) x[i] -= at(i, k) * x[k];
  }
  backwards(x);
  Eigen::VectorXd out(size_);
  for (int i = 0; i < size_; ++i) out[cols_[i]] = i < rank_ ? x[i] : 0;
  return out;
}

// The first unknown without a pivot is set to one, and those with a pivot follow.
Eigen::VectorXd DenseLu::kernel() const {
  std::vector<double> x(static_cast<std::size_t>(size_), 0.0);
  for (int i = 0; i < rank_; ++i) x[i] = -at(i, rank_);
  x[rank_] = 1;
  backwards(x);
  Eigen::VectorXd out(size_);
  for (int i = 0; i < size_; ++i) out[cols_[i]] = x[i];
  return out;
}

}  // namespace tendril::solve
