#include "discrete/contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "contact/friction.h"

namespace tendril {
namespace {

ObstacleShape shapeOf(const Obstacle& o) {
  ObstacleShape s;
  s.kind = static_cast<ObstacleShape::Kind>(o.kind);
  s.point = o.point, s.end = o.end, s.normal = o.normal, s.half = o.half, s.axes = o.axes, s.radius = o.radius;
  return s;
}

}  // namespace

Contacts::Contacts(const Structure& structure, const Scene& scene) : s_(structure), scene_(scene) {
  for (const Obstacle& o : scene.obstacles) obstacles_.push_back(shapeOf(o));
  traveled_.assign(obstacles_.size(), Vec3::Zero());
  before_ = traveled_;
  laws_.resize(obstacles_.size());
  damping_ = scene.contact.damping;
  if (empty()) return;
  addCandidates();
}

// Every node, and on edges as many fixed points as keep an obstacle's features from passing between them: then a chord
// whose ends touch a body of radius R enters it by at most a tenth of R + r.
void Contacts::addCandidates() {
  mesh_ = contactMesh(s_, scene_);
  points_.clear(), candidates_.clear();
  for (const ContactMesh::Point& p : mesh_.points) {
    for (std::size_t o = 0; o < obstacles_.size(); ++o) {
      candidates_.push_back({static_cast<int>(points_.size()), static_cast<int>(o), p.share, 0, {}});
    }
    points_.push_back({p.node, -1, 1, 0, p.body, p.radius});
  }
  for (const ContactMesh::Edge& e : mesh_.edges) {
    for (std::size_t o = 0; o < obstacles_.size(); ++o) {
      const double spacing = 0.87 * (featureRadius(obstacles_[o]) + e.radius);
      const int parts = std::clamp(static_cast<int>(std::ceil(std::min(1e6, e.length / spacing))), 1, 50);
      for (int k = 1; k < parts; ++k) {
        const double w = static_cast<double>(k) / parts;
        candidates_.push_back({static_cast<int>(points_.size()), static_cast<int>(o), e.length / parts, 0, {}});
        points_.push_back({e.nodes[0], e.nodes[1], 1 - w, w, e.body, e.radius});
      }
    }
  }
  const VectorX still = VectorX::Zero(s_.size);
  for (Candidate& c : candidates_) {
    const Point& p = points_[c.point];
    c.overlap = std::max(0.0, p.radius - signedDistance(shapeOf(scene_.obstacles[c.obstacle]), place(p, still)).distance);
  }
}

void Contacts::refresh() {
  rubs_.clear();
  if (!empty()) addCandidates();
}

Vec3 Contacts::obstacleMove(int obstacle, const Moment& moment, double t0) const {
  const Obstacle& o = scene_.obstacles[obstacle];
  FormulaInput in = timedInput(scene_, moment);
  const auto value = [&](const Number3& n) { return Vec3(n[0](in), n[1](in), n[2](in)); };
  if (o.displacement) return moment.factor * value(*o.displacement);
  if (!o.velocity) return Vec3::Zero();
  in.t = 0.5 * (t0 + moment.t);
  return traveled_[obstacle] + moment.factor * (moment.t - t0) * value(*o.velocity);
}

void Contacts::prepare(const Moment& end, const Moment& at, double t0) {
  if (empty()) return;
  const FormulaInput in = timedInput(scene_, at);
  const ContactLaw common = sceneLaw(s_, scene_, mesh_, at);
  overlapLeft_ = overlapLeft(scene_, at);
  hasFriction_ = false;
  elapsed_ = at.t - t0;
  for (std::size_t i = 0; i < obstacles_.size(); ++i) {
    const Obstacle& o = scene_.obstacles[i];
    const int index = static_cast<int>(i);
    ContactLaw& law = laws_[i];
    law = common;
    if (o.stiffness) law.stiffness = (*o.stiffness)(in);
    if (o.friction) law.friction = (*o.friction)(in);
    if (o.distance) law.distance = *o.distance;
    if (o.slip) law.slip = *o.slip;
    hasFriction_ = hasFriction_ || law.friction > 0;
    // The mean velocity of the step, so that what sticks to an obstacle goes with it exactly.
    Moment start = end;
    start.t = std::min(t0, end.t);
    before_[i] = obstacleMove(index, start, t0);
    const Vec3 after = obstacleMove(index, end, t0);
    const Vec3 now = at.t == end.t ? after : obstacleMove(index, at, t0);
    obstacles_[i].moved = now;
    if (end.t > t0) obstacles_[i].velocity = (after - before_[i]) / (end.t - t0);
  }
}

void Contacts::accept(const Moment& end, double t0) {
  for (std::size_t i = 0; i < obstacles_.size(); ++i) {
    if (scene_.obstacles[i].velocity && end.factor != 0) {
      traveled_[i] = obstacleMove(static_cast<int>(i), end, t0) / end.factor;
    }
  }
}

void Contacts::bind(LinearSolver& solver, const std::vector<char>& prescribed) {
  values_ = solver.values().data();
  for (Candidate& c : candidates_) {
    const Point& p = points_[c.point];
    int dofs[6];
    for (int k = 0; k < 3; ++k) dofs[k] = s_.nodeDof[p.a] + k, dofs[3 + k] = p.b < 0 ? -1 : s_.nodeDof[p.b] + k;
    for (int r = 0, k = 0; r < 6; ++r) {
      for (int col = 0; col <= r; ++col, ++k) {
        const bool out = dofs[r] < 0 || dofs[col] < 0 || prescribed[dofs[r]] || prescribed[dofs[col]];
        c.offsets[k] = out ? solver.trash() : solver.offset(dofs[r], dofs[col]);
      }
    }
  }
}

Vec3 Contacts::place(const Point& p, const VectorX& q) const {
  const Vec3 a = s_.nodes[p.a] + q.segment<3>(s_.nodeDof[p.a]);
  if (p.b < 0) return a;
  return p.weightA * a + p.weightB * (s_.nodes[p.b] + q.segment<3>(s_.nodeDof[p.b]));
}

double Contacts::stiffnessAt(const Candidate& c) const {
  const double k = laws_[c.obstacle].stiffness;
  return scene_.contact.perLength ? k * c.share : k;
}

double Contacts::gapOf(const Candidate& c, double distance) const {
  return distance - points_[c.point].radius + overlapLeft_ * c.overlap;
}

/// Out of reach, as a cheap bound tells already.
bool Contacts::isFar(const Candidate& c, const Vec3& x) const {
  return gapOf(c, distanceAtLeast(obstacles_[c.obstacle], x)) > penaltyReach * laws_[c.obstacle].distance;
}

void Contacts::push(const Candidate& c, const Vec3& gradientAtPoint, VectorX& gradient) const {
  const Point& p = points_[c.point];
  gradient.segment<3>(s_.nodeDof[p.a]) += p.weightA * gradientAtPoint;
  if (p.b >= 0) gradient.segment<3>(s_.nodeDof[p.b]) += p.weightB * gradientAtPoint;
}

void Contacts::scatter(const Candidate& c, const Mat3& h) {
  const Point& p = points_[c.point];
  const int* o = c.offsets.data();
  const double aa = p.weightA * p.weightA, ab = p.weightA * p.weightB, bb = p.weightB * p.weightB;
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k <= r; ++k) values_[*o++] += aa * h(r, k);
  if (p.b < 0) return;
  for (int r = 0; r < 3; ++r) {
    for (int k = 0; k < 3; ++k) values_[*o++] += ab * h(r, k);
    for (int k = 0; k <= r; ++k) values_[*o++] += bb * h(r, k);
  }
}

