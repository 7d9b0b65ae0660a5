// Distances between convex shapes, points and segments in the plane. Inside a polygon the edges' normals decide;
// outside, the nearest edge or corner.
#include "vines/step/planar_shapes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "geometry/sort_rows.h"

namespace tendril::vines {
namespace {

/// Unit outward normal of the core's edge from vertex i, for a counter-clockwise polygon.
Vec2 edgeNormal(const std::vector<Vec2>& core, std::size_t i) {
  const Vec2 edge = core[(i + 1) % core.size()] - core[i];
  return -leftOf(edge) / edge.norm();
}

/// Distance to a segment; `otherwise` is the normal where the distance is zero.
PlanarDistance toSegment(const Vec2& x, const Vec2& a, const Vec2& b, const Vec2& otherwise) {
  const Vec2 axis = b - a;
  const double u = std::clamp(axis.dot(x - a) / axis.squaredNorm(), 0.0, 1.0);
  const Vec2 away = x - a - u * axis;
  const double length = away.norm();
  return {length, length > 0 ? Vec2(away / length) : otherwise};
}

PlanarDistance toCore(const std::vector<Vec2>& core, const Vec2& x) {
  if (core.size() == 1) {
    const double length = (x - core[0]).norm();
    return {length, length > 0 ? Vec2((x - core[0]) / length) : Vec2(0, 1)};
  }
  if (core.size() == 2) return toSegment(x, core[0], core[1], edgeNormal(core, 0));
  PlanarDistance inside{-infinity, Vec2(0, 1)}, outside{infinity, Vec2(0, 1)};
  for (std::size_t i = 0; i < core.size(); ++i) {
    const Vec2 normal = edgeNormal(core, i);
    const double over = normal.dot(x - core[i]);
    if (over > inside.distance) inside = {over, normal};
    if (over <= 0) continue;
    const PlanarDistance edge = toSegment(x, core[i], core[(i + 1) % core.size()], normal);
    if (edge.distance < outside.distance) outside = edge;
  }
  return inside.distance <= 0 ? inside : outside;
}

/// A segment relative to the core of a shape: which side of its line the core lies on, and how far away.
class SegmentView {
 public:
  SegmentView(const PlanarShape& shape, const Vec2& a, const Vec2& b)
      : shape_(shape), a_(a), b_(b), length_((b - a).norm()), along_((b - a) / length_), left_(leftOf(along_)) {
    double lowest = infinity, highest = -infinity;
    for (std::size_t i = 0; i < shape.core.size(); ++i) {
      const double height = left_.dot(shape.core[i] - a);
      if (height < lowest) lowest = height, lowestVertex_ = int(i);
      if (height > highest) highest = height, highestVertex_ = int(i);
    }
    side_ = lowest >= 0 ? 1 : highest <= 0 ? -1 : 0;
    depthLeft_ = lowest, depthRight_ = -highest;
  }

  /// 1: the core lies to the left of the segment's line, -1: to the right, 0: on both sides.
  int side() const { return side_; }
  double length() const { return length_; }
  Vec2 normal() const { return -side_ * left_; }
  /// Height of a vertex above the line, when the core lies on one side.
  double height(int vertex) const { return side_ * left_.dot(shape_.core[vertex] - a_); }
  double position(int vertex) const { return along_.dot(shape_.core[vertex] - a_); }
  bool between(int vertex) const { return position(vertex) > 0 && position(vertex) < length_; }
  int nearestVertex() const { return side_ > 0 ? lowestVertex_ : highestVertex_; }

  /// If the segment crosses the core: the shortest displacement out of it, with a nonpositive distance. Otherwise a
  /// positive distance.
  SegmentContact shortestExit() const {
    SegmentContact out{0, -infinity, left_, -1};
    const auto offer = [&](double separation, double along, const Vec2& normal) {
      if (separation > out.distance) out = {along, separation, normal, -1};
    };
    for (std::size_t i = 0; shape_.core.size() > 1 && i < shape_.core.size(); ++i) {
      const Vec2 normal = edgeNormal(shape_.core, i);
      const double first = normal.dot(a_ - shape_.core[i]), last = normal.dot(b_ - shape_.core[i]);
      offer(std::min(first, last), first < last ? 0.0 : length_, normal);
    }
    offer(depthLeft_, std::clamp(position(lowestVertex_), 0.0, length_), -left_);
    offer(depthRight_, std::clamp(position(highestVertex_), 0.0, length_), left_);
    return out;
  }

