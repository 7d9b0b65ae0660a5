// Elastic and Kelvin-Voigt energy of all rods (and, through shell_elasticity, of all shells) in one pass: value,
// gradient and Hessian, scattered straight into the solver's storage. It also keeps the accepted frames and reference
// twists that define the energy within a step.
#pragma once

#include <span>
#include <vector>

#include "elastic/bend_twist.h"
#include "elastic/frame_turn.h"
#include "model/archive.h"
#include "rods_shells/connectors.h"
#include "rods_shells/parts.h"
#include "rods_shells/rounding.h"
#include "rods_shells/strains.h"
#include "rods_shells/structure.h"
#include "rods_shells/terms/energy_step.h"
#include "rods_shells/terms/shell_elasticity.h"
#include "solve/mechanical_system.h"

namespace tendril::rods_shells {

/// The frame of a weld in the accepted state.
struct WeldStart {
  using Scalar = double;         ///< all of it
  Vec3 base = Vec3::Zero();      ///< value of its unknowns [rad]
  Mat3 turn = Mat3::Identity();  ///< from its initial directions to those of now
};

/// How far edges may turn: 1 + cos of the angle.
struct FrameLimits {
  static constexpr double chart = 1.0707372016677028;  ///< 1.5 rad of an edge from its reference
  static constexpr double fold = 1e-10;                ///< of edges that fold back on each other
};

/// What the accepted state remembers of frames.
struct FrameState {
  std::vector<elastic::EdgeStart> edges;  ///< tangent and reference director of every edge
  std::vector<Vec3> spin;                 ///< EdgeFrame::spin [1/m] of every edge there, in the chart that led there
  std::vector<double> referenceTwist;     ///< per spring [rad], unwrapped
  std::vector<elastic::EdgeStart> held;   ///< held frames
  std::vector<WeldStart> welds;           ///< frames of welds
  std::vector<double> hingeAngle;         ///< per shell edge [rad], unwrapped
  std::vector<double> connector;          ///< per spring between places: what it measures, unwrapped
  HeldPlanes planes;                      ///< of shells
  /// Displacements to which the chart has moved since clearPath(), and the part that was entered then; where they are
  /// kept.
  std::vector<std::pair<int, VectorX>> path;
};

/// What strains are counted from and clamps' frames, where they change in time.
struct Naturals {
  std::vector<Vec3> springs;
  std::vector<double> edges, hinges, connectors;
  std::vector<elastic::EdgeFrame> held;
  std::vector<Vec3> normals;
};

/// Energies by kind [J]: of rods, of shells' membranes and bending (hinges or mid-edge normals), and of springs between
/// places.
struct ElasticEnergy {
  double stretch = 0, bend = 0, twist = 0, membrane = 0, hinge = 0, springs = 0;
  double total() const { return stretch + bend + twist + membrane + hinge + springs; }
};

class Elasticity {
 public:
  explicit Elasticity(Structure& structure);

  /// Offsets of every element into the solver's values; prescribed unknowns scatter into its trash.
  void bind(solve::PartedTangent& solver, const std::vector<char>& prescribed);
  /// evaluate, accept, largestTurn, setFrames, edgeFrames and the readings of energies are about these elements alone
  /// from here on.
  void enter(const PartElements& part);
  /// After springs were switched on or off, or got damping.
  void refreshActive();

  /// What round-off leaves of the forces of a body of the part that was evaluated last [N], where it has several.
  double roundOff(int body) const;

  /// Energy at q (displacements and twist angles) and, by level, gradient and tangent added into `gradient` (size + 1:
  /// the last entry swallows held sides) and the bound solver. `rate`: d(strain rate)/d(strain), 0 without damping.
  /// Invalid where an edge turned more than 1.5 rad from its accepted tangent, or folded back.
  solve::Evaluation evaluate(const VectorX& q, double rate, solve::Level level, VectorX& gradient);

  /// A step of the midpoint rule that keeps energy (energy_step.cpp) begins at displacements q, in the present chart,
  /// with the clamps' frames and natural strains of its middle. Unknowns without inertia relax to where they are at its
  /// end.
  void beginStep(const VectorX& q, double dt);
  /// After beginStep: damping counts that clamps' frames turn from the accepted ones to `end` in the step, seen at
  /// displacements `middle`.
  void turnClamps(const VectorX& middle, const std::vector<elastic::EdgeFrame>& end, const std::vector<Vec3>& planes);
  /// Forces of that step with `middle` as its unknown and `rate` = 1 / dt: what has a potential into `gradient` (size +
  /// 1), the rest into `applied`; the tangent of both into the bound solver and, as blocks, into `tangent`.
  solve::Evaluation evaluateStep(const VectorX& middle, double rate, solve::Level level, VectorX& gradient,
                                 VectorX& applied, solve::PartedTangent* tangent);

