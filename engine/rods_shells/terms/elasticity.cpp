#include "rods_shells/terms/elasticity.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "elastic/stretch.h"
#include "rods_shells/springs.h"
#include "rods_shells/welds.h"

namespace tendril::rods_shells {
namespace {

constexpr double digits = 2e-14;  // of the elements' forces are lost where they cancel in the residual

}  // namespace

Elasticity::Elasticity(Structure& structure)
    : s_(structure),
      shells_(structure, state_.hingeAngle, state_.planes, reference_.shell),
      connectors_(structure, state_.connector, reference_.connector) {
  frames_.resize(s_.edges.size());
  lengths_.resize(s_.edges.size());
  excess_.resize(s_.edges.size());
  for (const Edge& e : s_.edges) state_.edges.push_back({e.initial / e.length, e.d1});
  state_.spin.assign(s_.edges.size(), Vec3::Zero());
  for (const Spring& p : s_.springs) state_.referenceTwist.push_back(p.initialReferenceTwist);
  for (const HeldFrame& h : s_.held) {
    state_.held.push_back({h.t, h.d1});
    held_.push_back(heldFrame(h.t, h.d1));
  }
  reference_.stretch.assign(s_.edges.size(), 0);
  reference_.elongation.assign(s_.edges.size(), 0);
  reference_.bend.assign(s_.springs.size(), Vec3::Zero());
  for (const Spring& p : s_.springs) {
    plain_.push_back(!p.joint && p.e.edge >= 0 && p.f.edge >= 0);
  }
  state_.welds.resize(s_.welds.size());
  turns_.resize(s_.welds.size());
  weldsHeld_.assign(s_.welds.size(), -1);
  for (const WeldArm& arm : s_.arms) {
    armStart_.push_back({arm.t, arm.d1});
    armFrames_.push_back(heldFrame(arm.t, arm.d1));
  }
  armTwist_.assign(s_.arms.size(), 0);
  reference_.tie.assign(s_.ties.size(), Vec3::Zero());
  for (const Connector& c : s_.connectors) state_.connector.push_back(c.initial);
  reference_.connector = state_.connector;
  refreshActive();
}

void Elasticity::enter(const PartElements& part) {
  part_ = &part;
  inverseEdge2_ = 1 / (part.meanEdge * part.meanEdge);
  shells_.enter(part);
  connectors_.enter(part);
}

void Elasticity::setFrames(const FrameState& state) {
  if (part_->part < 0) {
    state_ = state;
    return;
  }
  const auto gone =
      std::remove_if(state_.path.begin() + static_cast<std::ptrdiff_t>(std::min(state.path.size(), state_.path.size())),
                     state_.path.end(), [this](const auto& step) { return step.first == part_->part; });
  state_.path.erase(gone, state_.path.end());
  for (const int i : part_->edges) state_.edges[i] = state.edges[i], state_.spin[i] = state.spin[i];
  for (const int i : part_->springs) state_.referenceTwist[i] = state.referenceTwist[i];
  for (const int i : part_->shellEdges) state_.hingeAngle[i] = state.hingeAngle[i];
  for (const int i : part_->connectors) state_.connector[i] = state.connector[i];
  for (const int i : part_->welds) state_.welds[i] = state.welds[i];
  for (std::size_t h = 0; h < s_.shell.held.size(); ++h) {
    if (!part_->has(s_.nodeDof[s_.shell.edges[s_.shell.held[h].edge].a])) continue;
    state_.planes.normals[h] = state.planes.normals[h];
    for (std::size_t k = 2 * h; k < 2 * h + 2; ++k) state_.planes.angles[k] = state.planes.angles[k];
  }
}

void Elasticity::refreshActive() {
  storing_.clear();
  damped_ = false;
  for (std::size_t i = 0; i < s_.springs.size(); ++i) {
    const Spring& p = s_.springs[i];
    if (p.stores()) storing_.push_back(static_cast<int>(i));
    damped_ = damped_ || !p.viscosity.isZero(0);
  }
  for (const Edge& e : s_.edges) damped_ = damped_ || e.viscousEA > 0;
  shells_.refreshActive();
}

void Elasticity::bind(solve::PartedTangent& solver, const std::vector<char>& prescribed) {
  shells_.bind(solver, prescribed);
  connectors_.bind(solver, prescribed);
  const int trash = solver.trash();
  values_ = solver.values().data();
  const auto offset = [&](int row, int col) {
    if (row < 0 || col < 0 || prescribed[row] || prescribed[col]) return trash;
    return solver.offset(row, col);
  };
  const auto unlessHeld = [&](int dof) { return dof < 0 || prescribed[dof] ? -1 : dof; };
  springOffsets_.resize(s_.springs.size());
  springDofs_.resize(s_.springs.size());
  for (std::size_t i = 0; i < s_.springs.size(); ++i) {
    const auto& d = s_.springs[i].dofs;
    std::transform(d.begin(), d.end(), springDofs_[i].begin(), unlessHeld);
    for (int r = 0, k = 0; r < 11; ++r) {
      for (int c = 0; c <= r; ++c, ++k) springOffsets_[i][k] = offset(d[r], d[c]);
    }
  }
  ties_.resize(s_.ties.size());
  for (std::size_t i = 0; i < s_.ties.size(); ++i) {
    TieWork& work = ties_[i];
    work.dofs = tieUnknowns(s_, static_cast<int>(i));
    work.held.resize(work.dofs.size());
    std::transform(work.dofs.begin(), work.dofs.end(), work.held.begin(), unlessHeld);
    work.offsets.clear();
    for (std::size_t r = 0; r < work.dofs.size(); ++r) {
      for (std::size_t c = 0; c <= r; ++c) work.offsets.push_back(offset(work.dofs[r], work.dofs[c]));
    }
    const Eigen::Index n = static_cast<Eigen::Index>(work.dofs.size());
    work.slopes.resize(n, 3), work.mean.resize(n, 3);
    if (tieBlock_.rows() < n) tieBlock_.resize(n, n);
  }
  edgeOffsets_.resize(s_.edges.size());
  edgeDofs_.resize(s_.edges.size());
  for (std::size_t i = 0; i < s_.edges.size(); ++i) {
    int d[6];
    for (int k = 0; k < 3; ++k) d[k] = s_.nodeDof[s_.edges[i].a] + k, d[3 + k] = s_.nodeDof[s_.edges[i].b] + k;
    std::transform(d, d + 6, edgeDofs_[i].begin(), unlessHeld);
    for (int r = 0, k = 0; r < 6; ++r) {
      for (int c = 0; c <= r; ++c, ++k) edgeOffsets_[i][k] = offset(d[r], d[c]);
    }
  }
}

// Length, excess length and frame of an edge; false where it turned out of its chart.
bool Elasticity::setFrame(int i, const VectorX& q) {
  const Edge& e = s_.edges[i];
  const Vec3 du = q.segment<3>(s_.nodeDof[e.b]) - q.segment<3>(s_.nodeDof[e.a]);
  const Vec3 v = e.initial + du;
  const double length = std::sqrt(v.squaredNorm());
  lengths_[i] = length;
  excess_[i] = du.dot(e.initial + v) / (length + e.length);  // |e| - l without cancellation
  frames_[i] = elastic::edgeFrame(v * (1 / length), length, q[e.theta], state_.edges[i]);
  return frames_[i].chart > FrameLimits::chart && length > 0;
}

template <solve::Level level>
void Elasticity::stretchEdge(int i, double rate, solve::Evaluation& out, VectorX& gradient) {
  const Edge& e = s_.edges[i];
  const double l = e.naturalLength, strain = (excess_[i] + (e.length - l)) / l;
  const elastic::StretchLaw law = e.law();
  const auto response = elastic::respond(law, strain, rate * (excess_[i] - reference_.elongation[i]) / l, rate);
  response.addTo(out.potential);
  if constexpr (level != solve::Level::value) {
    const Vec3 g = elastic::stretchGradient(frames_[i].t, 1 / l, response.stress);
    gradient.segment<3>(s_.nodeDof[e.a]) -= g;
    gradient.segment<3>(s_.nodeDof[e.b]) += g;
    out.roundOff += 2 * g.squaredNorm();
  }
  if constexpr (level == solve::Level::tangent) {
    scatterStretch(edgeOffsets_[i].data(), elastic::stretchHessian(frames_[i].t, frames_[i].inverse, 1 / l,
                                                                   law.tangent(strain, rate), response.stress));
  }
}

// h in the edge vector: rows of the 6 x 6 lower triangle in (x before, x after).
void Elasticity::scatterStretch(const int* o, const Mat3& h) {
  int k = 0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c <= r; ++c) values_[o[k++]] += h(r, c);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) values_[o[k++]] -= h(r, c);
    for (int c = 0; c <= r; ++c) values_[o[k++]] += h(r, c);
  }
}

