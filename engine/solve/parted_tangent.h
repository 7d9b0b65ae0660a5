// The tangent of a system of parts that share no unknowns: each part has its own solver, with the order and storage
// that it would have alone, and all of them share one block of memory.
#pragma once

#include <memory>
#include <vector>

#include "solve/tangent_solver.h"

namespace tendril::solve {

/// Partition of the unknowns: `of[i]` is the part of unknown i, `local[i]` its index there, `unknowns[p]` ascending.
struct Partition {
  std::vector<int> of, local;
  std::vector<std::vector<int>> unknowns;
  int count() const { return static_cast<int>(unknowns.size()); }
};

/// Unknowns that `pattern` couples, directly or through others, are in one part; parts in the order of their first
/// unknowns. Without unknowns there is one empty part.
Partition partition(int size, std::span<const std::array<int, 2>> pattern);

class PartedTangent {
 public:
  /// `pattern` as for makeLinearSolver. Throws std::length_error beyond 2^31 entries.
  PartedTangent(const Partition& parts, std::span<const std::array<int, 2>> pattern);

  int size() const { return static_cast<int>(parts_.of.size()); }
  /// Entries of all parts, then the trash; rows and columns in all that follows refer to the whole system.
  std::span<double> values() { return values_; }
  int trash() const { return static_cast<int>(values_.size()) - 1; }
  /// As LinearSolver::offset; -1 between parts.
  int offset(int row, int col) const;
  /// As TangentSolver::add; all unknowns of a block belong to one part.
  void add(std::span<const int> dofs, const Eigen::Ref<const Eigen::MatrixXd>& block);

  /// Clears entries and blocks of one part, or of all (-1).
  void clear(int part);
  TangentSolver& part(int p) { return *solvers_[p]; }
  const TangentSolver& part(int p) const { return *solvers_[p]; }
  const Partition& parts() const { return parts_; }

  /// y = A x for the whole system, unsymmetric blocks included.
  void multiply(const VectorX& x, VectorX& y) const;

 private:
  Partition parts_;
  std::vector<int> begin_;  // of the entries of each part in values_
  std::vector<double> values_;
  std::vector<std::unique_ptr<TangentSolver>> solvers_;
  std::vector<int> dofs_;
};

}  // namespace tendril::solve
