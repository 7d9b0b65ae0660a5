#include "strain/frame_pair.h"

#include <cmath>

namespace tendril {
namespace {

using Mat36 = Eigen::Matrix<double, 3, 6>;

/// Velocity of the point o of a frame, in that frame, from its twist.
Mat36 pointMap(const Vec3& o) {
  Mat36 N;
  N << -skew(o), Mat3::Identity();
  return N;
}
Mat36 turning(const Mat3& m) {
  Mat36 N;
  N << m, Mat3::Zero();
  return N;
}

}  // namespace

FramePair directionProduct(const Vec3& c, const Vec3& d, const Pose& a, const Pose& b) {
  const Mat3 R = a.R.transpose() * b.R;  // of b in a
  const Vec3 dInA = R * d, cInB = R.transpose() * c;
  FramePair out;
  out.value = c.dot(dInA);
  out.onA.head<3>() = c.cross(dInA);
  out.onB.head<3>() = d.cross(cInB);
  // A vector of the other frame, seen from here, turns by minus this frame's twist and by the other's.
  const Mat3 turnA = skew(c) * skew(dInA), turnB = skew(d) * skew(cInB);
  out.aa.topLeftCorner<3, 3>() = turnA;
  out.ab.topLeftCorner<3, 3>() = -turnA * R;
  out.bb.topLeftCorner<3, 3>() = turnB;
  out.ba.topLeftCorner<3, 3>() = -turnB * R.transpose();
  return out;
}

FramePair distanceAlong(const Vec3& c, const Vec3& o, const Pose& a, const Pose& b) {
  const Mat3 R = a.R.transpose() * b.R;
  const Vec3 way = a.R.transpose() * (b.r - a.r) + R * o, cInB = R.transpose() * c;
  const Mat36 N = pointMap(o);
  FramePair out;
  out.value = c.dot(way);
  out.onA << c.cross(way), -c;
  out.onB = N.transpose() * cInB;
  // d way = -w_a x way - v_a + R N d_b.
  out.aa.topRows<3>() << skew(c) * skew(way), -skew(c);
  out.ab.topRows<3>() = skew(c) * R * N;
  out.bb = N.transpose() * turning(skew(cInB));
  out.ba = N.transpose() * turning(-skew(cInB) * R.transpose());
  return out;
}

FramePair spanLength(const Vec3& oA, const Vec3& oB, const Pose& a, const Pose& b, double rounding) {
  const Vec3 way = b.r + b.R * oB - a.r - a.R * oA;
  FramePair out;
  out.value = std::sqrt(way.squaredNorm() + rounding * rounding);
  const Vec3 t = way / out.value, tA = a.R.transpose() * t, tB = b.R.transpose() * t;
  const Mat3 bend = (Mat3::Identity() - t * t.transpose()) / out.value;
  const Mat36 A = pointMap(oA), B = pointMap(oB), worldA = a.R * A, worldB = b.R * B;
  out.onA = -A.transpose() * tA;
  out.onB = B.transpose() * tB;
  out.aa = worldA.transpose() * bend * worldA - A.transpose() * turning(skew(tA));
  out.ab = -worldA.transpose() * bend * worldB;
  out.ba = out.ab.transpose();
  out.bb = worldB.transpose() * bend * worldB + B.transpose() * turning(skew(tB));
  return out;
}

FramePair crossingLength(const Vec3& oA, const Vec3& oB, const Pose& a, const Pose& b) {
  const Vec3 x = Vec3::UnitX();
  const FramePair there = distanceAlong(x, oB, a, b), back = distanceAlong(x, oA, b, a);
  FramePair out;
  out.value = 0.5 * (there.value - x.dot(oA) - back.value + x.dot(oB));
  out.onA = 0.5 * (there.onA - back.onB), out.onB = 0.5 * (there.onB - back.onA);
  out.aa = 0.5 * (there.aa - back.bb), out.ab = 0.5 * (there.ab - back.ba);
  out.ba = 0.5 * (there.ba - back.ab), out.bb = 0.5 * (there.bb - back.aa);
  return out;
}

}  // namespace tendril
