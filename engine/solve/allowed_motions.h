// Motions that rows of constraints leave: closed loops of linkages, joints of vines.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tendril::solve {

/// A basis of the motions of `free` coordinates, of n, that keep all rows zero to first order, one per column. Rows
/// that say nothing new are passed over. `own`: gets the coordinate that each of them moves by 1, and the others not.
Eigen::MatrixXd allowedMotions(Eigen::MatrixXd rows, const std::vector<int>& free, int n,
                               std::vector<int>* own = nullptr);

}  // namespace tendril::solve
