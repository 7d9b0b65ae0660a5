#include "discrete/energy_ledger.h"

#include <algorithm>
#include <cstdio>
#include <limits>

namespace tendril {
namespace {

/// Stiffness [N/m] of all that is stretched, added up.
double stiffnessOf(const Structure& s) {
  double stiffness = 0;
  for (const Edge& e : s.edges) stiffness += e.EA / e.length;
  for (const ShellEdge& e : s.shell.edges) stiffness += e.stretch / (e.length * e.length);
  for (const ShellTriangle& t : s.shell.triangles) {
    if (t.stvk) stiffness += t.membrane.trace() / t.rest.area;
  }
  return stiffness;
}

}  // namespace

EnergyLedger::EnergyLedger(DiscreteSystem& system) : system_(system) {
  const Scene& scene = system.scene();
  actuated_ = !scene.actuation.empty();
  for (const Constraint& c : scene.constraints) actuated_ = actuated_ || (c.kind == Constraint::Kind::clamp && !c.rotation.empty());
  for (const Load& l : scene.loads) loaded_ = loaded_ || l.kind == Load::Kind::mass;
}

void EnergyLedger::reset() { setState({}); }

void EnergyLedger::beforeChange(const VectorX& q, const VectorX& v) {
  if (!open_) return;
  system_.elasticity().strains(q, strains_);
  end_ = stored(q, v, strains_);
  raised_ = system_.loads().heaviness(q).dot(system_.loads().gravity());
}

void EnergyLedger::afterChange(const VectorX& q, const VectorX& v) {
  if (!open_) return;
  system_.elasticity().strains(q, strains_);
  stored_ = stored(q, v, strains_);
  const double lifted = raised_ - system_.loads().heaviness(q).dot(system_.loads().gravity());
  sum_.work += stored_.total() - end_.total() + lifted;
  lifted_ += lifted;
}

// Kinetic, elastic and contact energy with what is prepared now. Gravity's is followed by its increments.
EnergyLedger::Stored EnergyLedger::stored(const VectorX& q, const VectorX& v, const Strains& strains) {
  const VectorX& mass = system_.loads().mass();
  Stored out;
  out.bodies = 0.5 * v.dot(mass.cwiseProduct(v)) + system_.elasticity().energies(strains, -1).total();
  if (!system_.contacts().empty()) out.contact += system_.contacts().energy(q, -1);
  if (!system_.pairs().empty()) out.contact += system_.pairs().energy(q, -1);
  return out;
}

double EnergyLedger::little(double dt) const {
  constexpr double digits = 1e3 * std::numeric_limits<double>::epsilon();
  const Structure& structure = system_.structure();
  double touch = 0;
  if (!system_.contacts().empty()) touch = system_.contacts().touch();
  if (!system_.pairs().empty()) touch = std::max(touch, system_.pairs().touch());
  double mass = 0;  // [kg], without inertias of turns
  for (const int d : structure.nodeDof) mass += system_.loads().mass()[d];
  const double rounded = digits * structure.extent;
  return 1e-6 * system_.loads().gravity().norm() * mass * structure.extent + 0.1 * touch +
         rounded * rounded * (stiffnessOf(structure) + mass / (dt * dt));
}

void EnergyLedger::open(const VectorX& q, const VectorX& v, bool eachStep, bool smooth) {
  eachStep_ = eachStep;
  known_ = known_ && smooth;
  gravity_ = system_.loads().gravity();
  system_.loads().thrust(thrustBefore_);
  if (loaded_) heaviness_ = system_.loads().heaviness(q);
  if (actuated_) system_.elasticity().copyNaturals(before_);
  // Springs of clamps switch at the end of what was smooth.
  if (open_ && (eachStep || (smooth && !(actuated_ || loaded_)))) return;
  system_.elasticity().strains(q, strains_);
  stored_ = stored(q, v, strains_);
  if (open_) return;
  open_ = true;
  first_ = sum_.peak = sum_.given = stored_.total();
}

void EnergyLedger::begin(const VectorX& q, const VectorX& v, bool middle, bool switched) {
  step_ = {};
  raised_ = atOnce_ = 0;
  middle_ = middle;
  const bool jumps = loaded_ || switched;
  if (system_.loads().gravity() != gravity_) changeGravity(q, middle ? 1 : 0.5);
  if (loaded_) changeMass(q);
  if (!actuated_ && !jumps) return;
  system_.elasticity().strains(q, strains_);
  // Obstacles have moved as well: their work is that of the forces.
  const double jump = stored(q, v, strains_).bodies - stored_.bodies;
  averaged_ = actuated_ && !middle && !jumps;
  step_.work += averaged_ ? 0.5 * jump : jump;
  jump_ = jump;
}

// Work of a gravity that changes by `share` of what it changed by since it was last looked at, while bodies stay at q.
void EnergyLedger::changeGravity(const VectorX& q, double share) {
  const Vec3 now = system_.loads().gravity();
  const double work = -share * system_.loads().heaviness(q).dot(now - gravity_);
  step_.work += work, raised_ += work;
  if (middle_) gravity_ = now;
}

// Masses that come or go at q bring their weight with them, or take it away.
void EnergyLedger::changeMass(const VectorX& q) {
  const Vec3 now = system_.loads().heaviness(q);
  const double work = -system_.loads().gravity().dot(now - heaviness_);
  step_.work += work, raised_ += work;
  heaviness_ = now;
}

void EnergyLedger::addSupports(const Motion& at, const Rates& rates, const Way& way, WorkDone& atEnd) {
  const auto& held = system_.supports().prescribed();
  const VectorX& mass = system_.loads().mass();
  bool moves = false;
  for (Eigen::Index i = 0; i < way.move.size(); ++i) {
    if (!held[static_cast<std::size_t>(i)]) continue;
    moves = moves || way.move[i] != 0;
    step_.work += 0.5 * mass[i] * (way.v1[i] * way.v1[i] - way.v0[i] * way.v0[i]);
  }
  if (moves) atEnd.work += system_.supportWork(at, rates, way.move, residual_);
}

// Forces that are those of the end of a step may have done more within it, and taken less: as much as in the last step.
void EnergyLedger::addAtEnd(const WorkDone& done, double dt) {
  step_.work += done.work, step_.dissipated += done.dissipated;
  rateNow_ = {done.work / dt, done.dissipated / dt};
  if (!known_ || middle_) return;
  atOnce_ += std::max(0.0, dt * rate_.work - done.work) + std::max(0.0, done.dissipated - dt * rate_.dissipated);
}

void EnergyLedger::act(const Motion& at, const Rates& rates, const Way& way) {
  const VectorX& move = way.move;
  Elasticity& elasticity = system_.elasticity();
  const Loads& loads = system_.loads();
  WorkDone done, atEnd;
  dt_ = way.dt, start_ = &way.s0;
  least_ = little(way.dt);
  // Where clamps turn, the midpoint rule's strains at the end are known only once its loads are: finish() counts them.
  if (elasticity.damped() && !(middle_ && actuated_)) done.dissipated += elasticity.dissipation(way.s0, way.s1, way.dt);
  loads.addDrag(move, way.dt, done);
  loads.thrust(thrust_);
  const double pushed = thrust_.dot(move), mean = middle_ ? pushed : 0.5 * (pushed + thrustBefore_.dot(move));
  done.work += mean;
  atOnce_ += pushed - mean;
  step_.work += done.work, step_.dissipated += done.dissipated;
  raised_ -= loads.gravityWork(move, middle_ ? loads.gravity() : Vec3(0.5 * (gravity_ + loads.gravity())));
  system_.addEdgeWork(at.q, at.v, move, way.dt, atEnd);
  // A single part's friction is still that of its solve.
  if (system_.hasFriction() && system_.parts().count() > 1) system_.lagFriction(at.q);
  if (!system_.contacts().empty()) system_.contacts().addWork(at.q, at.v, move, way.dt, atEnd);
  if (!system_.pairs().empty()) system_.pairs().addWork(at.q, at.v, move, way.dt, atEnd);
  if (loads.grab) atEnd.work += system_.grabWork(at.q, move);
  addSupports(at, rates, way, atEnd);
  addAtEnd(atEnd, way.dt);
}

void EnergyLedger::close(const VectorX& q, const VectorX& v, const Strains& s1) {
  if (loaded_) heaviness_ = system_.loads().heaviness(q);
  if (eachStep_) end_ = stored(q, v, s1);
  if (middle_ && !system_.contacts().empty()) touch_ = system_.contacts().energy(q, -1);
  if (middle_) return;
  if (system_.loads().gravity() != gravity_) changeGravity(q, 0.5);
  if (!averaged_) return;
  // What natural strains did is the mean of their work at the state before and at the state after.
  Elasticity& elasticity = system_.elasticity();
  const double now = elasticity.energies(s1, -1).total();
  elasticity.exchange(before_);
  elasticity.strains(q, strains_);
  const double after = now - elasticity.energies(strains_, -1).total();
  if (elasticity.damped()) step_.work += elasticity.dampedTurnWork(*start_, s1, &strains_, dt_);
  elasticity.exchange(before_);
  step_.work += 0.5 * after;
  atOnce_ += 0.5 * (jump_ - after);
}

void EnergyLedger::finish(const VectorX& q, const VectorX& v) {
  if (middle_ && system_.loads().gravity() != gravity_) changeGravity(q, 1);
  if (middle_ && loaded_) changeMass(q);
  if (!eachStep_) return;
  if (middle_ && !system_.contacts().empty()) {
    // Obstacles have gone on; their work is that of the forces.
    end_.contact += system_.contacts().energy(q, -1) - touch_;
  }
  if (middle_ && (actuated_ || loaded_)) {
    system_.elasticity().strains(q, strains_);
    const double now = stored(q, v, strains_).bodies;
    step_.work += now - end_.bodies;
    end_.bodies = now;
    const Elasticity& elasticity = system_.elasticity();
    if (actuated_ && elasticity.damped()) {
      step_.dissipated += elasticity.dissipation(*start_, strains_, dt_);
      step_.work += elasticity.dampedTurnWork(*start_, strains_, nullptr, dt_);
    }
  }
  step_.numerical = end_.total() + raised_ - stored_.total() - step_.work + step_.dissipated;
}

void EnergyLedger::accept() {
  averaged_ = false;
  rate_ = rateNow_, known_ = true;
  step_.peak = step_.given = step_.little = 0;
  sum_ += step_;
  lifted_ += raised_;
  if (!eachStep_) return;
  stored_ = end_;
  watch_.accept(gain(), stored_.total() + least_);
  sum_.peak = std::max(sum_.peak, stored_.total());
  sum_.given = std::max(sum_.given, stored_.total() + sum_.dissipated - sum_.numerical);
}

EnergyBalance EnergyLedger::balance(const VectorX& q, const VectorX& v, const Strains& strains) {
  if (!open_) return {};
  EnergyBalance out = sum_;
  if (!eachStep_) {
    const double now = stored(q, v, strains).total();
    out.numerical = now + lifted_ - first_ - sum_.work + sum_.dissipated;
    out.peak = std::max(first_, now);
    out.given = sum_.given = std::max(sum_.given, now + sum_.dissipated - out.numerical);
  }
  out.little = little(system_.scene().solver.dt);
  return out;
}

std::string EnergyLedger::warning(double t, bool shortest) {
  const double largest = watch_.largest();
  const bool full = watch_.state().surplus >= EnergyWatch::allowance * largest;
  if (!shortest || saidGain_ || !full || gain() <= EnergyWatch::part * largest) return {};
  saidGain_ = true;
  char text[300];
  std::snprintf(text, sizeof text,
                "by t = %.4g s the integrator has made %.3g J that nothing gave, of %.3g J in motion, bending and contact, and "
                "steps of a part in 4096 of dt do not help: do not trust what follows; look for what jumps or is too stiff",
                t, std::max(sum_.numerical, gain()), sum_.peak);
  return text;
}

EnergyLedger::State EnergyLedger::state() const {
  return {sum_, watch_.state(), first_, lifted_, stored_, rate_, open_, known_, saidGain_};
}

void EnergyLedger::setState(const State& s) {
  sum_ = s.sum;
  watch_.setState(s.watch);
  first_ = s.first, stored_ = s.stored, lifted_ = s.lifted, open_ = s.open, known_ = s.known, rate_ = s.rate;
  saidGain_ = s.saidGain;
}

}  // namespace tendril
