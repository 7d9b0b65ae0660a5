#include "rods_shells/terms/shell_elasticity.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "elastic/stretch.h"
#include "rods_shells/shells.h"

namespace tendril::rods_shells {
namespace {

constexpr int none = -1;

}  // namespace

std::array<int, 4> ShellElasticity::hingeSlots(int k, int side) {
  const int next = (k + 1) % 3, last = (k + 2) % 3;
  if (side == 0) return {last, next, k, 3 + k};  // the edge runs from corner k + 1 to corner k + 2
  return {next, last, 3 + k, k};
}

ShellElasticity::ShellElasticity(Structure& structure, std::vector<double>& accepted, HeldPlanes& planes,
                                 ShellStrains& reference)
    : s_(structure), shell_(structure.shell), accepted_(accepted), planes_(planes), reference_(reference) {
  const std::size_t edges = shell_.edges.size(), triangles = shell_.triangles.size();
  for (const ShellEdge& e : shell_.edges) accepted_.push_back(e.initialAngle);
  heldOf_.assign(edges, none);
  twice_.assign(triangles, 0);
  folds_.resize(edges);
  if (shell_.anyMidedge) slopes_.resize(2 * edges);
  reference_.stretch.assign(edges, 0);
  reference_.angle = accepted_;
  reference_.green.assign(triangles, Vec3::Zero());
  reference_.alpha.assign(triangles, Vec3::Zero());
  const VectorX zero = VectorX::Zero(s_.size);
  planes_.angles.assign(2 * shell_.held.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t h = 0; h < shell_.held.size(); ++h) {
    const int i = shell_.held[h].edge;
    normals_.push_back(shell_.held[h].normal);
    heldOf_[i] = static_cast<int>(h);
    measureHinge(i, zero);
    heldOf_[i] = none;
    initialSide_.push_back(folds_[i].angle[0]);
    initialSide_.push_back(folds_[i].angle[1]);
  }
  planes_.normals = normals_;
  refreshActive();
}

void ShellElasticity::enter(const PartElements& part) {
  part_ = &part;
  inverseEdge2_ = 1 / (part.meanEdge * part.meanEdge);
}

void ShellElasticity::refreshActive() {
  damped_ = std::any_of(shell_.triangles.begin(), shell_.triangles.end(),
                        [](const ShellTriangle& t) { return t.dampingTime > 0; });
}

void ShellElasticity::hold(const std::vector<char>& on, const std::vector<Vec3>& normals) {
  for (std::size_t h = 0; h < shell_.held.size(); ++h) heldOf_[shell_.held[h].edge] = none;
  for (std::size_t h = 0; h < shell_.held.size(); ++h) {
    if (on[h]) heldOf_[shell_.held[h].edge] = static_cast<int>(h);
  }
  if (!shell_.held.empty()) measuredAll_ = false;
  normals_ = normals;
}

void ShellElasticity::bind(solve::PartedTangent& solver, const std::vector<char>& prescribed) {
  if (empty()) return;
  values_ = solver.values().data();
  prescribed_ = &prescribed;
  const int trash = solver.trash();
  const auto fill = [&](auto& offsets, const int* dofs, int n) {
    for (int r = 0, k = 0; r < n; ++r) {
      for (int c = 0; c <= r; ++c, ++k) {
        const bool out = dofs[r] < 0 || dofs[c] < 0 || prescribed[dofs[r]] || prescribed[dofs[c]];
        offsets[k] = out ? trash : solver.offset(dofs[r], dofs[c]);
      }
    }
  };
  const auto put = [&](int* dofs, int slot, int node) {
    for (int k = 0; k < 3; ++k) dofs[3 * slot + k] = node < 0 ? none : s_.nodeDof[node] + k;
  };
  edgeOffsets_.resize(shell_.edges.size());
  hingeOffsets_.resize(shell_.edges.size());
  for (std::size_t i = 0; i < shell_.edges.size(); ++i) {
    const ShellEdge& e = shell_.edges[i];
    int dofs[12];
    put(dofs, 0, e.a), put(dofs, 1, e.b);
    if (e.springs) fill(edgeOffsets_[i], dofs, 6);
    const auto nodes = hingeNodes(e);
    for (int k = 0; k < 4; ++k) put(dofs, k, nodes[k]);
    fill(hingeOffsets_[i], dofs, 12);
  }
  heldOffsets_.resize(2 * shell_.held.size());
  for (std::size_t h = 0; h < shell_.held.size(); ++h) {
    const auto nodes = hingeNodes(shell_.edges[shell_.held[h].edge]);
    for (int side = 0; side < 2; ++side) {
      int dofs[12];
      for (int k = 0; k < 4; ++k) put(dofs, k, k == 3 - side ? none : nodes[k]);
      fill(heldOffsets_[2 * h + side], dofs, 12);
    }
  }
  triangleOffsets_.resize(shell_.triangles.size());
  if (shell_.anyMidedge) midedgeOffsets_.resize(shell_.triangles.size());
  for (std::size_t i = 0; i < shell_.triangles.size(); ++i) {
    const ShellTriangle& t = shell_.triangles[i];
    int dofs[21];
    for (int k = 0; k < 3; ++k) {
      const ShellEdge& e = shell_.edges[t.edges[k]];
      put(dofs, k, t.nodes[k]);
      put(dofs, 3 + k, isHeld(t.edges[k]) ? none : e.opposite[1 - t.sides[k]]);
      dofs[18 + k] = isHeld(t.edges[k]) ? none : e.psi;
    }
    twice_[i] = 0;
    for (int k = 0; k < 3; ++k) {
      for (int j = k + 1; j < 3; ++j)
        if (dofs[9 + 3 * k] >= 0 && dofs[9 + 3 * k] == dofs[9 + 3 * j]) twice_[i] = 1;
    }
    if (t.stvk) fill(triangleOffsets_[i], dofs, 9);
    if (t.midedge) fill(midedgeOffsets_[i], dofs, 21);
  }
}

template <solve::Level level>
void ShellElasticity::stretchEdge(int i, const VectorX& q, double rate, solve::Evaluation& out, VectorX& gradient) {
  const ShellEdge& e = shell_.edges[i];
  const int a = s_.nodeDof[e.a], b = s_.nodeDof[e.b];
  const Vec3 du = q.segment<3>(b) - q.segment<3>(a);
  const Vec3 v = e.initial + du;
  const double length = std::sqrt(v.squaredNorm());
  const double strain = du.dot(e.initial + v) / ((length + e.length) * e.length);
  const elastic::StretchLaw law = e.stretching();
  const auto response = elastic::respond(law, strain, rate * (strain - reference_.stretch[i]), rate);
  response.addTo(out.potential);
  if constexpr (level != solve::Level::value) {
    const Vec3 t = v / length, g = elastic::stretchGradient(t, 1 / e.length, response.stress);
    gradient.segment<3>(a) -= g;
    gradient.segment<3>(b) += g;
    out.roundOff += 2 * g.squaredNorm();
    if constexpr (level == solve::Level::tangent) {
      scatterStretch(edgeOffsets_[i].data(),
                     elastic::stretchHessian(t, 1 / length, 1 / e.length, law.tangent(strain, rate), response.stress));
    }
  }
}

// h in the edge vector: rows of the 6 x 6 lower triangle in (a, b).
void ShellElasticity::scatterStretch(const int* o, const Mat3& h) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c <= r; ++c) values_[*o++] += h(r, c);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) values_[*o++] -= h(r, c);
    for (int c = 0; c <= r; ++c) values_[*o++] += h(r, c);
  }
}

