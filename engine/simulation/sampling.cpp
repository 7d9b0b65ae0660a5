#include "simulation/sampling.h"

#include <utility>

#include "simulation/inside.h"

namespace tendril {
namespace {

// Shares of a step: within the first a time counts as reached, since a run's time is a sum with round-off; within the
// second it is that of the state itself.
constexpr double reachedShare = 1e-6, sameShare = 1e-9;

}  // namespace

Sampler::Sampler(const Simulation& run, std::vector<double> times, std::vector<std::size_t> columns,
                 std::size_t parameters, Slopes slopes)
    : run_(run),
      blend_(sceneOf(run)),
      times_(std::move(times)),
      columns_(std::move(columns)),
      slopesOf_(std::move(slopes)),
      slopesFrom_(parameters),
      slopesNow_(parameters) {
  out_.values.resize(Eigen::Index(times_.size()), Eigen::Index(columns_.size()));
  out_.rates = Eigen::MatrixXd::Zero(out_.values.rows(), out_.values.cols());
  out_.slopes.assign(parameters, out_.rates);
  remember();
  takeReached();
  atStart_ = next_;
}

void Sampler::remember() {
  time_ = run_.time();
  now_.assign(run_.values().begin(), run_.values().end());
  for (std::size_t p = 0; p < slopesNow_.size(); ++p) {
    const std::span<const double> slopes = slopesOf_(p);
    slopesNow_[p].assign(slopes.begin(), slopes.begin() + static_cast<std::ptrdiff_t>(now_.size()));
  }
}

void Sampler::take() {
  before_ = time_;
  std::swap(from_, now_);
  std::swap(slopesFrom_, slopesNow_);
  remember();
  // Times at the start were taken before there was a step.
  for (std::size_t row = 0; row < atStart_; ++row) fillRates(row);
  atStart_ = 0;
  takeReached();
}

void Sampler::takeReached() {
  const double step = run_.stepSize();
  for (; next_ < times_.size() && times_[next_] <= time_ + reachedShare * step; ++next_) {
    const double t = times_[next_];
    const bool inside = !from_.empty() && t < time_ - sameShare * step;
    takeAt(next_, inside ? (t - before_) / (time_ - before_) : 1);
    if (!from_.empty()) fillRates(next_);
  }
}

void Sampler::takeAt(std::size_t row, double weight) {
  const std::vector<double> values = weight == 1 ? now_ : blend_.between(from_, now_, weight);
  for (std::size_t c = 0; c < columns_.size(); ++c)
    out_.values(Eigen::Index(row), Eigen::Index(c)) = values[columns_[c]];
  for (std::size_t p = 0; p < slopesNow_.size(); ++p) {
    const std::vector<double> slopes =
        weight == 1 ? slopesNow_[p] : blend_.slopesBetween(from_, now_, slopesFrom_[p], slopesNow_[p], weight);
    for (std::size_t c = 0; c < columns_.size(); ++c)
      out_.slopes[p](Eigen::Index(row), Eigen::Index(c)) = slopes[columns_[c]];
  }
}

void Sampler::fillRates(std::size_t row) {
  for (std::size_t c = 0; c < columns_.size(); ++c)
    out_.rates(Eigen::Index(row), Eigen::Index(c)) = (now_[columns_[c]] - from_[columns_[c]]) / (time_ - before_);
}

}  // namespace tendril
