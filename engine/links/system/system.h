// A linkage as a mechanical system r(q, v, a) = M(q) a + h(q, v) + K q + D v - F(q) - A^T lambda: a chain with inertia
// at its points, elastic coordinates, gravity, forces and closing constraints, and its exact tangent for the one Newton
// (S, eqs. 26-32).
#pragma once

#include <vector>

#include "links/chain/force.h"
#include "links/closures.h"
#include "links/definiteness.h"
#include "links/forces/tendon.h"
#include "model/watch_frame.h"
#include "solve/dense_lu.h"
#include "solve/krylov.h"

namespace tendril::links {

/// Inertia at the end of a chain step, body frame: a rigid body's, or what a quadrature point of a rod stands for.
struct MassPoint {
  int step = 0;
  geometry::Mat6 inertia = geometry::Mat6::Zero();  ///< [kg m^2 .. kg]
  double weight = 1;                                ///< share of gravity that buoyancy leaves
  geometry::Mat6 added = geometry::Mat6::Zero();    ///< inertia of the fluid that moves along: no weight
};

/// A wrench (moment; force) at the end of a chain step.
struct PointWrench {
  int step = 0;
  geometry::Vec6 wrench = geometry::Vec6::Zero();  ///< [N m, N]
  bool world = false;                              ///< directions are the world's; else the body's (follower)
};

/// How each coordinate of a joint of several rotations turns (rows 0 to 2) and moves (3 to 5).
using JointColumns = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6>;
/// What such a joint does by x = base q: it moves in directions that do not turn, then it turns.
inline geometry::Pose motionOf(const geometry::Vec6& x) {
  geometry::Vec6 turn = x;
  turn.tail<3>().setZero();
  return {geometry::exponential(turn).R, x.tail<3>()};
}

/// What acts in a joint of several rotations (planar, spherical, free): a spring of energy 1/2 rotation |log R|^2 +
/// 1/2 translation |r|^2 of the pose (R, r) over the joint, and an effort.
struct PoseSpring {
  int step = 0;  ///< the joint's first
  JointColumns base;
  geometry::Pose offset;                           ///< what the joint's step has before the joint itself
  double rotation = 0, translation = 0;            ///< [N m/rad], [N/m]
  double turning = 0, moving = 0;                  ///< of the damper [N m s/rad], [N s/m]
  geometry::Vec6 effort = geometry::Vec6::Zero();  ///< on the link against its parent, in the link's frame [N m, N]
};

/// Whether a point's inertia is that of a rigid body, which it then gives; not with fluid that moves along.
bool asRigid(const MassPoint& m, ChainInertia& out);

class System final : public solve::MechanicalSystem {
 public:
  /// `stiffness`, `damping`: of the coordinates, size x size. `scale`: length of the linkage [m].
  System(Chain chain, std::vector<MassPoint> masses, Eigen::MatrixXd stiffness, Eigen::MatrixXd damping, double scale);

  Vec3 gravity = Vec3::Zero();  ///< [m/s^2]
  std::vector<PointWrench> wrenches;
  std::vector<Tendon> tendons;
  std::vector<PoseSpring> springs;
  std::vector<ChainForce*> forces;  ///< not owned
  VectorX force;                    ///< generalized force of motors [N m, N]; zero at construction
  VectorX restForce;                ///< part of `force`: springs of joints that are at ease elsewhere than at 0
  double restEnergy = 0;            ///< [J] and what these hold at 0
  std::vector<char> held;           ///< per coordinate: prescribed, its equation gives the effort instead

  /// Dashpots of an implicit Euler step on the coordinates, against which a static solve moves down; empty: none.
  VectorX dashpots;      ///< coordinates(): damping over the length of the step [N m/rad, N/m]
  VectorX dashpotsFrom;  ///< size(): where that step began
  /// What a static solve of a closed chain keeps from moving, coordinates() x how many [1/rad, 1/m], from `idleFrom`
  /// on.
  Eigen::MatrixXd idle;
  VectorX idleFrom;

