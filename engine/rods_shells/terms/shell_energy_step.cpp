// Shells in a step of the midpoint rule that keeps energy, as energy_step.cpp does it for rods. Membrane strains are
// quadratic in the positions: their gradient in the middle of the step is a discrete gradient already. Mid-edge shells
// bend through the angles of their hinges and the turns of their normals, which enter linearly.
#include <algorithm>

#include "elastic/discrete_gradient.h"
#include "rods_shells/shells.h"
#include "rods_shells/terms/shell_elasticity.h"

namespace tendril::rods_shells {
namespace {

// Coordinates of a hinge: its edge, and the vectors from the edge's middle to its two corners, so that it does not
// matter from which end it is told. Gradient of its angle in them; a held plane's corner `far` moves with the edge.
Vec<9> slopeOf(const elastic::HingeGradient& g, int far) {
  Vec<9> out;
  out << 0.5 * (g.g[1] - g.g[0]), g.g[2], g.g[3];
  if (far < 4) out.segment<3>(3 * far - 3).setZero();
  return out;
}

// A force in these coordinates on the hinge's four nodes.
Vec<12> onNodes(const Vec<9>& force) {
  const Vec3 edge = force.head<3>(), ends = 0.5 * (force.segment<3>(3) + force.tail<3>());
  Vec<12> out;
  out << -edge - ends, edge - ends, force.tail<6>();
  return out;
}

}  // namespace

// A hinge's coordinates at displacements q; zero to a held plane's corner.
Vec<9> ShellElasticity::hingeVectors(int i, int far, const VectorX& q) const {
  const auto nodes = hingeNodes(shell_.edges[i]);
  const Vec3 a = place(q, nodes[0]), b = place(q, nodes[1]), middle = 0.5 * (a + b);
  Vec<9> out = Vec<9>::Zero();
  out.head<3>() = b - a;
  for (int k = 2; k < 4; ++k) {
    if (k != far) out.segment<3>(3 * k - 3) = place(q, nodes[k]) - middle;
  }
  return out;
}

void ShellElasticity::beginStep(const VectorX& q, double dt) {
  if (empty()) return;
  const std::size_t edges = shell_.edges.size(), triangles = shell_.triangles.size();
  start_.q = q;
  start_.length.resize(edges), start_.stretch.resize(edges), start_.tangent.resize(edges),
      start_.hinge.resize(2 * edges);
  start_.share.resize(edges), start_.green.resize(triangles), start_.alpha.resize(triangles);
  discrete_.resize(2 * edges);
  ends_.resize(2 * edges);
  measuredAll_ = false;
  for (std::size_t n = 0; n < edges; ++n) {
    const int i = static_cast<int>(n);
    const ShellEdge& e = shell_.edges[n];
    const Vec3 du = q.segment<3>(s_.nodeDof[e.b]) - q.segment<3>(s_.nodeDof[e.a]), v = e.initial + du;
    start_.length[n] = v.norm();
    start_.tangent[n] = v / start_.length[n];
    start_.stretch[n] = du.dot(e.initial + v) / ((start_.length[n] + e.length) * e.length);
    // Where a normal is held, the force on it is its support's, whose work is that of the mean.
    const bool held = e.psi >= 0 && (*prescribed_)[static_cast<std::size_t>(e.psi)];
    start_.share[n] = held ? 0.5 : shareOfStart(shell_.triangles[e.triangle[0]].dampingTime, dt);
    measureHinge(i, q);
    forSides(i, [&](int side, int far) {
      ShellStepStart::Hinge& h = start_.hinge[2 * n + side];
      h.angle = folds_[n].angle[side];
      h.moment = h.turned = 0;
      h.slope = slopeOf(elastic::hingeGradient(folds_[n].shape[side]), far);
      h.vectors = hingeVectors(i, far, q);
    });
  }
  for (std::size_t n = 0; n < triangles; ++n) {
    const ShellTriangle& t = shell_.triangles[n];
    start_.green[n] = membraneAt(t, q).strain;
    start_.alpha[n] = alphaOf(t, q);
    if (!t.midedge) continue;
    const Vec3 moment = t.curving().stress(start_.alpha[n] - naturalAlpha(t));
    for (int k = 0; k < 3; ++k) {
      const bool held = isHeld(t.edges[k]);
      start_.hinge[2 * t.edges[k] + (held ? t.sides[k] : 0)].moment += (held ? 1 : 0.5) * moment[k];
    }
  }
}

void ShellElasticity::turnPlanes(const VectorX& middle, const std::vector<Vec3>& end) {
  if (empty() || !damped_) return;
  const auto measure = [&](const std::vector<Vec3>& normals, double sign) {
    otherNormals_ = normals;
    normals_.swap(otherNormals_);
    for (const HeldEdge& held : shell_.held) {
      if (!isHeld(held.edge) || planes_.normals[static_cast<std::size_t>(&held - shell_.held.data())].isZero(0))
        continue;
      measureHinge(held.edge, middle);
      forSides(held.edge, [&](int side, int) {
        start_.hinge[2 * held.edge + side].turned += sign * folds_[held.edge].angle[side];
      });
    }
    normals_.swap(otherNormals_);
  };
  measure(end, 1), measure(planes_.normals, -1);
  measuredAll_ = false;
}

Vec3 ShellElasticity::turnedOf(const ShellTriangle& t) const {
  Vec3 turned = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    if (isHeld(t.edges[k])) turned[k] = start_.hinge[2 * t.edges[k] + t.sides[k]].turned;
  }
  return turned;
}

