// Where a tracker or a camera sees points of the scene, with derivatives: a rigid placement with a scale, or the
// homography between a plane of the scene and an image.
#pragma once

#include <array>
#include <string>

#include "geometry/types.h"

namespace tendril::fit {

/// A plane of the scene with two coordinates of its own [m].
struct ScenePlane {
  Vec3 origin = Vec3::Zero();
  Vec3 x = Vec3::UnitX(), y = Vec3::UnitZ();  ///< unit vectors at right angles

  Vec2 coordinates(const Vec3& point) const { return {x.dot(point - origin), y.dot(point - origin)}; }
  double distance(const Vec3& point) const;  ///< [m], not negative
};

/// Four points of the plane, in its coordinates [m], or four of the image, in its unit.
using Corners = std::array<Vec2, 4>;

/// What coordinates mean. `numbers` below are
/// - of a tracker, 7: rotation vector [rad], translation [m], scale [unit of its data over m]; a point p of the scene
/// is
///   seen at scale * (R p + translation);
/// - of a camera, 8: x and y in the image of each of the four corners [unit of its data], which are those of the
///   homography that takes the plane to the image. Points off the plane are seen where their feet on it are.
struct Placement {
  enum class Kind { scene, tracker, camera };
  Kind kind = Kind::scene;  ///< `scene`: the scene's own coordinates, no numbers
  ScenePlane plane;         ///< the camera's
  Corners corners = {};     ///< in the plane

  int axes() const { return kind == Kind::camera ? 2 : 3; }
  int count() const { return kind == Kind::scene ? 0 : kind == Kind::tracker ? 7 : 8; }
};

/// A point as it is seen.
struct Sighting {
  std::string problem;               ///< why it is not; the rest is then undefined
  Vec3 at = Vec3::Zero();            ///< z is 0 in an image
  Mat3 byPoint = Mat3::Zero();       ///< d at / d point
  Mat<3, Eigen::Dynamic> byNumbers;  ///< d at / d numbers
};

/// `point` [m] of the scene. It has a problem where flawOf() names one, or it lies on the camera's horizon or beyond.
Sighting sightOf(const Placement& placement, ConstVectorRef numbers, const Vec3& point);

/// Why no tracker or camera has these numbers; empty: one may. Four points define a homography where no three lie on a
/// line in the plane or in the image, and a camera sees them where all four are then on one side of its horizon.
std::string flawOf(const Placement& placement, ConstVectorRef numbers);

/// The camera's homography H: H (a, b, 1) is proportional to (x, y, 1), (a, b) in the plane [m] and (x, y) in the
/// image. Its last entry is 1, unless the plane's origin lies on the horizon; then its largest is.
Mat3 homographyOf(const Placement& placement, ConstVectorRef numbers);

/// The least height of the triangles that three of four points make.
double leastHeight(const Corners& points);

/// The largest distance between two of four points.
double sizeOf(const Corners& points);

/// Of a camera's numbers.
Corners imageOf(ConstVectorRef numbers);

}  // namespace tendril::fit
