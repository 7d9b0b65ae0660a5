// Fits of a series one knot after the other, along one run: each knot is found from the data after the knot before it
// up to its own time, from the state and the value that the knot before it left. This is how DisMech finds the natural
// curvatures of a filmed limb, frame by frame (Choi, Jing, Sabelhaus and Jawed 2024, Algorithm 1), with least squares
// in place of a descent with a rate to choose.
#pragma once

#include <functional>

#include "fit/least_squares.h"
#include "fit/plan.h"
#include "fit/plan_residuals.h"

namespace tendril::fit {

/// Knots that are found together: those of all unknown series at one time.
struct KnotGroup {
  double until = 0;           ///< [s] of the run: data up to here, after the group before, are theirs
  std::vector<int> unknowns;  ///< among the plan's
};

/// In the order of their times.
std::vector<KnotGroup> knotGroups(const Plan& plan);

/// Why a plan cannot be fitted so; empty where it can.
std::string whyNotSequential(const Plan& plan);

/// From the first group's values in `start` (positions) to all knots. `x`, `residuals` and `jacobian` are as minimize()
/// gives them for the whole plan; the Jacobian has what each group's data say of its own knots alone, by central
/// differences of its part of the run. A stop that is no minimum is that of the first group without one. `goOn`, of the
/// options, is asked with the groups that are done as iterations.
LeastSquaresResult searchSequentially(const Plan& plan, const PlanResiduals& residuals, const Eigen::VectorXd& start,
                                      const std::function<bool(const LeastSquaresState&)>& goOn);

}  // namespace tendril::fit
