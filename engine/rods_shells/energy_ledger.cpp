#include "rods_shells/energy_ledger.h"

#include <cstdio>

#include "model/balance_probe.h"

namespace tendril::rods_shells {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Stiffness [N/m] of all that is stretched in a part, added up.
double stiffnessOf(const Structure& s, const PartElements& part) {
  double stiffness = 0;
  for (const int i : part.edges) stiffness += s.edges[i].EA / s.edges[i].length;
  for (const int i : part.shellEdges)
    stiffness += s.shell.edges[i].stretch / (s.shell.edges[i].length * s.shell.edges[i].length);
  for (const int i : part.triangles) {
    const ShellTriangle& t = s.shell.triangles[i];
    if (t.stvk) stiffness += t.membrane.trace() / t.rest.area;
  }
  for (const int i : part.connectors) {
    const Connector& c = s.connectors[i];
    stiffness += c.stiffness * connectorSlope(s, c).squaredNorm();
  }
  return stiffness;
}

/// Its first body, as lists of bodies number them.
int firstBody(const Structure& s, const PartElements& part) {
  int first = std::numeric_limits<int>::max();
  for (const int i : part.edges) first = std::min(first, s.edges[i].rod);
  for (const int i : part.triangles)
    first = std::min(first, static_cast<int>(s.rodFirstEdge.size()) + s.shell.triangles[i].shell);
  return first;
}

}  // namespace

EnergyLedger::EnergyLedger(System& system) : system_(system) {
  const scene::Scene& scene = system.scene();
  actuated_ = !scene.actuation.empty();
  for (const scene::Spring& s : scene.springs) actuated_ = actuated_ || (s.natural && s.natural->isTimed());
  for (const scene::Constraint& c : scene.constraints)
    actuated_ = actuated_ || (c.kind == scene::Constraint::Kind::clamp && !c.rotation.empty());
  for (const scene::Load& l : scene.loads) loaded_ = loaded_ || l.kind == scene::Load::Kind::mass;
  divide();
}

void EnergyLedger::divide() {
  findAccounts();
  reset();
}

void EnergyLedger::findAccounts() {
  accounts_.clear();
  for (int p = 0; p < system_.parts().count(); ++p) {
    if (system_.elements(p).nodeDofs.empty()) continue;
    accounts_.emplace_back().part = p;
  }
}

Vec3 EnergyLedger::velocityOf(int part) const {
  for (std::size_t i = 0; i < accounts_.size(); ++i) {
    if (accounts_[i].part == part) return kept_.parts[i].frame.velocity;
  }
  return Vec3::Zero();
}

void EnergyLedger::join(const std::vector<int>& now) {
  const std::vector<Account> before = std::move(accounts_);
  const std::vector<Kept> kept = std::move(kept_.parts);
  findAccounts();
  kept_.parts.assign(accounts_.size(), {});
  std::vector<char> known(accounts_.size(), 0);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const int part = now[static_cast<std::size_t>(before[i].part)];
    const auto at = static_cast<std::size_t>(
        std::find_if(accounts_.begin(), accounts_.end(), [part](const Account& a) { return a.part == part; }) -
        accounts_.begin());
    if (known[at]) {
      kept_.parts[at] += kept[i];
    } else {
      kept_.parts[at] = kept[i];
    }
    known[at] = 1;
  }
}

EnergyLedger::Kept& EnergyLedger::Kept::operator+=(const Kept& other) {
  sum += other.sum;
  watch.surplus += other.watch.surplus, watch.largest += other.watch.largest;
  first += other.first, lifted += other.lifted;
  stored.bodies += other.stored.bodies, stored.contact += other.stored.contact;
  rate.work += other.rate.work, rate.dissipated += other.rate.dissipated;
  drain += other.drain;
  force += other.force;
  frame = model::WatchFrame::together(frame, mass, other.frame, other.mass);
  mass += other.mass;
  for (std::size_t o = 0; o < pushes.size(); ++o) pushes[o] += other.pushes[o];
  known = known && other.known;
  return *this;
}

