#include "fit/least_squares.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "fit/box_step.h"

namespace tendril::fit {

double huberLoss(double residual, double threshold) {
  const double size = std::abs(residual);
  return size <= threshold ? 0.5 * residual * residual : threshold * (size - 0.5 * threshold);
}

double huberWeight(double residual, double threshold) {
  const double size = std::abs(residual);
  return size <= threshold ? 1 : threshold / size;
}

const char* wordsOf(Stop stop) {
  switch (stop) {
    case Stop::decrease:
      return "the cost no longer falls";
    case Stop::step:
      return "steps have become too short to count";
    case Stop::gradient:
      return "the gradient is zero to round-off";
    case Stop::iterations:
      return "the most iterations were made";
    case Stop::asked:
      return "stopped";
    case Stop::stationary:
      return "the conditions of a minimum hold";
    case Stop::infeasible:
      return "the constraints cannot be met: no step makes their violation smaller";
    case Stop::noStep:
      return "no step, however short, makes the cost smaller";
    case Stop::noStart:
      break;
  }
  return "there is no result at the start";
}

namespace {

constexpr double firstDamping = 1e-3;
constexpr double leastDamping = 1e-14;
constexpr double mostDamping = 1e16;  // steps are then lost in round-off
constexpr double leastGain = 1e-4;    // of what was foretold, for a step to count
constexpr double shortenedBy = 16;    // damping after a point without residuals

/// One call of minimize(): x, what is known there, and the damping.
class Search {
 public:
  Search(Residuals& residuals, const Eigen::VectorXd& start, const LeastSquaresOptions& options)
      : problem_(residuals), options_(options), n_(start.size()) {
    const double infinite = std::numeric_limits<double>::infinity();
    lower_ = options.lower.size() ? options.lower : Eigen::VectorXd::Constant(n_, -infinite);
    upper_ = options.upper.size() ? options.upper : Eigen::VectorXd::Constant(n_, infinite);
    out_.x = start.cwiseMax(lower_).cwiseMin(upper_);
    scale_ = Eigen::VectorXd::Zero(n_);
  }

  LeastSquaresResult run() {
    out_.stop = search();
    if (out_.stop == Stop::noStart) out_.reason = problem_.why();
    return std::move(out_);
  }

 private:
  Stop search() {
    if (!asked()) return Stop::asked;
    ++out_.trials;
    Eigen::VectorXd first;
    if (!evaluate(out_.x, first, &out_.jacobian)) return asked() ? (++out_.gaveUp, Stop::noStart) : Stop::asked;
    out_.residuals = first;
    out_.cost = costOf(out_.residuals);
    while (true) {
      linearize();
      if (isStationary()) return Stop::gradient;
      if (out_.iterations >= options_.most) return Stop::iterations;
      if (const auto stop = improve()) return *stop;
      ++out_.iterations;
      out_.jacobian.resize(0, 0);
      if (!asked()) return Stop::asked;
      Eigen::MatrixXd jacobian;
      Eigen::VectorXd same;
      if (!evaluate(out_.x, same, &jacobian)) {
        if (!asked()) return Stop::asked;
        out_.reason = problem_.why();
        return Stop::noStep;
      }
      out_.jacobian = std::move(jacobian);
    }
  }

