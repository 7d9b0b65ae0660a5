// How the ends of a chain's steps went in a step of time: what the work of forces is taken along.
#pragma once

#include <vector>

#include "links/chain/chain.h"

namespace tendril::links {

/// From `start`, one pose for each step of the chain, to the poses of `frames`; without `start`, `frames` is the motion
/// in the middle of the step, whose rates are those of the whole.
struct ChainDisplacement {
  const std::vector<ChainFrame>& frames;
  const std::vector<geometry::Pose>* start = nullptr;
  double dt = 0;  ///< [s]

  /// Of a point of the frame at a step's end [m].
  Vec3 of(int step, const Vec3& local) const {
    const std::size_t i = static_cast<std::size_t>(step);
    const geometry::Pose& g = frames[i].pose;
    if (!start) return dt * (g.R * (frames[i].velocity.tail<3>() + frames[i].velocity.head<3>().cross(local)));
    const geometry::Pose& before = (*start)[i];
    return g.r - before.r + (g.R - before.R) * local;
  }
  /// Small rotation of the frame, in the world, to the third order [rad].
  Vec3 turn(int step) const {
    const std::size_t i = static_cast<std::size_t>(step);
    const geometry::Pose& g = frames[i].pose;
    if (!start) return dt * (g.R * frames[i].velocity.head<3>());
    const Mat3 turned = g.R * (*start)[i].R.transpose();
    return 0.5 * Vec3(turned(2, 1) - turned(1, 2), turned(0, 2) - turned(2, 0), turned(1, 0) - turned(0, 1));
  }
  /// Directions of the frame in the middle, to the second order.
  Mat3 middle(int step) const {
    const std::size_t i = static_cast<std::size_t>(step);
    return start ? Mat3(0.5 * (frames[i].pose.R + (*start)[i].R)) : frames[i].pose.R;
  }
  /// Place of a point of it in the middle [m].
  Vec3 place(int step, const Vec3& local) const {
    const geometry::Pose& g = frames[static_cast<std::size_t>(step)].pose;
    const Vec3 x = g.r + g.R * local;
    return start ? Vec3(x - 0.5 * of(step, local)) : x;
  }
};

}  // namespace tendril::links