void EnergyLedger::reset() {
  kept_ = {};
  kept_.parts.resize(accounts_.size());
  const Vec3 unknown = Vec3::Constant(nan);
  for (Kept& kept : kept_.parts) kept.pushes.assign(system_.contacts().obstacles().size(), unknown);
  kept_.support.setConstant(system_.structure().size, nan);
  kept_.bodyLoads = kept_.support;
}

template <class F>
void EnergyLedger::forEachPart(F f) {
  for (std::size_t i = 0; i < accounts_.size(); ++i) {
    system_.enter(accounts_[i].part);
    f(accounts_[i], kept_.parts[i], system_.elements(accounts_[i].part));
  }
  system_.enter(-1);
}

void EnergyLedger::beforeChange(const VectorX& q, const VectorX& v) {
  if (!kept_.open) return;
  system_.elasticity().strains(q, strains_);
  forEachPart([&](Account& a, Kept&, const PartElements&) {
    a.end = stored(a, q, v, strains_);
    a.raised = system_.loads().heaviness(q).dot(system_.loads().gravity());
  });
}

void EnergyLedger::afterChange(const VectorX& q, const VectorX& v) {
  if (!kept_.open) return;
  system_.elasticity().strains(q, strains_);
  forEachPart([&](Account& a, Kept& kept, const PartElements&) {
    kept.stored = stored(a, q, v, strains_);
    const double lifted = a.raised - system_.loads().heaviness(q).dot(system_.loads().gravity());
    kept.sum.work += kept.stored.total() - a.end.total() + lifted;
    kept.lifted += lifted;
  });
}

double EnergyLedger::along(const Account& a, const VectorX& force, const VectorX& move) const {
  double work = 0;
  for (const int i : unknownsOf(a)) work += force[i] * move[i];
  return work;
}

double EnergyLedger::kinetic(const Account& a, const VectorX& v) const {
  const VectorX& mass = system_.loads().mass();
  double twice = 0;
  for (const int i : unknownsOf(a)) twice += mass[i] * v[i] * v[i];
  return 0.5 * twice;
}

// Kinetic, elastic and contact energy with what is prepared now. Gravity's is followed by its increments.
EnergyLedger::Stored EnergyLedger::stored(const Account& a, const VectorX& q, const VectorX& v,
                                          const Strains& strains) {
  Stored out;
  out.bodies = kinetic(a, v) + system_.elasticity().energies(strains, -1).total();
  if (!system_.contacts().empty()) out.contact += system_.contacts().energy(q, -1);
  if (!system_.pairs().empty()) out.contact += system_.pairs().energy(q, -1);
  return out;
}

// [kg], without inertias of turns.
double EnergyLedger::massOf(const PartElements& elements) const {
  double mass = 0;
  for (const int d : elements.nodeDofs) mass += system_.loads().mass()[d];
  return mass;
}

// Kinetic energy [J] that elements with velocities v have less where they are seen from the frame.
double EnergyLedger::flight(const model::WatchFrame& frame, const PartElements& elements, const VectorX& v) const {
  const Vec3& w = frame.velocity;
  if (w.isZero(0)) return 0;
  double sum = 0;
  for (const int d : elements.nodeDofs) sum += system_.loads().mass()[d] * w.dot(v.segment<3>(d) - 0.5 * w);
  return sum;
}

// Of what is held along an axis, the supports say how it moves there, where they move it as it has begun to. Otherwise
// an impact is to come, whose energy is in play, and all is seen by who stands.
model::WatchFrame EnergyLedger::frameAtStart(const PartElements& elements, const Way& way) const {
  const auto& held = system_.supports().prescribed();
  model::WatchFrame out;
  out.begun = true;
  Vec3 momentum = Vec3::Zero(), start = Vec3::Zero(), goesOn = Vec3::Zero();
  Eigen::Vector3i count = Eigen::Vector3i::Zero();
  for (const int d : elements.nodeDofs) {
    momentum += system_.loads().mass()[d] * way.v0.segment<3>(d);
    for (int axis = 0; axis < 3; ++axis) {
      if (!held[static_cast<std::size_t>(d + axis)]) continue;
      start[axis] += way.v0[d + axis], goesOn[axis] += way.move[d + axis] / way.dt, ++count[axis];
    }
  }
  const double mass = massOf(elements);
  if (mass > 0) out.velocity = momentum / mass;
  for (int axis = 0; axis < 3; ++axis) {
    if (count[axis] == 0) continue;
    constexpr double alike = 0.1;
    const bool smooth = std::abs(goesOn[axis] - start[axis]) < alike * std::abs(start[axis]);
    out.meet(Vec3::Unit(axis), smooth ? Vec3(Vec3::Unit(axis) * start[axis] / count[axis]) : Vec3(Vec3::Zero()));
  }
  return out;
}

