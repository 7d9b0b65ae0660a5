#include "fit/fit.h"

#include <cmath>
#include <limits>

#include "fit/generator.h"

namespace tendril::fit {

Eigen::VectorXd startOf(const Plan& plan, const PlanResiduals& residuals, int index) {
  return index == 0 ? residuals.starts() : evenPoint(plan.seed, index - 1, int(plan.unknowns.size()));
}

namespace {

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
  sample.data = residuals.dataCount();
  sample.huber = residuals.huber();
  sample.range = Eigen::VectorXd::Ones(n);
  for (const bool held : out.atBound) sample.free.push_back(!held);
  sample.knownVariance = plan.sigmas;
  out.uncertainty = uncertaintyOf(sample);
  for (Eigen::Index u = 0; u < n; ++u)
    out.standardErrors[u] = out.uncertainty->standardError[u] * plan.unknowns[std::size_t(u)].slope(z[u]);
}

/// A search from start to start.
class StartSearch {
 public:
  StartSearch(const Plan& plan, RunSource& runs, const FitOptions& options)
      : plan_(plan), options_(options), residuals_(plan, runs) {
    const Eigen::Index n = Eigen::Index(plan.unknowns.size());
    search_.lower = Eigen::VectorXd::Zero(n), search_.upper = Eigen::VectorXd::Ones(n);
    search_.huber = residuals_.huber();
  }

  FitResult run() {
    for (int index = 0; index < plan_.starts && !out_.stopped; ++index) {
      searchFrom(index);
      if (options_.onStart) options_.onStart(out_.starts);
    }
    if (options_.onSearched) options_.onSearched(out_);
    if (out_.best < 0) return std::move(out_);
    judge(plan_, residuals_, found_, out_);
    out_.predictions = residuals_.predictions(out_.starts[std::size_t(out_.best)].z);
    return std::move(out_);
  }

 private:
  void searchFrom(int index) {
    const bool known = std::size_t(index) < options_.before.size();
    const StartResult before = known ? options_.before[std::size_t(index)] : StartResult();
    if (known && before.stop != Stop::asked) return add(before, {});
    if (options_.goOn) search_.goOn = [&](const LeastSquaresState& state) { return options_.goOn({index, state}); };
    const Eigen::VectorXd from = startOf(plan_, residuals_, index);
    const LeastSquaresResult found = minimize(residuals_, known ? before.z : from, search_);
    out_.stopped = found.stop == Stop::asked;
    const bool nothing = out_.stopped && found.residuals.size() == 0;
    if (!nothing)
      add({from, found.x, found.cost, found.stop, found.iterations, found.trials, found.gaveUp, found.reason}, found);
    else if (known)
      add(before, {});
  }

  void add(const StartResult& start, const LeastSquaresResult& found) {
    out_.starts.push_back(start);
    if (start.stop == Stop::noStart) return;
    if (out_.best >= 0 && !(start.cost < out_.starts[std::size_t(out_.best)].cost)) return;
    out_.best = int(out_.starts.size()) - 1;
    found_ = found;
  }

  const Plan& plan_;
  const FitOptions& options_;
  PlanResiduals residuals_;
  LeastSquaresOptions search_;
  LeastSquaresResult found_;  // of the best start of this call
  FitResult out_;
};

}  // namespace

FitResult fitPlan(const Plan& plan, RunSource& runs, const FitOptions& options) {
  return StartSearch(plan, runs, options).run();
}

}  // namespace tendril::fit
