// Cuts of half spaces, balls, boxes, capsules and cylinders by a plane.
#include "vines/cross_section.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/signed_distance.h"

namespace tendril::vines {
namespace {

constexpr double level = 1e-12;  // of unit directions: below it they lie in the plane, or perpendicular to it
constexpr int corners = 128;     // of the polygon for an oblique cut

std::optional<PlanarShape> cutPlane(const scene::Obstacle& o, const Vec3& at, const Plane& plane) {
  const Vec2 n = plane.shadow(o.normal);
  if (n.norm() < 1e-9) return std::nullopt;
  // The point of the plane on the obstacle's border.
  const double height = o.normal.dot(at - plane.origin);
  return PlanarShape::plane(height * n / n.squaredNorm(), n.normalized());
}

std::optional<PlanarShape> cutBall(const Vec3& center, double radius, const Plane& plane) {
  const double off = plane.normal().dot(center - plane.origin);
  if (!(std::abs(off) < radius)) return std::nullopt;
  return PlanarShape::circle(plane.shadowOf(center), std::sqrt(radius * radius - off * off));
}

std::optional<PlanarShape> cutBox(const scene::Obstacle& o, const Vec3& at, const Plane& plane) {
  const auto corner = [&](int i) {
    const Vec3 side((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1);
    return Vec3(at + o.axes * side.cwiseProduct(o.half));
  };
  const Vec3 normal = plane.normal();
  // A plane that only touches a corner, an edge or a face does not cut.
  const double middle = normal.dot(at - plane.origin), reach = (o.axes.transpose() * normal).cwiseAbs().dot(o.half);
  if (!(std::abs(middle) < (1 - 1e-9) * reach)) return std::nullopt;
  std::vector<Vec2> points;
  for (int i = 0; i < 8; ++i) {
    for (int bit = 1; bit < 8; bit *= 2) {
      if ((i & bit) != 0) continue;
      const Vec3 a = corner(i), b = corner(i | bit);
      const double from = normal.dot(a - plane.origin), to = normal.dot(b - plane.origin);
      if (from * to > 0 || from == to) continue;
      points.push_back(plane.shadowOf(Vec3(a + from / (from - to) * (b - a))));
    }
  }
  return PlanarShape::polygon(points);
}

// The cut's farthest point from an interior point in each of many directions; the cut is convex.
std::optional<PlanarShape> cutObliquely(const scene::Obstacle& o, const Vec3& from, const Vec3& to,
                                        const Plane& plane) {
  const auto outside = [&](const Vec2& x) {
    return o.kind == scene::Obstacle::Kind::capsule
               ? geometry::capsuleDistance(plane.point(x), from, to, o.radius).distance
               : geometry::cylinderDistance(plane.point(x), from, to, o.radius).distance;
  };
  // The deepest point lies on the axis' projection, along which distance is convex.
  const Vec2 a = plane.shadowOf(from), b = plane.shadowOf(to), along = (b - a).normalized();
  double low = -o.radius, high = (b - a).norm() + o.radius;
  for (int i = 0; i < 100; ++i) {
    const double one = low + (high - low) / 3, two = high - (high - low) / 3;
    if (outside(a + one * along) < outside(a + two * along))
      high = two;
    else
      low = one;
  }
  const Vec2 middle = a + 0.5 * (low + high) * along;
  const double reach = (to - from).norm() + 2 * o.radius;
  if (!(outside(middle) < -1e-9 * reach)) return std::nullopt;
  std::vector<Vec2> points;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * pi * i / corners;
    const Vec2 direction(std::cos(angle), std::sin(angle));
    double inner = 0, outer = reach;
    for (int k = 0; k < 60; ++k) {
      const double half = 0.5 * (inner + outer);
      (outside(middle + half * direction) < 0 ? inner : outer) = half;
    }
    points.push_back(middle + inner * direction);
  }
  return PlanarShape::polygon(points);
}

std::optional<PlanarShape> cutRound(const scene::Obstacle& o, const Vec3& moved, const Plane& plane) {
  const Vec3 from = o.point + moved, to = o.end + moved, normal = plane.normal();
  const Vec3 axis = (to - from).normalized();
  const bool capsule = o.kind == scene::Obstacle::Kind::capsule;
  const double a = normal.dot(from - plane.origin), b = normal.dot(to - plane.origin);
  if (std::abs(axis.dot(normal)) < level) {
    if (!(std::abs(a) < o.radius)) return std::nullopt;
    const double half = std::sqrt(o.radius * o.radius - a * a);
    const Vec2 p = plane.shadowOf(from), q = plane.shadowOf(to);
    if (capsule) return PlanarShape::capsule(p, q, half);
    const Vec2 side = half * leftOf((q - p).normalized());
    return PlanarShape::polygon({p - side, q - side, q + side, p + side});
  }
  if (plane.shadow(axis).norm() < level) {
    if (a * b < 0) return PlanarShape::circle(plane.shadowOf(from), o.radius);
    return capsule ? cutBall(std::abs(a) < std::abs(b) ? from : to, o.radius, plane) : std::nullopt;
  }
  return cutObliquely(o, from, to, plane);
}

}  // namespace

std::optional<PlanarShape> crossSection(const scene::Obstacle& obstacle, const Vec3& moved, const Plane& plane) {
  switch (obstacle.kind) {
    case scene::Obstacle::Kind::plane:
      return cutPlane(obstacle, obstacle.point + moved, plane);
    case scene::Obstacle::Kind::sphere:
      return cutBall(obstacle.point + moved, obstacle.radius, plane);
    case scene::Obstacle::Kind::box:
      return cutBox(obstacle, obstacle.point + moved, plane);
    default:
      return cutRound(obstacle, moved, plane);
  }
}

bool holdsPlane(const scene::Obstacle& obstacle, const Vec3& moved, const Plane& plane) {
  return obstacle.kind == scene::Obstacle::Kind::plane && plane.shadow(obstacle.normal).norm() < 1e-9 &&
         obstacle.normal.dot(plane.origin - obstacle.point - moved) < 0;
}

}  // namespace tendril::vines
