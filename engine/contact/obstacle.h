// An obstacle as contact sees it: a convex body at its current position, its signed distance, and the size of its
// features.
#pragma once

#include <limits>

#include "geometry/signed_distance.h"

namespace tendril::contact {

struct ObstacleShape {
  enum class Kind { plane, sphere, box, capsule, cylinder };
  Kind kind = Kind::plane;
  Vec3 point = Vec3::Zero(), end = Vec3::Zero(), normal = Vec3::UnitZ(), half = Vec3::Zero();
  Mat3 axes = Mat3::Identity();
  double radius = 0;
  Vec3 moved = Vec3::Zero();     ///< displacement from its initial position [m]
  Vec3 velocity = Vec3::Zero();  ///< [m/s]
};

/// From a description with the same members, such as a scene's.
template <class Description>
ObstacleShape obstacleShape(const Description& o) {
  ObstacleShape s;
  s.kind = static_cast<ObstacleShape::Kind>(o.kind);
  s.point = o.point, s.end = o.end, s.normal = o.normal, s.half = o.half, s.axes = o.axes, s.radius = o.radius;
  return s;
}

inline geometry::SignedDistance signedDistance(const ObstacleShape& o, const Vec3& at) {
  const Vec3 x = at - o.moved;
  switch (o.kind) {
    case ObstacleShape::Kind::plane:
      return geometry::planeDistance(x, o.point, o.normal);
    case ObstacleShape::Kind::sphere:
      return geometry::sphereDistance(x, o.point, o.radius);
    case ObstacleShape::Kind::box:
      return geometry::boxDistance(x, o.point, o.half, o.axes);
    case ObstacleShape::Kind::capsule:
      return geometry::capsuleDistance(x, o.point, o.end, o.radius);
    case ObstacleShape::Kind::cylinder:
      return geometry::cylinderDistance(x, o.point, o.end, o.radius);
  }
  return {};
}

/// A lower bound on the signed distance of `at` [m], at a fraction of the cost; minus infinity where none is known.
inline double distanceAtLeast(const ObstacleShape& o, const Vec3& at) {
  const Vec3 x = at - o.moved - o.point;
  if (o.kind == ObstacleShape::Kind::plane) return x.dot(o.normal);
  if (o.kind == ObstacleShape::Kind::sphere) return x.norm() - o.radius;
  if (o.kind == ObstacleShape::Kind::box) return ((o.axes.transpose() * x).cwiseAbs() - o.half).maxCoeff();
  return -std::numeric_limits<double>::infinity();
}

/// Smallest radius of curvature of the surface [m]: 0 where it has sharp edges, infinite for a plane.
inline double featureRadius(const ObstacleShape& o) {
  if (o.kind == ObstacleShape::Kind::plane) return std::numeric_limits<double>::infinity();
  return o.kind == ObstacleShape::Kind::sphere || o.kind == ObstacleShape::Kind::capsule ? o.radius : 0;
}

/// Depth of its deepest interior point [m], which no step may pass.
inline double inwardDepth(const ObstacleShape& o) {
  if (o.kind == ObstacleShape::Kind::plane) return std::numeric_limits<double>::infinity();
  if (o.kind == ObstacleShape::Kind::box) return o.half.minCoeff();
  if (o.kind == ObstacleShape::Kind::cylinder) return std::min(o.radius, 0.5 * (o.end - o.point).norm());
  return o.radius;
}

}  // namespace tendril::contact
