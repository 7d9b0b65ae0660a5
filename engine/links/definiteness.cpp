#include "links/definiteness.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/allowed_motions.h"

namespace tendril::links {

namespace {

// Of the entries of Z^T K Z on the diagonal: loops may leave motions alone that nothing resists, whose own entries are
// then all round-off, and have its sign. What resists a motion by 64 times the round-off of the largest entry that is
// free, or by less, counts as nothing.
Eigen::VectorXd roundOff(const Eigen::MatrixXd& K, const Eigen::MatrixXd& Z, const std::vector<int>& free) {
  double largest = 0;
  for (const int r : free) {
    for (const int c : free) largest = std::max(largest, std::abs(K(r, c)));
  }
  const double each = 64 * std::numeric_limits<double>::epsilon() * largest;
  return each * Z.cwiseAbs().colwise().sum().transpose().cwiseAbs2();
}

}  // namespace

Stability stabilityOf(const Eigen::MatrixXd& tangent, int n, const std::vector<char>& held, Eigen::VectorXd* motion,
                      const Eigen::VectorXd& units) {
  const int m = static_cast<int>(tangent.rows()) - n;
  const Eigen::VectorXd u = units.size() == n ? units : Eigen::VectorXd::Ones(n);
  std::vector<int> free;
  for (int i = 0; i < n; ++i) {
    if (!held[static_cast<std::size_t>(i)]) free.push_back(i);
  }
  const Eigen::MatrixXd Z = solve::allowedMotions(tangent.bottomLeftCorner(m, n) * u.asDiagonal(), free, n);
  const int size = static_cast<int>(Z.cols());
  const Eigen::MatrixXd even = u.asDiagonal() * tangent.topLeftCorner(n, n) * u.asDiagonal();
  Eigen::MatrixXd k = Z.transpose() * (0.5 * (even + even.transpose())).eval() * Z;
  Eigen::VectorXd scale = k.diagonal().cwiseAbs();
  // Motions along loops mix soft and stiff coordinates: what the stiff ones leave is round-off of theirs.
  if (m > 0 && size > 0) scale = scale.cwiseMax(1e-3 * scale.maxCoeff());
  const Eigen::VectorXd blur = m > 0 ? roundOff(even, Z, free) : Eigen::VectorXd::Zero(size);
  bool neutral = false;
  const auto tell = [&](Eigen::VectorXd y, int from) {
    if (!motion) return;
    // What comes before follows along its own balance.
    for (int i = from - 1; i >= 0; --i) y[i] = -k.row(i).tail(size - i - 1).dot(y.tail(size - i - 1)) / k(i, i);
    *motion = Z * y;
    int largest = 0;
    motion->cwiseAbs().maxCoeff(&largest);
    *motion /= (*motion)[largest];
    *motion = u.cwiseProduct(*motion);
  };
  // L D L^T without exchanges.
  for (int j = 0; j < size; ++j) {
    const double pivot = k(j, j);
    Eigen::VectorXd y = Eigen::VectorXd::Unit(size, j);
    if (pivot < -std::max(1e-8 * scale[j], blur[j])) {
      tell(y, j);
      return Stability::unstable;
    }
    if (!(pivot > std::max((m > 0 ? 1e-8 : 1e-12) * scale[j], blur[j]))) {
      // Nothing resists this motion by itself, but it may help another one.
      for (int c = j + 1; c < size; ++c) {
        if (!(std::abs(k(j, c)) > 1e-4 * std::sqrt(scale[j] * scale[c]))) continue;
        y[c] = 1, y[j] = -(std::abs(k(c, c)) + std::abs(k(j, c))) / k(j, c);
        tell(y, j);
        return Stability::unstable;
      }
      tell(y, j);
      neutral = true;
      k.row(j).tail(size - j).setZero();
      k(j, j) = 1;
      continue;
    }
    for (int i = j + 1; i < size; ++i) {
      const double l = k(j, i) / pivot;
      for (int c = i; c < size; ++c) k(i, c) -= l * k(j, c);
    }
  }
  return neutral ? Stability::neutral : Stability::stable;
}

}  // namespace tendril::links