// stress d2 angle + stiffness dangle dangle^T into the lower triangle of a hinge's 12 x 12 block.
void ShellElasticity::addBlocks(const int* o, const elastic::HingeHessian& h, const elastic::HingeGradient& g,
                                double stress, double stiffness) {
  for (int i = 0; i < 4; ++i) {
    for (int r = 0; r < 3; ++r) {
      const double k = stiffness * g.g[i][r];
      for (int j = 0; j < i; ++j) {
        for (int c = 0; c < 3; ++c) values_[*o++] += stress * h.h[i][j](r, c) + k * g.g[j][c];
      }
      for (int c = 0; c <= r; ++c) values_[*o++] += stress * h.h[i][i](r, c) + k * g.g[i][c];
    }
  }
}

// Gradient of a hinge angle times `stress` onto its nodes; a held plane's corner moves with the edge.
void ShellElasticity::addGradient(int i, int side, const elastic::HingeGradient& g, double stress,
                                  solve::Evaluation& out, VectorX& gradient) {
  const auto nodes = hingeNodes(shell_.edges[i]);
  const int far = isHeld(i) ? 3 - side : 4;  // slot of the plane's corner
  for (int k = 0; k < 4; ++k) {
    const Vec3 force = stress * g.g[k];
    out.roundOff += force.squaredNorm();
    if (k == far) {
      gradient.segment<3>(s_.nodeDof[nodes[0]]) += 0.5 * force;
      gradient.segment<3>(s_.nodeDof[nodes[1]]) += 0.5 * force;
    } else {
      gradient.segment<3>(s_.nodeDof[nodes[k]]) += force;
    }
  }
}