  /// Present frames of the clamps, set before evaluate.
  std::vector<elastic::EdgeFrame>& held() { return held_; }
  /// Per weld the clamp's frame that holds it (Structure::held), or -1; set before evaluate.
  std::vector<int>& weldsHeld() { return weldsHeld_; }
  /// A frame's present turn from its initial directions, at q in the present chart.
  const elastic::FrameTurn& turnOf(int weld) const { return turns_[weld]; }

  /// Moves the chart to q: directors transported from the accepted tangents, reference twists unwrapped. The energy is
  /// unchanged. Returns the largest turn of an edge [rad].
  double accept(const VectorX& q);

  /// Largest turn [rad] of an edge from its accepted tangent at q.
  double largestTurn(const VectorX& q);

  /// Strains at q with the present frames (accept(q) first for an accepted state).
  void strains(const VectorX& q, Strains& out);
  /// Reference strains of the damping rates: strain rate = rate * (strain - reference).
  Strains& references() { return reference_; }
  bool damped() const { return damped_ || shells_.damped() || connectors_.damped(); }
  ElasticEnergy energies(const Strains& strains, int body) const;  ///< of one body, or of all with -1

  /// Exchanges the present ones.
  void exchange(Naturals& naturals);
  void copyNaturals(Naturals& out) const;
  /// Energy [J] that damping took on the way from strains s0 to s1 in dt [s].
  double dissipation(const Strains& s0, const Strains& s1, double dt) const;
  /// Work [J] of clamps that turned on that way against the damping beside them. `still`: strains at its end with the
  /// clamps' frames of its start; null: of the midpoint rule's step, as turnClamps() knows it.
  double dampedTurnWork(const Strains& s0, const Strains& s1, const Strains* still, double dt) const;

  const FrameState& frames() const { return state_; }
  void setFrames(const FrameState& state);
  void clearPath() { state_.path.clear(); }
  /// The chart has moved to q, with this part entered.
  void addToPath(int part, const VectorX& q) { state_.path.emplace_back(part, q); }
  void visit(model::Archive& archive);  ///< those of all parts
  /// Frames of edges at q in the present chart.
  const std::vector<elastic::EdgeFrame>& edgeFrames(const VectorX& q);
  const std::vector<double>& edgeLengths() const { return lengths_; }
  const Connectors& connectors() const { return connectors_; }
  ShellElasticity& shells() { return shells_; }
  const ShellElasticity& shells() const { return shells_; }
  /// Moment vector [N m] that a clamp's frame exerts on the structure at q, about its node, with damping left out.
  Vec3 heldMoment(const VectorX& q, int held);
  /// A held frame that catches the rod at the accepted displacements q (caught.cpp): the one near `guess` in which its
  /// half springs bear what the rod bears there.
  elastic::EdgeStart caughtFrame(int held, const elastic::EdgeStart& guess, const VectorX& q);
  /// The step begins with the held frame there.
  void catchIn(int held, const elastic::EdgeStart& frame);
  /// Into `out`: the strains of its half springs.
  void caughtStrains(int held, const elastic::EdgeStart& frame, const VectorX& q, Strains& out);
  /// Stress (moment toward d1, toward d2, about t) of a spring [N m] for given strains and rates.
  Vec3 springStress(int spring, const Vec3& strain) const;

