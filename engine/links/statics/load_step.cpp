void LoadStep::loadBy(double factor, VectorX& x) {
  instant_.factor = factor;
  state_.prepare(instant_, instant_, instant_.t);
  from_ = x;
  if (!state_.system->closures().empty()) {
    loops_.assemble(from_);
    state_.drives.driven(instant_, Drives::Side::after, 0, *state_.structure, state_.prescribed);
    VectorX led = from_;
    jam_.clear(), locked_ = loops_.arePrescribed();
    VectorX motion = VectorX::Zero(state_.system->coordinates());
    if (loops_.leadJoints(led, doubt_)) {
      x = from_ = led;
    } else {
      VectorX beyond = led;
      for (const DrivenValue& d : state_.prescribed) beyond[d.coordinate] = d.value, motion[d.coordinate] = d.value - from_[d.coordinate];
      if (locked_ || !loops_.assemble(beyond)) jam_ = loops_.jamInWords(led, motion);
    }
    if (locked_ && !jam_.empty()) {
      // What is driven goes in proportion to the factor: shorter load steps jam at the same place.
      int farthest = 0;
      motion.cwiseQuotient(state_.system->units().head(motion.size())).cwiseAbs().maxCoeff(&farthest);
      const double reached = factor * led[farthest] / (from_[farthest] + motion[farthest]);
      if (reached > state_.instant.factor && reached < factor) statics_.barrier.factor = reached, statics_.barrier.reason = jam_, statics_.barrier.jammed = true;
    }
    state_.framesFresh = false;
  }
  state_.prescribe(instant_, Drives::Side::after, 0, x, still_);
  still_.v0.setZero(), still_.a0.setZero();
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

// The equilibrium that Newton finds from x, if it is sure: stable, and no unstable place was met on the way, behind
// which chance decides which of several equilibria is found. An unstable place where it begins in balance is left as it
// is.
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
    report_.reason = jam_;
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
  // No way leads on from a link that is all but gone.
  const std::string pressed = crushed(state_, start);
  if (found == Found::nothing && !pressed.empty()) {
    report_.reason += "; " + pressed;
    return false;
  }
  const VectorX first = x;
  const std::string open = loops_.openLoop(x);
  const bool judged = stabilityAt(start) != Stability::unknown;
  x = start;
  const double from = state_.instant.factor;
  const bool inBalance = judged && to > from && unbalance(from, x) <= 1e-3 * unbalance(to, x);
  advance = Advance::damped;
  // The branch is followed from where it begins, what is driven included.
  if (!inBalance) loadBy(to, x);
  if (inBalance ? follow(from, to, x, reason) : settleDamped(x)) {
    const bool same = found == Found::doubtful && state_.system->updateNorm(x - first) <= 1e-4 * state_.system->extent();
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
    return false;
  }
  const std::string loose = looseJoint(state_);
  if (!open.empty()) report_.reason += "; " + open;
  if (!loose.empty()) report_.reason += "; nothing holds " + loose + " in a static solve";
  statics_.barrier.reason = report_.reason;
  return false;
}