const int* ShellElasticity::offsetsOf(int edge, int side) const {
  return isHeld(edge) ? heldOffsets_[2 * heldOf_[edge] + side].data() : hingeOffsets_[edge].data();
}

// One bending spring on an angle: a hinge, or a triangle against a held plane.
template <solve::Level level>
void ShellElasticity::bendSpring(int i, int side, double difference, double speed, double rate, solve::Evaluation& out,
                                 VectorX& gradient) {
  const elastic::KelvinVoigt<double> law = shell_.edges[i].folding(isHeld(i));
  const auto response = elastic::respond(law, difference, speed, rate);
  response.addTo(out.potential);
  if constexpr (level != solve::Level::value) {
    const elastic::HingeShape& shape = folds_[i].shape[side];
    const elastic::HingeGradient g = elastic::hingeGradient(shape);
    addGradient(i, side, g, response.stress, out, gradient);
    if constexpr (level == solve::Level::tangent) {
      addBlocks(offsetsOf(i, side), elastic::hingeHessian(shape, g), g, response.stress, law.tangent(rate));
    }
  }
}

template <solve::Level level>
void ShellElasticity::foldHinge(int i, double rate, solve::Evaluation& out, VectorX& gradient) {
  const ShellEdge& e = shell_.edges[i];
  const Fold& fold = folds_[i];
  if (!isHeld(i)) {
    if (e.isBorder()) return;
    bendSpring<level>(i, 0, fold.angle[0] - e.natural, rate * (fold.angle[0] - reference_.angle[i]), rate, out,
                      gradient);
    return;
  }
  for (int side = 0; side < 2; ++side) {
    if (e.triangle[side] < 0) continue;
    const ShellTriangle& t = shell_.triangles[e.triangle[side]];
    const int k = static_cast<int>(std::find(t.edges.begin(), t.edges.end(), i) - t.edges.begin());
    const double before = reference_.alpha[e.triangle[side]][k];
    bendSpring<level>(i, side, fold.angle[side] - naturalSide(i, side), rate * (fold.angle[side] - before), rate, out,
                      gradient);
  }
}

