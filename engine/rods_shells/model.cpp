#include "rods_shells/model.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <stdexcept>

#include "elastic/stretch.h"
#include "model/balance_probe.h"
#include "rods_shells/hinge_rates.h"
#include "rods_shells/welds.h"
#include "world/pointer.h"

namespace tendril::rods_shells {
namespace {

// [N/m], of the pointer's spring.
double pullStiffness(const Structure& s, const scene::Scene& scene, int body) {
  double mass = 0, length = 0, bending = 0;
  if (scene.isRod(body)) {
    for (const Edge& e : s.edges) {
      if (e.rod != body) continue;
      mass += e.massPerLength * e.length, length += e.length, bending = std::max({bending, e.EI1, e.EI2});
    }
  } else {
    const int shell = body - static_cast<int>(scene.rods.size());
    double area = 0, stiffest = 0;
    for (int i = s.shell.firstTriangle[shell]; i < s.shell.firstTriangle[shell + 1]; ++i) {
      const ShellTriangle& t = s.shell.triangles[i];
      area += t.rest.area, mass += t.massPerArea * t.rest.area;
      stiffest = std::max(stiffest, t.youngs * t.thickness * t.thickness * t.thickness / 12);
    }
    length = std::sqrt(area);
    bending = stiffest * length;
  }
  return world::pointerStiffness(bending, mass, length);
}

void copyStrains(const PartElements& part, const Strains& from, Strains& to) {
  for (const int i : part.edges) to.stretch[i] = from.stretch[i], to.elongation[i] = from.elongation[i];
  for (const int i : part.springs) to.bend[i] = from.bend[i];
  for (const int i : part.ties) to.tie[i] = from.tie[i];
  for (const int i : part.connectors) to.connector[i] = from.connector[i];
  for (const int i : part.shellEdges)
    to.shell.stretch[i] = from.shell.stretch[i], to.shell.angle[i] = from.shell.angle[i];
  for (const int i : part.triangles) to.shell.green[i] = from.shell.green[i], to.shell.alpha[i] = from.shell.alpha[i];
}

}  // namespace

Model::Model(const world::World& world)
    : SteppedModel(world.scene(), world.scene().solver.integrator),
      system_(std::make_unique<System>(world)),
      sharpBends_(system_->structure(), scene_),
      ledger_(*system_) {
  divideWork();
  const int n = system_->size();
  history_.q = VectorX::Zero(n);
  history_.v = VectorX::Zero(n);
  acceleration_ = VectorX::Zero(n);
  setInitial();
  system_->supports().startFrom(history_.q);
  x_ = history_.q;
  system_->contacts().stand();
  system_->prepare(instant_, instant_, 0, history_.q, false, x_);
  history_.q = x_;
  system_->accept(history_.q);
  const auto opening = std::find_if(scene_.initial.begin(), scene_.initial.end(),
                                    [](const scene::Initial& initial) { return !initial.hingeRate.empty(); });
  if (scene_.solver.dynamic && opening != scene_.initial.end())
    system_->followHinges(history_.q, initialHingeRates(system_->structure(), scene_), opening->pointer, history_.v);
  system_->elasticity().strains(history_.q, strainsBefore_);
  system_->elasticity().references() = strainsBefore_;
  drawing_ = drawBodies(*system_, scene_);
  for (const scene::Probe& probe : scene_.probes) {
    plans_.push_back(planProbe(system_->structure(), probe));
    showsBalance_ = showsBalance_ || (probe.kind == scene::Probe::Kind::energy && scene::isOfBalance(probe.energy));
  }
}

void Model::divideWork() {
  work_.assign(static_cast<std::size_t>(system_->parts().count()), {});
  refused_.assign(work_.size(), 0);
  findSwitches();
}

// Parts that have met are one from now on.
void Model::join() {
  const std::vector<char> refused = refused_;
  const std::vector<int> now = system_->join();
  divideWork();
  for (std::size_t p = 0; p < refused.size(); ++p) {
    if (refused[p]) refused_[static_cast<std::size_t>(now[p])] = 1;
  }
  ledger_.join(now);
}

void Model::begin(const double* columns) {
  columns_.assign(columns, columns + columns_.size());
  system_->contacts().stand();
  x_ = history_.q;
  system_->prepare(instant_, instant_, 0, history_.q, false, x_);
  system_->beginPaths(x_);
  if (system_->meets(x_)) join();
  if (scene_.solver.dynamic) balanceMassless();
  startsAway_.clear();
  watchesStart_ = scene_.solver.dynamic && !scene_.solver.startEquilibrium;
  if (watchesStart_) startsAway_ = system_->supports().startsAway(instant_);
  history_.q = x_;
  system_->accept(history_.q);
  system_->elasticity().strains(history_.q, strainsBefore_);
  system_->elasticity().references() = strainsBefore_;
  ledger_.reset();
  observedFresh_ = balanceFresh_ = false;
  observed(false);  // now: a step would see the natural strains of its end
}

void Model::setInitial() {
  const Structure& s = system_->structure();
  std::vector<std::vector<char>> in(scene_.rods.size());
  for (std::size_t r = 0; r < scene_.rods.size(); ++r) in[r].assign(scene_.rods[r].points.size(), 0);
  for (const scene::Initial& initial : scene_.initial) {
    for (const scene::NodeRef& ref : initial.nodes) {
      const bool rod = scene_.isRod(ref.body);
      if (rod) in[ref.body][ref.node] = 1;
      if (!initial.velocity) continue;
      formula::Input at =
          rod ? fieldAtNode(s, scene_, ref.body, ref.node) : fieldAtPlace(scene_, scene_.points(ref.body)[ref.node]);
      at.i = ref.node, at.n = static_cast<double>(scene_.points(ref.body).size());
      for (int k = 0; k < 3; ++k) history_.v[s.nodeDof[s.node(ref)] + k] = (*initial.velocity)[k](at);
    }
    const bool turns = initial.twist || initial.spin;
    for (const scene::NodeRef& ref : initial.nodes) {
      if (!turns || !scene_.isRod(ref.body) || ref.node + 1 >= static_cast<int>(in[ref.body].size()) ||
          !in[ref.body][ref.node + 1])
        continue;
      const Edge& e = s.edges[s.rodFirstEdge[ref.body] + ref.node];
      const formula::Input at = fieldAtEdge(s, scene_, e.rod, e.index);
      if (initial.twist) history_.q[e.theta] = (*initial.twist)(at);
      if (initial.spin) history_.v[e.theta] = (*initial.spin)(at);
    }
    for (const scene::NodeRef& ref : initial.nodes) {
      if (scene_.isRod(ref.body)) in[ref.body][ref.node] = 0;
    }
  }
  startWelds();
}

// Frames of welds begin where the initial twists of their arms balance, and turn with them.
void Model::startWelds() {
  const Structure& s = system_->structure();
  FrameState frames = system_->elasticity().frames();
  for (std::size_t i = 0; i < s.welds.size(); ++i) {
    history_.v.segment<3>(s.welds[i].turn) = spinOfArms(s, s.welds[i], history_.v);
    const Vec3 turn = balancedTurn(s, s.welds[i], history_.q);
    if (turn.isZero(0)) continue;
    frames.welds[i].turn = Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix();
    for (const int k : s.welds[i].springs) {
      const Spring& p = s.springs[k];
      frames.referenceTwist[k] += p.f.arm >= 0 ? turn.dot(s.arms[p.f.arm].t) : -turn.dot(s.arms[p.e.arm].t);
    }
  }
  system_->elasticity().setFrames(frames);
}

// Loads, actuation, supports and obstacles of the accepted state again, whatever a step has tried.
void Model::standAtAccepted() {
  system_->goBack(history_.q);
  x_ = history_.q;
  system_->prepare(instant_, instant_, instant_.t, history_.q, false, x_);
}

// Accepted, or all as before.
template <class Attempt>
model::StepReport Model::attemptOnce(const Attempt& tried) {
  const double dtBefore = history_.dtBefore;
  const bool had = haveAcceleration_;
  caught_ = false;
  ledgerBefore_ = ledger_.state();
  return attempt(tried, [&](bool /*stopped*/) {
    ledger_.setState(ledgerBefore_);
    history_.dtBefore = dtBefore, haveAcceleration_ = had;
    standAtAccepted();
    if (caught_) observedFresh_ = caught_ = false, observed(false);
  });
}

// Again where it brought parts together that were taken to be nothing to each other. Where it is not accepted they have
// not met: the parts are again those of the accepted state, and each is blamed for what the joined one has refused.
template <class Attempt>
model::StepReport Model::attemptJoined(const Attempt& tried) {
  std::vector<std::byte> apart;  // the accepted state of the parts before they were joined
  const auto again = [&] {
    for (;;) {
      met_ = blamed_ = false;
      model::StepReport report = attemptOnce(tried);
      if (!met_) return report;
      if (apart.empty()) save(apart);
      join();
    }
  };
  return attempt(again, [&](bool /*stopped*/) {
    if (apart.empty()) return;
    const std::vector<char> refused = refused_;
    const std::vector<int> joined = system_->parts().of;
    std::span<const std::byte> bytes(apart);
    restore(bytes);
    for (std::size_t p = 0; p < refused_.size(); ++p) {
      const int first = system_->parts().unknowns[p].front();
      refused_[p] = refused[static_cast<std::size_t>(joined[static_cast<std::size_t>(first)])];
    }
  });
}

model::StepReport Model::step(const model::StepRequest& request, const model::Continue& keepGoing) {
  model::StepReport report =
      attemptJoined([&] { return isExplicit() ? explicitStep(request, keepGoing) : implicitStep(request, keepGoing); });
  if (!report.accepted && !blamed_) refused_.assign(refused_.size(), 1);
  return report;
}

model::StepReport Model::settle(const model::SettleRequest& request, const model::Continue& keepGoing) {
  model::StepReport report = attemptJoined([&] { return loadStep(request, keepGoing); });
  if (report.accepted && request.equilibrium) {
    // Loads of the start alone are gone, also for who looks at it.
    x_ = history_.q;
    system_->prepare(instant_, instant_, instant_.t, history_.q, false, x_);
    observedFresh_ = balanceFresh_ = false;
  }
  return report;
}

// q_ and v_ are the accepted state from here on.
void Model::acceptEnd(const scene::Instant& end, double t0, double dt, model::StepReport& report) {
  Elasticity& elasticity = system_->elasticity();
  system_->accept(q_);
  if (!first_) sayStretched(q_, report), sayThroughHeld(q_, report);
  const std::string jump = system_->supports().accept(end, t0);
  if (!jump.empty()) report.warnings.push_back(jump);
  sayStart(end, t0, report);
  maxPenetration_ = std::max(maxPenetration_, system_->penetration(q_));
  acceleration_ = (v_ - history_.v) / dt;
  moveOn(end, dt);
  observedFresh_ = balanceFresh_ = false;
  if (!elasticity.damped()) return;
  strainsBefore_ = observed_.strains;
  observed(false);
}

// What feedback does to supports as a run begins: by the probes of the start, or by those after it.
void Model::sayStart(const scene::Instant& end, double t0, model::StepReport& report) {
  if (!watchesStart_ || t0 > 0) return;
  scene::Instant start = end;
  start.t = start.middle = t0;
  if (startsAway_.empty()) startsAway_ = system_->supports().startsAway(start);
  if (!startsAway_.empty()) report.warnings.push_back(startsAway_);
}

// Strains that the damping rates of a step are measured from.
void Model::setReferences() {
  const double w0 = step_.weight0, w1 = step_.weight1;
  Strains& references = system_->elasticity().references();
  const Strains& strains = observed(false).strains;
  forEachList(
      [&](auto& reference, const auto& now, const auto& before) {
        for (std::size_t i = 0; i < now.size(); ++i) reference[i] = w0 * now[i] + w1 * before[i];
      },
      references, strains, strainsBefore_);
  if (!mixed_) return;
  for (int p = 0; p < system_->parts().count(); ++p) {
    if (afresh_[static_cast<std::size_t>(p)]) copyStrains(system_->elements(p), strains, references);
  }
}

std::size_t Model::partOf(const scene::NodeRef& ref) const {
  const Structure& s = system_->structure();
  return static_cast<std::size_t>(system_->parts().of[static_cast<std::size_t>(s.nodeDof[s.node(ref)])]);
}

void Model::findSwitches() {
  const Structure& s = system_->structure();
  switches_.assign(static_cast<std::size_t>(system_->parts().count()), {});
  const auto add = [&](const scene::Interval& interval, const std::vector<scene::NodeRef>& nodes,
                       const std::vector<scene::EdgeRef>& edges = {}) {
    std::set<int> parts;
    for (const scene::NodeRef& ref : nodes) parts.insert(static_cast<int>(partOf(ref)));
    for (const scene::EdgeRef& ref : edges)
      parts.insert(system_->parts().of[static_cast<std::size_t>(s.edges[s.rodFirstEdge[ref.rod] + ref.edge].theta)]);
    for (const int p : parts) switches_[static_cast<std::size_t>(p)].add(interval);
  };
  for (const scene::Constraint& c : scene_.constraints) add(c.interval, c.nodes, c.edges);
  for (const scene::Load& l : scene_.loads) add(l.interval, l.nodes);
  for (const scene::Actuation& a : scene_.actuation) add(a.interval, a.nodes);
}

// Which parts start again in this step; whether any does.
bool Model::findFresh(const model::StepRequest& request) {
  if (first_) {
    afresh_ = first_->afresh_;
    return std::any_of(afresh_.begin(), afresh_.end(), [](char afresh) { return afresh != EnergyLedger::goesOn; });
  }
  afresh_.resize(switches_.size());
  bool any = false;
  if (!request.again) refused_.assign(switches_.size(), 0);
  for (std::size_t p = 0; p < afresh_.size(); ++p) {
    const bool switches = switches_[p].between(request.since, request.t0, request.dt);
    const bool goesOn = request.smooth && !refused_[p];
    afresh_[p] = switches ? EnergyLedger::switches : goesOn ? EnergyLedger::goesOn : EnergyLedger::starts;
    any = any || afresh_[p] != EnergyLedger::goesOn;
  }
  return any;
}

// The parts whose own motion from the accepted state to q fails.
template <class Fails>
void Model::blameWhere(const VectorX& q, const Fails& fails) {
  for (std::size_t p = 0; p < refused_.size(); ++p) {
    VectorX alone = history_.q;
    for (const int i : system_->parts().unknowns[p]) alone[i] = q[i];
    if (fails(alone)) blame(p);
  }
}

bool Model::openStep(const model::StepRequest& request, model::StepReport& /*report*/) {
  const bool any = findFresh(request);
  if (any && std::all_of(afresh_.begin(), afresh_.end(), [](char afresh) { return afresh != EnergyLedger::goesOn; }))
    history_.dtBefore = 0;
  mixed_ = any && scheme() == solve::ImplicitScheme::bdf2 && history_.dtBefore > 0;
  solve::prepareStep(scheme(), history_, request.dt, step_);
  if (!mixed_) return true;
  solve::prepareStep(solve::ImplicitScheme::euler, history_, request.dt, fresh_);
  solve::Kinematics& k = step_.kinematics;
  forEachFresh([&](int i) {
    k.v0[i] = fresh_.kinematics.v0[i], k.a0[i] = fresh_.kinematics.a0[i], step_.guess[i] = fresh_.guess[i];
  });
  return true;
}

// Dampers beside a clamp that has caught something begin with what it caught, and not with where its frame was before.
void Model::beginCaught() {
  if (!system_->elasticity().damped() || system_->supports().caught().empty()) return;
  observed(false);
  system_->caughtStrains(history_.q, observed_.strains);
  system_->caughtStrains(history_.q, system_->elasticity().references());
  caught_ = true;
}

// Whether supports turn too far for one step.
bool Model::turnsTooFar(const scene::Instant& end, model::StepReport& report) {
  std::vector<int> turning;
  report.reason = system_->supports().turnsTooFar(end, &turning);
  report.advised = !report.reason.empty();  // the motion of supports is the scene's, not the solver's
  for (const int c : turning) {
    for (const scene::NodeRef& ref : scene_.constraints[static_cast<std::size_t>(c)].nodes) blame(partOf(ref));
  }
  return !report.reason.empty();
}

bool Model::prepareStep(const model::StepInstants& step, const model::StepRequest& request, model::StepReport& report) {
  if (turnsTooFar(step.end, report)) return false;
  const bool middle = step_.at != 1;
  Elasticity& elasticity = system_->elasticity();
  if (elasticity.damped() && !middle) setReferences();
  system_->mayRebase = false;
  if (keepsAccount()) ledger_.open(history_.q, history_.v, true, afresh_);
  if (elasticity.damped()) observed(false);
  x_ = step_.guess;
  system_->prepare(step.end, step.at, request.t0, history_.q, middle, x_);
  system_->beginPaths(history_.q);
  beginCaught();
  if (keepsAccount()) ledger_.begin(history_.q, history_.v, middle, system_->switched());
  system_->keepEnergy(history_.q, middle ? request.dt : 0, x_);
  system_->beginContact(history_.q);
  if (first_ || keepGuessOutside(step.at.t - request.t0)) return true;
  report.reason =
      "a support would move a body through another or through an obstacle within this step, or an obstacle through what it holds";
  report.advised = true;  // what is prescribed passes in steps of any length
  return false;
}

solve::NewtonReport Model::solveStep(const model::StepInstants& step, const model::StepRequest& request,
                                     const model::Continue& keepGoing) {
  const double elapsed = step.at.t - request.t0;
  solve::NewtonSettings settings = newtonSettings(keepGoing);
  settings.pivots = false;
  // Once more from the accepted state where need be: the extrapolation may have thrown it too far.
  const auto prepareAgain = [&] {
    x_ = history_.q;
    for (int p = 0; p < system_->parts().count(); ++p) carry(p, elapsed * ledger_.velocityOf(p), x_);
    system_->prepare(step.end, step.at, request.t0, history_.q, step_.at != 1, x_);
    return keepGuessOutside(elapsed);
  };
  // One reference to what refers to much: a std::function of its own size needs no memory.
  return solveParts(settings, [&prepareAgain] { return prepareAgain(); });
}

void Model::explainFailure(const solve::NewtonReport& /*newton*/, model::StepReport& report) {
  sayJump(report);
  sayFold(report);
}

void Model::endStep() { system_->keepEnergy({}, 0, {}); }

void Model::acceptStep(const model::StepInstants& step, const model::StepRequest& request, bool /*gains*/,
                       model::StepReport& report) {
  strainRate_ = 1 / request.dt;
  acceptEnd(step.end, request.t0, request.dt, report);
  if (step_.at == 1) acceleration_ = accelerationAt_;  // as the step's equations have it
  if (keepsAccount()) ledger_.accept();
  if (first_) return;  // which says what there is to say
  sayCrushed(history_.q, report);
  sharpBends_.say(strainsAfter_, {"t", step.end.t, " s"}, report.warnings);
  const std::string warning = ledger_.warning(step.end.t, isFinest(request.dt));
  if (!warning.empty()) report.warnings.push_back(warning);
}

// From the solution x_ to the step's end, q_ and v_; false: the step cannot be taken so far.
bool Model::reachEnd(const model::StepInstants& /*step*/, const model::StepRequest& request,
                     model::StepReport& report) {
  solve::finishStep(step_, history_, x_, q_, v_);
  forEachFresh([&](int i) { v_[i] = fresh_.kinematics.rates.v * (x_[i] - history_.q[i]) + fresh_.kinematics.v0[i]; });
  met_ = system_->meets(q_);
  if (met_) return false;
  system_->supports().carryNormals(q_, system_->elasticity().frames());
  const auto passes = [this](const VectorX& q) {
    const std::string pressed = system_->pressedThrough(history_.q, q);
    return pressed.empty() ? system_->passedThrough(history_.q, q) : pressed;
  };
  report.reason = passes(q_);
  if (!report.reason.empty()) {
    report.advised = !system_->pressedThrough(history_.q, q_).empty();
    blameWhere(q_, [&](const VectorX& q) { return !passes(q).empty(); });
    return false;
  }
  if (step_.at != 1) {
    leadHeld(request.dt);
    report.reason = secondHalf();
  }
  return report.reason.empty();
}

// v1 = 2 v_mid - v0 would carry a jump of a support's velocity on for ever, with alternating sign: what is held goes on
// as the means of this step and the one before lead.
void Model::leadHeld(double dt) {
  const auto& held = system_->supports().prescribed();
  const double before = history_.dtBefore, ahead = before > 0 ? dt / (dt + before) : 0;
  const auto meanBefore = [&](int i) { return (history_.q[i] - history_.qBefore[i]) / before; };
  for (int i = 0; i < system_->size(); ++i) {
    if (!held[i]) continue;
    v_[i] = (q_[i] - history_.q[i]) / dt;
    if (before > 0 && !afresh_[static_cast<std::size_t>(system_->parts().of[static_cast<std::size_t>(i)])])
      v_[i] += ahead * (v_[i] - meanBefore(i));
  }
  for (const Massless& m : system_->structure().massless) {
    if (!held[m.unknown]) v_[m.unknown] = (q_[m.unknown] - history_.q[m.unknown]) / dt;
  }
}

// Why the second half of a step that is evaluated in its middle cannot be taken, or empty.
std::string Model::secondHalf() {
  const auto turns = [this](const VectorX& q) { return system_->elasticity().largestTurn(q) > 1.5; };
  if (turns(q_)) {
    blameWhere(q_, turns);
    return "an edge turned by more than 1.5 rad in one step";
  }
  move_ = q_ - x_;
  // What obstacles meet on the whole way is seen before, from where they go.
  if (system_->pairs().longestStep(x_, move_) >= 1) return {};
  blameWhere(q_, [this](const VectorX& q) {
    const VectorX half = 0.5 * (q - history_.q);
    return system_->pairs().longestStep(VectorX(history_.q + half), half) < 1;
  });
  return "one body would pass through another in the second half of this step";
}

// Closes the account of a solved step from the accepted state to q_, v_. Probes and the account see the end of the
// step.
bool Model::gainsEnergy(const model::StepInstants& step, const model::StepRequest& request) {
  const solve::Kinematics& k = step_.kinematics;
  velocityAt_ = k.rates.v * (x_ - k.base) + k.v0;
  accelerationAt_ = k.rates.a * (x_ - k.base) + k.a0;
  const solve::Rates& fresh = fresh_.kinematics.rates;
  forEachFresh([&](int i) {
    velocityAt_[i] = fresh.v * (x_[i] - k.base[i]) + k.v0[i],
    accelerationAt_[i] = fresh.a * (x_[i] - k.base[i]) + k.a0[i];
  });
  if (!keepsAccount()) {
    if (step_.at != 1) system_->prepare(step.end, step.end, request.t0, history_.q, false, x_);
    return false;
  }
  move_ = q_ - history_.q;
  system_->elasticity().strains(q_, strainsAfter_);
  ledger_.act({x_, velocityAt_, accelerationAt_}, k.rates,
              {move_, request.dt, history_.v, v_, observed_.strains, strainsAfter_, step_.weight1 != 0,
               mixed_ ? &fresh : nullptr});
  ledger_.close(q_, v_, strainsAfter_);
  if (step_.at != 1) system_->prepare(step.end, step.end, request.t0, history_.q, false, x_);
  ledger_.finish(q_, v_);
  return !isFinest(request.dt) && ledger_.refuses([this](int part) { blame(static_cast<std::size_t>(part)); });
}

bool Model::energyBalance(model::WatchedBalance& out) {
  out = ledger_.balance(history_.q, history_.v, observed(false).strains);
  return true;
}

void Model::energyOfParts(std::vector<model::PartBalance>& out) {
  ledger_.balance(history_.q, history_.v, observed(false).strains, &out);
}

// A support that jumps cannot be helped by smaller steps: the reason then says how far it goes.
void Model::sayJump(model::StepReport& report) const {
  const Structure& s = system_->structure();
  double jump = 0;
  for (int dof : s.nodeDof) {
    for (int k = dof; k < dof + 3; ++k) {
      if (system_->supports().prescribed()[k]) {
        jump = std::max(jump, std::abs(system_->supports().values()[k] - history_.q[k]));
      }
    }
  }
  if (jump < 0.5 * s.meanEdge) return;
  char text[160];
  std::snprintf(
      text, sizeof text,
      "; a support moves by %.3g m within this step: begin its motion where the node is, or spread it over time", jump);
  report.reason += text;
  report.advised = true;
}

// Nor does a shorter step lead on from where a rod is folded.
void Model::sayFold(model::StepReport& report) {
  if (report.stopped) return;
  system_->elasticity().strains(history_.q, strainsAfter_);
  const std::string words = sharpBends_.fold(strainsAfter_);
  report.reason += words;
  report.advised = report.advised || !words.empty();
}

// Once in a run: an edge of a sheet with springs along its edges is as short.
void Model::sayCrushedSheet(const VectorX& q, model::StepReport& report) {
  const ShellStructure& sheet = system_->structure().shell;
  for (std::size_t i = 0; i < sheet.edges.size() && !saidCrushedSheet_; ++i) {
    const ShellEdge& e = sheet.edges[i];
    if (!e.springs) continue;
    const int a = system_->structure().nodeDof[static_cast<std::size_t>(e.a)],
              b = system_->structure().nodeDof[static_cast<std::size_t>(e.b)];
    const Vec3 v = e.initial + q.segment<3>(b) - q.segment<3>(a);
    if (v.norm() >= elastic::Crushing::limit * e.length) continue;
    saidCrushedSheet_ = true;
    report.warnings.push_back(
        "shell \"" + scene_.shells[static_cast<std::size_t>(e.shell)].name +
        "\" is crushed: an edge of its mesh is shorter "
        "than a tenth of its length, where it resists more than its material does: loads, bending or impacts are too "
        "much for its stiffness against stretching");
  }
}

// Once in a run each: an edge is shorter than where its law is linear, or so long that no linear law holds.
void Model::sayCrushed(const VectorX& q, model::StepReport& report) {
  constexpr double longest = 1 / elastic::Crushing::limit;
  sayCrushedSheet(q, report);
  if (saidCrushed_ && saidDrawn_) return;
  const Structure& s = system_->structure();
  const auto& lengths = system_->elasticity().edgeLengths();
  for (std::size_t i = 0; i < s.edges.size(); ++i) {
    const Edge& e = s.edges[i];
    if (!saidDrawn_ && lengths[i] > longest * e.naturalLength) {
      saidDrawn_ = true;
      report.warnings.push_back(
          "rod \"" + scene_.rods[static_cast<std::size_t>(e.rod)].name +
          "\" is drawn out to more than ten times its "
          "natural length at its edge " +
          std::to_string(e.index) +
          ", which no linearly elastic material withstands: "
          "loads or weight are too much for its stiffness against stretching; look at the units of \"youngs\" and of the loads");
    }
    if (saidCrushed_ || lengths[i] >= elastic::Crushing::limit * e.naturalLength) continue;
    saidCrushed_ = true;
    report.warnings.push_back("rod \"" + scene_.rods[static_cast<std::size_t>(e.rod)].name +
                              "\" is crushed to less than a tenth of its "
                              "natural length at its edge " +
                              std::to_string(e.index) +
                              ", where it resists more than EA: "
                              "loads, bending or impacts are too much for its stiffness against stretching");
  }
}

// Once in a run, before the accepted state moves on to q.
void Model::sayStretched(const VectorX& q, model::StepReport& report) {
  if (saidStretched_) return;
  const std::string words = system_->contacts().stretchedApart(history_.q, q);
  if (words.empty()) return;
  saidStretched_ = true;
  report.warnings.push_back(words);
}

// Once in a run, before the accepted state moves on to q.
void Model::sayThroughHeld(const VectorX& q, model::StepReport& report) {
  if (saidThroughHeld_) return;
  const std::string words = system_->contacts().throughHeld(history_.q, q);
  if (words.empty()) return;
  saidThroughHeld_ = true;
  report.warnings.push_back(words);
}

const ObservedState& Model::observed(bool balance) {
  if (!observedFresh_) {
    system_->elasticity().strains(history_.q, observed_.strains);
    observedFresh_ = true;
  }
  observed_.q = &history_.q, observed_.v = &history_.v, observed_.a = &acceleration_;
  if (isExplicit() && history_.dtBefore > 0) {
    // Explicit steps have no force that moves what is driven: its acceleration is that of its motion.
    driven_ = acceleration_;
    const auto& held = system_->supports().prescribed();
    for (int i = 0; i < system_->size(); ++i) {
      if (held[i]) driven_[i] = (history_.v[i] - history_.vBefore[i]) / history_.dtBefore;
    }
    observed_.a = &driven_;
  }
  observed_.strainRate = strainRate_;
  if (balance && !balanceFresh_) {
    // The damping force of the last step: rates between its start and its end.
    Elasticity& elasticity = system_->elasticity();
    if (elasticity.damped() && strainRate_ > 0) elasticity.references() = strainsBefore_;
    if (history_.dtBefore > 0) system_->beginContact(history_.qBefore);
    system_->balance(history_.q, history_.v, *observed_.a, strainRate_, !isExplicit(), balance_);
    balanceFresh_ = true;
  }
  observed_.balance = &balance_;
  return observed_;
}

void Model::observe(int probe, std::span<double> columns) {
  const scene::Probe& p = scene_.probes[probe];
  if (p.kind == scene::Probe::Kind::energy && scene::isOfBalance(p.energy)) {
    model::WatchedBalance balance;
    energyBalance(balance);
    columns[0] = model::valueOf(balance, p.energy);
    return;
  }
  observeProbe(*system_, p, plans_[probe], observed(needsBalance(p)), columns);
}

Vec3 Model::meanPosition(int probe, bool second) {
  const scene::Probe& p = scene_.probes[probe];
  return rods_shells::meanPosition(*system_, history_.q, second ? p.other : p.nodes);
}

void Model::snapshot(Snapshot& out) { snapshotBodies(*system_, scene_, observed(false), out); }

void Model::refresh() {
  ledger_.beforeChange(history_.q, history_.v);
  system_->refresh();
  system_->pairs().follow(history_.q);
  standAtAccepted();
  ledger_.afterChange(history_.q, history_.v);
  history_.dtBefore = 0;
  haveAcceleration_ = false;
  observedFresh_ = balanceFresh_ = false;
  observed(false);
  // A shell's thickness may have changed.
  Drawing drawn = drawBodies(*system_, scene_);
  if (drawn.halfAxes == drawing_.halfAxes) return;
  drawn.revision = drawing_.revision + 1;
  drawing_ = std::move(drawn);
}

std::vector<model::Remark> Model::remarks() const {
  std::vector<model::Remark> out;
  const std::string overlap = system_->pairs().overlapWarning();
  if (!overlap.empty()) out.push_back({"/contact/self", overlap});
  for (const std::string& coarse : system_->contacts().meshWarnings()) out.push_back({"/obstacles", coarse});
  return out;
}

void Model::grab(int point) {
  const Structure& s = system_->structure();
  for (std::size_t body = 0; body < s.bodyNodes.size(); ++body) {
    const int n = static_cast<int>(s.bodyNodes[body].size());
    if (point >= n) {
      point -= n;
      continue;
    }
    Loads::Grab grab;
    grab.node = s.bodyNodes[body][point];
    grab.stiffness = pullStiffness(s, scene_, static_cast<int>(body));
    system_->loads().grab = grab;
    return;
  }
  throw std::invalid_argument("no drawn point has this number");
}

void Model::release() { system_->loads().grab.reset(); }

}  // namespace tendril::rods_shells
