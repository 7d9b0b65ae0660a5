#include "discrete/pair_contacts.h"

#include <algorithm>
#include <cmath>

#include "contact/point_triangle.h"
#include "contact/segment_distance.h"

namespace tendril {
namespace {

constexpr double longestInRadii = 20;  // edges longer than this many radii are smoothed as if they were that long

}  // namespace

PairContacts::PairContacts(const Structure& structure, const Scene& scene) : s_(structure), scene_(scene) {
  damping_ = scene.contact.damping;
  if (empty()) return;
  refresh();
  refuseBadStart();
}

void PairContacts::refresh() {
  if (empty()) return;
  mesh_ = contactMesh(s_, scene_);
  grains_ = contactGrains(s_, scene_, mesh_);
  findLaws(Moment{});
  reach_ = penaltyReach * law_.distance;
  double radius = 0, length = 0;
  for (const ContactMesh::Edge& e : mesh_.edges) radius += e.radius, length += e.length;
  // Measured on tangles and knots: less margin costs searches, more costs distances that nothing comes of.
  margin_ = 0.25 * std::max(radius, 0.1 * length) / static_cast<double>(std::max<std::size_t>(1, mesh_.edges.size()));
  search_ = std::make_unique<PairSearch>(mesh_, s_.nodes, reach_);
  findOverlaps();
  rubs_.clear();
  found_.resize(0);
}

void PairContacts::prepare(const Moment& at, double t0) {
  if (empty()) return;
  elapsed_ = at.t - t0;
  const ContactLaw now = pairLaw(scene_, grains_[0], grains_[0], at);
  law_.friction = now.friction;
  overlapLeft_ = overlapLeft(scene_, at);
  Moment start = at;
  start.t = t0;
  parting_ = elapsed_ > 0 ? (overlapLeft(scene_, start) - overlapLeft_) / elapsed_ : 0;
  // Only a formula changes the stiffness in time, and then it is everywhere the same.
  if (!scene_.contact.stiffness || now.stiffness == law_.stiffness) return;
  findLaws(at);
  for (Candidate& c : candidates_) c.stiffness = stiffnessOf(c);
}

// Of two bodies each; those of all together reach furthest and are the stiffest.
void PairContacts::findLaws(const Moment& at) {
  const std::size_t n = grains_.size();
  laws_.resize(n * n);
  law_ = pairLaw(scene_, grains_[0], grains_[0], at);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const ContactLaw& law = laws_[i * n + j] = pairLaw(scene_, grains_[i], grains_[j], at);
      law_.distance = std::max(law_.distance, law.distance);
      law_.stiffness = std::max(law_.stiffness, law.stiffness);
    }
  }
}

const ContactLaw& PairContacts::lawOf(const ContactPair& pair) const {
  const auto [a, b] = bodiesOf(pair);
  return laws_[static_cast<std::size_t>(a) * grains_.size() + static_cast<std::size_t>(b)];
}

// Each pair stands for half of the mean length of its edges, or for its point's share: where edges of two rods lie side
// by side, each meets about two.
double PairContacts::stiffnessOf(const Candidate& c) const {
  const ContactPair& p = c.pair;
  const double stiffness = lawOf(p).stiffness;
  if (!scene_.contact.perLength) return stiffness;
  if (p.kind == ContactPair::Kind::pointTriangle) return stiffness * mesh_.points[p.i].share;
  return stiffness * 0.25 * (mesh_.edges[p.i].length + mesh_.edges[p.j].length);
}

PairContacts::Candidate PairContacts::candidate(const ContactPair& pair) const {
  Candidate c{pair, search_->nodes(pair), search_->radii(pair), 0, 0, 0, lawOf(pair).distance, 0, placeInPattern(pair)};
  const auto began = std::lower_bound(overlaps_.begin(), overlaps_.end(), std::pair(pair, 0.0));
  if (began != overlaps_.end() && began->first == pair) c.overlap = began->second;
  if (pair.kind == ContactPair::Kind::edges) {
    const auto smoothing = [&](int e) {
      return std::min(mesh_.edges[e].length, longestInRadii * mesh_.edges[e].radius);
    };
    c.a2 = smoothing(pair.i) * smoothing(pair.i), c.b2 = smoothing(pair.j) * smoothing(pair.j);
  }
  c.stiffness = stiffnessOf(c);
  return c;
}

void PairContacts::place(const VectorX& q) {
  x_.resize(s_.nodes.size());
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = s_.nodes[i] + q.segment<3>(s_.nodeDof[i]);
}

void PairContacts::update(std::span<const ContactPair> pairs) {
  candidates_.clear();
  for (const ContactPair& pair : pairs) candidates_.push_back(candidate(pair));
}