template <solve::Level level>
void ShellElasticity::strainTriangle(int i, const VectorX& q, double rate, solve::Evaluation& out, VectorX& gradient) {
  const ShellTriangle& t = shell_.triangles[i];
  const int d[3] = {s_.nodeDof[t.nodes[0]], s_.nodeDof[t.nodes[1]], s_.nodeDof[t.nodes[2]]};
  const elastic::MembraneShape shape =
      elastic::membraneShape(t.rest, q.segment<3>(d[0]), q.segment<3>(d[1]), q.segment<3>(d[2]));
  const elastic::ProportionalLaw law = t.straining();
  const auto response = elastic::respond<Vec3>(law, shape.strain, rate * (shape.strain - reference_.green[i]), rate);
  response.addTo(out.potential);
  if constexpr (level != solve::Level::value) {
    const Mat<3, 9> B = elastic::membraneGradient(t.rest, shape);
    const Vec<9> g = B.transpose() * response.stress;
    for (int k = 0; k < 3; ++k) gradient.segment<3>(d[k]) += g.segment<3>(3 * k);
    out.roundOff += g.squaredNorm();
    if constexpr (level == solve::Level::tangent) {
      const Mat<3, 9> CB = law.tangent(rate) * B;
      scatterMembrane(triangleOffsets_[i].data(), B, CB, elastic::membraneCurvature(t.rest, response.stress));
    }
  }
}

// B^T CB + w (x) 1: rows of the 9 x 9 lower triangle.
void ShellElasticity::scatterMembrane(const int* o, const Mat<3, 9>& B, const Mat<3, 9>& CB, const Mat3& w) {
  for (int r = 0; r < 9; ++r) {
    for (int c = 0; c <= r; ++c) {
      double h = B(0, r) * CB(0, c) + B(1, r) * CB(1, c) + B(2, r) * CB(2, c);
      if (r % 3 == c % 3) h += w(r / 3, c / 3);
      values_[*o++] += h;
    }
  }
}

// Energy of a mid-edge triangle in its three angles. What it does to the hinges of its edges is collected there.
template <solve::Level level>
void ShellElasticity::bendTriangle(int i, const VectorX& q, double rate, solve::Evaluation& out, VectorX& gradient) {
  const ShellTriangle& t = shell_.triangles[i];
  const elastic::ProportionalLaw law = t.curving();
  const Vec3 alpha = alphaOf(t, q);
  const auto response =
      elastic::respond<Vec3>(law, alpha - naturalAlpha(t), rate * (alpha - reference_.alpha[i]), rate);
  const Vec3& moment = response.stress;
  response.addTo(out.potential);
  if constexpr (level != solve::Level::value) {
    // Row k: d alpha_k in the triangle's 18 + 3 unknowns.
    Mat<3, 21> B = Mat<3, 21>::Zero();
    for (int k = 0; k < 3; ++k) {
      const int edge = t.edges[k], side = t.sides[k];
      const ShellEdge& e = shell_.edges[edge];
      const double sign = side == 0 ? 1 : -1;
      const bool held = isHeld(edge);
      if (held || !e.isBorder()) {
        folds_[edge].moment[held ? side : 0] += held ? moment[k] : 0.5 * moment[k];
        const elastic::HingeGradient& g = slopes_[2 * edge + (held ? side : 0)];
        const auto slots = hingeSlots(k, side);
        for (int n = 0; n < 4; ++n) B.block<1, 3>(k, 3 * slots[n]) = (held ? 1 : 0.5) * g.g[n].transpose();
      }
      if (!held) {
        B(k, 18 + k) = sign;
        gradient[e.psi] += sign * moment[k];
        out.roundOff += moment[k] * moment[k] * inverseEdge2_;
      }
    }
    if constexpr (level == solve::Level::tangent) {
      const Mat<3, 21> R = law.tangent(rate) * B;
      scatterMidedge(i, B, R);
    }
  }
}

// B^T R: rows of the 21 x 21 lower triangle.
void ShellElasticity::scatterMidedge(int i, const Mat<3, 21>& B, const Mat<3, 21>& R) {
  const int* o = midedgeOffsets_[i].data();
  for (int r = 0; r < 21; ++r) {
    const double b0 = B(0, r), b1 = B(1, r), b2 = B(2, r);
    for (int c = 0; c <= r; ++c) values_[*o++] += b0 * R(0, c) + b1 * R(1, c) + b2 * R(2, c);
  }
  if (twice_[i]) addTwice(i, B, R);
}