  /// Tries steps until one makes the cost smaller. The reason to stop, if none does.
  std::optional<Stop> improve() {
    double growth = 2;
    while (true) {
      model_.damping = damping_;
      const Eigen::VectorXd step = boxStep(model_, lower_ - out_.x, upper_ - out_.x);
      const double foretold = 0.5 * (model_.q.squaredNorm() - (model_.R * step + model_.q).squaredNorm());
      if (!(foretold > options_.decrease * out_.cost)) return lastFailed_ ? Stop::noStep : Stop::decrease;
      if (scale_.cwiseProduct(step).norm() <= options_.step * scale_.cwiseProduct(out_.x).norm())
        return lastFailed_ ? Stop::noStep : Stop::step;
      if (damping_ > mostDamping) return Stop::noStep;
      const Eigen::VectorXd x = (out_.x + step).cwiseMax(lower_).cwiseMin(upper_);
      if (!asked()) return Stop::asked;
      ++out_.trials;
      Eigen::VectorXd residuals;
      lastFailed_ = !evaluate(x, residuals, nullptr);
      if (lastFailed_) {
        if (!asked()) return Stop::asked;
        ++out_.gaveUp;
        out_.reason = problem_.why();
        damping_ *= shortenedBy;
        continue;
      }
      const double cost = costOf(residuals), gain = (out_.cost - cost) / foretold;
      if (!(gain > leastGain)) {
        damping_ *= growth, growth *= 2;
        continue;
      }
      // Nielsen 1999.
      damping_ = std::max(leastDamping, damping_ * std::max(1.0 / 3, 1 - std::pow(2 * gain - 1, 3)));
      out_.x = x, out_.residuals = residuals, out_.cost = cost;
      return std::nullopt;
    }
  }

  /// R and Q^T r of the weighted Jacobian, and the scale of each unknown: the largest that its column has been.
  void linearize() {
    Eigen::MatrixXd J = out_.jacobian;
    Eigen::VectorXd r = out_.residuals;
    for (Eigen::Index i = 0; i < r.size() && options_.huber.size(); ++i) {
      const double root = std::sqrt(huberWeight(r[i], options_.huber[i]));
      J.row(i) *= root, r[i] *= root;
    }
    columns_ = J.colwise().norm();
    gradient_ = J.transpose() * r;
    norm_ = r.norm();
    scale_ = scale_.cwiseMax(columns_);
    model_.scale = scale_;
    for (double& s : model_.scale)
      if (!(s > 0)) s = 1;  // nothing depends on it: it stays where it is
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(J);
    const Eigen::Index rows = std::min(J.rows(), n_);
    model_.R = Eigen::MatrixXd::Zero(n_, n_);
    model_.R.topRows(rows) = qr.matrixQR().topRows(rows).triangularView<Eigen::Upper>();
    model_.q = Eigen::VectorXd::Zero(n_);
    model_.q.head(rows) = Eigen::VectorXd(qr.householderQ().transpose() * r).head(rows);
  }

  bool isStationary() const {
    for (Eigen::Index j = 0; j < n_; ++j) {
      const bool held = (out_.x[j] <= lower_[j] && gradient_[j] >= 0) || (out_.x[j] >= upper_[j] && gradient_[j] <= 0);
      if (!held && std::abs(gradient_[j]) > options_.gradient * columns_[j] * norm_) return false;
    }
    return true;
  }

  double costOf(const Eigen::VectorXd& residuals) const {
    if (options_.huber.size() == 0) return 0.5 * residuals.squaredNorm();
    double sum = 0;
    for (Eigen::Index i = 0; i < residuals.size(); ++i) sum += huberLoss(residuals[i], options_.huber[i]);
    return sum;
  }

  bool evaluate(const Eigen::VectorXd& x, Eigen::VectorXd& residuals, Eigen::MatrixXd* jacobian) const {
    return problem_.evaluate(x, residuals, jacobian) && residuals.allFinite() && (!jacobian || jacobian->allFinite());
  }

  bool asked() const {
    return !options_.goOn || options_.goOn({out_.iterations, out_.trials, out_.gaveUp, out_.cost, &out_.x});
  }

  Residuals& problem_;
  const LeastSquaresOptions& options_;
  Eigen::Index n_;
  Eigen::VectorXd lower_, upper_, scale_, columns_, gradient_;
  double norm_ = 0, damping_ = firstDamping;
  bool lastFailed_ = false;
  DampedModel model_;
  LeastSquaresResult out_;
};

}  // namespace

LeastSquaresResult minimize(Residuals& residuals, const Eigen::VectorXd& start, const LeastSquaresOptions& options) {
  return Search(residuals, start, options).run();
}

}  // namespace tendril::fit
