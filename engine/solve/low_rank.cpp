// x = y - Z S^-1 K P^T y with y = A^-1 b, Z = A^-1 P and S = I + K P^T Z. K need not be invertible in this form.
#include "solve/low_rank.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tendril {

LowRankSolver::LowRankSolver(std::unique_ptr<LinearSolver> base) : base_(std::move(base)), slot_(base_->size(), -1) {}

void LowRankSolver::clear() {
  for (int dof : dofs_) slot_[dof] = -1;
  dofs_.clear();
  entries_.clear();
}

void LowRankSolver::add(std::span<const int> dofs, const Eigen::Ref<const Eigen::MatrixXd>& block) {
  for (int dof : dofs) {
    if (dof < 0 || slot_[dof] >= 0) continue;
    slot_[dof] = int(dofs_.size());
    dofs_.push_back(dof);
  }
  for (std::size_t j = 0; j < dofs.size(); ++j)
    for (std::size_t i = 0; i < dofs.size(); ++i)
      if (dofs[i] >= 0 && dofs[j] >= 0)
        entries_.push_back({slot_[dofs[i]], slot_[dofs[j]], block(Eigen::Index(i), Eigen::Index(j))});
}

Factorisation LowRankSolver::factor(double shift, std::span<const double> weights) {
  Factorisation outcome = base_->factor(shift, weights);
  const int k = rank(), n = size();
  factored_ = k;
  if (!outcome.ok || k == 0) return outcome;
  coupling_.assign(std::size_t(k) * k, 0.0);
  for (const Entry& entry : entries_) coupling_[std::size_t(entry.row) * k + entry.col] += entry.value;
  influence_.assign(std::size_t(n) * k, 0.0);
  for (int c = 0; c < k; ++c) {
    const std::span<double> column(influence_.data() + std::size_t(c) * n, n);
    column[dofs_[c]] = 1;
    base_->solve(column, column);
  }
  factorCapacitance();
  outcome.ok = regular_;
  return outcome;
}

/// LU with row pivoting, in place. S counts as singular when a pivot vanishes in round-off of its column's entries.
void LowRankSolver::factorCapacitance() {
  const int k = factored_, n = size();
  capacitance_.assign(std::size_t(k) * k, 0.0);
  pivotRow_.assign(k, 0);
  small_.assign(2 * std::size_t(k), 0.0);
  double* s = capacitance_.data();
  std::vector<double>& scale = small_;  // largest term that went into each column
  for (int j = 0; j < k; ++j) {
    scale[j] = 1;
    for (int i = 0; i < k; ++i) {
      double sum = i == j ? 1 : 0;
      for (int m = 0; m < k; ++m) {
        const double term = coupling_[std::size_t(i) * k + m] * influence_[std::size_t(j) * n + dofs_[m]];
        scale[j] = std::max(scale[j], std::fabs(term));
        sum += term;
      }
      s[i * k + j] = sum;
    }
  }
  regular_ = true;
  for (int j = 0; j < k; ++j) {
    int best = j;
    for (int i = j + 1; i < k; ++i)
      if (std::fabs(s[i * k + j]) > std::fabs(s[best * k + j])) best = i;
    pivotRow_[j] = best;
    if (best != j) std::swap_ranges(s + j * k, s + (j + 1) * k, s + best * k);
    if (!(std::fabs(s[j * k + j]) > 1e-13 * scale[j]) || !std::isfinite(s[j * k + j])) {
      regular_ = false;
      return;
    }
    for (int i = j + 1; i < k; ++i) {
      const double l = s[i * k + j] /= s[j * k + j];
      for (int m = j + 1; m < k; ++m) s[i * k + m] -= l * s[j * k + m];
    }
  }
}

void LowRankSolver::solve(std::span<const double> rhs, std::span<double> x) {
  base_->solve(rhs, x);
  const int k = factored_, n = size();
  if (k == 0) return;
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
    const double* column = influence_.data() + std::size_t(c) * n;
    for (int i = 0; i < n; ++i) x[i] -= t[c] * column[i];
  }
}

void LowRankSolver::multiply(std::span<const double> x, std::span<double> y) const {
  base_->multiply(x, y);
  for (const Entry& entry : entries_) y[dofs_[entry.row]] += entry.value * x[dofs_[entry.col]];
}

}  // namespace tendril