// On a small closed mesh two of the far corners may be one node: the diagonal then misses its mirror image.
void ShellElasticity::addTwice(int i, const Mat<3, 21>& B, const Mat<3, 21>& R) {
  const ShellTriangle& t = shell_.triangles[i];
  for (int k = 1; k < 3; ++k) {
    for (int j = 0; j < k; ++j) {
      const ShellEdge &e = shell_.edges[t.edges[k]], &f = shell_.edges[t.edges[j]];
      const int node = e.opposite[1 - t.sides[k]];
      if (node < 0 || node != f.opposite[1 - t.sides[j]] || isHeld(t.edges[k]) || isHeld(t.edges[j])) continue;
      for (int c = 0; c < 3; ++c) {
        const int row = 9 + 3 * k + c, col = 9 + 3 * j + c;
        values_[midedgeOffsets_[i][row * (row + 1) / 2 + col]] += B.col(row).dot(R.col(col));
      }
    }
  }
}

// What the triangles' moments do through the hinge's own geometry.
template <solve::Level level>
void ShellElasticity::foldMidedge(int i, solve::Evaluation& out, VectorX& gradient) {
  const Fold& fold = folds_[i];
  for (int side = 0; side < (isHeld(i) ? 2 : 1); ++side) {
    if (isHeld(i) && shell_.edges[i].triangle[side] < 0) continue;
    const elastic::HingeGradient& g = slopes_[2 * i + side];
    addGradient(i, side, g, fold.moment[side], out, gradient);
    if constexpr (level == solve::Level::tangent) {
      addBlocks(offsetsOf(i, side), elastic::hingeHessian(fold.shape[side], g), g, fold.moment[side], 0);
    }
  }
}

template <solve::Level level>
void ShellElasticity::pass(const VectorX& q, double rate, solve::Evaluation& out, VectorX& gradient) {
  const bool stands = this->stands(q);
  if (!stands) measuredAll_ = false;
  for (const int i : part_->shellEdges) {
    if (!(stands ? recallHinge(i) : measureHinge(i, q))) {
      out.valid = false;
      return;
    }
    const ShellEdge& e = shell_.edges[i];
    if (e.springs) stretchEdge<level>(i, q, rate, out, gradient);
    if (e.hinge) foldHinge<level>(i, rate, out, gradient);
    if (level == solve::Level::value || e.psi < 0) continue;
    Fold& fold = folds_[i];
    fold.moment[0] = fold.moment[1] = 0;
    if (!isHeld(i)) {
      if (!e.isBorder()) slopes_[2 * i] = elastic::hingeGradient(fold.shape[0]);
      continue;
    }
    for (int side = 0; side < 2; ++side) {
      if (e.triangle[side] >= 0) slopes_[2 * i + side] = elastic::hingeGradient(fold.shape[side]);
    }
  }
  if (!stands) nowStands(q);
  for (const int i : part_->triangles) {
    if (shell_.triangles[i].stvk) strainTriangle<level>(i, q, rate, out, gradient);
    if (shell_.triangles[i].midedge) bendTriangle<level>(i, q, rate, out, gradient);
  }
  if (level == solve::Level::value || !shell_.anyMidedge) return;
  for (const int i : part_->shellEdges) {
    const ShellEdge& e = shell_.edges[i];
    if (e.psi >= 0 && (isHeld(i) || !e.isBorder())) foldMidedge<level>(i, out, gradient);
  }
}

void ShellElasticity::evaluate(const VectorX& q, double rate, solve::Level level, solve::Evaluation& out,
                               VectorX& gradient) {
  if (part_->triangles.empty()) return;
  if (!damped_) rate = 0;
  if (level == solve::Level::value) {
    pass<solve::Level::value>(q, rate, out, gradient);
  } else if (level == solve::Level::residual) {
    pass<solve::Level::residual>(q, rate, out, gradient);
  } else {
    pass<solve::Level::tangent>(q, rate, out, gradient);
  }
}

}  // namespace tendril::rods_shells
