#include "fit/plan_residuals.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fit/shown.h"

namespace tendril::fit {

namespace {

double runTime(const Experiment& experiment, Eigen::Index row, const DataColumn& column,
               const Eigen::VectorXd& values) {
  return std::max(0.0, experiment.time[std::size_t(row)] - column.delay.at(values));
}

Eigen::Index rowOf(const RunRequest& request, double time) {
  return std::lower_bound(request.times.begin(), request.times.end(), time) - request.times.begin();
}

}  // namespace

Varied variedOf(const Unknown& unknown, double value) {
  const double increment = differenceShare * (unknown.logarithmic ? value : unknown.max - unknown.min);
  return {unknown.name, value, increment, unknown.min, unknown.max};
}

PlanResiduals::PlanResiduals(const Plan& plan, RunSource& runs) : plan_(plan), runs_(runs) {
  fitted_.assign(plan.experiments.size(), false);
  for (std::size_t e = 0; e < plan.experiments.size(); ++e) {
    const Experiment& experiment = plan.experiments[e];
    for (Eigen::Index c = 0; c < experiment.data.cols(); ++c)
      for (Eigen::Index r = 0; r < experiment.data.rows(); ++r)
        if (isFitted(experiment, r, c)) numbers_.push_back({e, r, c}), fitted_[e] = true;
    firstProbe_.emplace_back();
    Eigen::Index first = 0;
    for (const DataColumn& column : experiment.columns) {
      firstProbe_.back().push_back(first);
      first += column.probes();
    }
  }
}

bool PlanResiduals::isFitted(const Experiment& experiment, Eigen::Index row, Eigen::Index column) const {
  return !experiment.held[std::size_t(row)] && !std::isnan(experiment.data(row, column));
}

Eigen::Index PlanResiduals::measuredCount() const {
  return dataCount() + std::count_if(plan_.unknowns.begin(), plan_.unknowns.end(),
                                     [](const Unknown& unknown) { return unknown.prior && unknown.prior->measured; });
}

Eigen::VectorXd PlanResiduals::values(const Eigen::VectorXd& z) const {
  Eigen::VectorXd out(z.size());
  for (Eigen::Index u = 0; u < z.size(); ++u) out[u] = plan_.unknowns[std::size_t(u)].value(z[u]);
  return out;
}

Eigen::VectorXd PlanResiduals::starts() const {
  Eigen::VectorXd out(Eigen::Index(plan_.unknowns.size()));
  for (Eigen::Index u = 0; u < out.size(); ++u)
    out[u] = plan_.unknowns[std::size_t(u)].position(plan_.unknowns[std::size_t(u)].start);
  return out;
}

Eigen::VectorXd PlanResiduals::huber() const {
  if (plan_.huber == 0) return {};
  Eigen::Index priors = 0;
  for (const Unknown& unknown : plan_.unknowns) priors += unknown.prior.has_value();
  Eigen::VectorXd out = Eigen::VectorXd::Constant(dataCount() + priors, std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < numbers_.size(); ++i)
    out[Eigen::Index(i)] =
        plan_.huber / plan_.experiments[numbers_[i].experiment].columns[std::size_t(numbers_[i].column)].sigma;
  return out;
}

/// One for each experiment; of those that are not run, without times.
std::vector<RunRequest> PlanResiduals::requests(const Eigen::VectorXd& values, bool all) const {
  std::vector<RunRequest> out;
  for (std::size_t e = 0; e < plan_.experiments.size(); ++e) {
    const Experiment& experiment = plan_.experiments[e];
    RunRequest request;
    request.sceneText = &plan_.sceneText;
    request.parameters = experiment.set;
    for (std::size_t u = 0; u < plan_.unknowns.size(); ++u)
      if (plan_.unknowns[u].ofScene) request.parameters[plan_.unknowns[u].name] = values[Eigen::Index(u)];
    for (Eigen::Index c = 0; c < experiment.data.cols(); ++c) {
      const DataColumn& column = experiment.columns[std::size_t(c)];
      if (column.axis < 0)
        request.columns.push_back(column.index);
      else
        request.columns.insert(request.columns.end(), column.point.begin(), column.point.end());
      for (Eigen::Index r = 0; r < experiment.data.rows(); ++r)
        if (all || isFitted(experiment, r, c)) request.times.push_back(runTime(experiment, r, column, values));
    }
    std::sort(request.times.begin(), request.times.end());
    request.times.erase(std::unique(request.times.begin(), request.times.end()), request.times.end());
    out.push_back(std::move(request));
  }
  return out;
}

std::vector<Varied> PlanResiduals::varied(const Eigen::VectorXd& values) const {
  std::vector<Varied> out;
  for (std::size_t u = 0; u < plan_.unknowns.size(); ++u) {
    const Unknown& unknown = plan_.unknowns[u];
    if (!unknown.ofScene) continue;
    out.push_back(variedOf(unknown, values[Eigen::Index(u)]));
  }
  return out;
}

bool PlanResiduals::anyGaveUp(const std::vector<RunSamples>& samples) {
  for (std::size_t e = 0; e < samples.size(); ++e) {
    if (samples[e].gaveUp.empty()) continue;
    why_ = plan_.experiments[e].name + ": " + samples[e].gaveUp;
    return true;
  }
  return false;
}

bool PlanResiduals::evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& residuals, Eigen::MatrixXd* jacobian) {
  const Eigen::VectorXd now = values(z);
  std::vector<RunRequest> asked = requests(now, false), made;
  for (std::size_t e = 0; e < asked.size(); ++e)
    if (fitted_[e]) made.push_back(asked[e]);
  std::vector<RunSamples> got = jacobian ? runs_.withSlopes(made, varied(now)) : runs_.samples(made);
  std::vector<RunSamples> samples(asked.size());
  for (std::size_t e = 0, k = 0; e < asked.size(); ++e)
    if (fitted_[e]) samples[e] = std::move(got[k++]);
  if (anyGaveUp(samples)) return false;
  return fill(z, asked, samples, residuals, jacobian);
}

