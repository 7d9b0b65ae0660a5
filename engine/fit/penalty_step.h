// The step of a quadratic model with linear constraints within a box, where constraints that cannot be met cost their
// violation.
#pragma once

#include <Eigen/Core>

namespace tendril::fit {

/// g.p + p.B p / 2 + weight * sum of violations, over lower <= p <= upper. Rows of A p + d shall not be positive, or,
/// of equations, be zero.
struct PenaltyModel {
  Eigen::MatrixXd B;  ///< n x n, symmetric and positive definite
  Eigen::VectorXd g;
  Eigen::MatrixXd A;  ///< m x n, m may be 0
  Eigen::VectorXd d;
  Eigen::Array<bool, Eigen::Dynamic, 1> equation;  ///< per row
  double weight = 1;                               ///< > 0
  Eigen::VectorXd lower, upper;                    ///< finite, lower <= upper; where they are equal, p is given
};

struct PenaltyStep {
  Eigen::VectorXd p;            ///< within the box, and on it where it is that close
  Eigen::VectorXd multipliers;  ///< of the rows, 0 to weight, of equations -weight to weight; +-weight where violated
  bool solved = false;          ///< to the accuracy of the numbers; else as far as it came
};

/// The minimum, by a primal-dual interior point method (Mehrotra 1992) on its smooth form: A p + d = s - t with
/// s, t >= 0, where s costs weight * s, and of equations t, too (Fletcher's l1 problem, 1985). Every such problem has a
/// minimum.
PenaltyStep penaltyStep(const PenaltyModel& model);

}  // namespace tendril::fit
