// Statics of linkages: one load step.
#include "strain/strain_model.h"

namespace tendril {

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
  system_->weighClosures({});
  x_ = history_.q;
  hold(moment, 0, x_, still);
  still.v0.setZero(), still.a0.setZero();
  const NewtonReport newton = newton_.solve(*system_, still, settings(keepGoing), x_);
  report.iterations = newton.iterations;
  report.stopped = newton.stopped;
  report.reason = newton.reason;
  if (!newton.converged) {
    const std::string loose = looseJoint();
    const std::string open = openLoop(x_);
    if (!open.empty()) report.reason += "; " + open;
    if (!loose.empty()) report.reason += "; nothing holds " + loose + " in a static solve";
    return report;
  }
  const double penetrationNow = maxPenetration_;
  report.reason = refusal(x_, true);
  if (!report.reason.empty()) return report;
  maxPenetration_ = penetrationNow;
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
  if (isUnstable()) {
    report.warnings.emplace_back(
        "the equilibrium found is unstable (its stiffness has a negative pivot): a small imperfection or side load would "
        "leave it; more loadSteps or a damped motion lead to a stable one");
  }
  return report;
}

// Negative pivots of the tangent's symmetric part at the accepted state. Closed chains and what follows the motion of a
// load have no potential of the coordinates alone: nothing is said of them.
bool StrainModel::isUnstable() {
  constexpr int most = 400;  // larger ones would take long
  const int n = system_->coordinates();
  if (n == 0 || n > most || !system_->closures().empty()) return false;
  for (const PointWrench& w : system_->wrenches) {
    if (!w.world || w.wrench.head<3>().norm() > 0) return false;
  }
  const VectorX zero = VectorX::Zero(system_->size());
  VectorX r;
  system_->evaluate({history_.q, zero, zero}, {}, Level::tangent, r);
  framesFresh_ = false;
  Eigen::MatrixXd k = system_->tangent();
  for (int i = 0; i < n; ++i) {
    if (system_->held[static_cast<std::size_t>(i)]) k.col(i).setZero(), k(i, i) = 1;
  }
  k = (0.5 * (k + k.transpose())).eval();
  // L D L^T without exchanges: the signs of D are those of the eigenvalues.
  const VectorX size = k.diagonal().cwiseAbs();
  for (int j = 0; j < n; ++j) {
    const double pivot = k(j, j);
    if (pivot < -1e-8 * size[j]) return true;
    if (!(pivot > 1e-12 * size[j])) return false;  // neutral: nothing can be said
    for (int i = j + 1; i < n; ++i) {
      const double l = k(i, j) / pivot;
      for (int c = i; c < n; ++c) k(c, i) -= l * k(c, j);
    }
  }
  return false;
}

}  // namespace tendril
