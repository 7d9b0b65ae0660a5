#include "model/stepped_model.h"

#include "model/energy_watch.h"

namespace tendril::model {

SteppedModel::SteppedModel(const scene::Scene& scene, scene::Integrator integrator)
    : scene_(scene), integrator_(integrator) {
  // Feedback sees zeros and the initial values of states until the first probes are taken.
  columns_ = scene::columnsAtStart(scene);
  instant_.columns = columns_.data();
  instant_.factor = scene.solver.dynamic ? 1 : 0;  // statics begin unloaded and undriven
}

bool SteppedModel::isExplicit() const {
  return integrator_ == scene::Integrator::symplecticEuler || integrator_ == scene::Integrator::verlet;
}

solve::ImplicitScheme SteppedModel::scheme() const {
  switch (integrator_) {
    case scene::Integrator::implicitMidpoint:
      return solve::ImplicitScheme::midpoint;
    case scene::Integrator::bdf2:
      return solve::ImplicitScheme::bdf2;
    case scene::Integrator::generalizedAlpha:
      return solve::ImplicitScheme::generalizedAlpha;
    default:
      return solve::ImplicitScheme::euler;
  }
}

solve::NewtonSettings SteppedModel::newtonSettings(const Continue& keepGoing) const {
  solve::NewtonSettings out;
  out.tolerance = scene_.solver.tolerance;
  out.iterations = scene_.solver.iterations;
  out.lineSearch = scene_.solver.lineSearch;
  out.keepGoing = keepGoing;
  return out;
}

bool SteppedModel::isFinest(double dt) const { return dt <= EnergyWatch::finest * scene_.solver.dt; }

StepReport SteppedModel::implicitStep(const StepRequest& request, const Continue& keepGoing) {
  StepReport report;
  if (!openStep(request, report)) return report;
  const StepInstants step = stepInstants(request, step_.at);
  const struct Ended {
    ~Ended() { model.endStep(); }
    SteppedModel& model;
  } ended{*this};
  if (!prepareStep(step, request, report)) return report;

  // Solve
  const solve::NewtonReport newton = solveStep(step, request, keepGoing);
  report.iterations = newton.iterations;
  report.stopped = newton.stopped;
  report.reason = newton.reason;
  if (!newton.converged) {
    explainFailure(newton, report);
    return report;
  }

  // Check
  if (!reachEnd(step, request, report)) return report;
  const bool gains = gainsEnergy(step, request);
  if (gains && !isFinest(request.dt)) {
    report.reason = "the step would gain more energy than what acts gives it";
    return report;
  }

  // Accept
  report.accepted = true;
  acceptStep(step, request, gains, report);
  return report;
}

void SteppedModel::moveOn(const scene::Instant& end, double dt) {
  history_.qBefore.swap(history_.q);
  history_.vBefore.swap(history_.v);
  history_.q = q_;
  history_.v = v_;
  history_.dtBefore = dt;
  keepInstant(end);
}

void SteppedModel::keepInstant(const scene::Instant& accepted) {
  if (accepted.columns) columns_.assign(accepted.columns, accepted.columns + columns_.size());
  instant_ = accepted;
  instant_.columns = columns_.data();
  instant_.extra = nullptr;
}

}  // namespace tendril::model