  Chain& chain() { return chain_; }
  const Chain& chain() const { return chain_; }
  std::vector<MassPoint>& masses() { return masses_; }
  const Eigen::MatrixXd& stiffness() const { return stiffness_; }
  const Eigen::MatrixXd& damping() const { return damping_; }
  /// Of one coordinate of a joint.
  void setCoordinate(int coordinate, double stiffness, double damping);
  double scale() const { return scale_; }
  /// Units of the unknowns, in which they count alike: 1 for angles and strains, scale() for places and multipliers.
  const VectorX& units() const { return units_; }
  /// A coordinate of a step, by its column, is a place [m] and no angle or strain.
  static bool moves(const ChainStep& step, int column) {
    return !step.base.col(column).tail<3>().isZero(0) && step.base.col(column).head<3>().isZero(0);
  }

  /// Rows that close chains; their multipliers follow the coordinates in all vectors.
  void setClosures(std::vector<ClosureRow> rows);
  const std::vector<ClosureRow>& closures() const { return closures_; }
  /// From here on, until called with 0, evaluate() is that of a step of the midpoint rule from (q0, v0) over dt that
  /// keeps kinetic and potential energy with the loads as they are now; for open chains.
  void keepEnergy(const VectorX& q0, const VectorX& v0, double dt);
  /// Unit of the closing rows [N/m] for a solve with these rates: what makes gaps [m] comparable to forces.
  void weighClosures(const solve::Rates& rates);
  double closureUnit() const { return closureUnit_; }
  void setClosureUnit(double unit) { closureUnit_ = unit; }
  /// Gaps of the closing rows [m], and their derivative by the coordinates, at q.
  void closureGaps(const VectorX& q, VectorX& gaps, Eigen::MatrixXd* jacobian);

  int coordinates() const { return chain_.size(); }
  int size() const override { return chain_.size() + static_cast<int>(closures_.size()); }
  void retract(const VectorX& q0, const VectorX& dq, double factor, VectorX& q) const override { q = q0 + factor * dq; }
  solve::Evaluation evaluate(const solve::Motion& motion, const solve::Rates& rates, solve::Level level,
                             VectorX& r) override;
  solve::Factorization factor(double shift) override;
  void solve(const VectorX& rhs, VectorX& x) override;
  double residualNorm(const VectorX& r) const override { return r.cwiseProduct(units_).norm() / scale_; }
  double worstBody(const VectorX& r, double tolerance) const override;
  double updateNorm(const VectorX& dq) const override {
    return scale_ * dq.head(coordinates()).cwiseQuotient(units_.head(coordinates())).lpNorm<Eigen::Infinity>();
  }
  double extent() const override { return scale_; }
  double longestStep(const VectorX& q, const VectorX& dq) override;

  /// A force that follows the motion acts, which has no potential.
  bool follows() const;
  /// Of the last evaluation that asked for the tangent, on the motions that closed loops allow. Unknown where a force
  /// that follows the motion has no potential, and above 400 unknowns, where it would take long.
  Stability stability(Eigen::VectorXd* motion = nullptr);
  /// Counts, from zero, the tangents factored from here on that push on some motion (Stability::unstable).
  void watch(bool on, int from = 0) { watching_ = on, unstable_ = from; }
  int unstable() const { return unstable_; }

  /// What holds the prescribed coordinates where they are [N m, N], at the last evaluation; zero elsewhere.
  const VectorX& effort() const { return effort_; }
  /// Of the last evaluation that asked for it, size() x size(), rows of prescribed coordinates identity.
  const Eigen::MatrixXd& tangent();

