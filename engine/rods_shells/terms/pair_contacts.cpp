#include "rods_shells/terms/pair_contacts.h"

#include <algorithm>
#include <cmath>

#include "contact/point_triangle.h"
#include "contact/segment_distance.h"
#include "geometry/sort_rows.h"

namespace tendril::rods_shells {
namespace {

constexpr double longestInRadii = 20;  // edges longer than this many radii are smoothed as if they were that long

}  // namespace

PairContacts::PairContacts(const Structure& structure, const scene::Scene& scene) : s_(structure), scene_(scene) {
  damping_ = scene.contact.damping;
  if (empty()) return;
  refresh();
  refuseBadStart();
}

void PairContacts::refresh() {
  if (empty()) return;
  mesh_ = contactMesh(s_, scene_);
  grains_ = contactGrains(s_, scene_, mesh_);
  findLaws(scene::Instant{});
  search_ = std::make_unique<contact::PairSearch>(mesh_, s_.nodes, [this](int a, int b) { return reachOf(a, b); });
  if (partOf_.empty()) partOf_.assign(s_.nodes.size(), 0);
  makeGroups();
  findOverlaps();
}

void PairContacts::divide(const solve::Partition& parts) {
  if (empty()) return;
  for (std::size_t i = 0; i < partOf_.size(); ++i) partOf_[i] = parts.of[static_cast<std::size_t>(s_.nodeDof[i])];
  parts_ = parts.count();
  part_ = -1;
  State known(static_cast<std::size_t>(parts_));
  for (const PairSet& before : state_) {
    for (const contact::ContactPair& pair : before.pairs)
      known[static_cast<std::size_t>(partOf_[search_->nodes(pair)[0]])].pairs.push_back(pair);
  }
  for (PairSet& pattern : known) geometry::sortRows(pattern.pairs);
  state_ = std::move(known);
  before_.reset();
  makeGroups();
}

void PairContacts::makeGroups() {
  groups_.assign(static_cast<std::size_t>(parts_), {});
  state_.resize(groups_.size());
  const auto groupOf = [this](int node) -> Group& { return groups_[static_cast<std::size_t>(partOf_[node])]; };
  for (std::size_t i = 0; i < s_.nodes.size(); ++i) groupOf(static_cast<int>(i)).nodes.push_back(static_cast<int>(i));
  for (std::size_t i = 0; i < mesh_.points.size(); ++i)
    groupOf(mesh_.points[i].node).among.points.push_back(static_cast<int>(i));
  for (std::size_t i = 0; i < mesh_.edges.size(); ++i)
    groupOf(mesh_.edges[i].nodes[0]).among.edges.push_back(static_cast<int>(i));
  for (std::size_t i = 0; i < mesh_.triangles.size(); ++i)
    groupOf(mesh_.triangles[i].nodes[0]).among.triangles.push_back(static_cast<int>(i));
  for (Group& group : groups_) measure(group);
}

void PairContacts::measure(Group& group) const {
  double radius = 0, length = 0;
  std::vector<int> bodies;
  for (const int i : group.among.edges) {
    const contact::ContactMesh::Edge& e = mesh_.edges[i];
    radius += e.radius, length += e.length;
    group.longest = std::max(group.longest, 0.5 * e.length);
    if (bodies.empty() || bodies.back() != e.body) bodies.push_back(e.body);
  }
  for (const int i : group.among.points) {
    if (!group.among.triangles.empty()) group.longest = std::max(group.longest, mesh_.points[i].share);
  }
  // Measured on tangles and knots: less margin costs searches, more costs distances that nothing comes of.
  group.margin =
      0.25 * std::max(radius, 0.1 * length) / static_cast<double>(std::max<std::size_t>(1, group.among.edges.size()));
  for (const int a : bodies) {
    for (const int b : bodies) {
      const scene::ContactLaw& law = laws_[static_cast<std::size_t>(a) * grains_.size() + static_cast<std::size_t>(b)];
      group.distance = std::max(group.distance, law.distance),
      group.stiffness = std::max(group.stiffness, law.stiffness);
    }
  }
}

void PairContacts::prepare(const scene::Instant& /*end*/, const scene::Instant& at, double t0) {
  if (empty()) return;
  parting_ = scene::parting(scene_, at, t0);
  const scene::ContactLaw now = pairLaw(scene_, grains_[0], grains_[0], at);
  friction_ = now.friction;
  // Only a formula changes the stiffness in time, and then it is everywhere the same.
  if (!scene_.contact.stiffness || now.stiffness == stiffness_) return;
  findLaws(at);
  for (Group& group : groups_) {
    group.stiffness = stiffness_;
    for (Candidate& c : group.candidates) c.stiffness = stiffnessOf(c);
  }
}

void PairContacts::findLaws(const scene::Instant& at) {
  const std::size_t n = grains_.size();
  laws_.resize(n * n);
  const scene::ContactLaw law = pairLaw(scene_, grains_[0], grains_[0], at);
  friction_ = law.friction, slip_ = law.slip, stiffness_ = law.stiffness;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) laws_[i * n + j] = pairLaw(scene_, grains_[i], grains_[j], at);
  }
}

