// What residuals and their Jacobian at a minimum say about the unknowns: standard errors, correlations, and which
// combinations of unknowns the data cannot tell.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tendril::fit {

struct MinimumSample {
  Eigen::MatrixXd jacobian;   ///< of all residuals
  Eigen::VectorXd residuals;  ///< data first, priors after them
  Eigen::Index data = 0;      ///< number of residuals that are of data
  Eigen::VectorXd huber;      ///< thresholds, or empty
  Eigen::VectorXd range;      ///< of each unknown, from bound to bound
  std::vector<bool> free;     ///< false: at a bound that holds it
  bool knownVariance = true;  ///< residuals are in units of their standard deviations; else these are estimated
};

/// A combination of unknowns, each counted in its range.
struct Direction {
  double singularValue = 0;     ///< how many standard deviations all data together move by it, over its whole range
  Eigen::VectorXd combination;  ///< of length 1, its largest entry positive
  double standardError = 0;     ///< share of the range; infinite where nothing moves
  bool told = true;             ///< by the data alone
};

struct Uncertainty {
  double variance = 1;  ///< of a residual: 1 where it is known
  Eigen::VectorXd
      standardError;            ///< of each unknown, in its units; NaN where a bound holds it, infinite where not told
  Eigen::MatrixXd correlation;  ///< NaN with those
  std::vector<Direction> directions;  ///< of the data alone, without priors and bounds; the best told first
  std::vector<bool> identifiable;     ///< by the data alone
};

/// Data tell an unknown where the interval of two standard errors to each side is shorter than its range.
inline constexpr double leastTold = 0.25;

/// Covariance of least squares, s^2 (J^T J)^-1; of Huber's loss, of an M-estimator, A^-1 B A^-1 with the mean of psi'
/// in A and that of psi^2 in B (Huber 1981, section 7.6). Both to first order about the minimum.
Uncertainty uncertaintyOf(const MinimumSample& sample);

}  // namespace tendril::fit
