// Joints that are driven on suddenly take what hangs on them along.
#include <algorithm>
#include <cmath>

#include "links/model.h"

namespace tendril::links {

// `remembers`: the scheme, or its ledger, carries accelerations on from the step before, so that their jumps are kinks
// too.
void Model::findKinks(const scene::Instant& end, const model::StepRequest& request, bool remembers) {
  const bool known = remembers && haveAcceleration_ && request.smooth && history_.dtBefore > 0;
  drives_.findKinks(end, request.dt, history_.q, history_.v, known ? &acceleration_ : nullptr, *structure_, *system_,
                    kinks_, ends_);
  ask_ = request.whole ? 0 : firstInside(request.dt);
  if (ask_ > 0) return;
  if (!ends_.empty()) applyImpact(request.dt);
  drives_.findLeaps(end, history_.q, *structure_, *system_, leaps_);
  if (!leaps_.empty()) leap();
}

// After which the first impact comes that is inside the step [s], where all that lies between impacts is followed; or
// 0. Taken in one step, what is free would begin from elsewhere, by the way that it makes after the impact: what is
// stiff would store energy there.
double Model::firstInside(double dt) const {
  constexpr double sliver = 1e-3;  // of the step: so near its start what is stored is a millionth
  if (!std::all_of(ends_.begin(), ends_.end(), [](const DrivenEnd& e) { return e.followed; })) return 0;
  for (const DrivenKink& kink : kinks_) {
    if (kink.jump != 0 && kink.after > sliver * dt && kink.after < dt) return kink.after;
  }
  return 0;
}

// What stands elsewhere at once carries what hangs on it along as it is, as a jump of a formula of time does: its work
// is what that changes of the stored energies. The step itself finds its way from the accepted state, so that nothing
// is passed through.
void Model::leap() {
  keepLedger();
  prepare(instant_, instant_, instant_.t);
  ledger_->beforeChange(history_.q, history_.v);
  ledger_->afterChange(leapt(), history_.v);
  framesFresh_ = balanceFresh_ = energiesFresh_ = storesFresh_ = false;
}

VectorX Model::leapt() const {
  VectorX q = history_.q;
  for (const DrivenLeap& l : leaps_) q[l.coordinate] += l.by;
  return q;
}

// The accepted state as if it had always gone as it does after the kinks: what is free takes its part of their momentum
// when they come, and has been where its new motion then leads on from. The work that takes is booked.
void Model::applyImpact(double time) {
  keepLedger();
  impact_ = true;
  passedOn_ = std::all_of(ends_.begin(), ends_.end(), [](const DrivenEnd& e) { return e.followed; });
  prepare(instant_, instant_, instant_.t);
  ledger_->beforeChange(history_.q, history_.v);
  system_->findFlight();
  impactMomentum_.setZero(static_cast<Eigen::Index>(system_->flight().size()));
  VectorX& v = history_.v;
  for (const DrivenKink& kink : kinks_) {
    // A jump carries what hangs on the joint along as it is.
    history_.q[kink.coordinate] += kink.leap;
    if (kink.jump == 0) continue;
    const VectorX q = history_.q + kink.after * v;
    bool known = true;
    const auto accelerations = [&](const VectorX& rates, double driven) {
      VectorX a = VectorX::Zero(system_->size());
      a[kink.coordinate] = driven;
      known = known && system_->acceleration(q, rates, a);
      return a;
    };
    // In equations of motion that are linear in accelerations an impulse is the difference of two of them; over a time
    // in which digits of neither are lost, that of the step.
    const VectorX before = accelerations(v, 0);
    const VectorX change = time * (accelerations(v, kink.jump / time) - before);
    const VectorX behind = accelerations(v + change, 0);
    // Where something has no mass, the implicit step alone passes the momentum on.
    passedOn_ = passedOn_ && known;
    if (!known) continue;
    // What acts from outside by the motion changes with it: in flight too, whose momentum starts from the motion
    // before.
    VectorX pushBefore, pushBehind;
    system_->place(q, v, before), system_->momentumRate(pushBefore);
    system_->place(q, v + change, behind), system_->momentumRate(pushBehind);
    impactMomentum_ += kink.after * (pushBefore - pushBehind);
    v += change + kink.after * (before - behind);
    history_.q -= kink.after * change;
  }
  // What is left of a formula after its kinks is an even acceleration, but for a part of what they changed.
  constexpr double even = 0.01;
  for (const DrivenEnd& e : ends_) {
    double jumped = 0;
    for (const DrivenKink& kink : kinks_) jumped += kink.coordinate == e.coordinate ? std::abs(kink.jump) : 0;
    const double start = v[e.coordinate], way = e.value - history_.q[e.coordinate],
                 evenly = 0.5 * time * (start + e.rate);
    passedOn_ = passedOn_ && std::abs(way - evenly) <= even * time * (std::abs(e.rate - start) + jumped);
  }
  ledger_->afterChange(history_.q, v);
  framesFresh_ = balanceFresh_ = energiesFresh_ = storesFresh_ = false;
}

// For a step that is not taken after all.
void Model::keepLedger() {
  if (!ledgerKept_) keptLedger_ = ledger_->state();
  ledgerKept_ = true;
}

}  // namespace tendril::links
