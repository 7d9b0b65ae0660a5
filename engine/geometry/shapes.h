// Path shapes of rods as points: line, arc, helix, parametric curve, and explicit points. Each gives the nodes and the
// path's own unit tangent at every node; a path that cannot be a rod gives a message.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "geometry/types.h"

namespace tendril::geometry {

/// Nodes [m] and unit tangents of the path; equally many, at least two.
struct Shape {
  std::vector<Vec3> points;
  std::vector<Vec3> tangents;
};

/// A shape, or what is wrong with it.
using ShapeResult = std::variant<Shape, std::string>;

/// `segments` equal edges from `from` to `to`.
ShapeResult lineShape(const Vec3& from, const Vec3& to, int segments);

/// Circle about the line through `center` along `axis`, from `from`, right-handed by `angle` [rad]; nodes on the
/// circle.
ShapeResult arcShape(const Vec3& center, const Vec3& from, const Vec3& axis, double angle, int segments);

/// Helix about the line through `center` along `axis`, from `from`, advancing along the axis. `pitch` [m] is the rise
/// of one full turn (positive: right-handed; 0: a circle), `length` [m] the contour length; nodes on the helix.
ShapeResult helixShape(const Vec3& from, const Vec3& axis, const Vec3& center, double pitch, double length,
                       int segments);

/// Nodes at equal arc length (1e-10 relative for smooth curves) on `curve`, a function of u in [0, 1]. Exceptions of
/// `curve` pass through.
ShapeResult curveShape(const std::function<Vec3(double)>& curve, int segments);

/// Exactly these nodes. Tangents: the bisectors; at the ends, the first edge rotated back and the last one rotated
/// forward by half the neighboring turning angle.
ShapeResult pointsShape(std::vector<Vec3> points);

}  // namespace tendril::geometry
