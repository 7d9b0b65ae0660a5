#include "fit/spline.h"

#include <Eigen/QR>
#include <algorithm>

namespace tendril::fit {

namespace {

/// Second derivatives at the knots, as sums of the knots' values. Between knots they are linear.
Eigen::MatrixXd curvatureWeights(const std::vector<double>& knots) {
  const Eigen::Index n = Eigen::Index(knots.size());
  Eigen::MatrixXd of = Eigen::MatrixXd::Zero(n, n), by = of;
  if (n == 2) return by;
  const auto length = [&](Eigen::Index k) { return knots[std::size_t(k + 1)] - knots[std::size_t(k)]; };
  // The slope has no jump at the inner knots.
  for (Eigen::Index k = 1; k + 1 < n; ++k) {
    const double before = length(k - 1), after = length(k), both = before + after;
    of(k, k - 1) = before / both, of(k, k) = 2, of(k, k + 1) = after / both;
    by(k, k - 1) = 6 / (before * both), by(k, k) = -6 / (before * after), by(k, k + 1) = 6 / (after * both);
  }
  // Nor has the third derivative at the second knot and the last but one; of a parabola there is none.
  const auto joined = [&](Eigen::Index row, Eigen::Index k) {
    const double before = length(k - 1), after = length(k), both = before + after;
    of(row, k - 1) = after / both, of(row, k) = -1, of(row, k + 1) = before / both;
  };
  if (n > 3) {
    joined(0, 1), joined(n - 1, n - 2);
  } else {
    of(0, 0) = of(2, 2) = 1, of(0, 1) = of(2, 1) = -1;
  }
  return of.colPivHouseholderQr().solve(by);
}

}  // namespace

Eigen::MatrixXd splineWeights(const std::vector<double>& knots, const std::vector<double>& at) {
  const Eigen::MatrixXd curvature = curvatureWeights(knots);
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(Eigen::Index(at.size()), Eigen::Index(knots.size()));
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double t = std::clamp(at[i], knots.front(), knots.back());
    const auto after = std::upper_bound(knots.begin() + 1, knots.end() - 1, t);
    const Eigen::Index k = Eigen::Index(after - knots.begin()) - 1;
    const double length = *after - *(after - 1), b = (t - *(after - 1)) / length, a = (*after - t) / length;
    auto row = out.row(Eigen::Index(i));
    row = length * length / 6 * (a * (a * a - 1) * curvature.row(k) + b * (b * b - 1) * curvature.row(k + 1));
    row[k] += a, row[k + 1] += b;
  }
  return out;
}

}  // namespace tendril::fit
