// Statics of linkages: one load step, by Newton, or by damped motion where that stalls or ends at an unstable place.
#include <limits>

#include "strain/strain_model.h"

namespace tendril {
namespace {

constexpr int dampedSteps = 1000, dampedFailures = 40;
constexpr long dampedIterations = 5000;  // of Newton, in one damped motion

}  // namespace

// Implicit Euler steps that forget their velocity from the accepted state until what acts is in a stable balance; they
// grow while they are easy, but not at once beyond a length that failed. x: where it ends.
bool StrainModel::settleDamped(const NewtonSettings& settings, const Kinematics& still, VectorX& x, StepReport& report) {
  const int n = system_->coordinates();
  Kinematics k = still;
  double h = scene_.solver.dt, ceiling = std::numeric_limits<double>::infinity(), movedBefore = 0;
  int failures = 0;
  VectorX start = history_.q;
  for (const DrivenValue& d : driven_) start[d.coordinate] = d.value;
  x = start;
  for (int i = 0; i < dampedSteps && failures < dampedFailures && report.iterations < dampedIterations; ++i) {
    k.base = x;
    k.rates.a = 1 / (h * h);
    weigh(k.rates);
    VectorX trial = x;
    trial.tail(system_->size() - n).setZero();
    NewtonReport newton = newton_.solve(*system_, k, settings, trial);
    report.iterations += newton.iterations;
    if (newton.stopped) {
      report.stopped = true;
      return false;
    }
    const double moved = newton.converged ? system_->updateNorm(trial - x) : 0;
    if (!newton.converged || !(moved < 0.3 * system_->extent()) || !between(x, trial)) {
      ++failures;
      ceiling = 0.7 * h;
      h *= 0.5;
      continue;
    }
    x = trial;
    ceiling *= 1.05;
    if (newton.iterations <= 10) h = std::min(2 * h, ceiling);
    // Plain statics may end it once the motion dies down; while it leaves an unstable place, it would only lead back.
    const bool calming = moved < 1e-3 * system_->extent() && moved < movedBefore;
    movedBefore = moved;
    if (!calming && i % 10 != 9) continue;
    weigh({});
    trial.tail(system_->size() - n).setZero();
    newton = newton_.solve(*system_, still, settings, trial);
    report.iterations += newton.iterations;
    if (!newton.converged || system_->updateNorm(trial - x) > 0.05 * system_->extent()) continue;
    if (stabilityAt(trial) != Stability::unstable) {
      x = trial;
      return true;
    }
    if (!calming) continue;  // it is leaving
    // Too long steps are drawn to where short ones lead away from.
    ++failures;
    x = start;
    h = ceiling = 0.3 * h;
    movedBefore = 0;
  }
  return false;
}

// Whether contacts allow the way from one state to another.
bool StrainModel::between(const VectorX& from, const VectorX& to) {
  if (contact_->empty()) return true;
  move_ = to - from;
  return system_->longestStep(from, move_) >= 1;
}

StepReport StrainModel::settle(const SettleRequest& request, const Continue& keepGoing) {
  StepReport report;
  Moment moment;
  moment.t = moment.middle = request.time;
  moment.factor = request.factor;
  moment.slack = 1e-9;
  moment.columns = request.columns;
  if (request.equilibrium) moment.extra = &scene_.solver.startWith;
  Kinematics still;
  still.base = still.v0 = still.a0 = VectorX::Zero(system_->size());
  prepare(moment, moment, request.time);
  if (!contact_->empty()) contact_->begin(frames());
  framesFresh_ = balanceFresh_ = false;
  weigh({});
  x_ = history_.q;
  hold(moment, 0, x_, still);
  still.v0.setZero(), still.a0.setZero();
  NewtonReport newton = newton_.solve(*system_, still, settings(keepGoing), x_);
  report.iterations = newton.iterations;
  report.stopped = newton.stopped;
  report.reason = newton.reason;
  // Newton took an unstable place for the end of the way: which of several it finds, chance decides.
  const bool strayed = newton.converged && system_->updateNorm(x_ - history_.q) > 1e-6 * system_->extent() &&
                       stabilityAt(x_) == Stability::unstable;
  Way way = Way::loadStep;
  if ((strayed || !newton.converged) && !newton.stopped) {
    VectorX found = x_;
    const std::string open = openLoop(x_);
    if (settleDamped(settings(keepGoing), still, x_, report)) {
      report.warnings.push_back("the static solve (" + (strayed ? "Newton ended at an unstable equilibrium" : report.reason) +
                                ") went on by damped motion from where it began");
      newton.converged = true;
      way = Way::damped;
    } else if (strayed) {
      x_.swap(found);
    } else if (!report.stopped) {
      const std::string loose = looseJoint();
      if (!open.empty()) report.reason += "; " + open;
      if (!loose.empty()) report.reason += "; nothing holds " + loose + " in a static solve";
    }
    weigh({});
  }
  if (!newton.converged || report.stopped) return report;
  report.reason = refusal(x_, way);
  if (!report.reason.empty()) return report;
  report.accepted = true;
  q_ = x_;
  v_ = VectorX::Zero(system_->size());
  acceleration_.setZero(system_->size());
  history_.a.setZero(system_->size()), history_.auxiliary.setZero(system_->size());
  accept(moment, request.time, 0);
  if (request.equilibrium) {
    // The run starts from rest as far as nothing is driven.
    moment_.extra = nullptr;
    drives_.driven(moment_, differenceWidth(0), *structure_, driven_);
    for (const DrivenValue& d : driven_) history_.v[d.coordinate] = d.rate;
    projectVelocity();
  }
  haveAcceleration_ = false;
  const Stability stability = stabilityAt(history_.q);
  if (stability == Stability::unstable) {
    report.warnings.emplace_back(
        "the equilibrium found is unstable (its stiffness has a negative pivot): a small imperfection or side load would "
        "leave it; more loadSteps or a damped motion lead to a stable one");
  } else if (stability == Stability::neutral) {
    const std::string loose = looseJoint();
    if (!loose.empty()) {
      report.warnings.push_back("nothing holds " + loose + " in this equilibrium: others beside it are as good");
    }
  }
  return report;
}

// From the signs of the pivots of the tangent's symmetric part at q; of closed chains, on the motions that their loops
// allow. What follows the motion of a load has no potential: nothing is said of it.
StrainModel::Stability StrainModel::stabilityAt(const VectorX& q) {
  constexpr int most = 400;  // larger ones would take long
  const int n = system_->coordinates(), m = system_->size() - n;
  if (n == 0 || n > most) return Stability::unknown;
  for (const PointWrench& w : system_->wrenches) {
    if (!w.world || w.wrench.head<3>().norm() > 0) return Stability::unknown;
  }
  const VectorX zero = VectorX::Zero(system_->size());
  VectorX r;
  system_->evaluate({q, zero, zero}, {}, Level::tangent, r);
  framesFresh_ = false;
  Eigen::MatrixXd whole = system_->tangent(), k = whole.topLeftCorner(n, n), loops = whole.bottomLeftCorner(m, n);
  for (int i = 0; i < n; ++i) {
    if (system_->held[static_cast<std::size_t>(i)]) k.col(i).setZero(), k(i, i) = 1, loops.col(i).setZero();
  }
  k = (0.5 * (k + k.transpose())).eval();
  VectorX size = k.diagonal().cwiseAbs();
  if (m > 0) {
    // Stiff against what the loops forbid, the rest decides (Debreu 1952).
    const double largest = size.maxCoeff();
    k += 1e5 * largest / loops.squaredNorm() * loops.transpose() * loops;
    size = size.cwiseMax(1e-3 * largest);
  }
  // L D L^T without exchanges: the signs of D are those of the eigenvalues.
  for (int j = 0; j < n; ++j) {
    const double pivot = k(j, j);
    if (pivot < -1e-8 * size[j]) return Stability::unstable;
    if (!(pivot > 1e-12 * size[j])) return Stability::neutral;
    for (int i = j + 1; i < n; ++i) {
      const double l = k(i, j) / pivot;
      for (int c = i; c < n; ++c) k(c, i) -= l * k(c, j);
    }
  }
  return Stability::stable;
}

}  // namespace tendril
