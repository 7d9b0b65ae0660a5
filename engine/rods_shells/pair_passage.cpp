// What pairs in contact must not do: start inside each other past parting, pass through each other on the way of an
// update or of a step, or come so near that contact could not part them again.
#include <algorithm>
#include <cstdio>

#include "contact/sweep.h"
#include "model/model.h"
#include "rods_shells/terms/pair_contacts.h"

namespace tendril::rods_shells {
namespace {

constexpr double squeezedShare = 0.1;  // of the radii: centers nearer than this are as good as crossed

std::string inWords(const Vec3& x) {
  char text[80];
  std::snprintf(text, sizeof text, "[%.4g, %.4g, %.4g]", x.x(), x.y(), x.z());
  return text;
}

}  // namespace

void PairContacts::refuseBadStart() const {
  if (const auto pierced = search_->pierced(s_.nodes)) {
    const contact::ContactMesh::Edge& e = mesh_.edges[(*pierced)[0]];
    throw model::BuildError("/contact/self",
                            "an edge of \"" + scene_.bodyName(e.body) + "\" starts on both sides of \"" +
                                scene_.bodyName(mesh_.triangles[(*pierced)[1]].body) + "\", near " +
                                inWords(s_.nodes[e.nodes[0]]) +
                                ": contact cannot part what passes through; let the bodies start apart, or join them");
  }
  for (const auto& [pair, depth] : overlaps_) {
    const double radii = search_->radii(pair);
    const auto [a, b] = bodiesOf(pair);
    if (depth < (1 - squeezedShare * squeezedShare) * radii || (scene_.isRod(a) && scene_.isRod(b))) continue;
    throw model::BuildError("/contact/self",
                            "\"" + scene_.bodyName(a) + "\" and \"" + scene_.bodyName(b) +
                                "\" start in the same place near " + inWords(s_.nodes[search_->nodes(pair)[0]]) +
                                ": contact cannot tell where either belongs; let them start apart, or join them");
  }
}

void PairContacts::findOverlaps() {
  overlaps_.clear();
  search_->near(contact::PairSearch::everything(mesh_), s_.nodes, 0, near_);
  const VectorX still = VectorX::Zero(s_.size);
  for (const contact::ContactPair& pair : near_) {
    const Candidate c = candidate(pair);
    const double depth = c.radii - distanceOf(c, corners(c.nodes, still)).distance;
    if (depth > 0) overlaps_.emplace_back(pair, depth);
  }
}

std::string PairContacts::overlapWarning() const {
  const std::pair<contact::ContactPair, double>* deepest = nullptr;
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
  return std::to_string(count) + (count == 1 ? " pair" : " pairs") +
         " of edges, or of points and triangles, overlap at the start, deepest by " + depth + ": \"" +
         scene_.bodyName(a) + "\" and \"" + scene_.bodyName(b) + "\" near " +
         inWords(s_.nodes[search_->nodes(deepest->first)[0]]) + "; contact will push them apart";
}

template <class Visit>
void PairContacts::forEachOnTheWay(const VectorX& q, const VectorX& dq, Visit visit) {
  for (const Group& group : here()) {
    const auto moves = [&](int dof, std::size_t) -> Vec3 { return dq.segment<3>(dof); };
    if (!group.found.empty() && sinceFound(group, q) + farthest(group, moves) <= 0.5 * group.margin) {
      for (const Candidate& c : group.candidates) visit(c.pair, c.nodes, c.radii);
      continue;
    }
    place(group, q);
    dx_.resize(x_.size());
    for (const int i : group.nodes) dx_[i] = dq.segment<3>(s_.nodeDof[i]);
    search_->swept(group.among, x_, dx_, near_);
    for (const contact::ContactPair& pair : near_) visit(pair, search_->nodes(pair), search_->radii(pair));
  }
}

std::array<Vec3, 4> PairContacts::moves(const std::array<int, 4>& nodes, const VectorX& dq) const {
  std::array<Vec3, 4> dx;
  for (int k = 0; k < 4; ++k) dx[k] = dq.segment<3>(s_.nodeDof[nodes[k]]);
  return dx;
}

double PairContacts::longestStep(const VectorX& q, const VectorX& dq) {
  double alpha = 1;
  if (empty()) return alpha;
  forEachOnTheWay(q, dq, [&](const contact::ContactPair& pair, const std::array<int, 4>& nodes, double radii) {
    alpha = std::min(alpha,
                     contact::longestStep(pair.kind, corners(nodes, q), moves(nodes, dq), 0.5 * squeezedShare * radii));
  });
  return alpha;
}

std::string PairContacts::passedThrough(const VectorX& q0, const VectorX& q1) {
  std::string who;
  if (empty()) return who;
  way_ = q1 - q0;
  forEachOnTheWay(q0, way_, [&](const contact::ContactPair& pair, const std::array<int, 4>& nodes, double radii) {
    if (!who.empty() ||
        contact::staysApart(pair.kind, corners(nodes, q0), moves(nodes, way_), 0.5 * squeezedShare * radii))
      return;
    const auto [a, b] = bodiesOf(pair);
    who = "\"" + scene_.bodyName(a) + "\" and " + (a == b ? std::string("itself") : "\"" + scene_.bodyName(b) + "\"") +
          " would pass through each other within this step";
  });
  return who;
}

std::string PairContacts::pressedThrough(const VectorX& q0, const VectorX& q1) {
  if (empty()) return {};
  follow(q1);
  for (const Group& group : here()) {
    for (const Candidate& c : group.candidates) {
      const double now = contact::centeredistance(c.pair.kind, corners(c.nodes, q1));
      if (now >= squeezedShare * c.radii || now >= contact::centeredistance(c.pair.kind, corners(c.nodes, q0)))
        continue;
      const auto [a, b] = bodiesOf(c.pair);
      return "\"" + scene_.bodyName(a) + "\" would be pressed through " +
             (a == b ? std::string("itself") : "\"" + scene_.bodyName(b) + "\"") +
             ": contact is too soft for what pushes; raise its \"stiffness\"";
    }
  }
  return {};
}

}  // namespace tendril::rods_shells
