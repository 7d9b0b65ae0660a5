// Which steps and coordinates open and close loops, and links that spin between two ball joints.
#include <algorithm>
#include <cmath>

#include "links/loops/loops.h"

namespace tendril::links {

// Steps of the chain between both frames of each loop, and the coordinates that move them.
void Loops::attach() {
  reach = {};
  const std::vector<ChainStep>& steps = state_.system->chain().steps();
  parts_.clear();
  inLoops_.assign(static_cast<std::size_t>(state_.system->coordinates()), 0);
  for (const Structure::Loop& loop : state_.structure->loops) {
    Part part;
    std::vector<char> once(steps.size(), 0), moves(inLoops_.size(), 0);
    for (const int end : {loop.a, loop.b}) {
      for (int i = end; i >= 0; i = steps[static_cast<std::size_t>(i)].parent) once[static_cast<std::size_t>(i)] ^= 1;
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (!once[i]) continue;
      part.steps.push_back(static_cast<int>(i));
      for (int c = steps[i].first; c < steps[i].first + steps[i].coordinates(); ++c) {
        moves[static_cast<std::size_t>(c)] = inLoops_[static_cast<std::size_t>(c)] = 1;
      }
    }
    part.coordinates = static_cast<int>(std::count(moves.begin(), moves.end(), 1));
    parts_.push_back(part);
  }
  findSpins();
  bend_ = false;
  for (const BuiltLink& b : state_.structure->links) {
    for (int i = b.first; i < b.first + b.count; ++i) {
      const bool strain = i < b.jointFirst || i >= b.jointFirst + b.jointCount;
      bend_ = bend_ || (strain && inLoops_[static_cast<std::size_t>(i)]);
    }
  }
}

// Links between two ball joints: below the first is nothing that moves but the second, by which a loop closes or the
// chain goes on, and no loop goes from between them.
void Loops::findSpins() {
  spins_.clear();
  const std::vector<ChainStep>& steps = state_.system->chain().steps();
  const auto isBall = [](const ChainStep& s) {
    return s.order == 0 && s.base.cols() == 3 && s.base.topRows<3>().isIdentity(0) && s.base.bottomRows<3>().isZero(0);
  };
  const auto moves = [&](const Part& part, int step) {
    return std::find(part.steps.begin(), part.steps.end(), step) != part.steps.end();
  };
  for (int ball = 0; ball < static_cast<int>(steps.size()); ++ball) {
    if (!isBall(steps[static_cast<std::size_t>(ball)])) continue;
    Spin spin{ball, -1, false};
    bool is = true;
    for (std::size_t l = 0; l < parts_.size() && is; ++l) {
      if (!moves(parts_[l], ball)) continue;
      // The one of its ends that hangs on the ball joint, and what moves right after that.
      int end = -1, next = -1;
      for (const int from : {state_.structure->loops[l].a, state_.structure->loops[l].b}) {
        int mover = -1, i = from;
        for (; i > ball; i = steps[static_cast<std::size_t>(i)].parent) {
          if (steps[static_cast<std::size_t>(i)].coordinates() > 0) mover = i;
        }
        if (i == ball) end = from, next = mover;
      }
      int rows = 0;
      for (const ClosureRow& row : state_.structure->closures)
        rows += row.loop == static_cast<int>(l) ? (row.product ? 4 : 1) : 0;
      is = next < 0 ? rows == 3 : isBall(steps[static_cast<std::size_t>(next)]);
      if (next >= 0) end = next;
      is = is && (spin.end < 0 || spin.end == end);
      spin.end = end, spin.child = next >= 0;
    }
    for (const Part& part : parts_) is = is && !(spin.child && moves(part, spin.end) && !moves(part, ball));
    if (is && spin.end >= 0) spins_.push_back(spin);
  }
}

// A closed position as near to `from` as it gets when such links spin about the line through their balls, which moves
// nothing else of the loops.
VectorX Loops::unspun(const VectorX& from, VectorX q) const {
  const std::vector<ChainStep>& steps = state_.system->chain().steps();
  const auto turn = [](const Vec3& x) {
    return geometry::exponential((geometry::Vec6() << x, Vec3::Zero()).finished()).R;
  };
  const auto vector = [](const Mat3& R) {
    return Vec3(geometry::logarithm(geometry::Pose{R, Vec3::Zero()}).head<3>());
  };
  for (const Spin& spin : spins_) {
    const int first = steps[static_cast<std::size_t>(spin.ball)].first;
    geometry::Pose apart;
    for (int i = spin.end; i != spin.ball; i = steps[static_cast<std::size_t>(i)].parent)
      apart = steps[static_cast<std::size_t>(i)].offset * apart;
    if (!(apart.r.norm() > 0)) continue;
    const Mat3 now = turn(q.segment<3>(first));
    const Eigen::Quaterniond turned(Mat3(turn(from.segment<3>(first)).transpose() * now));
    const Vec3 axis = apart.r.normalized(), back = -2 * std::atan2(axis.dot(turned.vec()), turned.w()) * axis;
    q.segment<3>(first) = vector(now * turn(back));
    if (!spin.child) continue;
    const int next = steps[static_cast<std::size_t>(spin.end)].first;
    q.segment<3>(next) = vector(turn(-(apart.R.transpose() * back)) * turn(q.segment<3>(next)));
  }
  return q;
}

}  // namespace tendril::links
