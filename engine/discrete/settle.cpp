// Statics of rods: Newton on the potential, damped dynamics where that stalls, and what is said of the result.
#include <algorithm>
#include <limits>

#include "discrete/model.h"

namespace tendril {
namespace {

constexpr long rescueIterations = 20000;  // of Newton, in one rescue by damped dynamics

}  // namespace

// Damped dynamics towards equilibrium: implicit Euler steps that forget their velocity, growing while they are easy,
// but not at once beyond a length that failed: just below it a buckling mode grows fastest.
bool DiscreteModel::pseudoTime(const NewtonSettings& settings, VectorX& x, StepReport& report) {
  Kinematics k, still;
  k.v0 = k.a0 = still.base = still.v0 = still.a0 = VectorX::Zero(x.size());
  double h = scene_.solver.dt, ceiling = std::numeric_limits<double>::infinity(), movedBefore = 0;
  int failures = 0;
  for (int n = 0; n < 2000 && failures < 60 && report.iterations < rescueIterations; ++n) {
    k.base = x;
    k.rates.a = 1 / (h * h);
    VectorX trial = x;
    NewtonReport newton = newton_.solve(*system_, k, settings, trial);
    report.iterations += newton.iterations;
    if (newton.stopped) {
      report.stopped = true;
      return false;
    }
    // Sides would be lost little by little.
    if (!newton.converged || !system_->pressedThrough(x, trial).empty()) {
      ++failures;
      ceiling = 0.7 * h;
      h *= 0.5;
      continue;
    }
    const double moved = system_->updateNorm(trial - x);
    if (!(moved < 1e3 * system_->extent())) return false;  // it flies away
    x = trial;
    system_->rebase(x);
    ceiling *= 1.05;
    if (newton.iterations <= 10) h = std::min(2 * h, ceiling);
    // Plain statics may end it once the motion dies down; while a mode grows, it would only lose time.
    const bool calming = moved < 1e-4 * system_->extent() && moved < movedBefore;
    movedBefore = moved;
    if (!calming && n % 10 != 9) continue;
    trial = x;
    newton = newton_.solve(*system_, still, settings, trial);
    report.iterations += newton.iterations;
    if (newton.converged && system_->pressedThrough(x, trial).empty()) {
      x = trial;
      return true;
    }
  }
  return false;
}

StepReport DiscreteModel::loadStep(const SettleRequest& request, const Continue& keepGoing) {
  StepReport report;
  Moment moment;
  moment.t = moment.middle = request.time;
  moment.factor = request.factor;
  moment.slack = 1e-9;
  moment.columns = request.columns;
  if (request.equilibrium) moment.extra = &scene_.solver.startWith;
  Kinematics still;
  still.base = still.v0 = still.a0 = VectorX::Zero(system_->size());
  const FrameState frames = system_->elasticity().frames();
  system_->mayRebase = true;
  x_ = history_.q;
  system_->prepare(moment, moment, request.time, history_.q, false, x_);
  const std::string sweeper = system_->contacts().sweeper(history_.q);
  if (!sweeper.empty()) {
    report.reason = "obstacle \"" + sweeper + "\" would pass through a body within this load step; take more load steps";
    system_->mayRebase = false;
    return report;
  }
  if (!keepGuessOutside()) {
    report.reason = "supports would move a body through another or through an obstacle within this load step; take more load steps";
    system_->mayRebase = false;
    return report;
  }
  if (system_->elasticity().damped()) system_->elasticity().references() = observed(false).strains;
  NewtonReport newton = newton_.solve(*system_, still, settings(keepGoing), x_);
  report.iterations = newton.iterations;
  report.reason = newton.reason;
  if (!newton.converged && !newton.stopped) {
    system_->elasticity().setFrames(frames);
    x_ = history_.q;
    system_->prepare(moment, moment, request.time, history_.q, false, x_);
    keepGuessOutside();
    if (pseudoTime(settings(keepGoing), x_, report)) {
      newton.converged = true;
      report.warnings.push_back("the static solve stalled (" + report.reason + ") and went on by damped dynamics");
    }
  }
  system_->mayRebase = false;
  report.stopped = report.stopped || newton.stopped;
  observedFresh_ = balanceFresh_ = false;
  if (!newton.converged) {
    system_->elasticity().setFrames(frames);
    return report;
  }
  const std::string pressed = system_->pressedThrough(history_.q, x_);
  if (!pressed.empty()) {
    report.reason = pressed;
    system_->elasticity().setFrames(frames);
    return report;
  }
  report.accepted = true;
  system_->accept(x_);
  system_->contacts().motion().accept(moment, request.time);
  keep(moment);
  maxPenetration_ = std::max(maxPenetration_, system_->penetration(x_));
  history_.q = x_;
  history_.v.setZero();
  history_.dtBefore = 0;
  acceleration_.setZero();
  haveAcceleration_ = haveSag_ = false;
  strainRate_ = 0;
  if (isUnstable(still)) {
    report.warnings.emplace_back(
        "the equilibrium found is unstable (its stiffness has a negative pivot): a small imperfection "
        "or side load would leave it");
  }
  return report;
}

// A perfectly symmetric structure stays on its unstable branch: Newton sees no force that leads away from it.
bool DiscreteModel::isUnstable(const Kinematics& still) {
  if (!system_->conservative()) return false;
  system_->evaluate({history_.q, still.v0, still.a0}, still.rates, Level::tangent, x_);
  // The round-off of null modes may be negative too: it gives way to a shift of 1e-10 of the diagonal.
  return system_->factor(0).negativePivots > 0 && system_->factor(1e-10).negativePivots > 0;
}

}  // namespace tendril
