#include "linear/pencil.h"

#include <Spectra/SymGEigsSolver.h>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <vector>

namespace tendril::linear {
namespace {

constexpr int fewUnknowns = 250;  // up to here all eigenvalues of dense matrices cost less than iterating

/// y = A x, as Spectra asks for it.
struct Product {
  using Scalar = double;
  const Sparse& matrix;
  Eigen::Index rows() const { return matrix.rows(); }
  Eigen::Index cols() const { return matrix.cols(); }
  void perform_op(const double* x, double* y) const {
    Eigen::Map<VectorX>(y, rows()) = matrix * Eigen::Map<const VectorX>(x, cols());
  }
};

/// y = S x and y = S^-1 x.
struct Metric {
  using Scalar = double;
  const Sparse& matrix;
  const Factored& factor;
  Eigen::Index rows() const { return matrix.rows(); }
  Eigen::Index cols() const { return matrix.cols(); }
  void perform_op(const double* x, double* y) const {
    Eigen::Map<VectorX>(y, rows()) = matrix * Eigen::Map<const VectorX>(x, cols());
  }
  void solve(const double* x, double* y) const { factor.solve(x, y); }
};

Eigenpairs allOf(const Sparse& A, const Sparse& S, int count) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver{Eigen::MatrixXd(A), Eigen::MatrixXd(S)};
  if (solver.info() != Eigen::Success) throw model::NoEquations("the eigenvalues did not converge");
  Eigenpairs out;
  out.values = solver.eigenvalues().tail(count).reverse();
  out.vectors = solver.eigenvectors().rightCols(count).rowwise().reverse();
  return out;
}

}  // namespace

Factored::Factored(const Sparse& matrix) : size_(static_cast<int>(matrix.rows())) {
  std::vector<std::array<int, 2>> pattern;
  for (int c = 0; c < size_; ++c) {
    for (Sparse::InnerIterator it(matrix, c); it; ++it) {
      if (it.row() >= c) pattern.push_back({static_cast<int>(it.row()), c});
    }
  }
  solver_ = solve::makeLinearSolver(size_, pattern);
  const std::span<double> values = solver_->values();
  for (int c = 0; c < size_; ++c) {
    for (Sparse::InnerIterator it(matrix, c); it; ++it) {
      if (it.row() >= c) values[static_cast<std::size_t>(solver_->offset(static_cast<int>(it.row()), c))] = it.value();
    }
  }
  factor_ = solver_->factor(0, {});
}

void Factored::solve(const double* rhs, double* x) const {
  solver_->solve({rhs, static_cast<std::size_t>(size_)}, {x, static_cast<std::size_t>(size_)});
}

Eigenpairs largest(const Sparse& A, const Sparse& S, const Factored& factor, int count) {
  const int n = static_cast<int>(A.rows());
  count = std::min(count, n);
  if (n <= fewUnknowns || 2 * count >= n) return allOf(A, S, count);
  Product product{A};
  Metric metric{S, factor};
  for (int room = std::max(2 * count + 20, 60);; room *= 2) {
    const int size = std::min(room, n);
    Spectra::SymGEigsSolver<Product, Metric, Spectra::GEigsMode::RegularInverse> solver(product, metric, count, size);
    solver.init();
    solver.compute(Spectra::SortRule::LargestAlge, 300, 1e-13);
    if (solver.info() == Spectra::CompInfo::Successful) {
      Eigenpairs out;
      out.values = solver.eigenvalues();
      out.vectors = solver.eigenvectors();
      return out;
    }
    if (size == n || size > 16 * count + 500) throw model::NoEquations("the eigenvalues did not converge");
  }
}

}  // namespace tendril::linear
