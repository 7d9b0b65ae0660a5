// Whether an equilibrium gives way where loads follow the motion, so that no energy tells: an unsymmetric stiffness that
// pushes on some motion instead of resisting it.
#pragma once

#include <Eigen/Core>
#include <functional>

#include "geometry/types.h"

namespace tendril::solve {

/// Whether K x = lambda M x has a lambda of negative real part among its softest motions, by the method of Arnoldi (1951):
/// no damping holds such a motion, which grows however it turns about. `solve` makes K^-1 b of b; `mass` is the diagonal of
/// M, of entries >= 0. Flutter, where lambda is complex with a positive real part, is not looked for.
bool diverges(const std::function<void(const VectorX& b, VectorX& x)>& solve, const VectorX& mass);

/// Real eigenvalues of a matrix below `bound` < 0.
int realBelow(double bound, const Eigen::MatrixXd& matrix);

}  // namespace tendril::solve
