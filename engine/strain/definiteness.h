// Whether a tangent resists every motion that its closing rows allow: by the signs of pivots, which are those of the
// eigenvalues.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tendril {

enum class Stability { stable, neutral, unstable, unknown };

/// Of the symmetric part of the leading n x n block of `tangent`, whose further rows, if any, are gradients of what
/// stays zero; coordinates that are `held` do not move. `motion`: gets, if not stable, a motion that the tangent pushes
/// on or does not resist, its largest entry 1.
Stability stabilityOf(const Eigen::MatrixXd& tangent, int n, const std::vector<char>& held,
                      Eigen::VectorXd* motion = nullptr);

}  // namespace tendril
