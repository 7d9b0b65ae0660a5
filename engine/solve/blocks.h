// Small dense blocks added to a symmetric matrix, which becomes unsymmetric: the Jacobians of follower forces, pressure
// and drag.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace tendril::solve {

/// sum_b P_b K_b P_b^T, where P_b selects block b's unknowns. clear() keeps the memory, so that refilling allocates
/// nothing.
class BlockSum {
 public:
  explicit BlockSum(int size) : slot_(size, -1) {}

  void clear();
  /// Adds block(i, j) at (dofs[i], dofs[j]); rows and columns of a negative DOF are dropped. Blocks may overlap.
  void add(std::span<const int> dofs, const Eigen::Ref<const Eigen::MatrixXd>& block);

  /// y += (sum of blocks) x.
  void multiplyAdd(std::span<const double> x, std::span<double> y) const;
  /// K by rows, rank() x rank(), on the touched unknowns.
  void assemble(std::vector<double>& coupling) const;

  /// f(row, column, value) for every entry of every block; entries of the same place add up.
  template <class F>
  void forEach(const F& f) const {
    const int* unknown = unknown_.data();
    const double* value = values_.data();
    for (const int width : width_) {
      for (int j = 0; j < width; ++j) {
        for (int i = 0; i < width; ++i) f(unknown[i], unknown[j], *value++);
      }
      unknown += width;
    }
  }

  bool empty() const { return dofs_.empty(); }
  /// Unknowns that the blocks touch, in order of first appearance.
  std::span<const int> dofs() const { return dofs_; }
  int rank() const { return int(dofs_.size()); }

 private:
  std::vector<int> slot_;  // index of each unknown in dofs_, or -1
  std::vector<int> dofs_;
  std::vector<int> width_;      // of each block, without its dropped rows
  std::vector<int> unknown_;    // of all blocks one after another
  std::vector<double> values_;  // by columns, block after block
};

}  // namespace tendril::solve
