#include "rods_shells/terms/contacts.h"

#include <algorithm>
#include <cmath>

#include "contact/friction.h"
#include "contact/obstacle_passage.h"

namespace tendril::rods_shells {
Contacts::Contacts(const Structure& structure, const world::World& world)
    : s_(structure), scene_(world.scene()), outside_(scene_, world.obstacles()), points_(structure, scene_, outside_) {
  if (!empty()) takeMesh();
}

void Contacts::takeMesh() {
  const contact::ContactMesh mesh = contactMesh(s_, scene_);
  grains_ = contactGrains(s_, scene_, mesh);
  outside_.setKinds(grains_.size());
  points_.measure(mesh);
  findSpans();
  overlapsDue_ = true;
}

void Contacts::stand() {
  outside_.stand();
  overlapsDue_ = true;
}

void Contacts::refresh() {
  slidings_.clear();
  if (!empty()) takeMesh();
}

void Contacts::prepare(const scene::Instant& end, const scene::Instant& at, double t0) {
  if (empty()) return;
  if (overlapsDue_) points_.findOverlaps();
  overlapsDue_ = false;
  outside_.prepare(end, at, t0);
  for (std::size_t body = 0; body < grains_.size(); ++body) {
    const scene::ContactLaw common = pairLaw(scene_, grains_[body], grains_[body], at);
    for (std::size_t o = 0; o < scene_.obstacles.size(); ++o) outside_.setLaw(body, o, common, at);
  }
  hasFriction_ = outside_.hasFriction();
  setReach();
}

/// f(sliding), of the part that was entered, or of all.
template <class F>
void Contacts::forEachSliding(F f) const {
  for (std::size_t p = 0; p < slidings_.size(); ++p) {
    if (part_ >= 0 && static_cast<std::size_t>(part_) != p) continue;
    for (const Sliding& sliding : slidings_[p]) f(sliding);
  }
}

/// f(law, share) of the bodies of the part that was entered, or of all, and all obstacles.
template <class F>
void Contacts::forEachLargestShare(F f) const {
  for (const ObstaclePoints::LargestShare& s : points_.largestShares()) {
    for (std::size_t o = 0; o < obstacles().size(); ++o) {
      if (points_.finenessOf(static_cast<int>(o)) == s.fineness) f(lawOf(s.body, static_cast<int>(o)), s.share);
    }
  }
}

// Of every body, to any obstacle.
void Contacts::setReach() {
  reach_.assign(grains_.size(), 0.0);
  for (std::size_t body = 0; body < grains_.size(); ++body) {
    for (std::size_t o = 0; o < obstacles().size(); ++o) {
      reach_[body] = std::max(reach_[body], contact::penaltyReach * outside_.law(body, o).distance);
    }
  }
  points_.setReach(reach_);
}

void Contacts::bind(solve::PartedTangent& solver, const std::vector<char>& prescribed) {
  if (empty()) return;
  solver_ = &solver;
  values_ = solver.values().data();
  prescribed_ = &prescribed;
  points_.divide(solver.parts());
  points_.forgetSlots();
  slidings_.resize(static_cast<std::size_t>(solver.parts().count()));
  for (std::vector<Sliding>& slidings : slidings_) {
    for (Sliding& sliding : slidings) sliding.at.slots[0] = -1;
  }
}

void Contacts::findSlots(Candidate& c) const {
  if (c.slots[0] >= 0) return;
  int dofs[9];
  for (int k = 0; k < 3 * c.point.count; ++k) dofs[k] = s_.nodeDof[c.point.nodes[k / 3]] + k % 3;
  for (int r = 0, k = 0; r < 3 * c.point.count; ++r) {
    for (int col = 0; col <= r; ++col, ++k) {
      const bool out = (*prescribed_)[dofs[r]] || (*prescribed_)[dofs[col]];
      c.slots[k] = out ? solver_->trash() : solver_->offset(dofs[r], dofs[col]);
    }
  }
}

/// Of a quantity of nodes, at the point.
Vec3 Contacts::mean(const Point& p, const VectorX& values, const Structure& s) {
  Vec3 sum = p.weights[0] * values.segment<3>(s.nodeDof[p.nodes[0]]);
  for (int k = 1; k < p.count; ++k) sum += p.weights[k] * values.segment<3>(s.nodeDof[p.nodes[k]]);
  return sum;
}

Vec3 Contacts::place(const Point& p, const VectorX& q) const {
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < p.count; ++k) sum += p.weights[k] * (s_.nodes[p.nodes[k]] + q.segment<3>(s_.nodeDof[p.nodes[k]]));
  return sum;
}

