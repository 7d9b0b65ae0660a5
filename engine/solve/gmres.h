// Generalised minimal residuals (Saad & Schultz 1986) for a matrix that is the unit matrix plus something modest: a
// symmetric factor serves as preconditioner where the tangent also has an unsymmetric part, as drag and pressure have.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

namespace tendril {

class Gmres {
 public:
  /// y = T x; both have the same size, y arrives with any values.
  using Operator = std::function<void(const Eigen::VectorXd& x, Eigen::VectorXd& y)>;

  /// Solves (I + T) x = b: x holds b on entry and the solution on return. Ends when the residual's norm is below
  /// `tolerance` times that of b, after `restarts` rounds of `dimension` steps at the latest; x is then the best found.
  /// Returns the number of applications of T. Allocates nothing when warm.
  int solve(const Operator& apply, double tolerance, Eigen::VectorXd& x);

  static constexpr int dimension = 120, restarts = 4;

 private:
  int round(const Operator& apply, double target, Eigen::VectorXd& x, double& norm);
  Eigen::VectorXd& basis(int j, Eigen::Index size);
  double rotate(int j);

  std::vector<Eigen::VectorXd> basis_;    // orthonormal directions
  std::vector<double> upper_;             // triangular factor of the Hessenberg matrix, dimension + 1 to a column
  std::vector<double> cosine_, sine_, g_; // rotations and the rotated right side
  Eigen::VectorXd residual_, work_, b_;
};

}  // namespace tendril
