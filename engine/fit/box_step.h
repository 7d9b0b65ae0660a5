// The step of a damped linear least-squares problem within a box.
#pragma once

#include <Eigen/Core>

namespace tendril::fit {

/// |R p + q|^2 + damping |scale p|^2 over a box around p = 0. `scale` > 0, so that there is one minimum.
struct DampedModel {
  Eigen::MatrixXd R;  ///< n x n, of a QR factorization of the Jacobian
  Eigen::VectorXd q, scale;
  double damping = 0;  ///< > 0
};

/// The minimum over lower <= p <= upper, where lower <= 0 <= upper, by an active set (Lawson and Hanson's idea for
/// bounds on both sides: Stark and Parker 1995).
Eigen::VectorXd boxStep(const DampedModel& model, const Eigen::VectorXd& lower, const Eigen::VectorXd& upper);

}  // namespace tendril::fit
