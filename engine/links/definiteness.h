// Whether a tangent resists every motion that its closing rows allow: by the signs of pivots, which are those of the
// eigenvalues.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tendril::links {

enum class Stability { stable, neutral, unstable, unknown };

/// Of the symmetric part of the leading n x n block of `tangent`, whose further rows, if any, are gradients of what
/// stays zero; coordinates that are `held` do not move. `motion`: gets, if not stable, a motion that the tangent pushes
/// on or does not resist, its largest entry 1. `units`, 1 unless given: of the coordinates, in which they are
/// comparable and the largest entry is 1.
Stability stabilityOf(const Eigen::MatrixXd& tangent, int n, const std::vector<char>& held,
                      Eigen::VectorXd* motion = nullptr, const Eigen::VectorXd& units = {});

}  // namespace tendril::links
