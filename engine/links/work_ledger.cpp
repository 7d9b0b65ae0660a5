#include "links/work_ledger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tendril::links {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

WorkLedger::WorkLedger(const scene::Scene& scene, const Contact& contact, const Fluid& fluid, const ForceFields& fields,
                       const PointerSpring& pointer)
    : contact_(contact), fluid_(fluid), fields_(fields), pointer_(pointer) {
  pushesBefore_ = unknownPushes();
  for (const scene::Load& l : scene.loads) loaded_ = loaded_ || l.kind == scene::Load::Kind::mass;
}

std::vector<Vec3> WorkLedger::unknownPushes() const {
  return std::vector<Vec3>(contact_.obstacles().size(), Vec3::Constant(nan));
}

void WorkLedger::reset() {
  sum_ = {}, frame_ = seen_ = {}, flight_ = 0;
  velocity_ = velocityBefore_ = beside_ = momentum_ = momentumNow_ = loads_ = pushed_ = Vec3::Zero();
  open_ = ready_ = known_ = false;
  pushesBefore_ = unknownPushes();
}

void WorkLedger::take(Acting& out) const {
  out.gravity = system_->gravity, out.lift = fluid_.empty() ? Vec3(Vec3::Zero()) : fluid_.lift();
  out.medium = fluid_.medium();
  out.stiffness = system_->stiffness().diagonal(), out.damping = system_->damping().diagonal(),
  out.restForce = system_->restForce, out.restEnergy = system_->restEnergy;
  out.motor = system_->force - system_->restForce;
  out.wrenches = system_->wrenches;
  out.springs = system_->springs;
  if (!fields_.empty()) out.fields = fields_.sight();
  out.tensions.clear(), out.masses.clear();
  for (const Tendon& t : system_->tendons) out.tensions.push_back(t.tension);
  for (std::size_t i = 0; loaded_ && i < system_->masses().size(); ++i)
    out.masses.push_back(system_->masses()[i].inertia(3, 3));
}

// By weight and buoyancy.
double WorkLedger::hung(const System::Energies& e) const {
  return e.gravity - (fluid_.empty() ? 0 : fluid_.lift().dot(fluid_.displaced(system_->chain().frames())));
}

// All that is stored at q, v as prepared.
double WorkLedger::total(const VectorX& q, const VectorX& v) {
  const System::Energies e = system_->energies(q, v);
  const std::vector<ChainFrame>& frames = system_->chain().frames();
  played_ = e.kinetic + system_->elasticOf(e, q) + (contact_.empty() ? 0 : contact_.energy(frames));
  hangs_ = hung(e);
  return played_ + hangs_;
}

void WorkLedger::beforeChange(const VectorX& q, const VectorX& v) {
  if (open_) stored_ = total(q, v);
}

void WorkLedger::afterChange(const VectorX& q, const VectorX& v) {
  if (open_) sum_.work += total(q, v) - stored_;
}

void WorkLedger::open(const VectorX& q, const VectorX& v) {
  if (!open_) {
    first_ = total(q, v);
    system_->findFlight();
    const double mass = system_->wholeMass();
    if (mass > 0) frame_.velocity = system_->linearMomentum() / mass;
    frame_.begun = true;
    see();
    frame_ = seen_, momentum_ = momentumNow_, velocityBefore_ = velocity_;
    sum_.peak = sum_.given = played_ - flight_;
    const double contact = contact_.empty() ? 0 : contact_.energy(system_->chain().frames());
    sum_.beginPressed(contact, system_->gravity.norm() * mass, contact_.reach());
  }
  if (!ready_) take(before_);
  open_ = ready_ = true;
}

bool WorkLedger::asksFrames() const {
  return !contact_.empty() || !fluid_.empty() || !fields_.empty() || pointer_.active || !system_->wrenches.empty() ||
         std::any_of(system_->tendons.begin(), system_->tendons.end(),
                     [](const Tendon& t) { return !t.spans.empty(); });
}

