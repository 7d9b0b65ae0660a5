#include "rods_shells/terms/system.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "rods_shells/terms/edge_loads.h"
#include "rods_shells/terms/face_loads.h"
#include "rods_shells/terms/swimming.h"
#include "solve/divergence.h"

namespace tendril::rods_shells {
System::System(const world::World& world)
    : world_(world), scene_(world.scene()), structure_(buildStructure(world.scene())) {
  const scene::Scene& scene = scene_;
  elasticity_ = std::make_unique<Elasticity>(structure_);
  loads_ = std::make_unique<Loads>(structure_, scene);
  supports_ = std::make_unique<Supports>(structure_, scene);
  actuator_ = std::make_unique<Actuator>(structure_, scene);
  // All that acts beside the elastic energy.
  addForce(std::make_unique<EdgeLoads>(*loads_, *elasticity_));
  addForce(std::make_unique<FaceLoads>(structure_, scene));
  addForce(std::make_unique<Swimming>(structure_, scene));
  auto fields = std::make_unique<ForceFields>(structure_, scene, *elasticity_);
  fields_ = fields.get();
  addForce(std::move(fields));
  contacts_ = addContact(std::make_unique<Contacts>(structure_, world));
  pairs_ = addContact(std::make_unique<PairContacts>(structure_, scene));
  pivotScale_.resize(structure_.size);
  gradient_ = VectorX::Zero(structure_.size + 1);
  edgeLoad_ = VectorX::Zero(structure_.size);
  if (!pairs_->empty()) meetings_ = std::make_unique<Meetings>(structure_, *pairs_);
  divide();
  nodeOf_.assign(static_cast<std::size_t>(structure_.size), -1);
  for (std::size_t i = 0; i < structure_.nodes.size(); ++i) nodeOf_[structure_.nodeDof[i]] = static_cast<int>(i);
  makeSolver();
}

void System::addForce(std::unique_ptr<Term> force) {
  forces_.push_back(force.get());
  terms_.push_back(std::move(force));
}

template <class T>
T* System::addContact(std::unique_ptr<T> contact) {
  T* out = contact.get();
  touching_.push_back(out);
  terms_.push_back(std::move(contact));
  return out;
}

// By what is joined, and by what has met.
void System::divide() {
  Pattern pattern = elasticPattern_.empty() ? elasticPattern(structure_) : elasticPattern_;
  if (meetings_) elasticPattern_ = pattern;
  pattern.insert(pattern.end(), joined_.begin(), joined_.end());
  parts_.divide(structure_, pattern);
  enter(-1);
  if (!meetings_) return;
  pairs_->divide(parts_.unknowns);
  meetings_->refresh();
}

void System::beginPaths(const VectorX& q) {
  if (meetings_ && parts_.unknowns.count() > 1) meetings_->begin(q);
}

bool System::meets(const VectorX& q) {
  if (!meetings_ || parts_.unknowns.count() == 1) return false;
  meetings_->pass(q, parts_.all.nodeDofs);
  met_ = meetings_->find(q, parts_.unknowns);
  return !met_.empty();
}

std::vector<int> System::join() {
  const std::vector<std::vector<int>> before = parts_.unknowns.unknowns;
  for (const auto& [a, b] : met_)
    joined_.push_back({before[static_cast<std::size_t>(a)][0], before[static_cast<std::size_t>(b)][0]});
  met_.clear();
  return divideAgain(before);
}

std::vector<int> System::joinAs(const System& other) {
  const std::vector<std::vector<int>> before = parts_.unknowns.unknowns;
  joined_ = other.joined_;
  return divideAgain(before);
}

// The new part of each of those before.
std::vector<int> System::divideAgain(const std::vector<std::vector<int>>& before) {
  divide();
  makeSolver();
  std::vector<int> now;
  now.reserve(before.size());
  for (const std::vector<int>& unknowns : before)
    now.push_back(parts_.unknowns.of[static_cast<std::size_t>(unknowns[0])]);
  return now;
}

void System::enter(int part) {
  part_ = parts_.unknowns.count() > 1 ? part : -1;
  const PartElements& elements = here();
  elasticity_->enter(elements);
  for (const auto& term : terms_) term->enter(elements);
}

int System::solverPart() const {
  if (part_ >= 0 || parts_.unknowns.count() == 1) return std::max(0, part_);
  throw std::logic_error("a system of several parts is solved part by part");
}

const VectorX& System::whole(const VectorX& q, VectorX& memory) const {
  if (part_ < 0) return q;
  if (memory.size() != structure_.size) memory = VectorX::Zero(structure_.size);
  const std::vector<int>& mine = parts_.unknowns.unknowns[part_];
  for (std::size_t k = 0; k < mine.size(); ++k) memory[mine[k]] = q[static_cast<Eigen::Index>(k)];
  return memory;
}

Pattern System::wholePattern() const {
  Pattern pattern = elasticPattern_.empty() ? elasticPattern(structure_) : elasticPattern_;
  for (const auto& term : terms_) term->addPattern(pattern);
  return pattern;
}

void System::makeSolver() {
  const Pattern pattern = wholePattern();
  solver_ = std::make_unique<solve::PartedTangent>(parts_.unknowns, pattern);
  for (int p = 0; p < parts_.unknowns.count(); ++p) solver_->part(p).weigh(parts_.elements[p].unitWeight);
  diagonal_.resize(structure_.size);
  for (int i = 0; i < structure_.size; ++i) diagonal_[i] = solver_->offset(i, i);
  bind();
}

void System::bind() {
  elasticity_->refreshActive();
  elasticity_->bind(*solver_, supports_->prescribed());
  for (const auto& term : terms_) term->bind(*solver_, supports_->prescribed());
}

void System::refresh() {
  updateStiffness(structure_, scene_);
  elasticity_->refreshActive();
  for (ContactTerm* contact : touching_) {
    contact->refresh();
    contact->bind(*solver_, supports_->prescribed());
  }
  if (meetings_) meetings_->refresh();
}

void System::prepare(const scene::Instant& end, const scene::Instant& at, double t0, const VectorX& q, bool middle,
                     VectorX& x) {
  actuator_->apply(at);
  for (const auto& term : terms_) term->prepare(end, at, t0);
  if (supports_->caught().empty()) heldBefore_.clear();
  const bool changed = switched_ = supports_->prepare(end, at, t0, q, *elasticity_);
  for (const int h : supports_->caught()) {
    heldBefore_.try_emplace(h, elasticity_->frames().held[static_cast<std::size_t>(h)]);
    elasticity_->catchIn(h, supports_->state().frames[static_cast<std::size_t>(h)]);
  }
  elasticity_->held() = supports_->held();
  elasticity_->weldsHeld() = supports_->weldsHeld();
  loads_->hold(supports_->acting(), supports_->held());
  fields_->hold(supports_->acting());
  elasticity_->shells().hold(supports_->heldPlanes(), supports_->heldNormals());
  if (changed) bind();
  for (const auto& term : terms_) term->complete();
  const auto& mask = supports_->prescribed();
  for (int i = 0; i < structure_.size; ++i) {
    if (!mask[i]) continue;
    const double value = supports_->values()[i];
    x[i] = middle ? 0.5 * (q[i] + value) : value;
  }
}

double System::accept(const VectorX& q) {
  bool anew = false;
  for (const auto& term : terms_) anew = term->accept(q) || anew;
  if (anew) makeSolver();
  return elasticity_->accept(q);
}

void System::keepEnergy(const VectorX& q, double dt, const VectorX& middle) {
  energyStep_ = dt;
  for (Term* force : forces_) force->keepEnergy(q, dt);
  if (dt <= 0) return;
  elasticity_->beginStep(q, dt);
  elasticity_->turnClamps(middle, supports_->heldAtEnd(), supports_->normalsAtEnd());
}

void System::beginContact(const VectorX& q) {
  for (ContactTerm* contact : touching_) contact->begin(q);
}

void System::lagFriction(const VectorX& q, Stand stand) {
  const VectorX& at = whole(q, q_);
  for (ContactTerm* contact : touching_) contact->lag(at, stand);
}

bool System::hasFriction() const {
  return std::any_of(touching_.begin(), touching_.end(),
                     [](const ContactTerm* contact) { return contact->hasFriction(); });
}

bool System::forcesAct() const {
  return std::any_of(forces_.begin(), forces_.end(), [](const Term* force) { return force->acts(); });
}

bool System::feelsVelocity() const {
  return std::any_of(forces_.begin(), forces_.end(), [](const Term* force) { return force->feelsVelocity(); });
}

bool System::feelsPlace() const {
  return std::any_of(forces_.begin(), forces_.end(), [](const Term* force) { return force->feelsPlace(); });
}

bool System::conservative() const {
  return !turnsAlongOnly() &&
         std::all_of(forces_.begin(), forces_.end(), [](const Term* force) { return force->hasPotential(); });
}

std::string System::passedThrough(const VectorX& q0, const VectorX& q1) {
  std::string why;
  for (ContactTerm* contact : touching_) {
    if (why.empty()) why = contact->passedThrough(q0, q1);
  }
  return why;
}

std::string System::pressedThrough(const VectorX& q0, const VectorX& q1) {
  const VectorX &from = whole(q0, q_), &to = whole(q1, q1_);
  std::string why;
  for (ContactTerm* contact : touching_) {
    if (why.empty()) why = contact->pressedThrough(from, to);
  }
  return why;
}

double System::penetration(const VectorX& q) const {
  double deepest = 0;
  for (const ContactTerm* contact : touching_) deepest = std::max(deepest, contact->penetration(q));
  return deepest;
}

void System::visit(model::Archive& archive, const VectorX& q) {
  elasticity_->visit(archive);
  supports_->visit(archive);
  const auto size = static_cast<std::size_t>(structure_.size);
  archive.anyList(joined_, size * size);
  if (archive.restores()) {
    for (const auto& [a, b] : joined_) {
      if (a < 0 || b < 0 || a >= structure_.size || b >= structure_.size) model::Archive::refuse();
    }
    if (meetings_) divide();
  }
  for (const auto& term : terms_) term->visit(archive, q);
  if (archive.restores()) makeSolver();
}

void System::goBack(const VectorX& q) {
  supports_->goBack();
  elasticity_->held() = supports_->held();
  for (const auto& [h, frame] : heldBefore_) elasticity_->catchIn(h, frame);
  heldBefore_.clear();
  bool anew = false;
  for (const auto& term : terms_) anew = term->goBack(q) || anew;
  if (anew) makeSolver();
}

bool System::rebase(const VectorX& q) {
  if (!mayRebase) return false;
  const VectorX& all = whole(q, q_);
  if (keepsPath) elasticity_->addToPath(part_, all);
  return elasticity_->accept(all) > 0.05;
}

void System::followPath(const std::vector<std::pair<int, VectorX>>& path) {
  for (const auto& [part, q] : path) {
    enter(part);
    elasticity_->accept(q);
  }
  enter(-1);
}

// Only friction changes: its old forces go, its new ones come.
bool System::relag(const solve::Motion& motion, const solve::Rates& rates, solve::Evaluation& out, VectorX& r) {
  if (!mayRelag || !hasFriction()) return false;
  const VectorX& v = whole(motion.v, v_);
  const auto add = [&](solve::Evaluation& sum) {
    for (ContactTerm* contact : touching_)
      contact->evaluateFriction(v, rates.v, solve::Level::residual, sum, gradient_);
  };
  solve::Evaluation before, after;
  clear(gradient_);
  add(before);
  const std::vector<int>* mine = part_ < 0 ? nullptr : &parts_.unknowns.unknowns[part_];
  for (int k = 0; k < size(); ++k) gradient_[mine ? (*mine)[k] : k] *= -1;
  lagFriction(motion.q);
  add(after);
  out.potential += after.potential - before.potential;
  const auto& mask = supports_->prescribed();
  for (int k = 0; k < size(); ++k) {
    const int i = mine ? (*mine)[k] : k;
    if (!mask[i]) r[k] += gradient_[i];
  }
  return true;
}

// Zeros at the unknowns of the part.
void System::clear(VectorX& whole) const {
  if (part_ < 0) {
    whole.setZero();
    return;
  }
  for (const int i : parts_.unknowns.unknowns[part_]) whole[i] = 0;
}

double System::longestStep(const VectorX& q, const VectorX& dq) {
  double longest = 1;
  if (contacts_->empty() && pairs_->empty()) return longest;
  const VectorX &at = whole(q, q_), &move = whole(dq, q1_);
  for (ContactTerm* contact : touching_) longest = std::min(longest, contact->longestStep(at, move));
  return longest;
}

// Inertia, viscous drag, dead loads and the pointer: all diagonal. Also the scale of forces and the mask.
void System::addDiagonal(const solve::Motion& motion, const solve::Rates& rates, solve::Level level,
                         solve::Evaluation& out, VectorX& r) {
  const VectorX &mass = loads_->mass(), &dead = loads_->dead(), &viscosity = loads_->viscosity();
  const auto& mask = supports_->prescribed();
  const double va = rates.a > 0 ? 0.5 / rates.a : 0, vv = rates.v > 0 ? 0.5 / rates.v : 0;
  double inertia2 = 0, elastic2 = 0, viscous2 = 0, dead2 = 0, load2 = 0;
  double kinetic = 0, drag = 0, work = 0, work2 = 0;
  const bool moving = rates.a > 0 || rates.v > 0;
  double* values = solver_->values().data();
  const VectorX& weight = here().unitWeight;
  const int* mine = part_ < 0 ? nullptr : parts_.unknowns.unknowns[part_].data();
  const int n = size();
  for (int k = 0; k < n; ++k) {
    const int i = mine ? mine[k] : k;
    const double a = moving ? mass[i] * motion.a[k] : 0, v = moving ? viscosity[i] * motion.v[k] : 0;
    if (!mask[i]) {
      kinetic += va * a * motion.a[k];
      drag += vv * v * motion.v[k];
      work -= dead[i] * motion.q[k];
    }
    if (mask[i] && motion.q[k] != 0) out.pushed = true;
    if (level == solve::Level::value) continue;
    if (mask[i]) {
      // What acts on a support is nothing to what moves.
      r[k] = 0;
      if (level == solve::Level::tangent) values[diagonal_[i]] = 1;
      continue;
    }
    const double w2 = weight[k] * weight[k], g = gradient_[i], e = edgeLoad_[i], size = sizeOfLoad(i);
    inertia2 += w2 * a * a, elastic2 += w2 * g * g, viscous2 += w2 * v * v;
    dead2 += w2 * dead[i] * dead[i], load2 += w2 * size * size;
    r[k] = a + v + g + e - dead[i];
    work2 += std::abs(dead[i]);
    if (level == solve::Level::tangent) values[diagonal_[i]] += rates.a * mass[i] + rates.v * viscosity[i];
  }
  if (moving && level != solve::Level::value && here().bodies > 1) measureBodies(motion, moving);
  out.potential += kinetic + drag + work;
  out.magnitude = std::max({out.magnitude, kinetic, drag, std::abs(work)});
  out.forceScale = std::sqrt(std::max({inertia2, elastic2, viscous2, dead2, load2}));
  // A step that keeps energy has a part of the elements' own forces among the edge loads.
  const bool acted = energyStep_ > 0 ? forcesAct() : load2 > 0;
  out.loaded = work2 > 0 || acted;
  out.pushed = out.pushed || touches_ || loads_->grab;
}

// The largest force term of every body.
void System::measureBodies(const solve::Motion& motion, bool moving) {
  const PartElements& part = here();
  const VectorX &mass = loads_->mass(), &dead = loads_->dead(), &viscosity = loads_->viscosity();
  const auto& mask = supports_->prescribed();
  bodyForces_.assign(static_cast<std::size_t>(part.bodies), {});
  left_.resize(bodyForces_.size());
  for (std::size_t k = 0; k < part.body.size(); ++k) {
    const int i = part_ < 0 ? static_cast<int>(k) : (*part.unknowns)[k];
    if (part.body[k] < 0 || mask[i]) continue;
    const auto at = static_cast<Eigen::Index>(k);
    const double w = part.unitWeight[at];
    const double terms[] = {moving ? mass[i] * motion.a[at] : 0, gradient_[i], moving ? viscosity[i] * motion.v[at] : 0,
                            dead[i], sizeOfLoad(i)};
    for (std::size_t t = 0; t < 5; ++t)
      bodyForces_[static_cast<std::size_t>(part.body[k])][t] += w * w * terms[t] * terms[t];
  }
}

double System::worstBody(const VectorX& r, double tolerance) const {
  const PartElements& part = here();
  if (part.bodies < 2) return 0;
  left_.assign(bodyForces_.size(), 0.0);
  for (std::size_t k = 0; k < part.body.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(k);
    const double w = part.unitWeight[at];
    if (part.body[k] >= 0) left_[static_cast<std::size_t>(part.body[k])] += w * w * r[at] * r[at];
  }
  double worst = 0;
  for (std::size_t b = 0; b < left_.size(); ++b) {
    const double largest = std::sqrt(*std::max_element(bodyForces_[b].begin(), bodyForces_[b].end()));
    const double rounded = std::hypot(elasticity_->roundOff(static_cast<int>(b)), otherRoundOff_);
    if (left_[b] > 0) worst = std::max(worst, std::sqrt(left_[b]) / std::max(tolerance * largest, rounded));
  }
  return worst;
}

solve::Evaluation System::evaluate(const solve::Motion& motion, const solve::Rates& rates, solve::Level level,
                                   VectorX& r) {
  const VectorX &q = whole(motion.q, q_), &v = whole(motion.v, v_);
  if (level != solve::Level::value) {
    clear(gradient_);
    r.resize(size());
  }
  if (meetings_ && part_ >= 0 && level == solve::Level::tangent) meetings_->pass(q, here().nodeDofs);
  bool anew = false;
  for (const auto& term : terms_) anew = term->look(q, level) || anew;
  if (anew) makeSolver();
  if (level == solve::Level::tangent) solver_->clear(part_);
  solve::Evaluation out = evaluateElements({q, v, motion.a}, rates, level);
  if (!out.valid) return out;
  addDiagonal(motion, rates, level, out, r);
  if (loads_->grab) addGrab(q, level, out, r);
  out.untouched = level != solve::Level::value && isUntouched(motion, rates, out);
  if (level == solve::Level::tangent) weighTranslations(motion, rates);
  if (part_ >= 0 && level != solve::Level::value && !out.hasPotential)
    applied_ = edgeLoad_(parts_.unknowns.unknowns[part_]);
  return out;
}

// Everything but what is diagonal; whole vectors, the acceleration aside, which is not looked at.
solve::Evaluation System::evaluateElements(const solve::Motion& motion, const solve::Rates& rates, solve::Level level) {
  solve::PartedTangent* tangent = level == solve::Level::tangent ? solver_.get() : nullptr;
  const bool sized = std::any_of(forces_.begin(), forces_.end(), [](const Term* force) { return force->hasSizes(); });
  if (level != solve::Level::value) {
    clear(edgeLoad_);
    if (sized && loadSize_.size() == 0) loadSize_ = VectorX::Zero(structure_.size);
    if (loadSize_.size() > 0) clear(loadSize_);
  }
  solve::Evaluation out;
  if (energyStep_ > 0) {
    out = elasticity_->evaluateStep(motion.q, 1 / energyStep_, level, gradient_, edgeLoad_, sharp_ ? tangent : nullptr);
    out.hasPotential = false;
  } else {
    out = elasticity_->evaluate(motion.q, elasticity_->damped() ? rates.v : 0, level, gradient_);
    out.hasPotential = conservative();
  }
  if (!out.valid) return out;
  const double alone = out.potential, elastic = out.roundOff;
  TermSums sums{out, gradient_, edgeLoad_, tangent, sized ? &loadSize_ : nullptr};
  for (ContactTerm* contact : touching_) contact->evaluate(motion.q, motion.v, rates.v, level, sums);
  touches_ = out.potential != alone;
  for (Term* force : forces_) force->evaluate(motion.q, motion.v, rates.v, level, sums);
  otherRoundOff_ = std::sqrt(std::max(0.0, out.roundOff * out.roundOff - elastic * elastic));
  if (turnsAlongOnly() && level != solve::Level::value) takeCouplesAcross(motion.q, tangent);
  return out;
}

/// What the support at a held twist angle takes up [N m], in the last evaluation.
double System::turning(int edge) const {
  const int theta = structure_.edges[static_cast<std::size_t>(edge)].theta;
  return gradient_[theta] + edgeLoad_[theta];
}

bool System::holdsTwist(double least) const {
  const std::vector<int>& held = supports_->twistHeld();
  return std::any_of(held.begin(), held.end(), [&](int i) {
    return here().has(structure_.edges[static_cast<std::size_t>(i)].theta) && !(std::abs(turning(i)) <= least);
  });
}

double System::coupleAcross(const VectorX& q) {
  double sum = 0;
  if (!holdsTwist(-1)) return sum;
  const auto& mask = supports_->prescribed();
  const std::vector<elastic::EdgeFrame>& frames = elasticity_->edgeFrames(whole(q, q_));
  for (const int i : supports_->twistHeld()) {
    const Edge& e = structure_.edges[static_cast<std::size_t>(i)];
    if (!here().has(e.theta)) continue;
    const Vec3 pull = turning(i) * frames[static_cast<std::size_t>(i)].spin;
    for (const int d : {structure_.nodeDof[e.a], structure_.nodeDof[e.b]}) {
      for (int k = 0; k < 3; ++k) sum += mask[d + k] ? 0 : pull[k] * pull[k];
    }
  }
  return std::sqrt(sum);
}

// The slope leaves out how the couple itself changes across the edge: it is as small as the edge's turn since the
// step's start.
void System::takeCouplesAcross(const VectorX& q, solve::PartedTangent* tangent) {
  const std::vector<elastic::EdgeFrame>& frames = elasticity_->edgeFrames(q);
  const auto& mask = supports_->prescribed();
  for (const int i : supports_->twistHeld()) {
    const Edge& e = structure_.edges[static_cast<std::size_t>(i)];
    if (!here().has(e.theta)) continue;
    const elastic::EdgeFrame& frame = frames[static_cast<std::size_t>(i)];
    const double couple = turning(i);
    const int a = structure_.nodeDof[e.a], b = structure_.nodeDof[e.b];
    edgeLoad_.segment<3>(a) += couple * frame.spin;
    edgeLoad_.segment<3>(b) -= couple * frame.spin;
    if (!tangent) continue;
    std::array<int, 6> dofs{a, a + 1, a + 2, b, b + 1, b + 2};
    for (int& dof : dofs) dof = mask[dof] ? -1 : dof;
    const Mat3 slope = couple * elastic::spinJacobian(frame);
    Mat<6> block;
    block << -slope, slope, slope, -slope;
    tangent->add(dofs, block);
  }
}

void System::addGrab(const VectorX& q, solve::Level level, solve::Evaluation& out, VectorX& r) {
  const auto& grab = *loads_->grab;
  const int d = structure_.nodeDof[grab.node];
  if (!here().has(d)) return;
  const Vec3 pull = structure_.nodes[grab.node] + q.segment<3>(d) - *world_.pointer();
  out.potential += 0.5 * grab.stiffness * pull.squaredNorm();
  for (int k = 0; k < 3 && level != solve::Level::value; ++k) {
    if (supports_->prescribed()[d + k]) continue;
    r[part_ < 0 ? d + k : parts_.unknowns.local[d + k]] += grab.stiffness * pull[k];
    if (level == solve::Level::tangent) solver_->values()[diagonal_[d + k]] += grab.stiffness;
  }
}

// Of all parts, where none was entered: each by itself.
solve::Factorization System::factorAll(double shift) {
  solve::Factorization all;
  all.ok = true, all.lowestPivotRatio = 1;
  for (int p = 0; p < parts_.unknowns.count(); ++p) {
    enter(p);
    const solve::Factorization one = factor(shift);
    all.ok = all.ok && one.ok;
    all.negativePivots += one.negativePivots, all.nullPivots += one.nullPivots;
    all.lowestPivotRatio = std::min(all.lowestPivotRatio, one.lowestPivotRatio);
  }
  enter(-1);
  return all;
}

solve::Factorization System::factor(double shift) {
  if (part_ < 0 && parts_.unknowns.count() > 1) return factorAll(shift);
  solve::TangentSolver& solver = solver_->part(solverPart());
  if (shift == 0) return solver.factor(0, {});
  const int* mine = part_ < 0 ? nullptr : parts_.unknowns.unknowns[part_].data();
  pivotScale_.resize(static_cast<std::size_t>(size()));
  for (int k = 0; k < size(); ++k) pivotScale_[k] = std::abs(solver_->values()[diagonal_[mine ? mine[k] : k]]);
  unevenness_ = 1;
  for (const int d : here().nodeDofs) evenScale(d);
  for (const int i : here().welds) evenScale(structure_.welds[i].turn);
  return solver.factor(shift, pivotScale_);
}

int System::pushes(const solve::Factorization& f) { return solver_->part(solverPart()).pushes(f); }

// What null modes may push with, as a shift: round-off of a node's stiffest direction seen from its softest, and the
// moment of what is not in balance yet. Little enough for the buckling mode of n edges, which pushes by 1 / n^4.
double System::negligibleShift(const VectorX& r) const {
  double softest = std::numeric_limits<double>::infinity();
  for (const int d : here().nodeDofs) {
    const int own = part_ < 0 ? d : parts_.unknowns.local[d];
    if (!supports_->prescribed()[d]) softest = std::min(softest, pivotScale_[static_cast<std::size_t>(own)]);
  }
  const double nodes = static_cast<double>(here().nodeDofs.size());
  const double left = 4 * residualNorm(r) / (softest * std::sqrt(nodes) * extent());
  const double rounded = 64 * std::numeric_limits<double>::epsilon() * unevenness_;
  return std::min(std::max(rounded, left), 1e-10);
}

bool System::givesWay(const VectorX& r) {
  const auto pushed = [this](double shift) { return pushes(factor(shift)); };
  // The scales of pivots are those of a shift.
  if (pushed(1e-10) > 0 && conservative()) return true;
  const double shift = negligibleShift(r);
  if (conservative()) return pushed(0) > 0 && pushed(shift) > 0;
  // Where the symmetric part resists every motion, so does the whole. That of moments and follower forces is no part of
  // what has pivots.
  if (!slopesBeside() && (pushed(0) == 0 || pushed(shift) == 0)) return false;
  const int count = pushed(shift), edges = slopesBeside() ? count % 2 : 0;
  // The determinant is negative.
  if (edges != 0) return true;
  const auto whole = [this](const VectorX& b, VectorX& x) { solve(b, x); };
  return solve::diverges(whole, part_ < 0 ? loads_->mass() : VectorX(loads_->mass()(parts_.unknowns.unknowns[part_])));
}

double System::timeToMove(const VectorX& r) const {
  double force = 0, mass = 0;
  const auto& mask = supports_->prescribed();
  for (const int d : here().nodeDofs) {
    force += r.segment<3>(part_ < 0 ? d : parts_.unknowns.local[d]).norm();
    for (int k = 0; k < 3; ++k) mass += mask[d + k] ? 0 : loads_->mass()[d + k];
  }
  return force > 0 && mass > 0 ? std::sqrt(mass * here().extent / force) : 0;
}

// Of three unknowns that turn with the structure, the same in every direction: that of the softest, where the tangent
// is likeliest to be indefinite. A turned structure takes the same way.
void System::evenScale(int first) {
  const auto& mask = supports_->prescribed();
  if (mask[first] || mask[first + 1] || mask[first + 2]) return;
  Mat3 block;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c <= r; ++c) block(r, c) = block(c, r) = solver_->values()[solver_->offset(first + r, first + c)];
  }
  const Vec3 sizes =
      Eigen::SelfAdjointEigenSolver<Mat3>().computeDirect(block, Eigen::EigenvaluesOnly).eigenvalues().cwiseAbs();
  const double scale = std::max(sizes.minCoeff(), 1e-6 * sizes.maxCoeff());
  unevenness_ = std::max(unevenness_, sizes.maxCoeff() / scale);
  double* at = &pivotScale_[static_cast<std::size_t>(part_ < 0 ? first : parts_.unknowns.local[first])];
  at[0] = at[1] = at[2] = scale;
}