elastic::MembraneShape ShellElasticity::membraneAt(const ShellTriangle& t, const VectorX& q) const {
  return elastic::membraneShape(t.rest, q.segment<3>(s_.nodeDof[t.nodes[0]]), q.segment<3>(s_.nodeDof[t.nodes[1]]),
                                q.segment<3>(s_.nodeDof[t.nodes[2]]));
}

int ShellElasticity::unlessPrescribed(int dof) const { return dof < 0 || (*prescribed_)[dof] ? none_ : dof; }

// Discrete gradient of the hinge's angle, or of either side's, and what it is made of.
void ShellElasticity::measureStep(int i, const VectorX& q1) {
  forSides(i, [&](int side, int far) {
    const ShellStepStart::Hinge& from = start_.hinge[2 * i + side];
    ShellStepStart::Hinge& end = ends_[2 * i + side];
    end.angle = folds_[i].angle[side];
    end.moment = end.noise = 0;
    end.slope = slopeOf(elastic::hingeGradient(folds_[i].shape[side]), far);
    end.vectors = hingeVectors(i, far, q1);
    const Vec<9> delta = end.vectors - from.vectors;
    const double change = end.angle - from.angle;
    Vec3 start[3], finish[3];
    for (int k = 0; k < 3; ++k) {
      start[k] = from.vectors.segment<3>(3 * k), finish[k] = end.vectors.segment<3>(3 * k);
      if (k + 1 == far) start[k] = finish[k] = Vec3::UnitX();  // held: it never moves
    }
    const elastic::StepElement<3, 0> element(start, finish, nullptr);
    if (far < 4) {
      discrete_[2 * i + side] = element.heldGradient(from.slope, end.slope, delta, change);
      return;
    }
    const Vec<9> strain = delta - element.incrementOf(element.rotationOf(delta));
    discrete_[2 * i + side] = element.gradient(from.slope, end.slope, delta, strain, change, 0, end.noise);
    end.noise *= element.largestWeight();
  });
}

// A vector in a hinge's coordinates onto its nodes: those of `far` have none.
void ShellElasticity::addToNodes(int i, int far, const Vec<9>& force, VectorX& out) const {
  const auto nodes = hingeNodes(shell_.edges[i]);
  const Vec<12> spread = onNodes(force);
  for (int k = 0; k < 4; ++k) {
    if (k != far) out.segment<3>(s_.nodeDof[nodes[k]]) += spread.segment<3>(3 * k);
  }
}

