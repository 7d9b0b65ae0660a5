#include "solve/woodbury.h"

#include <algorithm>
#include <cmath>

#include "solve/divergence.h"

namespace tendril::solve {

bool Woodbury::factor(LinearSolver& base, const BlockSum& blocks, std::span<const double> scale) {
  const std::size_t n = std::size_t(base.size());
  dofs_.assign(blocks.dofs().begin(), blocks.dofs().end());
  blocks.assemble(coupling_);
  influence_.assign(n * dofs_.size(), 0.0);
  for (std::size_t c = 0; c < dofs_.size(); ++c) {
    const std::span<double> column(influence_.data() + c * n, n);
    column[dofs_[c]] = 1;
    base.solve(column, column);
  }
  return factorCapacitance(scale);
}

/// LU with row pivoting, in place. S counts as singular when a pivot is round-off of its column's entries.
bool Woodbury::factorCapacitance(std::span<const double> weights) {
  const int k = int(dofs_.size());
  const std::size_t n = k > 0 ? influence_.size() / std::size_t(k) : 0;
  capacitance_.assign(std::size_t(k) * k, 0.0);
  pivotRow_.assign(k, 0);
  small_.assign(k, 0.0);
  rowScale_.assign(k, 1.0);
  for (int i = 0; i < k && !weights.empty(); ++i) rowScale_[i] = weights[dofs_[i]];
  columnScale_ = rowScale_;
  double* s = capacitance_.data();
  std::vector<double>& scale = small_;  // largest term in each column
  for (int j = 0; j < k; ++j) {
    scale[j] = 1;
    for (int i = 0; i < k; ++i) {
      double sum = i == j ? 1 : 0;
      for (int m = 0; m < k; ++m) {
        const double term = coupling_[std::size_t(i) * k + m] * influence_[std::size_t(j) * n + dofs_[m]];
        scale[j] = std::max(scale[j], std::fabs(term) * rowScale_[i] / columnScale_[j]);
        sum += term;
      }
      s[i * k + j] = sum;
    }
  }
  for (int j = 0; j < k; ++j) {
    int best = j;
    for (int i = j + 1; i < k; ++i)
      if (rowScale_[i] * std::fabs(s[i * k + j]) > rowScale_[best] * std::fabs(s[best * k + j])) best = i;
    pivotRow_[j] = best;
    if (best != j) std::swap_ranges(s + j * k, s + (j + 1) * k, s + best * k), std::swap(rowScale_[j], rowScale_[best]);
    const double pivot = std::fabs(s[j * k + j]) * rowScale_[j] / columnScale_[j];
    if (!(pivot > 1e-13 * scale[j]) || !std::isfinite(pivot)) return false;
    for (int i = j + 1; i < k; ++i) {
      const double l = s[i * k + j] /= s[j * k + j];
      for (int m = j + 1; m < k; ++m) s[i * k + m] -= l * s[j * k + m];
    }
  }
  return true;
}

// Where I + s K P^T Z is singular.
int Woodbury::crossings() const {
  const auto k = static_cast<Eigen::Index>(dofs_.size());
  if (k == 0) return 0;
  const auto n = static_cast<Eigen::Index>(influence_.size()) / k;
  Eigen::MatrixXd along(k, k);
  for (Eigen::Index j = 0; j < k; ++j) {
    for (Eigen::Index i = 0; i < k; ++i)
      along(i, j) = influence_[static_cast<std::size_t>(j * n + dofs_[static_cast<std::size_t>(i)])];
  }
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> coupling(
      coupling_.data(), k, k);
  return realBelow(-1, coupling * along);
}

void Woodbury::correct(std::span<double> x) {
  const int k = int(dofs_.size());
  const double* s = capacitance_.data();
  double* t = small_.data();
  for (int i = 0; i < k; ++i) {
    t[i] = 0;
    for (int m = 0; m < k; ++m) t[i] += coupling_[std::size_t(i) * k + m] * x[dofs_[m]];
  }
  for (int j = 0; j < k; ++j) std::swap(t[j], t[pivotRow_[j]]);
  for (int i = 1; i < k; ++i)
    for (int j = 0; j < i; ++j) t[i] -= s[i * k + j] * t[j];
  for (int i = k - 1; i >= 0; --i) {
    for (int j = i + 1; j < k; ++j) t[i] -= s[i * k + j] * t[j];
    t[i] /= s[i * k + i];
  }
  for (int c = 0; c < k; ++c) {
    const double* column = influence_.data() + std::size_t(c) * x.size();
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= t[c] * column[i];
  }
}

}  // namespace tendril::solve
