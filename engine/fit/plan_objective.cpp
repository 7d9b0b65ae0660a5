#include "fit/plan_objective.h"

#include <algorithm>
#include <cmath>

#include "fit/plan_residuals.h"
#include "formula/direction.h"

namespace tendril::fit {

using Eigen::Index;
using Eigen::VectorXd;

PlanObjective::PlanObjective(const Plan& plan, RunSource& runs) : plan_(plan), runs_(runs) {
  const Objective& objective = *plan.objective;
  for (const double time : objective.grid)
    grid_.push_back(std::lower_bound(objective.times.begin(), objective.times.end(), time) - objective.times.begin());
  parameters_ = objective.values;
  for (const Unknown& unknown : plan.unknowns)
    places_.push_back(std::find(objective.parameters.begin(), objective.parameters.end(), unknown.name) -
                      objective.parameters.begin());
}

SqpOptions PlanObjective::options() const {
  SqpOptions out;
  const Index n = Index(plan_.unknowns.size()), m = Index(plan_.objective->subject.size());
  out.lower = VectorXd::Zero(n), out.upper = VectorXd::Ones(n);
  out.constraintLower.resize(m), out.constraintUpper.resize(m);
  for (Index i = 0; i < m; ++i) {
    out.constraintLower[i] = plan_.objective->subject[std::size_t(i)].min;
    out.constraintUpper[i] = plan_.objective->subject[std::size_t(i)].max;
  }
  return out;
}

std::vector<Varied> PlanObjective::varied(const VectorXd& values) const {
  std::vector<Varied> out;
  for (std::size_t u = 0; u < plan_.unknowns.size(); ++u) out.push_back(variedOf(plan_.unknowns[u], values[Index(u)]));
  return out;
}

bool PlanObjective::evaluate(const VectorXd& z, ObjectiveValues& out, bool slopes) {
  const Index n = z.size();
  VectorXd values(n), scale(n);
  RunRequest request;
  request.sceneText = &plan_.sceneText;
  request.times = plan_.objective->times, request.columns = plan_.objective->columns;
  for (Index u = 0; u < n; ++u) {
    const Unknown& unknown = plan_.unknowns[std::size_t(u)];
    values[u] = unknown.value(z[u]), scale[u] = unknown.slope(z[u]);
    request.parameters[unknown.name] = values[u];
    parameters_[places_[std::size_t(u)]] = values[u];
  }
  const RunSamples samples = (slopes ? runs_.withSlopes({request}, varied(values)) : runs_.samples({request})).front();
  why_ = samples.gaveUp;
  if (!why_.empty()) return false;
  readTerms(samples, slopes);
  const Objective& objective = *plan_.objective;
  const Index m = Index(objective.subject.size());
  try {
    VectorXd by(n);
    out.objective = valueOf(objective.minimize, slopes ? &by : nullptr);
    out.constraints.resize(m);
    if (slopes) out.gradient = by.cwiseProduct(scale), out.jacobian.resize(m, n);
    for (Index i = 0; i < m; ++i) {
      out.constraints[i] = valueOf(objective.subject[std::size_t(i)], slopes ? &by : nullptr);
      if (slopes) out.jacobian.row(i) = by.cwiseProduct(scale).transpose();
    }
  } catch (const formula::Failure& failure) {
    why_ = failure.what();
    return false;
  }
  return true;
}

void PlanObjective::readTerms(const RunSamples& samples, bool slopes) {
  const std::size_t count = plan_.objective->terms.size();
  terms_.resize(Index(count));
  if (slopes) termSlopes_.resize(Index(count), Index(samples.slopes.size()));
  for (std::size_t k = 0; k < count; ++k) readTerm(samples, k, slopes);
}

/// As sums over times of samples with weights, so that slopes are the same sums of slopes.
void PlanObjective::readTerm(const RunSamples& samples, std::size_t k, bool slopes) {
  const Objective& objective = *plan_.objective;
  const ProbeTerm& term = objective.terms[k];
  const Index column =
      std::lower_bound(objective.columns.begin(), objective.columns.end(), term.column) - objective.columns.begin();
  std::vector<std::pair<Index, double>> weights;
  if (term.kind == ProbeTerm::Kind::at) {
    const auto& times = objective.times;
    weights = {{std::lower_bound(times.begin(), times.end(), term.time) - times.begin(), 1.0}};
  } else if (term.kind == ProbeTerm::Kind::max || term.kind == ProbeTerm::Kind::min) {
    const double sign = term.kind == ProbeTerm::Kind::max ? 1 : -1;
    Index best = grid_.front();
    for (const Index row : grid_)
      if (sign * samples.values(row, column) > sign * samples.values(best, column)) best = row;
    weights = {{best, 1.0}};
  } else {
    const double whole = term.kind == ProbeTerm::Kind::mean ? objective.grid.back() : 1;
    for (std::size_t i = 0; i < grid_.size(); ++i) {
      const double from = objective.grid[i > 0 ? i - 1 : i], to = objective.grid[std::min(i + 1, grid_.size() - 1)];
      weights.emplace_back(grid_[i], 0.5 * (to - from) / whole);
    }
  }
  terms_[Index(k)] = 0;
  for (const auto& [row, weight] : weights) terms_[Index(k)] += weight * samples.values(row, column);
  for (std::size_t u = 0; slopes && u < samples.slopes.size(); ++u) {
    double& sum = termSlopes_(Index(k), Index(u)) = 0;
    for (const auto& [row, weight] : weights) sum += weight * samples.slopes[u](row, column);
  }
}

double PlanObjective::valueOf(const Goal& goal, VectorXd* slopes) const {
  formula::Direction at;
  at.t = plan_.objective->times.back();
  at.parameters = parameters_.data(), at.columns = terms_.data();
  VectorXd along = VectorXd::Zero(parameters_.size()), columns;
  for (std::size_t u = 0; slopes && u < places_.size(); ++u) {
    along[places_[u]] = 1, columns = termSlopes_.col(Index(u));
    at.parameterSlopes = along.data(), at.columnSlopes = columns.data();
    (*slopes)[Index(u)] = formula::slopeAlong(*goal.formula, at);
    along[places_[u]] = 0;
  }
  return goal.formula->value(at);
}

}  // namespace tendril::fit