// Forces of the angle: `moment` along its discrete gradient; with a potential, half of `moment0` along the start's
// gradient and `smooth` along the end's.
template <solve::Level level>
void ShellElasticity::addAngle(int i, int side, int far, double moment, double moment0, double smooth,
                               StepForces& out) {
  const ShellStepStart::Hinge &from = start_.hinge[2 * i + side], &end = ends_[2 * i + side];
  const Vec<9> start = (0.5 * moment0) * from.slope;
  out.evaluation.potential += 0.5 * start.dot(end.vectors - from.vectors);
  if constexpr (level != solve::Level::value) {
    const Vec<9> soft = start + smooth * end.slope, force = moment * discrete_[2 * i + side];
    addToNodes(i, far, soft, *out.gradient);
    addToNodes(i, far, force - soft, *out.applied);
    out.evaluation.roundOff += 2 * force.squaredNorm();
    out.noise += moment * moment * end.noise;
  }
}

template <solve::Level level>
void ShellElasticity::foldStep(int i, double rate, StepForces& out) {
  const ShellEdge& e = shell_.edges[i];
  forSides(i, [&](int side, int far) {
    const bool held = far < 4;
    const double natural = held ? naturalSide(i, side) : e.natural, angle0 = start_.hinge[2 * i + side].angle,
                 angle1 = ends_[2 * i + side].angle, strained = angle1 - angle0 + start_.hinge[2 * i + side].turned;
    const elastic::KelvinVoigt<double> law = e.folding(held);
    const auto response = elastic::respondOver(law, angle0 - natural, angle1 - natural, strained, rate);
    out.evaluation.potential += response.potential;
    out.evaluation.magnitude += response.magnitude;
    addAngle<level>(i, side, far, response.stress, response.stress0, response.atEnd(), out);
    if constexpr (level == solve::Level::tangent) {
      const elastic::HingeGradient g = elastic::hingeGradient(folds_[i].shape[side]);
      const double stiffness = law.tangent(2 * rate);
      addBlocks(offsetsOf(i, side), elastic::hingeHessian(folds_[i].shape[side], g), g, response.stress, stiffness);
      if (out.tangent) addHingeRemainder(i, side, far, stiffness, out);
    }
  });
}

void ShellElasticity::addHingeRemainder(int i, int side, int far, double stiffness, StepForces& out) const {
  const auto nodes = hingeNodes(shell_.edges[i]);
  const Vec<9>& g = ends_[2 * i + side].slope;
  const Vec<12> left = onNodes(stiffness * (discrete_[2 * i + side] - g)), right = onNodes(g);
  int dofs[12];
  for (int k = 0; k < 4; ++k) {
    for (int c = 0; c < 3; ++c) dofs[3 * k + c] = k == far ? none_ : unlessPrescribed(s_.nodeDof[nodes[k]] + c);
  }
  out.tangent->add(dofs, Mat<12>(left * right.transpose()));
}

template <solve::Level level>
void ShellElasticity::strainStep(int i, const VectorX& q1, double rate, StepForces& out) {
  const ShellTriangle& t = shell_.triangles[i];
  const elastic::MembraneShape end = membraneAt(t, q1);
  elastic::MembraneShape start = membraneAt(t, start_.q), middle = end;
  middle.F = 0.5 * (start.F + end.F);
  const elastic::ProportionalLaw law = t.straining();
  const auto response =
      elastic::respondOver<Vec3>(law, start_.green[i], end.strain, end.strain - start_.green[i], rate);
  const Mat<3, 9> B0 = elastic::membraneGradient(t.rest, start);
  Vec<9> delta, smooth = 0.5 * (B0.transpose() * response.stress0);
  int dofs[9];
  for (int k = 0; k < 3; ++k) {
    const int d = s_.nodeDof[t.nodes[k]];
    delta.segment<3>(3 * k) = q1.segment<3>(d) - start_.q.segment<3>(d);
    for (int c = 0; c < 3; ++c) dofs[3 * k + c] = unlessPrescribed(d + c);
  }
  out.evaluation.potential += response.potential + 0.5 * smooth.dot(delta);
  out.evaluation.magnitude += response.magnitude;
  if constexpr (level != solve::Level::value) {
    const Mat<3, 9> B1 = elastic::membraneGradient(t.rest, end), D = elastic::membraneGradient(t.rest, middle);
    const Vec<9> force = D.transpose() * response.stress;
    smooth += B1.transpose() * response.atEnd();
    for (int k = 0; k < 3; ++k) {
      const int d = s_.nodeDof[t.nodes[k]];
      out.gradient->segment<3>(d) += smooth.segment<3>(3 * k);
      out.applied->segment<3>(d) += force.segment<3>(3 * k) - smooth.segment<3>(3 * k);
    }
    out.evaluation.roundOff += force.squaredNorm();
    if constexpr (level == solve::Level::tangent) {
      const Mat<3, 9> CB = law.tangent(2 * rate) * B1;
      scatterMembrane(triangleOffsets_[i].data(), B1, CB, elastic::membraneCurvature(t.rest, response.stress));
      if (out.tangent) out.tangent->add(dofs, Mat<9>((D - B1).transpose() * CB));
    }
  }
}