// From where a step is seen, and the energies of motion that are not, there.
void EnergyLedger::look(Account& a, const Kept& kept, const PartElements& elements, const solve::Motion& at,
                        const Way& way) const {
  a.mass = massOf(elements);
  a.frame = a.base = kept.frame.begun ? kept.frame : frameAtStart(elements, way);
  const std::vector<contact::ObstacleShape>& obstacles = system_.contacts().obstacles();
  const bool others = std::any_of(obstacles.begin(), obstacles.end(),
                                  [&a](const contact::ObstacleShape& o) { return o.velocity != a.base.velocity; });
  if (others) {
    system_.contacts().show(at.q, 0, a.frame);
    if (middle_) system_.contacts().show(at.q + 0.5 * way.move, 0.5 * way.dt, a.frame);
  }
  a.flies = !a.base.velocity.isZero(0) || !a.frame.velocity.isZero(0);
  a.flightBefore = flight(a.base, elements, way.v0), a.flight = flight(a.base, elements, way.v1);
  a.touched = 0;
  if (a.frame.velocity != a.base.velocity)
    a.touched = std::max(kinetic(a, way.v1) - flight(a.frame, elements, way.v1),
                         kinetic(a, way.v0) - flight(a.frame, elements, way.v0));
}

double EnergyLedger::little(const PartElements& elements, double dt) const {
  double touch = 0;
  if (!system_.contacts().empty()) touch = system_.contacts().touch();
  if (!system_.pairs().empty()) touch = std::max(touch, system_.pairs().touch());
  const double mass = massOf(elements), rounded = digits * elements.extent;
  return 1e-6 * system_.loads().gravity().norm() * mass * elements.extent + 0.1 * touch +
         rounded * rounded * (stiffnessOf(system_.structure(), elements) + mass / (dt * dt));
}

double EnergyLedger::reach() const {
  return std::max(system_.contacts().empty() ? 0 : system_.contacts().reach(),
                  system_.pairs().empty() ? 0 : system_.pairs().reach());
}

void EnergyLedger::open(const VectorX& q, const VectorX& v, bool eachStep, const std::vector<char>& afresh) {
  eachStep_ = eachStep;
  bool smooth = true;
  for (std::size_t i = 0; i < accounts_.size(); ++i) {
    Account& a = accounts_[i];
    a.afresh = static_cast<Afresh>(afresh[static_cast<std::size_t>(a.part)]);
    if (a.afresh != goesOn) kept_.parts[i].known = smooth = false;
  }
  gravity_ = system_.loads().gravity(), medium_ = system_.loads().medium();
  system_.loads().thrust(thrustBefore_);
  if (loaded_)
    forEachPart([&](Account& a, Kept&, const PartElements&) {
      a.heaviness = system_.loads().heaviness(q), a.kinetic = kinetic(a, v);
    });
  if (actuated_) system_.elasticity().copyNaturals(before_);
  // Springs of clamps switch at the end of what was smooth.
  if (kept_.open && (eachStep || (smooth && !(actuated_ || loaded_)))) return;
  system_.elasticity().strains(q, strains_);
  const bool first = !kept_.open;
  kept_.open = true;
  forEachPart([&](Account& a, Kept& kept, const PartElements& elements) {
    kept.stored = stored(a, q, v, strains_);
    if (!first) return;
    kept.first = kept.sum.peak = kept.sum.given = kept.stored.total();
    kept.sum.beginPressed(kept.stored.contact, system_.loads().gravity().norm() * massOf(elements), reach());
    kept_.peak += kept.first, kept_.given += kept.first;
  });
}

