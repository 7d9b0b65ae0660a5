// Kinematics of a tree of rigid steps: joints and rod steps, each exp of a twist that its coordinates make. One pass
// outwards gives poses, velocities and accelerations, one pass inwards turns wrenches into generalized forces; with
// their exact derivatives, condensed body by body in time linear in the number of bodies (S, sec. 4; Featherstone
// 2008).
#pragma once

#include <array>
#include <vector>

#include "geometry/se3.h"
#include "links/chain/magnus.h"
#include "solve/mechanical_system.h"

namespace tendril::links {

using Columns = Eigen::Matrix<double, 6, Eigen::Dynamic>;

/// A step from a parent's end to its own: first a fixed pose, then exp(Omega) of its coordinates.
struct ChainStep {
  int parent = -1;        ///< -1: the base
  geometry::Pose offset;  ///< before the motion; of joints with several rotations it holds what they have turned so far
  int first = 0;          ///< first of its coordinates
  /// A joint: Omega = base * q.
  Columns base;
  /// A rod step (order > 0): coordinate j adds values[stage][j] to strain component modes[j] at each stage.
  int order = 0;      ///< of Magnus: 2, 4, 6
  double length = 0;  ///< [m]
  std::vector<int> modes;
  std::array<std::vector<double>, 3> values;
  std::array<geometry::Vec6, 3> reference;  ///< strain without coordinates

  int coordinates() const { return order > 0 ? static_cast<int>(modes.size()) : static_cast<int>(base.cols()); }
};

/// A step's end, seen from the base and from itself, at a motion (q, v, a).
struct ChainFrame {
  geometry::Pose pose;
  geometry::Vec6 velocity = geometry::Vec6::Zero();      ///< eta, body frame
  geometry::Vec6 acceleration = geometry::Vec6::Zero();  ///< eta-dot
};

/// Derivatives of a frame by all coordinates, 6 x size.
struct ChainSlopes {
  Columns shift;         ///< d eta / d v: displacement, body frame
  Columns velocity;      ///< total derivative of eta along the unknown: d/dq + rates.v d/dv
  Columns acceleration;  ///< of eta-dot: d/dq + rates.v d/dv + rates.a d/da
};

/// A wrench on a step's end in its body frame, and how it changes with that end's motion: with a displacement by a
/// twist of its frame, with its velocity and with its acceleration.
struct ChainWrench {
  geometry::Vec6 value = geometry::Vec6::Zero();
  geometry::Mat6 byPose = geometry::Mat6::Zero(), byVelocity = geometry::Mat6::Zero(),
                 byAcceleration = geometry::Mat6::Zero();
};

/// How the wrench on one end changes with a displacement of another one, and, where both are of one body or one hangs
/// on the other, with its velocity.
struct ChainCoupling {
  int on = 0, by = 0;
  geometry::Mat6 byPose = geometry::Mat6::Zero(), byVelocity = geometry::Mat6::Zero();
};

/// A rigid body's inertia at a step's end, in its frame and about its origin.
struct ChainInertia {
  int step = 0;
  double mass = 0;              ///< [kg]
  Vec3 moment = Vec3::Zero();   ///< mass * center [kg m]
  Mat3 inertia = Mat3::Zero();  ///< [kg m^2]
  Vec3 gravity = Vec3::Zero();  ///< [m/s^2] as it acts on it, world
};

class Chain {
 public:
  /// Parents come before their children. `base` is the pose of the base.
  Chain(std::vector<ChainStep> steps, const geometry::Pose& base, int coordinates);

  int size() const { return size_; }
  const std::vector<ChainFrame>& frames() const { return frames_; }
  const std::vector<ChainStep>& steps() const { return steps_; }

  /// Outwards. Slopes only if asked for.
  void move(const VectorX& q, const VectorX& v, const VectorX& a, const solve::Rates& rates, bool slopes);

  /// Displacement of a step's end by the coordinates, body frame, 6 x size; after move() with slopes.
  void jacobian(int step, Columns& out) const;
  /// With what velocity and acceleration do, at the rates of move().
  ChainSlopes slopes(int step) const;

  /// Inwards, after move(): adds sum of J^T wrench to r, and if `tangent` is there (slopes were asked for), its total
  /// derivative to it. `wrenches`: one per step.
  void gather(const std::vector<ChainWrench>& wrenches, const std::vector<ChainCoupling>& couplings, VectorX& r,
              Eigen::MatrixXd* tangent);

  /// Units of the coordinates: 1 for angles and strains, a length for places [m]. Rows times these are comparable.
  void setUnits(const VectorX& units) { units_ = units; }

  /// Another fixed pose before a step's motion.
  void setOffset(int step, const geometry::Pose& offset);

  // The tangent body by body. A body is the set of steps that share coordinates, with what is fixed to it.

  /// Whether each coordinate belongs to one body only: what elimination needs.
  bool separable() const { return separable_; }
  int bodies() const { return static_cast<int>(bodies_.size()); }
  int firstOf(int body) const { return bodies_[static_cast<std::size_t>(body)].first; }
  int countOf(int body) const { return bodies_[static_cast<std::size_t>(body)].n; }

  int parentOf(int body) const {
    return bodies_[static_cast<std::size_t>(body)].parent;
  }  ///< comes before; -1: the base
  int bodyOfStep(int step) const { return bodyOfStep_[static_cast<std::size_t>(step)]; }  ///< -1: fixed to the base
  int bodyOf(int coordinate) const { return bodyOf_[static_cast<std::size_t>(coordinate)]; }

