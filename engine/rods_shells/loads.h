// What pulls on a structure from outside: gravity with buoyancy, dead, line, follower forces, moments, viscous drag,
// added masses and the pointer's spring, evaluated for one instant.
#pragma once

#include <optional>
#include <vector>

#include "model/energy_watch.h"
#include "rods_shells/parts.h"
#include "rods_shells/structure.h"
#include "rods_shells/terms/elasticity.h"
#include "scene/instant.h"

namespace tendril::rods_shells {

class Loads {
 public:
  Loads(const Structure& structure, const scene::Scene& scene);

  /// Evaluates everything for `moment`. Throws Failure.
  void prepare(const scene::Instant& instant);

  /// What acts on the frame of a clamp, after `prepare`: per constraint whether it acts, per held frame where it is.
  /// Its moments go to the support alone, and follower forces follow that frame.
  void hold(const std::vector<char>& clampOn, const std::vector<elastic::EdgeFrame>& held);
  /// Sum of the moments [N m] that loads put on a clamp at a node.
  Vec3 momentOnClamp(int node) const;

  const VectorX& dead() const { return dead_; }  ///< forces that depend on time only [N], gravity included
  const VectorX& mass() const { return mass_; }  ///< diagonal with added masses
  const VectorX& viscosity() const {
    return viscosity_;
  }  ///< force per velocity [N s/m], the medium's own is in dead()
  /// Neither follower forces nor moments on the part that was entered.
  bool conservative() const;
  /// Edge loads of these elements alone, and weight and drag of theirs, are seen from here on.
  void enter(const PartElements& part) { part_ = &part; }

  /// A mass that a load adds [kg]: to a node, on the body that the load names.
  struct AddedMass {
    int node = 0, body = 0;
    double mass = 0;
  };
  const std::vector<AddedMass>& addedMasses() const { return added_; }

  /// Adds -force of follower forces and moments into `residual` and, if `tangent`, their Jacobian blocks; `frames`: of
  /// the edges, where `elasticity` is too.
  void addEdgeLoads(const Elasticity& elasticity, const std::vector<elastic::EdgeFrame>& frames,
                    const std::vector<char>& prescribed, VectorX& residual, solve::PartedTangent* tangent) const;

  /// Sum of what gravity pulls at times its place at displacements q [kg m].
  Vec3 heaviness(const VectorX& q) const;
  /// Of this gravity [m/s^2] along a way [J].
  double gravityWork(const VectorX& move, const Vec3& gravity) const;
  double heavyMass() const;  ///< what gravity pulls at [kg], less what is displaced
  /// Dead loads [N] without gravity and the medium's drag.
  void thrust(VectorX& out) const;
  /// Of the medium [m/s], as it was last prepared.
  const Vec3& medium() const { return medium_; }
  /// What viscous drag and a medium of this velocity did in a step of dt [s] that moved all by `move`.
  model::WorkDone dragWork(const VectorX& move, double dt, const Vec3& medium) const;
  /// Force [N] of that drag.
  Vec3 drag(const VectorX& move, double dt, const Vec3& medium) const;

  /// Potential of gravity [J] at displacements q, zero at the origin's height.
  double gravityEnergy(const VectorX& q, int body) const;
  Vec3 gravity() const { return gravity_; }

  /// What the pointer's spring is attached to, and its stiffness [N/m].
  struct Grab {
    int node = 0;
    double stiffness = 0;
  };
  std::optional<Grab> grab;

 private:
  /// A follower force or a moment at a node of a rod: on the frame of a weld, on its end edge, or half of it with each
  /// of the two edges that meet there.
  struct EdgeLoad {
    bool follower = false;
    int edge = 0, node = 0;
    int weld = -1;
    scene::NodeRef at;
    Vec3 value;   ///< moment [N m] in space, or follower force [N] in the directors of the node
    Vec3 inEdge;  ///< follower force [N] in the directors of the edge
  };
  struct ClampMoment {
    int node = 0;
    Vec3 value;
  };
  /// What a load's selection means in the structure, found once.
  struct Plan {
    std::vector<int> nodes, bodies, edges;  // each node once, with the body that it was first named of
    std::vector<int> shellEdges;
    std::vector<double> shares;  // per node: its part of a shared force, by tributary length or area
  };
  Plan plan(const scene::Load& load) const;
  Vec3 atTheEnd(const EdgeLoad& load) const;
  const Spring* springInto(const EdgeLoad& load) const;
  void addLoad(const scene::Load& load, const Plan& plan, const scene::Instant& instant);
  void addEdgeLoad(bool follower, scene::NodeRef at, const Vec3& value);
  Vec3 value(const scene::Number3& numbers, const scene::Instant& instant) const;

  bool isMine(const EdgeLoad& load) const { return part_->has(s_.nodeDof[load.node]); }
  void addWeldLoad(const EdgeLoad& load, const Elasticity& elasticity, const std::vector<char>& prescribed,
                   VectorX& residual, solve::PartedTangent* tangent) const;

  const Structure& s_;
  const scene::Scene& scene_;
  const PartElements* part_ = nullptr;
  VectorX dead_, mass_, viscosity_;
  VectorX tributary_;        // per node: rod length [m]
  VectorX breadth_;          // per node: length that a shell's viscous force counts [m]
  std::vector<Plan> plans_;  // per load of the scene
  std::vector<EdgeLoad> edgeLoads_;
  std::vector<ClampMoment> clampMoments_;
  std::vector<AddedMass> added_;
  Vec3 gravity_ = Vec3::Zero(), medium_ = Vec3::Zero();
  double fluid_ = 0;  // density of displaced fluid [kg/m^3], 0 without buoyancy
};

}  // namespace tendril::rods_shells
