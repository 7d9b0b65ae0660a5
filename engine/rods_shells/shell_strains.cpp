// Strains and energies of shells at an accepted state, for probes, damping rates and pictures.
#include "rods_shells/terms/shell_elasticity.h"

namespace tendril::rods_shells {

double ShellElasticity::angleOf(int edge) const {
  const Fold& fold = folds_[edge];
  if (!isHeld(edge)) return fold.angle[0];
  return shell_.edges[edge].isBorder() ? 0 : fold.angle[0] + fold.angle[1];
}

void ShellElasticity::strains(const VectorX& q, ShellStrains& out) {
  const std::size_t edges = shell_.edges.size(), triangles = shell_.triangles.size();
  out.stretch.resize(edges), out.angle.assign(edges, 0.0);
  out.green.resize(triangles), out.alpha.resize(triangles);
  const bool stands = this->stands(q);
  if (!stands) measuredAll_ = false;
  for (std::size_t i = 0; i < edges; ++i) {
    const ShellEdge& e = shell_.edges[i];
    const Vec3 du = q.segment<3>(s_.nodeDof[e.b]) - q.segment<3>(s_.nodeDof[e.a]), v = e.initial + du;
    out.stretch[i] = du.dot(e.initial + v) / ((v.norm() + e.length) * e.length);
    stands ? recallHinge(static_cast<int>(i)) : measureHinge(static_cast<int>(i), q);
    if (!e.isBorder()) out.angle[i] = angleOf(static_cast<int>(i));
  }
  for (std::size_t i = 0; i < triangles; ++i) {
    const ShellTriangle& t = shell_.triangles[i];
    out.green[i] = elastic::membraneShape(t.rest, q.segment<3>(s_.nodeDof[t.nodes[0]]),
                                          q.segment<3>(s_.nodeDof[t.nodes[1]]), q.segment<3>(s_.nodeDof[t.nodes[2]]))
                       .strain;
    out.alpha[i] = alphaOf(t, q);
  }
}

double ShellElasticity::membraneEnergy(const ShellStrains& strains, int shell) const {
  double energy = 0;
  for (const int i : part_->shellEdges) {
    const ShellEdge& e = shell_.edges[i];
    if (shell < 0 || e.shell == shell) energy += e.stretching().energy(strains.stretch[i]);
  }
  for (const int i : part_->triangles) {
    const ShellTriangle& t = shell_.triangles[i];
    if (t.stvk && (shell < 0 || t.shell == shell)) {
      energy += t.straining().energy(strains.green[i]);
    }
  }
  return energy;
}

double ShellElasticity::bendingEnergyOf(int triangle, const ShellStrains& strains) const {
  const ShellTriangle& t = shell_.triangles[triangle];
  if (t.midedge) {
    return t.curving().energy<Vec3>(strains.alpha[triangle] - naturalAlpha(t));
  }
  double energy = 0;
  for (int k = 0; k < 3; ++k) {
    const ShellEdge& e = shell_.edges[t.edges[k]];
    if (isHeld(t.edges[k])) {
      energy += e.folding(true).energy(strains.alpha[triangle][k] - naturalSide(t.edges[k], t.sides[k]));
    } else if (!e.isBorder()) {
      energy += 0.5 * e.folding(false).energy(strains.angle[t.edges[k]] - e.natural);
    }
  }
  return energy;
}

void ShellElasticity::bendingEnergies(const ShellStrains& strains, std::vector<double>& out) const {
  out.resize(shell_.triangles.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = bendingEnergyOf(static_cast<int>(i), strains);
}

void ShellElasticity::copyNaturals(std::vector<double>& hinges, std::vector<Vec3>& normals) const {
  hinges.clear();
  for (const ShellEdge& e : shell_.edges) hinges.push_back(e.natural);
  normals = normals_;
}

void ShellElasticity::exchange(std::vector<double>& hinges, std::vector<Vec3>& normals) {
  for (std::size_t i = 0; i < shell_.edges.size(); ++i) std::swap(shell_.edges[i].natural, hinges[i]);
  normals_.swap(normals);
  measuredAll_ = false;
}

double ShellElasticity::dampedTurnWork(const ShellStrains& s0, const ShellStrains& s1,
                                       const ShellStrains* still) const {
  if (!damped_) return 0;
  double sum = 0;
  for (const int i : part_->triangles) {
    const ShellTriangle& t = shell_.triangles[i];
    const Vec3 alpha = s1.alpha[i] - s0.alpha[i], turned = still ? Vec3(s1.alpha[i] - still->alpha[i]) : turnedOf(t);
    if (turned.isZero(0)) continue;
    if (t.midedge) {
      sum += turned.dot(t.curving().damping(alpha));
      continue;
    }
    for (int k = 0; k < 3; ++k) {
      const ShellEdge& e = shell_.edges[t.edges[k]];
      if (e.hinge && isHeld(t.edges[k])) sum += turned[k] * e.folding(true).damping(alpha[k]);
    }
  }
  return sum;
}

double ShellElasticity::dissipation(const ShellStrains& s0, const ShellStrains& s1) const {
  if (!damped_) return 0;
  double sum = 0;
  for (const int i : part_->shellEdges) {
    const ShellEdge& e = shell_.edges[i];
    if (e.springs) sum += e.stretching().dissipation(s1.stretch[i] - s0.stretch[i]);
    if (e.hinge && !isHeld(i)) sum += e.folding(false).dissipation(s1.angle[i] - s0.angle[i]);
  }
  for (const int i : part_->triangles) {
    const ShellTriangle& t = shell_.triangles[i];
    const Vec3 green = s1.green[i] - s0.green[i], alpha = s1.alpha[i] - s0.alpha[i];
    if (t.stvk) sum += t.straining().dissipation(green);
    if (t.midedge) {
      sum += t.curving().dissipation(alpha);
      continue;
    }
    for (int k = 0; k < 3; ++k) {
      const ShellEdge& e = shell_.edges[t.edges[k]];
      if (e.hinge && isHeld(t.edges[k])) sum += e.folding(true).dissipation(alpha[k]);
    }
  }
  return sum;
}

double ShellElasticity::bendingEnergy(const ShellStrains& strains, int shell) const {
  double energy = 0;
  for (const int i : part_->triangles) {
    if (shell < 0 || shell_.triangles[i].shell == shell) energy += bendingEnergyOf(i, strains);
  }
  return energy;
}

}  // namespace tendril::rods_shells