void EnergyLedger::begin(const VectorX& q, const VectorX& v, bool middle, bool switched) {
  middle_ = middle;
  const bool jumps = loaded_ || switched;
  const bool turns = system_.loads().gravity() != gravity_;
  if (actuated_ || jumps) system_.elasticity().strains(q, strains_);
  forEachPart([&](Account& a, Kept& kept, const PartElements&) {
    a.step = {};
    a.raised = a.atOnce = 0;
    a.averaged = actuated_ && !middle && !(switched && a.afresh);
    if (turns) changeGravity(a, q, middle ? 1 : 0.5);
    if (loaded_) changeMass(a, q);
    if (!actuated_ && !jumps) return;
    const double hung = loaded_ ? kinetic(a, v) - a.kinetic : 0;  // the motion of masses that come or go
    // Obstacles have moved as well: their work is that of the forces.
    a.jump = stored(a, q, v, strains_).bodies - kept.stored.bodies - hung;
    a.step.work += hung + (a.averaged ? 0.5 * a.jump : a.jump);
  });
  followGravity();
}

// Work of a gravity that changes by `share` of what it changed by since it was last looked at, while bodies stay at q.
void EnergyLedger::changeGravity(Account& a, const VectorX& q, double share) {
  const double work = -share * system_.loads().heaviness(q).dot(system_.loads().gravity() - gravity_);
  a.step.work += work, a.raised += work;
}

void EnergyLedger::followGravity() {
  if (middle_) gravity_ = system_.loads().gravity();
}

// Masses that come or go at q bring their weight with them, or take it away.
void EnergyLedger::changeMass(Account& a, const VectorX& q) {
  const Vec3 now = system_.loads().heaviness(q);
  const double work = -system_.loads().gravity().dot(now - a.heaviness);
  a.step.work += work, a.raised += work;
  a.heaviness = now;
}

// Sum of the forces [N] on an element's nodes.
Vec3 EnergyLedger::total(const PartElements& elements, const VectorX& force) const {
  Vec3 sum = Vec3::Zero();
  for (const int d : elements.nodeDofs) sum += force.segment<3>(d);
  return sum;
}

// Momentum [N s] that a step gave to what is not held.
Vec3 EnergyLedger::gained(const PartElements& elements, const Way& way) const {
  const auto& held = system_.supports().prescribed();
  const VectorX& mass = system_.loads().mass();
  Vec3 sum = Vec3::Zero();
  for (const int d : elements.nodeDofs) {
    for (int axis = 0; axis < 3; ++axis) {
      if (!held[static_cast<std::size_t>(d + axis)])
        sum[axis] += mass[d + axis] * (way.v1[d + axis] - way.v0[d + axis]);
    }
  }
  return sum;
}

// Whether supports move some of these unknowns, or, for `all`, hold them.
bool EnergyLedger::drives(const std::vector<int>& unknowns, const VectorX& move, bool all) const {
  const auto& held = system_.supports().prescribed();
  return std::any_of(unknowns.begin(), unknowns.end(),
                     [&](int i) { return held[static_cast<std::size_t>(i)] && (all || move[i] != 0); });
}

EnergyLedger::Push EnergyLedger::supports(Account& a, const Kept& kept, const PartElements& elements, const Way& way) {
  const auto& held = system_.supports().prescribed();
  const VectorX& mass = system_.loads().mass();
  Push byEnd, byMean;
  // Of the integrator is only what the mean of both ends leaves.
  const auto meanAt = [&](int i) {
    const double before = kept_.support[i];
    return way.secondOrder && !a.afresh && kept.known && std::isfinite(before) ? 0.5 * (before + support_[i])
                                                                               : support_[i];
  };
  for (const int i : unknownsOf(a)) {
    if (!held[static_cast<std::size_t>(i)]) continue;
    a.step.work += 0.5 * mass[i] * (way.v1[i] * way.v1[i] - way.v0[i] * way.v0[i]);
    if (!a.driven) continue;
    byEnd.work += support_[i] * way.move[i];
    byMean.work += meanAt(i) * way.move[i];
  }
  if (a.driven && a.flies) {
    for (const int d : elements.nodeDofs) {
      for (int axis = 0; axis < 3; ++axis) {
        if (!held[static_cast<std::size_t>(d + axis)]) continue;
        byEnd.impulse[axis] += way.dt * support_[d + axis], byMean.impulse[axis] += way.dt * meanAt(d + axis);
      }
    }
  }
  return mean(a, byEnd, byMean);
}