bool PlanResiduals::fill(const Eigen::VectorXd& z, const std::vector<RunRequest>& requests,
                         const std::vector<RunSamples>& samples, Eigen::VectorXd& residuals,
                         Eigen::MatrixXd* jacobian) {
  const Eigen::VectorXd now = values(z);
  const Eigen::Index n = z.size(), data = dataCount();
  Eigen::Index priors = 0;
  for (const Unknown& unknown : plan_.unknowns) priors += unknown.prior.has_value();
  residuals.resize(data + priors);
  if (jacobian) *jacobian = Eigen::MatrixXd::Zero(data + priors, n);
  for (Eigen::Index i = 0; i < data; ++i) {
    const Number& number = numbers_[std::size_t(i)];
    const Experiment& experiment = plan_.experiments[number.experiment];
    const DataColumn& column = experiment.columns[std::size_t(number.column)];
    const RunSamples& sample = samples[number.experiment];
    const Eigen::Index row = rowOf(requests[number.experiment], runTime(experiment, number.row, column, now));
    const Eigen::Index first = firstProbe(number), probes = column.probes();
    const Shown shown = shownOf(experiment, column, now, sample.values.row(row).segment(first, probes));
    if (!shown.problem.empty()) return why_ = shown.problem, false;
    residuals[i] = (shown.value - experiment.data(number.row, number.column)) / column.sigma;
    if (!jacobian) continue;
    Eigen::VectorXd slopes = Eigen::VectorXd::Zero(n);
    for (Eigen::Index u = 0, p = 0; u < n; ++u)
      if (plan_.unknowns[std::size_t(u)].ofScene)
        slopes[u] = sample.slopes[std::size_t(p++)].row(row).segment(first, probes).dot(shown.byProbes);
    addSlopes(experiment, column, shown, slopes);
    if (column.delay.unknown >= 0)
      slopes[column.delay.unknown] -= sample.rates.row(row).segment(first, probes).dot(shown.byProbes);
    jacobian->row(i) = slopes.transpose() / column.sigma;
  }
  if (jacobian)
    for (Eigen::Index u = 0; u < n; ++u) jacobian->col(u) *= plan_.unknowns[std::size_t(u)].slope(z[u]);
  Eigen::Index i = data;
  for (const bool measured : {true, false})
    for (Eigen::Index u = 0; u < n; ++u) {
      const Unknown& unknown = plan_.unknowns[std::size_t(u)];
      if (!unknown.prior || unknown.prior->measured != measured) continue;
      residuals[i] = unknown.priorResidual(z[u]);
      if (jacobian) (*jacobian)(i, u) = unknown.priorSlope(z[u]);
      ++i;
    }
  return true;
}

std::vector<Eigen::MatrixXd> PlanResiduals::predictions(const Eigen::VectorXd& z) {
  const Eigen::VectorXd now = values(z);
  const std::vector<RunRequest> asked = requests(now, true);
  const std::vector<RunSamples> samples = runs_.samples(asked);
  anyGaveUp(samples);
  std::vector<Eigen::MatrixXd> out;
  offPlane_.assign(asked.size(), 0);
  for (std::size_t e = 0; e < asked.size(); ++e) {
    const Experiment& experiment = plan_.experiments[e];
    Eigen::MatrixXd model(experiment.data.rows(), experiment.data.cols());
    for (Eigen::Index c = 0; c < model.cols() && samples[e].gaveUp.empty(); ++c)
      for (Eigen::Index r = 0; r < model.rows(); ++r) {
        const DataColumn& column = experiment.columns[std::size_t(c)];
        const Eigen::VectorXd probes = samples[e]
                                           .values.row(rowOf(asked[e], runTime(experiment, r, column, now)))
                                           .segment(firstProbe({e, r, c}), column.probes());
        const Shown shown = shownOf(experiment, column, now, probes);
        model(r, c) = shown.problem.empty() ? shown.value : std::numeric_limits<double>::quiet_NaN();
        const Placement& placement = experiment.frame.placement;
        if (column.axis >= 0 && placement.kind == Placement::Kind::camera)
          offPlane_[e] = std::max(offPlane_[e], placement.plane.distance(probes.head<3>()));
      }
    out.push_back(samples[e].gaveUp.empty() ? model : Eigen::MatrixXd());
  }
  return out;
}

}  // namespace tendril::fit