  /// M(q), coordinates() x coordinates(), added mass included.
  void massMatrix(const VectorX& q, Eigen::MatrixXd& out);
  /// Accelerations of the free coordinates at (q, v), where those prescribed have the accelerations in `a`: closing
  /// rows accelerate along. `multipliers`: gets those of the closing rows at its end. False: singular.
  bool acceleration(const VectorX& q, const VectorX& v, VectorX& a, VectorX* multipliers = nullptr);
  /// Changes the rates of the free coordinates least, by kinetic energy, so that closed loops stay closed. False:
  /// singular.
  bool projectVelocity(const VectorX& q, VectorX& v);
  /// Frames at q, v; no slopes.
  void place(const VectorX& q, const VectorX& v);
  void place(const VectorX& q, const VectorX& v, const VectorX& a);

  /// Looks for the coordinates in which the base lets the linkage fly; they stay until called again.
  void findFlight();
  const std::vector<int>& flight() const { return flight_.coordinates; }
  /// Momentum along these coordinates [kg m/s], one entry for each, at the frames of the last place().
  void momentum(VectorX& p) const;
  /// Its rate [N], where place() was given accelerations.
  void momentumRate(VectorX& rate) const;
  /// What acts along them at the last evaluation [N].
  void momentumPush(VectorX& push) const { push = push_; }
  /// The inertia against moving along them [kg], a square matrix.
  void flightMass(Eigen::MatrixXd& mass) const;
  /// Rates of these coordinates at which all that they move goes with about this velocity [m/s], and what it goes with
  /// then.
  VectorX flightRates(const Vec3& velocity) const;
  Vec3 alongFlight(const Vec3& velocity) const;
  /// Whether they leave something where it is, a fluid moves along, or they have springs, dampers or motors of their
  /// own.
  bool flightIsTied() const;
  Vec3 linearMomentum() const;  ///< of all [kg m/s], at the frames of the last place()
  double wholeMass() const;     ///< [kg]
  double heavyMass() const;     ///< [kg] what weight pulls at

  struct Energies {
    double kinetic = 0, gravity = 0, elastic = 0;  ///< [J]; gravity: 0 at the world's origin
    Vec3 weight = Vec3::Zero();                    ///< mass times place, by its share of gravity [kg m]
    double total() const { return kinetic + gravity + elastic; }
  };
  Energies energies(const VectorX& q, const VectorX& v);
  double elasticEnergy(const VectorX& q) const;  ///< [J]
  double springEnergy(const PoseSpring& s, const VectorX& q) const;
  /// Of its joint's coordinates in a vector of all: turn and move.
  geometry::Vec6 screwOf(const PoseSpring& s, const VectorX& q) const;
  /// Pose over its joint.
  geometry::Pose poseOver(const PoseSpring& s, const VectorX& q) const {
    return geometry::inverse(s.offset) * chain_.steps()[static_cast<std::size_t>(s.step)].offset *
           motionOf(screwOf(s, q));
  }
  /// Rate of all three together at the motion of the last evaluation [W]: what everything else gives.
  double power() const { return power_; }
  /// What dampers of coordinates take there [W].
  double dampingPower() const { return dampingPower_; }
  /// What loads and motors give there [W].
  double givenPower() const { return givenPower_; }
  /// With what the springs of joints store that are at ease elsewhere than at 0 [J].
  double elasticOf(const Energies& e, const VectorX& q) const {
    return e.elastic - restForce.dot(q.head(coordinates())) + restEnergy;
  }
  /// What dampers of coordinates take at these rates [W].
  double dampedPower(const VectorX& rate) const;
  /// Generalized force of tensions inside soft bodies at the last evaluation, with its sign turned: coordinates().
  const VectorX& tensionForce() const { return tension_; }
  /// What tensions and dead forces did in the last step that kept energy, if it converged [J].
  double keptWork() const { return keep_.start.all - keep_.start.stored - (keep_.end.all - keep_.end.stored); }

