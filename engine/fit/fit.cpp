#include "fit/fit.h"

#include <cmath>
#include <limits>

#include "fit/generator.h"
#include "fit/plan_objective.h"
#include "fit/sequential.h"

namespace tendril::fit {

bool StartResult::allowed() const { return history.empty() || history.back().violation <= SqpOptions().violation; }

Eigen::VectorXd startOf(const Plan& plan, const PlanResiduals& residuals, int index) {
  return index == 0 ? residuals.starts() : evenPoint(plan.seed, index - 1, int(plan.unknowns.size()));
}

namespace {

constexpr double held = 1e-3;          // of the objective's gradient, by the multiplier of a limit that is active
constexpr double atConstraint = 1e-6;  // widths of the bounds, by the largest gradient of a constraint
constexpr double unknownCost = std::numeric_limits<double>::quiet_NaN();

std::vector<bool> heldByBounds(const Eigen::VectorXd& z) {
  std::vector<bool> out;
  for (const double position : z) out.push_back(position <= 0 || position >= 1);
  return out;
}

/// `found`: of the best start; without a Jacobian where that is of an earlier call.
void judge(const Plan& plan, PlanResiduals& residuals, const LeastSquaresResult& found, FitResult& out) {
  const Eigen::VectorXd& z = out.starts[std::size_t(out.best)].z;
  const Eigen::Index n = z.size();
  out.values = residuals.values(z);
  out.atBound = heldByBounds(z);
  out.standardErrors = Eigen::VectorXd::Constant(n, std::numeric_limits<double>::quiet_NaN());
  MinimumSample sample;
  sample.residuals = found.residuals, sample.jacobian = found.jacobian;
  if (found.jacobian.size() == 0 && !residuals.evaluate(z, sample.residuals, &sample.jacobian)) return;
  sample.data = residuals.measuredCount();
  sample.huber = residuals.huber();
  sample.range = Eigen::VectorXd::Ones(n);
  for (const bool held : out.atBound) sample.free.push_back(!held);
  sample.knownVariance = plan.sigmas;
  out.uncertainty = uncertaintyOf(sample);
  for (Eigen::Index u = 0; u < n; ++u)
    out.standardErrors[u] = out.uncertainty->standardError[u] * plan.unknowns[std::size_t(u)].slope(z[u]);
}

/// What the objective is at the best start.
void judgeObjective(const Plan& plan, RunSource& runs, FitResult& out) {
  const StartResult& best = out.starts[std::size_t(out.best)];
  const PlanResiduals places(plan, runs);
  PlanObjective problem(plan, runs);
  out.values = places.values(best.z);
  out.atBound = heldByBounds(best.z);
  out.standardErrors = Eigen::VectorXd::Constant(best.z.size(), std::numeric_limits<double>::quiet_NaN());
  Optimum optimum;
  if (!problem.evaluate(best.z, optimum.values, true)) return;
  out.doubts = runs.doubts();
  SqpOptions options = problem.options();
  options.scales = best.scales;
  optimum.terms = problem.terms();
  optimum.optimality = optimalityAt(optimum.values, best.z, options);
  for (Eigen::Index i = 0; i < optimum.values.constraints.size(); ++i) {
    // At the limit; or so near that the gradient of the objective leads onto it.
    const double value = optimum.values.constraints[i], scale = best.scales.constraints[i],
                 carries = std::abs(optimum.optimality.multipliers[i]) * scale;
    optimum.active.push_back(value >= options.constraintUpper[i] - atConstraint * scale ||
                             value <= options.constraintLower[i] + atConstraint * scale ||
                             carries > held * best.scales.objective);
    if (!optimum.active.back()) optimum.optimality.multipliers[i] = 0;
  }
  optimum.boundMultipliers = optimum.optimality.boundMultipliers;
  for (Eigen::Index u = 0; u < best.z.size(); ++u)
    optimum.boundMultipliers[u] /= plan.unknowns[std::size_t(u)].slope(best.z[u]);
  out.optimum = std::move(optimum);
}

/// What a start led to, with its residuals and Jacobian.
struct Found {
  StartResult start;
  LeastSquaresResult minimum;
};

LeastSquaresOptions searchOptions(const Plan& plan, const PlanResiduals& residuals) {
  LeastSquaresOptions out;
  const Eigen::Index n = Eigen::Index(plan.unknowns.size());
  out.lower = Eigen::VectorXd::Zero(n), out.upper = Eigen::VectorXd::Ones(n);
  out.huber = residuals.huber();
  return out;
}

Found optimizeFrom(const Plan& plan, RunSource& runs, const FitOptions& options, int index) {
  PlanObjective problem(plan, runs);
  const PlanResiduals places(plan, runs);
  Found out;
  const bool known = std::size_t(index) < options.before.size();
  if (known) out.start = options.before[std::size_t(index)];
  if (known && out.start.stop != Stop::asked) return out;
  SqpOptions search = problem.options();
  search.scales = out.start.scales;
  if (options.goOn)
    search.goOn = [&](const SqpState& state) {
      const LeastSquaresState same{state.iterations, state.trials, state.gaveUp, state.objective, nullptr};
      return options.goOn({index, same, state.violation});
    };
  const Eigen::VectorXd from = startOf(plan, places, index);
  const SqpResult found = minimize(problem, known ? out.start.z : from, search);
  const bool nothing = found.stop == Stop::asked && found.history.empty();
  if (nothing && known) return out;
  std::vector<SqpPoint> history = std::move(out.start.history);
  // What is gone on from is the last point already.
  const auto first = found.history.begin() + (history.empty() || found.history.empty() ? 0 : 1);
  history.insert(history.end(), first, found.history.end());
  out.start = {from,         found.x,          nothing ? unknownCost : found.values.objective,
               found.stop,   found.iterations, found.trials,
               found.gaveUp, found.reason,     std::move(history),
               found.scales};
  return out;
}

/// Whether a start led to less than another: first to what is allowed.
bool isBetter(const StartResult& one, const StartResult& other) {
  if (one.allowed() != other.allowed()) return one.allowed();
  if (one.allowed() || one.history.empty() || other.history.empty()) return one.cost < other.cost;
  return one.history.back().violation < other.history.back().violation;
}

Found searchFrom(const Plan& plan, RunSource& runs, const FitOptions& options, int index) {
  if (plan.objective) return optimizeFrom(plan, runs, options, index);
  PlanResiduals residuals(plan, runs);
  Found out;
  // One knot after the other begins anew: where it was stopped it has no place to go on from.
  const bool known = !plan.sequential && std::size_t(index) < options.before.size();
  if (known) out.start = options.before[std::size_t(index)];
  if (known && out.start.stop != Stop::asked) return out;
  LeastSquaresOptions search = searchOptions(plan, residuals);
  if (options.goOn) search.goOn = [&](const LeastSquaresState& state) { return options.goOn({index, state}); };
  const Eigen::VectorXd from = startOf(plan, residuals, index);
  const LeastSquaresResult found = plan.sequential ? searchSequentially(plan, residuals, from, search.goOn)
                                                   : minimize(residuals, known ? out.start.z : from, search);
  const bool nothing = found.stop == Stop::asked && found.residuals.size() == 0;
  if (nothing && known) return out;
  out.start = {from,
               found.x,
               nothing ? unknownCost : found.cost,
               found.stop,
               found.iterations,
               found.trials,
               found.gaveUp,
               found.reason,
               {},
               {}};
  out.minimum = found;
  return out;
}

}  // namespace

FitResult fitPlan(const Plan& plan, const RunSources& sources, const FitOptions& options) {
  std::vector<Found> found(std::size_t(plan.starts));
  options.forEach(found.size(), [&](std::size_t i) { found[i] = searchFrom(plan, *sources(), options, int(i)); });
  FitResult out;
  for (const Found& one : found) {
    out.stopped = out.stopped || one.start.stop == Stop::asked;
    out.starts.push_back(one.start);
    if (one.start.stop == Stop::noStart || std::isnan(one.start.cost)) continue;
    if (out.best < 0 || isBetter(one.start, out.starts[std::size_t(out.best)])) out.best = int(out.starts.size()) - 1;
  }
  // Starts that were not begun say nothing.
  while (!out.starts.empty() && out.starts.back().stop == Stop::asked && std::isnan(out.starts.back().cost))
    out.starts.pop_back();
  if (options.onSearched) options.onSearched(out);
  if (out.best < 0) return out;
  const std::unique_ptr<RunSource> runs = sources();
  if (plan.objective) {
    judgeObjective(plan, *runs, out);
    return out;
  }
  PlanResiduals residuals(plan, *runs);
  judge(plan, residuals, found[std::size_t(out.best)].minimum, out);
  const Eigen::VectorXd& best = out.starts[std::size_t(out.best)].z;
  Eigen::VectorXd unused;
  Eigen::MatrixXd slopes;
  if (!plan.sequential && residuals.evaluate(best, unused, &slopes)) out.doubts = runs->doubts();
  out.predictions = residuals.predictions(best);
  out.offPlane = residuals.offPlane();
  return out;
}

}  // namespace tendril::fit
