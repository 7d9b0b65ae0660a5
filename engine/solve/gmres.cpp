#include "solve/gmres.h"

#include <cmath>

namespace tendril {

Eigen::VectorXd& Gmres::basis(int j, Eigen::Index size) {
  if (static_cast<int>(basis_.size()) <= j) basis_.resize(static_cast<std::size_t>(j) + 1);
  basis_[j].resize(size);
  return basis_[j];
}

// Applies the old rotations to column j, adds the one that removes its last entry; returns the new residual's norm.
double Gmres::rotate(int j) {
  double* h = upper_.data() + static_cast<std::size_t>(j) * (dimension + 1);
  for (int i = 0; i < j; ++i) {
    const double a = h[i], b = h[i + 1];
    h[i] = cosine_[i] * a + sine_[i] * b;
    h[i + 1] = cosine_[i] * b - sine_[i] * a;
  }
  const double length = std::hypot(h[j], h[j + 1]);
  cosine_[j] = length > 0 ? h[j] / length : 1;
  sine_[j] = length > 0 ? h[j + 1] / length : 0;
  h[j] = length;
  g_[j + 1] = -sine_[j] * g_[j];
  g_[j] *= cosine_[j];
  return std::abs(g_[j + 1]);
}

// residual_ holds the residual of x and `norm` its size; improves x.
int Gmres::round(const Operator& apply, double target, Eigen::VectorXd& x, double& norm) {
  const Eigen::Index n = x.size();
  basis(0, n) = residual_ / norm;
  g_[0] = norm;
  int steps = 0;
  while (steps < dimension && norm > target) {
    const int j = steps++;
    apply(basis_[j], work_);
    work_ += basis_[j];
    double* h = upper_.data() + static_cast<std::size_t>(j) * (dimension + 1);
    for (int i = 0; i <= j; ++i) {
      h[i] = basis_[i].dot(work_);
      work_ -= h[i] * basis_[i];
    }
    h[j + 1] = work_.norm();
    const bool exhausted = !(h[j + 1] > 1e-15 * norm);
    if (!exhausted) basis(j + 1, n) = work_ / h[j + 1];
    norm = rotate(j);
    if (exhausted) break;
  }
  for (int j = steps - 1; j >= 0; --j) {
    const auto at = [&](int row, int column) { return upper_[static_cast<std::size_t>(column) * (dimension + 1) + row]; };
    for (int k = j + 1; k < steps; ++k) g_[j] -= at(j, k) * g_[k];
    g_[j] = at(j, j) != 0 ? g_[j] / at(j, j) : 0;
    x += g_[j] * basis_[j];
  }
  return steps;
}

int Gmres::solve(const Operator& apply, double tolerance, Eigen::VectorXd& x) {
  upper_.resize(static_cast<std::size_t>(dimension) * (dimension + 1));
  cosine_.resize(dimension), sine_.resize(dimension), g_.resize(dimension + 1);
  b_ = x;
  const double target = tolerance * b_.norm();
  int steps = 0;
  x.setZero();
  residual_ = b_;
  double norm = b_.norm();
  work_.resize(x.size());
  for (int i = 0; i < restarts && norm > target && std::isfinite(norm); ++i) {
    steps += round(apply, target, x, norm);
    if (norm <= target) break;
    apply(x, work_);
    ++steps;
    residual_ = b_ - x - work_;
    norm = residual_.norm();
  }
  return steps;
}

}  // namespace tendril