bool Contacts::isHeld(const Point& p) const {
  for (int k = 0; k < p.count; ++k) {
    if (!prescribed_ || !(*prescribed_)[s_.nodeDof[p.nodes[k]]]) return false;
  }
  return true;
}

void Contacts::push(const Candidate& c, const Vec3& gradientAtPoint, VectorX& gradient) const {
  const Point& p = c.point;
  for (int k = 0; k < p.count; ++k) gradient.segment<3>(s_.nodeDof[p.nodes[k]]) += p.weights[k] * gradientAtPoint;
}

void Contacts::scatter(Candidate& c, const Mat3& h) {
  findSlots(c);
  const Point& p = c.point;
  const int* o = c.slots.data();
  for (int i = 0; i < p.count; ++i) {
    for (int r = 0; r < 3; ++r) {
      for (int j = 0; j <= i; ++j) {
        const double w = p.weights[i] * p.weights[j];
        for (int k = 0; k < (i == j ? r + 1 : 3); ++k) values_[*o++] += w * h(r, k);
      }
    }
  }
}

void Contacts::evaluate(const VectorX& q, const VectorX& v, double rate, solve::Level level, TermSums& sums) {
  if (empty()) return;
  solve::Evaluation& out = sums.evaluation;
  double roundOff2 = out.roundOff * out.roundOff;
  world::ObstacleTouch touch;
  for (Candidate& c : points_.around(q)) {
    const world::SurfacePoint side = placeOf(c);
    if (!outside_.touches(side, place(c.point, q), touch)) continue;
    contact::Penalty e = touch.penalty;
    damp(c, side, touch.gap, e);
    out.potential += e.energy;
    if (level == solve::Level::value) continue;
    const Vec3& normal = touch.surface.normal;
    push(c, -e.force * normal, sums.gradient);
    roundOff2 += contactDigits * contactDigits * e.force * e.force;
    if (level == solve::Level::tangent)
      scatter(c, e.stiffness * normal * normal.transpose() - e.force * touch.surface.hessian);
  }
  out.roundOff = std::sqrt(roundOff2);
  evaluateFriction(v, rate, level, out, sums.gradient);
  out.magnitude = std::max(out.magnitude, std::abs(out.potential));
}

void Contacts::evaluateFriction(const VectorX& v, double rate, solve::Level level, solve::Evaluation& out,
                                VectorX& gradient) {
  if (rate <= 0) return;
  double roundOff2 = out.roundOff * out.roundOff;
  for (std::size_t part = 0; part < slidings_.size(); ++part) {
    if (part_ >= 0 && static_cast<std::size_t>(part_) != part) continue;
    for (Sliding& sliding : slidings_[part]) {
      const Vec3 u = mean(sliding.at.point, v, s_) - obstacles()[sliding.at.obstacle].velocity;
      const contact::FrictionForce f = contact::friction(sliding.limit, sliding.normal, lawOf(sliding.at).slip, u);
      out.potential += f.rate / rate;
      if (level == solve::Level::value) continue;
      push(sliding.at, f.force, gradient);
      roundOff2 += contactDigits * contactDigits * f.force.squaredNorm();
      if (level == solve::Level::tangent) scatter(sliding.at, rate * f.slope);
    }
  }
  out.roundOff = std::sqrt(roundOff2);
}

void Contacts::show(const VectorX& q, double later, model::WatchFrame& frame) const {
  if (frame.count == 3) return;
  world::ShownPushes pushes(outside_);
  world::ObstacleTouch contact;
  for (const Candidate& c : points_.around(q, ObstaclePoints::Stand::now, later)) {
    const world::SurfacePoint side = placeOf(c);
    const Vec3 x = place(c.point, q) - later * obstacles()[c.obstacle].velocity;
    if (outside_.touches(side, x, contact)) pushes.add(side, contact.surface.normal, contact.penalty.energy);
  }
  pushes.show(touch(), frame);
}

