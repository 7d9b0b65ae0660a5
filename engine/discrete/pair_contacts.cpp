#include "discrete/pair_contacts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "contact/point_triangle.h"
#include "contact/segment_distance.h"
#include "contact/sweep.h"

namespace tendril {
namespace {

constexpr int lookAgain = 64;        // accepted steps between looks at a pattern that may have grown stale
constexpr double squeezedShare = 0.1;  // of the radii: centres nearer than this are as good as crossed
constexpr double patternMargins = 2;   // how far ahead the pattern looks, in margins of the candidates
constexpr double longestInRadii = 20;  // edges longer than this many radii are smoothed as if they were that long

std::string inWords(const Vec3& x) {
  char text[80];
  std::snprintf(text, sizeof text, "[%.4g, %.4g, %.4g]", x.x(), x.y(), x.z());
  return text;
}

}  // namespace

PairContacts::PairContacts(const Structure& structure, const Scene& scene) : s_(structure), scene_(scene) {
  damping_ = scene.contact.damping;
  if (empty()) return;
  refresh();
  if (const auto pierced = search_->pierced(s_.nodes)) {
    const ContactMesh::Edge& e = mesh_.edges[(*pierced)[0]];
    throw std::invalid_argument("/contact/self: an edge of \"" + scene.bodyName(e.body) + "\" starts on both sides of \"" +
                                scene.bodyName(mesh_.triangles[(*pierced)[1]].body) + "\", near " + inWords(s_.nodes[e.nodes[0]]) +
                                ": contact cannot part what passes through; let the bodies start apart, or join them");
  }
  for (const auto& [pair, depth] : overlaps_) {
    const double radii = search_->radii(pair);
    const auto [a, b] = bodiesOf(pair);
    if (depth < (1 - squeezedShare * squeezedShare) * radii || (scene.isRod(a) && scene.isRod(b))) continue;
    throw std::invalid_argument("/contact/self: \"" + scene.bodyName(a) + "\" and \"" + scene.bodyName(b) +
                                "\" start in the same place near " + inWords(s_.nodes[search_->nodes(pair)[0]]) +
                                ": contact cannot tell where either belongs; let them start apart, or join them");
  }
}

void PairContacts::refresh() {
  if (empty()) return;
  mesh_ = contactMesh(s_, scene_);
  law_ = sceneLaw(s_, scene_, mesh_, Moment{});
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

void PairContacts::findOverlaps() {
  overlaps_.clear();
  search_->near(s_.nodes, 0, near_);
  const VectorX still = VectorX::Zero(s_.size);
  for (const ContactPair& pair : near_) {
    const Candidate c = candidate(pair);
    const double depth = c.radii - reachOf(c, corners(c.nodes, still)).distance;
    if (depth > 0) overlaps_.emplace_back(pair, depth);
  }
}

void PairContacts::prepare(const Moment& at, double t0) {
  if (empty()) return;
  elapsed_ = at.t - t0;
  const double before = law_.stiffness;
  law_ = sceneLaw(s_, scene_, mesh_, at);
  overlapLeft_ = overlapLeft(scene_, at);
  if (law_.stiffness == before) return;
  for (Candidate& c : candidates_) c.stiffness = stiffnessOf(c);
}

// Each pair stands for half of the mean length of its edges, or for its point's share: where edges of two rods lie side
// by side, each meets about two.
double PairContacts::stiffnessOf(const Candidate& c) const {
  if (!scene_.contact.perLength) return law_.stiffness;
  const ContactPair& p = c.pair;
  if (p.kind == ContactPair::Kind::pointTriangle) return law_.stiffness * mesh_.points[p.i].share;
  return law_.stiffness * 0.25 * (mesh_.edges[p.i].length + mesh_.edges[p.j].length);
}

PairContacts::Candidate PairContacts::candidate(const ContactPair& pair) const {
  Candidate c{pair, search_->nodes(pair), search_->radii(pair), 0, 0, 0, 0, placeInPattern(pair)};
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

int PairContacts::placeInPattern(const ContactPair& pair) const {
  const auto at = std::lower_bound(state_.pattern.begin(), state_.pattern.end(), pair);
  return at != state_.pattern.end() && *at == pair ? static_cast<int>(at - state_.pattern.begin()) : -1;
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

void PairContacts::widen(const VectorX& q) {
  place(q);
  search_->near(x_, reach_ + patternMargins * margin_, near_);
  state_.pattern = near_;
  for (const Rub& rub : rubs_) state_.pattern.push_back(rub.pair.pair);
  std::sort(state_.pattern.begin(), state_.pattern.end());
  state_.pattern.erase(std::unique(state_.pattern.begin(), state_.pattern.end()), state_.pattern.end());
  state_.age = 0;
  update(near_);
  found_ = q;
  for (Rub& rub : rubs_) rub.pair.slots = placeInPattern(rub.pair.pair);
}

bool PairContacts::fits(const VectorX& q) {
  bool fit = true;
  forEachTouching(q, [&](const Candidate& c, const auto&, const Reach&) { fit = fit && c.slots >= 0; });
  for (const Rub& rub : rubs_) fit = fit && rub.pair.slots >= 0;
  return fit;
}

std::vector<std::array<int, 12>> PairContacts::patternDofs() const {
  std::vector<std::array<int, 12>> out;
  for (const ContactPair& pair : state_.pattern) {
    const auto nodes = search_->nodes(pair);
    std::array<int, 12> dofs;
    for (int k = 0; k < 12; ++k) dofs[k] = s_.nodeDof[nodes[k / 3]] + k % 3;
    out.push_back(dofs);
  }
  return out;
}

void PairContacts::bind(LinearSolver& solver, const std::vector<char>& prescribed) {
  if (empty()) return;
  solver_ = &solver;
  prescribed_ = &prescribed;
  values_ = solver.values().data();
  slots_.resize(state_.pattern.size());
  for (Slots& s : slots_) s[0] = -1;
}

void PairContacts::findSlots(const Candidate& c) {
  Slots& slots = slots_[c.slots];
  if (slots[0] >= 0) return;
  const auto at = [&](int r, int k) {
    const int row = s_.nodeDof[c.nodes[r / 3]] + r % 3, col = s_.nodeDof[c.nodes[k / 3]] + k % 3;
    return (*prescribed_)[row] || (*prescribed_)[col] ? solver_->trash() : solver_->offset(row, col);
  };
  int n = 0;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j <= i; ++j) {
      for (int r = 0; r < 3; ++r) {
        for (int k = 0; k < (i == j ? r + 1 : 3); ++k) slots[n++] = at(3 * i + r, 3 * j + k);
      }
    }
  }
}

void PairContacts::scatter(const Candidate& c, const Mat3 (&h)[4][4]) {
  findSlots(c);
  const int* slot = slots_[c.slots].data();
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j <= i; ++j) {
      for (int r = 0; r < 3; ++r) {
        for (int k = 0; k < (i == j ? r + 1 : 3); ++k) values_[*slot++] += h[i][j](r, k);
      }
    }
  }
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

/// visit(candidate, corners, reach) for all whose gap is within the penalty's reach.
template <class Visit>
void PairContacts::forEachTouching(const VectorX& q, Visit visit) const {
  for (const Candidate& c : candidates_) {
    const std::array<Vec3, 4> x = corners(c.nodes, q);
    const Reach r = reachOf(c, x);
    if (gapOf(c, r.distance) <= penaltyReach * law_.distance) visit(c, x, r);
  }
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
  double roundOff2 = out.roundOff * out.roundOff, noise2 = out.strainNoise * out.strainNoise;
  forEachTouching(q, [&](const Candidate& c, const std::array<Vec3, 4>& x, const Reach& r) {
    const double gap = gapOf(c, r.distance);
    Penalty e = penalty(gap, c.stiffness, law_.distance);
    damp(c, gap, e);
    out.potential += e.energy;
    if (level == Level::value) return;
    const Vec3 normal = r.w / r.distance;
    for (int k = 0; k < 4; ++k) gradient.segment<3>(s_.nodeDof[c.nodes[k]]) -= (e.force * r.c[k]) * normal;
    roundOff2 += contactDigits * contactDigits * e.force * e.force;
    noise2 += placeDigits * placeDigits * e.stiffness * e.stiffness * x[0].squaredNorm();
    if (level == Level::tangent) addPenalty(c, x, r, e);
  });
  out.roundOff = std::sqrt(roundOff2);
  out.strainNoise = std::sqrt(noise2);
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

void PairContacts::damp(const Candidate& c, double gap, Penalty& e) const {
  if (damping_ == 0 || elapsed_ <= 0 || start_.size() != s_.size) return;
  const double start = gapOf(c, reachOf(c, corners(c.nodes, start_)).distance);
  addApproachDamping(e, gap, start, penalty(start, c.stiffness, law_.distance).energy, damping_ / elapsed_);
}

void PairContacts::lag(const VectorX& q) {
  rubs_.clear();
  if (empty() || !hasFriction()) return;
  follow(q);
  forEachTouching(q, [&](const Candidate& c, const std::array<Vec3, 4>&, const Reach& r) {
    const Penalty e = penalty(gapOf(c, r.distance), c.stiffness, law_.distance);
    // The unit of w, which the distance exceeds by its smoothing.
    rubs_.push_back({c, r.c, law_.friction * e.force, r.w.normalized()});
  });
}

template <class Visit>
void PairContacts::forEachOnTheWay(const VectorX& q, const VectorX& dq, Visit visit) {
  const bool known = found_.size() == q.size() && farthest(q, &found_) + farthest(dq, nullptr) <= 0.5 * margin_;
  if (known) {
    for (const Candidate& c : candidates_) visit(c.pair, c.nodes, c.radii);
    return;
  }
  place(q);
  dx_.resize(x_.size());
  for (std::size_t i = 0; i < dx_.size(); ++i) dx_[i] = dq.segment<3>(s_.nodeDof[i]);
  search_->swept(x_, dx_, near_);
  for (const ContactPair& pair : near_) visit(pair, search_->nodes(pair), search_->radii(pair));
}

std::array<Vec3, 4> PairContacts::moves(const std::array<int, 4>& nodes, const VectorX& dq) const {
  std::array<Vec3, 4> dx;
  for (int k = 0; k < 4; ++k) dx[k] = dq.segment<3>(s_.nodeDof[nodes[k]]);
  return dx;
}

double PairContacts::longestStep(const VectorX& q, const VectorX& dq) {
  double alpha = 1;
  if (empty()) return alpha;
  forEachOnTheWay(q, dq, [&](const ContactPair& pair, const std::array<int, 4>& nodes, double radii) {
    alpha = std::min(alpha, tendril::longestStep(pair.kind, corners(nodes, q), moves(nodes, dq), 0.5 * squeezedShare * radii));
  });
  return alpha;
}

std::string PairContacts::crossed(const VectorX& q0, const VectorX& q1) {
  std::string who;
  if (empty()) return who;
  way_ = q1 - q0;
  forEachOnTheWay(q0, way_, [&](const ContactPair& pair, const std::array<int, 4>& nodes, double radii) {
    if (!who.empty() || staysApart(pair.kind, corners(nodes, q0), moves(nodes, way_), 0.5 * squeezedShare * radii)) return;
    const auto [a, b] = bodiesOf(pair);
    who = "\"" + scene_.bodyName(a) + "\" and " + (a == b ? std::string("itself") : "\"" + scene_.bodyName(b) + "\"");
  });
  return who;
}

std::string PairContacts::squeezed(const VectorX& q0, const VectorX& q1) {
  if (empty()) return {};
  follow(q1);
  for (const Candidate& c : candidates_) {
    const double now = centreDistance(c.pair.kind, corners(c.nodes, q1));
    if (now >= squeezedShare * c.radii || now >= centreDistance(c.pair.kind, corners(c.nodes, q0))) continue;
    const auto [a, b] = bodiesOf(c.pair);
    return "\"" + scene_.bodyName(a) + "\" would be pressed through " +
           (a == b ? std::string("itself") : "\"" + scene_.bodyName(b) + "\"") +
           ": contact is too soft for what pushes; raise its \"stiffness\"";
  }
  return {};
}

std::string PairContacts::overlapWarning() const {
  const std::pair<ContactPair, double>* deepest = nullptr;
  int count = 0;
  for (const auto& overlap : overlaps_) {
    const auto [a, b] = bodiesOf(overlap.first);
    if (scene_.isRod(a) && scene_.isRod(b)) continue;  // the loader tells those
    ++count;
    if (!deepest || overlap.second > deepest->second) deepest = &overlap;
  }
  if (!deepest) return {};
  const auto [a, b] = bodiesOf(deepest->first);
  char depth[40];
  std::snprintf(depth, sizeof depth, "%.3g mm", 1e3 * deepest->second);
  return std::to_string(count) + (count == 1 ? " pair" : " pairs") + " of edges, or of points and triangles, overlap at the start, deepest by " +
         depth + ": \"" + scene_.bodyName(a) + "\" and \"" + scene_.bodyName(b) + "\" near " +
         inWords(s_.nodes[search_->nodes(deepest->first)[0]]) + "; contact will push them apart";
}

ContactSummary PairContacts::summary(const VectorX& q, const std::vector<int>& bodies) const {
  ContactSummary out;
  const auto in = [&](int body) { return std::find(bodies.begin(), bodies.end(), body) != bodies.end(); };
  for (const Candidate& c : candidates_) {
    const auto b = bodiesOf(c.pair);
    if (!bodies.empty() && !in(b[0]) && !in(b[1])) continue;
    const double distance = reachOf(c, corners(c.nodes, q)).distance, gap = gapOf(c, distance);
    out.penetration = std::max(out.penetration, c.radii - distance);
    if (gap > law_.distance) continue;
    ++out.pairs;
    out.force += penalty(gap, c.stiffness, law_.distance).force;
  }
  return out;
}

double PairContacts::energy(const VectorX& q, int body) const {
  double energy = 0;
  forEachTouching(q, [&](const Candidate& c, const auto&, const Reach& r) {
    const auto b = bodiesOf(c.pair);
    const double share = body < 0 ? 1 : 0.5 * ((b[0] == body) + (b[1] == body));
    if (share > 0) energy += share * penalty(gapOf(c, r.distance), c.stiffness, law_.distance).energy;
  });
  return energy;
}

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

bool PairContacts::accept(const VectorX& q) {
  if (empty()) return false;
  follow(q);
  if (++state_.age < lookAgain) return false;
  state_.age = 0;
  std::size_t acting = 0;
  forEachTouching(q, [&](const Candidate&, const auto&, const Reach&) { ++acting; });
  if (state_.pattern.size() < 64 + 8 * acting) return false;
  place(q);
  search_->near(x_, reach_ + patternMargins * margin_, near_);
  if (2 * near_.size() > state_.pattern.size()) return false;
  rubs_.clear();
  widen(q);
  return true;
}

void PairContacts::setState(State state, const VectorX& q) {
  const int points = static_cast<int>(mesh_.points.size()), edges = static_cast<int>(mesh_.edges.size()),
            triangles = static_cast<int>(mesh_.triangles.size());
  for (const ContactPair& p : state.pattern) {
    const bool known = p.kind == ContactPair::Kind::edges ? p.i >= 0 && p.j >= 0 && p.i < edges && p.j < edges
                                                          : p.kind == ContactPair::Kind::pointTriangle && p.i >= 0 &&
                                                                p.j >= 0 && p.i < points && p.j < triangles;
    if (!known) throw std::runtime_error("the saved state does not belong to this scene");
  }
  state_ = std::move(state);
  std::sort(state_.pattern.begin(), state_.pattern.end());
  rubs_.clear();
  found_.resize(0);
  if (!empty()) follow(q);
}

}  // namespace tendril