void PairContacts::follow(const VectorX& q) {
  if (empty()) return;
  if (found_.size() == q.size() && farthest(q, &found_) <= 0.5 * margin_) return;
  place(q);
  search_->near(x_, reach_ + margin_, near_);
  update(near_);
  found_ = q;
}

// Of any node from the mean of all: what moves everything alike brings nothing nearer.
double PairContacts::farthest(const VectorX& to, const VectorX* from) const {
  const auto move = [&](int dof) -> Vec3 {
    return from ? Vec3(to.segment<3>(dof) - from->segment<3>(dof)) : Vec3(to.segment<3>(dof));
  };
  Vec3 mean = Vec3::Zero();
  for (const int dof : s_.nodeDof) mean += move(dof);
  mean /= static_cast<double>(s_.nodeDof.size());
  double square = 0;
  for (const int dof : s_.nodeDof) square = std::max(square, (move(dof) - mean).squaredNorm());
  return std::sqrt(square);
}

std::array<Vec3, 4> PairContacts::corners(const std::array<int, 4>& nodes, const VectorX& q) const {
  std::array<Vec3, 4> x;
  for (int k = 0; k < 4; ++k) x[k] = s_.nodes[nodes[k]] + q.segment<3>(s_.nodeDof[nodes[k]]);
  return x;
}

PairContacts::Reach PairContacts::reachOf(const Candidate& c, const std::array<Vec3, 4>& x) const {
  if (c.pair.kind == ContactPair::Kind::edges) {
    const SegmentDistance d = segmentDistance(x[0], x[1], x[2], x[3], c.a2, c.b2);
    return {d.distance, d.w, d.c};
  }
  const PointTriangleDistance d = pointTriangleDistance(x[0], x[1], x[2], x[3]);
  return {d.distance, d.w, d.c};
}

// E'' g g^T + E' times the distance's Hessian, exact: in tight knots its negative part matters to convergence, and a
// tangent that is not definite is shifted by Newton.
void PairContacts::addPenalty(const Candidate& c, const std::array<Vec3, 4>& x, const Reach& r, const Penalty& e) {
  const Mat3 nn = (e.stiffness / (r.distance * r.distance)) * (r.w * r.w.transpose());
  Mat3 h[4][4];
  const auto add = [&](const auto& distance) {
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j <= i; ++j) h[i][j] = r.c[i] * r.c[j] * nn - e.force * distance.h[i][j];
    }
  };
  if (c.pair.kind == ContactPair::Kind::edges) {
    const SegmentDistance d = segmentDistance(x[0], x[1], x[2], x[3], c.a2, c.b2);
    add(segmentHessian(d, x[0], x[1], x[2], x[3], c.a2, c.b2));
  } else {
    const PointTriangleDistance d = pointTriangleDistance(x[0], x[1], x[2], x[3]);
    add(pointTriangleHessian(d, x[1], x[2], x[3]));
  }
  scatter(c, h);
}

void PairContacts::evaluate(const VectorX& q, const VectorX& v, double rate, Level level, Evaluation& out,
                            VectorX& gradient) {
  double roundOff2 = out.roundOff * out.roundOff;
  forEachTouching(q, [&](const Candidate& c, const std::array<Vec3, 4>& x, const Reach& r) {
    const double gap = gapOf(c, r.distance);
    Penalty e = penalty(gap, c.stiffness, c.distance);
    damp(c, gap, e);
    out.potential += e.energy;
    if (level == Level::value) return;
    const Vec3 normal = r.w / r.distance;
    for (int k = 0; k < 4; ++k) gradient.segment<3>(s_.nodeDof[c.nodes[k]]) -= (e.force * r.c[k]) * normal;
    roundOff2 += contactDigits * contactDigits * e.force * e.force;
    if (level == Level::tangent) addPenalty(c, x, r, e);
  });
  out.roundOff = std::sqrt(roundOff2);
  evaluateFriction(v, rate, level, out, gradient);
}

void PairContacts::evaluateFriction(const VectorX& v, double rate, Level level, Evaluation& out, VectorX& gradient) {
  if (rate <= 0) return;
  double roundOff2 = out.roundOff * out.roundOff;
  for (const Rub& rub : rubs_) {
    Vec3 u = Vec3::Zero();
    for (int k = 0; k < 4; ++k) u += rub.c[k] * v.segment<3>(s_.nodeDof[rub.pair.nodes[k]]);
    const FrictionForce f = friction(rub.limit, rub.normal, law_.slip, u);
    out.potential += f.rate / rate;
    if (level == Level::value) continue;
    for (int k = 0; k < 4; ++k) gradient.segment<3>(s_.nodeDof[rub.pair.nodes[k]]) += rub.c[k] * f.force;
    roundOff2 += contactDigits * contactDigits * f.force.squaredNorm();
    if (level != Level::tangent) continue;
    Mat3 h[4][4];
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j <= i; ++j) h[i][j] = (rub.c[i] * rub.c[j] * rate) * f.slope;
    }
    scatter(rub.pair, h);
  }
  out.roundOff = std::sqrt(roundOff2);
}