 private:
  template <solve::Level level>
  solve::Evaluation pass(const VectorX& q, double rate, VectorX& gradient);
  template <solve::Level level>
  void stretchEdge(int i, double rate, solve::Evaluation& out, VectorX& gradient);
  template <solve::Level level>
  void bendSpring(int i, const VectorX& q, double rate, solve::Evaluation& out, VectorX& gradient);
  template <solve::Level level>
  void stepPass(const VectorX& q1, double rate, StepForces& out);
  template <solve::Level level>
  void stretchStep(int i, double rate, StepForces& out);
  template <solve::Level level>
  void bendStep(int i, const VectorX& q1, double rate, StepForces& out);
  void addBendForces(const Spring& p, const Vec<8>& before, const Vec<8>& after, const Vec<8>& whole,
                     StepForces& out) const;
  void addBendRemainder(int spring, const Vec<8> (&g1)[3], const Vec<8> (&D)[3], const Vec3& stiffness,
                        solve::PartedTangent& tangent) const;
  Vec3 strainToBear(int half, const VectorX& q);
  Vec3 caughtStrain(int half, const elastic::EdgeFrame& held, const VectorX& q);
  double twistAt(const SpringSide& side, int theta, const VectorX& q) const;
  const elastic::EdgeStart& startOf(const SpringSide& side) const {
    return side.edge >= 0 ? state_.edges[side.edge] : armStart_[side.arm];
  }
  Vec3 strainAt(int spring, const Vec<8>& u) const;
  void stepSlopes(int spring, const elastic::EdgeFrame& e, const elastic::EdgeFrame& f, const Vec3& change,
                  const Vec<8>& delta, const Vec<8> (&g1)[3], Vec<8> (&D)[3], Vec3& noise) const;
  bool setTurns(const VectorX& q);
  void acceptTurns(const VectorX& q);
  bool isHeld(int weld) const { return weldsHeld_[weld] >= 0; }
  /// How a side that is a weld's frame depends on the unknowns of that frame, at the step's start, end or in between.
  struct Lever {
    Mat3 direction = Mat3::Zero();  // d f / d w
    Vec3 twist = Vec3::Zero();      // d theta / d w
  };
  enum class At { start, mean, end };
  Lever leverOf(int arm, At at) const;
  Vec<11> onUnknowns(const Spring& spring, const Vec<8>& u, At at) const;
  double workOfTurn(int arm, const Vec3& force, double moment, const Vec3& change, double twist) const;
  void scatterArm(const Spring& spring, const int* offsets, const elastic::BendTwistHessian& h, const Vec3& ge,
                  const Vec3& gf, double te, double tf);
  Vec3 tieStrain(int tie, const VectorX& q) const;
  void tieSlopes(int tie, const VectorX& q, const Mat3& axes, const Mat3& rate, Eigen::MatrixXd& out) const;
  void beginTie(int tie, const VectorX& q);
  template <solve::Level level>
  void evaluateTie(int tie, const VectorX& q, solve::Evaluation& out, VectorX& gradient);
  template <solve::Level level>
  void stepTie(int tie, const VectorX& q1, StepForces& out);
  void addTieTangent(int tie, const VectorX& q, const Vec3& stress);
  void scatterStretch(const int* offsets, const Mat3& h);
  void scatterSpring(const int* offsets, const elastic::BendTwistHessian& h);
  static void finish(solve::Evaluation& out, double noise);
  bool setFrame(int i, const VectorX& q);
  const elastic::EdgeFrame& side(const Spring& spring, const SpringSide& side, bool isF,
                                 elastic::EdgeFrame& storage) const;
  double thetaDifference(const Spring& spring, const VectorX& q) const;

  Structure& s_;
  const PartElements* part_ = nullptr;
  BodyRounding rounded_;
  FrameState state_;
  std::vector<elastic::EdgeFrame> frames_, held_;
  std::vector<double> lengths_, excess_;  // |e| and |e| - initial length, per edge
  std::vector<int> storing_;              // springs that are active or kept
  Strains reference_;
  bool damped_ = false;
  RodStepStart start_;                           // of the step that keeps energy
  VectorX end_;                                  // displacements at the end of it
  std::vector<std::array<int, 11>> springDofs_;  // unknowns, -1 where prescribed or held
  std::vector<std::array<int, 6>> edgeDofs_;
  std::vector<std::array<int, 66>> springOffsets_;
  std::vector<std::array<int, 21>> edgeOffsets_;
  std::vector<char> plain_;                // spring between neighboring edges of one rod
  std::vector<elastic::FrameTurn> turns_;  // per weld, since the accepted state
  std::vector<int> weldsHeld_;
  std::vector<elastic::EdgeStart> armStart_;  // per arm of a weld, as an edge of unit length
  std::vector<elastic::EdgeFrame> armFrames_;
  std::vector<double> armTwist_;
  struct TieWork {
    std::vector<int> dofs, held;   // node, frame, far ends; -1 where prescribed
    std::vector<int> offsets;      // of the lower triangle
    Eigen::MatrixXd slopes, mean;  // of the three strains, per unknown
  };
  std::vector<TieWork> ties_;
  Eigen::MatrixXd tieBlock_;
  VectorX middle_;
  double inverseEdge2_ = 0;  // of the mean edge: weighs moments against forces
  double* values_ = nullptr;
  ShellElasticity shells_;
  Connectors connectors_;
};

}  // namespace tendril::rods_shells
