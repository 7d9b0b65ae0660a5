// A plan's objective and constraints as functions of the unknowns' positions between their bounds: of one run each,
// with the derivatives that go along with it.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "fit/plan.h"
#include "fit/runs.h"
#include "fit/sqp.h"

namespace tendril::fit {

class PlanObjective final : public ConstrainedProblem {
 public:
  /// The plan has an objective; both must outlive this.
  PlanObjective(const Plan& plan, RunSource& runs);

  bool evaluate(const Eigen::VectorXd& z, ObjectiveValues& out, bool slopes) override;
  std::string why() const override { return why_; }

  /// Of the last evaluate(): what each term was.
  const Eigen::VectorXd& terms() const { return terms_; }
  /// Bounds and what counts as met, for a search.
  SqpOptions options() const;

 private:
  void readTerms(const RunSamples& samples, bool slopes);
  void readTerm(const RunSamples& samples, std::size_t term, bool slopes);
  std::vector<Varied> varied(const Eigen::VectorXd& values) const;
  double valueOf(const Goal& goal, Eigen::VectorXd* slopes) const;

  const Plan& plan_;
  RunSource& runs_;
  std::vector<Eigen::Index> grid_;  // rows of the objective's grid among its times
  Eigen::VectorXd terms_;
  Eigen::MatrixXd termSlopes_;  // by each unknown, in its unit
  Eigen::VectorXd parameters_;
  std::vector<Eigen::Index> places_;  // of the unknowns among the parameters
  std::string why_;
};

}  // namespace tendril::fit
