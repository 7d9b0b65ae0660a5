// One time step of the growing chain, a quadratic program: velocities that obey mass, springs, joints and growth, keep
// the tube out of the obstacles, with friction, and with contact linearized again where it rotated during the step.
// Nothing passes through an obstacle unreported: a step that cannot prevent it is refused and names body and obstacle.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "vines/step/chain_system.h"
#include "vines/step/contact_search.h"

namespace tendril::vines {

/// A contact that carries force.
struct Contact {
  int body, obstacle;
  Vec2 point;            ///< on the tube's skin [m]
  Vec2 normal;           ///< of the obstacle, outward
  double normalForce;    ///< [N] >= 0, mean over the step
  double frictionForce;  ///< [N] along the normal rotated to the left
};

struct Report {
  enum class Status {
    accepted,
    contradiction,  ///< growth, joints, obstacles and friction cannot all be satisfied: see body and obstacle
    penetration,    ///< the tube could not be kept out of an obstacle: a shorter step may succeed
    passage,        ///< the tube would end up beyond an obstacle: a shorter step may succeed
    tooFast,        ///< growth by more than a body's length within the step
    turned,         ///< a body rotates by more than half a radian within the step
    moved,          ///< the motion within the step exceeds the range of the obstacle search
    tooShort,       ///< the published form of growth cannot shorten a pair further
    failed          ///< the solver did not reach its tolerance, or numbers are not finite
  } status = Status::accepted;
  bool accepted() const { return status == Status::accepted; }
  int body = -1, obstacle = -1;    ///< where the step failed, or -1
  double violation = 0;            ///< [m/s] of a contradiction, [m] of a penetration
  bool frictionUnsettled = false;  ///< accepted, but Coulomb's law is violated by frictionError
  double frictionError = 0;        ///< relative
  double residual = 0;             ///< of the quadratic program, scaled
  double growthForce = 0;          ///< [N] with which growth pushes in the last pair
  double growthRate = 0;           ///< [m/s] rate at which the length grew
  int candidates = 0, active = 0;  ///< contact rows, and those with force
  int programs = 0;                ///< quadratic programs solved
  int bodiesChanged = 0;           ///< +2 or -2 where the tip gained or lost a pair
  bool retracted = false;          ///< prescribed to retract, but no pair can become shorter
  /// Smallest gap [m] between the tube's skin and obstacles after the step; infinite where none is near.
  double lowestGap = std::numeric_limits<double>::infinity();
};

/// A body whose tube overlaps an obstacle, for checking a start.
struct Overlap {
  int body = -1, obstacle = -1;
  double depth = 0;   ///< [m] of the skin
  bool axis = false;  ///< the axis itself lies inside, or crosses it
};

class Step {
 public:
  /// Steps the chain by dt [s]. `shapes` are at their final positions; their velocities brought them there. A refused
  /// step leaves the chain unchanged.
  Report advance(Chain& chain, const Actuation& actuation, std::span<const PlanarShape> shapes, double dt);

  /// Of the last accepted step.
  std::span<const Contact> contacts() const { return contacts_; }
  /// Of the last program, for tests.
  const ChainSystem& system() const { return system_; }
  const solve::QuadraticProgram& program() const { return program_; }

  /// The deepest overlap of the tube with the shapes at their current positions, an overlap of its axis first; body -1
  /// without any. The base itself may stand on a shape.
  Overlap overlap(const Chain& chain, std::span<const PlanarShape> shapes);

  solve::QuadraticSettings settings;  ///< which method solves the program

 private:
  Report solveWithContacts(const Chain& chain, std::span<const PlanarShape> shapes, double dt, double margin);
  void addRows(const Chain& chain, std::span<const PlanarShape> shapes, double dt, int pass);
  void startFromCarried();
  void rememberForNextPass();
  bool solveProgram(Report& report, double diameter, double dt);
  void readMotion(const Chain& chain, double dt);
  double worstGap(const SurfacePoint** where, double* lowest) const;
  int turnedTooFar(const Chain& chain) const;
  int hardestRow() const;
  double largestMotion(const Chain& chain) const;
  bool updateLocks(double growth, double dt, double stall, bool one);
  bool relent();
  bool shrinksAway(const Chain& chain, double growth) const;
  void accept(Chain& chain, std::span<const PlanarShape> shapes, double dt, Report& report);

  ChainSystem system_;
  ContactSearch search_;
  solve::QuadraticProgram program_;
  solve::SparseRows rows_, tangents_;
  std::vector<double> bound_, mobility_, friction_, rest_, tangentMobility_, start_, tangentStart_;
  std::vector<SurfacePoint> rowPoints_;    // for the rows of the last program
  std::vector<SurfacePoint> firstPoints_;  // at the step's start
  std::vector<double> floor_;              // gap required of each near pair [m], zero or an initial overlap
  std::vector<CarriedContact> carried_;
  std::vector<double> newQ_, newV_, newTarget_;
  double apart_ = 0;                // joint error at newQ_
  std::vector<GrowthLock> locked_;  // of each pair
  std::vector<char> released_;      // how often each pair was released after stalling
  bool opens_ = true;               // whether existing overlaps are opened
  std::vector<Contact> contacts_;
};

}  // namespace tendril::vines