void PairContacts::addWork(const VectorX& q, const VectorX& v, const VectorX& move, double dt, WorkDone& done) const {
  if (damping_ > 0 || (parting_ > 0 && !overlaps_.empty())) {
    forEachTouching(q, [&](const Candidate& c, const std::array<Vec3, 4>&, const Reach& r) {
      const double gap = gapOf(c, r.distance);
      const Penalty plain = penalty(gap, c.stiffness, c.distance);
      Penalty damped = plain;
      const double approach = damp(c, gap, damped);
      if (parting_ > 0) done.work += dt * damped.force * c.overlap * parting_;
      if (approach > 0) done.dissipated += (damped.force - plain.force) * approach * dt / elapsed_;
    });
  }
  for (const Rub& rub : rubs_) {
    Vec3 u = Vec3::Zero(), way = Vec3::Zero();
    for (int k = 0; k < 4; ++k) {
      const int dof = s_.nodeDof[rub.pair.nodes[k]];
      u += rub.c[k] * v.segment<3>(dof), way += rub.c[k] * move.segment<3>(dof);
    }
    done.dissipated += friction(rub.limit, rub.normal, law_.slip, u).force.dot(way);
  }
}

// By how much they have come nearer since the step's start [m].
double PairContacts::damp(const Candidate& c, double gap, Penalty& e) const {
  if (damping_ == 0 || elapsed_ <= 0 || start_.size() != s_.size) return 0;
  const double start = gapOf(c, reachOf(c, corners(c.nodes, start_)).distance);
  addApproachDamping(e, gap, start, penalty(start, c.stiffness, c.distance).energy, damping_ / elapsed_);
  return start - gap;
}

void PairContacts::lag(const VectorX& q) {
  rubs_.clear();
  if (empty() || !hasFriction()) return;
  follow(q);
  forEachTouching(q, [&](const Candidate& c, const std::array<Vec3, 4>&, const Reach& r) {
    const double gap = gapOf(c, r.distance);
    Penalty e = penalty(gap, c.stiffness, c.distance);
    damp(c, gap, e);
    // The unit of w, which the distance exceeds by its smoothing.
    rubs_.push_back({c, r.c, law_.friction * e.force, r.w.normalized()});
  });
}

ContactSummary PairContacts::summary(const VectorX& q, const std::vector<int>& bodies) const {
  ContactSummary out;
  const auto in = [&](int body) { return std::find(bodies.begin(), bodies.end(), body) != bodies.end(); };
  for (const Candidate& c : candidates_) {
    const auto b = bodiesOf(c.pair);
    if (!bodies.empty() && !in(b[0]) && !in(b[1])) continue;
    const double distance = reachOf(c, corners(c.nodes, q)).distance, gap = gapOf(c, distance);
    out.penetration = std::max(out.penetration, c.radii - distance);
    if (gap > c.distance) continue;
    ++out.pairs;
    out.force += penalty(gap, c.stiffness, c.distance).force;
  }
  return out;
}

double PairContacts::energy(const VectorX& q, int body) const {
  double energy = 0;
  forEachTouching(q, [&](const Candidate& c, const auto&, const Reach& r) {
    const auto b = bodiesOf(c.pair);
    const double share = body < 0 ? 1 : 0.5 * ((b[0] == body) + (b[1] == body));
    if (share > 0) energy += share * penalty(gapOf(c, r.distance), c.stiffness, c.distance).energy;
  });
  return energy;
}

double PairContacts::touch() const { return touchEnergy(stiffest(), law_.distance); }

double PairContacts::stiffest() const {
  if (!scene_.contact.perLength) return law_.stiffness;
  double longest = 0;
  for (const ContactMesh::Edge& e : mesh_.edges) longest = std::max(longest, 0.5 * e.length);
  for (const ContactMesh::Point& p : mesh_.points) longest = std::max(longest, mesh_.triangles.empty() ? 0 : p.share);
  return law_.stiffness * longest;
}

std::array<int, 2> PairContacts::bodiesOf(const ContactPair& pair) const {
  if (pair.kind == ContactPair::Kind::edges) return {mesh_.edges[pair.i].body, mesh_.edges[pair.j].body};
  return {mesh_.points[pair.i].body, mesh_.triangles[pair.j].body};
}

}  // namespace tendril
