// Follower forces and moments at the edges of rods, which have no potential.
#pragma once

#include "rods_shells/loads.h"
#include "rods_shells/terms/elasticity.h"
#include "rods_shells/terms/term.h"

namespace tendril::rods_shells {

class EdgeLoads final : public Term {
 public:
  /// `loads`, which this enters and prepares, and `elasticity` must outlive it.
  EdgeLoads(Loads& loads, Elasticity& elasticity) : loads_(loads), elasticity_(elasticity) {}

  void enter(const PartElements& part) override { loads_.enter(part); }
  void bind(solve::PartedTangent& /*tangent*/, const std::vector<char>& prescribed) override {
    prescribed_ = &prescribed;
  }
  void prepare(const scene::Instant& /*end*/, const scene::Instant& at, double /*t0*/) override { loads_.prepare(at); }

  bool acts() const override { return !loads_.conservative(); }
  bool hasPotential() const override { return loads_.conservative(); }
  bool slopesBeside() const override { return acts(); }
  void evaluate(const VectorX& q, const VectorX& /*v*/, double /*rate*/, solve::Level level, TermSums& out) override {
    if (level == solve::Level::value || !acts()) return;
    loads_.addEdgeLoads(elasticity_, elasticity_.edgeFrames(q), *prescribed_, out.forces, out.tangent);
  }

 private:
  Loads& loads_;
  Elasticity& elasticity_;
  const std::vector<char>* prescribed_ = nullptr;
};

}  // namespace tendril::rods_shells