void System::forget() {
  solver_->part(solverPart()).forget();
  sharp_ = false;
}

bool System::sharpen() {
  const bool more = energyStep_ > 0 && !sharp_;
  sharp_ = sharp_ || more;
  return more;
}

bool System::approximate(const VectorX& rhs, double accuracy, VectorX& x) {
  return solver_->part(solverPart()).approximate(rhs, here().unitWeight, accuracy, x);
}

double System::residualNorm(const VectorX& r) const {
  return std::sqrt(r.cwiseProduct(here().unitWeight).squaredNorm());
}

double System::updateNorm(const VectorX& dq) const {
  // What turns with the structure counts as a vector, whatever its components are.
  const auto at = [this](int unknown) { return part_ < 0 ? unknown : parts_.unknowns.local[unknown]; };
  double move2 = 0, turn2 = 0;
  for (const int d : here().nodeDofs) move2 = std::max(move2, dq.segment<3>(at(d)).squaredNorm());
  for (const int i : here().welds) turn2 = std::max(turn2, dq.segment<3>(at(structure_.welds[i].turn)).squaredNorm());
  double turn = std::sqrt(turn2);
  for (const int i : here().edges) turn = std::max(turn, std::abs(dq[at(structure_.edges[i].theta)]));
  for (const int i : here().shellEdges) {
    const int psi = structure_.shell.edges[i].psi;
    if (psi >= 0) turn = std::max(turn, std::abs(dq[at(psi)]));
  }
  return std::max(std::sqrt(move2), here().meanEdge * turn);
}

