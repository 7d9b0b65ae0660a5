#include "solve/divergence.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <complex>

namespace tendril {
namespace {

constexpr int most = 40;         // motions looked at
constexpr double sure = 1e-3;    // what may be left of a motion, of its own size
constexpr double real = 1e-6;    // an imaginary part as small is none
constexpr double spent = 1e-12;  // of a vector: what is left lies in those before

}  // namespace

bool diverges(const std::function<void(const VectorX& b, VectorX& x)>& solve, const VectorX& mass) {
  const Eigen::Index n = mass.size(), steps = std::min<Eigen::Index>(most, n);
  const VectorX root = mass.cwiseSqrt();
  Eigen::MatrixXd basis(n, steps + 1), h = Eigen::MatrixXd::Zero(steps + 1, steps);
  VectorX b(n), x(n);
  // Any start will do that no symmetry has.
  for (Eigen::Index i = 0; i < n; ++i) b[i] = root[i] * (1 + std::sin(1 + 0.7 * static_cast<double>(i * i % 1009)));
  if (!(b.norm() > 0)) return false;
  basis.col(0) = b.normalized();
  Eigen::Index count = 0;
  double next = 0;
  while (count < steps) {
    b = root.cwiseProduct(basis.col(count));
    solve(b, x);
    x = root.cwiseProduct(x);
    if (!x.allFinite()) return false;
    const double size = x.norm();
    for (int twice = 0; twice < 2; ++twice) {
      const VectorX along = basis.leftCols(count + 1).transpose() * x;
      x -= basis.leftCols(count + 1) * along;
      h.col(count).head(count + 1) += along;
    }
    next = x.norm();
    h(count + 1, count) = next;
    ++count;
    if (!(next > spent * size)) break;
    basis.col(count) = x / next;
  }
  const Eigen::EigenSolver<Eigen::MatrixXd> found(h.topLeftCorner(count, count));
  if (found.info() != Eigen::Success) return false;
  const Eigen::MatrixXcd motions = found.eigenvectors();
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::complex<double> value = found.eigenvalues()[i];
    const double size = std::abs(value);
    if (!(value.real() < 0) || std::abs(value.imag()) > real * size) continue;
    if (next * std::abs(motions(count - 1, i)) <= sure * size * motions.col(i).norm()) return true;
  }
  return false;
}

int realBelow(double bound, const Eigen::MatrixXd& matrix) {
  const Eigen::EigenSolver<Eigen::MatrixXd> found(matrix, false);
  int count = 0;
  for (Eigen::Index i = 0; i < matrix.rows() && found.info() == Eigen::Success; ++i) {
    const std::complex<double> value = found.eigenvalues()[i];
    count += value.real() < bound && std::abs(value.imag()) <= real * std::abs(value);
  }
  return count;
}

}  // namespace tendril
