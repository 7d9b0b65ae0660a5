// Statics of linkages: one load step. Newton where it meets no unstable place on its way; else the branch of equilibria
// is followed in smaller parts, and where that ends, damped motion leads on.
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "links/model.h"

namespace tendril::links {
namespace {

constexpr int dampedSteps = 1000, dampedFailures = 40;  // failures in a row
constexpr long dampedIterations = 2000;                 // of Newton, in one damped motion
constexpr int finestPart = 4096;                        // of a load step, in which its branch is followed
constexpr double shortestGuarded = 1.0 / 256;           // part of the load that is cut where joints of a loop go far
constexpr double farthest = 0.5, littleDriven = 0.02;   // [rad, or of the size] in one load step
constexpr int jumps = 20;                               // damped motions on the way of one load step
constexpr double nowhere = 1e-6;                        // of the size: it has not moved

constexpr const char* alike =
    "the static solve met an unstable place that nothing leans off from, as a straight column under too much load: of "
    "its two sides, which are as good, one was taken; a small side load or imperfection chooses";

}  // namespace

// Newton at rest, with multipliers in x that do not depend on the unit of closing rows [N, N m]. The system counts
// unstable tangents that it met.
solve::NewtonReport Model::solveFrom(Settling& s, const solve::NewtonSettings& settings, VectorX& x) {
  const int m = system_->size() - system_->coordinates();
  weigh({});
  x.tail(m) /= system_->closureUnit();
  system_->watch(true);
  const solve::NewtonReport newton = newton_.solve(*system_, s.still, settings, x);
  system_->watch(false, system_->unstable());
  x.tail(m) *= system_->closureUnit();
  s.report.iterations += newton.iterations;
  if (newton.stopped) s.report.stopped = true;
  return newton;
}

void Model::loadBy(Settling& s, double factor, VectorX& x) {
  s.instant.factor = factor;
  prepare(s.instant, s.instant, s.instant.t);
  s.from = x;
  if (!system_->closures().empty()) {
    loops_.assemble(s.from);
    drives_.driven(s.instant, Drives::Side::after, 0, *structure_, driven_);
    VectorX led = s.from;
    s.jam.clear(), s.locked = loops_.arePrescribed();
    VectorX motion = VectorX::Zero(system_->coordinates());
    if (loops_.leadJoints(led, s.doubt)) {
      x = s.from = led;
    } else {
      VectorX beyond = led;
      for (const DrivenValue& d : driven_) beyond[d.coordinate] = d.value, motion[d.coordinate] = d.value - s.from[d.coordinate];
      if (s.locked || !loops_.assemble(beyond)) s.jam = loops_.jamInWords(led, motion);
    }
    if (s.locked && !s.jam.empty()) {
      // What is driven goes in proportion to the factor: shorter load steps jam at the same place.
      int farthest = 0;
      motion.cwiseQuotient(system_->units().head(motion.size())).cwiseAbs().maxCoeff(&farthest);
      const double reached = factor * led[farthest] / (s.from[farthest] + motion[farthest]);
      if (reached > instant_.factor && reached < factor) barrier_ = reached, barrierReason_ = s.jam, jammed_ = true;
    }
    framesFresh_ = false;
  }
  hold(s.instant, Drives::Side::after, 0, x, s.still);
  s.still.v0.setZero(), s.still.a0.setZero();
}

// What is out of balance at x under a part of the load [N].
double Model::unbalance(Settling& s, double factor, VectorX x) {
  loadBy(s, factor, x);
  weigh({});
  x.tail(system_->size() - system_->coordinates()) /= system_->closureUnit();
  const VectorX zero = VectorX::Zero(system_->size());
  VectorX r;
  system_->evaluate({x, zero, zero}, {}, solve::Level::residual, r);
  return system_->residualNorm(r);
}

Stability Model::stabilityAt(VectorX x, VectorX* motion) {
  const VectorX zero = VectorX::Zero(system_->size());
  VectorX r;
  weigh({});
  x.tail(system_->size() - system_->coordinates()) /= system_->closureUnit();
  system_->evaluate({x, zero, zero}, {}, solve::Level::tangent, r);
  framesFresh_ = false;
  return system_->stability(motion);
}

// The equilibrium that Newton finds from x, if it is sure: stable, and no unstable place was met on the way, behind
// which chance decides which of several equilibria is found. An unstable place where it begins in balance is left as it
// is.
Model::Found Model::findFrom(Settling& s, VectorX& x, std::string& reason) {
  const VectorX start = x;
  // No solve closes loops that do not close.
  reason = s.jam;
  if (!reason.empty()) return Found::nothing;
  const solve::NewtonReport newton = solveFrom(s, s.settings, x);
  reason = newton.reason;
  if (!newton.converged) return Found::nothing;
  const std::string leaves = loops_.leavesSide(s.from, x, s.doubt);
  if (!leaves.empty()) {
    reason = leaves;
    return Found::nothing;
  }
  if (system_->updateNorm(x - start) <= nowhere * system_->extent()) return Found::sure;
  const bool met = system_->unstable() > 0;
  if (stabilityAt(x) == Stability::unstable) {
    reason = "Newton ended at an unstable equilibrium";
    return Found::unstable;
  }
  if (met) reason = "Newton passed an unstable place";
  return met ? Found::doubtful : Found::sure;
}

// Motion against dashpots on the coordinates, by implicit Euler, from x until what acts is in a stable balance. Steps
// are so short that the dashpots make every tangent definite: each is then a step down, to the side that the forces
// lean to, where a longer one may be drawn to an unstable place, or beyond it. x: where it ends.
bool Model::settleDamped(Settling& s, VectorX& x) {
  if (!s.jam.empty()) return false;
  const VectorX even = evenWeights();
  weigh({});
  double w = system_->closureUnit() * system_->scale() * system_->scale(),
         least = 0;  // of a dashpot over the step [N m]
  double movedBefore = 0;
  int failures = 0, pushes = 0;
  bool chosen = false;
  const long before = s.report.iterations;
  for (int i = 0; i < dampedSteps && failures < dampedFailures && s.report.iterations - before < dampedIterations;
       ++i) {
    VectorX trial = x;
    system_->dashpots = w * even, system_->dashpotsFrom = x;
    const solve::NewtonReport newton = solveFrom(s, s.settings, trial);
    system_->dashpots.resize(0);
    if (newton.stopped) return false;
    const double moved = newton.converged ? system_->updateNorm(trial - x) : 0;
    if (!newton.converged || system_->unstable() > 0 || !(moved < 0.3 * system_->extent()) || !between(x, trial) ||
        !loops_.leavesSide(s.from, trial, s.doubt).empty()) {
      ++failures;
      least = 2 * w;
      w *= 4;
      continue;
    }
    failures = 0;
    x = s.from = trial;
    least *= 0.9;
    if (newton.iterations <= 10) w = std::max(0.25 * w, least);
    const bool calming = moved < 1e-3 * system_->extent() && moved < movedBefore;
    movedBefore = moved;
    if (!calming && i % 10 != 9) continue;
    if (comesToRest(s, x)) {
      if (chosen) s.report.warnings.emplace_back(alike);
      return true;
    }
    if (s.report.stopped) return false;
    bool leans = false;
    if (pushes < 5 && moved < nowhere * system_->extent() && pushOff(x, leans)) ++pushes, chosen = chosen || !leans;
  }
  return false;
}

// Weights that make a meter of a joint count as much as the turn that moves the chain's length by it.
VectorX Model::evenWeights() const {
  return system_->units().head(system_->coordinates()).cwiseAbs2().cwiseInverse();
}

// Whether x, where a damped motion is, is in balance, or a stable equilibrium lies close by; x is then that.
bool Model::comesToRest(Settling& s, VectorX& x) {
  VectorX trial = x;
  solve::NewtonReport newton = solveFrom(s, s.settings, trial);
  if (newton.converged && system_->updateNorm(trial - x) <= 0.05 * system_->extent() && loops_.leavesSide(s.from, trial, s.doubt).empty()) {
    if (stabilityAt(trial) == Stability::unstable) return false;
    x = trial;
    return true;
  }
  if (newton.stopped) return false;
  // Where nothing holds some motion, Newton may run away along it: being in balance is enough.
  solve::NewtonSettings asItIs = s.settings;
  asItIs.iterations = 0;
  trial = x;
  newton = solveFrom(s, asItIs, trial);
  return newton.converged && stabilityAt(trial) != Stability::unstable;
}

// Moves x off an unstable place near which a motion down rests: to the side that the forces lean to, which `leans`
// says, or to either, where they lean to none. False: the place is not unstable.
bool Model::pushOff(VectorX& x, bool& leans) {
  VectorX motion, at = x, r;
  if (stabilityAt(x, &motion) != Stability::unstable) return false;
  const int n = system_->coordinates();
  const VectorX zero = VectorX::Zero(system_->size());
  at.tail(system_->size() - n) /= system_->closureUnit();
  const solve::Evaluation e = system_->evaluate({at, zero, zero}, {}, solve::Level::residual, r);
  const double lean = -r.head(n).dot(motion);
  leans = std::abs(lean) > 1e-12 * e.forceScale * system_->scale();
  VectorX pushed = x;
  pushed.head(n) += (leans && lean < 0 ? -1e-3 : 1e-3) * motion;
  if (!between(x, pushed)) return false;
  x = pushed;
  return true;
}

// Whether contacts allow the way from one state to another.
bool Model::between(const VectorX& from, const VectorX& to) {
  if (contact_->empty()) return true;
  move_ = to - from;
  return system_->longestStep(from, move_) >= 1;
}

// A few times in a run.
void Model::tellDamped(model::StepReport& report, const std::string& at, const std::string& reason) {
  constexpr int most = 5;
  if (++saidDamped_ > most) return;
  report.warnings.push_back(at + "the static solve of \"" + own_.name + "\" (" + reason + ") went on by damped motion" +
                            (saidDamped_ == most ? "; more of this is not told" : ""));
}

// The branch of equilibria from x, which is one under the part `done` of the load, to the part `to`. Where it ends, as
// in a snap, damped motion leads to the next one.
bool Model::follow(Settling& s, double done, double to, VectorX& x, std::string& reason) {
  const double least = (to - done) / finestPart;
  double part = 0.5 * (to - done);
  VectorX trial;
  for (int jumped = 0; done < to;) {
    const double factor = done + part < to - 0.5 * least ? done + part : to;
    trial = x;
    loadBy(s, factor, trial);
    Found found = findFrom(s, trial, reason);
    if (s.report.stopped) return false;
    if (found != Found::sure && part > least) {
      part *= 0.5;
      continue;
    }
    if (found != Found::sure) {
      trial = x;
      loadBy(s, factor, trial);
      const double beyond = std::exchange(barrier_, factor);
      // As short a part does not close from an equilibrium: what is free does not help.
      if (!s.jam.empty()) {
        barrierReason_ = s.jam, jammed_ = true;
        return false;
      }
      const bool tooMany = ++jumped > jumps;
      if (tooMany) trial = x, loadBy(s, to, trial);
      if (!settleDamped(s, trial)) return false;
      barrier_ = beyond;
      char at[160];
      std::snprintf(at, sizeof at, "at load factor %.4g ", factor);
      tellDamped(s.report, at, reason);
      // Where each part of the load needs it, as beside a column that may bend to any side, the rest goes at once.
      if (tooMany) {
        x = trial;
        return true;
      }
    }
    x = trial;
    done = factor;
    part *= 2;
  }
  return true;
}

// Where a load step ends, from the accepted state; multipliers as solveFrom has them.
bool Model::findEquilibrium(Settling& s, double to, VectorX& x, Advance& advance) {
  const VectorX start = x;
  loadBy(s, to, x);
  if (s.locked && !s.jam.empty()) {
    s.report.reason = s.jam;
    return false;
  }
  std::string reason;
  const Found found = findFrom(s, x, reason);
  if (found == Found::sure) return true;
  VectorX wanted = start;
  for (const DrivenValue& d : driven_) wanted[d.coordinate] = d.value;
  s.report.reason = outOfScale(state_, wanted);
  if (!s.report.reason.empty()) return false;
  s.report.reason = reason;
  if (s.report.stopped) return false;
  // No way leads on from a link that is all but gone.
  const std::string pressed = crushed(state_, start);
  if (found == Found::nothing && !pressed.empty()) {
    s.report.reason += "; " + pressed;
    return false;
  }
  const VectorX first = x;
  const std::string open = loops_.openLoop(x);
  const bool judged = stabilityAt(start) != Stability::unknown;
  x = start;
  const double from = instant_.factor;
  const bool inBalance = judged && to > from && unbalance(s, from, x) <= 1e-3 * unbalance(s, to, x);
  advance = Advance::damped;
  // The branch is followed from where it begins, what is driven included.
  if (!inBalance) loadBy(s, to, x);
  if (inBalance ? follow(s, from, to, x, reason) : settleDamped(s, x)) {
    const bool same = found == Found::doubtful && system_->updateNorm(x - first) <= 1e-4 * system_->extent();
    if (same || inBalance) return true;
    tellDamped(s.report, "", reason + ", from where it began");
    return true;
  }
  if (s.report.stopped) return false;
  const std::string jam = s.jam;
  loadBy(s, to, x);
  if (found != Found::nothing) {
    x = first;
    advance = Advance::loadStep;
    return true;
  }
  // Where the start is out of balance, whatever the load, a smaller part of that is hardly any help.
  if (!inBalance) barrier_ = from + 0.2 * (to - from), jammed_ = false;
  if (!jam.empty()) {
    s.report.reason = barrierReason_ = jam;
    return false;
  }
  const std::string loose = looseJoint(state_);
  if (!open.empty()) s.report.reason += "; " + open;
  if (!loose.empty()) s.report.reason += "; nothing holds " + loose + " in a static solve";
  barrierReason_ = s.report.reason;
  return false;
}

// Closed chains that springs bring out of balance where they are drawn: how they are at rest without loads, or x itself.
// Loads that began at once would choose among several equilibria by the size of the first load step.
bool Model::settleUnloaded(Settling& s, VectorX& x) {
  if (system_->closures().empty() || instant_.factor != 0) return false;
  VectorX rest = x;
  if (unbalance(s, 0, rest) <= nowhere * system_->closureUnit() * system_->scale()) return false;
  Advance advance = Advance::loadStep;
  const bool found = findEquilibrium(s, 0, rest, advance);
  barrier_ = std::numeric_limits<double>::infinity();
  s.report.reason.clear();
  if (found) x = rest;
  return found;
}

// The same, with idle motions kept from it.
bool Model::findAtRest(Settling& s, double to, VectorX& x, Advance& advance) {
  const VectorX start = x;
  restIdle(start);
  const bool moved = settleUnloaded(s, x);
  if (s.report.stopped) return false;
  const bool found = findEquilibrium(s, to, x, advance), bears = found && idleBears(x);
  releaseIdle();
  if (moved && advance == Advance::loadStep) advance = Advance::damped;
  if (!bears) return found;
  x = start, advance = Advance::loadStep;
  return findEquilibrium(s, to, x, advance);
}

// What is driven too far in this load step for the other joints of its loop to stay on their side, or empty; how far [rad,
// or of the size] the one goes that goes farthest.
std::string Model::drivenFar(double& most) const {
  VectorX motion = VectorX::Zero(system_->coordinates());
  for (const DrivenValue& d : driven_) motion[d.coordinate] = d.value - history_.q[d.coordinate];
  most = motion.size() > 0 ? motion.cwiseQuotient(system_->units().head(motion.size())).cwiseAbs().maxCoeff() : 0;
  if (!(most > farthest)) return {};
  return whatMoves(state_, motion) + " is driven by more than half a radian, or half the length of its linkage, in one load step";
}

model::StepReport Model::loadStep(const model::SettleRequest& request, const model::Continue& keepGoing) {
  model::StepReport report;
  if (request.factor >= barrier_) {
    report.reason = barrierReason_;
    return report;
  }
  Settling s{scene::Instant(), solve::Kinematics(), settings(keepGoing), report, VectorX(), {}, {}, false};
  s.instant.t = s.instant.middle = request.time;
  s.instant.slack = 1e-9;
  s.instant.columns = request.columns;
  if (request.equilibrium) s.instant.extra = &scene_.solver.startWith;
  for (VectorX* v : {&s.still.base, &s.still.v0, &s.still.a0}) v->setZero(system_->size());
  const int m = system_->size() - system_->coordinates();
  x_ = history_.q;
  x_.tail(m) *= system_->closureUnit();
  s.instant.factor = request.factor;
  prepare(s.instant, s.instant, s.instant.t);
  drives_.driven(s.instant, Drives::Side::after, 0, *structure_, driven_);
  // The shortest parts are taken as they are: what jumps there does so in shorter ones too.
  const bool guarded = !system_->closures().empty() && request.factor - instant_.factor > shortestGuarded;
  double driven = 0;
  const std::string far = guarded ? drivenFar(driven) : std::string();
  if (!far.empty()) {
    report.reason = far;
    return report;
  }
  if (!contact_->empty()) {
    contact_->begin(frames());
    const std::string sweeper = contact_->sweeper();
    if (!sweeper.empty()) {
      report.reason = "obstacle \"" + sweeper + "\" would pass through a link within this load step; take more load steps";
      return report;
    }
  }
  framesFresh_ = balanceFresh_ = energiesFresh_ = false;
  Advance advance = Advance::loadStep;
  const bool found = findAtRest(s, request.factor, x_, advance);
  weigh({});
  x_.tail(m) /= system_->closureUnit();
  if (!found || report.stopped) return report;
  report.reason = refusal(x_, advance);
  if (report.reason.empty() && advance == Advance::loadStep && driven > littleDriven) report.reason = loops_.turnedFar(history_.q, x_);
  if (!report.reason.empty()) return report;
  report.accepted = true;
  if (!s.doubt.empty() && loops_.isFirstDoubt()) {
    report.warnings.push_back("in the static solve of \"" + own_.name + "\", " + s.doubt);
  }
  q_ = x_;
  v_ = VectorX::Zero(system_->size());
  acceleration_.setZero(system_->size());
  history_.a.setZero(system_->size()), history_.auxiliary.setZero(system_->size());
  sayPassed(report);
  accept(s.instant, 0);
  ledger_->reset();
  if (!jammed_) barrier_ = std::numeric_limits<double>::infinity();
  if (request.equilibrium) {
    // The run starts from rest as far as nothing is driven.
    instant_.extra = nullptr;
    drives_.driven(instant_, Drives::Side::after, scene_.solver.dt, *structure_, driven_);
    for (const DrivenValue& d : driven_) history_.v[d.coordinate] = d.rate;
    loops_.projectVelocity();
  }
  haveAcceleration_ = false;
  // On the way a linkage may well pass an unstable place, and leave it.
  if (request.factor >= 1) tellStability(s);
  return report;
}

void Model::tellStability(Settling& s) {
  model::StepReport& report = s.report;
  VectorX x = history_.q, motion;
  x.tail(system_->size() - system_->coordinates()) *= system_->closureUnit();
  // Forces left over within the tolerance would look like a hold of what nothing holds.
  solve::NewtonSettings polish = s.settings;
  polish.tolerance = 1e-14, polish.iterations = 2, polish.keepGoing = nullptr;
  VectorX better = x;
  restIdle(x);
  hold(s.instant, Drives::Side::after, 0, better, s.still);
  s.still.v0.setZero(), s.still.a0.setZero();
  if (!system_->closures().empty()) solveFrom(s, polish, better);
  if (better.allFinite() && system_->updateNorm(better - x) <= 0.05 * system_->extent()) x = better;
  Stability stability = stabilityAt(x, &motion);
  if (stability == Stability::stable && system_->idle.cols() > 0) stability = Stability::neutral, motion = idleMotion();
  releaseIdle();
  if (stability == Stability::unstable) {
    report.warnings.emplace_back(
        "the equilibrium found is unstable (its stiffness has a negative pivot): a small imperfection or side load "
        "would "
        "leave it; more loadSteps or a damped motion lead to a stable one");
  } else if (stability == Stability::neutral) {
    report.warnings.push_back("nothing holds " + whatMoves(state_, motion) +
                              " in this equilibrium: others beside it are as good; " +
                              "a little stiffness of its own would choose one");
  }
}

}  // namespace tendril::links