// Closed chains that springs bring out of balance where they are drawn: how they are at rest without loads, or x itself.
// Loads that began at once would choose among several equilibria by the size of the first load step.
bool LoadStep::settleUnloaded(VectorX& x) {
  if (state_.system->closures().empty() || state_.instant.factor != 0) return false;
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

// What is driven too far in this load step for the other joints of its loop to stay on their side, or empty; how far [rad,
// or of the size] the one goes that goes farthest.
std::string LoadStep::drivenFar(double& most) const {
  VectorX motion = VectorX::Zero(state_.system->coordinates());
  for (const DrivenValue& d : state_.prescribed) motion[d.coordinate] = d.value - state_.history.q[d.coordinate];
  most = motion.size() > 0 ? motion.cwiseQuotient(state_.system->units().head(motion.size())).cwiseAbs().maxCoeff() : 0;
  if (!(most > farthest)) return {};
  return whatMoves(state_, motion) + " is driven by more than half a radian, or half the length of its linkage, in one load step";
}

model::StepReport LoadStep::loadStep(const model::SettleRequest& request, const model::Continue& keepGoing) {
  model::StepReport report;
  if (request.factor >= statics_.barrier.factor) {
    report.reason = statics_.barrier.reason;
    return report;
  }
  Settling s{scene::Instant(), solve::Kinematics(), settings(keepGoing), report, VectorX(), {}, {}, false};
  instant_.t = instant_.middle = request.time;
  instant_.slack = 1e-9;
  instant_.columns = request.columns;
  if (request.equilibrium) instant_.extra = &state_.scene.solver.startWith;
  for (VectorX* v : {&still_.base, &still_.v0, &still_.a0}) v->setZero(state_.system->size());
  const int m = state_.system->size() - state_.system->coordinates();
  x_ = state_.history.q;
  x_.tail(m) *= state_.system->closureUnit();
  instant_.factor = request.factor;
  state_.prepare(instant_, instant_, instant_.t);
  state_.drives.driven(instant_, Drives::Side::after, 0, *state_.structure, state_.prescribed);
  // The shortest parts are taken as they are: what jumps there does so in shorter ones too.
  const bool guarded = !state_.system->closures().empty() && request.factor - state_.instant.factor > shortestGuarded;
  double driven = 0;
  const std::string far = guarded ? drivenFar(driven) : std::string();
  if (!far.empty()) {
    report.reason = far;
    return report;
  }
  if (!state_.contact->empty()) {
    state_.contact->begin(state_.frames());
    const std::string sweeper = state_.contact->sweeper();
    if (!sweeper.empty()) {
      report.reason = "obstacle \"" + sweeper + "\" would pass through a link within this load step; take more load steps";
      return report;
    }
  }
  state_.framesFresh = balanceFresh_ = energiesFresh_ = false;
  Advance advance = Advance::loadStep;
  const bool found = findAtRest(request.factor, x_, advance);
  state_.weigh({});
  x_.tail(m) /= state_.system->closureUnit();
  if (!found || report.stopped) return report;
  report.reason = refusal(x_, advance);
  if (report.reason.empty() && advance == Advance::loadStep && driven > littleDriven) report.reason = loops_.turnedFar(state_.history.q, x_);
  if (!report.reason.empty()) return report;
  report.accepted = true;
  if (!doubt_.empty() && loops_.isFirstDoubt()) {
    report.warnings.push_back("in the static solve of \"" + state_.own.name + "\", " + doubt_);
  }
  q_ = x_;
  v_ = VectorX::Zero(state_.system->size());
  acceleration_.setZero(state_.system->size());
  state_.history.a.setZero(state_.system->size()), state_.history.auxiliary.setZero(state_.system->size());
  sayPassed(report);
  accept(instant_, 0);
  ledger_->reset();
  if (!statics_.barrier.jammed) statics_.barrier.factor = std::numeric_limits<double>::infinity();
  if (request.equilibrium) {
    // The run starts from rest as far as nothing is driven.
    state_.instant.extra = nullptr;
    state_.drives.driven(state_.instant, Drives::Side::after, state_.scene.solver.dt, *state_.structure, state_.prescribed);
    for (const DrivenValue& d : state_.prescribed) state_.history.v[d.coordinate] = d.rate;
    loops_.projectVelocity();
  }
  haveAcceleration_ = false;
  // On the way a linkage may well pass an unstable place, and leave it.
  if (request.factor >= 1) reportStability(s);
  return report;
}

void LoadStep::reportStability() {
  model::StepReport& report = report_;
  VectorX x = state_.history.q, motion;
  x.tail(state_.system->size() - state_.system->coordinates()) *= state_.system->closureUnit();
  // Forces left over within the tolerance would look like a hold of what nothing holds.
  solve::NewtonSettings polish = settings_;
  polish.tolerance = 1e-14, polish.iterations = 2, polish.keepGoing = nullptr;
  VectorX better = x;
  statics_.idle.rest(x);
  state_.prescribe(instant_, Drives::Side::after, 0, better, still_);
  still_.v0.setZero(), still_.a0.setZero();
  if (!state_.system->closures().empty()) solveFrom(polish, better);
  if (better.allFinite() && state_.system->updateNorm(better - x) <= 0.05 * state_.system->extent()) x = better;
  Stability stability = stabilityAt(x, &motion);
  if (stability == Stability::stable && state_.system->idle.cols() > 0) stability = Stability::neutral, motion = statics_.idle.motion();
  statics_.idle.release();
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