void Contacts::evaluate(const VectorX& q, const VectorX& v, double rate, Level level, Evaluation& out,
                        VectorX& gradient) {
  double roundOff2 = out.roundOff * out.roundOff, noise2 = out.strainNoise * out.strainNoise;
  for (const Candidate& c : candidates_) {
    const Point& p = points_[c.point];
    const ContactLaw& law = laws_[c.obstacle];
    const Vec3 x = place(p, q);
    if (isFar(c, x)) continue;
    const SignedDistance sd = signedDistance(obstacles_[c.obstacle], x);
    const double gap = gapOf(c, sd.distance);
    if (gap > penaltyReach * law.distance) continue;
    Penalty e = penalty(gap, stiffnessAt(c), law.distance);
    damp(c, gap, e);
    out.potential += e.energy;
    if (level == Level::value) continue;
    push(c, -e.force * sd.normal, gradient);
    roundOff2 += contactDigits * contactDigits * e.force * e.force;
    noise2 += placeDigits * placeDigits * e.stiffness * e.stiffness * x.squaredNorm();
    if (level == Level::tangent) scatter(c, e.stiffness * sd.normal * sd.normal.transpose() - e.force * sd.hessian);
  }
  out.roundOff = std::sqrt(roundOff2);
  out.strainNoise = std::sqrt(noise2);
  evaluateFriction(v, rate, level, out, gradient);
}

void Contacts::evaluateFriction(const VectorX& v, double rate, Level level, Evaluation& out, VectorX& gradient) {
  if (rate <= 0) return;
  double roundOff2 = out.roundOff * out.roundOff;
  for (const Rub& rub : rubs_) {
    const Candidate& c = candidates_[rub.candidate];
    const Point& p = points_[c.point];
    Vec3 u = p.weightA * v.segment<3>(s_.nodeDof[p.a]) - obstacles_[c.obstacle].velocity;
    if (p.b >= 0) u += p.weightB * v.segment<3>(s_.nodeDof[p.b]);
    const FrictionForce f = friction(rub.limit, rub.normal, laws_[c.obstacle].slip, u);
    out.potential += f.rate / rate;
    if (level == Level::value) continue;
    push(c, f.force, gradient);
    roundOff2 += contactDigits * contactDigits * f.force.squaredNorm();
    if (level == Level::tangent) scatter(c, rate * f.slope);
  }
  out.roundOff = std::sqrt(roundOff2);
}