const elastic::EdgeFrame& Elasticity::side(const Spring& spring, const SpringSide& which, bool isF,
                                           elastic::EdgeFrame& storage) const {
  if (which.arm >= 0) return armFrames_[which.arm];
  storage = sideFrame(spring, isF, which.edge >= 0 ? frames_[which.edge] : held_[which.held]);
  return storage;
}

double Elasticity::twistAt(const SpringSide& side, int theta, const VectorX& q) const {
  if (side.edge >= 0) return q[theta];
  return side.arm >= 0 ? armTwist_[side.arm] : 0;
}

double Elasticity::thetaDifference(const Spring& p, const VectorX& q) const {
  return twistAt(p.f, p.dofs[10], q) - twistAt(p.e, p.dofs[9], q);
}

template <solve::Level level>
void Elasticity::bendSpring(int i, const VectorX& q, double rate, solve::Evaluation& out, VectorX& gradient) {
  const Spring& p = s_.springs[i];
  elastic::EdgeFrame se, sf;
  const elastic::EdgeFrame& e = plain_[i] ? frames_[p.e.edge] : side(p, p.e, false, se);
  const elastic::EdgeFrame& f = plain_[i] ? frames_[p.f.edge] : side(p, p.f, true, sf);
  elastic::BendTwistShared shared;
  const auto strain = elastic::bendTwistStrain(e, f, thetaDifference(p, q), state_.referenceTwist[i], shared);
  if (!(shared.chi > FrameLimits::fold)) {
    out.valid = false;
    return;
  }
  const Vec3 epsilon(strain.curvature1, strain.curvature2, strain.twist);
  const elastic::KelvinVoigt<Vec3> law = p.law();
  const auto response = elastic::respond<Vec3>(law, epsilon - p.natural, rate * (epsilon - reference_.bend[i]), rate);
  const Vec3& stress = response.stress;
  response.addTo(out.potential);
  if constexpr (level != solve::Level::value) {
    const auto g = elastic::bendTwistGradient(e, f, strain, shared);
    const Vec3 ge = stress[0] * g.be[0] + stress[1] * g.be[1] + stress[2] * g.be[2];
    const Vec3 gf = stress[0] * g.bf[0] + stress[1] * g.bf[1] + stress[2] * g.bf[2];
    const double te = stress[0] * g.te[0] + stress[1] * g.te[1] + stress[2] * g.te[2];
    const double tf = stress[0] * g.tf[0] + stress[1] * g.tf[1] + stress[2] * g.tf[2];
    // Of a held frame and that of a weld, which have length one, these are moments.
    const double we = p.e.edge >= 0 ? 1 : inverseEdge2_, wf = p.f.edge >= 0 ? 1 : inverseEdge2_;
    out.roundOff += we * ge.squaredNorm() + wf * gf.squaredNorm() + (te * te + tf * tf) * inverseEdge2_;
    const auto addSide = [&](const SpringSide& which, int far, int theta, double sign, const Vec3& force,
                             double twist) {
      if (which.edge >= 0) {
        gradient.segment<3>(p.dofs[3]) += sign * force;
        gradient.segment<3>(p.dofs[far]) -= sign * force;
        gradient[p.dofs[theta]] += twist;
      } else if (which.arm >= 0) {
        const Lever lever = leverOf(which.arm, At::end);
        gradient.segment<3>(p.dofs[far]) += lever.direction.transpose() * force + twist * lever.twist;
      }
    };
    addSide(p.e, 0, 9, 1, ge, te);
    addSide(p.f, 6, 10, -1, gf, tf);
    if constexpr (level == solve::Level::tangent) {
      auto h = elastic::bendTwistCurvature(e, f, strain, shared, stress, te, tf);
      elastic::addStiffness(h, g, law.tangent(rate));
      if (p.e.arm >= 0 || p.f.arm >= 0) {
        scatterArm(p, springOffsets_[i].data(), h, ge, gf, te, tf);
      } else {
        scatterSpring(springOffsets_[i].data(), h);
      }
    }
  }
}