const scene::ContactLaw& PairContacts::lawOf(const contact::ContactPair& pair) const {
  const auto [a, b] = bodiesOf(pair);
  return laws_[static_cast<std::size_t>(a) * grains_.size() + static_cast<std::size_t>(b)];
}

// Each pair stands for half of the mean length of its edges, or for its point's share: where edges of two rods lie side
// by side, each meets about two.
double PairContacts::stiffnessOf(const Candidate& c) const {
  const contact::ContactPair& p = c.pair;
  const double stiffness = lawOf(p).stiffness;
  if (!scene_.contact.perLength) return stiffness;
  if (p.kind == contact::ContactPair::Kind::pointTriangle) return stiffness * mesh_.points[p.i].share;
  return stiffness * 0.25 * (mesh_.edges[p.i].length + mesh_.edges[p.j].length);
}

PairContacts::Candidate PairContacts::candidate(const contact::ContactPair& pair) const {
  Candidate c{pair, search_->nodes(pair), search_->radii(pair), 0, 0, 0, lawOf(pair).distance, 0};
  const auto began = std::lower_bound(overlaps_.begin(), overlaps_.end(), std::pair(pair, 0.0));
  if (began != overlaps_.end() && began->first == pair) c.overlap = began->second;
  if (pair.kind == contact::ContactPair::Kind::edges) {
    const auto smoothing = [&](int e) {
      return std::min(mesh_.edges[e].length, longestInRadii * mesh_.edges[e].radius);
    };
    c.a2 = smoothing(pair.i) * smoothing(pair.i), c.b2 = smoothing(pair.j) * smoothing(pair.j);
  }
  c.stiffness = stiffnessOf(c);
  return c;
}

void PairContacts::place(const Group& group, const VectorX& q) {
  x_.resize(s_.nodes.size());
  for (const int i : group.nodes) x_[i] = s_.nodes[i] + q.segment<3>(s_.nodeDof[i]);
}

void PairContacts::follow(const VectorX& q) {
  for (Group& group : here()) follow(group, q);
}

void PairContacts::follow(Group& group, const VectorX& q) {
  if (!group.found.empty() && sinceFound(group, q) <= 0.5 * group.margin) return;
  place(group, q);
  search_->near(group.among, x_, group.reach() + group.margin, near_);
  update(group, near_);
  group.found.clear();
  for (const int i : group.nodes) group.found.push_back(q.segment<3>(s_.nodeDof[i]));
}

double PairContacts::sinceFound(const Group& group, const VectorX& q) const {
  return farthest(group, [&](int dof, std::size_t k) -> Vec3 { return q.segment<3>(dof) - group.found[k]; });
}

std::array<Vec3, 4> PairContacts::corners(const std::array<int, 4>& nodes, const VectorX& q) const {
  std::array<Vec3, 4> x;
  for (int k = 0; k < 4; ++k) x[k] = s_.nodes[nodes[k]] + q.segment<3>(s_.nodeDof[nodes[k]]);
  return x;
}

PairContacts::Reach PairContacts::distanceOf(const Candidate& c, const std::array<Vec3, 4>& x) const {
  if (c.pair.kind == contact::ContactPair::Kind::edges) {
    const contact::SegmentDistance d = contact::segmentDistance(x[0], x[1], x[2], x[3], c.a2, c.b2);
    return {d.distance, d.w, d.c};
  }
  const contact::PointTriangleDistance d = contact::pointTriangleDistance(x[0], x[1], x[2], x[3]);
  return {d.distance, d.w, d.c};
}