 private:
  double measureBodies();
  /// What of the energies a step keeps [J]: the three of Energies, those with tendons and dead forces, and their sizes.
  struct Conserved {
    double stored = 0, all = 0, size = 0;
  };
  Conserved conserved(const VectorX& q, const VectorX& v);
  double otherPower(const VectorX& q, const VectorX& v) const;
  void beginKeeping(const solve::Motion& motion);
  double addKeeping(const solve::Motion& motion);
  void solvePlain(const VectorX& rhs, VectorX& x);
  void solveKeeping(const VectorX& rhs, VectorX& x);
  void findBlocks();
  void findUnits();
  void addElasticity(const solve::Motion& motion, const solve::Rates& rates, bool slopes);
  void addInertia(bool slopes);
  void addSprings(const VectorX& v, const solve::Rates& rates, bool slopes);
  void addClosures(const VectorX& multipliers, bool slopes);
  double idleStiffness() const { return closureUnit_ * scale_ * scale_; }  // [N m]
  bool eliminates() const;
  void assemble();
  void condenseMass(const VectorX& q);
  void closingRows(Eigen::MatrixXd& rows);
  bool solveWithMass(const VectorX& q, const VectorX& rhs, VectorX& x);
  Vec3 directionOf(int flight) const;
  template <class Of>
  void sumFlight(VectorX& out, const Of& of) const;
  void findPush();
  void leaveFlight(VectorX& way);

  Chain chain_;
  std::vector<MassPoint> masses_;
  Eigen::MatrixXd stiffness_, damping_, tangent_;
  double scale_;
  VectorX units_, rowWeights_;
  std::vector<ClosureRow> closures_;
  double closureUnit_ = 1;
  double rateOfDamping_ = 0, power_ = 0, dampingPower_ = 0, givenPower_ = 0;
  ChainLoads loads_;
  std::vector<double> sizes_;  // per body of the chain: its largest force term [N m]
  double rounded_ = 0;         // what round-off leaves of a body's forces, as a share of its largest
  std::vector<char> mobile_;   // whether anything moves it
  std::vector<ChainInertia> inertias_;
  Eigen::MatrixXd closing_;  // closing rows by the coordinates
  Columns jacobianA_, jacobianB_;
  VectorX zero_, effort_, gathered_, gaps_, springChart_, elastic_, viscous_, tension_;
  struct OwnBlock {
    Eigen::MatrixXd stiffness, damping;
  };
  std::vector<OwnBlock> own_;  // of each body, side by side in memory
  bool blocked_ = true;        // stiffness and damping couple the coordinates of single bodies only
  bool assembled_ = false;     // tangent_ is of the last evaluation
  bool watching_ = false;      // counts in unstable_
  int unstable_ = 0;
  bool eliminated_ = false;  // the chain holds the factors, not lu_
  /// A step that keeps energy; dt 0: none.
  struct Keeping {
    double dt = 0;
    int solves = 0;
    VectorX q0, v0, end1, rate1, way, free, along, middle, rate;
    // Momentum in flight, at the start and at the end without what makes up for the rule's error.
    VectorX momentum0, momentum1;
    bool flies = false;  // nothing holds flight back
    VectorX flown;       // its rates at the start, where it flies
    Eigen::MatrixXd mass0, mass1, mass;
    double whole = 0;  // of the way beside that of flight at the start, as its square by M
    // Where the tangent was taken, for its products.
    solve::Rates rates;
    VectorX q, v, a, r, atQ, atV, atA, atR, x, rhs;
    Conserved start, end;
    solve::Krylov krylov;
  } keep_;
  /// Coordinates along which all that hangs on them moves in directions that do not turn within a step.
  struct Flight {
    std::vector<int> coordinates, steps;
    std::vector<std::vector<int>> movers;  // of each mass point: which of them move it
    bool whole = false;                    // all move everything
  } flight_;
  VectorX push_, carried_;  // what acts on flight, and the rate of its momentum, whether that balances or not
  std::vector<geometry::Pose> from_, to_;
  solve::DenseLu lu_;  // of the dense, unsymmetric tangent
};

}  // namespace tendril::links