void WorkLedger::start(const std::vector<ChainFrame>& frames) {
  start_.clear();
  for (const ChainFrame& f : frames) start_.push_back(f.pose);
}

// Whether both give a state another energy.
bool WorkLedger::stores(const Acting& a, const Acting& b) const {
  const bool alike =
      std::equal(a.springs.begin(), a.springs.end(), b.springs.begin(), [](const PoseSpring& s, const PoseSpring& t) {
        return s.rotation == t.rotation && s.translation == t.translation;
      });
  return !alike || a.gravity != b.gravity || a.lift != b.lift || a.stiffness != b.stiffness ||
         a.restForce != b.restForce || a.restEnergy != b.restEnergy || weighs(a, b);
}

// What the energy of q, v changes by.
double WorkLedger::workOfChange(const Acting& from, const Acting& to, const VectorX& q, const VectorX& v) {
  const auto x = q.head(system_->coordinates());
  const System::Energies e = system_->energies(q, v);
  const std::vector<ChainFrame>& frames = system_->chain().frames();
  Vec3 weight = e.weight;
  double work = 0.5 * (to.stiffness - from.stiffness).dot(x.cwiseProduct(x)) - (to.restForce - from.restForce).dot(x) +
                to.restEnergy - from.restEnergy;
  for (std::size_t i = 0; i < to.springs.size(); ++i) {
    PoseSpring more = system_->springs[i];
    more.rotation = to.springs[i].rotation - from.springs[i].rotation;
    more.translation = to.springs[i].translation - from.springs[i].translation;
    if (more.rotation != 0 || more.translation != 0) work += system_->springEnergy(more, q);
  }
  for (std::size_t i = 0; weighs(from, to) && i < to.masses.size(); ++i) {
    const MassPoint& m = system_->masses()[i];
    const ChainFrame& f = frames[static_cast<std::size_t>(m.step)];
    const double more = to.masses[i] - from.masses[i];
    work += more * (0.5 * f.velocity.tail<3>().squaredNorm() - m.weight * to.gravity.dot(f.pose.r));
    weight += (from.masses[i] - m.inertia(3, 3)) * m.weight * f.pose.r;
  }
  work -= (to.gravity - from.gravity).dot(weight);
  return fluid_.empty() ? work : work - (to.lift - from.lift).dot(fluid_.displaced(frames));
}

void WorkLedger::begin(const VectorX& q, const VectorX& v, double dt, Rule rule, bool smooth, bool secondOrder) {
  done_ = {}, given_ = 0, loads_ = pushed_ = Vec3::Zero();
  dt_ = dt, rule_ = rule, secondOrder_ = secondOrder;
  if (rule == Rule::impact) rates_ = v.head(system_->coordinates());
  take(at_);
  const auto sameLoad = [](const PointWrench& a, const PointWrench& b) {
    return a.step == b.step && a.world == b.world;
  };
  goesOn_ = smooth && std::equal(before_.wrenches.begin(), before_.wrenches.end(), at_.wrenches.begin(),
                                 at_.wrenches.end(), sameLoad);
  const bool changes = stores(before_, at_);
  averaged_ =
      changes && smooth && (rule == Rule::end || rule == Rule::start || rule == Rule::impact) && !weighs(before_, at_);
  if (changes && !averaged_) done_.work += workOfChange(before_, at_, q, v);
}

