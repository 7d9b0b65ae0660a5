// Resistive-force theory on rods (J, RFT): per edge, drag against the present velocity, weaker along the tangent than
// across it, with its exact Jacobian. It has no potential.
#pragma once

#include <vector>

#include "rods_shells/loads.h"
#include "rods_shells/terms/term.h"

namespace tendril::rods_shells {

class Swimming final : public Term {
 public:
  Swimming(const Structure& structure, const scene::Scene& scene) : s_(structure), scene_(scene) {}

  void enter(const PartElements& part) override { part_ = &part; }
  void bind(solve::PartedTangent& solver, const std::vector<char>& prescribed) override;
  void prepare(const scene::Instant& end, const scene::Instant& at, double t0) override;

  bool acts() const override { return (tangential_ != 0 || normal_ != 0) && !part_->edges.empty(); }
  bool hasPotential() const override { return !acts(); }
  bool feelsVelocity() const override { return acts(); }
  /// The tangent's symmetric part goes into the solver's values, the skew rest into blocks of their own.
  void evaluate(const VectorX& q, const VectorX& v, double rate, solve::Level level, TermSums& out) override;
  double drained(const VectorX& q, const VectorX& v, const VectorX& mean) const override;

 private:
  const Structure& s_;
  const scene::Scene& scene_;
  const PartElements* part_ = nullptr;
  double tangential_ = 0, normal_ = 0;        // [N s/m^2]
  Vec3 medium_ = Vec3::Zero();                // [m/s]
  std::vector<std::array<int, 21>> offsets_;  // per edge: lower triangle of its 6 x 6 block
  std::vector<std::array<int, 6>> dofs_;      // per edge; -1 where prescribed
  double* values_ = nullptr;
};

}  // namespace tendril::rods_shells