// Bending of a mid-edge triangle in its three angles; what it does to the hinges of its edges is collected there.
template <solve::Level level>
void ShellElasticity::bendStep(int i, const VectorX& q1, double rate, StepForces& out) {
  const ShellTriangle& t = shell_.triangles[i];
  const Vec3 natural = naturalAlpha(t), alpha0 = start_.alpha[i], alpha1 = alphaOf(t, q1);
  const auto response =
      elastic::respondOver<Vec3>(t.curving(), alpha0 - natural, alpha1 - natural, alpha1 - alpha0 + turnedOf(t), rate);
  const Vec3 &moment = response.stress, soft = response.atEnd();
  out.evaluation.potential += response.potential;
  out.evaluation.magnitude += response.magnitude;
  for (int k = 0; k < 3; ++k) {
    const int edge = t.edges[k], side = isHeld(edge) ? t.sides[k] : 0, psi = shell_.edges[edge].psi;
    if (isHeld(edge) || !shell_.edges[edge].isBorder()) {
      const double share = isHeld(edge) ? 1 : 0.5;
      folds_[edge].moment[side] += share * moment[k];
      ends_[2 * edge + side].moment += share * soft[k];
    }
    if (isHeld(edge)) continue;
    const double sign = t.sides[k] == 0 ? 1 : -1;
    out.evaluation.potential += 0.25 * sign * response.stress0[k] * (q1[psi] - start_.q[psi]);
    if (level == solve::Level::value) continue;
    // Normals have no inertia: they balance where shareOfStart says.
    const double share = start_.share[edge], scale = 0.5 / (1 - share);
    const double relaxed =
        scale * (share * response.stress0[k] + (1 - share) * response.stress1[k] + response.damping[k]);
    (*out.gradient)[psi] += sign * moment[k];
    (*out.applied)[psi] += sign * (relaxed - moment[k]);
    out.evaluation.roundOff += moment[k] * moment[k] * inverseEdge2_;
  }
  if constexpr (level == solve::Level::tangent) addTriangleTangent(i, rate, out);
}

void ShellElasticity::addTriangleTangent(int i, double rate, StepForces& out) {
  const ShellTriangle& t = shell_.triangles[i];
  Mat<3, 21> B1 = Mat<3, 21>::Zero(), D = Mat<3, 21>::Zero();
  int dofs[21];
  const double late = 2 * t.dampingTime * rate;
  for (int k = 0; k < 3; ++k) {
    const int edge = t.edges[k];
    const ShellEdge& e = shell_.edges[edge];
    const bool held = isHeld(edge);
    const int side = held ? t.sides[k] : 0, opposite = held ? none_ : e.opposite[1 - t.sides[k]];
    for (int c = 0; c < 3; ++c) {
      dofs[3 * k + c] = unlessPrescribed(s_.nodeDof[t.nodes[k]] + c);
      dofs[9 + 3 * k + c] = opposite < 0 ? none_ : unlessPrescribed(s_.nodeDof[opposite] + c);
    }
    dofs[18 + k] = held ? none_ : unlessPrescribed(e.psi);
    if (held || !e.isBorder()) {
      const double share = held ? 1 : 0.5;
      spread(ends_[2 * edge + side].slope, share, k, t.sides[k], B1);
      spread(discrete_[2 * edge + side], share, k, t.sides[k], D);
    }
    if (held) continue;
    B1(k, 18 + k) = t.sides[k] == 0 ? 1 : -1;
    D(k, 18 + k) = B1(k, 18 + k) * (1 + late * 0.5 / (1 - start_.share[edge])) / (1 + late);
  }
  const Mat<3, 21> R = t.curving().tangent(2 * rate) * B1;
  scatterMidedge(i, B1, R);
  if (out.tangent) out.tangent->add(dofs, Mat<21>((D - B1).transpose() * R));
}

