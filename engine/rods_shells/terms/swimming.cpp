#include "rods_shells/terms/swimming.h"

#include "elastic/slender_drag.h"
#include "world/surroundings.h"

namespace tendril::rods_shells {

void Swimming::prepare(const scene::Instant& /*end*/, const scene::Instant& at, double /*t0*/) {
  const scene::Surroundings& around = scene_.environment;
  if (!around.rftTangential || !scene_.solver.dynamic) return;
  const formula::Input in = scene::timedInput(scene_, at);
  tangential_ = (*around.rftTangential)(in);
  normal_ = (*around.rftNormal)(in);
  medium_ = world::mediumVelocity(scene_, at);
}

void Swimming::bind(solve::PartedTangent& solver, const std::vector<char>& prescribed) {
  values_ = solver.values().data();
  offsets_.resize(s_.edges.size());
  dofs_.resize(s_.edges.size());
  for (std::size_t i = 0; i < offsets_.size(); ++i) {
    const Edge& e = s_.edges[i];
    for (int k = 0; k < 6; ++k) {
      const int dof = s_.nodeDof[k < 3 ? e.a : e.b] + k % 3;
      dofs_[i][k] = prescribed[dof] ? -1 : dof;
    }
    for (int r = 0, k = 0; r < 6; ++r) {
      for (int c = 0; c <= r; ++c, ++k) {
        const bool out = dofs_[i][r] < 0 || dofs_[i][c] < 0;
        offsets_[i][k] = out ? solver.trash() : solver.offset(dofs_[i][r], dofs_[i][c]);
      }
    }
  }
}

double Swimming::drained(const VectorX& q, const VectorX& v, const VectorX& mean) const {
  double power = 0;
  if (!acts()) return power;
  for (const int i : part_->edges) {
    const Edge& e = s_.edges[i];
    const int d[2] = {s_.nodeDof[e.a], s_.nodeDof[e.b]};
    const Vec3 edge = e.initial + q.segment<3>(d[1]) - q.segment<3>(d[0]);
    for (const int dof : d) {
      const Vec3 u = v.segment<3>(dof) - medium_;
      power -=
          elastic::slenderDrag(edge, u, 0.5 * e.length, tangential_, normal_).force.dot(mean.segment<3>(dof) - medium_);
    }
  }
  return power;
}

void Swimming::evaluate(const VectorX& q, const VectorX& v, double rate, solve::Level level, TermSums& out) {
  if (level == solve::Level::value || !acts()) return;
  for (const int i : part_->edges) {
    const Edge& e = s_.edges[i];
    const int d[2] = {s_.nodeDof[e.a], s_.nodeDof[e.b]};
    const Vec3 edge = e.initial + q.segment<3>(d[1]) - q.segment<3>(d[0]);
    Mat<6> block = Mat<6>::Zero();  // -dF/dq
    for (int k = 0; k < 2; ++k) {
      const elastic::SlenderDrag drag =
          elastic::slenderDrag(edge, v.segment<3>(d[k]) - medium_, 0.5 * e.length, tangential_, normal_);
      out.forces.segment<3>(d[k]) -= drag.force;
      block.block<3, 3>(3 * k, 0) += drag.edgeJacobian;
      block.block<3, 3>(3 * k, 3) -= drag.edgeJacobian;
      block.block<3, 3>(3 * k, 3 * k) -= rate * drag.velocityJacobian;
    }
    if (!out.tangent) continue;
    const int* o = offsets_[i].data();
    for (int r = 0; r < 6; ++r) {
      for (int c = 0; c <= r; ++c) values_[*o++] += 0.5 * (block(r, c) + block(c, r));
    }
    out.tangent->add(dofs_[i], 0.5 * (block - block.transpose()));
  }
}

}  // namespace tendril::rods_shells