void WorkLedger::addLoads(const ChainDisplacement& way, const Acting& from, const Acting& to) {
  for (std::size_t i = 0; i < to.wrenches.size(); ++i) {
    const PointWrench& p = to.wrenches[i];
    const geometry::Vec6 w = 0.5 * (from.wrenches[i].wrench + p.wrench);
    const Vec3 moment = w.head<3>(), force = w.tail<3>();
    loads_ += dt_ * (p.world ? force : Vec3(way.middle(p.step) * force));
    if (p.world) {
      if (!moment.isZero(0)) given_ += moment.dot(way.turn(p.step));
      // A step that keeps energy knows what dead forces did.
      if (rule_ != Rule::kept) given_ += force.dot(way.of(p.step, Vec3::Zero()));
    } else {
      const Mat3 middle = way.middle(p.step);
      given_ += (middle * force).dot(way.of(p.step, Vec3::Zero()));
      if (!moment.isZero(0)) given_ += (middle * moment).dot(way.turn(p.step));
    }
  }
  if (pointer_.active) {
    const Vec3 pull = pointer_.stiffness * (pointer_.target() - way.place(pointer_.step, pointer_.local));
    done_.work += pull.dot(way.of(pointer_.step, pointer_.local));
  }
  if (!fluid_.empty()) {
    const Fluid::Stream medium{0.5 * (from.medium.velocity + to.medium.velocity),
                               0.5 * (from.medium.acceleration + to.medium.acceleration)};
    fluid_.addWork(way, medium, done_);
  }
  if (!fields_.empty()) given_ += fields_.workOfForces(way, from.fields, to.fields);
  if (!contact_.empty()) addContact(way);
}

// What obstacles push with as they move.
void WorkLedger::addContact(const ChainDisplacement& way) {
  contact_.addWork(way, done_, pushesNow_);
  for (std::size_t o = 0; o < pushesNow_.size(); ++o) {
    Vec3& push = pushesNow_[o];
    const Vec3 &velocity = contact_.obstacles()[o].velocity, &before = pushesBefore_[o];
    if (velocity.isZero(0) && !flies()) {
      push.setConstant(nan);
      continue;
    }
    const bool mean = rule_ == Rule::end && secondOrder_ && before.allFinite();
    const Vec3 gives = way.dt * (mean ? Vec3(0.5 * (before + push)) : push);
    done_.work += velocity.dot(gives);
    pushed_ += gives;
  }
}

void WorkLedger::actInMiddle() {
  if (!asksFrames()) return;
  addLoads({system_->chain().frames(), nullptr, dt_}, at_, at_);
}

void WorkLedger::addSpans(const Acting& from, const Acting& to) {
  const std::vector<ChainFrame>& frames = system_->chain().frames();
  for (std::size_t i = 0; i < system_->tendons.size(); ++i) {
    const double tension = 0.5 * (from.tensions[i] + to.tensions[i]);
    for (const TendonSpan& s : system_->tendons[i].spans) {
      const std::size_t a = static_cast<std::size_t>(s.a), b = static_cast<std::size_t>(s.b);
      done_.work += tension * (spanBetween(s, start_[a], start_[b]) - spanBetween(s, frames[a].pose, frames[b].pose));
    }
  }
}

// By their mean over the step: the system has those of its end.
void WorkLedger::addDampers(const Acting& from, const Acting& to) {
  damped_ = system_->dampedPower(driven_);
  const auto mean = 0.5 * (from.damping + to.damping);
  damped_ += (mean - system_->damping().diagonal()).dot(driven_.cwiseAbs2());
  for (std::size_t i = 0; i < to.springs.size(); ++i) {
    const PoseSpring &a = from.springs[i], &b = to.springs[i], &now = system_->springs[i];
    const geometry::Vec6 screw = system_->screwOf(now, move_);
    damped_ += (0.5 * (a.turning + b.turning) - now.turning) * screw.head<3>().squaredNorm();
    damped_ += (0.5 * (a.moving + b.moving) - now.moving) * screw.tail<3>().squaredNorm();
  }
  damped_ /= dt_;
  done_.dissipated += damped_;
}

