// The pointer's spring: pulls a point of a link toward a place.
#pragma once

#include "links/chain/force.h"
#include "world/world.h"

namespace tendril::links {

class PointerSpring final : public ChainForce {
 public:
  bool active = false;
  int step = 0;
  Vec3 local = Vec3::Zero();            ///< in the frame at the step's end [m]
  const world::World* world = nullptr;  ///< where it pulls to
  double stiffness = 0;                 ///< [N/m]

  const Vec3& target() const { return *world->pointer(); }

  void add(const std::vector<ChainFrame>& frames, bool slopes, ChainLoads& out) override {
    if (!active) return;
    const Mat3& R = frames[step].pose.R;
    const Vec3 pull = stiffness * (R.transpose() * (frames[step].pose.r - target()) + local);
    Eigen::Matrix<double, 3, 6> N;
    N << -geometry::skew(local), Mat3::Identity();
    out.wrenches[step].value += N.transpose() * pull;
    if (!slopes) return;
    // d (R^T (r - target)) = (that) x turn + move, and local adds nothing.
    Eigen::Matrix<double, 3, 6> d;
    d << stiffness * geometry::skew(Vec3(R.transpose() * (frames[step].pose.r - target()))),
        stiffness * Mat3::Identity();
    out.wrenches[step].byPose += N.transpose() * d;
  }
};

}  // namespace tendril::links
