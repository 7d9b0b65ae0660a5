// Nonlinear least squares within bounds: Levenberg and Marquardt's method, whose damping follows how well the last
// model of the residuals foretold what a step does, which is a trust region without a stated radius. Each step is the
// exact minimum of the damped model within the bounds (fit/box_step.h).
#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>

namespace tendril::fit {

/// Residuals r(x), of which half the sum of squares (or of Huber's loss) is to become small.
class Residuals {
 public:
  virtual ~Residuals() = default;
  /// r at x and, unless null, its Jacobian dr_i/dx_j. False: there are none at x, and why() says why.
  virtual bool evaluate(const Eigen::VectorXd& x, Eigen::VectorXd& residuals, Eigen::MatrixXd* jacobian) = 0;
  virtual std::string why() const { return {}; }
};

/// Huber's loss of one residual, in its units: r^2/2 up to `threshold`, linear beyond.
double huberLoss(double residual, double threshold);
/// Its derivative over r: 1 up to the threshold.
double huberWeight(double residual, double threshold);

struct LeastSquaresState {
  int iterations = 0;  ///< accepted steps
  int trials = 0;      ///< points at which residuals were asked for
  int gaveUp = 0;      ///< of these, points without residuals, whose steps were shortened
  double cost = 0;
  const Eigen::VectorXd* x = nullptr;  ///< best so far
};

struct LeastSquaresOptions {
  Eigen::VectorXd lower, upper;  ///< bounds, which may be infinite; empty: none
  Eigen::VectorXd huber;         ///< a threshold for each residual, which may be infinite; empty: squares
  double decrease = 1e-9;        ///< stops where the model foretells a smaller share of the cost
  double step = 1e-8;            ///< or a smaller step beside x, both in units of the Jacobian's columns
  double gradient = 1e-8;        ///< or where residuals are as close to orthogonal to every free column (a cosine)
  int most = 200;                ///< iterations
  /// Asked before every trial; false stops with the best so far.
  std::function<bool(const LeastSquaresState&)> goOn;
};

enum class Stop {
  decrease,    ///< no step would make the cost smaller by a share that counts
  step,        ///< steps are too short to count
  gradient,    ///< residuals are orthogonal to what the unknowns can change
  iterations,  ///< the most that were allowed
  asked,       ///< goOn said no
  stationary,  ///< of objectives: the conditions of a minimum hold
  infeasible,  ///< of objectives: constraints are violated, and no step makes that less
  noStep,      ///< no step, however short, has residuals or a smaller cost
  noStart      ///< there are no residuals at the start
};

/// "the cost no longer falls", for people.
const char* wordsOf(Stop stop);
/// Whether the result is a minimum as far as the method can tell.
inline bool converged(Stop stop) {
  return stop == Stop::decrease || stop == Stop::step || stop == Stop::gradient || stop == Stop::stationary;
}

struct LeastSquaresResult {
  Stop stop = Stop::noStart;
  Eigen::VectorXd x;
  double cost = 0;            ///< sum of the losses: half of chi squared without outliers
  Eigen::VectorXd residuals;  ///< at x
  Eigen::MatrixXd jacobian;   ///< at x; empty where it could not be had
  int iterations = 0, trials = 0, gaveUp = 0;
  std::string reason;  ///< of the last point without residuals
};

/// From `start`, which is moved into the bounds. What `residuals` throws passes through.
LeastSquaresResult minimize(Residuals& residuals, const Eigen::VectorXd& start, const LeastSquaresOptions& options);

}  // namespace tendril::fit