// Work by the mean of the forces at both ends. An impact at the step's start is half of it, though it has done its
// work: by the force of the end the watch sees that nothing came out of nothing.
EnergyLedger::Push EnergyLedger::mean(Account& a, const Push& byEnd, const Push& byMean) {
  a.atOnce += std::max(0.0, byEnd.from(a.frame) - byMean.from(a.frame));
  return byMean;
}

// As supports.
EnergyLedger::Push EnergyLedger::obstacles(Account& a, const Kept& kept, const solve::Motion& at, const Way& way,
                                           model::WorkDone& done) {
  const Contacts& contacts = system_.contacts();
  contacts.addWork(at.q, at.v, way.move, way.dt, a.flies, done, a.pushes);
  Push byEnd, byMean;
  for (std::size_t o = 0; o < a.pushes.size(); ++o) {
    const Vec3& velocity = contacts.obstacles()[o].velocity;
    if (!a.flies && velocity.isZero(0)) {
      a.pushes[o].setConstant(nan);
      continue;
    }
    const Vec3& before = kept.pushes[o];
    const bool mean = way.secondOrder && !a.afresh && kept.known && before.allFinite();
    const Vec3 end = way.dt * a.pushes[o], both = mean ? Vec3(0.5 * (way.dt * before + end)) : end;
    byEnd += {velocity.dot(end), end};
    byMean += {velocity.dot(both), both};
  }
  return mean(a, byEnd, byMean);
}

// As supports, of what acts on edges, faces and nodes. What drag takes and does not come out of the bodies is the
// medium's work. In the middle, potentials have acted by their discrete gradients.
EnergyLedger::Push EnergyLedger::bodyLoads(Account& a, const Kept& kept, const PartElements& elements,
                                           const solve::Motion& at, const Way& way, model::WorkDone& done) {
  const double drained = way.dt * system_.drained(at.q, at.v, mean_);
  Push byEnd;
  byEnd.work = drained - along(a, bodyLoads_, way.move);
  if (!middle_) byEnd.work += system_.missedWork(at.q, way.move);
  if (a.flies) byEnd.impulse = -way.dt * total(elements, bodyLoads_);
  if (way.secondOrder) a.drain = system_.drained(at.q, at.v, at.v);
  if (!way.secondOrder || middle_ || a.afresh || !kept.known || !std::isfinite(kept.drain)) {
    done.dissipated += drained;
    return byEnd;
  }
  const VectorX before = at.q - way.move, back = -way.move;
  // The medium may have moved otherwise then: of where it is seen now counts only how the power depends on the mean.
  const double atStart = kept.drain + system_.drained(before, way.v0, mean_) - system_.drained(before, way.v0, way.v0);
  const double both = 0.5 * (drained + way.dt * atStart);
  done.dissipated += both;
  Push byMean;
  byMean.work = both - 0.5 * (along(a, kept_.bodyLoads, way.move) + along(a, bodyLoads_, way.move)) +
                0.5 * (system_.missedWork(at.q, way.move) - system_.missedWork(before, back));
  if (a.flies) byMean.impulse = -0.5 * way.dt * (total(elements, kept_.bodyLoads) + total(elements, bodyLoads_));
  return mean(a, byEnd, byMean);
}

// Forces that are those of the end of a step may have done more within it, and taken less: as much as in the last step.
void EnergyLedger::addAtEnd(Account& a, const Kept& kept, const Push& push, double dissipated, double dt) {
  a.step.work += push.work, a.step.dissipated += dissipated;
  a.rate = {push.work / dt, dissipated / dt};
  a.force = a.flies ? Vec3(push.impulse / dt) : Vec3(Vec3::Constant(nan));
  if (!kept.known || middle_ || (a.flies && !kept.force.allFinite())) return;
  const Push before{dt * kept.rate.work, a.flies ? Vec3(dt * kept.force) : Vec3(Vec3::Zero())};
  a.atOnce +=
      std::max(0.0, before.from(a.frame) - push.from(a.frame)) + std::max(0.0, dissipated - dt * kept.rate.dissipated);
}

