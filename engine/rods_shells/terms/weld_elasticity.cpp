// Frames of welds: how the half springs of their arms depend on a frame's unknowns, and the ties that hold it to
// shells.
//
// An arm is an edge of unit length that is fixed in the frame, f(w) with the twist angle 2 atan(w.f(0) / 2): see
// elastic/frame_turn.h. So a half spring is a bend-twist spring of two edges, and what is left is the chain rule.
#include <cmath>
#include <limits>

#include "rods_shells/springs.h"
#include "rods_shells/terms/elasticity.h"
#include "rods_shells/welds.h"

namespace tendril::rods_shells {
namespace {

const double longestIncrement = 2 * std::tan(0.75);  // no frame turns by more than 1.5 rad, as edges

/// Sum of the products of spokes and the tie's directions: three strains that no rotation of the whole changes. They
/// vanish where the frame has the rotation that comes nearest to those of the spokes, in least squares.
template <class Edge>
Vec3 strainOf(const ShellTie& tie, const Mat3& axes, const Edge& edge) {
  Vec3 moment = Vec3::Zero();  // about the frame's axes
  for (std::size_t i = 0; i < tie.nodes.size(); ++i) {
    const Vec3 seen = axes.transpose() * edge(static_cast<int>(i));
    moment += tie.share[i] * tie.spokes[i].cross(seen);
  }
  return moment;
}

/// Slopes of the three strains with directions turned by `axes` and spokes given by `edge`; `rate`: FrameTurn::rate
/// there.
template <class Edge>
void slopesOf(const ShellTie& tie, const Mat3& axes, const Edge& edge, const Mat3& rate, Eigen::MatrixXd& out) {
  out.topRows(6).setZero();
  for (std::size_t i = 0; i < tie.nodes.size(); ++i) {
    const Eigen::Index row = 6 + 3 * static_cast<Eigen::Index>(i);
    const Vec3 e = edge(static_cast<int>(i));
    for (int j = 0; j < 3; ++j) {
      const Vec3 f = tie.share[i] * (axes * Vec3::Unit(j).cross(tie.spokes[i]));
      out.block<3, 1>(row, j) = f;
      out.block<3, 1>(0, j) -= f;
      out.block<3, 1>(3, j) += rate.transpose() * f.cross(e);
    }
  }
}

}  // namespace

// Frames and arms at q; false where one turned out of its chart.
bool Elasticity::setTurns(const VectorX& q) {
  bool inside = true;
  for (const int i : part_->welds) {
    const Weld& weld = s_.welds[i];
    const WeldStart& start = state_.welds[i];
    turns_[i] = elastic::FrameTurn(q.segment<3>(weld.turn) - start.base);
    const elastic::FrameTurn& turn = turns_[i];
    inside = inside && (isHeld(i) || turn.increment().norm() < longestIncrement);
    for (const int a : weld.arms) {
      if (a < 0) continue;
      armStart_[a] = {start.turn * s_.arms[a].t, start.turn * s_.arms[a].d1};
      armTwist_[a] = turn.twist(armStart_[a].t);
      armFrames_[a] = elastic::edgeFrame(turn(armStart_[a].t), 1.0, armTwist_[a], armStart_[a]);
    }
  }
  return inside;
}

// A frame that a clamp holds is where the clamp's is, however far that has turned.
void Elasticity::acceptTurns(const VectorX& q) {
  for (const int i : part_->welds) {
    WeldStart& start = state_.welds[i];
    start.base = q.segment<3>(s_.welds[i].turn);
    Mat3 now;
    if (isHeld(i)) {
      const HeldFrame& held = s_.held[weldsHeld_[i]];
      const elastic::EdgeFrame& frame = held_[weldsHeld_[i]];
      Mat3 from, to;
      from << held.d1, held.t.cross(held.d1), held.t;
      to << frame.m1, frame.m2, frame.t;
      now = to * from.transpose();
    } else {
      for (int k = 0; k < 3; ++k) now.col(k) = turns_[i](start.turn.col(k));
    }
    start.turn.col(0) = now.col(0).normalized();
    start.turn.col(1) = geometry::normalTo(now.col(1), start.turn.col(0));
    start.turn.col(2) = start.turn.col(0).cross(start.turn.col(1));
  }
}

Elasticity::Lever Elasticity::leverOf(int arm, At at) const {
  const elastic::FrameTurn& turn = turns_[s_.arms[arm].weld];
  const Vec3 &f0 = armStart_[arm].t, &f1 = armFrames_[arm].t;
  Lever out;
  if (at == At::start) {
    out.direction = -geometry::skew(f0);
    out.twist = f0;
  } else if (at == At::end) {
    out.direction = -geometry::skew(f1) * turn.rate();
    out.twist = turn.twistSlope(f0) * f0;
  } else {
    // Exactly the increments over the step: f1 - f0 = w x (f0 + f1) / 2.
    const double along = turn.increment().dot(f0);
    out.direction = -geometry::skew(0.5 * (f0 + f1));
    out.twist = (std::abs(along) > 1e-8 ? armTwist_[arm] / along : 1) * f0;
  }
  return out;
}

// A force at a step's start is linear in the frame's unknowns, not in its directions: what it does more in their
// increment.
double Elasticity::workOfTurn(int arm, const Vec3& force, double moment, const Vec3& change, double twist) const {
  const Lever lever = leverOf(arm, At::start);
  const Vec3& w = turns_[s_.arms[arm].weld].increment();
  return force.dot(lever.direction * w - change) + moment * (lever.twist.dot(w) - twist);
}

// The chain rule from (edge, theta, arm's direction, its twist) to (edge, theta, w).
void Elasticity::scatterArm(const Spring& p, const int* o, const elastic::BendTwistHessian& h, const Vec3& ge,
                            const Vec3& gf, double te, double tf) {
  const bool armIsE = p.e.arm >= 0;
  const int arm = armIsE ? p.e.arm : p.f.arm;
  const elastic::FrameTurn& turn = turns_[s_.arms[arm].weld];
  const Lever lever = leverOf(arm, At::end);
  const Mat3& J = lever.direction;
  const Vec3 &c = lever.twist, &f = armFrames_[arm].t, &f0 = armStart_[arm].t, &g = armIsE ? ge : gf;
  const Mat3 edge = armIsE ? h.ff : h.ee, mixed = armIsE ? Mat3(h.ef.transpose()) : h.ef, own = armIsE ? h.ee : h.ff;
  const Vec3 edgeTheta = armIsE ? h.f1 : h.e0, edgeTwist = armIsE ? h.f0 : h.e1;  // edge with its own angle, the arm's
  const Vec3 armTheta = armIsE ? h.e1 : h.f0, armTwist = armIsE ? h.e0 : h.f1;
  const Mat3 X = mixed * J + edgeTwist * c.transpose(), half = J.transpose() * armTwist * c.transpose();
  const Mat3 W = J.transpose() * own * J + half + half.transpose() + (armIsE ? h.t00 : h.t11) * c * c.transpose() +
                 turn.curvature(f * g.transpose(), f.cross(g)) +
                 ((armIsE ? te : tf) * turn.twistCurvature(f0)) * f0 * f0.transpose();
  const Vec3 wTheta = J.transpose() * armTheta + h.t01 * c;
  const int far = armIsE ? 6 : 0, w = armIsE ? 0 : 6, theta = armIsE ? 10 : 9;
  const double sign = armIsE ? -1 : 1;  // of the node in the edge's vector
  Mat<11> M = Mat<11>::Zero();
  M.block<3, 3>(far, far) = M.block<3, 3>(3, 3) = edge;
  M.block<3, 3>(far, 3) = M.block<3, 3>(3, far) = -edge;
  M.block<3, 3>(w, w) = W;
  M.block<3, 3>(3, w) = sign * X, M.block<3, 3>(far, w) = -sign * X;
  M.block<3, 3>(w, 3) = sign * X.transpose(), M.block<3, 3>(w, far) = -sign * X.transpose();
  M.block<1, 3>(theta, 3) = sign * edgeTheta.transpose(), M.block<1, 3>(theta, far) = -sign * edgeTheta.transpose();
  M.block<1, 3>(theta, w) = wTheta.transpose();
  M(theta, theta) = armIsE ? h.t11 : h.t00;
  for (int r = 0; r < 11; ++r) {
    for (int col = 0; col <= r; ++col) values_[*o++] += M(r, col);
  }
}

Vec3 Elasticity::tieStrain(int i, const VectorX& q) const {
  const ShellTie& tie = s_.ties[i];
  const Vec3 at = q.segment<3>(s_.nodeDof[s_.welds[tie.weld].node]);
  const auto edge = [&](int k) -> Vec3 {
    return tie.spokes[k] / tie.inverse[k] + (q.segment<3>(s_.nodeDof[tie.nodes[k]]) - at);
  };
  return strainOf(tie, turns_[tie.weld].of(state_.welds[tie.weld].turn), edge);
}

// Of the three strains where the axes are `axes` and displacements q, into the tie's work space.
void Elasticity::tieSlopes(int i, const VectorX& q, const Mat3& axes, const Mat3& rate, Eigen::MatrixXd& out) const {
  const ShellTie& tie = s_.ties[i];
  const Vec3 at = q.segment<3>(s_.nodeDof[s_.welds[tie.weld].node]);
  const auto edge = [&](int k) -> Vec3 {
    return tie.spokes[k] / tie.inverse[k] + (q.segment<3>(s_.nodeDof[tie.nodes[k]]) - at);
  };
  slopesOf(tie, axes, edge, rate, out);
}

// k S S^T and the strains' own second derivatives, at the present turn and displacements q.
void Elasticity::addTieTangent(int i, const VectorX& q, const Vec3& stress) {
  const ShellTie& tie = s_.ties[i];
  TieWork& work = ties_[i];
  const elastic::FrameTurn& turn = turns_[tie.weld];
  const Eigen::Index n = work.slopes.rows();
  auto block = tieBlock_.topLeftCorner(n, n);
  block.noalias() = work.slopes.lazyProduct(work.slopes.transpose());
  block *= tie.stiffness;
  const Mat3 axes = turn.of(state_.welds[tie.weld].turn), rate = turn.rate();
  const Vec3 at = q.segment<3>(s_.nodeDof[s_.welds[tie.weld].node]);
  Mat3 fg = Mat3::Zero();
  Vec3 moment = Vec3::Zero();
  for (std::size_t k = 0; k < tie.nodes.size(); ++k) {
    const Eigen::Index row = 6 + 3 * static_cast<Eigen::Index>(k);
    const Vec3 f = tie.share[k] * (axes * stress.cross(tie.spokes[k]));
    const Vec3 e = tie.spokes[k] / tie.inverse[k] + (q.segment<3>(s_.nodeDof[tie.nodes[k]]) - at);
    fg += f * e.transpose();
    moment += f.cross(e);
    const Mat3 mixed = -geometry::skew(f) * rate;
    block.block<3, 3>(row, 3) += mixed;
    block.block<3, 3>(0, 3) -= mixed;
    block.block<3, 3>(3, 0) -= mixed.transpose();
  }
  block.block<3, 3>(3, 3) += turn.curvature(fg, moment);
  const int* o = work.offsets.data();
  for (Eigen::Index r = 0; r < n; ++r) {
    for (Eigen::Index c = 0; c <= r; ++c) values_[*o++] += block(r, c);
  }
}

template <solve::Level level>
void Elasticity::evaluateTie(int i, const VectorX& q, solve::Evaluation& out, VectorX& gradient) {
  const ShellTie& tie = s_.ties[i];
  const Vec3 strain = tieStrain(i, q), stress = tie.law().stress(strain);
  out.potential += tie.law().energy(strain);
  if constexpr (level != solve::Level::value) {
    TieWork& work = ties_[i];
    const elastic::FrameTurn& turn = turns_[tie.weld];
    tieSlopes(i, q, turn.of(state_.welds[tie.weld].turn), turn.rate(), work.slopes);
    for (std::size_t k = 0; k < work.dofs.size(); ++k) {
      const double force = work.slopes.row(static_cast<Eigen::Index>(k)).dot(stress);
      gradient[work.dofs[k]] += force;
      out.roundOff += k / 3 == 1 ? force * force * inverseEdge2_ : force * force;
    }
    if constexpr (level == solve::Level::tangent) addTieTangent(i, q, stress);
  }
}

template void Elasticity::evaluateTie<solve::Level::value>(int, const VectorX&, solve::Evaluation&, VectorX&);
template void Elasticity::evaluateTie<solve::Level::residual>(int, const VectorX&, solve::Evaluation&, VectorX&);
template void Elasticity::evaluateTie<solve::Level::tangent>(int, const VectorX&, solve::Evaluation&, VectorX&);

void Elasticity::beginTie(int i, const VectorX& q) {
  RodStepStart::Tie& start = start_.tie[i];
  start.axes = state_.welds[s_.ties[i].weld].turn;
  start.strain = tieStrain(i, q);
  start.slopes.resize(ties_[i].slopes.rows(), 3);
  tieSlopes(i, q, start.axes, Mat3::Identity(), start.slopes);
}

// A tie's strains are products of spokes and directions of the frame, both of which change by exactly what the middle
// of the step says: slopes with the means of both are discrete gradients, and do no work in a rotation.
template <solve::Level level>
void Elasticity::stepTie(int i, const VectorX& q1, StepForces& out) {
  const ShellTie& tie = s_.ties[i];
  TieWork& work = ties_[i];
  const RodStepStart::Tie& from = start_.tie[i];
  const elastic::FrameTurn& turn = turns_[tie.weld];
  const Mat3 axes = turn.of(from.axes);
  const Vec3 strain = tieStrain(i, q1);
  const auto response = elastic::respondOver<Vec3>(tie.law(), from.strain, strain, strain - from.strain, 0);
  out.evaluation.magnitude += response.magnitude;
  out.evaluation.potential += response.potential;
  for (std::size_t k = 0; k < work.dofs.size(); ++k) {
    const double force = from.slopes.row(static_cast<Eigen::Index>(k)).dot(response.stress0),
                 moved = q1[work.dofs[k]] - start_.q[work.dofs[k]];
    out.evaluation.potential += 0.25 * force * moved;
  }
  if constexpr (level == solve::Level::value) return;
  middle_.resize(q1.size());
  for (const int dof : work.dofs) middle_[dof] = 0.5 * (start_.q[dof] + q1[dof]);
  tieSlopes(i, q1, axes, turn.rate(), work.slopes);
  tieSlopes(i, middle_, 0.5 * (from.axes + axes), Mat3::Identity(), work.mean);
  const Vec3& stress = response.stress;
  double places = 0;
  for (std::size_t k = 0; k < work.dofs.size(); ++k) {
    const Eigen::Index row = static_cast<Eigen::Index>(k);
    const double force = work.mean.row(row).dot(stress);
    const double smooth =
        0.5 * (from.slopes.row(row).dot(response.stress0) + work.slopes.row(row).dot(response.stress1));
    (*out.gradient)[work.dofs[k]] += smooth;
    (*out.applied)[work.dofs[k]] += force - smooth;
    out.evaluation.roundOff += k / 3 == 1 ? force * force * inverseEdge2_ : force * force;
    if (k / 3 != 1) places += q1[work.dofs[k]] * q1[work.dofs[k]];
  }
  // As in edges: strains are differences of displacements, each right to its last digit.
  const double digit = std::numeric_limits<double>::epsilon() * tie.stiffness * tie.share[0] * tie.inverse[0];
  out.noise += digit * digit * places;
  if constexpr (level == solve::Level::tangent) {
    addTieTangent(i, q1, stress);
    if (!out.tangent) return;
    auto block = tieBlock_.topLeftCorner(work.slopes.rows(), work.slopes.rows());
    work.mean -= work.slopes;
    block.noalias() = work.mean.lazyProduct(work.slopes.transpose());
    block *= tie.stiffness;
    out.tangent->add(work.held, block);
  }
}

template void Elasticity::stepTie<solve::Level::value>(int, const VectorX&, StepForces&);
template void Elasticity::stepTie<solve::Level::residual>(int, const VectorX&, StepForces&);
template void Elasticity::stepTie<solve::Level::tangent>(int, const VectorX&, StepForces&);

}  // namespace tendril::rods_shells
