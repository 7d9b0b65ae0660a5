// Elastic and Kelvin-Voigt energy of all shells in one pass: membranes by springs or Saint Venant-Kirchhoff triangles,
// bending by hinges or mid-edge normals. Value, gradient and Hessian, scattered straight into the solver's storage.
#pragma once

#include <vector>

#include "discrete/parts.h"
#include "discrete/strains.h"
#include "discrete/structure.h"
#include "elastic/hinge.h"
#include "solve/mechanical_system.h"

namespace tendril {

class ShellElasticity {
 public:
  /// `accepted`: hinge angles of the accepted state, next to which they are unwrapped; `reference`: strains that damping
  /// rates count from. Both are filled here and must outlive this.
  ShellElasticity(Structure& structure, std::vector<double>& accepted, ShellStrains& reference);

  void bind(PartedTangent& solver, const std::vector<char>& prescribed);
  /// evaluate and accept are about these elements alone from here on.
  void enter(const PartElements& part);
  /// Damping may have been switched on or off.
  void refreshActive();
  bool damped() const { return damped_; }
  bool empty() const { return shell_.triangles.empty(); }

  /// Planes of held edges at present: `on` per ShellStructure::held, and their unit normals.
  void hold(const std::vector<char>& on, const std::vector<Vec3>& normals);

  /// Adds energy, gradient and tangent at displacements q as Elasticity::evaluate does; `roundOff` of `out` holds the
  /// SQUARE of the sum over elements.
  void evaluate(const VectorX& q, double rate, Level level, Evaluation& out, VectorX& gradient);

  void accept(const VectorX& q);

  void strains(const VectorX& q, ShellStrains& out);

  /// Energies [J] of one shell, or of all with -1.
  double membraneEnergy(const ShellStrains& strains, int shell) const;
  double bendingEnergy(const ShellStrains& strains, int shell) const;
  /// Bending energy of every triangle [J]; a hinge's is shared by its triangles.
  void bendingEnergies(const ShellStrains& strains, std::vector<double>& out) const;

 private:
  template <Level level>
  void pass(const VectorX& q, double rate, Evaluation& out, VectorX& gradient);
  template <Level level>
  void stretchEdge(int i, const VectorX& q, double rate, Evaluation& out, VectorX& gradient);
  template <Level level>
  void foldHinge(int i, double rate, Evaluation& out, VectorX& gradient);
  template <Level level>
  void strainTriangle(int i, const VectorX& q, double rate, Evaluation& out, VectorX& gradient);
  template <Level level>
  void bendTriangle(int i, const VectorX& q, double rate, Evaluation& out, VectorX& gradient);
  template <Level level>
  void foldMidedge(int i, Evaluation& out, VectorX& gradient);
  template <Level level>
  void bendSpring(int i, int side, double stiffness, double viscosity, double difference, double speed, double rate,
                  Evaluation& out, VectorX& gradient);
  void addGradient(int i, int side, const HingeGradient& g, double stress, Evaluation& out, VectorX& gradient);
  void addTwice(int i, const Mat<3, 21>& B, const Mat<3, 21>& R);

  Vec3 place(const VectorX& q, int node) const { return s_.nodes[node] + q.segment<3>(s_.nodeDof[node]); }
  bool measureHinge(int i, const VectorX& q);
  /// Hinges of the state that was measured last stand already; unwraps this one.
  bool recallHinge(int i);
  bool stands(const VectorX& q) const;
  void nowStands(const VectorX& q);
  bool isHeld(int edge) const { return heldOf_[edge] >= 0; }
  Vec3 alphaOf(const ShellTriangle& t, const VectorX& q) const;
  Vec3 naturalAlpha(const ShellTriangle& t) const;
  double naturalSide(int edge, int side) const;
  double angleOf(int edge) const;  ///< between its triangles, from the folds of the trial state
  /// Offsets of a hinge's block; of a held side without the far node.
  const int* offsetsOf(int edge, int side) const;
  void addBlocks(const int* offsets, const HingeHessian& h, const HingeGradient& g, double stress, double stiffness);

  /// Hinge of an edge at the trial state. Held edges have one against the plane on either side.
  struct Fold {
    HingeShape shape[2];
    double angle[2] = {0, 0};  // [0]: of the hinge, or of the first side against a plane; [1]: of the second side
    double moment[2] = {0, 0}; // dE/dangle collected over triangles (mid-edge)
  };

  Structure& s_;
  const PartElements* part_ = nullptr;
  ShellStructure& shell_;
  std::vector<double>& accepted_;     // hinge angles
  std::vector<double> initialSide_;   // 2 per held plane: angle of either side at the start
  ShellStrains& reference_;
  bool damped_ = false;
  std::vector<int> heldOf_;           // per edge: index into ShellStructure::held while held, else -1
  std::vector<Vec3> normals_;         // per held plane
  std::vector<char> twice_;           // per triangle: two far corners are one node
  std::vector<Fold> folds_;           // per edge, of the state measured_
  VectorX measured_;
  bool measuredAll_ = false;          // of the part measuredPart_
  int measuredPart_ = -1;
  std::vector<HingeGradient> slopes_; // per edge, two where held: mid-edge shells
  std::vector<std::array<int, 78>> hingeOffsets_;     // per edge: (b, a, opposite, opposite) lower triangle
  std::vector<std::array<int, 21>> edgeOffsets_;      // per edge: (a, b)
  std::vector<std::array<int, 45>> triangleOffsets_;  // per triangle: corners
  std::vector<std::array<int, 231>> midedgeOffsets_;  // per triangle: corners, far corners, psi
  std::vector<std::array<int, 78>> heldOffsets_;      // 2 per held plane: as hinges, the far side into the trash
  double* values_ = nullptr;
  double inverseEdge2_ = 0;
};

}  // namespace tendril
