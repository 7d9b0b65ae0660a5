// The plane of a vine, and the cross-section of an obstacle in it.
#pragma once

#include <optional>

#include "scene/scene.h"
#include "vines/step/planar_shapes.h"

namespace tendril::vines {

/// Axes u, v of a plane through a point; rotation from u to v is positive.
struct Plane {
  Vec3 origin = Vec3::Zero();
  Vec3 u = Vec3::UnitX(), v = Vec3::UnitY();

  Vec3 normal() const { return u.cross(v); }
  Vec2 shadow(const Vec3& x) const { return {u.dot(x), v.dot(x)}; }
  Vec2 shadowOf(const Vec3& x) const { return shadow(x - origin); }
  Vec3 vector(const Vec2& x) const { return x.x() * u + x.y() * v; }
  Vec3 point(const Vec2& x) const { return origin + vector(x); }
};

/// Cross-section of the obstacle, displaced by `moved` [m], with the plane; empty where they do not meet or only touch,
/// and for a half space that the plane does not cut. Oblique cuts of capsules and cylinders become polygons of 128
/// corners, accurate to 3e-4 of their width. Velocity and friction keep PlanarShape's defaults.
std::optional<PlanarShape> crossSection(const scene::Obstacle& obstacle, const Vec3& moved, const Plane& plane);

/// Whether the whole plane lies in the obstacle's half space.
bool holdsPlane(const scene::Obstacle& obstacle, const Vec3& moved, const Plane& plane);

}  // namespace tendril::vines