// Measured against where point and obstacle were at the step's start.
void Contacts::damp(const Candidate& c, double gap, Penalty& e) const {
  if (damping_ == 0 || elapsed_ <= 0 || start_.size() != s_.size) return;
  ObstacleShape before = obstacles_[c.obstacle];
  before.moved = before_[c.obstacle];
  const double start = gapOf(c, signedDistance(before, place(points_[c.point], start_)).distance);
  addApproachDamping(e, gap, start, penalty(start, stiffnessAt(c), laws_[c.obstacle].distance).energy, damping_ / elapsed_);
}

void Contacts::lag(const VectorX& q) {
  rubs_.clear();
  if (!hasFriction_) return;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const Candidate& c = candidates_[i];
    const ContactLaw& law = laws_[c.obstacle];
    if (law.friction == 0) continue;
    const Point& p = points_[c.point];
    const Vec3 x = place(p, q);
    if (isFar(c, x)) continue;
    const SignedDistance sd = signedDistance(obstacles_[c.obstacle], x);
    const double gap = gapOf(c, sd.distance);
    if (gap > penaltyReach * law.distance) continue;
    const Penalty e = penalty(gap, stiffnessAt(c), law.distance);
    rubs_.push_back({static_cast<int>(i), law.friction * e.force, sd.normal});
  }
}

// Along the straight path of a point, the first place deeper in an obstacle than half its depth; 1 where there is none.
double Contacts::firstPassage(const ObstacleShape& o, const Vec3& from, const Vec3& move) {
  const double limit = -0.5 * inwardDepth(o);
  if (distanceAtLeast(o, from) - move.norm() > limit) return 1;
  const double start = signedDistance(o, from).distance, length = move.norm();
  if (!std::isfinite(limit) || start - length > limit || start <= limit) return 1;
  const int samples = std::clamp(static_cast<int>(std::ceil(4 * length / -limit)), 8, 400);
  for (int k = 1; k <= samples; ++k) {
    const double alpha = static_cast<double>(k) / samples;
    if (signedDistance(o, from + alpha * move).distance < limit) return (k - 1.0) / samples;
  }
  return 1;
}

double Contacts::longestStep(const VectorX& q, const VectorX& dq) const {
  double alpha = 1;
  for (const Candidate& c : candidates_) {
    const Point& p = points_[c.point];
    Vec3 move = p.weightA * dq.segment<3>(s_.nodeDof[p.a]);
    if (p.b >= 0) move += p.weightB * dq.segment<3>(s_.nodeDof[p.b]);
    alpha = std::min(alpha, firstPassage(obstacles_[c.obstacle], place(p, q), move));
  }
  return std::max(alpha, 1e-3);
}

std::string Contacts::sweeper(const VectorX& q) const {
  for (const Candidate& c : candidates_) {
    ObstacleShape o = obstacles_[c.obstacle];
    const Vec3 move = o.moved - before_[c.obstacle];
    if (move.isZero(0)) continue;
    o.moved = before_[c.obstacle];
    if (firstPassage(o, place(points_[c.point], q), -move) < 1) return scene_.obstacles[c.obstacle].name;
  }
  return {};
}

ContactSummary Contacts::summary(const VectorX& q, int body, int obstacle) const {
  ContactSummary out;
  for (const Candidate& c : candidates_) {
    const Point& p = points_[c.point];
    if ((body >= 0 && p.body != body) || (obstacle >= 0 && c.obstacle != obstacle)) continue;
    const ContactLaw& law = laws_[c.obstacle];
    const Vec3 x = place(p, q);
    if (isFar(c, x)) continue;
    const double distance = signedDistance(obstacles_[c.obstacle], x).distance, gap = gapOf(c, distance);
    out.penetration = std::max(out.penetration, p.radius - distance);
    if (gap > law.distance) continue;
    ++out.pairs;
    out.force += penalty(gap, stiffnessAt(c), law.distance).force;
  }
  return out;
}

double Contacts::energy(const VectorX& q, int body) const {
  double energy = 0;
  for (const Candidate& c : candidates_) {
    if (body >= 0 && points_[c.point].body != body) continue;
    const ContactLaw& law = laws_[c.obstacle];
    const Vec3 x = place(points_[c.point], q);
    if (isFar(c, x)) continue;
    const double gap = gapOf(c, signedDistance(obstacles_[c.obstacle], x).distance);
    if (gap <= penaltyReach * law.distance) energy += penalty(gap, stiffnessAt(c), law.distance).energy;
  }
  return energy;
}

}  // namespace tendril
