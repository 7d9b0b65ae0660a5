// Loads that are formulas of the point that they act on: forces, moments, pressures and potentials, with the exact
// derivatives of their formulas by place, direction and velocity. They are taken at nodes: per length half of each edge
// at either end, per area a third of each triangle at each corner, so that the sum over a body is the trapezoidal rule.
#pragma once

#include <vector>

#include "elastic/direction.h"
#include "rods_shells/structure.h"
#include "rods_shells/terms/elasticity.h"
#include "rods_shells/terms/field_points.h"
#include "rods_shells/terms/term.h"

namespace tendril::rods_shells {

class ForceFields final : public Term {
 public:
  /// `elasticity` must outlive it.
  ForceFields(const Structure& structure, const scene::Scene& scene, Elasticity& elasticity);

  /// What round-off another part's forces had says nothing of this one's.
  void enter(const PartElements& part) override { part_ = &part, rounded_ = 0; }
  void bind(solve::PartedTangent& solver, const std::vector<char>& prescribed) override;
  void prepare(const scene::Instant& end, const scene::Instant& at, double t0) override;
  void keepEnergy(const VectorX& q, double dt) override;

  /// As Loads::hold: per constraint whether it acts. Moments on clamps go to the support alone.
  void hold(const std::vector<char>& clampOn);
  /// Sum of the moments [N m] of fields on a clamp at a node, at displacements q and velocities v.
  Vec3 momentOnClamp(int node, const VectorX& q, const VectorX& v) const;

  /// As model::Model::seenByLoad, at displacements q and velocities v.
  void seenBy(int load, const VectorX& q, const VectorX& v, std::vector<double>& out) const;

  bool acts() const override;
  /// Potentials alone act.
  bool hasPotential() const override;
  bool feelsVelocity() const override;
  bool feelsPlace() const override { return acts(); }
  bool slopesBeside() const override;
  bool hasSizes() const override { return acts(); }
  /// The tangent's symmetric part goes into the solver's values, the skew rest into blocks of their own. In a step that
  /// keeps energy, potentials act by their discrete gradients, whose slope leaves out what vanishes with the step's
  /// square.
  void evaluate(const VectorX& q, const VectorX& v, double rate, solve::Level level, TermSums& out) override;

  double missedWork(const VectorX& q, const VectorX& move) override;

 private:
  struct Field {
    const scene::Load* load = nullptr;
    std::vector<FieldPoint> points;
    double factor = 0;         ///< in statics that of the load step; 0: it does not act
    std::vector<int> offsets;  ///< of the points' lower triangles in the tangent; empty: not looked up
  };
  /// What a point adds: minus its force on each of its corners, and the slope of that; the potential [J].
  struct Pull;

  template <class F>
  void forEachActive(F f) const;
  bool isMine(const FieldPoint& point) const { return part_->has(s_.nodeDof[static_cast<std::size_t>(point.node())]); }
  bool actsHere(const Field& field) const;
  bool turns(const FieldPoint& point) const { return point.edge >= 0 || point.weld >= 0; }
  /// Of what a point pulls at: its corners, and the twist angle of its edge or the turn of its frame.
  int size(const FieldPoint& point) const { return 3 * point.count + (point.weld >= 0 ? 3 : point.edge >= 0 ? 1 : 0); }
  int dof(const FieldPoint& point, int k) const {
    if (k >= 3 * point.count) {
      const int turned = k - 3 * point.count;
      return point.weld >= 0 ? s_.welds[static_cast<std::size_t>(point.weld)].turn + turned
                             : s_.edges[static_cast<std::size_t>(point.edge)].theta;
    }
    return s_.nodeDof[static_cast<std::size_t>(point.corners[static_cast<std::size_t>(k / 3)])] + k % 3;
  }
  void locate(Field& field) const;
  formula::Input inputOf(const FieldPoint& point, const double* place) const;
  /// A point as its formulas see it, of N corners.
  template <int N>
  struct Seen;
  template <int N>
  Seen<N> seenAt(const FieldPoint& point, const VectorX& q, const VectorX* v) const;
  template <int N>
  elastic::Direction<N> turn(Seen<N>& seen) const;
  template <int N>
  void addForce(const Field& field, const FieldPoint& point, const VectorX& q, const VectorX& v, double rate,
                bool slopes, Pull& out) const;
  Vec3 momentAt(const Field& field, const FieldPoint& point, const double* place) const;
  void addMoment(const Field& field, const FieldPoint& point, const VectorX& q, const VectorX& v, double rate,
                 bool slopes, Pull& out) const;
  template <int N>
  void addPotential(const Field& field, const FieldPoint& point, const VectorX& q, Pull& out) const;
  template <int N>
  double potentialAt(const Field& field, const FieldPoint& point, const VectorX& q) const;
  double energyAt(const Field& field, const FieldPoint& point, const VectorX& q) const;
  template <int N>
  void addDiscrete(const Field& field, const FieldPoint& point, const VectorX& q, Pull& out) const;
  template <int N>
  void pull(const Field& field, const FieldPoint& point, const VectorX& q, const VectorX& v, double rate, bool slopes,
            Pull& out) const;
  double roundOffOf(const FieldPoint& point, const VectorX& q, const Pull& pull) const;
  [[gnu::noinline]] void evaluateFields(const VectorX& q, const VectorX& v, double rate, solve::Level level,
                                        TermSums& out);
  void add(const FieldPoint& point, const int* offsets, const Pull& pull, TermSums& out) const;

  const Structure& s_;
  const scene::Scene& scene_;
  Elasticity& elasticity_;
  const std::vector<elastic::EdgeFrame>* frames_ = nullptr;  // of edges, where moments are evaluated
  const PartElements* part_ = nullptr;
  const std::vector<char>* prescribed_ = nullptr;
  solve::PartedTangent* solver_ = nullptr;
  std::vector<Field> fields_;  // of the scene
  std::vector<Field> extra_;   // of the prepared instant alone
  // What formulas see, as it was prepared.
  formula::Input input_;
  std::vector<double> parameters_, columns_;
  mutable VectorX end_;
  double rounded_ = 0;  // of the last forces with slopes [N]
  VectorX start_;       // displacements at the start of a step that keeps energy; empty: it does not
};

}  // namespace tendril::rods_shells
