#include "links/model.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "links/quadrature_check.h"
#include "links/start.h"
#include "solve/dense_lu.h"

namespace tendril::links {
namespace {

// Schemes that remember accelerations or velocities would carry the force of an impact on into the steps after it, and
// the middle of a step sees too much or nothing of it: such a step is one of implicit Euler.
bool isImpact(Contact& contact, const std::vector<ChainFrame>& start, const scene::Instant& end,
              const model::StepRequest& request) {
  contact.prepare(end, end, request.t0);
  return contact.hasImpact(start, request.dt);
}

}  // namespace

Model::Model(const world::World& world, int linkage)
    : SteppedModel(world.scene(), world.scene().solver.linkageIntegrator),
      state_(world, linkage, history_, columns_, instant_),
      loops_(state_) {
  const scene::Scene& scene = scene_;
  ledger_ = std::make_unique<WorkLedger>(scene, *contact_, *fluid_, *state_.fields, pointer_);
  const auto isHere = [&](const std::vector<scene::LinkRef>& refs) {
    return std::any_of(refs.begin(), refs.end(), [&](const scene::LinkRef& ref) { return ref.linkage == linkage; });
  };
  for (const scene::Load& load : scene.loads) {
    if (isHere(load.places) || isHere(load.links)) switches_.add(load.interval);
  }
  for (const scene::Actuation& actuation : scene.actuation) {
    if (isHere(actuation.links)) switches_.add(actuation.interval);
  }
  build();
  history_.q = history_.v = VectorX::Zero(system_->size());
  setInitial(state_);
  contact_->stand();
  prepare(instant_, instant_, 0);
  holdAtStart();
  loops_.close(remarks_);
  history_.a = history_.auxiliary = acceleration_ = push_ = auxiliaryPush_ = VectorX::Zero(system_->size());
  countFromStart();
  for (const DrivenValue& d : driven_) history_.v[d.coordinate] = d.rate;
  loops_.projectVelocity();
  if (!state_.fields->empty()) state_.fields->setInitial(frames());
  if (!contact_->empty()) contact_->findOverlaps(frames()), remarkContact(state_, remarks_);
  if (scene.solver.dynamic) refuseLoose(state_);
  for (model::Remark& remark : quadratureRemarks(scene, linkage)) remarks_.push_back(std::move(remark));
  viewer_.draw();
}

// Structure and system anew from the scene's present values; what joints have turned so far stays.
void Model::build() {
  auto structure = std::make_unique<Structure>(scene_, structure_->linkage);
  auto system = std::make_unique<System>(structure->builder.build(structure->scale));
  if (system_) {
    for (const PoseSpring& s : system_->springs) {
      system->chain().setOffset(s.step, system_->chain().steps()[static_cast<std::size_t>(s.step)].offset);
    }
  }
  drives_.attach(*structure, *system);
  system->setClosures(loops_.keptRows(*structure));
  if (!contact_->empty()) system->forces.push_back(contact_.get());
  if (!fluid_->empty()) system->forces.push_back(fluid_.get());
  state_.fields->setFields(structure->fields(scene_));
  if (!state_.fields->empty()) system->forces.push_back(state_.fields.get());
  system->forces.push_back(&pointer_);
  structure_ = std::move(structure);
  system_ = std::move(system);
  ledger_->attach(*system_);
  loops_.attach();
  framesFresh_ = balanceFresh_ = energiesFresh_ = haveAcceleration_ = storesFresh_ = false;
  account_.forget();
  statics_.barrier.forget();
  warnings_.forgetCuts();
}

void Model::refresh() {
  ledger_->beforeChange(history_.q, history_.v);
  build();
  contact_->setSkin(structure_->skin);
  fluid_->setPoints(structure_->fluidPoints);
  history_.dtBefore = 0;
  prepare(instant_, instant_, instant_.t);
  ledger_->afterChange(history_.q, history_.v);
  system_->place(history_.q, history_.v);
  ledger_->weighAgain();
}

void Model::begin(const double* columns) {
  columns_.assign(columns, columns + columns_.size());
  contact_->stand();
  prepare(instant_, instant_, 0);
  holdAtStart();
  loops_.assemble(history_.q);
  countFromStart();
  for (const DrivenValue& d : driven_) history_.v[d.coordinate] = d.rate;
  loops_.projectVelocity();
  framesFresh_ = balanceFresh_ = energiesFresh_ = haveAcceleration_ = storesFresh_ = false;
  account_.forget();
  ledger_->reset();
  loops_.begin();
  saidGain_ = false;
  warnings_.begin();
  statics_.begin();
}

void Model::holdAtStart() {
  hold(instant_, Drives::Side::after, scene_.solver.dynamic ? scene_.solver.dt : 0, history_.q, step_.kinematics);
}

// Where joints of several rotations are driven to at the start may be far from where they are drawn, and rates by
// coordinates that count from there are none of a body. Initial rates are the link's own, wherever it is driven to.
void Model::countFromStart() {
  if (!drives_.drivesPoses(*structure_)) return;
  const VectorX v = history_.v;
  recenter();
  history_.v = v;
  holdAtStart();
}

solve::NewtonSettings Model::settings(const model::Continue& keepGoing) const {
  solve::NewtonSettings out = newtonSettings(keepGoing);
  out.pivots = false;
  return out;
}

// At a step's end.
void Model::holdAtEnd(const scene::Instant& end, double dt, VectorX& x, solve::Kinematics& k) {
  hold(end, Drives::Side::before, dt, x, k);
  if (!impact_) return;
  driveBehindKinks(dt);
  for (const DrivenValue& d : driven_) {
    if (k.base.size() == x.size()) k.v0[d.coordinate] = d.rate, k.a0[d.coordinate] = d.acceleration;
  }
}

// In a step with kinks accelerations are the change of the rates behind them over the step. Where kinks did not pass on
// all, that is what implicit Euler takes for them: with it all of the change passes on, however short its time is.
void Model::driveBehindKinks(double dt) {
  for (DrivenValue& d : driven_) {
    const auto end =
        std::find_if(ends_.begin(), ends_.end(), [&](const DrivenEnd& e) { return e.coordinate == d.coordinate; });
    if (end != ends_.end()) d.rate = end->rate;
    if (end != ends_.end() || !passedOn_) d.acceleration = (d.rate - history_.v[d.coordinate]) / dt;
  }
}

// Accelerations of the accepted state with the forces of the coming step: at the start, and after a switch. The forces
// that then hold loops go to the end of `multipliers`.
void Model::startAcceleration(const model::StepRequest& request, VectorX* multipliers) {
  const auto [end, start] = model::stepInstants(request, 0);
  prepare(start, start, request.t0);
  if (impact_ && !passedOn_) {
    solve::Kinematics none;
    VectorX q = history_.q;
    holdAtEnd(end, request.dt, q, none);
  } else {
    drives_.driven(start, Drives::Side::after, request.dt, *structure_, *system_, driven_);
    if (impact_) driveBehindKinks(request.dt);
  }
  history_.a.setZero(system_->size());
  for (const DrivenValue& d : driven_) history_.a[d.coordinate] = d.acceleration;
  if (!system_->acceleration(leaps_.empty() ? history_.q : leapt(), history_.v, history_.a, multipliers))
    history_.a.setZero();
  history_.auxiliary = history_.a;
  pushKnown_ = false;
}

// Accepted, or all as before. Only the account of energy goes on through attempts at the same step, until it is
// stopped.
template <class Attempt>
model::StepReport Model::attemptOnce(const Attempt& tried) {
  kept_.q = history_.q, kept_.v = history_.v, kept_.a = history_.a, kept_.auxiliary = history_.auxiliary;
  kept_.acceleration = acceleration_, kept_.push = push_, kept_.auxiliaryPush = auxiliaryPush_,
  kept_.pushKnown = pushKnown_;
  impact_ = ledgerKept_ = false;
  leaps_.clear();
  kept_.dtBefore = history_.dtBefore, kept_.unit = system_->closureUnit(), kept_.have = haveAcceleration_;
  const EnergyAccount::State account = account_.state();
  const bool stores = storesFresh_, open = ledger_->isOpen();
  const double kinetic = kinetic_;
  const Vec3 weight = weight_, pull = pull_;
  const Barrier barrier = statics_.barrier;
  return attempt(tried, [&](bool stopped) {
    history_.q = kept_.q, history_.v = kept_.v, history_.a = kept_.a, history_.auxiliary = kept_.auxiliary;
    acceleration_ = kept_.acceleration, push_ = kept_.push, auxiliaryPush_ = kept_.auxiliaryPush,
    pushKnown_ = kept_.pushKnown;
    history_.dtBefore = kept_.dtBefore, haveAcceleration_ = kept_.have;
    system_->setClosureUnit(kept_.unit);
    const bool booked = impact_ || !leaps_.empty();
    if (ledgerKept_ && (booked || stopped)) ledger_->setState(keptLedger_);
    if (booked) storesFresh_ = false;
    if (stopped) {
      account_.setState(account), triedAt_ = -1;
      storesFresh_ = stores, kinetic_ = kinetic, weight_ = weight, pull_ = pull;
      if (!open) ledger_->reset();
      statics_.barrier = barrier;
    }
    standAtAccepted();
  });
}

model::StepReport Model::step(const model::StepRequest& asked, const model::Continue& keepGoing) {
  model::StepRequest request = asked;
  request.smooth = asked.smooth && !(asked.again && refused_) && !switches_.between(asked.since, asked.t0, asked.dt);
  model::StepReport report = attemptOnce([&] {
    if (isExplicit()) return explicitStep(request, keepGoing);
    model::StepReport report = implicitStep(request, keepGoing);
    if (report.ask > 0) return report;
    if (!report.accepted && !report.stopped) {
      const std::string jam = loops_.jamOfStep(request);
      if (!jam.empty()) report.reason = jam, report.advised = true;
    }
    warnings_.adviseShorter(request, report);
    return report;
  });
  refused_ = !report.accepted && report.ask == 0;
  return report;
}

model::StepReport Model::settle(const model::SettleRequest& request, const model::Continue& keepGoing) {
  return attemptOnce([&] { return loadStep(request, keepGoing); });
}

model::StepReport Model::loadStep(const model::SettleRequest& request, const model::Continue& keepGoing) {
  model::StepReport report;
  LoadStep step(statics_, request, settings(keepGoing), report);
  if (!step.find(x_)) return report;
  report.reason = refusal(x_, step.advance());
  if (report.reason.empty()) report.reason = step.wentFar(x_);
  if (!report.reason.empty()) return report;
  report.accepted = true;
  step.reportDoubt();
  q_ = x_;
  v_ = VectorX::Zero(system_->size());
  acceleration_.setZero(system_->size());
  history_.a.setZero(system_->size()), history_.auxiliary.setZero(system_->size());
  warnings_.warnOfPassing(q_, v_, report);
  accept(step.instant(), 0);
  ledger_->reset();
  if (!statics_.barrier.jammed) statics_.barrier.forget();
  if (request.equilibrium) startFromRest();
  haveAcceleration_ = false;
  // On the way a linkage may well pass an unstable position, and leave it.
  if (request.factor >= 1) step.reportStability();
  return report;
}

// As far as nothing is prescribed.
void Model::startFromRest() {
  instant_.extra = nullptr;
  drives_.driven(instant_, Drives::Side::after, scene_.solver.dt, *structure_, *system_, driven_);
  for (const DrivenValue& d : driven_) history_.v[d.coordinate] = d.rate;
  loops_.projectVelocity();
}

// The accepted state, but for a way that all of it flies [m].
VectorX Model::flown(const Vec3& way) const {
  VectorX q = history_.q;
  if (way.isZero(0) || system_->flight().empty()) return q;
  const VectorX rates = system_->flightRates(way);
  for (std::size_t f = 0; f < system_->flight().size(); ++f)
    q[system_->flight()[f]] += rates[static_cast<Eigen::Index>(f)];
  return q;
}

// The extrapolated guess must not lie behind an obstacle, as seen from there.
void Model::keepGuessOutside() {
  // What is driven cannot stay behind; where that alone passes through something, the step is refused afterwards.
  if (contact_->empty() || !driven_.empty()) return;
  for (int round = 0; round < 4; ++round) {
    system_->place(x_, history_.v);
    const Contact::Passed passed = contact_->passedBy(system_->chain().frames());
    if (passed.part == 1) return;
    const VectorX beside = flown(passed.way);
    x_ = beside + 0.5 * passed.part * (x_ - beside);
  }
}

// Whether obstacles touch in the accepted state, or at q.
bool Model::touches(const VectorX& q) {
  if (contact_->empty()) return false;
  if (contact_->summary(frames(), -1).pairs > 0) return true;
  system_->place(q, history_.v);
  framesFresh_ = balanceFresh_ = energiesFresh_ = false;
  return contact_->summary(system_->chain().frames(), -1).pairs > 0;
}

// Driven joints that move give and take energy, and stand at a step's end where their formulas say.
bool Model::standStill(const scene::Instant& at, double dt) {
  drives_.driven(at, Drives::Side::around, dt, *structure_, *system_, driven_);
  return std::all_of(driven_.begin(), driven_.end(), [&](const DrivenValue& d) {
    return std::abs(d.value - history_.q[d.coordinate]) <= d.blur && dt * std::abs(d.rate) <= 30 * d.blur &&
           dt * dt * std::abs(d.acceleration) <= 500 * d.blur;
  });
}

// Why the step's end cannot be accepted, or empty. Obstacles are prepared at the end.
std::string Model::refusal(const VectorX& q, Advance advance) {
  if (!q.allFinite()) return "the solution is not finite";
  std::string fast = tooFast(state_, q, advance);
  if (!fast.empty()) return fast;
  std::string open = loops_.openRedundant(q);
  if (!open.empty() || contact_->empty()) return open;
  system_->place(q, history_.v);
  const std::string crossed = contact_->crossed(system_->chain().frames());
  if (!crossed.empty()) return "a link would pass through obstacle \"" + crossed + "\" within this step";
  const std::string sunk = contact_->engulfed(system_->chain().frames());
  if (!sunk.empty()) return "a link is pressed into obstacle \"" + sunk + "\" past its core";
  return {};
}

// Kinks that passed on all that they had leave a smooth step, which only remembers nothing: one of generalized-alpha,
// for schemes that do not remember accelerations without its numerical damping.
Model::Course Model::courseOf(bool impact) const {
  Course c;
  c.wanted = scheme();
  const bool euler = c.wanted == solve::ImplicitScheme::euler;
  c.impact = impact;
  c.jolted = impact || (impact_ && !passedOn_);
  c.renewed = impact_ && !c.jolted && !euler;
  c.scheme = c.jolted ? solve::ImplicitScheme::euler : c.renewed ? solve::ImplicitScheme::generalizedAlpha : c.wanted;
  c.rho = c.wanted == solve::ImplicitScheme::generalizedAlpha ? scene_.solver.rho : 1;
  return c;
}

// Accelerations, and the powers of what acts, where a step starts afresh.
void Model::startAfresh(const model::StepRequest& request) {
  // A cut makes steps start afresh too, but what acts goes on as it was.
  if (course_.renewed || ((!request.smooth || !account_.knows()) && request.t0 != triedAt_)) {
    VectorX r, q = history_.q;
    // How far the auxiliary acceleration lies from that of its time is the scheme's and goes on.
    const bool goesOn = course_.renewed && course_.wanted == solve::ImplicitScheme::generalizedAlpha &&
                        request.smooth && haveAcceleration_;
    const VectorX ahead = goesOn ? VectorX(history_.auxiliary - history_.a) : VectorX();
    startAcceleration(request, &q);
    if (goesOn) history_.auxiliary += ahead;
    system_->evaluate({q, history_.v, history_.a}, {}, solve::Level::residual, r);
    account_.begin(power());
    keepLedger();
    ledger_->remember();
  }
  triedAt_ = request.t0;
  if (course_.scheme == solve::ImplicitScheme::generalizedAlpha && !course_.renewed &&
      (!request.smooth || !haveAcceleration_))
    startAcceleration(request);
}

bool Model::openStep(const model::StepRequest& request, model::StepReport& report) {
  const scene::Instant end = model::stepInstants(request, 1).end;
  const bool impact =
      scheme() != solve::ImplicitScheme::euler && !contact_->empty() && isImpact(*contact_, frames(), end, request);
  openLedger();
  report.reason = turnsPast(state_, end);
  if (!report.reason.empty()) return false;
  if (!request.smooth) history_.dtBefore = 0;
  findKinks(end, request, scheme() != solve::ImplicitScheme::midpoint);
  report.ask = ask_;
  if (ask_ > 0) return false;
  course_ = courseOf(impact);
  if (course_.renewed) energyBalance(balanceBefore_);
  startAfresh(request);
  solve::prepareStep(course_.scheme, history_, request.dt, step_, course_.rho);
  return true;
}

bool Model::prepareStep(const model::StepInstants& step, const model::StepRequest& request, model::StepReport& report) {
  prepare(step.end, step.at, request.t0);
  if (!fluid_->empty() &&
      (course_.scheme == solve::ImplicitScheme::euler || course_.scheme == solve::ImplicitScheme::bdf2)) {
    // As the rates of the bodies, so that what a medium gains at once passes on all of its momentum.
    const Fluid::Difference rule{step_.kinematics.rates.v, step_.weight0, step_.weight1, request.dt, history_.dtBefore};
    fluid_->prepare(step.at, request.dt, &rule);
  }
  if (contact_->empty()) return true;
  contact_->begin(frames());
  // What flies goes along with what pushes it; a base does not.
  const std::string sweeper = system_->flight().empty() ? contact_->sweeper() : std::string();
  if (!sweeper.empty()) report.reason = "obstacle \"" + sweeper + "\" would pass through a link within this step";
  return sweeper.empty();
}

solve::NewtonReport Model::solveStep(const model::StepInstants& step, const model::StepRequest& request,
                                     const model::Continue& keepGoing) {
  const Eigen::Index m = system_->size() - system_->coordinates();
  const bool touched = course_.middle() && touches(step_.guess);
  bool keeps = course_.middle() && standStill(step.at, request.dt) && !(touched && contact_->dissipates());
  const auto begin = [&] {
    const WorkLedger::Rule rule = keeps                         ? WorkLedger::Rule::kept
                                  : course_.middle()            ? WorkLedger::Rule::middle
                                  : impact_ && !course_.renewed ? WorkLedger::Rule::impact
                                                                : WorkLedger::Rule::end;
    beginLedger(request.dt, rule, request.smooth, course_.scheme != solve::ImplicitScheme::euler);
    weigh(step_.kinematics.rates);
    system_->findFlight();
    system_->keepEnergy(history_.q, history_.v, keeps ? request.dt : 0);
  };
  begin();
  solve::NewtonReport newton;
  int iterations = 0;
  for (int attempt = 0; attempt < 4 && !newton.converged && !newton.stopped; ++attempt) {
    if (attempt == 2) {
      // Energy of contact is not among what is kept, and its kinks may leave no balance with what is.
      if (!keeps || !touched) break;
      keeps = false;
      begin();
    }
    // Once more from the accepted state: the extrapolation may have thrown it too far.
    x_ = attempt % 2 == 0 ? step_.guess : flown(step_.at * request.dt * ledger_->velocity());
    x_.tail(m) = history_.q.tail(m);
    course_.middle() ? hold(step.at, Drives::Side::around, request.dt, x_, step_.kinematics)
                     : holdAtEnd(step.at, request.dt, x_, step_.kinematics);
    keepGuessOutside();
    newton = newton_.solve(*system_, step_.kinematics, settings(keepGoing), x_);
    iterations += newton.iterations;
  }
  // What acted, and what it did, is read off the last evaluation.
  if (newton.elsewhere) newton_.reevaluate(*system_, step_.kinematics, x_);
  system_->momentumPush(pushed_);
  system_->keepEnergy(history_.q, history_.v, 0);
  newton.iterations = iterations;
  return newton;
}

void Model::explainFailure(const solve::NewtonReport& newton, model::StepReport& report) {
  if (newton.stopped) return;
  const std::string open = loops_.openLoop(x_);
  if (!open.empty()) report.reason += "; " + open;
  if (!contact_->empty() && x_.allFinite()) {
    system_->place(x_, history_.v);
    const std::string pressed = contact_->pressedIn(system_->chain().frames());
    if (!pressed.empty()) report.reason += "; " + pressed, report.advised = true;
  }
  const std::string far = outOfScale(state_, x_);
  if (!far.empty()) report.reason = far;
}

bool Model::reachEnd(const model::StepInstants& step, const model::StepRequest& request, model::StepReport& report) {
  const scene::Instant& end = step.end;
  const Eigen::Index m = system_->size() - system_->coordinates();
  solve::finishStep(step_, history_, x_, q_, v_);
  q_.tail(m) = x_.tail(m);
  v_.tail(m).setZero();
  nextReach_ = {};
  if (!loops_.keepsSide(q_, end.t, nextReach_, report)) return false;
  if (step_.at != 1) {
    ledger_->actInMiddle();
    prepare(end, end, request.t0);
    hold(end, Drives::Side::before, request.dt, q_, step_.kinematics);
    // The middle's multipliers and accelerations are not the end's.
    acceleration_ = (v_ - history_.v) / request.dt;
  } else {
    acceleration_ = step_.kinematics.rates.a * (x_ - step_.kinematics.base) + step_.kinematics.a0;
  }
  for (const DrivenValue& d : driven_) v_[d.coordinate] = d.rate, acceleration_[d.coordinate] = d.acceleration;
  acceleration_.tail(m).setZero();
  // Positions alone close the loops within a step: rates that would open them are the scheme's error, and a step of
  // another length would take them for forces.
  system_->projectVelocity(q_, v_);
  keepMomentum();
  report.reason = refusal(q_);
  if (!report.reason.empty()) return false;
  // Differences of such rates are not how the ends of loops accelerate: implicit Euler sees half of that.
  if (system_->size() > system_->coordinates() && balanceLoops() && course_.impact) acceleration_ = move_;
  return true;
}

bool Model::gainsEnergy(const model::StepInstants& /*step*/, const model::StepRequest& request) {
  System::Energies energies;
  entry_ = entry(request.dt, energies);
  ledger_->act(history_.q, q_, v_, leaps_, &energies);
  entry_.given = ledger_->given(entry_.given), entry_.damped = ledger_->damped();
  // The power at either end does not bound what a drive gives that sets off within the step.
  if (course_.renewed && leaps_.empty()) entry_.numerical = ledger_->numerical() - balanceBefore_.numerical;
  return account_.refuses(entry_);
}

void Model::acceptStep(const model::StepInstants& step, const model::StepRequest& request, bool gains,
                       model::StepReport& report) {
  const scene::Instant& end = step.end;
  const double dt = request.dt, gain = account_.gainOf(entry_);
  if (course_.scheme == solve::ImplicitScheme::generalizedAlpha) {
    VectorX a, auxiliary;
    solve::finishAcceleration(step_, history_, x_, a, auxiliary);
    for (const DrivenValue& d : driven_) auxiliary[d.coordinate] = d.acceleration;
    auxiliary.tail(system_->size() - system_->coordinates()).setZero();
    history_.a = acceleration_, history_.auxiliary = auxiliary;
  }
  if (course_.jolted) history_.a = history_.auxiliary = acceleration_, pushKnown_ = false;
  haveAcceleration_ = step_.at == 1;
  warnings_.warnOfPassing(q_, v_, report);
  warnings_.warnOfWhirling(q_, v_, dt, report);
  accept(end, dt);
  ledger_->accept();
  // The chain stands there, but round-off of joints that count anew.
  framesFresh_ = system_->springs.empty();
  // The state that was put in the place of the step's start has another momentum, which flight would take for its past.
  const bool lost = course_.renewed && course_.wanted == solve::ImplicitScheme::bdf2 && !system_->flight().empty();
  if (course_.jolted || lost) history_.dtBefore = 0;
  loops_.reach = nextReach_;
  account_.accept(entry_);
  kinetic_ = entry_.kinetic, weight_ = entry_.weight, pull_ = system_->gravity, storesFresh_ = true;
  if (impact_ && !course_.renewed) account_.forget();
  if (gains) tellGain(end.t, gain, report);
}

// Momentum in flight is stepped by the scheme as if it were one more coordinate's rate, by the forces that the step is
// balanced with. What the links' rates miss of it is a uniform motion, which nothing within the linkage feels.
void Model::keepMomentum() {
  const solve::ImplicitScheme scheme = course_.scheme;
  const auto n = static_cast<Eigen::Index>(system_->flight().size());
  if (n == 0) return;
  solve::History past;
  past.q = past.qBefore = VectorX::Zero(n), past.dtBefore = history_.dtBefore;
  if (scheme == solve::ImplicitScheme::bdf2 && history_.dtBefore > 0) {
    system_->place(history_.qBefore, history_.vBefore);
    system_->momentum(past.vBefore);
  }
  startMomentum(past.v);
  system_->place(history_.q, history_.v, history_.a);
  if (scheme == solve::ImplicitScheme::generalizedAlpha)
    pushBefore(past.a, push_), pushBefore(past.auxiliary, auxiliaryPush_);
  solve::TimeStep step;
  solve::prepareStep(scheme, past, step_.dt, step, course_.rho);
  VectorX place, momentum, push, auxiliary;
  const VectorX solved = (pushed_ - step.kinematics.a0) / step.kinematics.rates.a;
  solve::finishStep(step, past, solved, place, momentum);
  if (scheme == solve::ImplicitScheme::generalizedAlpha) {
    solve::finishAcceleration(step, past, solved, push, auxiliary);
    rememberPush(push, auxiliary);
  }
  flyWith(momentum);
}

// At the accepted state. Impacts of drives pass on momentum within the linkage; the state that they put in its place is
// not a moment of the motion.
void Model::startMomentum(VectorX& momentum) {
  impact_ ? system_->place(kept_.q, kept_.v) : system_->place(history_.q, history_.v);
  system_->momentum(momentum);
  if (impact_) momentum += impactMomentum_;
}

// What acted on flight at the accepted state, as remembered: accelerations of the scheme do not tell it where
// velocities were changed after the balance. Else the chain is placed there with those that do.
void Model::pushBefore(VectorX& push, const VectorX& remembered) const {
  system_->momentumRate(push);
  for (std::size_t f = 0; pushKnown_ && f < system_->flight().size(); ++f)
    push[static_cast<Eigen::Index>(f)] = remembered[system_->flight()[f]];
}

void Model::rememberPush(const VectorX& push, const VectorX& auxiliary) {
  push_.setZero(system_->size()), auxiliaryPush_.setZero(system_->size()), pushKnown_ = true;
  for (std::size_t f = 0; f < system_->flight().size(); ++f) {
    push_[system_->flight()[f]] = push[static_cast<Eigen::Index>(f)];
    auxiliaryPush_[system_->flight()[f]] = auxiliary[static_cast<Eigen::Index>(f)];
  }
}

// A uniform motion on top of v_ gives the links this momentum in flight.
void Model::flyWith(const VectorX& momentum) {
  if (momentum.size() == 0) return;
  VectorX now;
  Eigen::MatrixXd mass;
  system_->place(q_, v_);
  system_->momentum(now);
  system_->flightMass(mass);
  const solve::DenseLu lu(mass, solve::DenseLu::Pivots::rows);
  if (!lu.regular()) return;
  const VectorX lacks = lu.solve(momentum - now);
  for (std::size_t f = 0; f < system_->flight().size(); ++f)
    v_[system_->flight()[f]] += lacks[static_cast<Eigen::Index>(f)];
}

// Efforts, and what gives and takes energy, with the accelerations and the forces of loops that the motion at the
// step's end asks for; the accelerations go to move_. False: they are not known, and all is as the scheme has it.
bool Model::balanceLoops() {
  VectorX forces = q_, r;
  move_ = acceleration_;
  if (!system_->acceleration(q_, v_, move_, &forces)) return false;
  move_.tail(system_->size() - system_->coordinates()).setZero();
  system_->evaluate({forces, v_, move_}, {}, solve::Level::residual, r);
  return true;
}

// What acts at the accepted state, before a step prepares its own.
void Model::openLedger() {
  ledger_->seeAsBefore();
  if (!ledger_->asks()) return;
  prepare(instant_, instant_, instant_.t);
  ledger_->open(history_.q, history_.v);
  framesFresh_ = false;
}

// The step is prepared where it is balanced. The chain stands elsewhere afterwards.
void Model::beginLedger(double dt, WorkLedger::Rule rule, bool smooth, bool secondOrder) {
  if (ledger_->asksFrames()) ledger_->start(frames());
  framesFresh_ = balanceFresh_ = energiesFresh_ = false;
  ledger_->begin(history_.q, history_.v, dt, rule, smooth, secondOrder);
}

void Model::accept(const scene::Instant& end, double dt) {
  if (!contact_->empty()) {
    system_->place(q_, v_);
    maxPenetration_ = std::max(maxPenetration_, contact_->summary(system_->chain().frames(), -1).penetration);
  }
  moveOn(end, dt);
  recenter();
  loops_.reach = {};
  framesFresh_ = balanceFresh_ = energiesFresh_ = storesFresh_ = false;
}

// Joints of several rotations count their coordinates from the accepted state: no turn, however large, comes near the
// end of their chart. What x = base q turns and moves is taken into the joint's pose. Rates keep the motion they stand
// for; those of the place are seen in directions that do not turn within a step, and are turned along here: so schemes,
// which are linear in all of them, see a uniform flight as rest.
void Model::recenter() {
  for (const PoseSpring& s : system_->springs) {
    const ChainStep& step = system_->chain().steps()[static_cast<std::size_t>(s.step)];
    const int first = step.first, n = static_cast<int>(s.base.cols());
    const geometry::Pose motion = motionOf(system_->screwOf(s, history_.q));
    geometry::Vec6 x = system_->screwOf(s, history_.q), w = system_->screwOf(s, history_.v);
    const Vec3 way = x.tail<3>();
    x.tail<3>().setZero(), w.tail<3>().setZero();
    const geometry::TangentOperator T(-x);
    const geometry::Mat6 t = T.matrix(), change = T.along(-w);
    const auto seen = [&](const geometry::Vec6& turn, const Vec3& move) {
      geometry::Vec6 out;
      out << turn.head<3>(), motion.R.transpose() * move;
      return VectorX(s.base.transpose() * out);
    };
    const auto turnOf = [&](const VectorX& v) {
      geometry::Vec6 turn = system_->screwOf(s, v);
      turn.tail<3>().setZero();
      return turn;
    };
    const auto moveOf = [&](const VectorX& v) { return Vec3(system_->screwOf(s, v).tail<3>()); };
    if (history_.qBefore.size() == history_.q.size()) {
      // The state before, seen from here: its chart began there.
      const geometry::Vec6 before = solve::DenseLu(geometry::TangentOperator(x).matrix(), solve::DenseLu::Pivots::rows)
                                        .solve(turnOf(history_.vBefore));
      history_.qBefore.segment(first, n) = seen(-x, -way);
      history_.vBefore.segment(first, n) = seen(before, moveOf(history_.vBefore));
    }
    for (VectorX* a : {&history_.a, &history_.auxiliary, &acceleration_}) {
      a->segment(first, n) = seen(t * turnOf(*a) + change * w, moveOf(*a));
    }
    for (VectorX* push : {&push_, &auxiliaryPush_})
      push->segment(first, n) = seen(geometry::Vec6::Zero(), moveOf(*push));
    ledger_->turnEffort([&](VectorX& effort) {
      const geometry::Vec6 along = system_->screwOf(s, effort);
      geometry::Vec6 torque = along;
      torque.tail<3>().setZero();
      effort.segment(first, n) =
          seen(solve::DenseLu(t.transpose(), solve::DenseLu::Pivots::rows).solve(torque), along.tail<3>());
    });
    history_.v.segment(first, n) = seen(t * w, moveOf(history_.v));
    history_.q.segment(first, n).setZero();
    system_->chain().setOffset(s.step, step.offset * motion);
  }
}

// Efforts are what the equations of prescribed coordinates lack at the accepted state.
void Model::balance() {
  if (balanceFresh_) return;
  VectorX a = acceleration_, q = history_.q, v = history_.v, r;
  prepare(instant_, instant_, instant_.t);
  for (Eigen::Index w = 0; w < state_.moreTension.size(); ++w)
    system_->tendons[static_cast<std::size_t>(w)].tension += state_.moreTension[w];
  if (!scene_.solver.dynamic) {
    a.setZero(), v.setZero();
  } else if (!haveAcceleration_ || !system_->closures().empty()) {
    a = restAcceleration(q);
  }
  system_->evaluate({q, v, a}, {}, solve::Level::residual, r);
  balanceFresh_ = true;
  framesFresh_ = false;
}

void Model::seenByLoad(int load, std::vector<double>& out) const {
  if (!state_.fields->empty())
    state_.fields->seenBy(scene_.loads[static_cast<std::size_t>(load)], state_.frames(), out);
}

}  // namespace tendril::links
