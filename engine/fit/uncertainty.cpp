#include "fit/uncertainty.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

namespace tendril::fit {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double leastShare = 1e-6;  // less of an unknown in a direction is round-off
constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// How rows of data count in A = sum psi' j j^T and B = sum psi^2 j j^T: by the means of psi' and psi^2, which do not
/// depend on j where errors do not. 1 and the variance for squares.
struct Moments {
  double slope = 1, square = 1;
};

Moments momentsOf(const MinimumSample& sample) {
  Moments out;
  const bool huber = sample.huber.size() > 0;
  if (!huber && sample.knownVariance) return out;
  const double unknowns = double(std::count(sample.free.begin(), sample.free.end(), true)), count = double(sample.data);
  double inside = 0, sum = 0;
  for (Eigen::Index i = 0; i < sample.data; ++i) {
    const double r = std::abs(sample.residuals[i]);
    const bool outlier = huber && r > sample.huber[i];
    inside += outlier ? 0 : 1;
    sum += std::pow(outlier ? sample.huber[i] : r, 2);
  }
  out.slope = inside / count;
  // Huber's correction for the unknowns' share of few data.
  const double correction = 1 + unknowns / count * (1 - out.slope) / out.slope;
  out.square = count > unknowns ? correction * correction * sum / (count - unknowns) : none;
  return out;
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

/// Covariance of the free unknowns, each counted in its range; where nothing tells one, its variance is infinite.
Eigen::MatrixXd covarianceOf(const MinimumSample& sample, const std::vector<Eigen::Index>& free,
                             const Moments& moments) {
  const Eigen::MatrixXd all = sample.jacobian * sample.range.asDiagonal();
  Eigen::MatrixXd J = all(Eigen::all, free);
  J.topRows(sample.data) *= std::sqrt(moments.slope);
  const Spectrum spectrum = spectrumOf(J);
  const Eigen::MatrixXd& V = spectrum.vectors;
  Eigen::VectorXd inverse = spectrum.values;
  for (double& s : inverse) s = s > 0 ? 1 / (s * s) : 0;
  Eigen::MatrixXd rows = J * V;
  rows.topRows(sample.data) *= std::sqrt(moments.square / moments.slope);
  Eigen::MatrixXd covariance =
      V * inverse.asDiagonal() * (rows.transpose() * rows) * inverse.asDiagonal() * V.transpose();
  for (Eigen::Index k = 0; k < inverse.size(); ++k)
    for (Eigen::Index j = 0; j < inverse.size(); ++j)
      if (inverse[k] == 0 && std::abs(V(j, k)) > leastShare) covariance(j, j) = infinite;
  return covariance;
}

std::vector<Direction> directionsOf(const MinimumSample& sample, const Moments& moments) {
  const Spectrum spectrum = spectrumOf(sample.jacobian.topRows(sample.data) * sample.range.asDiagonal());
  std::vector<Direction> out;
  for (Eigen::Index k = 0; k < spectrum.values.size(); ++k) {
    Direction d;
    d.singularValue = spectrum.values[k] * moments.slope / std::sqrt(moments.square);
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
      if (std::abs(d.combination[j]) > leastShare) sum += std::pow(d.combination[j] * d.standardError, 2);
    out.push_back(std::sqrt(sum) <= leastTold);
  }
  return out;
}

}  // namespace

Uncertainty uncertaintyOf(const MinimumSample& sample) {
  const Eigen::Index n = sample.range.size();
  Uncertainty out;
  const Moments moments = momentsOf(sample);
  out.variance = sample.knownVariance ? 1 : moments.square;
  std::vector<Eigen::Index> free;
  for (Eigen::Index j = 0; j < n; ++j)
    if (sample.free[std::size_t(j)]) free.push_back(j);
  out.standardError = Eigen::VectorXd::Constant(n, none);
  out.correlation = Eigen::MatrixXd::Constant(n, n, none);
  if (!free.empty()) {
    const Eigen::MatrixXd covariance = covarianceOf(sample, free, moments);
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
  out.directions = directionsOf(sample, moments);
  out.identifiable = identifiableBy(out.directions, n);
  return out;
}

}  // namespace tendril::fit
