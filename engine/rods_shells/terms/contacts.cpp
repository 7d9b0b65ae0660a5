#include "rods_shells/terms/contacts.h"

#include <algorithm>
#include <cmath>

#include "contact/friction.h"
#include "contact/obstacle_passage.h"

namespace tendril::rods_shells {
namespace {

std::vector<contact::ObstacleShape> shapesOf(const scene::Scene& scene) {
  std::vector<contact::ObstacleShape> shapes;
  for (const scene::Obstacle& o : scene.obstacles) shapes.push_back(contact::obstacleShape(o));
  return shapes;
}

}  // namespace

Contacts::Contacts(const Structure& structure, const world::World& world)
    : s_(structure), scene_(world.scene()), obstacles_(shapesOf(scene_)), motion_(world.obstacles()), points_(structure, scene_, obstacles_, motion_) {
  damping_ = scene_.contact.damping;
  if (!empty()) takeMesh();
}

void Contacts::takeMesh() {
  const contact::ContactMesh mesh = contactMesh(s_, scene_);
  grains_ = contactGrains(s_, scene_, mesh);
  laws_.resize(grains_.size() * obstacles_.size());
  points_.measure(mesh);
  findSpans();
  overlapsDue_ = true;
}

void Contacts::stand() {
  motion_.stand();
  overlapsDue_ = true;
}

void Contacts::refresh() {
  rubs_.clear();
  if (!empty()) takeMesh();
}

void Contacts::prepare(const scene::Instant& end, const scene::Instant& at, double t0) {
  if (empty()) return;
  const formula::Input in = scene::timedInput(scene_, at);
  if (overlapsDue_) points_.findOverlaps();
  overlapsDue_ = false;
  hasFriction_ = false;
  parting_ = scene::parting(scene_, at, t0);
  motion_.prepare(end, at, t0);
  for (std::size_t i = 0; i < obstacles_.size(); ++i) {
    obstacles_[i].moved = motion_.way(i).now;
    obstacles_[i].velocity = motion_.way(i).velocity;
  }
  scene::ContactLaw* law = laws_.data();
  for (const ContactGrain& grain : grains_) {
    const scene::ContactLaw common = pairLaw(scene_, grain, grain, at);
    for (const scene::Obstacle& obstacle : scene_.obstacles) {
      *law = scene::contactValues(obstacle, common, in);
      hasFriction_ = hasFriction_ || law->friction > 0;
      ++law;
    }
  }
  setReach();
}

/// f(rub), of the part that was entered, or of all.
template <class F>
void Contacts::forEachRub(F f) const {
  for (std::size_t p = 0; p < rubs_.size(); ++p) {
    if (part_ >= 0 && static_cast<std::size_t>(part_) != p) continue;
    for (const Rub& rub : rubs_[p]) f(rub);
  }
}

/// f(law, share) of the bodies of the part that was entered, or of all, and all obstacles.
template <class F>
void Contacts::forEachLargestShare(F f) const {
  for (const ObstaclePoints::LargestShare& s : points_.largestShares()) {
    for (std::size_t o = 0; o < obstacles_.size(); ++o) {
      if (points_.finenessOf(static_cast<int>(o)) == s.fineness) f(lawOf(s.body, static_cast<int>(o)), s.share);
    }
  }
}

// Of every body, to any obstacle.
void Contacts::setReach() {
  reach_.assign(grains_.size(), 0.0);
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    double& most = reach_[i / obstacles_.size()];
    most = std::max(most, contact::penaltyReach * laws_[i].distance);
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
  rubs_.resize(static_cast<std::size_t>(solver.parts().count()));
  for (std::vector<Rub>& rubs : rubs_) {
    for (Rub& rub : rubs) rub.at.slots[0] = -1;
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

double Contacts::gapOf(const Candidate& c, double distance) const {
  return distance - c.point.radius + parting_.left * c.overlap;
}

bool Contacts::isHeld(const Point& p) const {
  for (int k = 0; k < p.count; ++k) {
    if (!prescribed_ || !(*prescribed_)[s_.nodeDof[p.nodes[k]]]) return false;
  }
  return true;
}

/// Out of reach, as a cheap bound tells already.
bool Contacts::isFar(const Candidate& c, const Vec3& x) const {
  return gapOf(c, contact::distanceAtLeast(obstacles_[c.obstacle], x)) > contact::penaltyReach * lawOf(c).distance;
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

void Contacts::evaluate(const VectorX& q, const VectorX& v, double rate, solve::Level level, solve::Evaluation& out,
                        VectorX& gradient) {
  double roundOff2 = out.roundOff * out.roundOff;
  for (Candidate& c : points_.around(q)) {
    const Point& p = c.point;
    const scene::ContactLaw& law = lawOf(c);
    const Vec3 x = place(p, q);
    if (isFar(c, x)) continue;
    const geometry::SignedDistance sd = contact::signedDistance(obstacles_[c.obstacle], x);
    const double gap = gapOf(c, sd.distance);
    if (gap > contact::penaltyReach * law.distance) continue;
    contact::Penalty e = contact::penalty(gap, stiffnessAt(c), law.distance);
    damp(c, gap, e);
    out.potential += e.energy;
    if (level == solve::Level::value) continue;
    push(c, -e.force * sd.normal, gradient);
    roundOff2 += contactDigits * contactDigits * e.force * e.force;
    if (level == solve::Level::tangent) scatter(c, e.stiffness * sd.normal * sd.normal.transpose() - e.force * sd.hessian);
  }
  out.roundOff = std::sqrt(roundOff2);
  evaluateFriction(v, rate, level, out, gradient);
}

void Contacts::evaluateFriction(const VectorX& v, double rate, solve::Level level, solve::Evaluation& out, VectorX& gradient) {
  if (rate <= 0) return;
  double roundOff2 = out.roundOff * out.roundOff;
  for (std::size_t part = 0; part < rubs_.size(); ++part) {
    if (part_ >= 0 && static_cast<std::size_t>(part_) != part) continue;
    for (Rub& rub : rubs_[part]) {
      const Vec3 u = mean(rub.at.point, v, s_) - obstacles_[rub.at.obstacle].velocity;
      const contact::FrictionForce f = contact::friction(rub.limit, rub.normal, lawOf(rub.at).slip, u);
      out.potential += f.rate / rate;
      if (level == solve::Level::value) continue;
      push(rub.at, f.force, gradient);
      roundOff2 += contactDigits * contactDigits * f.force.squaredNorm();
      if (level == solve::Level::tangent) scatter(rub.at, rate * f.slope);
    }
  }
  out.roundOff = std::sqrt(roundOff2);
}

void Contacts::show(const VectorX& q, double later, model::WatchFrame& frame) const {
  if (frame.count == 3) return;
  struct Push {
    const Candidate* of;
    Vec3 normal;
  };
  std::vector<Push> pushes;
  std::vector<double> stored(obstacles_.size(), 0.0);
  for (const Candidate& c : points_.around(q, ObstaclePoints::Stand::now, later)) {
    const Vec3 x = place(c.point, q) - later * obstacles_[c.obstacle].velocity;
    if (isFar(c, x)) continue;
    const geometry::SignedDistance sd = contact::signedDistance(obstacles_[c.obstacle], x);
    const double gap = gapOf(c, sd.distance);
    if (gap > contact::penaltyReach * lawOf(c).distance) continue;
    stored[static_cast<std::size_t>(c.obstacle)] += contact::penalty(gap, stiffnessAt(c), lawOf(c).distance).energy;
    pushes.push_back({&c, sd.normal});
  }
  const double least = model::WatchFrame::touches * touch();
  for (const Push& p : pushes) {
    if (stored[static_cast<std::size_t>(p.of->obstacle)] < least) continue;
    const Vec3& velocity = obstacles_[p.of->obstacle].velocity;
    frame.meet(p.normal, velocity);
    if (lawOf(*p.of).friction > 0) frame.hold(velocity);
  }
}

void Contacts::addWork(const VectorX& q, const VectorX& v, const VectorX& move, double dt, bool all, model::WorkDone& done,
                       std::vector<Vec3>& pushes) const {
  pushes.assign(obstacles_.size(), Vec3::Zero());
  for (const Candidate& c : points_.around(q)) {
    const Vec3& velocity = obstacles_[c.obstacle].velocity;
    const bool parts = parting_.rate > 0 && c.overlap > 0;
    if (damping_ == 0 && !parts && !all && velocity.isZero(0)) continue;
    const Vec3 x = place(c.point, q);
    if (isFar(c, x)) continue;
    const geometry::SignedDistance sd = contact::signedDistance(obstacles_[c.obstacle], x);
    const double gap = gapOf(c, sd.distance);
    if (gap > contact::penaltyReach * lawOf(c).distance) continue;
    const contact::Penalty plain = contact::penalty(gap, stiffnessAt(c), lawOf(c).distance);
    contact::Penalty damped = plain;
    const double approach = damp(c, gap, damped);
    pushes[static_cast<std::size_t>(c.obstacle)] += damped.force * sd.normal;
    if (parts) done.work += dt * damped.force * c.overlap * parting_.rate;
    if (approach > 0) done.dissipated += (damped.force - plain.force) * approach * dt / parting_.elapsed;
  }
  forEachRub([&](const Rub& rub) {
    const Candidate& c = rub.at;
    const Vec3& velocity = obstacles_[c.obstacle].velocity;
    const Vec3 u = mean(c.point, v, s_) - velocity;
    const Vec3 force = contact::friction(rub.limit, rub.normal, lawOf(c).slip, u).force;
    done.dissipated += force.dot(mean(c.point, move, s_) - dt * velocity);
    pushes[static_cast<std::size_t>(c.obstacle)] -= force;
  });
}

// Measured against where point and obstacle were at the step's start. By how much they have come nearer [m].
double Contacts::damp(const Candidate& c, double gap, contact::Penalty& e) const {
  if (damping_ == 0 || parting_.elapsed <= 0 || start_.size() != s_.size) return 0;
  contact::ObstacleShape before = obstacles_[c.obstacle];
  before.moved = motion_.way(c.obstacle).before;
  const double start = gapOf(c, contact::signedDistance(before, place(c.point, start_)).distance);
  contact::addApproachDamping(e, gap, start, contact::penalty(start, stiffnessAt(c), lawOf(c).distance).energy, damping_ / parting_.elapsed);
  return start - gap;
}

void Contacts::lag(const VectorX& q, Stand stand) {
  for (std::size_t part = 0; part < rubs_.size(); ++part) {
    if (part_ < 0 || static_cast<std::size_t>(part_) == part) rubs_[part].clear();
  }
  if (!hasFriction_) return;
  for (const Candidate& c : points_.around(q, stand == Stand::start ? ObstaclePoints::Stand::before : ObstaclePoints::Stand::now)) {
    const scene::ContactLaw& law = lawOf(c);
    if (law.friction == 0) continue;
    const Point& p = c.point;
    const world::ObstacleWay& way = motion_.way(c.obstacle);
    const Vec3 x = place(p, q) + (stand == Stand::start ? Vec3(way.now - way.before) : Vec3(Vec3::Zero()));
    if (isFar(c, x)) continue;
    const geometry::SignedDistance sd = contact::signedDistance(obstacles_[c.obstacle], x);
    const double gap = gapOf(c, sd.distance);
    if (gap > contact::penaltyReach * law.distance) continue;
    contact::Penalty e = contact::penalty(gap, stiffnessAt(c), law.distance);
    if (stand == Stand::evaluated) damp(c, gap, e);
    rubs_[static_cast<std::size_t>(points_.partOf(c))].push_back({c, law.friction * e.force, sd.normal});
  }
}

double Contacts::longestStep(const VectorX& q, const VectorX& dq, bool free) const {
  double alpha = 1;
  to_ = q + dq;
  for (const Candidate& c : points_.onWays(q, to_)) {
    const Point& p = c.point;
    if (free && isHeld(p)) continue;
    alpha = std::min(alpha, contact::firstPassage(obstacles_[c.obstacle], p.radius, place(p, q), mean(p, dq, s_)));
  }
  return alpha;
}

Contacts::Passage Contacts::passage(const VectorX& q0, const VectorX& q1, bool free) const {
  Passage out;
  for (const Candidate& c : points_.onWays(q0, q1)) {
    const Point& p = c.point;
    if (free && isHeld(p)) continue;
    const Vec3 from = place(p, q0) + wayOf(c.obstacle);
    const double part = contact::firstPassage(obstacles_[c.obstacle], p.radius, from, place(p, q1) - from);
    if (part < out.part) out = {part, c.obstacle};
  }
  return out;
}

std::string Contacts::sweeper(const VectorX& q) const {
  for (const Candidate& c : points_.onWays(q, q)) {
    const world::ObstacleWay& way = motion_.way(c.obstacle);
    if ((way.after - way.before).isZero(0)) continue;
    const Point& p = c.point;
    const Vec3 x = place(p, q);
    const bool through = contact::passesThrough(obstacles_[c.obstacle], way.before, way.after, p.radius, x, x);
    if (through) return scene_.obstacles[c.obstacle].name;
  }
  return {};
}

std::string Contacts::crossed(const VectorX& q0, const VectorX& q1) const {
  for (const Candidate& c : points_.onWays(q0, q1)) {
    const world::ObstacleWay& way = motion_.way(c.obstacle);
    const Point& p = c.point;
    const bool through =
        contact::passesThrough(obstacles_[c.obstacle], way.before, way.after, p.radius, place(p, q0), place(p, q1));
    if (through && !isHeld(p)) return scene_.obstacles[c.obstacle].name;
  }
  return {};
}

std::string Contacts::throughHeld(const VectorX& q0, const VectorX& q1) const {
  for (const Candidate& c : points_.onWays(q0, q1)) {
    const Point& p = c.point;
    if (!isHeld(p)) continue;
    const world::ObstacleWay& way = motion_.way(c.obstacle);
    if (!contact::passesThrough(obstacles_[c.obstacle], way.before, way.after, p.radius, place(p, q0), place(p, q1))) continue;
    return "obstacle \"" + scene_.obstacles[c.obstacle].name + "\" passes through a place of \"" + scene_.bodyName(p.body) +
           "\" that supports hold, where neither gives way: do not trust the force and the work of contact there";
  }
  return {};
}

std::string Contacts::engulfed(const VectorX& q0, const VectorX& q1) const {
  for (const Candidate& c : points_.around(q1, ObstaclePoints::Stand::after)) {
    const Point& p = c.point;
    contact::ObstacleShape o = obstacles_[c.obstacle];
    o.moved = motion_.way(c.obstacle).after;
    const Vec3 x = place(p, q1);
    if (!contact::isEngulfed(o, p.radius, x) || isHeld(p)) continue;
    const double now = contact::signedDistance(o, x).distance;
    o.moved = motion_.way(c.obstacle).before;
    if (now < contact::signedDistance(o, place(p, q0)).distance) return scene_.obstacles[c.obstacle].name;
  }
  return {};
}

scene::ContactSummary Contacts::summary(const VectorX& q, int body, int obstacle) const {
  scene::ContactSummary out;
  for (const Candidate& c : points_.around(q)) {
    const Point& p = c.point;
    if ((body >= 0 && p.body != body) || (obstacle >= 0 && c.obstacle != obstacle)) continue;
    const scene::ContactLaw& law = lawOf(c);
    const Vec3 x = place(p, q);
    if (isFar(c, x)) continue;
    const double distance = contact::signedDistance(obstacles_[c.obstacle], x).distance, gap = gapOf(c, distance);
    out.penetration = std::max(out.penetration, p.radius - distance);
    if (gap > law.distance) continue;
    ++out.pairs;
    out.force += contact::penalty(gap, stiffnessAt(c), law.distance).force;
  }
  return out;
}

double Contacts::energy(const VectorX& q, int body) const {
  double energy = 0;
  for (const Candidate& c : points_.around(q)) {
    if (body >= 0 && c.point.body != body) continue;
    const scene::ContactLaw& law = lawOf(c);
    const Vec3 x = place(c.point, q);
    if (isFar(c, x)) continue;
    const double gap = gapOf(c, contact::signedDistance(obstacles_[c.obstacle], x).distance);
    if (gap <= contact::penaltyReach * law.distance) energy += contact::penalty(gap, stiffnessAt(c), law.distance).energy;
  }
  return energy;
}

double Contacts::touch() const {
  double most = 0;
  forEachLargestShare([&](const scene::ContactLaw& law, double share) { most = std::max(most, contact::touchEnergy(stiffnessOf(law, share), law.distance)); });
  return most;
}

double Contacts::reach() const {
  double most = 0;
  forEachLargestShare([&](const scene::ContactLaw& law, double) { most = std::max(most, law.distance); });
  return most;
}

double Contacts::stiffest() const {
  double most = 0;
  forEachLargestShare([&](const scene::ContactLaw& law, double share) { most = std::max(most, stiffnessOf(law, share)); });
  return most;
}

}  // namespace tendril::rods_shells
