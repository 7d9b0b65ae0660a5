#include "solve/divergence.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

namespace tendril::solve {
namespace {

constexpr int most = 40;         // motions examined
constexpr double sure = 1e-3;    // residual allowed for a motion, relative to its size
constexpr double real = 1e-6;    // imaginary parts below this count as zero
constexpr double spent = 1e-12;  // relative size of a vector that depends on the earlier ones

using Eigenvalue = std::complex<double>;

// Eigenvalues of a real Schur form.
std::vector<Eigenvalue> eigenvaluesOf(const Eigen::MatrixXd& t) {
  std::vector<Eigenvalue> out;
  for (Eigen::Index i = 0; i < t.rows(); ++i) {
    if (i + 1 == t.rows() || t(i + 1, i) == 0) {
      out.emplace_back(t(i, i));
      continue;
    }
    const double mean = 0.5 * (t(i, i) + t(i + 1, i + 1)), half = 0.5 * (t(i, i) - t(i + 1, i + 1));
    const Eigenvalue apart = std::sqrt(Eigenvalue(half * half + t(i, i + 1) * t(i + 1, i)));
    out.push_back(mean + apart), out.push_back(mean - apart);
    ++i;
  }
  return out;
}

// Last component of an eigenvector of the leading part of a Hessenberg matrix over its length, from the rows below the
// first (Hyman).
double lastShare(const Eigen::MatrixXd& h, Eigen::Index count, Eigenvalue value) {
  std::vector<Eigenvalue> v(static_cast<std::size_t>(count));
  v.back() = 1;
  double square = 1;
  for (Eigen::Index i = count - 1; i > 0; --i) {
    Eigenvalue sum = -value * v[static_cast<std::size_t>(i)];
    for (Eigen::Index j = i; j < count; ++j) sum += h(i, j) * v[static_cast<std::size_t>(j)];
    const Eigenvalue next = v[static_cast<std::size_t>(i - 1)] = -sum / h(i, i - 1);
    square += std::norm(next);
    // Already so small that its exact value does not matter.
    if (square > 1e100) break;
  }
  return 1 / std::sqrt(square);
}

}  // namespace

bool diverges(const std::function<void(const VectorX& b, VectorX& x)>& solve, const VectorX& mass) {
  const Eigen::Index n = mass.size(), steps = std::min<Eigen::Index>(most, n);
  const double heaviest = mass.size() > 0 ? mass.maxCoeff() : 0;
  if (!(heaviest > 0)) return false;
  // Ratios, whose square roots do not depend on the unit.
  const VectorX root = (mass / heaviest).cwiseSqrt();
  Eigen::MatrixXd basis(n, steps + 1), h = Eigen::MatrixXd::Zero(steps + 1, steps);
  VectorX b(n), x(n);
  // Any start without the symmetries of the structure will do; roots of masses times motions have one unit.
  for (Eigen::Index i = 0; i < n; ++i)
    b[i] = root[i] > 0 ? 1 + std::sin(1 + 0.7 * static_cast<double>(i * i % 1009)) : 0;
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
  Eigen::RealSchur<Eigen::MatrixXd> schur(count);
  schur.computeFromHessenberg(h.topLeftCorner(count, count), Eigen::MatrixXd::Identity(count, count), false);
  if (schur.info() != Eigen::Success) return false;
  const std::vector<Eigenvalue> values = eigenvaluesOf(schur.matrixT());
  double largest = 0;
  for (const Eigenvalue value : values) largest = std::max(largest, std::abs(value));
  // Once all motions have been examined, the last one may be round-off of the softest.
  const double rounded = 64 * std::numeric_limits<double>::epsilon() * static_cast<double>(count) * largest;
  for (const Eigenvalue value : values) {
    if (value.real() < -rounded && next * lastShare(h, count, value) <= sure * -value.real()) return true;
  }
  return false;
}

int realBelow(double bound, const Eigen::MatrixXd& matrix) {
  const Eigen::RealSchur<Eigen::MatrixXd> schur(matrix, false);
  if (schur.info() != Eigen::Success) return 0;
  const std::vector<Eigenvalue> values = eigenvaluesOf(schur.matrixT());
  return static_cast<int>(std::count_if(values.begin(), values.end(), [bound](Eigenvalue value) {
    return value.real() < bound && std::abs(value.imag()) <= real * std::abs(value);
  }));
}

}  // namespace tendril::solve
