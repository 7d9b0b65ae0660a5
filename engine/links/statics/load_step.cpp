#include "links/statics/load_step.h"

#include <cmath>
#include <limits>

namespace tendril::links {
namespace {

constexpr double shortestGuarded = 1.0 / 256;  // part of the load that is cut where joints of a loop go far
constexpr double farthestPrescribed = 0.5;     // [rad, or of the size] in one load step
constexpr double littlePrescribed = 0.02;      // the same, with which no joint of a loop goes far

}  // namespace

LoadStep::LoadStep(Statics& statics, const model::SettleRequest& request, const solve::NewtonSettings& settings,
                   model::StepReport& report)
    : statics_(statics),
      state_(statics.state),
      loops_(statics.loops),
      request_(request),
      settings_(settings),
      report_(report) {
  instant_.t = instant_.middle = request.time;
  instant_.slack = 1e-9;
  instant_.columns = request.columns;
  instant_.factor = request.factor;
  if (request.equilibrium) instant_.extra = &state_.scene.solver.startWith;
  for (VectorX* v : {&still_.base, &still_.v0, &still_.a0}) v->setZero(state_.system->size());
}

bool LoadStep::find(VectorX& x) {
  if (request_.factor >= statics_.barrier.factor) {
    report_.reason = statics_.barrier.reason;
    report_.advised = statics_.barrier.jammed;
    return false;
  }
  const int m = state_.system->size() - state_.system->coordinates();
  x = state_.history.q;
  x.tail(m) *= state_.system->closureUnit();
  report_.reason = turnsPast(state_, instant_);
  if (!report_.reason.empty()) return false;
  state_.prepare(instant_, instant_, instant_.t);
  state_.drives.driven(instant_, Drives::Side::after, 0, *state_.structure, *state_.system, state_.prescribed);
  // The shortest parts are taken as they are: what jumps there does so in shorter ones too.
  const bool guarded = !loops_.empty() && request_.factor - state_.instant.factor > shortestGuarded;
  if (guarded) report_.reason = prescribedFar();
  if (!report_.reason.empty()) return false;
  if (!state_.contact->empty()) {
    state_.contact->begin(state_.frames());
    const std::string sweeper = state_.contact->sweeper();
    if (!sweeper.empty()) {
      report_.reason =
          "obstacle \"" + sweeper + "\" would pass through a link within this load step; take more load steps";
      report_.advised = true;
      return false;
    }
  }
  state_.framesFresh = state_.balanceFresh = state_.energiesFresh = false;
  const bool found = findAtRest(request_.factor, x, advance_);
  state_.weigh({});
  x.tail(m) /= state_.system->closureUnit();
  return found && !report_.stopped;
}

std::string LoadStep::wentFar(const VectorX& x) const {
  return advance_ == Advance::loadStep && prescribed_ > littlePrescribed ? loops_.turnedFar(state_.history.q, x)
                                                                         : std::string();
}

void LoadStep::reportDoubt() {
  if (doubt_.empty() || !loops_.isFirstDoubt()) return;
  report_.warnings.push_back("in the static solve of \"" + state_.own.name + "\", " + doubt_);
}

void LoadStep::loadBy(double factor, VectorX& x) {
  instant_.factor = factor;
  state_.prepare(instant_, instant_, instant_.t);
  from_ = x;
  if (!loops_.empty()) leadLoops(factor, x);
  state_.prescribe(instant_, Drives::Side::after, 0, x, still_);
  still_.v0.setZero(), still_.a0.setZero();
}

// From x, which is where they stand under another part of the load.
void LoadStep::leadLoops(double factor, VectorX& x) {
  loops_.assemble(from_);
  state_.drives.driven(instant_, Drives::Side::after, 0, *state_.structure, *state_.system, state_.prescribed);
  VectorX led = from_;
  jam_.clear(), locked_ = loops_.arePrescribed();
  VectorX motion = VectorX::Zero(state_.system->coordinates());
  if (loops_.leadJoints(led, doubt_)) {
    x = from_ = led;
  } else {
    VectorX beyond = led;
    for (const DrivenValue& d : state_.prescribed)
      beyond[d.coordinate] = d.value, motion[d.coordinate] = d.value - from_[d.coordinate];
    if (locked_ || !loops_.assemble(beyond)) jam_ = loops_.jamInWords(led, motion);
  }
  if (locked_ && !jam_.empty()) {
    // What is prescribed goes in proportion to the factor: shorter load steps jam at the same position.
    int most = 0;
    motion.cwiseQuotient(state_.system->units().head(motion.size())).cwiseAbs().maxCoeff(&most);
    const double begun = countsAnew(state_, most) ? state_.instant.factor : 0;
    const double reached = begun + (factor - begun) * led[most] / (from_[most] + motion[most]);
    if (reached > state_.instant.factor && reached < factor) statics_.barrier = {reached, jam_, true};
  }
  state_.framesFresh = false;
}

// Newton at rest, with multipliers in x that do not depend on the unit of closing rows [N, N m]. The system counts
// unstable tangents that it met.
solve::NewtonReport LoadStep::solveFrom(const solve::NewtonSettings& settings, VectorX& x) {
  const int m = state_.system->size() - state_.system->coordinates();
  state_.weigh({});
  x.tail(m) /= state_.system->closureUnit();
  state_.system->watch(true);
  solve::NewtonReport newton = statics_.newton.solve(*state_.system, still_, settings, x);
  state_.system->watch(false, state_.system->unstable());
  x.tail(m) *= state_.system->closureUnit();
  report_.iterations += newton.iterations;
  if (newton.stopped) report_.stopped = true;
  return newton;
}

// What is out of balance at x under a part of the load [N].
double LoadStep::unbalance(double factor, VectorX x) {
  loadBy(factor, x);
  state_.weigh({});
  x.tail(state_.system->size() - state_.system->coordinates()) /= state_.system->closureUnit();
  const VectorX zero = VectorX::Zero(state_.system->size());
  VectorX r;
  state_.system->evaluate({x, zero, zero}, {}, solve::Level::residual, r);
  return state_.system->residualNorm(r);
}

Stability LoadStep::stabilityAt(VectorX x, VectorX* motion) {
  const VectorX zero = VectorX::Zero(state_.system->size());
  VectorX r;
  state_.weigh({});
  x.tail(state_.system->size() - state_.system->coordinates()) /= state_.system->closureUnit();
  state_.system->evaluate({x, zero, zero}, {}, solve::Level::tangent, r);
  state_.framesFresh = false;
  return state_.system->stability(motion);
}

// The equilibrium that Newton finds from x, if it is sure: stable, and no unstable position was met in between, behind
// which chance decides which of several equilibria is found. An unstable position where it begins in balance is left as
// it is.
LoadStep::Found LoadStep::findFrom(VectorX& x, std::string& reason) {
  const VectorX start = x;
  // No solve closes loops that do not close.
  reason = jam_;
  if (!reason.empty()) return Found::nothing;
  const solve::NewtonReport newton = solveFrom(settings_, x);
  reason = newton.reason;
  if (!newton.converged) return Found::nothing;
  const std::string leaves = leavesSide(x);
  if (!leaves.empty()) {
    reason = leaves;
    return Found::nothing;
  }
  if (state_.system->updateNorm(x - start) <= nowhere * state_.system->extent()) return Found::sure;
  const bool met = state_.system->unstable() > 0;
  if (stabilityAt(x) == Stability::unstable) {
    reason = "Newton ended at an unstable equilibrium";
    return Found::unstable;
  }
  if (met) reason = "Newton passed an unstable place";
  return met ? Found::doubtful : Found::sure;
}

// Where a load step ends, from the accepted state; multipliers as solveFrom has them.
bool LoadStep::findEquilibrium(double to, VectorX& x, Advance& advance) {
  const VectorX start = x;
  loadBy(to, x);
  if (locked_ && !jam_.empty()) {
    report_.reason = jam_, report_.advised = true;
    return false;
  }
  std::string reason;
  const Found found = findFrom(x, reason);
  if (found == Found::sure) return true;
  VectorX wanted = start;
  for (const DrivenValue& d : state_.prescribed) wanted[d.coordinate] = d.value;
  report_.reason = outOfScale(state_, wanted);
  if (!report_.reason.empty()) return false;
  report_.reason = reason;
  if (report_.stopped) return false;
  // Nothing leads on from a link that is all but gone.
  const std::string pressed = crushed(state_, start);
  if (found == Found::nothing && !pressed.empty()) {
    report_.reason += "; " + pressed;
    return false;
  }
  return lookFurther(to, found, start, reason, x, advance);
}

// Where Newton from `start` found x, which is not sure: along the branch of equilibria, or by damped motion.
bool LoadStep::lookFurther(double to, Found found, const VectorX& start, std::string reason, VectorX& x,
                           Advance& advance) {
  const VectorX first = x;
  const std::string open = loops_.openLoop(x);
  const bool judged = stabilityAt(start) != Stability::unknown;
  x = start;
  const double from = state_.instant.factor;
  const bool inBalance = judged && to > from && unbalance(from, x) <= 1e-3 * unbalance(to, x);
  advance = Advance::damped;
  // The branch is followed from where it begins, what is prescribed included.
  if (!inBalance) loadBy(to, x);
  if (inBalance ? follow(from, to, x, reason) : settleDamped(x)) {
    const bool same =
        found == Found::doubtful && state_.system->updateNorm(x - first) <= 1e-4 * state_.system->extent();
    if (same || inBalance) return true;
    reportDamped("", reason + ", from where it began");
    return true;
  }
  if (report_.stopped) return false;
  const std::string jam = jam_;
  loadBy(to, x);
  if (found != Found::nothing) {
    x = first;
    advance = Advance::loadStep;
    return true;
  }
  // Where the start is out of balance, whatever the load, a smaller part of that is hardly any help.
  if (!inBalance) statics_.barrier.factor = from + 0.2 * (to - from), statics_.barrier.jammed = false;
  if (!jam.empty()) {
    report_.reason = statics_.barrier.reason = jam;
    report_.advised = true;
    return false;
  }
  const std::string loose = looseJoint(state_);
  if (!open.empty()) report_.reason += "; " + open;
  if (!loose.empty()) report_.reason += "; nothing holds " + loose + " in a static solve";
  statics_.barrier.reason = report_.reason;
  return false;
}

// Closed chains that springs bring out of balance where they are drawn: how they are at rest without loads, or x
// itself. Loads that began at once would choose among several equilibria by the size of the first load step.
bool LoadStep::settleUnloaded(VectorX& x) {
  if (loops_.empty() || state_.instant.factor != 0) return false;
  VectorX rest = x;
  if (unbalance(0, rest) <= nowhere * state_.system->closureUnit() * state_.system->scale()) return false;
  Advance advance = Advance::loadStep;
  const bool found = findEquilibrium(0, rest, advance);
  statics_.barrier.factor = std::numeric_limits<double>::infinity();
  report_.reason.clear();
  if (found) x = rest;
  return found;
}

// The same, with idle motions kept from it.
bool LoadStep::findAtRest(double to, VectorX& x, Advance& advance) {
  const VectorX start = x;
  statics_.idle.rest(start);
  const bool moved = settleUnloaded(x);
  if (report_.stopped) return false;
  const bool found = findEquilibrium(to, x, advance), bears = found && statics_.idle.bears(x);
  statics_.idle.release();
  if (moved && advance == Advance::loadStep) advance = Advance::damped;
  if (!bears) return found;
  x = start, advance = Advance::loadStep;
  return findEquilibrium(to, x, advance);
}

// What is prescribed too far in this load step for the other joints of its loop to stay on their side, or empty.
std::string LoadStep::prescribedFar() {
  VectorX motion = VectorX::Zero(state_.system->coordinates());
  for (const DrivenValue& d : state_.prescribed) motion[d.coordinate] = d.value - state_.history.q[d.coordinate];
  if (motion.size() > 0)
    prescribed_ = motion.cwiseQuotient(state_.system->units().head(motion.size())).cwiseAbs().maxCoeff();
  if (!(prescribed_ > farthestPrescribed)) return {};
  return whatMoves(state_, motion) +
         " is driven by more than half a radian, or half the length of its linkage, in one load step";
}

void LoadStep::reportStability() {
  VectorX x = state_.history.q, motion;
  x.tail(state_.system->size() - state_.system->coordinates()) *= state_.system->closureUnit();
  // Forces left over within the tolerance would look like a hold of what nothing holds.
  solve::NewtonSettings polish = settings_;
  polish.tolerance = 1e-14, polish.iterations = 2, polish.keepGoing = nullptr;
  VectorX better = x;
  statics_.idle.rest(x);
  state_.prescribe(instant_, Drives::Side::after, 0, better, still_);
  still_.v0.setZero(), still_.a0.setZero();
  if (!loops_.empty()) solveFrom(polish, better);
  if (better.allFinite() && state_.system->updateNorm(better - x) <= 0.05 * state_.system->extent()) x = better;
  Stability stability = stabilityAt(x, &motion);
  if (stability == Stability::stable && statics_.idle.rests())
    stability = Stability::neutral, motion = statics_.idle.motion();
  statics_.idle.release();
  if (stability == Stability::unstable) {
    report_.warnings.emplace_back(
        "the equilibrium found is unstable (its stiffness has a negative pivot): a small imperfection or side load "
        "would "
        "leave it; more loadSteps or a damped motion lead to a stable one");
  } else if (stability == Stability::neutral) {
    report_.warnings.push_back("nothing holds " + whatMoves(state_, motion) +
                               " in this equilibrium: others beside it are as good; " +
                               "a little stiffness of its own would choose one");
  }
}

}  // namespace tendril::links