// x before, at and after the node enter as -e, e - f and f: rows of the 11 x 11 lower triangle in that order.
void Elasticity::scatterSpring(const int* o, const elastic::BendTwistHessian& h) {
  const auto add = [&](double v) { values_[*o++] += v; };
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c <= r; ++c) add(h.ee(r, c));
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) add(h.ef(c, r) - h.ee(r, c));
    for (int c = 0; c <= r; ++c) add(h.ee(r, c) - h.ef(r, c) - h.ef(c, r) + h.ff(r, c));
  }
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) add(-h.ef(c, r));
    for (int c = 0; c < 3; ++c) add(h.ef(c, r) - h.ff(r, c));
    for (int c = 0; c <= r; ++c) add(h.ff(r, c));
  }
  for (int c = 0; c < 3; ++c) add(-h.e0[c]);
  for (int c = 0; c < 3; ++c) add(h.e0[c] - h.f0[c]);
  for (int c = 0; c < 3; ++c) add(h.f0[c]);
  add(h.t00);
  for (int c = 0; c < 3; ++c) add(-h.e1[c]);
  for (int c = 0; c < 3; ++c) add(h.e1[c] - h.f1[c]);
  for (int c = 0; c < 3; ++c) add(h.f1[c]);
  add(h.t01);
  add(h.t11);
}

