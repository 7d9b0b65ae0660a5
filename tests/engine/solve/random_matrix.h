// Patterns and repeatable random matrices for the linear solvers' tests. The generator is written out, so that native
// and WebAssembly builds test the same matrices.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "solve/linear_solver.h"

namespace tendril::test {

using Pattern = std::vector<std::array<int, 2>>;

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2654435769u + 88172645463325252u) {}

  /// Uniform in [-1, 1).
  double signedUnit() { return double(next() >> 11) / double(std::uint64_t(1) << 52) - 1; }
  int below(int bound) { return int(next() % std::uint64_t(bound)); }

 private:
  std::uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }
  std::uint64_t state_;
};

/// All pairs at most `band` apart; a closed ring couples the ends too.
inline Pattern bandPattern(int size, int band, bool closed = false) {
  Pattern pattern;
  for (int i = 0; i < size; ++i)
    for (int k = 0; k <= band; ++k)
      if (closed || i + k < size) pattern.push_back({i, (i + k) % size});
  return pattern;
}

/// Cliques of `block` unknowns per node and per edge; edges given as pairs of nodes.
inline Pattern networkPattern(std::span<const std::array<int, 2>> edges, int block) {
  Pattern pattern;
  for (const auto& [a, b] : edges)
    for (int i = 0; i < 2 * block; ++i)
      for (int j = 0; j < 2 * block; ++j) {
        const auto unknown = [&, a = a, b = b](int k) { return k < block ? a * block + k : b * block + k - block; };
        pattern.push_back({unknown(i), unknown(j)});
      }
  return pattern;
}

/// A random tree: each node hangs on an earlier one; node numbers are shuffled.
inline Pattern treeEdges(int nodes, Random& random) {
  std::vector<int> name(nodes);
  for (int i = 0; i < nodes; ++i) name[i] = i;
  for (int i = nodes - 1; i > 0; --i) std::swap(name[i], name[random.below(i + 1)]);
  Pattern edges;
  for (int i = 1; i < nodes; ++i) edges.push_back({name[random.below(i)], name[i]});
  return edges;
}

/// A side x side grid with its diagonals, as a shell's mesh has them.
inline Pattern gridEdges(int side) {
  Pattern edges;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      if (i + 1 < side) edges.push_back({i * side + j, (i + 1) * side + j});
      if (j + 1 < side) edges.push_back({i * side + j, i * side + j + 1});
      if (i + 1 < side && j + 1 < side) edges.push_back({i * side + j, (i + 1) * side + j + 1});
    }
  return edges;
}

/// Random entries on the pattern, symmetric; rows made diagonally dominant with positive diagonal, or with random
/// signs.
inline Eigen::MatrixXd randomMatrix(int size, const Pattern& pattern, Random& random, bool indefinite = false) {
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(size, size);
  for (const auto& [row, col] : pattern)
    if (row != col) a(row, col) = a(col, row) = random.signedUnit();
  for (int i = 0; i < size; ++i) {
    const double sign = indefinite && random.signedUnit() < 0 ? -1 : 1;
    a(i, i) = sign * (1.1 * a.col(i).cwiseAbs().sum() + 0.1);
  }
  return a;
}

/// Writes a dense matrix's lower triangle through offset(), as assembly does. Entries without a slot must be zero.
inline void fill(solve::LinearSolver& solver, const Eigen::MatrixXd& a) {
  for (double& value : solver.values()) value = 0;
  for (int i = 0; i < a.rows(); ++i)
    for (int j = 0; j <= i; ++j) {
      const int slot = solver.offset(i, j);
      if (slot >= 0) solver.values()[slot] += a(i, j);
    }
}

inline Eigen::VectorXd randomVector(int size, Random& random) {
  Eigen::VectorXd x(size);
  for (double& value : x) value = random.signedUnit();
  return x;
}

inline Eigen::VectorXd solved(solve::LinearSolver& solver, const Eigen::VectorXd& rhs) {
  Eigen::VectorXd x(rhs.size());
  solver.solve({rhs.data(), size_t(rhs.size())}, {x.data(), size_t(x.size())});
  return x;
}

}  // namespace tendril::test
