// Statics of rods: Newton on the potential, damped dynamics where that stalls, and what is said of the result.
#include <algorithm>
#include <cmath>
#include <limits>

#include "rods_shells/at_part.h"
#include "rods_shells/model.h"

namespace tendril::rods_shells {
namespace {

constexpr long rescueIterations = 20000;  // of Newton, in one rescue by damped dynamics
// The first step of a rescue, of the time in which what is out of balance moves all by its size.
constexpr double firstStep = 1.0 / 256;
// Of the size, moved in one step: a longer step would leap over equilibria, and is not made longer yet.
constexpr double wide = 0.2;
constexpr double calm = 1e-4;  // of the size, moved in one step: it may be the end
constexpr double near = 10;    // times what the last step moved: motion that dies down comes no farther

constexpr double acrossShare = 1e-3;  // of what may be left of the forces: couples across edges that are nothing

// Negative pivots that push on nothing: loads without a potential are so strong that they hold what gives way without
// them. Of the last tangent, with r left.
bool isUpheld(System& system, const VectorX& r) { return system.factor(0).negativePivots > 0 && !system.givesWay(r); }

// While it lives and `is`, held twist angles act along their edges alone.
struct AlongOnly {
  AlongOnly(System& system, bool is) : system(system), is(is) { system.alongOnly = is; }
  ~AlongOnly() { system.alongOnly = false; }
  AlongOnly(const AlongOnly&) = delete;
  System& system;
  const bool is;
};

}  // namespace

// Damped dynamics toward equilibrium: implicit Euler steps that forget their velocity, growing while they are short,
// but not at once beyond a length that failed: just below it a buckling mode grows fastest.
bool Model::pseudoTime(PartWork& work, const solve::NewtonSettings& settings, model::StepReport& report) {
  VectorX& x = work.x;
  const solve::Kinematics& still = work.kinematics;
  solve::Kinematics k = still;
  system_->evaluate({x, still.v0, still.a0}, {}, solve::Level::residual, work.move);
  double h = firstStep * system_->timeToMove(work.move);
  if (!(h > 0)) h = 1;  // without mass it is all the same
  double ceiling = std::numeric_limits<double>::infinity(), movedBefore = 0;
  const long before = report.iterations;
  int failures = 0;
  for (int n = 0; n < 2000 && failures < 60 && report.iterations - before < rescueIterations; ++n) {
    k.base = x;
    k.rates.a = 1 / (h * h);
    FrameState frames = system_->elasticity().frames();
    VectorX trial = x;
    solve::NewtonReport newton = work.newton.solve(*system_, k, settings, trial);
    report.iterations += newton.iterations;
    if (newton.stopped) {
      report.stopped = true;
      return false;
    }
    // Sides would be lost little by little.
    if (!newton.converged || !system_->pressedThrough(x, trial).empty()) {
      system_->elasticity().setFrames(frames);
      ++failures;
      ceiling = 0.7 * h;
      h *= 0.5;
      continue;
    }
    work.move = trial - x;
    const double moved = system_->updateNorm(work.move);
    if (!(moved < 1e3 * system_->extent())) return false;  // it flies away
    x = trial;
    system_->rebase(x);
    ceiling *= 1.05;
    if (moved <= wide * system_->extent()) h = std::min(2 * h, ceiling);
    // Plain statics may end it once the motion dies down; while a mode grows, it would only lose time.
    const bool calming = moved < calm * system_->extent() && moved < movedBefore;
    const bool resting = newton.iterations == 0;  // balanced to the tolerance: no further step would move it
    movedBefore = moved;
    if (!calming && !resting && n % 10 != 9) continue;
    const FrameState here = system_->elasticity().frames();
    if (endsAtRest(work, settings, {moved, calming, resting}, report)) return true;
    if (report.stopped || resting) return false;
    system_->elasticity().setFrames(here);
  }
  return false;
}

// Plain statics from work.x, which a damped motion has come to: from where a motion grows, round-off would choose where
// a search ends, and a search that ends far off has left the path of the motion. What is calm and stays where it is may
// be unstable: that is reported.
bool Model::endsAtRest(PartWork& work, const solve::NewtonSettings& settings, const Damped& motion,
                       model::StepReport& report) {
  VectorX trial = work.x;
  const solve::NewtonReport newton = work.newton.solve(*system_, work.kinematics, settings, trial);
  report.iterations += newton.iterations;
  report.stopped = report.stopped || newton.stopped;
  if (newton.stopped) return false;
  work.move = trial - work.x;
  const double leap = system_->updateNorm(work.move), size = system_->extent();
  const bool followed = newton.pushed
                            ? (motion.calming && leap <= near * motion.moved) || (motion.resting && leap <= calm * size)
                            : leap <= wide * size;
  if (!newton.converged || !followed || !system_->pressedThrough(work.x, trial).empty()) return false;
  work.x = trial;
  return true;
}

// Where the search of a part stalled: damped dynamics from work.x, or the doubtful equilibrium, if there is one.
void Model::rescue(PartWork& work, const solve::NewtonSettings& settings, solve::NewtonReport& newton,
                   const Doubtful& doubtful, model::StepReport& report) {
  const long solved = report.iterations;
  newton.converged = pseudoTime(work, settings, report);
  if (newton.converged) {
    report.warnings.push_back("the static solve stalled (" + report.reason + ") and went on by damped dynamics");
    return;
  }
  if (doubtful.x.size() > 0 && !report.stopped) {
    work.x = doubtful.x;
    system_->elasticity().setFrames(doubtful.frames);
    newton.converged = true;
    return;
  }
  report.reason +=
      "; damped motion came to no rest in " + std::to_string(report.iterations - solved) + " further iterations";
  // Something does hold it, but so softly that its pivots drown in the round-off of what is stiff.
  const bool stayed = !report.stopped && system_->updateNorm(work.x) < system_->extent();
  const std::string words = stayed && newton.nullPivots > 0 ? system_->tooFine(1) : std::string();
  if (!words.empty()) report.reason = words + "; " + report.reason, newton.beyondDigits = true;
}

// One part, from x_ to x_. False: no equilibrium was found, or no more is wanted.
//
// Where loads have no potential, the search is steered as if they had: else the least of them would decide which of
// several equilibria is found, stable or not. Where they are so strong that this leads nowhere, the residual judges.
bool Model::settlePart(int part, const solve::NewtonSettings& settings, model::StepReport& report) {
  PartWork& work = work_[static_cast<std::size_t>(part)];
  const std::vector<int>& mine = system_->parts().unknowns[part];
  const AtPart at(*system_, part);
  const FrameState frames = system_->elasticity().frames();
  solve::Kinematics& still = work.kinematics;
  still.rates = {};
  still.base = still.v0 = still.a0 = VectorX::Zero(system_->size());
  gather(x_, mine, work.x);
  const long before = report.iterations;
  const bool steered = !system_->conservative();
  solve::NewtonSettings how = settings;
  how.steered = steered;
  const auto upheld = [&] {
    const solve::Evaluation e = system_->evaluate({work.x, still.v0, still.a0}, {}, solve::Level::tangent, work.move);
    return e.valid && isUpheld(*system_, work.move);
  };
  solve::NewtonReport newton;
  const auto mayGoOn = [&] { return !newton.converged && !newton.stopped && !report.stopped && !newton.beyondDigits; };
  const auto startAgain = [&] {
    system_->elasticity().setFrames(frames);
    gather(x_, mine, work.x);
  };
  report.iterations = 0;
  const auto search = [&](const solve::NewtonSettings& by) {
    newton = work.newton.solve(*system_, still, by, work.x);
    report.iterations += newton.iterations;
  };
  // What the residual finds beyond tangents that push on some motion is one of several equilibria, perhaps unstable.
  VectorX doubtful;
  FrameState doubtfulFrames;
  const auto searchByResidual = [&] {
    search(settings);
    if (!newton.converged || !newton.pushed || upheld()) return;
    doubtful = work.x, doubtfulFrames = system_->elasticity().frames();
    newton.converged = false;
  };
  const bool strong = steered && upheld();
  if (strong) searchByResidual();
  if (strong && mayGoOn()) startAgain();
  if (!newton.converged && !newton.stopped) {
    search(how);
    report.reason = newton.reason;
  }
  if (steered && !strong && mayGoOn()) {
    startAgain();
    searchByResidual();
  }
  if (mayGoOn()) {
    startAgain();
    rescue(work, how, newton, {doubtful, doubtfulFrames}, report);
  }
  report.stopped = report.stopped || newton.stopped;
  report.hopeless = newton.beyondDigits;
  report.iterations = std::max(before, report.iterations);
  if (newton.converged) scatter(work.x, mine, x_);
  return newton.converged;
}

// The couples that supports of twist angles exert in x_, or across their edges in what was solved for last, are no mere
// round-off.
bool Model::twistActs(int part, bool across, const solve::NewtonSettings& settings) {
  const AtPart at(*system_, part);
  if (!system_->holdsTwist(-1)) return false;
  PartWork& work = work_[static_cast<std::size_t>(part)];
  if (!across) gather(x_, system_->parts().unknowns[part], work.x);
  const VectorX zero = VectorX::Zero(work.x.size());
  const solve::Evaluation e = system_->evaluate({work.x, zero, zero}, {}, solve::Level::residual, work.move);
  if (!e.valid) return false;
  if (!across) return system_->holdsTwist(settings.tolerance * e.forceScale * system_->extent());
  return system_->coupleAcross(work.x) > std::max(e.roundOff, acrossShare * settings.tolerance * e.forceScale);
}

// A part on which supports may hold twist angles of edges with a free direction. At rest they exert couples along these
// edges alone: what is found is an equilibrium wherever the angles count from next. Where none of them acts, the search
// is the same as without, for a minimum of energy; that is also where to begin if the other finds nothing. `frames`:
// where the load step begins. `along`: couples were kept from acting across.
bool Model::settleHeld(int part, const FrameState& frames, const solve::NewtonSettings& settings,
                       model::StepReport& report, bool& along) {
  const bool first = twistActs(part, false, settings);
  const long others = report.iterations;
  long mine = 0;
  const auto search = [&](bool only) {
    const AlongOnly couples(*system_, only);
    along = along || only;
    report.iterations = 0;
    const bool found = settlePart(part, settings, report);
    mine += report.iterations;
    report.iterations = std::max(others, mine);
    return found;
  };
  const auto startAgain = [&] {
    const AtPart at(*system_, part);
    system_->elasticity().setFrames(frames);
    for (const int i : system_->parts().unknowns[part]) x_[i] = guess_[i];
    report.hopeless = false;
  };
  if (first) {
    if (search(true)) return true;
    if (report.stopped) return false;
    startAgain();
  }
  if (!search(false)) return false;
  if (!twistActs(part, true, settings) || search(true)) return true;
  if (first || report.stopped) return false;
  startAgain();
  return search(true);
}

// What has no mass comes to equilibrium in x_ while all else stays: natural shapes may pull at it from the start, and
// what it takes to get there is no part of the motion. That is a step from rest so short that nothing with a mass
// moves.
void Model::balanceMassless() {
  const std::vector<Massless>& massless = system_->structure().massless;
  if (massless.empty()) return;
  const VectorX zero = VectorX::Zero(system_->size());
  VectorX r;
  const solve::Evaluation now = system_->evaluate({x_, zero, zero}, {}, solve::Level::residual, r);
  const auto& held = system_->supports().prescribed();
  double rest = 0;
  for (const Massless& m : massless)
    rest = std::max(rest, held[static_cast<std::size_t>(m.unknown)] ? 0 : std::abs(r[m.unknown]));
  if (!(rest > scene_.solver.tolerance * now.forceScale * system_->extent())) return;
  const double h = std::ldexp(scene_.solver.dt, -20);
  balanced_ = x_;
  for (int part = 0; part < system_->parts().count(); ++part) {
    PartWork& work = work_[static_cast<std::size_t>(part)];
    const std::vector<int>& mine = system_->parts().unknowns[part];
    const AtPart at(*system_, part);
    gather(x_, mine, work.x);
    work.kinematics.rates = {0, 1 / (h * h)};
    work.kinematics.base = work.x;
    work.kinematics.v0 = work.kinematics.a0 = VectorX::Zero(work.x.size());
    if (work.newton.solve(*system_, work.kinematics, newtonSettings({}), work.x).converged)
      scatter(work.x, mine, balanced_);
  }
  for (const Massless& m : massless) x_[m.unknown] = balanced_[m.unknown];
}

// What acts and what is prescribed at the load step's end; x_ is where the search begins. False: the load step is too
// large.
bool Model::prepareLoad(const scene::Instant& instant, model::StepReport& report) {
  x_ = history_.q;
  system_->prepare(instant, instant, instant.t, history_.q, false, x_);
  const std::string sweeper = system_->contacts().sweeper(history_.q);
  if (!sweeper.empty()) {
    report.reason =
        "obstacle \"" + sweeper + "\" would pass through a body within this load step; take more load steps";
  } else if (!keepGuessOutside(0)) {
    report.reason =
        "supports would move a body through another or through an obstacle within this load step; take more load steps";
  }
  report.advised = !report.reason.empty();
  if (report.advised) return false;
  if (system_->elasticity().damped()) system_->elasticity().references() = observed(false).strains;
  system_->beginPaths(history_.q);
  return true;
}

// The equilibrium of every part, in x_; false: none was found, or it cannot be accepted. `frames`: of the accepted
// state. `along`: couples were kept from acting across edges.
bool Model::settleParts(const FrameState& frames, const solve::NewtonSettings& settings, model::StepReport& report,
                        bool& along) {
  const bool holdsTwist = !system_->supports().twistHeld().empty();
  if (holdsTwist) guess_ = x_;
  bool found = true;
  for (int p = 0; p < system_->parts().count() && found; ++p) {
    found = holdsTwist ? settleHeld(p, frames, settings, report, along) : settlePart(p, settings, report);
  }
  system_->mayRebase = false;
  observedFresh_ = balanceFresh_ = false;
  if (found) {
    met_ = system_->meets(x_);
    if (!met_) report.reason = system_->pressedThrough(history_.q, x_), report.advised = !report.reason.empty();
    found = !met_ && report.reason.empty();
    if (!found) system_->elasticity().setFrames(frames);
    return found;
  }
  system_->elasticity().setFrames(frames);
  sayFold(report);
  return false;
}

scene::Instant Model::instantOf(const model::SettleRequest& request) const {
  scene::Instant instant;
  instant.t = instant.middle = request.time;
  instant.factor = request.factor;
  instant.slack = 1e-9;
  instant.columns = request.columns;
  if (request.equilibrium) instant.extra = &scene_.solver.startWith;
  return instant;
}

model::StepReport Model::loadStep(const model::SettleRequest& request, const model::Continue& keepGoing) {
  model::StepReport report;
  const scene::Instant instant = instantOf(request);
  report.reason = system_->supports().turnsTooFar(instant);
  if (!report.reason.empty()) return report;
  system_->elasticity().clearPath();
  const FrameState frames = system_->elasticity().frames();
  if (!prepareLoad(instant, report)) return report;
  bool along = false;
  system_->mayRebase = true;
  if (!settleParts(frames, newtonSettings(keepGoing), report, along)) return report;
  report.accepted = true;
  alongOnly_ = along;
  acceptLoad(instant, along, report);
  return report;
}

// x_ is the accepted state, at rest, from here on.
void Model::acceptLoad(const scene::Instant& instant, bool along, model::StepReport& report) {
  system_->supports().carryNormals(x_, system_->elasticity().frames());
  system_->accept(x_);
  if (along) system_->elasticity().accept(x_);  // its forces are those in the frames that were accepted
  sayCrushed(x_, report);
  sayStretched(x_, report);
  sayThroughHeld(x_, report);
  system_->supports().accept(instant, instant.t);  // a jump is no impact at rest
  keepInstant(instant);
  maxPenetration_ = std::max(maxPenetration_, system_->penetration(x_));
  history_.q = x_;
  history_.v.setZero();
  history_.dtBefore = 0;
  acceleration_.setZero();
  haveAcceleration_ = false;
  strainRate_ = 0;
  sharpBends_.say(observed(false).strains, {"load factor", instant.factor, ""}, report.warnings);
  ledger_.reset();
  // On its path a structure may well pass an unstable position, and leave it.
  if (instant.factor >= 1 && !first_ && isUnstable()) {
    report.warnings.emplace_back(
        "the equilibrium found is unstable (its stiffness has a negative pivot): a small imperfection "
        "or side load would leave it");
  }
}

// A perfectly symmetric structure stays on its unstable branch: Newton sees no force that leads away from it.
bool Model::isUnstable() {
  for (int p = 0; p < system_->parts().count(); ++p) {
    const AtPart at(*system_, p);
    PartWork& work = work_[static_cast<std::size_t>(p)];
    const solve::Kinematics& still = work.kinematics;
    gather(history_.q, system_->parts().unknowns[p], work.x);
    const solve::Evaluation e =
        system_->evaluate({work.x, still.v0, still.a0}, still.rates, solve::Level::tangent, work.move);
    const AlongOnly along(*system_, system_->holdsTwist(e.roundOff * system_->extent()));
    if (along.is) system_->evaluate({work.x, still.v0, still.a0}, still.rates, solve::Level::tangent, work.move);
    if (system_->givesWay(work.move)) return true;
  }
  return false;
}

}  // namespace tendril::rods_shells
