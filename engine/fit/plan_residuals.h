// Residuals of a plan: (model + offset - data) / sigma of every number that is fitted to, then those of priors
// (measured ones first), as functions of the unknowns' positions between their bounds.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "fit/least_squares.h"
#include "fit/plan.h"
#include "fit/runs.h"

namespace tendril::fit {

/// Differences of whole runs use this share of a parameter on a logarithmic scale, else of its range.
inline constexpr double differenceShare = 1e-4;

/// An unknown that is a parameter, for runs at this value of it.
Varied variedOf(const Unknown& unknown, double value);

class PlanResiduals final : public Residuals {
 public:
  PlanResiduals(const Plan& plan, RunSource& runs);

  bool evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& residuals, Eigen::MatrixXd* jacobian) override;
  std::string why() const override { return why_; }

  Eigen::Index dataCount() const { return Eigen::Index(numbers_.size()); }
  /// With the measurements of unknowns themselves, whose residuals follow those of the data.
  Eigen::Index measuredCount() const;
  /// Thresholds of Huber's loss in units of residuals, infinite for priors; empty for squares.
  Eigen::VectorXd huber() const;
  Eigen::VectorXd values(const Eigen::VectorXd& z) const;  ///< of the unknowns
  Eigen::VectorXd starts() const;                          ///< positions of the plan's starting values

  /// What the model says of every number of each experiment (times x columns), held back or not; gaps too. Empty, with
  /// why(), for a run that gives up.
  /// NaN where a camera does not see the point.
  std::vector<Eigen::MatrixXd> predictions(const Eigen::VectorXd& z);
  /// Of the last predictions(), per experiment: how far points were from the plane of their camera at most [m].
  const std::vector<double>& offPlane() const { return offPlane_; }

 private:
  struct Number {
    std::size_t experiment;
    Eigen::Index row, column;
  };
  bool isFitted(const Experiment& experiment, Eigen::Index row, Eigen::Index column) const;
  std::vector<RunRequest> requests(const Eigen::VectorXd& values, bool all) const;
  std::vector<Varied> varied(const Eigen::VectorXd& values) const;
  bool anyGaveUp(const std::vector<RunSamples>& samples);
  /// False, with why(): a camera does not see a point.
  bool fill(const Eigen::VectorXd& z, const std::vector<RunRequest>& requests, const std::vector<RunSamples>& samples,
            Eigen::VectorXd& residuals, Eigen::MatrixXd* jacobian);
  /// First column of a data column's probes in the samples of its experiment.
  Eigen::Index firstProbe(const Number& number) const {
    return firstProbe_[number.experiment][std::size_t(number.column)];
  }

  const Plan& plan_;
  RunSource& runs_;
  std::vector<Number> numbers_;
  std::vector<bool> fitted_;  // experiments with numbers that are fitted to
  std::vector<std::vector<Eigen::Index>> firstProbe_;
  std::vector<double> offPlane_;
  std::string why_;
};

}  // namespace tendril::fit
