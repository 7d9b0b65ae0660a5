// Whether an equilibrium is unstable by divergence under loads that follow the motion, where no energy decides: an
// unsymmetric stiffness that drives some motion instead of resisting it.
#pragma once

#include <Eigen/Core>
#include <functional>

#include "geometry/types.h"

namespace tendril::solve {

/// Whether K x = lambda M x has a lambda of negative real part among its softest motions, by the method of Arnoldi
/// (1951): no damping stops such a motion. `solve` computes K^-1 b from b; `mass` is the diagonal of M, with entries >=
/// 0. Flutter, where lambda is complex with a positive real part, is not searched for.
bool diverges(const std::function<void(const VectorX& b, VectorX& x)>& solve, const VectorX& mass);

/// Real eigenvalues of a matrix below `bound` < 0.
int realBelow(double bound, const Eigen::MatrixXd& matrix);

}  // namespace tendril::solve
