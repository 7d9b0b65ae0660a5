#include "solve/newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendril::solve {
namespace {

constexpr int mostRebases = 200;  // of the chart in one solve
constexpr double armijo = 1e-4;
constexpr int patience = 8;         // iterations that reduce the error by less than half, before the solve gives up
constexpr double roundOff = 1e-14;  // of the largest term: energy differences below it are meaningless
constexpr double slow = 0.1;        // reduction per iteration: a full tangent would do better
constexpr int halvings = 40;
constexpr int shifts = 24;
constexpr double doubtful =
    0.3;  // share of an update's work lost in the tangent's round-off, above which it is useless
constexpr double noDoubt = 1e-5;      // two updates that lose no more than that are accurate
constexpr double hidden = 1e-3;       // of the displacement: the largest share of a static answer that may be round-off
constexpr double lastDigits = 2e-15;  // of the unknowns: updates below it are round-off
constexpr double nearRoundOff = 10;   // times the estimate: below it a failed line search is due to round-off
constexpr double pinned = 1e-6;  // of the largest force: the residual allowed where unknowns without a pivot are pinned
constexpr double settled = 1e-6;  // of the displacement: an update this small ends a solve and is no failure
constexpr int lookForDoubt = 12;  // iterations after which a continuing solve is checked for an end
constexpr int longestTrial = 3;   // consecutive updates that may leave the merit above its start
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Evaluation Newton::evaluate(MechanicalSystem& system, const Kinematics& k, const VectorX& x, Level level) {
  v_ = k.rates.v * (x - k.base) + k.v0;
  a_ = k.rates.a * (x - k.base) + k.a0;
  return system.evaluate(Motion{x, v_, a_}, k.rates, level, r_);
}

// The plain Newton step without a factorization, as accurately as this iteration can use: the linear residual stays far
// below the tolerance, or below what the nonlinearity will leave anyway. In a solve's first iteration neither is known;
// measured on cloth and stiff sheets, 2e-6 costs no extra iteration.
bool Newton::approximation(MechanicalSystem& system, bool conservative) {
  if (pivots_ || trials_ != 0 || shift_ != 0) return false;
  const double expected = contracted_ ? contraction_ * norm_ * norm_ : 1e-4 * norm_;
  // Where the residual is small compared to the largest force, the error of the linear solve must be small too.
  const double accuracy = even_ ? 1e-11 : std::clamp(0.02 * std::max(target_, expected) / norm_, 1e-11, 1e-2);
  if (!system.approximate(r_, accuracy, dx_)) return false;
  dx_ = -dx_;
  shifted_ = false;
  return dx_.allFinite() && (!conservative || r_.dot(dx_) < 0);
}

// Negative pivots that a search for a minimum must shift away.
int Newton::toShift(MechanicalSystem& system, const Factorization& f) const {
  return here_.hasPotential || moving_ ? f.negativePivots : system.pushes(f);
}

// Factors with the smallest shift that gives a descent direction. Without a potential, negative pivots are no failure.
bool Newton::direction(MechanicalSystem& system, const Kinematics& k, bool conservative, VectorX& x,
                       NewtonReport& report) {
  if (approximation(system, conservative)) {
    report.negativePivots = report.nullPivots = 0;
    report.lowestPivotRatio = 1;
    return true;
  }
  Factorization f = system.factor(0);
  report.negativePivots = f.negativePivots;
  report.nullPivots = f.nullPivots;
  report.lowestPivotRatio = f.lowestPivotRatio;
  shifted_ = false;
  int negative = toShift(system, f);
  // A null mode leaves a pivot of round-off, of either sign, which a minimal shift makes up for.
  const bool rounded = f.lowestPivotRatio > -1e-11;
  report.pushed = report.pushed || (!moving_ && negative > 0 && !rounded);
  double shift = rounded ? 1e-12 : std::max(1e-8, shift_ * 0.1);
  if (conservative && f.ok && negative > 0 && boldStep(system, k, x)) return true;
  for (int i = 0; i < shifts && (!f.ok || (conservative && negative > 0)); ++i, shift *= 10) {
    f = system.factor(shift);
    negative = toShift(system, f);
    shifted_ = true;
    shift_ = shift;
  }
  if (!f.ok || (conservative && negative > 0)) return false;
  if (!shifted_) shift_ = 0;
  system.solve(r_, dx_);
  dx_ = -dx_;
  return dx_.allFinite();
}

// Past an indefinite tangent the plain full update may still lead to the solution, as from a rod that has yet to grow
// to its natural length. Accepted where energy and residual both fall; x, r_, here_, norm_ are then of the new state.
bool Newton::boldStep(MechanicalSystem& system, const Kinematics& k, VectorX& x) {
  if (trials_ != 0) return false;
  system.solve(r_, dx_);
  dx_ = -dx_;
  const double slope = r_.dot(dx_);
  if (!dx_.allFinite() || !(slope < 0) || system.longestStep(x, dx_) < 1) return false;
  rest_ = r_;
  system.retract(x, dx_, 1, trial_);
  const Evaluation there = evaluate(system, k, trial_, Level::residual);
  const double norm = there.valid && std::isfinite(there.potential) ? system.residualNorm(r_) : nan;
  const double work = workTo(system, 1);
  if (!(norm <= 0.5 * norm_) || !(there.potential + work <= here_.potential + armijo * slope)) {
    r_ = rest_;
    return false;
  }
  x.swap(trial_);
  here_ = there;
  norm_ = norm;
  haveTangent_ = false;
  contraction_ = -1;
  contracted_ = false;
  bold_ = full_ = true;
  return true;
}

// Work of the nonconservative forces along dx_, as if they were constant; NaN where the system does not provide them.
double Newton::workAlongStep() const {
  if (here_.hasPotential) return 0;
  return applied_.size() == dx_.size() ? applied_.dot(dx_) : nan;
}

// The same up to the fraction `alpha` of dx_, where the system was evaluated last. A steered search includes how these
// forces change along the path, so that a full Newton step is judged correctly, however strong they are.
double Newton::workTo(MechanicalSystem& system, double alpha) const {
  const double frozen = alpha * workAlongStep();
  if (here_.hasPotential || !steered_ || std::isnan(frozen)) return frozen;
  return 0.5 * (frozen + alpha * system.appliedForce().dot(dx_));
}

// Whether the merit at the trial state is low enough compared to `from`: energy where there is one. Nonconservative
// loads count as dead loads between iterates; where that promises nothing, the residual decides.
bool Newton::descends(const Merit& from, Evaluation there, double norm, double alpha, bool shortened) const {
  const bool byWork = steered_ && from.slope < 0 && !std::isnan(from.work);
  if (!byWork && (!from.at.hasPotential || !there.hasPotential)) {
    if (norm <= (1 - armijo * alpha) * from.norm || norm <= target_) return true;
    if (trials_ > 0 || !(from.slope < 0) || std::isnan(from.work)) return false;
    there.potential += alpha * from.work;
  }
  const double noise = roundOff * std::max(from.at.magnitude, there.magnitude) * 10;
  if (std::abs(alpha * from.slope) > noise)
    return there.potential <= from.at.potential + armijo * alpha * from.slope + noise;
  return norm <= std::max(from.norm, target_) || shortened;  // precision is exhausted: the update is round-off
}

// Moves x along dx_; leaves r_, here_, norm_ of the new x. False: no acceptable point.
// A full update that raises the merit may be taken on trial: where a slender rod rotates, the straight paths of its
// nodes stretch it, energy and residual jump, and the next full update removes the stretch. Insisting on descent would
// creep along that curved valley. If a few updates do not bring the merit below its initial value, solve() goes back.
bool Newton::lineSearch(MechanicalSystem& system, const Kinematics& k, const NewtonSettings& settings, VectorX& x) {
  const Merit before{here_, norm_, r_.dot(dx_), workAlongStep()};
  const Merit& from = trials_ > 0 ? anchor_ : before;
  // Quadratic convergence predicts the next residual: where that ends the loop, its tangent would be wasted.
  const bool last = contraction_ >= 0 && contraction_ * norm_ * norm_ < 0.3 * target_;
  double alpha = system.longestStep(x, dx_);
  for (int i = 0; i < halvings; ++i, alpha *= 0.5) {
    system.retract(x, dx_, alpha, trial_);
    const Level level = i > 0 && settings.lineSearch ? Level::residual : (last ? Level::residual : Level::tangent);
    Evaluation there = evaluate(system, k, trial_, level);
    const double norm = there.valid && std::isfinite(there.potential) ? system.residualNorm(r_) : nan;
    if (!std::isfinite(norm)) {
      if (trials_ > 0) return false;
      continue;
    }
    // Measured from the start of the trial.
    const double work = steered_ ? workTo(system, alpha) + (trials_ > 0 ? passed_ : 0) : 0;
    const double potential = there.potential;
    if (steered_ && !std::isnan(work)) there.potential += work;
    const bool down = !settings.lineSearch || descends(from, there, norm, alpha, i > 0);
    there.potential = potential;
    if (!down) {
      if (i > 0 || shifted_ || trials_ < 0 || trials_ >= longestTrial) {
        if (trials_ > 0) return false;
        continue;
      }
      if (trials_++ == 0) anchor_ = before, anchorX_ = x, anchorStep_ = dx_;
      passed_ = work;
    } else if (trials_ > 0) {
      trials_ = 0;
    }
    if (i == 0 && alpha == 1 && before.norm > 0) {
      contraction_ = norm / (before.norm * before.norm);
      contracted_ = true;
    }
    full_ = i == 0 && alpha == 1 && !shifted_;
    x.swap(trial_);
    here_ = there;
    norm_ = norm;
    haveTangent_ = level == Level::tangent;
    return true;
  }
  return false;
}

// Returns to the start of the trial and searches along its direction by descent alone, as does the rest of this solve.
// False: that fails too, and x is at the start of the trial.
bool Newton::resumeBeforeTrial(MechanicalSystem& system, const Kinematics& k, const NewtonSettings& settings,
                               VectorX& x) {
  trials_ = -1;
  shifted_ = false;
  x = anchorX_;
  dx_ = anchorStep_;
  here_ = evaluate(system, k, x, Level::residual);
  haveTangent_ = false;
  if (!here_.hasPotential) applied_ = system.appliedForce();
  norm_ = anchor_.norm;
  contraction_ = -1;
  contracted_ = false;
  return lineSearch(system, k, settings, x);
}

// Share of the last update's work that may be lost in the tangent's round-off and in its shift: that part of the error
// remains after it. At rest an unrestrained motion looks the same, and a small system has no such round-off.
double Newton::doubt(const MechanicalSystem& system) const {
  if (!moving_ && system.pivotNoise() == 0) return shifted_ ? 1 : 0;
  const double rounded = system.roundedEnergy(dx_), work = std::abs(r_.dot(dx_));
  if (rounded == 0) return shifted_ ? 1 : 0;
  const double share = rounded / std::max(work, std::numeric_limits<double>::min());
  return shifted_ ? share * (1 + shift_ / std::numeric_limits<double>::epsilon()) : share;
}

// A residual that is small compared to the largest force may still be the entire load on something small or soft. In
// statics the update shows the remaining error, in dynamics the residual of every body against its own forces. Where
// neither decreases any more, what remains is round-off, or a motion that nothing resists.
bool Newton::solvesEverything(const MechanicalSystem& system, double tolerance, const NewtonReport& report) {
  if (norm_ == 0) return true;
  const double before = left_;
  if (moving_) {
    left_ = system.worstBody(r_, tolerance);
  } else {
    left_ = full_ || report.iterations == 0 ? update_ / (tolerance * system.extent())
                                            : std::numeric_limits<double>::infinity();
  }
  if (left_ > 0.5 * before) ++stalled_;
  return left_ <= 1 || stalled_ > patience;
}

// Consecutive small updates that bring the error of the linear solves below 1e-10 of the displacement.
int Newton::updatesFor(double doubt) const {
  if (doubt >= doubtful) return std::numeric_limits<int>::max();
  return doubt <= noDoubt ? 2 : static_cast<int>(std::ceil(std::log(1e-10) / std::log(doubt)));
}

// Whether the tangent's negative pivots are no more than round-off.
bool Newton::roundedNegative(const MechanicalSystem& system, const NewtonReport& report) const {
  return shifted_ && report.lowestPivotRatio < 0 && -report.lowestPivotRatio <= system.pivotNoise();
}

void Newton::giveUp(const MechanicalSystem& system, std::string reason, NewtonReport& report) const {
  report.reason = std::move(reason);
  const double share = system.floatBalance(r_) < 0 ? 1 : dx_.allFinite() ? doubt(system) : 0;
  // A shift may be needed for an instability, unless the unshifted tangent was useless too.
  const bool rounded = system.floatBalance(r_) != 0 || roundedNegative(system, report) || plainDoubt_ >= doubtful;
  if (share < doubtful || (shifted_ && !rounded)) return;
  const std::string words = system.tooFine(shifted_ ? 1 : share);
  if (words.empty()) return;
  report.reason = words;
  report.beyondDigits = true;
}

// False: there are no forces at the initial guess.
bool Newton::begin(MechanicalSystem& system, const Kinematics& k, const NewtonSettings& settings, const VectorX& x,
                   NewtonReport& report) {
  dx_.resize(x.size());
  shift_ = 0;
  trials_ = 0;
  moving_ = k.rates.a > 0;
  contracted_ = full_ = even_ = false;
  left_ = update_ = std::numeric_limits<double>::infinity();
  stalled_ = smallUpdates_ = rebases_ = 0;
  plainDoubt_ = 0;
  pivots_ = settings.pivots;
  steered_ = settings.steered;
  system.forget();
  linearize(system, k, x);
  if (!here_.valid) {
    report.reason = std::string("in the guess that the step starts from: ") + here_.outside;
    return false;
  }
  norm_ = system.residualNorm(r_);
  return true;
}

void Newton::linearize(MechanicalSystem& system, const Kinematics& k, const VectorX& x) {
  here_ = evaluate(system, k, x, Level::tangent);
  haveTangent_ = true;
}

// Whether forces at x balance to the tolerance, or to round-off.
bool Newton::isSolved(const MechanicalSystem& system, const NewtonSettings& settings, const VectorX& x,
                      const NewtonReport& report) {
  target_ = std::max(settings.tolerance * here_.forceScale, here_.roundOff);
  // An estimate of round-off ends a solve only after a solve for the loads, or where there are none.
  even_ = norm_ <= settings.tolerance * here_.forceScale;
  const bool rounded = full_ && norm_ <= here_.roundOff;
  const bool balanced = ((even_ || (rounded && moving_)) && solvesEverything(system, settings.tolerance, report)) ||
                        (rounded && !moving_);
  // At rest and unloaded, free shapes are stress-free: the remaining residual is round-off in the strains.
  const bool free = !moving_ && !here_.loaded && !here_.pushed && report.iterations > 0 &&
                    norm_ * system.updateNorm(x) <= system.roundedEnergy(x);
  return balanced || free || here_.untouched;
}

// False: the solve ends here, with a reason.
bool Newton::mayGoOn(const MechanicalSystem& system, const Kinematics& k, const NewtonSettings& settings,
                     const VectorX& x, NewtonReport& report) {
  if (report.iterations >= settings.iterations) {
    giveUp(system, "no convergence in " + std::to_string(settings.iterations) + " iterations", report);
    return false;
  }
  if (report.iterations > 0 && report.iterations % lookForDoubt == 0) {
    moves_ = x - k.base;
    // A full update that no longer changes anything is round-off in any system.
    if (shifted_ || system.updateNorm(dx_) > settled * system.updateNorm(moves_)) giveUp(system, {}, report);
    if (report.beyondDigits) return false;
  }
  if (settings.keepGoing && !settings.keepGoing()) {
    report.stopped = true;
    report.reason = "stopped";
    return false;
  }
  return true;
}

// Whether the update dx_ is so small that the solve ends with it; x then includes it.
bool Newton::endsWithUpdate(MechanicalSystem& system, const Kinematics& k, const NewtonSettings& settings, VectorX& x,
                            NewtonReport& report) {
  const double small = settings.tolerance * system.extent();
  // Where an unknown was pinned, a small update says nothing about the force on it.
  const bool balanced =
      report.nullPivots == 0 || norm_ <= std::max(pinned * here_.forceScale, nearRoundOff * here_.roundOff);
  const bool plain = !shifted_ || (roundedNegative(system, report) && doubt(system) <= noDoubt);
  const bool floats = update_ <= small && system.floatBalance(r_) > 0;
  smallUpdates_ = floats || (plain && balanced && update_ <= small) ? smallUpdates_ + 1 : 0;
  // Only the last digits of x can still change.
  const bool exhausted = smallUpdates_ >= 2 && (floats || update_ <= lastDigits * system.updateNorm(x));
  if (!exhausted && !(smallUpdates_ >= 2 && smallUpdates_ >= updatesFor(doubt(system)))) return false;
  takeUpdate(system, x);
  moves_ = x - k.base;
  // In statics the load alone determines the displacement: where updates stay this large, round-off dominates.
  if (!moving_ && here_.loaded && update_ > hidden * system.updateNorm(moves_)) {
    report.reason = system.tooFine(1);
    report.beyondDigits = !report.reason.empty();
  }
  report.converged = report.elsewhere = !report.beyondDigits;
  return true;
}

void Newton::takeUpdate(MechanicalSystem& system, VectorX& x) {
  system.retract(x, dx_, 1, trial_);
  x.swap(trial_);
}

// Nothing along dx_ is acceptable: the chart ends here (statics), or the direction is useless. False: the solve ends.
bool Newton::recover(MechanicalSystem& system, const Kinematics& k, VectorX& x, NewtonReport& report) {
  if (rebases_ < mostRebases && system.rebase(x)) {
    ++rebases_;
  } else if (even_ || (report.iterations > 2 && norm_ <= nearRoundOff * here_.roundOff)) {
    // No descent direction exists for forces that cancel to their last digits.
    report.converged = report.elsewhere = true;
    return false;
  } else if (smallUpdates_ > 0) {
    takeUpdate(system, x);  // below the tolerance: only round-off prevents it
  } else {
    giveUp(system,
           report.nullPivots > 0 ? "nothing supports the structure against its loads"
                                 : "the line search found no better state",
           report);
    return false;
  }
  linearize(system, k, x);
  if (!here_.valid) {
    report.reason = here_.outside;
    return false;
  }
  norm_ = system.residualNorm(r_);
  contraction_ = -1;
  contracted_ = false;
  return true;
}

NewtonReport Newton::solve(MechanicalSystem& system, const Kinematics& k, const NewtonSettings& settings, VectorX& x) {
  NewtonReport report;
  if (!begin(system, k, settings, x, report)) return report;
  bool moved = false;
  for (;;) {
    if (moved && trials_ <= 0 && system.relag(Motion{x, v_, a_}, k.rates, here_, r_)) {
      norm_ = system.residualNorm(r_);
      contraction_ = -1;
    }
    if (!std::isfinite(norm_)) {
      report.reason = "the forces are not finite";
      return report;
    }
    report.converged = isSolved(system, settings, x, report);
    if (report.converged || !mayGoOn(system, k, settings, x, report)) return report;
    if (!haveTangent_) linearize(system, k, x);
    ++report.iterations;
    bold_ = full_ = false;
    moved = true;
    if (!here_.hasPotential) applied_ = system.appliedForce();
    // In dynamics a smaller step makes every tangent definite; in statics follower loads may leave it indefinite.
    if (!direction(system, k, here_.hasPotential || moving_ || steered_, x, report)) {
      if (trials_ > 0 && resumeBeforeTrial(system, k, settings, x)) continue;
      report.converged = report.elsewhere = even_;
      if (!even_) giveUp(system, "the tangent stiffness is singular", report);
      return report;
    }
    update_ = system.updateNorm(dx_);
    if (bold_) continue;
    if (!shifted_ && !moving_) plainDoubt_ = doubt(system);
    if (endsWithUpdate(system, k, settings, x, report)) return report;
    const double before = norm_;
    if (lineSearch(system, k, settings, x)) {
      if (norm_ > slow * before && system.sharpen()) haveTangent_ = false;
      continue;
    }
    if (system.sharpen()) {
      linearize(system, k, x);
      continue;
    }
    if (trials_ > 0 && resumeBeforeTrial(system, k, settings, x)) continue;
    if (!recover(system, k, x, report)) return report;
  }
}

}  // namespace tendril::solve
