// Minima of a function within bounds, subject to constraints, by sequential quadratic programming: Fletcher's Sl1QP
// (Practical Methods of Optimization, 1987, chapter 14). Each step is the minimum of a quadratic model of the
// Lagrangian (BFGS with Powell's damping), with the constraints made linear and their violation as a penalty, within a
// trust region that is a box like the bounds (fit/penalty_step.h). The penalty grows where steps do not lead towards
// what is allowed (Byrd, Nocedal and Waltz 2008), and steps that constraints bend away are corrected to second order.
//
// What counts as small does not depend on units: x is counted in the widths of its bounds, the objective and each
// constraint in their largest gradient by these.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "fit/least_squares.h"

namespace tendril::fit {

/// An objective f(x) and constraints c(x), with their derivatives where these were asked for.
struct ObjectiveValues {
  double objective = 0;
  Eigen::VectorXd constraints;  ///< m
  Eigen::VectorXd gradient;     ///< df/dx_j
  Eigen::MatrixXd jacobian;     ///< m x n: dc_i/dx_j
};

class ConstrainedProblem {
 public:
  virtual ~ConstrainedProblem() = default;
  /// False: there are no values at x, and why() says why.
  virtual bool evaluate(const Eigen::VectorXd& x, ObjectiveValues& out, bool slopes) = 0;
  virtual std::string why() const { return {}; }
};

struct SqpState {
  int iterations = 0, trials = 0, gaveUp = 0;  ///< as of LeastSquaresState
  double objective = 0;                        ///< at the best x so far
  double violation = 0;                        ///< there: the largest, as in Optimality
};

/// Where a search was after an accepted step.
struct SqpPoint {
  double objective = 0, violation = 0;
};

/// Largest gradients so far, by which objective and constraints are counted.
struct SqpScales {
  double objective = 0;
  Eigen::VectorXd constraints;
};

struct SqpOptions {
  Eigen::VectorXd lower, upper;                      ///< of x: finite, lower < upper
  Eigen::VectorXd constraintLower, constraintUpper;  ///< of c: infinite where there is none, the same for an equation
  double stationarity = 1e-6, violation = 1e-8;      ///< that end a search, as in Optimality
  double step = 1e-10;                               ///< shares of the widths of the bounds that do not count
  double noise = 1e-9;  ///< changes of the objective, over its largest gradient, that may be errors of evaluation
  SqpScales scales;     ///< of an earlier part of the search; may be empty
  int most = 300;       ///< iterations
  std::function<bool(const SqpState&)> goOn;  ///< asked before every trial; false stops with the best so far
};

/// The conditions of Karush, Kuhn and Tucker at x.
struct Optimality {
  /// Of the Lagrangian f + sum of multiplier_i c_i: positive where an upper bound of c_i holds x back, negative where a
  /// lower one does; how much f falls per unit by which that bound is moved outwards. In units of f over those of c_i.
  Eigen::VectorXd multipliers;
  Eigen::VectorXd boundMultipliers;  ///< the same of the bounds of x: 0 where none is active
  /// Length of the step, in widths of the bounds, that the gradient of f at a scale of 1 would take within the
  /// constraints made linear: 0 where the conditions hold.
  double stationarity = 0;
  double violation = 0;  ///< the largest over constraints of what is outside over the largest gradient of c_i: how far,
                         ///< in widths of the bounds, x is from where that constraint holds
};

/// `values` with derivatives, at x; with the scales of the options, and those of the values where they are larger.
Optimality optimalityAt(const ObjectiveValues& values, const Eigen::VectorXd& x, const SqpOptions& options);

struct SqpResult {
  Stop stop = Stop::noStart;
  Eigen::VectorXd x;
  ObjectiveValues values;  ///< at x; without derivatives where these could not be had
  Optimality optimality;   ///< at x; empty without derivatives
  SqpScales scales;
  std::vector<SqpPoint> history;  ///< the start first, then after every accepted step
  int iterations = 0, trials = 0, gaveUp = 0;
  std::string reason;  ///< of the last point without values
};

/// From `start`, which is moved into the bounds. What `problem` throws passes through. Stop::infeasible: no step makes
/// the violation smaller, to first order, which is where the constraints contradict each other or the start led into a
/// place of that kind.
SqpResult minimize(ConstrainedProblem& problem, const Eigen::VectorXd& start, const SqpOptions& options);

}  // namespace tendril::fit