template <solve::Level level>
solve::Evaluation Elasticity::pass(const VectorX& q, double rate, VectorX& gradient) {
  solve::Evaluation out;
  rounded_.begin(*part_, static_cast<int>(s_.rodFirstEdge.size()));
  if (!setTurns(q)) {
    out.valid = false;
    return out;
  }
  for (const int i : part_->edges) {
    if (!setFrame(i, q)) {
      out.valid = false;
      return out;
    }
    stretchEdge<level>(i, damped_ ? rate : 0, out, gradient);
    rounded_.book(s_.edges[i].rod, out.roundOff, 0);
  }
  for (const int i : part_->springs) {
    if (!s_.springs[i].active) continue;
    bendSpring<level>(i, q, damped_ ? rate : 0, out, gradient);
    rounded_.book(s_.springs[i].rod, out.roundOff, 0);
    if (!out.valid) return out;
  }
  for (const int i : part_->ties) evaluateTie<level>(i, q, out, gradient);
  rounded_.skip(out.roundOff, 0);
  shells_.evaluate(q, rate, level, out, gradient);
  rounded_.bookShells(out.roundOff, 0);
  double noise = 0;
  connectors_.evaluate(q, rate, level, out, gradient, noise, rounded_);
  finish(out, noise);
  return out;
}

double Elasticity::roundOff(int body) const {
  return digits * std::sqrt(rounded_.forces(body)) + std::sqrt(rounded_.noise(body));
}

// From sums of squares over the elements to sizes.
void Elasticity::finish(solve::Evaluation& out, double noise) {
  out.magnitude = std::max(out.magnitude, std::abs(out.potential));
  out.roundOff = digits * std::sqrt(out.roundOff) + std::sqrt(noise);
}

solve::Evaluation Elasticity::evaluate(const VectorX& q, double rate, solve::Level level, VectorX& gradient) {
  if (level == solve::Level::value) return pass<solve::Level::value>(q, rate, gradient);
  if (level == solve::Level::residual) return pass<solve::Level::residual>(q, rate, gradient);
  return pass<solve::Level::tangent>(q, rate, gradient);
}

