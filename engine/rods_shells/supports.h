// What is held or driven: which unknowns are prescribed at a time and to which values, and the
// frames of clamps. Later constraints win over earlier ones.
#pragma once

#include <string>
#include <vector>

#include "rods_shells/clamp_springs.h"
#include "rods_shells/loads.h"
#include "rods_shells/structure.h"
#include "rods_shells/support_motion.h"
#include "rods_shells/terms/elasticity.h"

namespace tendril::rods_shells {

/// What supports remember between steps; goes into `save`.
struct SupportState {
  std::vector<Vec3> traveled;               ///< per constraint: displacement by "velocity" so far [m]
  std::vector<char> anchored;               ///< per constraint: "before": "free" has ended
  std::vector<std::vector<double>> turned;  ///< per constraint, per turn of its rotation: its angle [rad]
  std::vector<std::vector<Vec3>> anchors;   ///< per constraint, per node: displacement where it was caught [m]
  std::vector<std::vector<elastic::EdgeStart>>
      inside;  ///< per clamp, per edge inside a run of nodes: what is turned by the rotation
  std::vector<std::vector<double>> angles;  ///< per constraint, per edge: twist angle where it was caught [rad]
  std::vector<elastic::EdgeStart> frames;   ///< per held frame: what is turned by the rotation
  std::vector<Vec3> normals;                ///< per held plane of a shell: what is turned by the rotation
};

class Supports {
 public:
  Supports(Structure& structure, const scene::Scene& scene);

  /// Prescribes for a step that ends at `end` (values there) and is evaluated at `at` (frames of clamps there), from
  /// the accepted state q at t0. Returns true if the set of prescribed unknowns or of active springs changed.
  bool prepare(const scene::Instant& end, const scene::Instant& at, double t0, const VectorX& q,
               Elasticity& elasticity);
  /// The run starts with displacements and twist angles q: what is held from then on is held there.
  void startFrom(const VectorX& q);
  /// Why a step to `end` must be taken in shorter ones, or empty: a clamp turns so far in it that more than half a turn
  /// could not be told from less. Appends to `which` the constraints that do, Scene::constraints indices.
  std::string turnsTooFar(const scene::Instant& end, std::vector<int>* which = nullptr) const;
  /// The step to `end` was accepted. What it says of a node that a motion caught elsewhere than it moves it, or
  /// nothing.
  std::string accept(const scene::Instant& end, double t0);
  /// What it says of feedback that has a support, as a run begins and formulas see what `begin` says, elsewhere than
  /// where its body stands; or nothing. What sees only time is told when a scene is loaded.
  std::string startsAway(const scene::Instant& begin) const;
  /// The turns of held normals where a solved step or load step has brought the triangles beside them, into its end q:
  /// known only then, and what a release begins from. `frames`: of the accepted state.
  void carryNormals(VectorX& q, const FrameState& frames) const;
  /// What was prepared since the last accepted step is not: constraints that caught something let go of it.
  void goBack();

  const std::vector<char>& prescribed() const { return prescribed_; }
  const VectorX& values() const { return values_; }  ///< where prescribed
  const std::vector<elastic::EdgeFrame>& held() const { return held_; }
  const std::vector<elastic::EdgeFrame>& heldAtEnd() const { return heldAtEnd_; }
  const std::vector<char>& acting() const {
    return clampOn_;
  }  ///< per constraint: whether it holds or drives anything now
  /// Edges that "turn" or "fixTwist" holds by their twist angle while their direction is free.
  const std::vector<int>& twistHeld() const { return twistHeld_; }
  /// Per ShellStructure::held: whether it is held now, and its unit normal.
  const std::vector<char>& heldPlanes() const { return planes_; }
  const std::vector<Vec3>& heldNormals() const { return normals_; }
  const std::vector<Vec3>& normalsAtEnd() const { return normalsAtEnd_; }
  /// Per weld the clamp's frame that holds its own, or -1.
  const std::vector<int>& weldsHeld() const { return weldsHeld_; }
  /// Held frames that caught something in the step that is prepared; state().frames says where.
  const std::vector<int>& caught() const { return caughtFrames_; }
  const SupportState& state() const { return state_; }
  void visit(model::Archive& archive);

 private:
  void anchorNormals(const ClampPlan& plan, const VectorX& q, const FrameState& frames);
  void prescribeNormals(const ClampPlan& plan, const Mat3& turn, const FrameState& frames);
  void anchor(int index, const VectorX& q, Elasticity& elasticity);
  void measureJump(int index, const scene::Instant& end, double t0, const VectorX& q);
  void setNode(int node, int axis, double value);
  void prescribe(int index, const scene::Instant& end, double t0, const FrameState& frames);
  Vec3 clampPivot(int index) const;
  void prescribeClamp(int index, const scene::Instant& end, double t0, const FrameState& frames);
  void prescribeClampEdges(const ClampPlan& plan, const Mat3& turn, const FrameState& frames);
  void prescribeClampWelds(const ClampPlan& plan, const Mat3& turn, const FrameState& frames);
  void findTwistHeld();
  void measureInside(const ClampPlan& plan);

  Structure& s_;
  const scene::Scene& scene_;
  SupportMotion motion_;
  ClampSprings springs_;
  SupportState state_, free_;  // free_: while caught_, state_ before
  double jump_ = 0;            // [m] the farthest that a motion was from the node that it caught, while caught_
  int jumps_ = -1;             // the constraint that does
  std::vector<int> caughtFrames_;
  bool caught_ = false;  // a constraint has caught something in a step that is not accepted yet
  std::vector<char> prescribed_, before_;
  std::vector<int> twistHeld_;
  std::vector<char> clampOn_;  // per constraint
  VectorX values_;
  std::vector<elastic::EdgeFrame> held_, heldAtEnd_;
  std::vector<int> weldsHeld_;
  std::vector<char> planes_, planesBefore_;
  std::vector<Vec3> normals_, normalsAtEnd_;
  std::vector<int> plan_;  // per constraint: index into Structure::clamps, or -1
};

}  // namespace tendril::rods_shells
