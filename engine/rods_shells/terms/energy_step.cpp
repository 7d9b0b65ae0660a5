// Rods in a step of the midpoint rule that keeps energy: every element acts with its mean stress along a discrete
// gradient of its strain (elastic/discrete_gradient.h), so that its forces do exactly the work by which its energy
// changes.
//
// The unknown of the step is the middle x; the end is q1 = 2 x - q0. With stress s = k (eps0 + eps1) / 2 + eta (eps1 -
// eps0) / dt and discrete gradient D the force is s D. Its half with a potential, (s0 g0 + s1 g1) / 2, goes with the
// gradient, and the difference, of second order in the step, with the loads that have none. Likewise the tangent: the
// symmetric solver holds k g1 g1^T + s H(q1), blocks hold the rest k (D - g1) g1^T.
#include <cmath>
#include <limits>

#include "elastic/discrete_gradient.h"
#include "elastic/stretch.h"
#include "rods_shells/springs.h"
#include "rods_shells/terms/elasticity.h"

namespace tendril::rods_shells {
namespace {

/// Gradient of strain k of a spring in its edge vectors and twist angles; what is held has none.
Vec<8> slopeOf(const elastic::BendTwistGradient& g, int k, bool movesE, bool movesF) {
  Vec<8> out = Vec<8>::Zero();
  if (movesE) out.segment<3>(0) = g.be[k], out[6] = g.te[k];
  if (movesF) out.segment<3>(3) = g.bf[k], out[7] = g.tf[k];
  return out;
}

/// How the twist angle of an edge follows a rotation of the middle of the step, of which its material frame is a part.
Vec3 twistGenerator(const Vec3& t0, const Vec3& t) { return (t0 + t) / (1 + t0.dot(t)); }

}  // namespace

double shareOfStart(double delay, double dt) {
  // Of a relaxation x' = -x / delay, integrated exactly over dt: 0 where dt is long, 1/2 where it is short.
  const double z = dt / delay;
  if (!(z < 700)) return 0;
  return z < 1e-3 ? 0.5 - z / 12 : 1 / z - 1 / std::expm1(z);
}

void Elasticity::beginStep(const VectorX& q, double dt) {
  start_.q = q;
  start_.edge.resize(s_.edges.size());
  start_.length.resize(s_.edges.size());
  start_.excess.resize(s_.edges.size());
  start_.bend.resize(s_.springs.size());
  edgeFrames(q);
  for (std::size_t i = 0; i < s_.edges.size(); ++i) {
    start_.length[i] = lengths_[i], start_.excess[i] = excess_[i];
    start_.edge[i] = lengths_[i] * frames_[i].t;
  }
  elastic::EdgeFrame se, sf;
  for (const int i : part_->springs) {
    const Spring& p = s_.springs[i];
    if (!p.active) continue;
    const elastic::EdgeFrame& e = plain_[i] ? frames_[p.e.edge] : side(p, p.e, false, se);
    const elastic::EdgeFrame& f = plain_[i] ? frames_[p.f.edge] : side(p, p.f, true, sf);
    elastic::BendTwistShared shared;
    const auto strain = elastic::bendTwistStrain(e, f, thetaDifference(p, q), state_.referenceTwist[i], shared);
    const auto g = elastic::bendTwistGradient(e, f, strain, shared);
    RodStepStart::Bend& b = start_.bend[i];
    b.strain = Vec3(strain.curvature1, strain.curvature2, strain.twist);
    for (int k = 0; k < 3; ++k) b.slope[k] = slopeOf(g, k, p.e.moves(), p.f.moves());
    b.e = e.t / e.inverse, b.f = f.t / f.inverse;
    b.thetaE = twistAt(p.e, p.dofs[9], q), b.thetaF = twistAt(p.f, p.dofs[10], q);
  }
  start_.tie.resize(s_.ties.size());
  for (const int i : part_->ties) beginTie(i, q);
  shells_.beginStep(q, dt);
  connectors_.beginStep(q);
}

/// From a spring's coordinates to its 11 unknowns.
Vec<11> Elasticity::onUnknowns(const Spring& p, const Vec<8>& u, At at) const {
  Vec<11> out = Vec<11>::Zero();
  if (p.e.arm >= 0) {
    const Lever lever = leverOf(p.e.arm, at);
    out.segment<3>(0) = lever.direction.transpose() * u.segment<3>(0) + u[6] * lever.twist;
  } else {
    out.segment<3>(0) = -u.segment<3>(0);
    out.segment<3>(3) = u.segment<3>(0);
    out[9] = u[6];
  }
  if (p.f.arm >= 0) {
    const Lever lever = leverOf(p.f.arm, at);
    out.segment<3>(6) = lever.direction.transpose() * u.segment<3>(3) + u[7] * lever.twist;
  } else {
    out.segment<3>(3) -= u.segment<3>(3);
    out.segment<3>(6) = u.segment<3>(3);
    out[10] = u[7];
  }
  return out;
}

void Elasticity::turnClamps(const VectorX& middle, const std::vector<elastic::EdgeFrame>& end,
                            const std::vector<Vec3>& planes) {
  shells_.turnPlanes(middle, planes);
  for (RodStepStart::Bend& b : start_.bend) b.turned.setZero();
  if (!damped_) return;
  edgeFrames(middle);
  for (const int i : part_->springs) {
    const Spring& p = s_.springs[i];
    const int h = p.e.held >= 0 ? p.e.held : p.f.held;
    if (!p.active || h < 0) continue;
    const auto strain = [&](const elastic::EdgeFrame& frame) {
      elastic::EdgeFrame se, sf;
      const elastic::EdgeFrame e = p.e.held >= 0 ? sideFrame(p, false, frame) : side(p, p.e, false, se);
      const elastic::EdgeFrame f = p.f.held >= 0 ? sideFrame(p, true, frame) : side(p, p.f, true, sf);
      elastic::BendTwistShared shared;
      const auto s = elastic::bendTwistStrain(e, f, thetaDifference(p, middle), state_.referenceTwist[i], shared);
      return Vec3(s.curvature1, s.curvature2, s.twist);
    };
    start_.bend[i].turned = strain(end[h]) - strain(heldFrame(state_.held[h].t, state_.held[h].d1));
  }
}

template <solve::Level level>
void Elasticity::stretchStep(int i, double rate, StepForces& out) {
  const Edge& e = s_.edges[i];
  const double l = e.naturalLength, off = e.length - l;
  const elastic::StretchStep step{l,
                                  e.law(),
                                  rate,
                                  (start_.excess[i] + off) / l,
                                  (excess_[i] + off) / l,
                                  start_.length[i],
                                  lengths_[i],
                                  start_.edge[i] / start_.length[i],
                                  frames_[i].t};
  const int a = s_.nodeDof[e.a], b = s_.nodeDof[e.b];
  // Strains are differences of displacements, each right to its last digit.
  const double strainDigits = std::numeric_limits<double>::epsilon() * e.EA / l;
  out.noise += strainDigits * strainDigits * (end_.segment<3>(a).squaredNorm() + end_.segment<3>(b).squaredNorm());
  addStretch<level>(step, a, b, out);
  if constexpr (level == solve::Level::tangent) {
    scatterStretch(edgeOffsets_[i].data(), step.symmetric());
    if (out.tangent) addRemainder(step, edgeDofs_[i], *out.tangent);
  }
}

// Strains of a spring where its edge vectors and twist angles are u, in the chart of the step's start.
Vec3 Elasticity::strainAt(int i, const Vec<8>& u) const {
  const Spring& p = s_.springs[i];
  const auto frame = [&](const SpringSide& which, bool isF) {
    const Vec3 v = u.segment<3>(isF ? 3 : 0);
    const double length = v.norm();
    return sideFrame(p, isF, elastic::edgeFrame(v / length, length, u[isF ? 7 : 6], startOf(which)));
  };
  const elastic::EdgeFrame e = frame(p.e, false), f = frame(p.f, true);
  elastic::BendTwistShared shared;
  const auto s = elastic::bendTwistStrain(e, f, u[7] - u[6], state_.referenceTwist[i], shared);
  return Vec3(s.curvature1, s.curvature2, s.twist);
}

// Discrete gradients of a spring's three strains.
void Elasticity::stepSlopes(int i, const elastic::EdgeFrame& e, const elastic::EdgeFrame& f, const Vec3& change,
                            const Vec<8>& delta, const Vec<8> (&g1)[3], Vec<8> (&D)[3], Vec3& noise) const {
  noise.setZero();
  const Spring& p = s_.springs[i];
  const RodStepStart::Bend& from = start_.bend[i];
  const Vec3 start[2] = {from.e, from.f}, end[2] = {e.t / e.inverse, f.t / f.inverse};
  const Vec3 te = (start[0] + end[0]).normalized(), tf = (start[1] + end[1]).normalized();
  // A frame's own turn is in its unknowns.
  const Vec3 generators[2] = {p.e.arm >= 0 ? leverOf(p.e.arm, At::mean).twist : twistGenerator(e.t0, te),
                              p.f.arm >= 0 ? leverOf(p.f.arm, At::mean).twist : twistGenerator(f.t0, tf)};
  const elastic::StepElement<2, 2> element(start, end, generators);
  if (!p.e.moves() || !p.f.moves()) {
    for (int k = 0; k < 3; ++k) D[k] = element.heldGradient(from.slope[k], g1[k], delta, change[k]);
    return;
  }
  const Vec3 w = element.rotationOf(delta);
  const Vec<8> turn = element.incrementOf(w), strain = delta - turn;
  // A rotation about the normal of a plane in which both edges move changes no strain; others do, through the charts.
  Vec3 turned = Vec3::Zero();
  const double out = std::abs(w.dot(te)) + std::abs(w.dot(e.t0)) + std::abs(w.dot(tf)) + std::abs(w.dot(f.t0));
  if (out > 1e-12 * w.norm()) {
    Vec<8> middle;
    middle << 0.5 * (start[0] + end[0]), 0.5 * (start[1] + end[1]), from.thetaE + 0.5 * delta[6],
        from.thetaF + 0.5 * delta[7];
    turned = strainAt(i, middle + 0.5 * turn) - strainAt(i, middle - 0.5 * turn);
  }
  for (int k = 0; k < 3; ++k)
    D[k] = element.gradient(from.slope[k], g1[k], delta, strain, change[k], turned[k], noise[k]);
  // An arm is an edge of length 1 in any unit: what it bends at is long.
  const double ofE = p.e.arm >= 0 ? 0 : e.inverse, ofF = p.f.arm >= 0 ? 0 : f.inverse;
  noise *= std::max(ofE * ofE, ofF * ofF);
}

// Forces in a spring's coordinates: `before` along the gradients of the start and `after` along those of the end have a
// potential; `whole`, along the discrete ones, is what acts.
void Elasticity::addBendForces(const Spring& p, const Vec<8>& before, const Vec<8>& after, const Vec<8>& whole,
                               StepForces& out) const {
  const Vec<11> soft = onUnknowns(p, before, At::start) + onUnknowns(p, after, At::end);
  const Vec<11> force = onUnknowns(p, whole, At::mean);
  for (int r = 0; r < 11; ++r) {
    const int dof = p.dofs[r];
    if (dof < 0) continue;
    (*out.gradient)[dof] += soft[r];
    (*out.applied)[dof] += force[r] - soft[r];
    // Moments, among them those on the frame of a weld, count as forces by the length of edges.
    const bool turns = r >= 9 || (p.e.arm >= 0 && r < 3) || (p.f.arm >= 0 && r >= 6);
    out.evaluation.roundOff += turns ? force[r] * force[r] * inverseEdge2_ : 0.5 * force[r] * force[r];
  }
}

// The part of a spring's tangent that is not in the symmetric solver, from the gradients of the end and the discrete
// ones.
void Elasticity::addBendRemainder(int i, const Vec<8> (&g1)[3], const Vec<8> (&D)[3], const Vec3& stiffness,
                                  solve::PartedTangent& tangent) const {
  const Spring& p = s_.springs[i];
  Mat<11> block = Mat<11>::Zero();
  for (int k = 0; k < 3; ++k) {
    const Vec<11> end = onUnknowns(p, g1[k], At::end);
    block += (stiffness[k] * (onUnknowns(p, D[k], At::mean) - end)) * end.transpose();
  }
  tangent.add(springDofs_[i], block);
}

template <solve::Level level>
void Elasticity::bendStep(int i, const VectorX& q1, double rate, StepForces& out) {
  const Spring& p = s_.springs[i];
  const RodStepStart::Bend& from = start_.bend[i];
  elastic::EdgeFrame se, sf;
  const elastic::EdgeFrame& e = plain_[i] ? frames_[p.e.edge] : side(p, p.e, false, se);
  const elastic::EdgeFrame& f = plain_[i] ? frames_[p.f.edge] : side(p, p.f, true, sf);
  elastic::BendTwistShared shared;
  const auto strain = elastic::bendTwistStrain(e, f, thetaDifference(p, q1), state_.referenceTwist[i], shared);
  if (!(shared.chi > FrameLimits::fold)) {
    out.evaluation.valid = false;
    return;
  }
  const Vec3 strain1(strain.curvature1, strain.curvature2, strain.twist), change = strain1 - from.strain;
  const elastic::KelvinVoigt<Vec3> law = p.law();
  const auto response =
      elastic::respondOver<Vec3>(law, from.strain - p.natural, strain1 - p.natural, change + from.turned, rate);
  const Vec3& stress = response.stress;
  Vec<8> delta;
  delta << e.t / e.inverse - from.e, f.t / f.inverse - from.f, twistAt(p.e, p.dofs[9], q1) - from.thetaE,
      twistAt(p.f, p.dofs[10], q1) - from.thetaF;
  Vec<8> before = Vec<8>::Zero(), after = Vec<8>::Zero();
  for (int k = 0; k < 3; ++k) before += (0.5 * response.stress0[k]) * from.slope[k];
  double work = before.dot(delta);
  if (p.e.arm >= 0) work += workOfTurn(p.e.arm, before.segment<3>(0), before[6], delta.segment<3>(0), delta[6]);
  if (p.f.arm >= 0) work += workOfTurn(p.f.arm, before.segment<3>(3), before[7], delta.segment<3>(3), delta[7]);
  out.evaluation.potential += response.potential + 0.5 * work;
  out.evaluation.magnitude += response.magnitude;
  if constexpr (level == solve::Level::value) return;
  const auto g = elastic::bendTwistGradient(e, f, strain, shared);
  Vec<8> g1[3], D[3];
  const Vec3 stressAtEnd = response.atEnd();
  for (int k = 0; k < 3; ++k) {
    g1[k] = slopeOf(g, k, p.e.moves(), p.f.moves());
    after += stressAtEnd[k] * g1[k];
  }
  Vec3 noise;
  stepSlopes(i, e, f, change, delta, g1, D, noise);
  out.noise += stress.cwiseAbs2().dot(noise);
  Vec<8> whole = Vec<8>::Zero();
  for (int k = 0; k < 3; ++k) whole += stress[k] * D[k];
  addBendForces(p, before, after, whole, out);
  if constexpr (level == solve::Level::tangent) {
    const Vec3 stiffness = law.tangent(2 * rate);
    const double te = stress[0] * g.te[0] + stress[1] * g.te[1] + stress[2] * g.te[2];
    const double tf = stress[0] * g.tf[0] + stress[1] * g.tf[1] + stress[2] * g.tf[2];
    auto h = elastic::bendTwistCurvature(e, f, strain, shared, stress, te, tf);
    elastic::addStiffness(h, g, stiffness);
    if (p.e.arm >= 0 || p.f.arm >= 0) {
      Vec3 ge = Vec3::Zero(), gf = Vec3::Zero();
      for (int k = 0; k < 3; ++k) ge += stress[k] * g.be[k], gf += stress[k] * g.bf[k];
      scatterArm(p, springOffsets_[i].data(), h, ge, gf, te, tf);
    } else {
      scatterSpring(springOffsets_[i].data(), h);
    }
    if (out.tangent) addBendRemainder(i, g1, D, stiffness, *out.tangent);
  }
}

template <solve::Level level>
void Elasticity::stepPass(const VectorX& q1, double rate, StepForces& out) {
  rounded_.begin(*part_, static_cast<int>(s_.rodFirstEdge.size()));
  if (!setTurns(q1)) {
    out.evaluation.valid = false;
    return;
  }
  for (const int i : part_->edges) {
    if (!setFrame(i, q1)) {
      out.evaluation.valid = false;
      return;
    }
    if (s_.edges[i].EA > 0) stretchStep<level>(i, rate, out);
    rounded_.book(s_.edges[i].rod, out.evaluation.roundOff, out.noise);
  }
  for (const int i : part_->springs) {
    if (!s_.springs[i].active) continue;
    bendStep<level>(i, q1, rate, out);
    rounded_.book(s_.springs[i].rod, out.evaluation.roundOff, out.noise);
    if (!out.evaluation.valid) return;
  }
  for (const int i : part_->ties) stepTie<level>(i, q1, out);
  rounded_.skip(out.evaluation.roundOff, out.noise);
  shells_.evaluateStep(q1, rate, level, out);
  rounded_.bookShells(out.evaluation.roundOff, out.noise);
  connectors_.evaluateStep(q1, rate, level, out, rounded_);
}

solve::Evaluation Elasticity::evaluateStep(const VectorX& middle, double rate, solve::Level level, VectorX& gradient,
                                           VectorX& applied, solve::PartedTangent* tangent) {
  end_.resize(start_.q.size());
  if (part_->part < 0) {
    end_ = 2 * middle - start_.q;
  } else {
    for (const int i : *part_->unknowns) end_[i] = 2 * middle[i] - start_.q[i];
  }
  StepForces out{{}, 0, &gradient, &applied, tangent};
  if (level == solve::Level::value) {
    stepPass<solve::Level::value>(end_, rate, out);
  } else if (level == solve::Level::residual) {
    stepPass<solve::Level::residual>(end_, rate, out);
  } else {
    stepPass<solve::Level::tangent>(end_, rate, out);
  }
  finish(out.evaluation, out.noise);
  return out.evaluation;
}

}  // namespace tendril::rods_shells