// From where each part is seen in the step, and the forces of supports that move, or are seen to.
void EnergyLedger::measureSupports(const solve::Motion& at, const solve::Rates& rates, const Way& way) {
  bool driven = false;
  forEachPart([&](Account& a, Kept& kept, const PartElements& elements) {
    look(a, kept, elements, at, way);
    a.driven = drives(unknownsOf(a), way.move, a.flies);
    driven = driven || a.driven;
  });
  driven = driven && system_.supportForces(at, rates, support_);
  for (Account& a : accounts_) a.driven = a.driven && driven;
  if (!driven || !way.fresh) return;
  system_.supportForces(at, *way.fresh, fresh_);
  for (const Account& a : accounts_) {
    if (!a.afresh) continue;
    for (const int i : unknownsOf(a)) support_[i] = fresh_[i];
  }
}

// Dampers of the material, viscosity, dead loads and gravity, on which no obstacle or support depends.
void EnergyLedger::addLoads(Account& a, const Way& way, double pushed, double mean, const Vec3& medium) {
  const Elasticity& elasticity = system_.elasticity();
  const Loads& loads = system_.loads();
  model::WorkDone done;
  // Where clamps turn, the midpoint rule's strains at the end are known only once its loads are: finish() counts them.
  if (elasticity.damped() && !(middle_ && actuated_)) done.dissipated += elasticity.dissipation(way.s0, way.s1, way.dt);
  const model::WorkDone drag = loads.dragWork(way.move, way.dt, medium),
                        atEnd = loads.dragWork(way.move, way.dt, loads.medium());
  done.work += mean + drag.work, done.dissipated += drag.dissipated;
  a.atOnce += pushed - mean + (atEnd.work - atEnd.dissipated) - (drag.work - drag.dissipated);
  a.step.work += done.work, a.step.dissipated += done.dissipated;
  a.raised -= loads.gravityWork(way.move, meanGravity());
}

// What momentum does not account for is no gain for who flies along, and so a work of what acts.
void EnergyLedger::balanceMomentum(Account& a, const PartElements& elements, const Way& way, const Vec3& impulse,
                                   bool whole, const Vec3& medium) {
  const Loads& loads = system_.loads();
  const Vec3 thrown = way.dt * total(elements, thrust_),
             even = whole ? thrown : Vec3(0.5 * (thrown + way.dt * total(elements, thrustBefore_)));
  const Vec3 weight = way.dt * loads.heavyMass() * meanGravity();
  const Vec3 drag = way.dt * loads.drag(way.move, way.dt, medium),
             dragAtEnd = way.dt * loads.drag(way.move, way.dt, loads.medium());
  a.atOnce -= a.frame.velocity.dot(thrown - even + dragAtEnd - drag);
  const Vec3 lacks = gained(elements, way) - impulse - even - weight - drag;
  a.step.work += a.base.velocity.dot(lacks);
  a.aside = (a.base.velocity - a.frame.velocity).dot(lacks);
}

void EnergyLedger::act(const solve::Motion& at, const solve::Rates& rates, const Way& way) {
  const VectorX& move = way.move;
  const Loads& loads = system_.loads();
  dt_ = way.dt, start_ = &way.s0;
  loads.thrust(thrust_);
  measureSupports(at, rates, way);
  const bool acts = system_.forcesAct();
  if (acts) {
    bodyLoads_ = system_.edgeForces(at.q, at.v);
    mean_ = move / way.dt;
  }
  // A single part's friction is still that of its solve.
  const bool lags = system_.hasFriction() && system_.parts().count() > 1;
  forEachPart([&](Account& a, Kept& kept, const PartElements& elements) {
    model::WorkDone atEnd;
    Push push;
    a.least = little(elements, way.dt) + flightDigits(a.base, a.mass);
    a.aside = 0;
    // What begins or ceases to act does so for the whole step.
    const bool whole = middle_ || a.afresh == switches;
    const double pushed = along(a, thrust_, move);
    const Vec3 medium = whole ? loads.medium() : Vec3(0.5 * (medium_ + loads.medium()));
    addLoads(a, way, pushed, whole ? pushed : 0.5 * (pushed + along(a, thrustBefore_, move)), medium);
    a.drain = nan;
    if (acts) push += bodyLoads(a, kept, elements, at, way, atEnd);
    if (lags) system_.contacts().lag(at.q, Stand::evaluated);
    if (!system_.contacts().empty()) push += obstacles(a, kept, at, way, atEnd);
    if (!system_.pairs().empty()) system_.pairs().addWork(at.q, at.v, move, way.dt, atEnd);
    if (loads.grab && elements.has(system_.structure().nodeDof[loads.grab->node])) {
      push += {system_.grabWork(at.q, move), way.dt * system_.grabForce(at.q)};
    }
    push += supports(a, kept, elements, way);
    push.work += atEnd.work;
    addAtEnd(a, kept, push, atEnd.dissipated, way.dt);
    if (a.flies) balanceMomentum(a, elements, way, push.impulse, whole, medium);
  });
}

