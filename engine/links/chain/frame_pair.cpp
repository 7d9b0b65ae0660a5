#include "links/chain/frame_pair.h"

#include <algorithm>
#include <cmath>

namespace tendril::links {
namespace {

using Mat36 = Eigen::Matrix<double, 3, 6>;

/// Velocity of the point o of a frame, in that frame, from its twist.
Mat36 pointMap(const Vec3& o) {
  Mat36 N;
  N << -geometry::skew(o), Mat3::Identity();
  return N;
}
Mat36 turning(const Mat3& m) {
  Mat36 N;
  N << m, Mat3::Zero();
  return N;
}

}  // namespace

FramePair directionProduct(const Vec3& c, const Vec3& d, const geometry::Pose& a, const geometry::Pose& b) {
  const Mat3 R = a.R.transpose() * b.R;  // of b in a
  const Vec3 dInA = R * d, cInB = R.transpose() * c;
  FramePair out;
  out.value = c.dot(dInA);
  out.onA.head<3>() = c.cross(dInA);
  out.onB.head<3>() = d.cross(cInB);
  // A vector of the other frame, seen from here, turns by minus this frame's twist and by the other's.
  const Mat3 turnA = geometry::skew(c) * geometry::skew(dInA), turnB = geometry::skew(d) * geometry::skew(cInB);
  out.aa.topLeftCorner<3, 3>() = turnA;
  out.ab.topLeftCorner<3, 3>() = -turnA * R;
  out.bb.topLeftCorner<3, 3>() = turnB;
  out.ba.topLeftCorner<3, 3>() = -turnB * R.transpose();
  return out;
}

FramePair distanceAlong(const Vec3& c, const Vec3& o, const geometry::Pose& a, const geometry::Pose& b) {
  const Mat3 R = a.R.transpose() * b.R;
  const Vec3 way = a.R.transpose() * (b.r - a.r) + R * o, cInB = R.transpose() * c;
  const Mat36 N = pointMap(o);
  FramePair out;
  out.value = c.dot(way);
  out.onA << c.cross(way), -c;
  out.onB = N.transpose() * cInB;
  // d way = -w_a x way - v_a + R N d_b.
  out.aa.topRows<3>() << geometry::skew(c) * geometry::skew(way), -geometry::skew(c);
  out.ab.topRows<3>() = geometry::skew(c) * R * N;
  out.bb = N.transpose() * turning(geometry::skew(cInB));
  out.ba = N.transpose() * turning(-geometry::skew(cInB) * R.transpose());
  return out;
}

FramePair spanLength(const Vec3& oA, const Vec3& oB, const geometry::Pose& a, const geometry::Pose& b,
                     double rounding) {
  const Vec3 way = b.r + b.R * oB - a.r - a.R * oA;
  FramePair out;
  out.value = std::sqrt(way.squaredNorm() + rounding * rounding);
  const Vec3 t = way / out.value, tA = a.R.transpose() * t, tB = b.R.transpose() * t;
  const Mat3 bend = (Mat3::Identity() - t * t.transpose()) / out.value;
  const Mat36 A = pointMap(oA), B = pointMap(oB), worldA = a.R * A, worldB = b.R * B;
  out.onA = -A.transpose() * tA;
  out.onB = B.transpose() * tB;
  out.aa = worldA.transpose() * bend * worldA - A.transpose() * turning(geometry::skew(tA));
  out.ab = -worldA.transpose() * bend * worldB;
  out.ba = out.ab.transpose();
  out.bb = worldB.transpose() * bend * worldB + B.transpose() * turning(geometry::skew(tB));
  return out;
}

FramePair crossingLength(const Vec3& oA, const Vec3& oB, const geometry::Pose& a, const geometry::Pose& b) {
  const Vec3 x = Vec3::UnitX();
  const FramePair there = distanceAlong(x, oB, a, b), back = distanceAlong(x, oA, b, a),
                  along = directionProduct(x, x, a, b);
  // Along the mean of both directions, which is shorter than one by c, the cosine of half their angle.
  const double mean = 0.5 * (there.value - x.dot(oA) - back.value + x.dot(oB));
  const double c2 = std::max(0.5 * (1 + along.value), 1e-6), c = std::sqrt(c2);
  const geometry::Vec6 meanA = 0.5 * (there.onA - back.onB), meanB = 0.5 * (there.onB - back.onA);
  FramePair out;
  out.value = mean / c;
  // d c = d along / (4 c)
  const double k = mean / (4 * c * c2), kk = 3 * k / (4 * c2), cross = 1 / (4 * c * c2);
  out.onA = meanA / c - k * along.onA, out.onB = meanB / c - k * along.onB;
  const auto second = [&](const geometry::Mat6& ofMean, const geometry::Mat6& ofAlong, const geometry::Vec6& mean1,
                          const geometry::Vec6& mean2, const geometry::Vec6& along1, const geometry::Vec6& along2) {
    return geometry::Mat6(ofMean / c - k * ofAlong - cross * (mean1 * along2.transpose() + along1 * mean2.transpose()) +
                          kk * along1 * along2.transpose());
  };
  out.aa = second(0.5 * (there.aa - back.bb), along.aa, meanA, meanA, along.onA, along.onA);
  out.ab = second(0.5 * (there.ab - back.ba), along.ab, meanA, meanB, along.onA, along.onB);
  out.ba = second(0.5 * (there.ba - back.ab), along.ba, meanB, meanA, along.onB, along.onA);
  out.bb = second(0.5 * (there.bb - back.aa), along.bb, meanB, meanB, along.onB, along.onB);
  return out;
}

}  // namespace tendril::links