// E'' g g^T + E' times the distance's Hessian, exact: in tight knots its negative part matters to convergence, and a
// tangent that is not definite is shifted by Newton.
void PairContacts::addPenalty(const Candidate& c, Slots& slots, const std::array<Vec3, 4>& x, const Reach& r,
                              const contact::Penalty& e) {
  const Mat3 nn = (e.stiffness / (r.distance * r.distance)) * (r.w * r.w.transpose());
  Mat3 h[4][4];
  const auto add = [&](const auto& distance) {
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j <= i; ++j) h[i][j] = r.c[i] * r.c[j] * nn - e.force * distance.h[i][j];
    }
  };
  if (c.pair.kind == contact::ContactPair::Kind::edges) {
    const contact::SegmentDistance d = contact::segmentDistance(x[0], x[1], x[2], x[3], c.a2, c.b2);
    add(contact::segmentHessian(d, x[0], x[1], x[2], x[3], c.a2, c.b2));
  } else {
    const contact::PointTriangleDistance d = contact::pointTriangleDistance(x[0], x[1], x[2], x[3]);
    add(contact::pointTriangleHessian(d, x[1], x[2], x[3]));
  }
  scatter(c, slots, h);
}

void PairContacts::evaluate(const VectorX& q, const VectorX& v, double rate, solve::Level level, TermSums& sums) {
  if (empty()) return;
  solve::Evaluation& out = sums.evaluation;
  double roundOff2 = out.roundOff * out.roundOff;
  for (Group& group : here()) {
    forEachTouching(group, q, [&](const Candidate& c, const std::array<Vec3, 4>& x, const Reach& r) {
      const double gap = gapOf(c, r.distance);
      contact::Penalty e = contact::penalty(gap, c.stiffness, c.distance);
      damp(c, gap, e);
      out.potential += e.energy;
      if (level == solve::Level::value) return;
      const Vec3 normal = r.w / r.distance;
      for (int k = 0; k < 4; ++k) sums.gradient.segment<3>(s_.nodeDof[c.nodes[k]]) -= (e.force * r.c[k]) * normal;
      roundOff2 += contactDigits * contactDigits * e.force * e.force;
      if (level == solve::Level::tangent) addPenalty(c, group.slots[c.slots], x, r, e);
    });
  }
  out.roundOff = std::sqrt(roundOff2);
  evaluateFriction(v, rate, level, out, sums.gradient);
  out.magnitude = std::max(out.magnitude, std::abs(out.potential));
}

void PairContacts::evaluateFriction(const VectorX& v, double rate, solve::Level level, solve::Evaluation& out,
                                    VectorX& gradient) {
  if (rate <= 0) return;
  double roundOff2 = out.roundOff * out.roundOff;
  for (Group& group : here()) {
    for (const Sliding& sliding : group.slidings) {
      Vec3 u = Vec3::Zero();
      for (int k = 0; k < 4; ++k) u += sliding.c[k] * v.segment<3>(s_.nodeDof[sliding.pair.nodes[k]]);
      const contact::FrictionForce f = contact::friction(sliding.limit, sliding.normal, slip_, u);
      out.potential += f.rate / rate;
      if (level == solve::Level::value) continue;
      for (int k = 0; k < 4; ++k) gradient.segment<3>(s_.nodeDof[sliding.pair.nodes[k]]) += sliding.c[k] * f.force;
      roundOff2 += contactDigits * contactDigits * f.force.squaredNorm();
      if (level != solve::Level::tangent) continue;
      Mat3 h[4][4];
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j <= i; ++j) h[i][j] = (sliding.c[i] * sliding.c[j] * rate) * f.slope;
      }
      scatter(sliding.pair, group.slots[sliding.pair.slots], h);
    }
  }
  out.roundOff = std::sqrt(roundOff2);
}

