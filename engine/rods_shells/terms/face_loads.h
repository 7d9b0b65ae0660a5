// What a medium and a pressure do to the faces of shells: drag by the present velocity and normal (M 29) and follower
// pressure, with exact Jacobians. Pressure alone has a potential where what it presses is closed or held at its border.
#pragma once

#include <vector>

#include "elastic/face_loads.h"
#include "rods_shells/loads.h"
#include "rods_shells/terms/term.h"

namespace tendril::rods_shells {

class FaceLoads final : public Term {
 public:
  FaceLoads(const Structure& structure, const scene::Scene& scene);

  void enter(const PartElements& part) override { part_ = &part; }
  void bind(solve::PartedTangent& solver, const std::vector<char>& prescribed) override;
  void prepare(const scene::Instant& end, const scene::Instant& at, double t0) override;
  /// Finds the edges where the pressure on either side differs and a node is free.
  void complete() override;

  /// On any part.
  bool acts() const override { return active_; }
  /// Pressure acts alone, and nowhere is such an edge: then the work of pressure is that of volume.
  bool hasPotential() const override;
  bool feelsVelocity() const override { return active_; }
  /// The tangent's symmetric part goes into the solver's values, the skew rest into blocks of their own. The potential
  /// is added where all that acts has one.
  void evaluate(const VectorX& q, const VectorX& v, double rate, solve::Level level, TermSums& out) override;
  double drained(const VectorX& q, const VectorX& v, const VectorX& mean) const override;

 private:
  /// [J], up to a constant: minus pressure times volume. 0 without hasPotential().
  double potential(const VectorX& q) const;
  void add(const VectorX& q, const VectorX& v, double rate, VectorX& residual, solve::PartedTangent* tangent) const;
  std::vector<int> trianglesOf(const scene::Load& load) const;
  bool isMine(int edge) const { return part_->has(s_.nodeDof[s_.shell.edges[edge].a]); }
  void addPressure(int triangle, const Vec3 x[3], const int d[3], VectorX& residual,
                   solve::PartedTangent* tangent) const;
  void addEdge(int edge, double pressure, const VectorX& q, solve::PartedTangent& tangent) const;
  void addDrag(int triangle, elastic::FaceDrag& drag, double rate, solve::PartedTangent& tangent) const;

  const Structure& s_;
  const scene::Scene& scene_;
  const PartElements* part_ = nullptr;
  std::vector<std::vector<int>> loaded_;  // per load of the scene: triangles with all corners selected
  std::vector<double> pressure_;          // per triangle [Pa]
  double drag_ = 0;                       // rho C_d / 2 [kg/m^3]
  Vec3 medium_ = Vec3::Zero();            // its velocity [m/s]
  bool active_ = false;
  std::vector<std::array<int, 45>> offsets_;  // per triangle: lower triangle of its 9 x 9 block
  std::vector<std::array<int, 9>> dofs_;      // per triangle; -1 where prescribed
  std::vector<std::array<int, 6>> edgeDofs_;  // per shell edge
  std::vector<std::pair<int, double>>
      edges_;  // shell edges with a difference of pressure [Pa], first side minus second
  double* values_ = nullptr;
};

}  // namespace tendril::rods_shells
