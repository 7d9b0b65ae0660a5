#include "rods_shells/terms/obstacle_points.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "contact/obstacle_passage.h"

namespace tendril::rods_shells {
ObstaclePoints::ObstaclePoints(const Structure& structure, const scene::Scene& scene,
                               const world::ObstacleContact& outside)
    : s_(structure), scene_(scene), obstacles_(outside.shapes()), motion_(outside.motion()) {
  for (std::size_t o = 0; o < obstacles_.size(); ++o) {
    const auto same = [&](int other) {
      return contact::featureRadius(obstacles_[static_cast<std::size_t>(other)]) ==
             contact::featureRadius(obstacles_[o]);
    };
    const auto known = std::find_if(finenesses_.begin(), finenesses_.end(), same);
    fineness_.push_back(known == finenesses_.end() ? static_cast<int>(o) : *known);
    if (known == finenesses_.end()) finenesses_.push_back(static_cast<int>(o));
  }
  ranges_.resize(obstacles_.size()), groups_.resize(1);
  reach_.resize(static_cast<std::size_t>(scene.bodyCount()));
}

int ObstaclePoints::parts(const ContactCarrier& c, int obstacle) const {
  const contact::ObstacleShape& o = obstacles_[static_cast<std::size_t>(obstacle)];
  if (c.middle.count == 1 || (c.middle.count == 3 && contact::featureRadius(o) == 0)) return 1;
  return static_cast<int>(std::min(c.most, contact::partsNeeded(o, c.middle.radius, c.length)));
}

// Of a rod's edges to the middle of the way to their next points, so that all points together stand for its length.
double ObstaclePoints::nodeShare(const ContactCarrier& node, int obstacle) const {
  if (!scene_.isRod(node.middle.body)) return node.share;
  double share = 0;
  for (const int i : rodEdges_[static_cast<std::size_t>(node.middle.nodes[0])])
    share += 0.5 * carriers_[i].length / parts(carriers_[i], obstacle);
  return share;
}

void ObstaclePoints::setReach(std::span<const double> reach) {
  if (std::equal(reach.begin(), reach.end(), reach_.begin(), std::less_equal<>())) return;
  reach_.assign(reach.begin(), reach.end());
  forget();
}

void ObstaclePoints::forget() {
  for (Group& group : groups_) group.nodesAt.clear();
}

void ObstaclePoints::forgetSlots() {
  for (Group& group : groups_) {
    for (ObstacleCandidate& c : group.candidates) c.slots[0] = -1;
  }
}

Vec3 ObstaclePoints::standOf(std::size_t obstacle, Stand stand, double later) const {
  const world::ObstaclePath& path = motion_.path(obstacle);
  if (stand == Stand::before) return path.before;
  if (stand == Stand::after) return path.after;
  return later == 0 ? obstacles_[obstacle].moved
                    : Vec3(obstacles_[obstacle].moved + later * obstacles_[obstacle].velocity);
}

// How far one of its nodes has gone since it was looked at.
double ObstaclePoints::farthest(const Group& group, const VectorX& q) const {
  double square = 0;
  for (std::size_t k = 0; k < group.nodes.size(); ++k) {
    square = std::max(square, (q.segment<3>(s_.nodeDof[group.nodes[k]]) - group.nodesAt[k]).squaredNorm());
  }
  return std::sqrt(square);
}

// How far an obstacle is from where it was looked at, at its farthest within the step.
double ObstaclePoints::farthestWay(const Group& group) const {
  double square = 0;
  for (std::size_t o = 0; o < obstacles_.size(); ++o) {
    const world::ObstaclePath& path = motion_.path(o);
    for (const Vec3* at : {&path.before, &path.after, &path.now})
      square = std::max(square, (*at - group.obstaclesAt[o]).squaredNorm());
  }
  return std::sqrt(square);
}

std::vector<ObstacleCandidate>& ObstaclePoints::around(const VectorX& q, Stand stand, double later) {
  Group& group = here();
  if (!group.nodesAt.empty() && std::isinf(group.margin)) return group.candidates;
  if (!group.nodesAt.empty()) {
    double square = 0;
    for (std::size_t o = 0; o < obstacles_.size(); ++o)
      square = std::max(square, (standOf(o, stand, later) - group.obstaclesAt[o]).squaredNorm());
    if (farthest(group, q) + std::sqrt(square) <= group.margin) return group.candidates;
  }
  group.obstaclesAt.clear();
  for (std::size_t o = 0; o < obstacles_.size(); ++o) group.obstaclesAt.push_back(standOf(o, stand, later));
  search(group, q);
  return group.candidates;
}

template <class Wider>
void ObstaclePoints::search(const std::vector<int>& carriers, const VectorX& q0, const VectorX& q1, Wider wider,
                            std::vector<ObstacleCandidate>& out) {
  out.clear();
  for (const int i : carriers) {
    const ContactPoint& p = carriers_[i].middle;
    search_.meet(boxOf(p, wider(p), q0, q1), met_);
    for (const int o : met_) addCandidates(i, o, out);
  }
}

void ObstaclePoints::search(Group& group, const VectorX& q) {
  if (std::isinf(group.margin)) {
    group.candidates.clear();
    for (const int i : group.carriers) {
      for (std::size_t o = 0; o < obstacles_.size(); ++o) addCandidates(i, static_cast<int>(o), group.candidates);
    }
  } else {
    for (std::size_t o = 0; o < obstacles_.size(); ++o) ranges_[o] = {group.obstaclesAt[o], group.obstaclesAt[o]};
    search_.setObstacles(obstacles_, ranges_);
    search(
        group.carriers, q, q, [&](const ContactPoint& p) { return p.radius + reachOf(p.body) + group.margin; },
        group.candidates);
  }
  group.nodesAt.clear();
  for (const int i : group.nodes) group.nodesAt.push_back(q.segment<3>(s_.nodeDof[i]));
}

void ObstaclePoints::lookAtWays() {
  for (std::size_t o = 0; o < obstacles_.size(); ++o) {
    const world::ObstaclePath& path = motion_.path(o);
    ranges_[o] = {path.before, path.before};
    ranges_[o].add(path.after), ranges_[o].add(path.now);
  }
  search_.setObstacles(obstacles_, ranges_);
}

const std::vector<ObstacleCandidate>& ObstaclePoints::onWays(const VectorX& q0, const VectorX& q1) {
  Group& group = here();
  const auto covers = [&] {
    return std::isinf(group.margin) ||
           std::max(farthest(group, q0), farthest(group, q1)) + farthestWay(group) <= group.margin;
  };
  if (!group.nodesAt.empty() && covers()) return group.candidates;
  around(q0);
  if (covers()) return group.candidates;
  lookAtWays();
  search(
      group.carriers, q0, q1, [](const ContactPoint& p) { return p.radius; }, swept_);
  return swept_;
}

const std::vector<int>& ObstaclePoints::near(const ContactCarrier& carrier, double wide, const VectorX& q0,
                                             const VectorX& q1) {
  search_.meet(boxOf(carrier.middle, wide, q0, q1), met_);
  return met_;
}

contact::Box ObstaclePoints::boxOf(const ContactPoint& p, double wider, const VectorX& q0, const VectorX& q1) const {
  Vec3 low = placeOf(p.nodes[0], q0), high = low;
  for (int k = 0; k < p.count; ++k) {
    const Vec3 from = placeOf(p.nodes[k], q0), to = placeOf(p.nodes[k], q1);
    low = low.cwiseMin(from).cwiseMin(to), high = high.cwiseMax(from).cwiseMax(to);
  }
  return {low - Vec3::Constant(wider), high + Vec3::Constant(wider)};
}

void ObstaclePoints::addCandidates(int carrier, int obstacle, std::vector<ObstacleCandidate>& out) const {
  const ContactCarrier& c = carriers_[carrier];
  ObstacleCandidate candidate{carrier, obstacle, 0, c.middle, 0};
  const auto add = [&] {
    const auto began = std::lower_bound(overlapping_.begin(), overlapping_.end(), candidate,
                                        [](const auto& a, const auto& b) { return a.isBefore(b); });
    candidate.overlap = began != overlapping_.end() && !candidate.isBefore(*began) ? began->overlap : 0;
    out.push_back(candidate);
    ++candidate.place;
  };
  if (c.middle.count == 1) {
    candidate.share = nodeShare(c, obstacle);
    add();
    return;
  }
  const int n = parts(c, obstacle);
  candidate.share = c.length / n;
  for (int i = 1; i < n; ++i) {
    const double u = static_cast<double>(i) / n;
    if (c.middle.count == 2) {
      candidate.point.weights = {1 - u, u, 0};
      add();
      continue;
    }
    for (int j = 1; i + j < n; ++j) {
      const double v = static_cast<double>(j) / n;
      candidate.point.weights = {1 - u - v, u, v};
      add();
    }
  }
}

void ObstaclePoints::findOverlaps() {
  const VectorX still = VectorX::Zero(s_.size);
  std::vector<contact::ObstacleShape> shapes = obstacles_;
  for (std::size_t o = 0; o < shapes.size(); ++o) {
    shapes[o].moved = motion_.initial(o);
    ranges_[o] = {shapes[o].moved, shapes[o].moved};
  }
  overlapping_.clear();
  search_.setObstacles(obstacles_, ranges_);
  std::vector<ObstacleCandidate> near;
  search(
      groups_.back().carriers, still, still, [](const ContactPoint& p) { return p.radius; }, near);
  for (ObstacleCandidate& c : near) {
    Vec3 x = Vec3::Zero();
    for (int k = 0; k < c.point.count; ++k) x += c.point.weights[k] * placeOf(c.point.nodes[k], still);
    const contact::ObstacleShape& shape = shapes[static_cast<std::size_t>(c.obstacle)];
    if (contact::distanceAtLeast(shape, x) >= c.point.radius) continue;
    c.overlap = std::max(0.0, c.point.radius - contact::signedDistance(shape, x).distance);
    if (c.overlap > 0) overlapping_.push_back(c);
  }
  forget();
}

}  // namespace tendril::rods_shells
