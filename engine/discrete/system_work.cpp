// What acts on rods and shells does work: by forces that have no energy stored here, by supports, by the pointer.
#include "discrete/system.h"

namespace tendril {

void DiscreteSystem::addEdgeWork(const VectorX& q, const VectorX& v, const VectorX& move, double dt, WorkDone& done) {
  if (loads_->conservative() && faceLoads_->empty() && swimming_->empty()) return;
  edgeLoad_.setZero();
  if (!loads_->conservative()) {
    loads_->addEdgeLoads(*elasticity_, elasticity_->edgeFrames(q), supports_->prescribed(), edgeLoad_, nullptr);
  }
  double drained = 0;
  VectorX& mean = v_;
  mean = move / dt;
  if (!faceLoads_->empty()) faceLoads_->add(q, v, 0, edgeLoad_, nullptr), drained += faceLoads_->drained(q, v, mean);
  if (!swimming_->empty()) swimming_->add(q, v, 0, edgeLoad_, nullptr), drained += swimming_->drained(q, v, mean);
  // What drag takes and does not come out of the bodies is the medium's work.
  done.dissipated += dt * drained;
  done.work += dt * drained - edgeLoad_.dot(move);
}

double DiscreteSystem::supportWork(const Motion& at, const Rates& rates, const VectorX& move, VectorX& memory) {
  if (!evaluate(at, rates, Level::residual, memory).valid) return 0;
  const auto& held = supports_->prescribed();
  double work = 0;
  for (int i = 0; i < structure_.size; ++i) {
    if (!held[i]) continue;
    work += (loads_->viscosity()[i] * at.v[i] + gradient_[i] + edgeLoad_[i] - loads_->dead()[i]) * move[i];
  }
  return work;
}

double DiscreteSystem::grabWork(const VectorX& q, const VectorX& move) const {
  const Loads::Grab& grab = *loads_->grab;
  const int d = structure_.nodeDof[grab.node];
  return grab.stiffness * (grab.target - structure_.nodes[grab.node] - q.segment<3>(d)).dot(move.segment<3>(d));
}

}  // namespace tendril
