#include "model/model.h"

#include <algorithm>
#include <cmath>

#include "model/equations.h"

namespace tendril::model {
namespace {

[[noreturn]] void refuse() {
  throw NoEquations("models side by side have equations of motion each, and none of their own");
}

double largestEntry(const Sparse& m) {
  double most = 0;
  for (int c = 0; c < m.outerSize(); ++c) {
    for (Sparse::InnerIterator it(m, c); it; ++it) most = std::max(most, std::abs(it.value()));
  }
  return most;
}

}  // namespace

double skewness(const Sparse& m) {
  const double most = largestEntry(m);
  const Sparse mirrored = m.transpose();
  return most > 0 ? largestEntry(Sparse(m - mirrored)) / most : 0;
}

void Model::equations(Equations& /*out*/) { refuse(); }
bool Model::unbalanced(const VectorX& /*accelerations*/, VectorX& /*out*/) { refuse(); }
void Model::lookAt(const Nearby* /*state*/) { refuse(); }
void Model::displace(const Nearby& /*state*/) { refuse(); }
void Model::standAt(const VectorX& /*values*/, const VectorX& /*rates*/) { refuse(); }

StepReport Model::retake(const StepRequest& request, Model& /*first*/, std::span<const Neighbor> neighbors) {
  StepRequest own = request;
  own.whole = true;
  StepReport report = step(own, {});
  for (const Neighbor& neighbor : neighbors) {
    own.columns = neighbor.columns;
    if (report.accepted) report = neighbor.model->step(own, {});
  }
  return report;
}

StepReport Model::resettle(const SettleRequest& request, Model& /*first*/, std::span<const Neighbor> neighbors) {
  SettleRequest own = request;
  StepReport report = settle(own, {});
  for (const Neighbor& neighbor : neighbors) {
    own.columns = neighbor.columns;
    if (report.accepted) report = neighbor.model->settle(own, {});
  }
  return report;
}

bool Model::placeMotion(const scene::Place& /*place*/, PlaceMotion& /*out*/) { return false; }

}  // namespace tendril::model
