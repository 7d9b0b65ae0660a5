// Constraints that close chains: scalar rows between the ends of two steps of a chain. Rows of a joint are distances
// and products of directions, so that no turn, however large, makes them singular.
#pragma once

#include <string>
#include <vector>

#include "links/chain/frame_pair.h"
#include "scene/linkage.h"

namespace tendril::links {

/// Zero where the chain is closed: either product, size * (R_a c) . (R_b d), or distance, (R_a c) . (r_b - r_a) [m].
struct ClosureRow {
  bool product = false;
  int a = 0, b = 0;  ///< steps of the chain
  Vec3 c = Vec3::UnitX(), d = Vec3::UnitX();
  double size = 1;   ///< [m]
  int loop = 0;      ///< index of the joint it belongs to
  std::string name;  ///< what it forbids, for messages: "turning about y"
};

/// Rows of a joint between frames a and b that coincide where its coordinates are zero. Helical and free have none
/// here.
std::vector<ClosureRow> closureRows(scene::LinkJoint::Kind kind, int axis, int a, int b, double size);

/// Its gap [m] with gradient and Hessian.
FramePair closureGap(const ClosureRow& row, const geometry::Pose& a, const geometry::Pose& b);

}  // namespace tendril::links
