// The largest eigenvalues of A x = theta S x with symmetric A and positive definite S, by our own factor of S, and how
// many eigenvalues lie beyond a number, by the inertia of a factor.
#pragma once

#include <memory>

#include "linear/blocks_of.h"
#include "solve/linear_solver.h"

namespace tendril::linear {

/// A symmetric matrix in a solver of its own; its lower triangle counts.
class Factored {
 public:
  explicit Factored(const Sparse& matrix);
  int negative() const { return factor_.negativePivots; }
  /// Positive definite, as far as round-off can tell.
  bool positive() const { return factor_.ok && factor_.negativePivots == 0 && factor_.nullPivots == 0; }
  bool regular() const { return factor_.ok && factor_.nullPivots == 0; }
  void solve(const double* rhs, double* x) const;
  int size() const { return size_; }

 private:
  int size_;
  std::unique_ptr<solve::LinearSolver> solver_;
  solve::Factorization factor_;
};

struct Eigenpairs {
  VectorX values;           ///< descending
  Eigen::MatrixXd vectors;  ///< columns, of length 1 by S
};

/// The `count` largest, or all where there are fewer. `factor`: of S. Throws NoEquations where they do not converge.
Eigenpairs largest(const Sparse& A, const Sparse& S, const Factored& factor, int count);

}  // namespace tendril::linear
