// A cubic spline through the knots of an unknown series, as what each knot counts at each time: it is linear in them.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tendril::fit {

/// Row i holds the weights of the knots' values at time `at[i]`: the spline is their sum. It goes through its knots, is
/// twice continuously differentiable, and its first two pieces are one cubic, as are its last two ("not-a-knot", de
/// Boor 2001, chapter IV), so that it reproduces every cubic and is of fourth order up to its ends. Three knots make a
/// parabola, two a line; outside of the knots it is constant. `knots`: two at least, increasing.
Eigen::MatrixXd splineWeights(const std::vector<double>& knots, const std::vector<double>& at);

}  // namespace tendril::fit