double Elasticity::largestTurn(const VectorX& q) {
  double chart = 2;
  edgeFrames(q);
  for (const int i : part_->edges) chart = std::min(chart, frames_[i].chart);
  double turn = std::acos(std::clamp(chart - 1, -1.0, 1.0));
  for (const int i : part_->welds) turn = std::max(turn, isHeld(i) ? 0 : turns_[i].angle());
  return turn;
}

double Elasticity::accept(const VectorX& q) {
  const double turn = largestTurn(q);
  elastic::EdgeFrame se, sf;
  for (const int i : part_->springs) {
    const Spring& p = s_.springs[i];
    if (!p.active && (p.e.held >= 0 || p.f.held >= 0)) {
      // Where a clamp catches it, it begins with less than half a turn.
      state_.referenceTwist[i] = p.natural[2] - thetaDifference(p, q);
      continue;
    }
    const elastic::EdgeFrame& e = plain_[i] ? frames_[p.e.edge] : side(p, p.e, false, se);
    const elastic::EdgeFrame& f = plain_[i] ? frames_[p.f.edge] : side(p, p.f, true, sf);
    if (p.e.arm >= 0 || p.f.arm >= 0) {
      // A frame takes its whole turn into its new start, so that its own twist goes into the reference's.
      elastic::EdgeFrame e1 = e, f1 = f;
      double near = state_.referenceTwist[i];
      if (p.e.arm >= 0) e1.d1 = e.m1, near -= armTwist_[p.e.arm];
      if (p.f.arm >= 0) f1.d1 = f.m1, near += armTwist_[p.f.arm];
      state_.referenceTwist[i] = elastic::referenceTwist(e1, f1, 1 + e.t.dot(f.t), near);
      continue;
    }
    state_.referenceTwist[i] = elastic::referenceTwist(e, f, 1 + e.t.dot(f.t), state_.referenceTwist[i]);
  }
  acceptTurns(q);
  for (const int i : part_->edges) {
    state_.spin[i] = frames_[i].spin;
    state_.edges[i] = {frames_[i].t, geometry::normalTo(frames_[i].d1, frames_[i].t)};
  }
  shells_.accept(q);
  connectors_.accept(q);
  for (std::size_t i = 0; i < held_.size(); ++i) state_.held[i] = {held_[i].t, held_[i].d1};
  return turn;
}

const std::vector<elastic::EdgeFrame>& Elasticity::edgeFrames(const VectorX& q) {
  setTurns(q);
  for (const int i : part_->edges) setFrame(i, q);
  return frames_;
}

void Elasticity::strains(const VectorX& q, Strains& out) {
  out.stretch.resize(s_.edges.size());
  out.elongation.resize(s_.edges.size());
  out.bend.resize(s_.springs.size());
  edgeFrames(q);
  for (std::size_t i = 0; i < s_.edges.size(); ++i) {
    const double l = s_.edges[i].naturalLength;
    out.stretch[i] = (excess_[i] + (s_.edges[i].length - l)) / l;
    out.elongation[i] = excess_[i];
  }
  elastic::EdgeFrame se, sf;
  for (std::size_t i = 0; i < s_.springs.size(); ++i) {
    const Spring& p = s_.springs[i];
    if (p.inner) {
      out.bend[i] = p.innerStrain;
      continue;
    }
    const elastic::EdgeFrame& e = side(p, p.e, false, se);
    const elastic::EdgeFrame& f = side(p, p.f, true, sf);
    elastic::BendTwistShared shared;
    const auto s = elastic::bendTwistStrain(e, f, thetaDifference(p, q), state_.referenceTwist[i], shared);
    out.bend[i] = Vec3(s.curvature1, s.curvature2, s.twist);
  }
  out.tie.resize(s_.ties.size());
  for (std::size_t i = 0; i < s_.ties.size(); ++i) out.tie[i] = tieStrain(static_cast<int>(i), q);
  shells_.strains(q, out.shell);
  connectors_.strains(q, out.connector);
}

}  // namespace tendril::rods_shells
