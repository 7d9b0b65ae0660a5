// Resistive-force theory on rods (J, RFT): per edge, drag against the present velocity, weaker along the tangent than
// across it, with its exact Jacobian. It has no potential.
#pragma once

#include <vector>

#include "rods_shells/loads.h"

namespace tendril::rods_shells {

class Swimming {
 public:
  Swimming(const Structure& structure, const scene::Scene& scene) : s_(structure), scene_(scene) {}

  /// Coefficients and the medium's velocity for `moment`. Throws Failure.
  void prepare(const scene::Instant& instant);
  void bind(solve::PartedTangent& solver, const std::vector<char>& prescribed);
  bool empty() const { return (tangential_ == 0 && normal_ == 0) || part_->edges.empty(); }
  /// empty() and add() are about these elements alone from here on.
  void enter(const PartElements& part) { part_ = &part; }

  /// Power [W] that drag at q, v takes from a body that moves with `mean` and from the medium together.
  double drained(const VectorX& q, const VectorX& v, const VectorX& mean) const;

  /// Adds -force into `residual` and, if `tangent`, its Jacobian for dv/dq = rate: the symmetric part into the solver's
  /// values, the skew rest as blocks of their own.
  void add(const VectorX& q, const VectorX& v, double rate, VectorX& residual, solve::PartedTangent* tangent) const;

 private:
  const Structure& s_;
  const scene::Scene& scene_;
  const PartElements* part_ = nullptr;
  double tangential_ = 0, normal_ = 0;  // [N s/m^2]
  Vec3 medium_ = Vec3::Zero();          // [m/s]
  std::vector<std::array<int, 21>> offsets_;  // per edge: lower triangle of its 6 x 6 block
  std::vector<std::array<int, 6>> dofs_;      // per edge; -1 where prescribed
  double* values_ = nullptr;
};

}  // namespace tendril::rods_shells
