// Hinge angles of a shell's edges at trial and accepted states, against their neighbors or against held planes, and the
// angles of its triangles that follow from them.
#include <cmath>
#include <limits>

#include "rods_shells/shells.h"
#include "rods_shells/terms/shell_elasticity.h"

namespace tendril::rods_shells {

// Hinge of an edge at q, or of its triangles against the plane held there. False where a triangle has no area.
bool ShellElasticity::measureHinge(int i, const VectorX& q) {
  const ShellEdge& e = shell_.edges[i];
  Fold& fold = folds_[i];
  if (!isHeld(i)) {
    if (e.isBorder()) return true;
    fold.shape[0] = elastic::hingeShape(place(q, e.b), place(q, e.a), place(q, e.opposite[0]), place(q, e.opposite[1]));
    fold.angle[0] = geometry::unwrapAngle(fold.shape[0].angle, accepted_[i]);
    return fold.shape[0].valid;
  }
  const Vec3 a = place(q, e.a), b = place(q, e.b);
  bool valid = true;
  for (int side = 0; side < 2; ++side) {
    if (e.triangle[side] < 0) continue;
    const Vec3 corner = heldCorner(a, b, normals_[heldOf_[i]], side), real = place(q, e.opposite[side]);
    fold.shape[side] = side == 0 ? elastic::hingeShape(b, a, real, corner) : elastic::hingeShape(b, a, corner, real);
    const double before = planes_.angles[2 * heldOf_[i] + side];
    fold.angle[side] =
        std::isnan(before) ? fold.shape[side].angle : geometry::unwrapAngle(fold.shape[side].angle, before);
    valid = valid && fold.shape[side].valid;
  }
  return valid;
}

bool ShellElasticity::recallHinge(int i) {
  if (!isHeld(i) && !shell_.edges[i].isBorder())
    folds_[i].angle[0] = geometry::unwrapAngle(folds_[i].angle[0], accepted_[i]);
  return true;
}

void ShellElasticity::nowStands(const VectorX& q) {
  measuredPart_ = part_->part;
  if (measuredPart_ < 0 || measured_.size() != q.size()) {
    measured_ = q;
  } else {
    for (const int i : *part_->unknowns) measured_[i] = q[i];
  }
  measuredAll_ = true;
}

bool ShellElasticity::stands(const VectorX& q) const {
  if (!measuredAll_ || measuredPart_ != part_->part) return false;
  if (measuredPart_ < 0) return measured_ == q;
  for (const int i : *part_->unknowns) {
    if (measured_[i] != q[i]) return false;
  }
  return true;
}

void ShellElasticity::accept(const VectorX& q) {
  const bool stands = this->stands(q);
  if (!stands) measuredAll_ = false;
  for (const int i : part_->shellEdges) {
    if (shell_.edges[i].isBorder() && !isHeld(i)) continue;
    if (stands ? recallHinge(i) : measureHinge(i, q)) accepted_[i] = angleOf(i);
  }
  for (std::size_t h = 0; h < shell_.held.size(); ++h) {
    const int i = shell_.held[h].edge;
    if (!part_->has(s_.nodeDof[shell_.edges[i].a])) continue;
    const bool held = isHeld(i);
    planes_.normals[h] = held ? normals_[h] : Vec3(Vec3::Zero());
    for (int side = 0; side < 2; ++side) {
      planes_.angles[2 * h + side] = held ? folds_[i].angle[side] : std::numeric_limits<double>::quiet_NaN();
    }
  }
}

// From the folds of the trial state.
Vec3 ShellElasticity::alphaOf(const ShellTriangle& t, const VectorX& q) const {
  Vec3 alpha;
  for (int k = 0; k < 3; ++k) {
    const int i = t.edges[k];
    const ShellEdge& e = shell_.edges[i];
    if (isHeld(i)) {
      alpha[k] = folds_[i].angle[t.sides[k]];
    } else {
      alpha[k] = e.isBorder() ? 0 : 0.5 * folds_[i].angle[0];
      if (e.psi >= 0) alpha[k] += t.sides[k] == 0 ? q[e.psi] : -q[e.psi];
    }
  }
  return alpha;
}

double ShellElasticity::naturalSide(int i, int side) const {
  const ShellEdge& e = shell_.edges[i];
  return initialSide_[2 * heldOf_[i] + side] + 0.5 * (e.natural - e.initialAngle);
}

Vec3 ShellElasticity::naturalAlpha(const ShellTriangle& t) const {
  Vec3 alpha;
  for (int k = 0; k < 3; ++k) {
    const int i = t.edges[k];
    alpha[k] = isHeld(i) ? naturalSide(i, t.sides[k]) : 0.5 * shell_.edges[i].natural;
  }
  return alpha;
}

}  // namespace tendril::rods_shells