void System::balance(const VectorX& q, const VectorX& v, const VectorX& a, double strainRate, bool solved,
                     ForceBalance& out) {
  gradient_.setZero();
  solve::Evaluation unused =
      elasticity_->evaluate(q, elasticity_->damped() ? strainRate : 0, solve::Level::residual, gradient_);
  lagFriction(q);
  TermSums sums{unused, gradient_, out.residual};
  for (ContactTerm* contact : touching_) contact->evaluate(q, v, strainRate, solve::Level::residual, sums);
  out.elastic = gradient_.head(structure_.size);
  out.residual = out.elastic + loads_->mass().cwiseProduct(a) + loads_->viscosity().cwiseProduct(v) - loads_->dead();
  unused.hasPotential = false;
  for (Term* force : forces_) force->evaluate(q, v, 0, solve::Level::residual, sums);
  if (!solved) return;
  // There a node that moves turns the edge's frame, so that what turns the edge pulls at its nodes.
  for (std::size_t i = 0; i < structure_.edges.size(); ++i) {
    const Edge& e = structure_.edges[i];
    const int k = e.theta;
    const double turning =
        out.residual[k] - loads_->mass()[k] * a[k] - loads_->viscosity()[k] * v[k] + loads_->dead()[k];
    const Vec3 pull = turning * elasticity_->frames().spin[i];
    out.residual.segment<3>(structure_.nodeDof[e.a]) -= pull;
    out.residual.segment<3>(structure_.nodeDof[e.b]) += pull;
  }
}

