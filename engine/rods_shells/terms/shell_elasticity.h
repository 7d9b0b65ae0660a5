// Elastic and Kelvin-Voigt energy of all shells in one pass: membranes by springs or Saint Venant-Kirchhoff triangles,
// bending by hinges or mid-edge normals. Value, gradient and Hessian, scattered straight into the solver's storage.
#pragma once

#include <vector>

#include "elastic/hinge.h"
#include "rods_shells/parts.h"
#include "rods_shells/strains.h"
#include "rods_shells/structure.h"
#include "rods_shells/terms/energy_step.h"
#include "solve/mechanical_system.h"

namespace tendril::rods_shells {

/// Planes that hold edges of shells, at the accepted state.
struct HeldPlanes {
  std::vector<Vec3> normals;  ///< per held plane; zero where it does not hold
  std::vector<double>
      angles;  ///< two per held plane: of the triangles on both sides against it [rad], unwrapped; else not a number
};

class ShellElasticity {
 public:
  /// `accepted`: hinge angles of the accepted state, next to which they are unwrapped; `reference`: strains that
  /// damping rates count from. Both are filled here and must outlive this.
  ShellElasticity(Structure& structure, std::vector<double>& accepted, HeldPlanes& planes, ShellStrains& reference);

  void bind(solve::PartedTangent& solver, const std::vector<char>& prescribed);
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
  void evaluate(const VectorX& q, double rate, solve::Level level, solve::Evaluation& out, VectorX& gradient);

  /// As Elasticity::beginStep and evaluateStep, for the end q1 of a step.
  void beginStep(const VectorX& q, double dt);
  void evaluateStep(const VectorX& q1, double rate, solve::Level level, StepForces& out);
  /// As Elasticity::turnClamps: held planes of the begun step turn on to `end`.
  void turnPlanes(const VectorX& middle, const std::vector<Vec3>& end);

  void accept(const VectorX& q);

  void strains(const VectorX& q, ShellStrains& out);

  /// Energies [J] of one shell, or of all with -1.
  double membraneEnergy(const ShellStrains& strains, int shell) const;
  double bendingEnergy(const ShellStrains& strains, int shell) const;
  /// Present natural angles and normals of held planes; exchange() swaps them.
  void copyNaturals(std::vector<double>& hinges, std::vector<Vec3>& normals) const;
  void exchange(std::vector<double>& hinges, std::vector<Vec3>& normals);
  /// What damping takes [J s] on the way from strains s0 to s1, times how long that takes [s].
  double dissipation(const ShellStrains& s0, const ShellStrains& s1) const;
  /// As Elasticity::dampedTurnWork, times how long the way takes [s].
  double dampedTurnWork(const ShellStrains& s0, const ShellStrains& s1, const ShellStrains* still) const;
  /// Bending energy of every triangle [J]; a hinge's is shared by its triangles.
  void bendingEnergies(const ShellStrains& strains, std::vector<double>& out) const;

 private:
  /// By what the turn of held planes in the begun step changes a triangle's angles [rad].
  Vec3 turnedOf(const ShellTriangle& t) const;
  double bendingEnergyOf(int triangle, const ShellStrains& strains) const;
  template <solve::Level level>
  void pass(const VectorX& q, double rate, solve::Evaluation& out, VectorX& gradient);
  template <solve::Level level>
  void stretchEdge(int i, const VectorX& q, double rate, solve::Evaluation& out, VectorX& gradient);
  template <solve::Level level>
  void foldHinge(int i, double rate, solve::Evaluation& out, VectorX& gradient);
  template <solve::Level level>
  void strainTriangle(int i, const VectorX& q, double rate, solve::Evaluation& out, VectorX& gradient);
  template <solve::Level level>
  void bendTriangle(int i, const VectorX& q, double rate, solve::Evaluation& out, VectorX& gradient);
  template <solve::Level level>
  void foldMidedge(int i, solve::Evaluation& out, VectorX& gradient);
  template <solve::Level level>
  void bendSpring(int i, int side, double difference, double speed, double rate, solve::Evaluation& out,
                  VectorX& gradient);
  void addGradient(int i, int side, const elastic::HingeGradient& g, double stress, solve::Evaluation& out,
                   VectorX& gradient);
  void addTwice(int i, const Mat<3, 21>& B, const Mat<3, 21>& R);
  void scatterStretch(const int* offsets, const Mat3& h);
  void scatterMembrane(const int* offsets, const Mat<3, 9>& B, const Mat<3, 9>& CB, const Mat3& curvature);
  void scatterMidedge(int i, const Mat<3, 21>& B, const Mat<3, 21>& R);

