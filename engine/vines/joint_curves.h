// How the rows of step/joint_rows.h change with places: second derivatives, and third ones along a motion.
#pragma once

#include "vines/step/joint_rows.h"

namespace tendril::vines {

/// Of one row, by (x, y, theta) of a, then b.
struct RowCurve {
  Mat<6> second = Mat<6>::Zero();
  Vec<6> third = Vec<6>::Zero();  ///< of the row's third derivative with the motion in two places
};

/// Of pinRow, slideRow and lengthRow; parallelRow is linear. `rates` of a, then b.
inline RowCurve pinCurve(const BodyPose& a, const BodyPose& b, double d, int axis, const Vec<6>& rates) {
  RowCurve out;
  out.second(2, 2) = -d * a.along()[axis], out.second(5, 5) = -d * b.along()[axis];
  out.third[2] = -d * a.across()[axis] * rates[2] * rates[2];
  out.third[5] = -d * b.across()[axis] * rates[5] * rates[5];
  return out;
}

/// Of e . h with h = x_b - x_a, where e turns with a and f is to the left of it.
inline RowCurve turningCurve(const Vec2& e, const Vec2& f, const Vec2& h, const Vec<6>& rates) {
  const double w = rates[2];
  const Vec2 drift = rates.segment<2>(3) - rates.head<2>();
  RowCurve out;
  out.second(2, 2) = -e.dot(h);
  out.second.block<1, 2>(2, 3) = f.transpose(), out.second.block<1, 2>(2, 0) = -f.transpose();
  out.second.block<2, 1>(3, 2) = f, out.second.block<2, 1>(0, 2) = -f;
  out.third[2] = -w * w * f.dot(h) - 2 * w * e.dot(drift);
  out.third.segment<2>(3) = -w * w * e, out.third.head<2>() = w * w * e;
  return out;
}

inline RowCurve slideCurve(const BodyPose& a, const BodyPose& b, const Vec<6>& rates) {
  return turningCurve(a.across(), -a.along(), b.x - a.x, rates);
}

inline RowCurve lengthCurve(const BodyPose& a, const BodyPose& b, const Vec<6>& rates) {
  return turningCurve(a.along(), a.across(), b.x - a.x, rates);
}

}  // namespace tendril::vines
