// The chain's constraints as rows: values and Jacobians of pin, slide and growth for one pair, in the bodies' (x, y,
// theta). Pure functions; signs and forms as published (Jitosho et al. 2021, eq. 2, 3, 14), with misprints corrected.
#pragma once

#include <cmath>

#include "vines/step/planar_shapes.h"

namespace tendril::vines {

/// Center and angle of a body, or its velocity.
struct BodyPose {
  Vec2 x;
  double angle;
  Vec2 along() const { return {std::cos(angle), std::sin(angle)}; }
  Vec2 across() const { return {-std::sin(angle), std::cos(angle)}; }
};

/// One row on two bodies a (nearer the base) and b.
struct JointRow {
  double value = 0;
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();  ///< derivatives with respect to (x, y, theta)
};

/// The end of a is the start of b: x_a + d t_a + d t_b - x_b = 0, component `axis`.
inline JointRow pinRow(const BodyPose& a, const BodyPose& b, double d, int axis) {
  JointRow row;
  row.value = a.x[axis] + d * a.along()[axis] + d * b.along()[axis] - b.x[axis];
  row.a[axis] = 1, row.a[2] = d * a.across()[axis];
  row.b[axis] = -1, row.b[2] = d * b.across()[axis];
  return row;
}

/// The vector h = x_b - x_a has no component normal to a: n_a . h = 0.
inline JointRow slideRow(const BodyPose& a, const BodyPose& b) {
  const Vec2 n = a.across(), h = b.x - a.x;
  JointRow row;
  row.value = n.dot(h);
  row.a << -n, -a.along().dot(h);
  row.b << n, 0;
  return row;
}

/// The same for b, as published: n_b . h = 0. It leaves the angles free when h is zero.
inline JointRow slideRowOfSecond(const BodyPose& a, const BodyPose& b) {
  const Vec2 n = b.across(), h = b.x - a.x;
  JointRow row;
  row.value = n.dot(h);
  row.a << -n, 0;
  row.b << n, -b.along().dot(h);
  return row;
}

/// Equal angles: the intent of slideRowOfSecond, also when h is zero.
inline JointRow parallelRow(const BodyPose& a, const BodyPose& b) {
  JointRow row;
  row.value = b.angle - a.angle;
  row.a[2] = -1, row.b[2] = 1;
  return row;
}

/// Distance along a: t_a . h [m].
inline JointRow lengthRow(const BodyPose& a, const BodyPose& b) {
  const Vec2 t = a.along(), h = b.x - a.x;
  JointRow row;
  row.value = t.dot(h);
  row.a << -t, a.across().dot(h);
  row.b << t, 0;
  return row;
}

/// Rate of the distance, g = h . (v_b - v_a) / |h|, at (q + dt v', v') linearized at (q, v): the row's derivatives are
/// g_v + dt g_q, and because g is linear in v the row for v' is (g_v + dt g_q) v' = rate. `value` is g.
inline JointRow growthRateRow(const BodyPose& a, const BodyPose& b, const Vec2& va, const Vec2& vb, double dt) {
  const Vec2 h = b.x - a.x, w = vb - va;
  const double length = h.norm();
  const Vec2 e = h / length, row2 = e + (dt / length) * (w - e.dot(w) * e);
  JointRow row;
  row.value = e.dot(w);
  row.a << -row2, 0;
  row.b << row2, 0;
  return row;
}

}  // namespace tendril::vines