  template <solve::Level level>
  void stepPass(const VectorX& q1, double rate, StepForces& out);
  template <solve::Level level>
  void foldStep(int i, double rate, StepForces& out);
  template <solve::Level level>
  void strainStep(int i, const VectorX& q1, double rate, StepForces& out);
  template <solve::Level level>
  void bendStep(int i, const VectorX& q1, double rate, StepForces& out);
  template <solve::Level level>
  void addAngle(int i, int side, int far, double moment, double moment0, double smooth, StepForces& out);
  void measureStep(int i, const VectorX& q1);
  void addHingeRemainder(int i, int side, int far, double stiffness, StepForces& out) const;
  void addTriangleTangent(int i, double rate, StepForces& out);
  void addToNodes(int i, int far, const Vec<9>& force, VectorX& out) const;
  Vec<9> hingeVectors(int i, int far, const VectorX& q) const;
  elastic::MembraneShape membraneAt(const ShellTriangle& t, const VectorX& q) const;
  int unlessPrescribed(int dof) const;
  static void spread(const Vec<9>& slope, double share, int k, int side, Mat<3, 21>& B);
  /// Slots of a triangle's 6 nodes (corners, then far corners) that the hinge of its edge k joins, in hinge order.
  static std::array<int, 4> hingeSlots(int k, int side);
  /// f(side, far) for the angles of an edge: its hinge, with no far corner (4), or either side against a held plane,
  /// with the hinge's slot of the plane's corner. None at a free border.
  template <class F>
  void forSides(int i, F f) const {
    const ShellEdge& e = shell_.edges[i];
    if (!isHeld(i)) {
      if (!e.isBorder()) f(0, 4);
      return;
    }
    for (int side = 0; side < 2; ++side) {
      if (e.triangle[side] >= 0) f(side, 3 - side);
    }
  }

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
  void addBlocks(const int* offsets, const elastic::HingeHessian& h, const elastic::HingeGradient& g, double stress,
                 double stiffness);

  /// Hinge of an edge at the trial state. Held edges have one against the plane on either side.
  struct Fold {
    elastic::HingeShape shape[2];
    double angle[2] = {0, 0};   // [0]: of the hinge, or of the first side against a plane; [1]: of the second side
    double moment[2] = {0, 0};  // dE/dangle collected over triangles (mid-edge)
  };

  static constexpr int none_ = -1;

  Structure& s_;
  const PartElements* part_ = nullptr;
  ShellStructure& shell_;
  const std::vector<char>* prescribed_ = nullptr;
  ShellStepStart start_;                     // of a step that keeps energy
  std::vector<ShellStepStart::Hinge> ends_;  // two per edge: at its end
  std::vector<Vec<9>> discrete_;             // two per edge: discrete gradients of the angles
  std::vector<double>& accepted_;            // hinge angles
  HeldPlanes& planes_;
  std::vector<double> initialSide_;  // 2 per held plane: angle of either side at the start
  ShellStrains& reference_;
  bool damped_ = false;
  std::vector<int> heldOf_;         // per edge: index into ShellStructure::held while held, else -1
  std::vector<Vec3> normals_;       // per held plane
  std::vector<Vec3> otherNormals_;  // work space
  std::vector<char> twice_;         // per triangle: two far corners are one node
  std::vector<Fold> folds_;         // per edge, of the state measured_
  VectorX measured_;
  bool measuredAll_ = false;  // of the part measuredPart_
  int measuredPart_ = -1;
  std::vector<elastic::HingeGradient> slopes_;        // per edge, two where held: mid-edge shells
  std::vector<std::array<int, 78>> hingeOffsets_;     // per edge: (b, a, opposite, opposite) lower triangle
  std::vector<std::array<int, 21>> edgeOffsets_;      // per edge: (a, b)
  std::vector<std::array<int, 45>> triangleOffsets_;  // per triangle: corners
  std::vector<std::array<int, 231>> midedgeOffsets_;  // per triangle: corners, far corners, psi
  std::vector<std::array<int, 78>> heldOffsets_;      // 2 per held plane: as hinges, the far side into the trash
  double* values_ = nullptr;
  double inverseEdge2_ = 0;
};

}  // namespace tendril::rods_shells
