// A symmetric factor corrected for unsymmetric blocks on a few unknowns by the formula of Woodbury (1950): enough for
// one or two follower forces.
#pragma once

#include <span>
#include <vector>

#include "solve/blocks.h"
#include "solve/linear_solver.h"

namespace tendril::solve {

/// x = y - Z S^-1 K P^T y with y = A^-1 b, Z = A^-1 P and S = I + K P^T Z. K need not be invertible in this form.
class Woodbury {
 public:
  /// Prepares for A as factored by `base`; each touched unknown costs one solve. Rows are compared after scaling by
  /// `scale` where it has entries. False: the sum is singular.
  bool factor(LinearSolver& base, const BlockSum& blocks, std::span<const double> scale = {});

  /// From A^-1 b to (A + K)^-1 b, in place.
  void correct(std::span<double> x);

  /// How often A + s K is singular while s grows from 0 to 1: each time a real eigenvalue changes sign.
  int crossings() const;

 private:
  bool factorCapacitance(std::span<const double> scale);

  std::vector<int> dofs_;            // touched unknowns; k = their number
  std::vector<double> coupling_;     // K, k x k by rows
  std::vector<double> influence_;    // Z, size x k by columns
  std::vector<double> capacitance_;  // S by rows, then its LU factors
  std::vector<int> pivotRow_;
  std::vector<double> small_, rowScale_, columnScale_;
};

}  // namespace tendril::solve