bool System::acceleration(const VectorX& q, const VectorX& v, double strainRate, VectorX& a) {
  zero_.setZero(structure_.size);
  const solve::Evaluation e = evaluate({q, v, zero_}, {strainRate, 0}, solve::Level::residual, residual_);
  outside_ = e.valid ? "" : e.outside;
  if (!e.valid) return false;
  a = -residual_.cwiseQuotient(loads_->mass().cwiseMax(1e-300));
  for (int i = 0; i < structure_.size; ++i) {
    if (supports_->prescribed()[i]) a[i] = 0;
  }
  return true;
}

double System::contactFrequency() const {
  double stiffest = 0;
  for (const ContactTerm* contact : touching_) stiffest = std::max(stiffest, contact->stiffest());
  double lightest = std::numeric_limits<double>::infinity();
  for (const int dof : structure_.nodeDof) {
    if (loads_->mass()[dof] > 0) lightest = std::min(lightest, loads_->mass()[dof]);
  }
  return std::sqrt(8 * stiffest / lightest);
}

std::pair<double, double> System::spectrum(const VectorX& q) {
  // Eigenvalues of M^-1 (A - A_0): A with a damping rate set gives K + rate C; two passes separate K and C.
  const VectorX zero = VectorX::Zero(structure_.size);
  VectorX r, x(structure_.size), y(structure_.size);
  const auto largest = [&](double rate) {
    evaluate({q, zero, zero}, {rate, 0}, solve::Level::tangent, r);
    for (int i = 0; i < structure_.size; ++i) {
      x[i] = supports_->prescribed()[i] ? 0 : std::sin(1.0 + 0.7 * i) + (i % 2 ? 0.5 : -0.5);
    }
    double value = 0;
    for (int k = 0; k < 300; ++k) {
      x /= std::sqrt(x.cwiseProduct(loads_->mass()).dot(x));
      solver_->multiply(x, y);
      for (int i = 0; i < structure_.size; ++i) y[i] = supports_->prescribed()[i] ? 0 : y[i];
      const double next = x.dot(y);
      if (k > 20 && std::abs(next - value) < 1e-6 * std::abs(next)) break;
      value = next;
      x = y.cwiseQuotient(loads_->mass().cwiseMax(1e-300));
    }
    return value;
  };
  const double k = largest(0);
  double c = 0;
  if (elasticity_->damped() || loads_->viscosity().maxCoeff() > 0 || feelsVelocity()) {
    const double rate = 1e3 * std::sqrt(std::max(k, 1e-300));  // C dominates there
    c = std::max(0.0, (largest(rate) - k) / rate);
  }
  return {std::sqrt(std::max(0.0, k)), c};
}

}  // namespace tendril::rods_shells
