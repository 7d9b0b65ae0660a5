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
    if (!loose.empty()) report.reason += "; nothing holds joint \"" + loose + "\" in a static solve: give it stiffness or drive it";
    return report;
  }
  const double penetrationNow = maxPenetration_;
  report.reason = refusal(x_);
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
  return report;
}

}  // namespace tendril