// Of what acts on the coordinates themselves: motors, what drives joints, tensions in bodies, dampers.
void WorkLedger::addCoordinates(const Acting& from, const Acting& to, const VectorX& v1) {
  addDampers(from, to);
  given_ += 0.5 * (from.motor.dot(move_) + to.motor.dot(move_));
  for (std::size_t i = 0; i < to.springs.size(); ++i) {
    // The coordinates of these joints count from the accepted state: straight, while the effort turns along.
    const geometry::Vec6 screw = system_->screwOf(to.springs[i], move_),
                         effort = 0.5 * (from.springs[i].effort + to.springs[i].effort);
    geometry::Vec6 turn = screw;
    turn.tail<3>().setZero();
    const Vec3 push = (geometry::TangentOperator(turn) * effort).tail<3>();
    given_ += effort.head<3>().dot(screw.head<3>()) + push.dot(screw.tail<3>());
  }
  tensionNow_ = system_->tensionForce(), effortNow_ = system_->effort();
  const bool both = rule_ == Rule::end && known_;
  if (rule_ == Rule::impact) {
    // An impulse works by the mean of the rates before and after it, whatever the way that it takes.
    done_.work += 0.5 * dt_ * effortNow_.dot(rates_ + v1.head(system_->coordinates()));
  } else {
    done_.work += (both ? 0.5 * (effortBefore_ + effortNow_).dot(driven_) : effortNow_.dot(driven_));
  }
  if (rule_ == Rule::kept) {
    done_.work += system_->keptWork();
  } else {
    done_.work -= (both ? 0.5 * (tensionBefore_ + tensionNow_).dot(move_) : tensionNow_.dot(move_));
  }
}

void WorkLedger::act(const VectorX& q0, const VectorX& q1, const VectorX& v1, const std::vector<DrivenLeap>& leaps,
                     const System::Energies* energies) {
  const bool middle = rule_ == Rule::middle || rule_ == Rule::kept;
  if (middle)
    take(after_);
  else
    std::swap(at_, after_);
  const Acting& to = middle ? at_ : after_;
  const Acting& from = middle ? at_ : goesOn_ ? before_ : after_;
  const std::vector<ChainFrame>& frames = system_->chain().frames();
  if (asksFrames()) {
    if (!middle) addLoads({frames, &start_, dt_}, from, to);
    // A step that keeps energy knows what tensions and potentials did.
    if (rule_ != Rule::kept) addSpans(from, to);
    if (rule_ != Rule::kept && !fields_.empty())
      given_ += fields_.workOfPotentials(start_, frames, from.fields, to.fields);
  }
  driven_ = move_ = (q1 - q0).head(system_->coordinates());
  for (const DrivenLeap& l : leaps) driven_[l.coordinate] -= l.by;
  addCoordinates(from, to, v1);
  looked_ = energies != nullptr;
  if (energies) {
    played_ = energies->kinetic + system_->elasticOf(*energies, q1) + (contact_.empty() ? 0 : contact_.energy(frames));
    hangs_ = hung(*energies);
  }
  if (middle) {
    if (stores(at_, after_)) done_.work += workOfChange(at_, after_, q1, v1);
  } else if (averaged_) {
    done_.work += 0.5 * workOfChange(before_, after_, q0, v1);
    done_.work += 0.5 * workOfChange(before_, after_, q1, v1);
  }
  done_.work += given_;
  if (!flies()) return;
  // What is seen from the frame that momentum does not account for is no gain there, and so a work of what acts.
  const Vec3 gravity = averaged_ ? Vec3(0.5 * (before_.gravity + after_.gravity)) : to.gravity;
  done_.work += velocity_.dot(lacks(gravity) - loads_ - pushed_);
}

// What the base, a medium or the pointer holds pushes in all directions.
void WorkLedger::push(model::WatchFrame& frame) const {
  if (frame.count == 3) return;
  if (system_->flight().empty() || !fluid_.empty() || !fields_.empty() || pointer_.active || loaded_ ||
      system_->flightIsTied())
    frame.hold(Vec3::Zero());
}

double WorkLedger::touched(double before, double now) const {
  if (beside_ == velocity_) return 0;
  const Vec3 half = 0.5 * system_->wholeMass() * beside_;
  return std::max(before - beside_.dot(momentum_ - half), now - beside_.dot(momentumNow_ - half));
}

double WorkLedger::flightDigits() const {
  return 0.5e6 * std::numeric_limits<double>::epsilon() * system_->wholeMass() * velocity_.squaredNorm();
}

