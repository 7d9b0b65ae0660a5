#include "solve/newton.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

constexpr double armijo = 1e-4;
constexpr double roundOff = 1e-14;   // of the largest term: below it energy differences say nothing
constexpr int halvings = 40;
constexpr int shifts = 24;
constexpr int uphills = 30;          // updates in one solve that may raise the merit, judged by what is left of them

}  // namespace

Evaluation Newton::evaluate(MechanicalSystem& system, const Kinematics& k, const VectorX& x, Level level) {
  v_ = k.rates.v * (x - k.base) + k.v0;
  a_ = k.rates.a * (x - k.base) + k.a0;
  return system.evaluate(Motion{x, v_, a_}, k.rates, level, r_);
}

// Factors with the smallest shift that gives a descent direction. Without a potential, negative pivots are no failure.
bool Newton::direction(MechanicalSystem& system, bool conservative, NewtonReport& report) {
  Factorisation f = system.factor(0);
  report.negativePivots = f.negativePivots;
  report.lowestPivotRatio = f.lowestPivotRatio;
  shifted_ = false;
  double shift = std::max(1e-8, shift_ * 0.1);
  for (int i = 0; i < shifts && (!f.ok || (conservative && f.negativePivots > 0)); ++i, shift *= 10) {
    f = system.factor(shift);
    shifted_ = true;
    shift_ = shift;
  }
  if (!f.ok || (conservative && f.negativePivots > 0)) return false;
  if (!shifted_) shift_ = 0;
  system.solve(r_, dx_);
  dx_ = -dx_;
  return dx_.allFinite();
}

// Natural monotonicity (Deuflhard 2004): the correction that the present factor still asks for at the trial state (r_ is
// there) is clearly shorter than the one made. Slender rods need it: where one turns, the straight paths of its nodes
// stretch it to second order, energy and residual jump, and the next correction takes the stretch out again.
bool Newton::contracts(MechanicalSystem& system, double alpha) {
  if (shifted_ || uphills_ >= uphills) return false;
  rest_.resize(dx_.size());
  system.solve(r_, rest_);
  if (!rest_.allFinite() || system.updateNorm(rest_) > (1 - 0.5 * alpha) * system.updateNorm(dx_)) return false;
  ++uphills_;
  return true;
}

// Moves x along dx_; leaves r_, here_, norm_ of the new x. False: no acceptable point.
bool Newton::lineSearch(MechanicalSystem& system, const Kinematics& k, const NewtonSettings& settings, VectorX& x) {
  const Evaluation before = here_;
  const double slope = r_.dot(dx_), oldNorm = norm_;
  // Quadratic convergence predicts the next residual: where it ends the loop, its tangent would be wasted.
  const bool last = contraction_ >= 0 && contraction_ * oldNorm * oldNorm < 0.3 * target_;
  double alpha = 1;
  for (int i = 0; i < halvings; ++i, alpha *= 0.5) {
    system.retract(x, dx_, alpha, trial_);
    const Level level = i > 0 && settings.lineSearch ? Level::residual : (last ? Level::residual : Level::tangent);
    const Evaluation there = evaluate(system, k, trial_, level);
    if (!there.valid || !std::isfinite(there.potential)) continue;
    const double norm = system.residualNorm(r_);
    if (!std::isfinite(norm)) continue;
    bool accept = !settings.lineSearch;
    if (!accept && before.hasPotential && there.hasPotential) {
      const double noise = roundOff * std::max(before.magnitude, there.magnitude) * 10;
      if (std::abs(alpha * slope) > noise) {
        accept = there.potential <= before.potential + armijo * alpha * slope + noise;
      } else {
        accept = norm <= std::max(oldNorm, target_) || i > 0;   // the end of the digits: the update is round-off
      }
    } else if (!accept) {
      accept = norm <= (1 - armijo * alpha) * oldNorm || norm <= target_;
    }
    if (!accept && !contracts(system, alpha)) continue;
    if (i == 0 && oldNorm > 0) contraction_ = norm / (oldNorm * oldNorm);
    x.swap(trial_);
    here_ = there;
    norm_ = norm;
    haveTangent_ = level == Level::tangent;
    return true;
  }
  return false;
}

NewtonReport Newton::solve(MechanicalSystem& system, const Kinematics& k, const NewtonSettings& settings, VectorX& x) {
  NewtonReport report;
  dx_.resize(x.size());
  shift_ = 0;
  uphills_ = 0;
  here_ = evaluate(system, k, x, Level::tangent);
  haveTangent_ = true;
  if (!here_.valid) {
    report.reason = "the start guess turns an edge too far in one step";
    return report;
  }
  norm_ = system.residualNorm(r_);
  const double small = settings.tolerance * system.extent();
  int smallUpdates = 0, rebases = 0;
  for (;;) {
    if (!std::isfinite(norm_)) {
      report.reason = "the forces are not finite";
      return report;
    }
    target_ = settings.tolerance * here_.forceScale;
    if (norm_ <= target_) {
      report.converged = true;
      return report;
    }
    if (report.iterations >= settings.iterations) {
      report.reason = "no convergence in " + std::to_string(settings.iterations) + " iterations";
      return report;
    }
    if (settings.keepGoing && !settings.keepGoing()) {
      report.stopped = true;
      report.reason = "stopped";
      return report;
    }
    if (!haveTangent_) {
      here_ = evaluate(system, k, x, Level::tangent);
      haveTangent_ = true;
    }
    ++report.iterations;
    if (!direction(system, here_.hasPotential, report)) {
      report.reason = "the tangent stiffness is singular";
      return report;
    }
    const double update = system.updateNorm(dx_);
    smallUpdates = !shifted_ && update <= small ? smallUpdates + 1 : 0;
    if (smallUpdates >= 2) {
      system.retract(x, dx_, 1, trial_);
      x.swap(trial_);
      report.converged = true;
      return report;
    }
    if (lineSearch(system, k, settings, x)) continue;
    // Nothing acceptable along dx_: perhaps the chart ends here (statics), otherwise the direction is worthless.
    if (rebases < 200 && system.rebase(x)) {
      ++rebases;
    } else if (smallUpdates > 0) {
      system.retract(x, dx_, 1, trial_);
      x.swap(trial_);   // an update below the tolerance that only round-off resists
    } else {
      report.reason = "the line search found no better state";
      return report;
    }
    here_ = evaluate(system, k, x, Level::tangent);
    haveTangent_ = true;
    if (!here_.valid) {
      report.reason = "an edge turned too far";
      return report;
    }
    norm_ = system.residualNorm(r_);
  }
}

}  // namespace tendril
