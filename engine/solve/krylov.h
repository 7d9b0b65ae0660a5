// Two Krylov methods for a matrix known by its products, with a preconditioner known by its solves: conjugate gradients
// where both are symmetric positive definite, restarted GMRES elsewhere. They give up early where they would not pay
// off.
#pragma once

#include <cmath>

#include "geometry/types.h"

namespace tendril::solve {

struct KrylovLimits {
  double accuracy = 1e-10;  ///< |b - A x| / |b| to reach
  int iterations = 100;     ///< at most; fewer where the progress so far promises less
  int patience = 4;         ///< iterations before that promise is trusted
};

struct KrylovOutcome {
  bool converged = false;
  bool indefinite = false;  ///< conjugate gradients met a direction of zero or negative curvature
  int iterations = 0;
  double residual = 1;  ///< relative, of the returned x
};

/// Keeps its vectors from call to call: warm calls of equal size allocate nothing.
class Krylov {
 public:
  /// Conjugate gradients from x = 0 (Hestenes and Stiefel 1952). `multiply(x, y)` sets y = A x, `precondition(r, z)`
  /// sets z = M^-1 r. Residual norms are |scale r| where `scale` has entries.
  template <class Multiply, class Precondition>
  KrylovOutcome conjugateGradients(const VectorX& b, const VectorX& scale, const KrylovLimits& limits,
                                   Multiply multiply, Precondition precondition, VectorX& x);

  /// Flexible GMRES from x = 0 with restarts (Saad 1993): the residual never grows. Rows of the system are weighted by
  /// `scale` where it has entries.
  template <class Multiply, class Precondition>
  KrylovOutcome gmres(const VectorX& b, const VectorX& scale, const KrylovLimits& limits, Multiply multiply,
                      Precondition precondition, VectorX& x);

 private:
  static constexpr int restart_ = 20;

  static double length(const VectorX& r, const VectorX& scale) {
    return scale.size() == 0 ? r.norm() : std::sqrt(r.cwiseProduct(scale).squaredNorm());
  }
  static bool hopeless(const KrylovOutcome& outcome, const KrylovLimits& limits) {
    if (!std::isfinite(outcome.residual)) return true;
    if (outcome.iterations < limits.patience) return false;
    const double perIteration = std::log(outcome.residual) / outcome.iterations;
    return !(perIteration < 0) || std::log(limits.accuracy) / perIteration > limits.iterations;
  }
  double rotate(int k);
  void addBasis(int count, VectorX& x);

  VectorX r_, z_, p_, product_;
  Eigen::MatrixXd basis_, directions_, hessenberg_;
  VectorX rotationCos_, rotationSin_, rhs_;
};

template <class Multiply, class Precondition>
KrylovOutcome Krylov::conjugateGradients(const VectorX& b, const VectorX& scale, const KrylovLimits& limits,
                                         Multiply multiply, Precondition precondition, VectorX& x) {
  KrylovOutcome out;
  const Eigen::Index n = b.size();
  r_ = b;
  z_.resize(n);
  product_.resize(n);
  x.setZero(n);
  const double start = length(b, scale);
  if (start == 0) {
    out.converged = true;
    out.residual = 0;
    return out;
  }
  precondition(r_, z_);
  p_ = z_;
  double rz = r_.dot(z_);
  while (out.iterations < limits.iterations) {
    multiply(p_, product_);
    const double curvature = p_.dot(product_);
    out.indefinite = !(curvature > 0) || !(rz > 0);
    if (out.indefinite) return out;
    const double alpha = rz / curvature;
    x += alpha * p_;
    r_ -= alpha * product_;
    ++out.iterations;
    out.residual = length(r_, scale) / start;
    out.converged = out.residual <= limits.accuracy;
    if (out.converged || hopeless(out, limits)) return out;
    precondition(r_, z_);
    const double before = rz;
    rz = r_.dot(z_);
    p_ = z_ + (rz / before) * p_;
  }
  return out;
}

template <class Multiply, class Precondition>
KrylovOutcome Krylov::gmres(const VectorX& b, const VectorX& scale, const KrylovLimits& limits, Multiply multiply,
                            Precondition precondition, VectorX& x) {
  KrylovOutcome out;
  const Eigen::Index n = b.size();
  basis_.resize(n, restart_ + 1);
  directions_.resize(n, restart_);
  hessenberg_.resize(restart_ + 1, restart_);
  rotationCos_.resize(restart_), rotationSin_.resize(restart_), rhs_.resize(restart_ + 1);
  r_.resize(n), z_.resize(n), product_.resize(n);
  x.setZero(n);
  const auto weigh = [&](VectorX& v) {
    if (scale.size() > 0) v.array() *= scale.array();
  };
  const double start = length(b, scale);
  if (start == 0) {
    out.converged = true;
    out.residual = 0;
    return out;
  }
  while (!out.converged && out.iterations < limits.iterations) {
    r_ = b;
    if (out.iterations > 0) {
      multiply(x, product_);
      r_ -= product_;
    }
    weigh(r_);
    const double norm = r_.norm();
    basis_.col(0) = r_ / norm;
    rhs_.setZero();
    rhs_[0] = norm;
    int k = 0;
    bool enough = false;
    while (!enough && k < restart_ && out.iterations < limits.iterations) {
      r_ = basis_.col(k);
      if (scale.size() > 0) r_.array() /= scale.array();  // the preconditioner applies to the unweighted rows
      precondition(r_, z_);
      directions_.col(k) = z_;
      multiply(z_, product_);
      weigh(product_);
      for (int j = 0; j <= k; ++j) {
        hessenberg_(j, k) = basis_.col(j).dot(product_);
        product_ -= hessenberg_(j, k) * basis_.col(j);
      }
      const double rest = product_.norm();
      hessenberg_(k + 1, k) = rest;
      if (rest > 0) basis_.col(k + 1) = product_ / rest;
      ++out.iterations;
      out.residual = rotate(k++) / start;
      out.converged = out.residual <= limits.accuracy;
      enough = out.converged || rest == 0 || hopeless(out, limits);
    }
    addBasis(k, x);
    if (enough) return out;
  }
  return out;
}

/// Reduces column k of the Hessenberg matrix to upper triangular form. Returns the norm of the residual.
inline double Krylov::rotate(int k) {
  for (int j = 0; j < k; ++j) {
    const double upper = hessenberg_(j, k), lower = hessenberg_(j + 1, k);
    hessenberg_(j, k) = rotationCos_[j] * upper + rotationSin_[j] * lower;
    hessenberg_(j + 1, k) = rotationCos_[j] * lower - rotationSin_[j] * upper;
  }
  const double upper = hessenberg_(k, k), lower = hessenberg_(k + 1, k), size = std::hypot(upper, lower);
  rotationCos_[k] = size > 0 ? upper / size : 1;
  rotationSin_[k] = size > 0 ? lower / size : 0;
  hessenberg_(k, k) = size;
  rhs_[k + 1] = -rotationSin_[k] * rhs_[k];
  rhs_[k] *= rotationCos_[k];
  return std::fabs(rhs_[k + 1]);
}

/// x += the combination of the first `count` directions that minimizes the residual.
inline void Krylov::addBasis(int count, VectorX& x) {
  for (int k = count - 1; k >= 0; --k) {
    double sum = rhs_[k];
    for (int j = k + 1; j < count; ++j) sum -= hessenberg_(k, j) * rhs_[j];
    rhs_[k] = hessenberg_(k, k) != 0 ? sum / hessenberg_(k, k) : 0;
    x += rhs_[k] * directions_.col(k);
  }
}

}  // namespace tendril::solve
