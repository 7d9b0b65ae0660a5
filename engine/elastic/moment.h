// A moment and a material force on an edge as generalized forces in the chart of the step's start, with exact Jacobians
// (theory.md, Forces that turn: Q_theta = M.t, Q_e = (M x t)/|e| + (M.t) a). They have no potential: the Jacobians are
// not symmetric.
#pragma once

#include "elastic/edge_frame.h"

namespace tendril::elastic {

struct EdgeMoment {
  Vec3 force;          ///< Q_e [N], on the edge vector: +Q_e at its end node, -Q_e at its first
  double twist = 0;    ///< Q_theta [N m]
  Mat3 forceJacobian;  ///< dQ_e / de [N/m]
  Vec3 twistJacobian;  ///< dQ_theta / de [N]; neither depends on theta
};

/// Dead moment M [N m] on an edge.
inline EdgeMoment edgeMoment(const EdgeFrame& f, const Vec3& M) {
  EdgeMoment out;
  const double along = M.dot(f.t), il = f.inverse;
  const Vec3 cross = M.cross(f.t);
  out.twist = along;
  out.force = il * cross + along * f.spin;
  out.twistJacobian = il * (M - along * f.t);
  const Mat3 project = Mat3::Identity() - f.t * f.t.transpose();
  out.forceJacobian = (il * il) * (geometry::skew(M) * project - cross * f.t.transpose()) +
                      f.spin * out.twistJacobian.transpose() + along * spinJacobian(f);
  return out;
}

struct FollowerForce {
  Vec3 force;          ///< [N], world
  Mat3 edgeJacobian;   ///< dF / de [N/m]
  Vec3 thetaJacobian;  ///< dF / dtheta [N]
};

/// Force with components c [N] in the edge's material frame (m1, m2, t).
inline FollowerForce followerForce(const EdgeFrame& f, const Vec3& c) {
  FollowerForce out;
  out.force = c[0] * f.m1 + c[1] * f.m2 + c[2] * f.t;
  out.thetaJacobian = f.t.cross(out.force);
  const Mat3 project = Mat3::Identity() - f.t * f.t.transpose();
  Mat3 turn = -f.t * out.force.transpose();
  turn.diagonal().array() += f.t.dot(out.force);
  out.edgeJacobian = f.inverse * turn * project + out.thetaJacobian * f.spin.transpose();
  return out;
}

}  // namespace tendril::elastic
