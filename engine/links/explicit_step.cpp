// Explicit steps of linkages, symplectic Euler and Verlet, and how long they may be.
#include <algorithm>
#include <cmath>
#include <limits>

#include "links/model.h"
#include "solve/dense_lu.h"

namespace tendril::links {

model::StepReport Model::explicitStep(const model::StepRequest& request, const model::Continue& keepGoing) {
  model::StepReport report;
  if (keepGoing && !keepGoing()) {
    report.stopped = true;
    return report;
  }
  const double dt = request.dt;
  const model::StepInstants step = model::stepInstants(request, 0);
  const scene::Instant &start = step.at, &end = step.end;
  openLedger();
  report.reason = turnsPast(state_, end);
  if (!report.reason.empty()) return report;
  const bool isVerlet = scene_.solver.linkageIntegrator == scene::Integrator::verlet;
  findKinks(end, request, isVerlet);
  if (ask_ > 0) {
    report.ask = ask_;
    return report;
  }
  const bool verlet = isVerlet && !impact_;
  if (!(verlet && haveAcceleration_) || !request.smooth) {
    startAcceleration(request);
    acceleration_ = history_.a;
    findEfforts(history_.q, history_.v, acceleration_);
    if (verlet) keepLedger(), ledger_->remember();
  }
  if (!contact_->empty()) {
    prepare(end, start, request.t0);
    contact_->begin(frames());
  }
  system_->findFlight();
  VectorX momentum, push;
  startMomentum(momentum);
  system_->place(history_.q, history_.v, acceleration_);
  pushBefore(push, push_);
  momentum += (verlet ? 0.5 * dt : dt) * push;
  prepare(end, end, request.t0);
  beginLedger(dt,
              impact_  ? WorkLedger::Rule::impact
              : verlet ? WorkLedger::Rule::end
                       : WorkLedger::Rule::start,
              request.smooth, verlet);
  v_ = history_.v + (verlet ? 0.5 * dt : dt) * acceleration_;
  q_ = history_.q + dt * v_;
  solve::Kinematics none;
  holdAtEnd(end, dt, q_, none);
  for (const DrivenValue& d : driven_) v_[d.coordinate] = d.rate;
  VectorX next = acceleration_;
  if (verlet) accelerateAtEnd(dt, next, momentum);
  // Of an unstable step nothing is finite in the end; before that, links turn about wildly.
  if (!q_.allFinite() || !v_.allFinite() || !next.allFinite()) {
    report.reason = "the explicit step is unstable";
    return report;
  }
  flyWith(momentum);
  report.reason = refusal(q_);
  if (!report.reason.empty()) return report;
  report.accepted = true;
  acceptExplicit(end, dt, verlet, next, report);
  return report;
}

// Efforts at this motion: what drives joints does work, and accelerations alone do not say how much.
void Model::findEfforts(const VectorX& q, const VectorX& v, const VectorX& a) {
  const bool drives = std::find(system_->held.begin(), system_->held.end(), 1) != system_->held.end();
  if (drives) system_->evaluate({q, v, a}, {}, solve::Level::residual, move_);
}

// q_ and v_ are the accepted state from here on; `next`: the acceleration there.
void Model::acceptExplicit(const scene::Instant& end, double dt, bool verlet, const VectorX& next,
                           model::StepReport& report) {
  if (verlet) findEfforts(q_, v_, next);
  if (ledger_->asksFrames() || ledger_->flies()) system_->place(q_, v_);
  if (ledger_->flies()) ledger_->see();
  ledger_->act(history_.q, q_, v_, leaps_, nullptr);
  acceleration_ = next;
  haveAcceleration_ = verlet;
  warnings_.warnOfPassing(q_, v_, report);
  warnings_.warnOfWhirling(q_, v_, dt, report);
  accept(end, dt);
  ledger_->accept();
}

// The second half of Verlet's velocity and momentum, with `next` at q_; infinite where it has none.
void Model::accelerateAtEnd(double dt, VectorX& next, VectorX& momentum) {
  for (const DrivenValue& d : driven_) next[d.coordinate] = d.acceleration;
  // Forces that follow the velocity see what half a step more would make of it.
  VectorX ahead = v_ + 0.5 * dt * acceleration_, push;
  for (const DrivenValue& d : driven_) ahead[d.coordinate] = d.rate;
  if (!q_.allFinite() || !ahead.allFinite() || !system_->acceleration(q_, ahead, next)) {
    next.setConstant(std::numeric_limits<double>::infinity());
    return;
  }
  v_ += 0.5 * dt * next;
  for (const DrivenValue& d : driven_) v_[d.coordinate] = d.rate;
  system_->place(q_, ahead, next);
  system_->momentumRate(push);
  momentum += 0.5 * dt * push;
  rememberPush(push, push);
}

// From power iteration on M^-1 K and M^-1 D at the present state, as rods take it.
double Model::stableStep() {
  if (!isExplicit()) return std::numeric_limits<double>::infinity();
  const int n = system_->coordinates();
  const VectorX zero = VectorX::Zero(system_->size());
  VectorX r;
  system_->evaluate({history_.q, zero, zero}, {}, solve::Level::tangent, r);
  const auto even = [&](const Eigen::MatrixXd& A) {
    const auto u = system_->units().head(n).asDiagonal();
    return Eigen::MatrixXd(u * A.topLeftCorner(n, n) * u);
  };
  const Eigen::MatrixXd stiffness = even(system_->tangent());
  system_->evaluate({history_.q, zero, zero}, {1, 0}, solve::Level::tangent, r);
  const Eigen::MatrixXd damping = even(system_->tangent()) - stiffness;
  Eigen::MatrixXd mass;
  system_->massMatrix(history_.q, mass);
  mass = even(mass);
  for (int i = 0; i < n; ++i) {
    if (!system_->held[static_cast<std::size_t>(i)]) continue;
    mass.row(i).setZero(), mass.col(i).setZero();
    mass(i, i) = 1;
  }
  const solve::DenseLu lu(mass, solve::DenseLu::Pivots::rows);
  const auto largest = [&](const Eigen::MatrixXd& A) {
    VectorX x(n);
    for (int i = 0; i < n; ++i) x[i] = 1 + 0.37 * std::sin(1.7 * i);
    double value = 0;
    for (int k = 0; k < 200; ++k) {
      VectorX y = A * x;
      for (int i = 0; i < n; ++i) {
        if (system_->held[static_cast<std::size_t>(i)]) y[i] = 0;
      }
      y = lu.solve(y);
      value = y.norm() / x.norm();
      if (!(value > 0)) return 0.0;
      x = y / y.norm();
    }
    return value;
  };
  const double omega = std::sqrt(largest(stiffness)), rate = largest(damping);
  if (!(omega > 0) && !(rate > 0)) return std::numeric_limits<double>::infinity();
  if (!(omega > 0)) return 1 / rate;
  const double zeta = rate / (2 * omega), limit = 2 / omega * (std::sqrt(1 + zeta * zeta) - zeta);
  return rate > 0 ? std::min(limit, 1 / rate) : limit;
}

}  // namespace tendril::links
