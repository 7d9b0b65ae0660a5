// Values of a run at given times, with their slopes by parameters where the run has them.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "simulation/blend.h"
#include "tendril/simulation.h"

namespace tendril {

struct Samples {
  Eigen::MatrixXd values;               ///< times x columns, between accepted steps as Simulation::between
  Eigen::MatrixXd rates;                ///< their slopes over time, of the step that holds the time
  std::vector<Eigen::MatrixXd> slopes;  ///< of the values by each parameter
};

/// Takes samples of a run that somebody else steps.
class Sampler {
 public:
  /// Of columns of probes, by parameter: their slopes at the last accepted state, in the order of
  /// Simulation::columns().
  using Slopes = std::function<std::span<const double>(std::size_t)>;

  /// Takes what is to be had of the run's state. `times` [s] increase. Refers to `run` as long as it lives.
  Sampler(const Simulation& run, std::vector<double> times, std::vector<std::size_t> columns,
          std::size_t parameters = 0, Slopes slopes = {});
  /// To be called after each accepted step of the run.
  void take();
  bool complete() const { return next_ == times_.size(); }
  double nextTime() const { return times_[next_]; }  ///< [s] the first that has not come; only until complete()
  const Samples& samples() const { return out_; }    ///< rows of times that have not come are not valid

 private:
  void takeReached();
  void takeAt(std::size_t row, double weight);
  void fillRates(std::size_t row);
  void remember();

  const Simulation& run_;
  ColumnBlend blend_;
  std::vector<double> times_;
  std::vector<std::size_t> columns_;
  Slopes slopesOf_;
  Samples out_;
  // Before the last step; empty until there is one.
  std::vector<double> from_;
  std::vector<std::vector<double>> slopesFrom_;  // per parameter
  double before_ = 0;                            // [s]
  // At the last accepted state.
  std::vector<double> now_;
  std::vector<std::vector<double>> slopesNow_;
  double time_ = 0;
  std::size_t next_ = 0;  // among the times
  std::size_t atStart_ = 0;
};

}  // namespace tendril