void WorkLedger::see() {
  seen_ = frame_;
  push(seen_);
  model::WatchFrame touching = seen_;
  if (!contact_.empty()) contact_.show(system_->chain().frames(), touching);
  const bool flown = !system_->flight().empty();
  const auto along = [&](const model::WatchFrame& f) {
    return flown && !f.velocity.isZero(0) ? system_->alongFlight(f.velocity) : Vec3(Vec3::Zero());
  };
  velocity_ = along(seen_), beside_ = along(touching);
  if (flown) momentumNow_ = system_->linearMomentum();
  findFlight(momentumNow_);
}

void WorkLedger::findFlight(const Vec3& momentum) {
  flight_ = !velocity_.isZero(0) ? velocity_.dot(momentum - 0.5 * system_->wholeMass() * velocity_) : 0;
}

double WorkLedger::carriedByLoads() const {
  if (!flies()) return 0;
  double power = 0;
  for (const PointWrench& p : system_->wrenches) {
    const Vec3 force = p.wrench.tail<3>();
    power +=
        beside_.dot(p.world ? force : Vec3(system_->chain().frames()[static_cast<std::size_t>(p.step)].pose.R * force));
  }
  return power;
}

double WorkLedger::carriedByOthers() const {
  if (!flies()) return 0;
  VectorX push;
  system_->momentumPush(push);
  return system_->flightRates(beside_).dot(push) - beside_.dot(system_->heavyMass() * system_->gravity) -
         carriedByLoads();
}

void WorkLedger::accept() {
  frame_ = seen_, momentum_ = momentumNow_, velocityBefore_ = velocity_;
  sum_.work += done_.work, sum_.dissipated += done_.dissipated;
  look();
  std::swap(before_, after_);
  std::swap(tensionBefore_, tensionNow_), std::swap(effortBefore_, effortNow_);
  const bool atEnd = rule_ == Rule::end || rule_ == Rule::impact;
  if (!contact_.empty()) pushesBefore_ = atEnd ? pushesNow_ : unknownPushes();
  known_ = rule_ == Rule::end;
}

// Where energies were known.
void WorkLedger::look() {
  if (!looked_) return;
  sum_.peak = std::max(sum_.peak, played_ - flight_);
  sum_.given = std::max(sum_.given, first_ + sum_.work - hangs_ - flight_);
  sum_.numerical = played_ + hangs_ - first_ - sum_.work + sum_.dissipated;
  sum_.measureLoss();
}

model::WatchedBalance WorkLedger::balance(const VectorX& q, const VectorX& v) {
  if (!open_) return {};
  model::WatchedBalance out = sum_;
  out.numerical = total(q, v) - first_ - sum_.work + sum_.dissipated;
  findFlight(system_->linearMomentum());
  looked_ = true;
  look();
  out.peak = sum_.peak, out.given = sum_.given, out.lost = sum_.lost, out.lostOf = sum_.lostOf;
  return out;
}

WorkLedger::State WorkLedger::state() const {
  const VectorX none = VectorX::Zero(system_->coordinates());
  return {
      sum_,          first_, open_,           known_,   known_ ? tensionBefore_ : none, known_ ? effortBefore_ : none,
      pushesBefore_, frame_, velocityBefore_, momentum_};
}

void WorkLedger::setState(const State& s) {
  sum_ = s.sum, first_ = s.first, open_ = s.open, known_ = s.known;
  tensionBefore_ = s.tension, effortBefore_ = s.effort, pushesBefore_ = s.pushes;
  frame_ = seen_ = s.frame, velocity_ = velocityBefore_ = beside_ = s.velocity, momentum_ = momentumNow_ = s.momentum;
  ready_ = false;
}

void WorkLedger::visit(model::Archive& archive) {
  State s = state();
  archive(s.sum, s.first, s.open, s.known);
  archive.list(s.tension), archive.list(s.effort), archive.list(s.pushes);
  model::visit(archive, s.frame);
  archive(s.velocity, s.momentum);
  if (archive.restores()) setState(s);
}

}  // namespace tendril::links