void EnergyLedger::close(const VectorX& q, const VectorX& v, const Strains& s1) {
  const bool turns = system_.loads().gravity() != gravity_;
  forEachPart([&](Account& a, Kept&, const PartElements&) {
    if (loaded_) a.heaviness = system_.loads().heaviness(q);
    if (eachStep_) a.end = stored(a, q, v, s1);
    if (middle_ && !system_.contacts().empty()) a.touch = system_.contacts().energy(q, -1);
    if (!middle_ && turns) changeGravity(a, q, 0.5);
  });
  if (!middle_ && std::any_of(accounts_.begin(), accounts_.end(), [](const Account& a) { return a.averaged; }))
    averageActuation(q, s1);
}

// What natural strains did is the mean of their work at the state before and at the state after.
void EnergyLedger::averageActuation(const VectorX& q, const Strains& s1) {
  Elasticity& elasticity = system_.elasticity();
  forEachPart([&](Account& a, Kept&, const PartElements&) { a.elastic = elasticity.energies(s1, -1).total(); });
  elasticity.exchange(before_);
  elasticity.strains(q, strains_);
  forEachPart([&](Account& a, Kept&, const PartElements&) {
    if (!a.averaged) return;
    const double after = a.elastic - elasticity.energies(strains_, -1).total();
    a.step.work += 0.5 * after;
    a.atOnce += 0.5 * (a.jump - after);
    if (elasticity.damped()) a.step.work += elasticity.dampedTurnWork(*start_, s1, &strains_, dt_);
  });
  elasticity.exchange(before_);
}

void EnergyLedger::finish(const VectorX& q, const VectorX& v) {
  const bool turns = middle_ && system_.loads().gravity() != gravity_, changes = middle_ && (actuated_ || loaded_);
  Elasticity& elasticity = system_.elasticity();
  if (eachStep_ && changes) elasticity.strains(q, strains_);
  forEachPart([&](Account& a, Kept& kept, const PartElements&) {
    if (turns) changeGravity(a, q, 1);
    if (middle_ && loaded_) changeMass(a, q);
    if (!eachStep_) return;
    // Obstacles have gone on; their work is that of the forces.
    if (middle_ && !system_.contacts().empty()) a.end.contact += system_.contacts().energy(q, -1) - a.touch;
    if (changes) {
      const double now = stored(a, q, v, strains_).bodies;
      a.step.work += now - a.end.bodies;
      a.end.bodies = now;
      if (actuated_ && elasticity.damped()) {
        a.step.dissipated += elasticity.dissipation(*start_, strains_, dt_);
        a.step.work += elasticity.dampedTurnWork(*start_, strains_, nullptr, dt_);
      }
    }
    a.step.numerical = a.end.total() + a.raised - kept.stored.total() - a.step.work + a.step.dissipated;
  });
  followGravity();
}

