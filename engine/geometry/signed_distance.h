// Signed distance of a point to convex bodies, negative inside, with exact gradient and Hessian. Inside, the nearest
// face decides; on the medial axis, where faces tie, the first one does.
#pragma once

#include <algorithm>
#include <cmath>

#include "geometry/types.h"

namespace tendril::geometry {

struct SignedDistance {
  double distance = 0;          ///< [m]
  Vec3 normal = Vec3::Zero();   ///< gradient, unit
  Mat3 hessian = Mat3::Zero();  ///< [1/m]
};

namespace signed_distance_detail {

/// |v| with v = x - (a fixed or sliding) point: Hessian (I_free - n n^T) / |v|, with `free` the directions that count.
/// Where v is zero, the direction is undefined and `otherwise` is used.
inline SignedDistance fromVector(const Vec3& v, const Mat3& free, double offset, const Vec3& otherwise) {
  SignedDistance out;
  const double length = v.norm();
  out.distance = length - offset;
  out.normal = length > 0 ? Vec3(v / length) : otherwise;
  if (length > 0) out.hessian = (free - out.normal * out.normal.transpose()) / length;
  return out;
}

}  // namespace signed_distance_detail

/// Half space behind a plane through `point` with unit `normal`.
inline SignedDistance planeDistance(const Vec3& x, const Vec3& point, const Vec3& normal) {
  SignedDistance out;
  out.distance = normal.dot(x - point);
  out.normal = normal;
  return out;
}

inline SignedDistance sphereDistance(const Vec3& x, const Vec3& center, double radius) {
  return signed_distance_detail::fromVector(x - center, Mat3::Identity(), radius, Vec3::UnitZ());
}

/// All points within `radius` of the segment from a to b.
inline SignedDistance capsuleDistance(const Vec3& x, const Vec3& a, const Vec3& b, double radius) {
  const Vec3 axis = b - a;
  const double u = axis.dot(x - a) / axis.squaredNorm();
  if (u <= 0) return sphereDistance(x, a, radius);
  if (u >= 1) return sphereDistance(x, b, radius);
  const Mat3 across = Mat3::Identity() - axis * axis.transpose() / axis.squaredNorm();
  return signed_distance_detail::fromVector(x - a - u * axis, across, radius, axis.unitOrthogonal());
}

/// Solid cylinder with flat ends at a and b.
inline SignedDistance cylinderDistance(const Vec3& x, const Vec3& a, const Vec3& b, double radius) {
  const double length = (b - a).norm();
  const Vec3 t = (b - a) / length, middle = 0.5 * (a + b);
  const double along = t.dot(x - middle), over = std::abs(along) - 0.5 * length;
  const Vec3 end = along < 0 ? Vec3(-t) : t, radial = x - middle - along * t;
  const double out = radial.norm() - radius;
  const Mat3 across = Mat3::Identity() - t * t.transpose();
  if (over <= 0 || out > 0) {
    if (over > 0 && out > 0) {
      // Outside past the rim: distance to the circle.
      const Vec3 n = radial / (out + radius), v = out * n + over * end;
      SignedDistance rim;
      rim.distance = v.norm();
      rim.normal = v / rim.distance;
      const Mat3 hoop = (across - n * n.transpose()) * (out / (out + radius));
      rim.hessian = (n * n.transpose() + t * t.transpose() + hoop - rim.normal * rim.normal.transpose()) / rim.distance;
      return rim;
    }
    if (out > 0 || out >= over) {
      return signed_distance_detail::fromVector(radial, across, radius, t.unitOrthogonal());
    }
  }
  SignedDistance cap;
  cap.distance = over;
  cap.normal = end;
  return cap;
}

/// Box with half sides `half` along the columns of the rotation `axes` about `center`.
inline SignedDistance boxDistance(const Vec3& x, const Vec3& center, const Vec3& half, const Mat3& axes) {
  const Vec3 local = axes.transpose() * (x - center);
  Vec3 over, sign;
  for (int k = 0; k < 3; ++k) {
    sign[k] = local[k] < 0 ? -1 : 1;
    over[k] = std::abs(local[k]) - half[k];
  }
  SignedDistance out;
  if (over.maxCoeff() <= 0) {
    int face = 0;
    out.distance = over.maxCoeff(&face);
    out.normal = sign[face] * axes.col(face);
    return out;
  }
  Vec3 v = Vec3::Zero();
  Mat3 free = Mat3::Zero();
  for (int k = 0; k < 3; ++k) {
    if (over[k] <= 0) continue;
    v += (sign[k] * over[k]) * axes.col(k);
    free += axes.col(k) * axes.col(k).transpose();
  }
  return signed_distance_detail::fromVector(v, free, 0, Vec3::UnitZ());
}

}  // namespace tendril::geometry
