// Mechanical systems of a few unknowns for tests of Newton and of the integrators: unit masses in a potential U(q).
#pragma once

#include <Eigen/LU>
#include <functional>

#include "solve/mechanical_system.h"

namespace tendril::test {

class SmallSystem : public solve::MechanicalSystem {
 public:
  explicit SmallSystem(int n) : n_(n) {}

  /// Potential, its gradient and Hessian; null potential: a residual without one.
  std::function<double(const VectorX&)> potential;
  std::function<VectorX(const VectorX&)> gradient;
  std::function<Eigen::MatrixXd(const VectorX&)> hessian;
  double forceScale = 1;  ///< what the stop rule compares with
  int factorizations = 0;

  int size() const override { return n_; }
  void retract(const VectorX& q0, const VectorX& dq, double factor, VectorX& q) const override { q = q0 + factor * dq; }

  solve::Evaluation evaluate(const solve::Motion& m, const solve::Rates& rates, solve::Level level,
                             VectorX& r) override {
    solve::Evaluation out;
    const VectorX g = gradient(m.q);
    r = g + m.a;
    out.forceScale = forceScale;
    out.hasPotential = static_cast<bool>(potential);
    if (potential) {
      const double kinetic = rates.a > 0 ? 0.5 / rates.a * m.a.squaredNorm() : 0;
      out.potential = potential(m.q) + kinetic;
      out.magnitude = std::max(std::abs(potential(m.q)), kinetic);
    }
    if (level == solve::Level::tangent) {
      tangent_ = hessian(m.q) + rates.a * Eigen::MatrixXd::Identity(n_, n_);
    }
    return out;
  }

  solve::Factorization factor(double shift) override {
    ++factorizations;
    Eigen::MatrixXd a = tangent_;
    a.diagonal().array() += shift * tangent_.diagonal().cwiseAbs().mean();
    lu_.compute(a);
    // Signs of the pivots of an LDL^T without pivoting: ratios of leading minors.
    solve::Factorization f;
    f.ok = a.allFinite();
    f.lowestPivotRatio = 1;
    double before = 1;
    for (int k = 1; k <= n_; ++k) {
      const double minor = a.topLeftCorner(k, k).determinant(), pivot = minor / before;
      if (pivot <= 0) ++f.negativePivots;  // a vanished one is no direction either
      f.lowestPivotRatio = std::min(f.lowestPivotRatio, pivot / std::abs(a(k - 1, k - 1)));
      before = minor;
    }
    return f;
  }
  void solve(const VectorX& rhs, VectorX& x) override { x = lu_.solve(rhs); }
  double residualNorm(const VectorX& r) const override { return r.norm(); }
  double updateNorm(const VectorX& dq) const override { return dq.norm(); }
  double extent() const override { return 1; }

 private:
  int n_;
  Eigen::MatrixXd tangent_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

}  // namespace tendril::test
