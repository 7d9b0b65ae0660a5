#include "fit/uncertainty.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

#include "fit/least_squares.h"

namespace tendril::fit {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double none = std::numeric_limits<double>::quiet_NaN();

bool isOutlier(const MinimumSample& sample, Eigen::Index i) {
  return sample.huber.size() > 0 && std::abs(sample.residuals[i]) > sample.huber[i];
}

/// The Jacobian per range of each unknown, of the rows that Huber's loss does not cut, else zero.
Eigen::MatrixXd tellingRows(const MinimumSample& sample) {
  Eigen::MatrixXd J = sample.jacobian * sample.range.asDiagonal();
  for (Eigen::Index i = 0; i < J.rows(); ++i)
    if (isOutlier(sample, i)) J.row(i).setZero();
  return J;
}

struct Spectrum {
  Eigen::VectorXd values;  ///< falling, one for each column; zero where there is nothing but round-off
  Eigen::MatrixXd vectors;
};

Spectrum spectrumOf(const Eigen::MatrixXd& J) {
  const Eigen::Index n = J.cols(), rows = std::max(J.rows(), n);
  Eigen::MatrixXd tall = Eigen::MatrixXd::Zero(rows, n);  // so that every column has a vector
  tall.topRows(J.rows()) = J;
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(tall, Eigen::ComputeThinV | Eigen::ComputeThinU);
  Spectrum out{svd.singularValues(), svd.matrixV()};
  const double noise = double(rows) * std::numeric_limits<double>::epsilon() * (n > 0 ? out.values[0] : 0);
  for (double& value : out.values)
    if (value <= noise) value = 0;
  return out;
}

/// Huber's psi: the residual, at most as large as its threshold.
double clampedResidual(const MinimumSample& sample, Eigen::Index i) {
  const double r = sample.residuals[i];
  return isOutlier(sample, i) ? std::copysign(sample.huber[i], r) : r;
}

double varianceOf(const MinimumSample& sample) {
  const double count = double(sample.residuals.size());
  const double unknowns = double(std::count(sample.free.begin(), sample.free.end(), true));
  double sum = 0;
  for (Eigen::Index i = 0; i < sample.residuals.size(); ++i) sum += std::pow(clampedResidual(sample, i), 2);
  return count > unknowns ? sum / (count - unknowns) : none;
}

/// Covariance of the free unknowns, each counted in its range; where nothing tells one, its variance is infinite.
Eigen::MatrixXd covarianceOf(const MinimumSample& sample, const std::vector<Eigen::Index>& free, double variance) {
  const Eigen::MatrixXd all = sample.jacobian * sample.range.asDiagonal(), J = all(Eigen::all, free);
  const Spectrum spectrum = spectrumOf(tellingRows(sample)(Eigen::all, free));
  const Eigen::MatrixXd& V = spectrum.vectors;
  Eigen::VectorXd inverse = spectrum.values;
  for (double& s : inverse) s = s > 0 ? 1 / (s * s) : 0;
  Eigen::MatrixXd between = variance * spectrum.values.cwiseAbs2().asDiagonal().toDenseMatrix();
  if (sample.huber.size() > 0) {
    Eigen::VectorXd psi(J.rows());
    for (Eigen::Index i = 0; i < J.rows(); ++i) psi[i] = clampedResidual(sample, i);
    const Eigen::MatrixXd rows = psi.asDiagonal() * J * V;
    const double count = double(J.rows()), unknowns = double(free.size());
    between = rows.transpose() * rows * (count > unknowns ? count / (count - unknowns) : none);
  }
  Eigen::MatrixXd covariance = V * inverse.asDiagonal() * between * inverse.asDiagonal() * V.transpose();
  constexpr double share = 1e-6;  // less of an unknown in a direction is round-off
  for (Eigen::Index k = 0; k < inverse.size(); ++k)
    for (Eigen::Index j = 0; j < inverse.size(); ++j)
      if (inverse[k] == 0 && std::abs(V(j, k)) > share) covariance(j, j) = infinite;
  return covariance;
}

std::vector<Direction> directionsOf(const MinimumSample& sample, double deviation) {
  const Spectrum spectrum = spectrumOf(tellingRows(sample).topRows(sample.data));
  std::vector<Direction> out;
  for (Eigen::Index k = 0; k < spectrum.values.size(); ++k) {
    Direction d;
    d.singularValue = spectrum.values[k] / deviation;
    d.combination = spectrum.vectors.col(k);
    Eigen::Index largest = 0;
    d.combination.cwiseAbs().maxCoeff(&largest);
    if (d.combination[largest] < 0) d.combination *= -1;
    d.standardError = d.singularValue > 0 ? 1 / d.singularValue : infinite;
    d.told = d.standardError <= leastTold;
    out.push_back(std::move(d));
  }
  return out;
}

std::vector<bool> identifiableBy(const std::vector<Direction>& directions, Eigen::Index unknowns) {
  std::vector<bool> out;
  for (Eigen::Index j = 0; j < unknowns; ++j) {
    double sum = 0;
    for (const Direction& d : directions)
      if (std::abs(d.combination[j]) > 1e-6) sum += std::pow(d.combination[j] * d.standardError, 2);
    out.push_back(std::sqrt(sum) <= leastTold);
  }
  return out;
}

}  // namespace

Uncertainty uncertaintyOf(const MinimumSample& sample) {
  const Eigen::Index n = sample.range.size();
  Uncertainty out;
  out.variance = sample.knownVariance ? 1 : varianceOf(sample);
  std::vector<Eigen::Index> free;
  for (Eigen::Index j = 0; j < n; ++j)
    if (sample.free[std::size_t(j)]) free.push_back(j);
  out.standardError = Eigen::VectorXd::Constant(n, none);
  out.correlation = Eigen::MatrixXd::Constant(n, n, none);
  if (!free.empty()) {
    const Eigen::MatrixXd covariance = covarianceOf(sample, free, out.variance);
    for (std::size_t a = 0; a < free.size(); ++a) {
      const Eigen::Index i = Eigen::Index(a);
      out.standardError[free[a]] = std::sqrt(covariance(i, i)) * sample.range[free[a]];
      for (std::size_t b = 0; b < free.size(); ++b) {
        const Eigen::Index j = Eigen::Index(b);
        const double both = std::sqrt(covariance(i, i) * covariance(j, j));
        out.correlation(free[a], free[b]) = i == j ? 1 : std::isfinite(both) ? covariance(i, j) / both : none;
      }
    }
  }
  out.directions = directionsOf(sample, std::sqrt(out.variance));
  out.identifiable = identifiableBy(out.directions, n);
  return out;
}

}  // namespace tendril::fit
