// Kinematics of a tree of rigid steps: joints and rod steps, each exp of a twist that its coordinates make. One pass
// outwards gives poses, velocities and accelerations with all their derivatives, one pass inwards turns wrenches into
// generalized forces with theirs: exact, and linear in the number of steps times the number of coordinates (S, sec. 4).
#pragma once

#include <array>
#include <vector>

#include "geometry/se3.h"
#include "solve/mechanical_system.h"
#include "strain/magnus.h"

namespace tendril {

using Columns = Eigen::Matrix<double, 6, Eigen::Dynamic>;

/// A step from a parent's end to its own: first a fixed pose, then exp(Omega) of its coordinates.
struct ChainStep {
  int parent = -1;  ///< -1: the base
  Pose offset;      ///< before the motion; of joints with several rotations it holds what they have turned so far
  int first = 0;    ///< first of its coordinates
  /// A joint: Omega = base * q.
  Columns base;
  /// A rod step (order > 0): coordinate j adds values[stage][j] to strain component modes[j] at each stage.
  int order = 0;       ///< of Magnus: 2, 4, 6
  double length = 0;   ///< [m]
  std::vector<int> modes;
  std::array<std::vector<double>, 3> values;
  std::array<Vec6, 3> reference;  ///< strain without coordinates

  int coordinates() const { return order > 0 ? static_cast<int>(modes.size()) : static_cast<int>(base.cols()); }
};

/// A step's end, seen from the base and from itself, at a motion (q, v, a).
struct ChainFrame {
  Pose pose;
  Vec6 velocity = Vec6::Zero();      ///< eta, body frame
  Vec6 acceleration = Vec6::Zero();  ///< eta-dot
  Columns jacobian;                  ///< d eta / d v: one column per coordinate
  Columns velocitySlope;             ///< total derivative of eta along the unknown: d/dq + rates.v d/dv
  Columns accelerationSlope;         ///< of eta-dot: d/dq + rates.v d/dv + rates.a d/da
};

/// A wrench on a step's end in its body frame, and how it changes with that end's motion: with a displacement by a twist
/// of its frame, with its velocity and with its acceleration.
struct ChainWrench {
  Vec6 value = Vec6::Zero();
  Mat6 byPose = Mat6::Zero(), byVelocity = Mat6::Zero(), byAcceleration = Mat6::Zero();
};

/// How the wrench on one end changes with a displacement of another one.
struct ChainCoupling {
  int on = 0, by = 0;
  Mat6 byPose = Mat6::Zero();
};

class Chain {
 public:
  /// Parents come before their children. `base` is the pose of the base.
  Chain(std::vector<ChainStep> steps, const Pose& base, int coordinates);

  int size() const { return size_; }
  const std::vector<ChainFrame>& frames() const { return frames_; }
  const std::vector<ChainStep>& steps() const { return steps_; }

  /// Outwards. Slopes only if asked for.
  void move(const VectorX& q, const VectorX& v, const VectorX& a, const Rates& rates, bool slopes);

  /// Inwards, after move(): adds sum of J^T wrench to r, and if `tangent` is there (slopes were asked for), its total
  /// derivative to it. `wrenches`: one per step.
  void gather(const std::vector<ChainWrench>& wrenches, const std::vector<ChainCoupling>& couplings, VectorX& r,
              Eigen::MatrixXd* tangent);

  /// Another fixed pose before a step's motion.
  void setOffset(int step, const Pose& offset) { steps_[static_cast<std::size_t>(step)].offset = offset; }

 private:
  /// What a step's motion is at its own coordinates.
  struct Local {
    TwistJet twist;
    Pose motion;                   // exp(Omega), offset included
    Mat6 pull;                     // Ad of its inverse
    Vec6 relative, relativeRate;   // velocity of the end in the start's frame, and its derivative
    Columns columns;               // T Z
    Columns shift;                 // pull * T Z: displacements of the end
    std::array<TwistJet, 3> strains;
    Columns slope;                 // Z
  };
  void addBend(const ChainStep& step, const Local& local, const Vec6& start, Eigen::MatrixXd& tangent) const;
  void moveLocal(const ChainStep& step, const VectorX& q, const VectorX& v, const VectorX& a, Local& local) const;

  std::vector<ChainStep> steps_;
  Pose base_;
  int size_;
  std::vector<Local> locals_;
  std::vector<ChainFrame> frames_;
  std::vector<Vec6> values_;       // of the wrenches, on their way inwards
  std::vector<Columns> slopes_;
};

}  // namespace tendril
