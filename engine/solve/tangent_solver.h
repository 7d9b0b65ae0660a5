// A Newton tangent: a symmetric matrix with its factor, plus unsymmetric blocks where loads follow the surface. It also
// decides when iterating with the last factor, or with the diagonal alone, costs less than factoring again.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "geometry/types.h"
#include "solve/blocks.h"
#include "solve/krylov.h"
#include "solve/linear_solver.h"
#include "solve/woodbury.h"

namespace tendril::solve {

/// Solves (A + K) x = b, where A is the wrapped solver's matrix and K the sum of the blocks. Without blocks it is the
/// wrapped solver. Blocks on a few unknowns use Woodbury's formula; many use GMRES with A's factor as the
/// preconditioner, to a relative residual of 1e-10 of the weighted rows.
class TangentSolver final : public LinearSolver {
 public:
  explicit TangentSolver(std::unique_ptr<LinearSolver> base);

  /// Factors that make rows comparable, such as forces and moments; 1 unless given.
  void weigh(const VectorX& scale) { scale_ = scale; }

  /// Removes all blocks. Memory is kept, so that a warm clear, add, factor and solve allocate nothing.
  void clear() { blocks_.clear(); }

  /// Adds block(i, j) at (dofs[i], dofs[j]); rows and columns of a negative DOF (a constrained one) are dropped. Blocks
  /// may overlap. Takes effect with the next factor() and at once in multiply() and approximate().
  void add(std::span<const int> dofs, const Eigen::Ref<const Eigen::MatrixXd>& block) { blocks_.add(dofs, block); }

  int size() const override { return base_->size(); }
  std::span<double> values() override { return base_->values(); }
  void keepValuesIn(std::span<double> memory) override { base_->keepValuesIn(memory); }
  int offset(int row, int col) const override { return base_->offset(row, col); }

  /// Pivot counts are those of the symmetric part; ok is also false if a few blocks make the matrix singular. A null
  /// pivot of the symmetric part pins its unknown even where a block would support it.
  Factorization factor(double shift, std::span<const double> weights) override;
  /// With many blocks and a matrix far from its symmetric part, this is the best of 100 iterations and not always
  /// exact.
  void solve(std::span<const double> rhs, std::span<double> x) override;
  void multiply(std::span<const double> x, std::span<double> y) const override;
  const char* kind() const override { return base_->kind(); }
  /// Of the wrapped solver alone.
  SolverCosts costs() const override { return base_->costs(); }

  /// Negative real eigenvalues of the last factored matrix, as its factorization shows: those of the wrapped solver,
  /// corrected by those that change sign while the blocks grow from zero. Many blocks are not accounted for.
  int pushes(const Factorization& f) const;

  /// Solves with the current values() and blocks to |scale (b - (A + K) x)| <= accuracy |scale b| (`scale` empty: 1),
  /// by iteration from the last unshifted factor since forget(), or from the diagonal where there is none and no
  /// blocks. False, with x undefined: factor() and solve() cost less, or A is not positive definite. Says nothing about
  /// pivots.
  bool approximate(const VectorX& b, const VectorX& scale, double accuracy, VectorX& x);

  /// Resets approximate(), so that later results do not depend on earlier ones.
  void forget();

  /// Number of unknowns that blocks touch.
  int rank() const { return blocks_.rank(); }
  const BlockSum& blocks() const { return blocks_; }

 private:
  enum class Preconditioner { none, diagonal, factor };

  void keepShift(double shift, std::span<const double> weights);
  bool invertDiagonal();
  int affordable() const;
  template <class Precondition>
  KrylovOutcome iterate(const VectorX& b, const VectorX& scale, const KrylovLimits& limits, Precondition precondition,
                        VectorX& x);

  std::unique_ptr<LinearSolver> base_;
  BlockSum blocks_;
  Woodbury woodbury_;
  Krylov krylov_;
  int mostCorrected_ = 60;  // touched unknowns for Woodbury's formula; each costs a solve in every factorization
  int corrected_ = 0;       // rank() at the last factor()
  Preconditioner kept_ = Preconditioner::diagonal;
  std::vector<int> diagonal_;  // offsets
  bool pinned_ = false;        // the last factor pinned unknowns
  bool shifted_ = false;       // the last factor belongs to A + shift_
  VectorX shift_, scale_, inverseDiagonal_, rhs_, x_, solvedFor_;
};

}  // namespace tendril::solve