void Contacts::addWork(const VectorX& q, const VectorX& v, const VectorX& move, double dt, bool all,
                       model::WorkDone& done, std::vector<Vec3>& pushes) const {
  pushes.assign(obstacles().size(), Vec3::Zero());
  world::ObstacleTouch touch;
  for (const Candidate& c : points_.around(q)) {
    const bool parts = outside_.parting().rate > 0 && c.overlap > 0;
    if (!outside_.damps() && !parts && !all && obstacles()[c.obstacle].velocity.isZero(0)) continue;
    const world::SurfacePoint side = placeOf(c);
    if (!outside_.touches(side, place(c.point, q), touch)) continue;
    contact::Penalty damped = touch.penalty;
    const double nearer = damp(c, side, touch.gap, damped);
    pushes[static_cast<std::size_t>(c.obstacle)] += damped.force * touch.surface.normal;
    outside_.addNormalWork(side, touch.penalty, damped, nearer, dt, 1, done);
  }
  forEachSliding([&](const Sliding& sliding) {
    const Candidate& c = sliding.at;
    const Vec3& velocity = obstacles()[c.obstacle].velocity;
    const Vec3 u = mean(c.point, v, s_) - velocity;
    const Vec3 force = contact::friction(sliding.limit, sliding.normal, lawOf(c).slip, u).force;
    done.dissipated += force.dot(mean(c.point, move, s_) - dt * velocity);
    pushes[static_cast<std::size_t>(c.obstacle)] -= force;
  });
}

// By how much they have come nearer [m].
double Contacts::damp(const Candidate& c, const world::SurfacePoint& side, double gap, contact::Penalty& e) const {
  if (!outside_.damps() || start_.size() != s_.size) return 0;
  return outside_.damp(side, gap, place(c.point, start_), e);
}

void Contacts::lag(const VectorX& q, Stand stand) {
  for (std::size_t part = 0; part < slidings_.size(); ++part) {
    if (part_ < 0 || static_cast<std::size_t>(part_) == part) slidings_[part].clear();
  }
  if (!hasFriction()) return;
  world::ObstacleTouch touch;
  for (const Candidate& c :
       points_.around(q, stand == Stand::start ? ObstaclePoints::Stand::before : ObstaclePoints::Stand::now)) {
    const world::SurfacePoint side = placeOf(c);
    if (side.law->friction == 0) continue;
    const Vec3 x = place(c.point, q) + (stand == Stand::start ? wayOf(c.obstacle) : Vec3(Vec3::Zero()));
    if (!outside_.touches(side, x, touch)) continue;
    contact::Penalty e = touch.penalty;
    if (stand == Stand::evaluated) damp(c, side, touch.gap, e);
    slidings_[static_cast<std::size_t>(points_.partOf(c))].push_back(
        {c, side.law->friction * e.force, touch.surface.normal});
  }
}

double Contacts::longestStep(const VectorX& q, const VectorX& dq) {
  double alpha = 1;
  if (empty()) return alpha;
  to_ = q + dq;
  for (const Candidate& c : points_.onWays(q, to_)) {
    const Point& p = c.point;
    alpha = std::min(alpha, contact::firstPassage(obstacles()[c.obstacle], p.radius, place(p, q), mean(p, dq, s_)));
  }
  return alpha;
}

scene::ContactSummary Contacts::summary(const VectorX& q, int body, int obstacle) const {
  scene::ContactSummary out;
  world::ObstacleTouch touch;
  for (const Candidate& c : points_.around(q)) {
    const Point& p = c.point;
    if ((body >= 0 && p.body != body) || (obstacle >= 0 && c.obstacle != obstacle)) continue;
    const world::SurfacePoint side = placeOf(c);
    const Vec3 x = place(p, q);
    const bool touches = outside_.touches(side, x, touch);
    // What began deeper inside may be inside without a force.
    if (!touches && c.overlap > 0) touch.surface = contact::signedDistance(obstacles()[c.obstacle], x);
    if (touches || c.overlap > 0) out.penetration = std::max(out.penetration, p.radius - touch.surface.distance);
    if (!touches || touch.gap > side.law->distance) continue;
    ++out.pairs;
    out.force += touch.penalty.force;
  }
  return out;
}

double Contacts::energy(const VectorX& q, int body) const {
  double energy = 0;
  world::ObstacleTouch touch;
  for (const Candidate& c : points_.around(q)) {
    if (body >= 0 && c.point.body != body) continue;
    if (outside_.touches(placeOf(c), place(c.point, q), touch)) energy += touch.penalty.energy;
  }
  return energy;
}

double Contacts::touch() const {
  double most = 0;
  forEachLargestShare([&](const scene::ContactLaw& law, double share) {
    most = std::max(most, contact::touchEnergy(outside_.stiffness(law, share), law.distance));
  });
  return most;
}

double Contacts::reach() const {
  double most = 0;
  forEachLargestShare([&](const scene::ContactLaw& law, double) { most = std::max(most, law.distance); });
  return most;
}

double Contacts::stiffest() const {
  double most = 0;
  forEachLargestShare(
      [&](const scene::ContactLaw& law, double share) { most = std::max(most, outside_.stiffness(law, share)); });
  return most;
}

}  // namespace tendril::rods_shells
