// What a medium and a pressure do to the faces of shells: drag by the present velocity and normal (M 29) and follower
// pressure, with exact Jacobians. Pressure alone has a potential where what it presses is closed or held at its border.
#pragma once

#include <vector>

#include "rods_shells/loads.h"
#include "elastic/face_loads.h"

namespace tendril::rods_shells {

class FaceLoads {
 public:
  FaceLoads(const Structure& structure, const scene::Scene& scene);

  /// Evaluates wind, drag coefficient and pressures for `moment`. Throws Failure.
  void prepare(const scene::Instant& instant);
  void bind(solve::PartedTangent& solver, const std::vector<char>& prescribed);
  /// True where nothing acts now.
  bool empty() const { return !active_; }
  /// Finds the edges where the pressure on either side differs and a node is free. Call after prepare and bind.
  void findEdges();
  /// Pressure acts alone, and nowhere is such an edge: then the work of pressure is that of volume.
  bool hasPotential() const;
  /// What follows is about the faces and edges of these elements alone; empty() tells of all.
  void enter(const PartElements& part) { part_ = &part; }
  /// That potential [J], up to a constant: minus pressure times volume. 0 without hasPotential().
  double potential(const VectorX& q) const;

  /// Power [W] that drag at q, v takes from a body that moves with `mean` and from the medium together.
  double drained(const VectorX& q, const VectorX& v, const VectorX& mean) const;

  /// Adds -force into `residual` and, if `tangent`, its Jacobian for dv/dq = rate: the symmetric part into the solver's
  /// values, the skew rest as blocks of their own.
  void add(const VectorX& q, const VectorX& v, double rate, VectorX& residual, solve::PartedTangent* tangent) const;

 private:
  std::vector<int> trianglesOf(const scene::Load& load) const;
  bool isMine(int edge) const { return part_->has(s_.nodeDof[s_.shell.edges[edge].a]); }
  void addPressure(int triangle, const Vec3 x[3], const int d[3], VectorX& residual, solve::PartedTangent* tangent) const;
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
  std::vector<std::pair<int, double>> edges_;  // shell edges with a difference of pressure [Pa], first side minus second
  double* values_ = nullptr;
};

}  // namespace tendril::rods_shells