 private:
  const PlanarShape& shape_;
  Vec2 a_, b_;
  double length_;
  Vec2 along_, left_;
  int side_ = 0, lowestVertex_ = 0, highestVertex_ = 0;
  double depthLeft_ = 0, depthRight_ = 0;
};

/// A neighbor of the nearest vertex lies flat if the slope of its edge is below this.
constexpr double flatSlope = 0.25;

}  // namespace

PlanarShape PlanarShape::circle(const Vec2& center, double radius) {
  PlanarShape shape;
  shape.core = {center};
  shape.radius = radius;
  return shape;
}

PlanarShape PlanarShape::capsule(const Vec2& from, const Vec2& to, double radius) {
  if (from == to) return circle(from, radius);
  PlanarShape shape;
  shape.core = {from, to};
  shape.radius = radius;
  return shape;
}

PlanarShape PlanarShape::box(const Vec2& center, const Vec2& half, double angle) {
  const Vec2 x = half.x() * Vec2(std::cos(angle), std::sin(angle)),
             y = half.y() * Vec2(-std::sin(angle), std::cos(angle));
  PlanarShape shape;
  shape.core = {center - x - y, center + x - y, center + x + y, center - x + y};
  return shape;
}

PlanarShape PlanarShape::polygon(const std::vector<Vec2>& points) {
  // Andrew's monotone chain; points on an edge are dropped.
  std::vector<Vec2> sorted = points, hull;
  const auto before = [](const Vec2& a, const Vec2& b) { return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y()); };
  geometry::sortRows(sorted, before);
  for (int half = 0; half < 2; ++half) {
    const std::size_t start = hull.size();
    for (const Vec2& x : sorted) {
      while (hull.size() >= start + 2 && cross(hull.back() - hull[hull.size() - 2], x - hull.back()) <= 0)
        hull.pop_back();
      hull.push_back(x);
    }
    if (!hull.empty()) hull.pop_back();
    std::reverse(sorted.begin(), sorted.end());
  }
  if (hull.size() < 3) throw std::invalid_argument("a polygon needs three corners that do not lie on one line");
  PlanarShape shape;
  shape.core = std::move(hull);
  return shape;
}

PlanarShape PlanarShape::plane(const Vec2& point, const Vec2& normal) {
  PlanarShape shape;
  shape.core = {point};
  shape.halfPlane = true;
  shape.normal = normal.normalized();
  return shape;
}

PlanarBox PlanarShape::box() const {
  if (halfPlane) return {Vec2(-infinity, -infinity), Vec2(infinity, infinity)};
  PlanarBox box{core[0], core[0]};
  for (const Vec2& x : core) box.include(x);
  return box.grown(radius);
}

PlanarDistance planarDistance(const PlanarShape& shape, const Vec2& x) {
  if (shape.halfPlane) return {shape.normal.dot(x - shape.core[0]), shape.normal};
  PlanarDistance d = toCore(shape.core, x);
  d.distance -= shape.radius;
  return d;
}

double planarDistance(const PlanarShape& shape, const Vec2& a, const Vec2& b) {
  const double ends = std::min(planarDistance(shape, a).distance, planarDistance(shape, b).distance);
  if (shape.halfPlane || a == b) return ends;
  const SegmentView view(shape, a, b);
  if (view.side() == 0) {
    const double out = view.shortestExit().distance;
    return out <= 0 ? out - shape.radius : ends;
  }
  double nearest = ends;
  for (int i = 0; i < int(shape.core.size()); ++i) {
    if (view.between(i)) nearest = std::min(nearest, view.height(i) - shape.radius);
  }
  return nearest;
}

int segmentContacts(const PlanarShape& shape, const Vec2& a, const Vec2& b, double reach,
                    std::array<SegmentContact, 4>& contacts) {
  int count = 0;
  const SegmentView view(shape, a, b);
  if (!shape.halfPlane && view.side() == 0) {
    SegmentContact out = view.shortestExit();
    if (out.distance <= 0) {
      out.distance -= shape.radius;
      contacts[0] = out;
      return 1;
    }
  }
  const PlanarDistance end = planarDistance(shape, b);
  if (end.distance < reach) contacts[count++] = {view.length(), end.distance, end.normal, 0};
  if (shape.halfPlane || view.side() == 0) return count;
  const auto offer = [&](int vertex) {
    const double distance = view.height(vertex) - shape.radius;
    if (distance < reach && view.between(vertex))
      contacts[count++] = {view.position(vertex), distance, view.normal(), 1 + vertex};
  };
  const int size = int(shape.core.size()), nearest = view.nearestVertex();
  offer(nearest);
  const int next = (nearest + 1) % size, before = (nearest + size - 1) % size;
  const auto flat = [&](int vertex) {
    const double rise = view.height(vertex) - view.height(nearest);
    return vertex != nearest && rise < flatSlope * (shape.core[vertex] - shape.core[nearest]).norm();
  };
  if (flat(next)) offer(next);
  if (before != next && flat(before)) offer(before);
  return count;
}

}  // namespace tendril::vines
