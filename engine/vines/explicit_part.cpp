#include "vines/explicit_part.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <cmath>

#include "vines/joints.h"

namespace tendril::vines {
namespace {

constexpr int mostHalvings = 20;  // of a step, in search of one that is short enough
constexpr int refinements = 8;    // of the longest of these: to 0.3 %

/// By motions that the joints allow, of unit mass.
struct Reduced {
  MatrixX stiffness, damping, heldStiff, heldDamp;
};

Reduced reduced(const Chain& chain, const Actuation& actuation) {
  const Matrices m = matricesOf(chain, actuation);
  // With the square roots of masses for units, an orthonormal basis has unit mass.
  const VectorX unit = m.mass.cwiseSqrt().cwiseInverse();
  const MatrixX rows = jointRows(chain) * unit.asDiagonal();
  const Eigen::ColPivHouseholderQR<MatrixX> qr(rows.transpose());
  const auto n = m.mass.size(), free = n - qr.rank();
  const MatrixX Z = unit.asDiagonal() * MatrixX(MatrixX(qr.householderQ()).rightCols(free));
  const auto within = [&](const MatrixX& full) { return MatrixX(Z.transpose() * full * Z); };
  return {within(m.stiffness), within(m.damping), within(m.heldStiff), within(m.heldDamp)};
}

/// [1/s] at which small motions grow.
double exactGrowth(const Reduced& r) {
  const auto n = r.stiffness.rows();
  MatrixX A(2 * n, 2 * n);
  A << MatrixX::Zero(n, n), MatrixX::Identity(n, n), -r.stiffness, -r.damping;
  return Eigen::EigenSolver<MatrixX>(A, false).eigenvalues().real().maxCoeff();
}

constexpr double littleGrowth = 0.05;  // of amplitudes over a run, that is not worth a word

double growthOfSteps(const Reduced& r, double dt) {
  const auto n = r.stiffness.rows();
  const MatrixX one = MatrixX::Identity(n, n);
  const Eigen::LLT<MatrixX> program(one + dt * r.heldDamp + dt * dt * r.heldStiff);
  MatrixX A(2 * n, 2 * n);
  A.bottomLeftCorner(n, n) = program.solve(-dt * r.stiffness);
  A.bottomRightCorner(n, n) = program.solve(one - dt * (r.damping - r.heldDamp));
  A.topLeftCorner(n, n) = one + dt * A.bottomLeftCorner(n, n);
  A.topRightCorner(n, n) = dt * A.bottomRightCorner(n, n);
  return std::log(Eigen::EigenSolver<MatrixX>(A, false).eigenvalues().cwiseAbs().maxCoeff()) / dt;
}

}  // namespace

bool mayGrow(const Chain& chain, std::span<const BodySlopes> fields, double dt, double duration) {
  double most = 0;
  for (std::size_t b = 0; b < fields.size(); ++b) {
    const double mass = chain.bodyMass(static_cast<int>(b)), inertia = chain.bodyInertia(static_cast<int>(b));
    const Vec3 unit(1 / std::sqrt(mass), 1 / std::sqrt(mass), 1 / std::sqrt(inertia));
    const auto rest = [&](const Mat3& m) {
      const Mat3 left = m - implicitPart(m, mass, inertia);
      return (unit.asDiagonal() * left * unit.asDiagonal()).norm();
    };
    most = std::max(most, dt * rest(fields[b].stiffness) * dt + rest(fields[b].damping) * dt);
  }
  return most * duration > 0.5 * littleGrowth * dt;
}

std::optional<double> longestStep(const Chain& chain, const Actuation& actuation, double dt, double duration) {
  const Reduced r = reduced(chain, actuation);
  const auto grows = [&](double step, double beyond) {
    return (growthOfSteps(r, step) - beyond) * duration > littleGrowth;
  };
  if (!grows(dt, 0)) return std::nullopt;
  const double exact = std::max(0.0, exactGrowth(r));
  if (!grows(dt, exact)) return std::nullopt;
  double high = dt, low = 0.5 * dt;
  for (int k = 1; grows(low, exact); ++k, high = low, low *= 0.5) {
    if (k == mostHalvings) return 0;
  }
  for (int k = 0; k < refinements; ++k) {
    const double middle = 0.5 * (low + high);
    (grows(middle, exact) ? high : low) = middle;
  }
  return low;
}

}  // namespace tendril::vines