void EnergyLedger::accept() {
  kept_.support.setConstant(nan);
  for (const Account& a : accounts_) {
    if (!a.driven) continue;
    for (const int i : unknownsOf(a)) kept_.support[i] = support_[i];
  }
  if (bodyLoads_.size() > 0) kept_.bodyLoads = bodyLoads_;
  double inPlay = 0, cameIn = 0;
  for (std::size_t i = 0; i < accounts_.size(); ++i) {
    Account& a = accounts_[i];
    Kept& kept = kept_.parts[i];
    kept.rate = a.rate, kept.drain = a.drain, kept.known = true, a.averaged = false;
    if (!kept.frame.begun) {
      for (double* most : {&kept.sum.peak, &kept.sum.given, &kept_.peak, &kept_.given}) *most -= a.flightBefore;
    }
    kept.force = a.force, kept.frame = a.base, kept.mass = a.mass;
    if (!a.pushes.empty()) kept.pushes = a.pushes;
    a.step.peak = a.step.given = a.step.little = 0;
    kept.sum += a.step;
    kept.lifted += a.raised;
    if (!eachStep_) continue;
    kept.stored = a.end;
    model::EnergyWatch watch(kept.watch);
    watch.accept(a.gain(), a.size());
    kept.watch = watch.state();
    const double now = a.inPlay(), came = now + kept.sum.dissipated - kept.sum.numerical;
    kept.sum.peak = std::max(kept.sum.peak, now), kept.sum.given = std::max(kept.sum.given, came);
    kept.sum.measureLoss();
    inPlay += now, cameIn += came;
  }
  kept_.peak = std::max(kept_.peak, inPlay), kept_.given = std::max(kept_.given, cameIn);
}

model::WatchedBalance EnergyLedger::balance(const VectorX& q, const VectorX& v, const Strains& strains,
                                            std::vector<model::PartBalance>* parts) {
  model::WatchedBalance out;
  if (!kept_.open) return out;
  double inPlay = 0, cameIn = 0;
  forEachPart([&](Account& a, Kept& kept, const PartElements& elements) {
    model::PartBalance of{kept.sum, 0, elements.bodies};
    model::WatchedBalance& one = of.energy;
    if (!eachStep_) {
      const double all = stored(a, q, v, strains).total(), now = all - flight(kept.frame, elements, v);
      one.numerical = all + kept.lifted - kept.first - one.work + one.dissipated;
      const double came = now + one.dissipated - one.numerical;
      one.peak = kept.sum.peak = std::max(kept.sum.peak, now);
      one.given = kept.sum.given = std::max(kept.sum.given, came);
      one.measureLoss();
      kept.sum.lost = one.lost, kept.sum.lostOf = one.lostOf;
      inPlay += now, cameIn += came;
    }
    one.little = little(elements, system_.scene().solver.dt) + flightDigits(kept.frame, massOf(elements));
    out += one;
    if (!parts) return;
    of.body = firstBody(system_.structure(), elements);
    parts->push_back(of);
  });
  if (!eachStep_) kept_.peak = std::max(kept_.peak, inPlay), kept_.given = std::max(kept_.given, cameIn);
  out.peak = kept_.peak, out.given = kept_.given;
  return out;
}

std::string EnergyLedger::warning(double t, bool shortest) {
  if (!shortest || kept_.saidGain) return {};
  for (std::size_t i = 0; i < accounts_.size(); ++i) {
    const Account& a = accounts_[i];
    const Kept& kept = kept_.parts[i];
    const double largest = kept.watch.largest;
    if (kept.watch.surplus < model::EnergyWatch::allowance * largest || a.gain() <= model::EnergyWatch::part * largest)
      continue;
    kept_.saidGain = true;
    char made[80], rest[240];
    std::snprintf(made, sizeof made, "by t = %.4g s the integrator has made %.3g J", t,
                  std::max(kept.sum.numerical, a.gain()));
    std::snprintf(
        rest, sizeof rest,
        " that nothing gave, of %.3g J in motion, bending and contact, and steps of a part in 4096 of dt do not help: "
        "do not trust what follows; look for what jumps or is too stiff",
        kept.sum.peak);
    const PartElements& elements = system_.elements(a.part);
    const std::string where = accounts_.size() < 2
                                  ? ""
                                  : " in the motion" + model::motionOf(firstBody(system_.structure(), elements),
                                                                       elements.bodies, system_.scene());
    return made + where + rest;
  }
  return {};
}

}  // namespace tendril::rods_shells
