// Scalars of two frames with their exact first and second derivatives by the twists of both: what closing constraints
// and tendons between links are made of.
#pragma once

#include "geometry/se3.h"

namespace tendril::links {

/// A function of two poses. Gradients are wrenches in the body frames; aa, ab: derivatives of onA by the twists of a
/// and b; ba, bb: of onB.
struct FramePair {
  double value = 0;
  geometry::Vec6 onA = geometry::Vec6::Zero(), onB = geometry::Vec6::Zero();
  geometry::Mat6 aa = geometry::Mat6::Zero(), ab = geometry::Mat6::Zero(), ba = geometry::Mat6::Zero(),
                 bb = geometry::Mat6::Zero();
};

/// (R_a c) . (R_b d), directions c of a and d of b.
FramePair directionProduct(const Vec3& c, const Vec3& d, const geometry::Pose& a, const geometry::Pose& b);

/// (R_a c) . (p - r_a) for the point p = r_b + R_b o of b.
FramePair distanceAlong(const Vec3& c, const Vec3& o, const geometry::Pose& a, const geometry::Pose& b);

/// sqrt(|p_b - p_a|^2 + rounding^2) for the points p = r + R o of both, which must not coincide where `rounding` [m] is
/// 0.
FramePair spanLength(const Vec3& oA, const Vec3& oB, const geometry::Pose& a, const geometry::Pose& b,
                     double rounding = 0);

/// m . (p_b - p_a) with m the unit vector half way between R_a x and R_b x, x along the links: length of what passes
/// from one section to the next through a joint, smooth and signed where the sections touch. Beside a hinge at distance
/// d it is 2 d sin(angle / 2). The links must not fold back by half a turn.
FramePair crossingLength(const Vec3& oA, const Vec3& oB, const geometry::Pose& a, const geometry::Pose& b);

}  // namespace tendril::links
