// What acts on rods and shells does work: by forces that have no energy stored here, by supports, by the pointer.
#include "rods_shells/terms/system.h"

namespace tendril::rods_shells {

const VectorX& System::edgeForces(const VectorX& q, const VectorX& v) {
  edgeLoad_.setZero();
  solve::Evaluation unused;
  TermSums sums{unused, gradient_, edgeLoad_};
  for (Term* force : forces_) force->evaluate(q, v, 0, solve::Level::residual, sums);
  return edgeLoad_;
}

double System::drained(const VectorX& q, const VectorX& v, const VectorX& mean) const {
  double power = 0;
  for (const Term* force : forces_) power += force->drained(q, v, mean);
  return power;
}

double System::missedWork(const VectorX& q, const VectorX& move) {
  double work = 0;
  for (Term* force : forces_) work += force->missedWork(q, move);
  return work;
}

bool System::supportForces(const solve::Motion& at, const solve::Rates& rates, VectorX& out) {
  if (!evaluate(at, rates, solve::Level::residual, out).valid) return false;
  for (int i = 0; i < structure_.size; ++i) {
    if (supports_->prescribed()[i])
      out[i] = loads_->viscosity()[i] * at.v[i] + gradient_[i] + edgeLoad_[i] - loads_->dead()[i];
  }
  return true;
}

Vec3 System::grabForce(const VectorX& q) const {
  const Loads::Grab& grab = *loads_->grab;
  return grab.stiffness *
         (*world_.pointer() - structure_.nodes[grab.node] - q.segment<3>(structure_.nodeDof[grab.node]));
}

double System::grabWork(const VectorX& q, const VectorX& move) const {
  return grabForce(q).dot(move.segment<3>(structure_.nodeDof[loads_->grab->node]));
}

}  // namespace tendril::rods_shells