// A hinge's gradient in its coordinates, times `share`, into row k of a triangle's unknowns.
void ShellElasticity::spread(const Vec<9>& slope, double share, int k, int side, Mat<3, 21>& B) {
  const auto slots = hingeSlots(k, side);
  const Vec<12> nodes = onNodes(slope);
  for (int n = 0; n < 4; ++n) B.block<1, 3>(k, 3 * slots[n]) += share * nodes.segment<3>(3 * n).transpose();
}

template <solve::Level level>
void ShellElasticity::stepPass(const VectorX& q1, double rate, StepForces& out) {
  measuredAll_ = false;
  for (const int i : part_->shellEdges) {
    if (!measureHinge(i, q1)) {
      out.evaluation.valid = false;
      return;
    }
    measureStep(i, q1);
    folds_[i].moment[0] = folds_[i].moment[1] = 0;
    const ShellEdge& e = shell_.edges[i];
    if (e.springs) {
      const int a = s_.nodeDof[e.a], b = s_.nodeDof[e.b];
      const Vec3 du = q1.segment<3>(b) - q1.segment<3>(a), v = e.initial + du;
      const double length = v.norm();
      const elastic::StretchStep step{e.length,
                                      e.stretching(),
                                      rate,
                                      start_.stretch[i],
                                      du.dot(e.initial + v) / ((length + e.length) * e.length),
                                      start_.length[i],
                                      length,
                                      start_.tangent[i],
                                      v / length};
      addStretch<level>(step, a, b, out);
      if constexpr (level == solve::Level::tangent) {
        scatterStretch(edgeOffsets_[i].data(), step.symmetric());
        int dofs[6];
        for (int c = 0; c < 3; ++c) dofs[c] = unlessPrescribed(a + c), dofs[3 + c] = unlessPrescribed(b + c);
        if (out.tangent) addRemainder(step, dofs, *out.tangent);
      }
    }
    if (e.hinge) foldStep<level>(i, rate, out);
  }
  for (const int i : part_->triangles) {
    if (shell_.triangles[i].stvk) strainStep<level>(i, q1, rate, out);
    if (shell_.triangles[i].midedge) bendStep<level>(i, q1, rate, out);
  }
  for (const int i : part_->shellEdges) {
    if (shell_.edges[i].psi < 0) continue;
    forSides(i, [&](int side, int far) {
      const double moment = folds_[i].moment[side];
      addAngle<level>(i, side, far, moment, start_.hinge[2 * i + side].moment, ends_[2 * i + side].moment, out);
      if constexpr (level == solve::Level::tangent) {
        const elastic::HingeGradient g = elastic::hingeGradient(folds_[i].shape[side]);
        addBlocks(offsetsOf(i, side), elastic::hingeHessian(folds_[i].shape[side], g), g, moment, 0);
      }
    });
  }
}

void ShellElasticity::evaluateStep(const VectorX& q1, double rate, solve::Level level, StepForces& out) {
  if (empty()) return;
  if (level == solve::Level::value) {
    stepPass<solve::Level::value>(q1, rate, out);
  } else if (level == solve::Level::residual) {
    stepPass<solve::Level::residual>(q1, rate, out);
  } else {
    stepPass<solve::Level::tangent>(q1, rate, out);
  }
}

}  // namespace tendril::rods_shells
