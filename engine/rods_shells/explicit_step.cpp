// Explicit steps of rods and shells: symplectic Euler and velocity Verlet, and how long such steps may be.
#include <cmath>
#include <limits>

#include "rods_shells/model.h"

namespace tendril::rods_shells {

model::StepReport Model::explicitStep(const model::StepRequest& request, const model::Continue& keepGoing) {
  model::StepReport report;
  if (keepGoing && !keepGoing()) {
    report.stopped = true;
    return report;
  }
  const double dt = request.dt;
  const bool verlet = scene_.solver.integrator == scene::Integrator::verlet;
  Elasticity& elasticity = system_->elasticity();
  const model::StepInstants step = model::stepInstants(request, 0);
  const scene::Instant &start = step.at, &end = step.end;
  report.reason = system_->supports().turnsTooFar(end);
  if (!report.reason.empty()) return report;
  const bool switches = findFresh(request);  // there forces are not those of the step before
  x_ = history_.q;
  ledger_.open(history_.q, history_.v, false, afresh_);
  system_->prepare(start, start, request.t0, history_.q, false, x_);
  const bool switched = system_->switched();
  if (!accelerateAtStart(switches, verlet && haveAcceleration_)) {
    report.reason = system_->outside();
    return report;
  }
  v_ = history_.v + (verlet ? 0.5 * dt : dt) * acceleration_;
  q_ = history_.q + dt * v_;
  system_->prepare(end, end, request.t0, history_.q, false, q_);
  ledger_.begin(history_.q, history_.v, false, switched || system_->switched());
  const auto& mask = system_->supports().prescribed();
  for (int i = 0; i < system_->size(); ++i) {
    if (mask[i]) v_[i] = (q_[i] - history_.q[i]) / dt;
  }
  bool stable = q_.allFinite() && v_.allFinite() && elasticity.largestTurn(q_) <= 1.5;
  system_->beginPaths(history_.q);
  met_ = stable && system_->meets(q_);
  if (met_) return report;
  move_ = q_ - history_.q;
  if (stable && system_->longestStep(history_.q, move_) < 1) {
    report.reason = "one body would pass through another within this step";
    return report;
  }
  if (stable) report.reason = system_->pressedThrough(history_.q, q_);
  report.advised = !report.reason.empty();
  if (!report.reason.empty()) return report;
  next_ = acceleration_;
  // What follows sees dampers by the strains that the step has passed.
  if (stable && elasticity.damped()) elasticity.references() = observed(false).strains;
  if (verlet && stable) stable = accelerateAtEnd(dt);
  if (!stable) {
    report.reason = "the explicit step is unstable";
    if (*system_->outside()) report.reason += std::string(": ") + system_->outside();
    return report;
  }
  report.accepted = true;
  acceptExplicit(end, request.t0, dt, report);
  haveAcceleration_ = verlet;
  return report;
}

// q_ and v_ are the accepted state from here on, with next_.
void Model::acceptExplicit(const scene::Instant& end, double t0, double dt, model::StepReport& report) {
  strainRate_ = 1 / dt;
  acceptEnd(end, t0, dt, report);
  sayCrushed(history_.q, report);
  move_ = history_.q - history_.qBefore;
  if (ledger_.isActuated()) observed(false);
  // Far from any bend's pace: explicit steps follow the fastest vibration.
  if (observedFresh_ || ++unseen_ % 8 == 0)
    sharpBends_.say(observed(false).strains, {"t", end.t, " s"}, report.warnings);
  ledger_.act({history_.q, history_.v, next_}, {1 / dt, 0},
              {move_, dt, history_.vBefore, history_.v, strainsBefore_, observed_.strains, true});
  ledger_.close(history_.q, history_.v, observed_.strains);
  ledger_.accept();
  acceleration_ = next_;
}

// Where `goesOn`, only parts that start afresh do not go on with what they had. False: out of the chart.
bool Model::accelerateAtStart(bool switches, bool goesOn) {
  // Damping rates by backward differences of the strains: the last step's at its end.
  system_->elasticity().references() = strainsBefore_;
  beginCaught();
  system_->beginContact(history_.q);
  system_->lagFriction(history_.q);
  if (goesOn && !switches) return true;
  next_ = acceleration_;
  const double rate = history_.dtBefore > 0 ? 1 / history_.dtBefore : 0;
  if (!system_->acceleration(history_.q, history_.v, rate, acceleration_)) return false;
  for (std::size_t p = 0; p < afresh_.size() && goesOn; ++p) {
    if (afresh_[p]) continue;
    for (const int i : system_->parts().unknowns[p]) acceleration_[i] = next_[i];
  }
  return true;
}

// The second half of Verlet's velocity, with next_ at q_. In the chart of the new state: in the old one the moments
// that accelerate the twist would pull at the nodes by an amount of order dt, which belongs to the chart and not to the
// rod.
bool Model::accelerateAtEnd(double dt) {
  Elasticity& elasticity = system_->elasticity();
  startFrames_ = elasticity.frames();
  elasticity.accept(q_);
  system_->lagFriction(q_);
  bool stable = system_->acceleration(q_, v_, 1 / dt, next_);
  const auto& mask = system_->supports().prescribed();
  for (int i = 0; i < system_->size(); ++i) {
    if (!mask[i]) v_[i] += 0.5 * dt * next_[i];
  }
  stable = stable && v_.allFinite();
  if (!stable) elasticity.setFrames(startFrames_);
  return stable;
}

double Model::stableStep() {
  if (!isExplicit()) return std::numeric_limits<double>::infinity();
  const auto [alone, damping] = system_->spectrum(history_.q);
  const double omega = std::hypot(alone, system_->contactFrequency());
  if (omega == 0) return std::numeric_limits<double>::infinity();
  const double zeta = damping / (2 * omega);
  // Damping is taken at the step's start, so its own limit dt < 2 / damping holds as well.
  const double limit = 2 / omega * (std::sqrt(1 + zeta * zeta) - zeta);
  return damping > 0 ? std::min(limit, 1 / damping) : limit;
}

}  // namespace tendril::rods_shells
