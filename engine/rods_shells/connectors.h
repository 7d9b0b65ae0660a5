// Springs between places of rods and shells: energy k (strain - natural)^2 / 2 with a strain of elastic/spring_kinds.h,
// and a Kelvin-Voigt damper beside it. Written once for every kind.
#pragma once

#include <vector>

#include "elastic/spring_kinds.h"
#include "rods_shells/parts.h"
#include "rods_shells/rounding.h"
#include "rods_shells/structure.h"
#include "rods_shells/terms/energy_step.h"
#include "solve/mechanical_system.h"
#include "solve/parted_tangent.h"

namespace tendril::rods_shells {

/// The springs of a structure that has its nodes; their values come with refreshConnectors.
void addConnectors(Structure& structure, const scene::Scene& scene);
/// Stiffness, damping and natural strains, where nothing is actuated, from the scene's present parameter values.
void refreshConnectors(Structure& structure, const scene::Scene& scene);
/// The unknowns that a spring couples.
std::vector<int> connectorUnknowns(const Structure& structure, const Connector& connector);

/// Gradient of a spring's strain as it is built.
elastic::StrainVector connectorSlope(const Structure& structure, const Connector& connector);

class Connectors {
 public:
  /// `accepted`: what springs measure at the accepted state, which periodic kinds count on from
  /// (FrameState::connector); `references`: strains that dampers count from (Strains::connector).
  Connectors(const Structure& structure, std::vector<double>& accepted, const std::vector<double>& references);

  void bind(solve::PartedTangent& solver, const std::vector<char>& prescribed);
  /// What follows is about these elements alone.
  void enter(const PartElements& part) { part_ = &part; }
  bool damped() const;

  /// Adds energy, gradient and tangent at displacements q; `rate`: d(strain rate) / d(strain), 0 without damping.
  /// `noise`: square of what round-off of strains leaves in the forces [N^2].
  void evaluate(const VectorX& q, double rate, solve::Level level, solve::Evaluation& out, VectorX& gradient,
                double& noise, BodyRounding& rounded);
  /// A step that keeps energy begins at displacements q, and is evaluated where it ends at q1 (energy_step.cpp).
  void beginStep(const VectorX& q);
  void evaluateStep(const VectorX& q1, double rate, solve::Level level, StepForces& out, BodyRounding& rounded);

  void accept(const VectorX& q);
  void strains(const VectorX& q, std::vector<double>& out) const;
  /// [J] of one body, which has its share of what it is a part of, or of all with -1.
  double energy(const std::vector<double>& strains, int body) const;
  /// Strain change times viscosity times strain change [J s].
  double dissipation(const std::vector<double>& s0, const std::vector<double>& s1) const;
  /// Pull [N, N m]: the stress of a spring at displacements q.
  double stress(int connector, const VectorX& q) const;

 private:
  /// Of one spring: where it is in the tangent.
  struct Slots {
    std::vector<int> held;     // unknowns, -1 where prescribed
    std::vector<int> offsets;  // of the lower triangle
  };
  using Force = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6 * elastic::mostVectors, 1>;
  using Block =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6 * elastic::mostVectors, 6 * elastic::mostVectors>;

  elastic::StrainVector vectorsAt(const Connector& c, const VectorX& q) const;
  /// Counted on from the accepted one.
  elastic::StrainValue strainOf(int connector, const elastic::StrainVector& u) const;
  elastic::StrainValue strainAt(int connector, const VectorX& q) const {
    return strainOf(connector, vectorsAt(s_.connectors[connector], q));
  }
  bool mayBe(int connector, const elastic::StrainValue& strain, solve::Evaluation& out) const;
  Force onNodes(const Connector& c, const elastic::StrainVector& force) const;
  Block onNodes(const Connector& c, const elastic::StrainMatrix& h) const;
  void add(const Connector& c, const elastic::StrainVector& force, VectorX& to) const;
  void scatter(int i, const elastic::StrainMatrix& h);
  double digitsOf(const Connector& c, const elastic::StrainValue& strain, const VectorX& q) const;

  struct Start {
    elastic::StrainVector vectors;
    elastic::StrainValue strain;
  };
  const Structure& s_;
  std::vector<double>& accepted_;
  const std::vector<double>& references_;
  const PartElements* part_ = nullptr;
  double* values_ = nullptr;
  std::vector<Slots> slots_;
  std::vector<Start> start_;
};

}  // namespace tendril::rods_shells
