// A symmetric matrix with a fixed pattern together with its LDL^T factor, and the rule that picks the storage: banded
// for rods, rings and chains, compressed columns with a fill-reducing order for nets and shells. Assembly adds straight
// into values() through offsets computed once: no triplets, no search, no allocation when warm.
#pragma once

#include <array>
#include <memory>
#include <span>

namespace tendril::solve {

/// Outcome of a factorization. `ok` is false only when the factor holds infinities or NaN; then solve() must not be
/// used.
struct Factorization {
  bool ok = false;
  /// Pivots d_j < 0. Not a failure: the caller decides whether an indefinite matrix needs a shift.
  int negativePivots = 0;
  /// Pivots that vanished in round-off, |d_j| <= 1e-13 |a_jj|. Each is treated as infinite, so that its unknown comes
  /// out as exactly zero: a null mode is pinned instead of failing.
  int nullPivots = 0;
  /// Smallest d_j / |a_jj| over all j, with a_jj the shifted diagonal: near 1 for a well supported structure, near 0 or
  /// negative close to and past buckling. Null pivots count with their original value. 1 if there are no unknowns.
  double lowestPivotRatio = 0;
};

/// Modeled times [ns], the same on every machine.
struct SolverCosts {
  double factor = 0, solve = 0, multiply = 0;
};

/// Symmetric A (size x size) with a pattern fixed at construction. Rows and columns are always in the caller's order;
/// any reordering is internal.
class LinearSolver {
 public:
  virtual ~LinearSolver() = default;

  /// Number of unknowns.
  virtual int size() const = 0;

  /// One triangle of A in the solver's own storage, zero at construction; the extra last slot, values()[trash()],
  /// collects contributions of constrained DOFs and is never read. The address changes only through keepValuesIn().
  virtual std::span<double> values() = 0;
  /// Makes values() use the caller's memory, of the same length, which must outlive the solver; its contents are kept.
  virtual void keepValuesIn(std::span<double> memory) = 0;
  int trash() { return int(values().size()) - 1; }

  /// Index into values() of entry (row, col) = (col, row); -1 if there is no slot. The pattern and the diagonal always
  /// have one; a band has more.
  virtual int offset(int row, int col) const = 0;

  /// Factors A + shift diag(weights); without weights the shift is relative, shift * mean |a_jj| on each diagonal
  /// entry. values() is unchanged. Allocates nothing.
  virtual Factorization factor(double shift, std::span<const double> weights) = 0;

  /// Solves with the last factor. `x` may be the same memory as `rhs`. Both have size() entries.
  virtual void solve(std::span<const double> rhs, std::span<double> x) = 0;

  /// y = A x with A = values(), unshifted. `y` must not overlap `x`.
  virtual void multiply(std::span<const double> x, std::span<double> y) const = 0;

  /// "band" or "sparse".
  virtual const char* kind() const = 0;

  virtual SolverCosts costs() const = 0;
  /// Of one factor and one solve: the cost by which the kind was chosen.
  double cost() const { return costs().factor + costs().solve; }
};

/// Chooses band or sparse storage, and the order, by modeled cost. `pattern` holds pairs (row, col) of nonzeros in any
/// triangle and with any repeats; the diagonal is implied. Every index must lie in [0, size).
std::unique_ptr<LinearSolver> makeLinearSolver(int size, std::span<const std::array<int, 2>> pattern);

/// The same with a given kind, each with its best order.
std::unique_ptr<LinearSolver> makeBandSolver(int size, std::span<const std::array<int, 2>> pattern);
std::unique_ptr<LinearSolver> makeSparseSolver(int size, std::span<const std::array<int, 2>> pattern);

}  // namespace tendril::solve
