#include "contact/obstacle_search.h"

#include <algorithm>

namespace tendril::contact {
namespace {

constexpr int mostInLeaf = 4;

/// Bounding box of an obstacle at its initial position.
Box around(const ObstacleShape& o) {
  switch (o.kind) {
    case ObstacleShape::Kind::box: {
      const Vec3 half = o.axes.cwiseAbs() * o.half;
      return {o.point - half, o.point + half};
    }
    case ObstacleShape::Kind::capsule:
    case ObstacleShape::Kind::cylinder: {
      const Vec3 wide = Vec3::Constant(o.radius);
      return {o.point.cwiseMin(o.end) - wide, o.point.cwiseMax(o.end) + wide};
    }
    default:
      return {o.point - Vec3::Constant(o.radius), o.point + Vec3::Constant(o.radius)};
  }
}

/// Largest n . x for x in a box.
double farthest(const Vec3& n, const Vec3& low, const Vec3& high) {
  return n.cwiseProduct(low).cwiseMax(n.cwiseProduct(high)).sum();
}

}  // namespace

void ObstacleSearch::setObstacles(std::span<const ObstacleShape> shapes, std::span<const Range> ranges) {
  planes_.clear(), order_.clear(), nodes_.clear();
  boxes_.resize(shapes.size());
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const ObstacleShape& o = shapes[i];
    const int obstacle = static_cast<int>(i);
    if (o.kind == ObstacleShape::Kind::plane) {
      planes_.push_back(
          {o.normal, o.normal.dot(o.point) + farthest(o.normal, ranges[i].low, ranges[i].high), obstacle});
      continue;
    }
    const Box still = around(o);
    boxes_[i] = {still.low + ranges[i].low, still.high + ranges[i].high};
    order_.push_back(obstacle);
  }
  if (order_.empty()) return;
  nodes_.emplace_back();
  split(0, 0, static_cast<int>(order_.size()));
}

// At the median of the centers, along the axis in which they differ most.
void ObstacleSearch::split(int node, int begin, int end) {
  const auto center = [this](int obstacle) -> Vec3 { return 0.5 * (boxes_[obstacle].low + boxes_[obstacle].high); };
  Box all = boxes_[order_[begin]];
  Vec3 low = center(order_[begin]), high = low;
  for (int i = begin + 1; i < end; ++i) {
    const Box& box = boxes_[order_[i]];
    all = {all.low.cwiseMin(box.low), all.high.cwiseMax(box.high)};
    low = low.cwiseMin(center(order_[i])), high = high.cwiseMax(center(order_[i]));
  }
  if (end - begin <= mostInLeaf) {
    nodes_[node] = {all, begin, end, true};
    return;
  }
  int axis = 0;
  (high - low).maxCoeff(&axis);
  const int middle = (begin + end) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](int a, int b) {
    const double x = center(a)[axis], y = center(b)[axis];
    return x < y || (x == y && a < b);
  });
  const int halves = static_cast<int>(nodes_.size());
  nodes_[node] = {all, halves, halves + 2, false};
  nodes_.resize(nodes_.size() + 2);
  split(halves, begin, middle);
  split(halves + 1, middle, end);
}

void ObstacleSearch::meet(int node, const Box& box, std::vector<int>& obstacles) const {
  const Node& n = nodes_[node];
  if (!overlap(n.box, box)) return;
  if (!n.leaf) {
    meet(n.begin, box, obstacles);
    meet(n.begin + 1, box, obstacles);
    return;
  }
  for (int i = n.begin; i < n.end; ++i) {
    if (overlap(boxes_[order_[i]], box)) obstacles.push_back(order_[i]);
  }
}

void ObstacleSearch::meet(const Box& box, std::vector<int>& obstacles) const {
  obstacles.clear();
  for (const Plane& p : planes_) {
    if (-farthest(-p.normal, box.low, box.high) <= p.height) obstacles.push_back(p.obstacle);
  }
  if (!nodes_.empty()) meet(0, box, obstacles);
  std::sort(obstacles.begin(), obstacles.end());
}

}  // namespace tendril::contact