  /// Forgets the last tangent.
  void clearTangent();
  /// An entry of a body's own block, to add to: both coordinates must be the same body's. clearTangent() was called.
  double& own(int row, int col) {
    Body& b = bodies_[static_cast<std::size_t>(bodyOf_[static_cast<std::size_t>(row)])];
    return b.own[static_cast<std::size_t>((row - b.first) * b.ld + col - b.first)];
  }
  /// Adds the derivative of what gather() adds to r: of the wrenches it got last, whose values hold all that acts,
  /// while their derivatives do not hold those of `inertias`.
  void condense(const std::vector<ChainWrench>& wrenches, const std::vector<ChainInertia>& inertias,
                const std::vector<ChainCoupling>& couplings = {});
  /// Couplings that the blocks do not hold: neither within a body nor between it and the end it hangs on.
  const std::vector<ChainCoupling>& loose() const { return loose_; }
  /// Adds all blocks, and couplings at the frames of the last move(), to a dense tangent, size() x size() or larger.
  void assemble(const std::vector<ChainCoupling>& couplings, Eigen::MatrixXd& tangent);
  /// Eliminates the bodies from the leaves inwards; rows of `held` coordinates are identity, and shift times its
  /// absolute value is added to the tangent's diagonal. False: a pivot vanished, or the chain is not separable.
  bool eliminate(const std::vector<char>& held, double shift);
  /// Tangent x = rhs, after eliminate() with the same `held`; x of size().
  void substitute(const VectorX& rhs, const std::vector<char>& held, VectorX& x);

 private:
  /// What a step's motion is at its own coordinates.
  struct Local {
    std::array<TwistJet, 3> strains;
    TwistJet twist;
    geometry::TangentOperator tangent;
    geometry::Pose start, motion;                // world pose before it, and exp(Omega)
    geometry::Vec6 velocity, acceleration;       // at its start
    geometry::Vec6 wrench;                       // at its start, of all beyond
    std::array<geometry::DualMatrix, 3> slopes;  // of Omega by the strains of a rod step
    std::vector<double> columns;         // inputs x own coordinates: how they move the end, from the body's start
    std::vector<double> shift;           // 6 x own coordinates: what this step adds to the displacement
    std::vector<double> turn;            // 6 x own coordinates: derivative of the wrench
    std::array<double, 108> resistance;  // 6 x inputs: of what acts at its end
    bool resists = false;
    bool plain = true;  // no offset
  };
  /// Steps that share coordinates. Motions are seen in the world's directions about the place of the body's start; its
  /// inputs are the 18 components of how that moves, in the order of blocks.h.
  struct Body {
    int first = 0, n = 0, ld = 0;
    int parent = -1, on = -1;  // the body and the step it hangs on; -1: the base
    std::vector<int> steps, children;
    Vec3 origin = Vec3::Zero();
    std::vector<double> own;      // n x n, in rows of ld
    std::vector<double> byInput;  // n x 18
    std::vector<double> toStart;  // 6 x n: wrench at the start
    std::vector<double> through;  // 6 x 18
    // With what lies beyond, eliminated or not, and the factors.
    std::vector<double> ownAll, byInputAll, toStartAll, throughAll, load;
    std::vector<int> pivots;
    std::vector<double> weights;  // of its rows, in the choice of pivots
    // Of a solve: the wrench at its start that no motion of it changes, and how the start moves.
    geometry::Vec6 push = geometry::Vec6::Zero();
    std::array<double, 18> start{};
  };

  void findBodies();
  void moveStep(std::size_t index, const VectorX& q, const VectorX& v, const VectorX& a);
  void placeColumns(Body& body, const solve::Rates& rates);
  void jointColumns(const ChainStep& step, const geometry::Jet<geometry::DualMatrix>& m, int ld, const double* before,
                    Local& local);
  void slopesOfFour(const ChainStep& step, const geometry::Jet<geometry::DualMatrix>& m, Local& local,
                    double (*e)[2][18]);
  template <int Stages>
  void slopesOf(const ChainStep& step, const geometry::Jet<geometry::DualMatrix>& m, Local& local,
                double (*e)[Stages][18]);
  template <int Stages>
  void rodColumns(const ChainStep& step, const geometry::Jet<geometry::DualMatrix>& m, int ld, const double* before,
                  Local& local);
  void gatherValues(const std::vector<ChainWrench>& wrenches, VectorX& r);
  void addInertia(const ChainInertia& inertia);
  void addWrench(std::size_t step, const ChainWrench& wrench);
  bool addCoupling(const ChainCoupling& coupling);
  void condenseBody(Body& body);
  void addBend(const ChainStep& step, const Local& local, Body& body);
  void addMagnusBend(const ChainStep& step, const Local& local, Body& body);
  void addBeyond(Body& body);
  bool eliminateBody(Body& body, const std::vector<char>& held, const double* diagonal);
  void weighRows(Body& body, const std::vector<char>& held) const;
  bool factorBody(Body& body);
  void condenseInputs(Body& body);

  std::vector<ChainStep> steps_;
  VectorX units_;
  geometry::Pose base_;
  int size_;
  bool separable_ = true;
  int inputs_ = 18;  // of how a body's start moves, those that anything depends on
  std::vector<Local> locals_;
  std::vector<ChainFrame> frames_;
  std::vector<ChainCoupling> loose_;    // of ends too far apart for the blocks
  std::vector<geometry::Vec6> values_;  // of the wrenches, on their way inwards
  std::vector<Body> bodies_;
  std::vector<double> zeros_, left_, right_;  // a row; 6 rows each
  std::vector<int> bodyOf_;                   // of each coordinate
  std::vector<int> bodyOfStep_;               // -1: fixed to the base
  std::vector<int> carrier_;                  // the step whose columns move a step's end
  std::vector<int> before_;                   // the one before it in the same body, -1 none
};

}  // namespace tendril::links