void PairContacts::addWork(const VectorX& q, const VectorX& v, const VectorX& move, double dt,
                           model::WorkDone& done) const {
  for (const Group& group : here()) {
    if (damping_ > 0 || (parting_.rate > 0 && !overlaps_.empty())) {
      forEachTouching(group, q, [&](const Candidate& c, const std::array<Vec3, 4>&, const Reach& r) {
        const double gap = gapOf(c, r.distance);
        const contact::Penalty plain = contact::penalty(gap, c.stiffness, c.distance);
        contact::Penalty damped = plain;
        const double approach = damp(c, gap, damped);
        if (parting_.rate > 0) done.work += dt * damped.force * c.overlap * parting_.rate;
        if (approach > 0) done.dissipated += (damped.force - plain.force) * approach * dt / parting_.elapsed;
      });
    }
    for (const Sliding& sliding : group.slidings) {
      Vec3 u = Vec3::Zero(), way = Vec3::Zero();
      for (int k = 0; k < 4; ++k) {
        const int dof = s_.nodeDof[sliding.pair.nodes[k]];
        u += sliding.c[k] * v.segment<3>(dof), way += sliding.c[k] * move.segment<3>(dof);
      }
      done.dissipated += contact::friction(sliding.limit, sliding.normal, slip_, u).force.dot(way);
    }
  }
}

// By how much they have come nearer since the step's start [m].
double PairContacts::damp(const Candidate& c, double gap, contact::Penalty& e) const {
  if (damping_ == 0 || parting_.elapsed <= 0 || start_.size() != s_.size) return 0;
  const double start = gapOf(c, distanceOf(c, corners(c.nodes, start_)).distance);
  contact::addApproachDamping(e, gap, start, contact::penalty(start, c.stiffness, c.distance).energy,
                              damping_ / parting_.elapsed);
  return start - gap;
}

void PairContacts::lag(const VectorX& q, Stand /*stand*/) {
  if (empty()) return;
  for (Group& group : here()) {
    group.slidings.clear();
    if (!hasFriction()) continue;
    follow(group, q);
    forEachTouching(group, q, [&](const Candidate& c, const std::array<Vec3, 4>&, const Reach& r) {
      const double gap = gapOf(c, r.distance);
      contact::Penalty e = contact::penalty(gap, c.stiffness, c.distance);
      damp(c, gap, e);
      // The unit of w, which the distance exceeds by its smoothing.
      group.slidings.push_back({c, r.c, friction_ * e.force, r.w.normalized()});
    });
  }
}

scene::ContactSummary PairContacts::summary(const VectorX& q, const std::vector<int>& bodies) const {
  scene::ContactSummary out;
  const auto in = [&](int body) { return std::find(bodies.begin(), bodies.end(), body) != bodies.end(); };
  for (const Group& group : here()) {
    for (const Candidate& c : group.candidates) {
      const auto b = bodiesOf(c.pair);
      if (!bodies.empty() && !in(b[0]) && !in(b[1])) continue;
      const double distance = distanceOf(c, corners(c.nodes, q)).distance, gap = gapOf(c, distance);
      out.penetration = std::max(out.penetration, c.radii - distance);
      if (gap > c.distance) continue;
      ++out.pairs;
      out.force += contact::penalty(gap, c.stiffness, c.distance).force;
    }
  }
  return out;
}

double PairContacts::energy(const VectorX& q, int body) const {
  double energy = 0;
  for (const Group& group : here()) {
    forEachTouching(group, q, [&](const Candidate& c, const auto&, const Reach& r) {
      const auto b = bodiesOf(c.pair);
      const double share = body < 0 ? 1 : 0.5 * ((b[0] == body) + (b[1] == body));
      if (share > 0) energy += share * contact::penalty(gapOf(c, r.distance), c.stiffness, c.distance).energy;
    });
  }
  return energy;
}

double PairContacts::touch() const {
  double most = 0;
  for (const Group& group : here()) most = std::max(most, contact::touchEnergy(stiffest(group), group.distance));
  return most;
}

double PairContacts::reach() const {
  double most = 0;
  for (const Group& group : here()) most = std::max(most, group.distance);
  return most;
}

double PairContacts::stiffest() const {
  double most = 0;
  if (empty()) return most;
  for (const Group& group : here()) most = std::max(most, stiffest(group));
  return most;
}

double PairContacts::stiffest(const Group& group) const {
  return scene_.contact.perLength ? group.stiffness * group.longest : group.stiffness;
}

std::array<int, 2> PairContacts::bodiesOf(const contact::ContactPair& pair) const {
  if (pair.kind == contact::ContactPair::Kind::edges) return {mesh_.edges[pair.i].body, mesh_.edges[pair.j].body};
  return {mesh_.points[pair.i].body, mesh_.triangles[pair.j].body};
}

}  // namespace tendril::rods_shells
