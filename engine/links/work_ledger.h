// Keeps the balance of energy of linkages: the work of all that acts and what is dissipated, taken along the way of
// every accepted step from the forces that the integrator is balanced with. What the stored energies do beyond that is
// its own.
#pragma once

#include <vector>

#include "links/contact/contact.h"
#include "links/drives.h"
#include "links/forces/fluid.h"
#include "links/forces/force_fields.h"
#include "links/forces/pointer_spring.h"
#include "links/system/system.h"
#include "model/watched_balance.h"

namespace tendril::links {

class WorkLedger {
 public:
  /// All must outlive this.
  WorkLedger(const scene::Scene& scene, const Contact& contact, const Fluid& fluid, const ForceFields& fields,
             const PointerSpring& pointer);

  /// A fresh system takes the place of the one before.
  void attach(System& system) { system_ = &system, ready_ = known_ = false; }
  /// The run begins with the next step.
  void reset();

  /// Live values are about to change what the state at q, v stores, and have: it must be prepared there.
  void beforeChange(const VectorX& q, const VectorX& v);
  void afterChange(const VectorX& q, const VectorX& v);
  /// After that, where masses may have changed: the momentum is what they have now.
  void weighAgain() { momentum_ = momentumNow_ = system_->linearMomentum(); }

  /// Whether open() needs the accepted state to be prepared.
  bool asks() const { return !open_ || !ready_; }
  bool isOpen() const { return open_; }
  /// Whether loads may change masses.
  bool hangsMasses() const { return loaded_; }
  /// A step begins at the accepted q, v.
  void open(const VectorX& q, const VectorX& v);
  /// Forces as they were evaluated last act from the accepted state on.
  void remember() { known_ = true, tensionBefore_ = system_->tensionForce(), effortBefore_ = system_->effort(); }

  /// Joints count their coordinates anew: change(effort) does so with what drives them at the end of the step at hand.
  template <class Change>
  void turnEffort(const Change& change) {
    if (effortNow_.size() > 0) change(effortNow_);
  }

  /// Where the integrator is balanced: at the step's end, in its middle, there with the energy kept, at its start, or
  /// at its end with what drives joints passing on an impulse, by implicit Euler.
  enum class Rule { end, middle, kept, start, impact };
  /// Whether start() needs the frames of the accepted state, and act() those of the step's end.
  bool asksFrames() const;
  void start(const std::vector<ChainFrame>& frames);
  /// A step of dt [s] from q, v, prepared where it is balanced (explicit ones: at the end). `smooth`: what acts goes on
  /// as it was. `secondOrder`: forces are those of their time to second order, so that the mean of both ends counts.
  /// Moves the chain.
  void begin(const VectorX& q, const VectorX& v, double dt, Rule rule, bool smooth, bool secondOrder);
  /// Evaluated in the middle, before the end is prepared.
  void actInMiddle();
  /// The way from q0 to q1, v1, prepared at its end; the system evaluated by the rule. `energies` of the end, where
  /// they are known. The chain stands at it before and afterwards. What coordinates leap at the start is no way on
  /// which motors or dampers work.
  void act(const VectorX& q0, const VectorX& q1, const VectorX& v1, const std::vector<DrivenLeap>& leaps,
           const System::Energies* energies);
  /// What loads and motors did in it [J], where the forces of its end are averaged with those before; else `otherwise`.
  double given(double otherwise) const {
    return rule_ == Rule::end || rule_ == Rule::impact ? given_ - beside_.dot(loads_) : otherwise;
  }
  /// What dampers of coordinates took in it [J].
  double damped() const { return damped_; }
  /// What the integrator has made since the run began, with this step [J]; act() must have been told its energies.
  double numerical() const {
    return played_ + hangs_ - first_ - sum_.work - done_.work + sum_.dissipated + done_.dissipated;
  }
  /// Sees the step's end, where the chain stands and what acts is prepared, from a frame that flies along with the
  /// linkage where nothing pushes or holds it. Before act().
  void see();
  /// From where the accepted state is seen, whatever an attempt has met.
  void seeAsBefore() { velocity_ = beside_ = velocityBefore_; }
  /// [m/s] of the frame.
  const Vec3& velocity() const { return velocity_; }
  /// The frame moves.
  bool flies() const { return !velocity_.isZero(0) || !beside_.isZero(0); }
  /// Kinetic energy [J] of the frame's motion alone: what flies as one is nothing that motion within the linkage could
  /// use.
  double flight() const { return flight_; }
  /// Of what that takes away this much [J] is round-off.
  double flightDigits() const;
  /// The larger of the kinetic energies [J] at the step's start and end, which these are from the ground, for who
  /// stands where what touches does; 0 where nothing does.
  double touched(double before, double now) const;
  /// What follows is about that frame. By what the step gives less energy to what moves and hangs, seen from the frame
  /// [J], with this mean gravity.
  double carried(const Vec3& gravity) const { return beside_.dot(lacks(gravity)); }
  /// By how much the power of loads [W], and of all else that is not weight, is less there at the last evaluation.
  double carriedByLoads() const;
  double carriedByOthers() const;
  void accept();

  /// Of the accepted state at q, v, prepared there.
  model::WatchedBalance balance(const VectorX& q, const VectorX& v);

  struct State {
    model::WatchedBalance sum;
    double first = 0;
    bool open = false, known = false;
    VectorX tension, effort;
    std::vector<Vec3> pushes;
    model::WatchFrame frame;
    Vec3 velocity = Vec3::Zero(), momentum = Vec3::Zero();
  };
  State state() const;
  void setState(const State& s);
  void visit(model::Archive& archive);

 private:
  /// What acts at a time, as prepared.
  struct Acting {
    Vec3 gravity = Vec3::Zero(), lift = Vec3::Zero();
    Fluid::Stream medium;
    VectorX stiffness, damping, restForce, motor;
    double restEnergy = 0;
    std::vector<PointWrench> wrenches;
    std::vector<double> tensions, masses;
    std::vector<PoseSpring> springs;
    ForceFields::Sight fields;
  };
  void take(Acting& out) const;
  double hung(const System::Energies& e) const;
  double total(const VectorX& q, const VectorX& v);
  void look();
  void push(model::WatchFrame& frame) const;
  void findFlight(const Vec3& momentum);
  Vec3 lacks(const Vec3& gravity) const { return momentumNow_ - momentum_ - dt_ * system_->heavyMass() * gravity; }
  bool stores(const Acting& a, const Acting& b) const;
  bool weighs(const Acting& a, const Acting& b) const { return loaded_ && a.masses != b.masses; }
  double workOfChange(const Acting& from, const Acting& to, const VectorX& q, const VectorX& v);
  void addLoads(const ChainDisplacement& way, const Acting& from, const Acting& to);
  void addContact(const ChainDisplacement& way);
  std::vector<Vec3> unknownPushes() const;
  void addSpans(const Acting& from, const Acting& to);
  void addCoordinates(const Acting& from, const Acting& to, const VectorX& v1);
  void addDampers(const Acting& from, const Acting& to);

  const Contact& contact_;
  const Fluid& fluid_;
  const ForceFields& fields_;
  const PointerSpring& pointer_;
  System* system_ = nullptr;
  bool loaded_ = false;  // masses may change
  bool open_ = false;
  bool ready_ = false;              // before_ is that of the accepted state
  bool known_ = false;              // so are tensionBefore_ and effortBefore_
  double first_ = 0;                // stored when the run began [J]
  double stored_ = 0;               // before live values changed [J]
  double played_ = 0;               // kinetic + elastic + contact energy where it was looked at last [J]
  bool looked_ = false;             // those are of the accepted state, or the step's end
  double hangs_ = 0;                // and what weight and buoyancy store there [J]
  double flight_ = 0;               // and what kinetic energy only the frame's motion has there [J]
  model::WatchFrame frame_, seen_;  // from where the accepted state is seen, and the step's end
  // Of the frame, along what flies, and at the accepted state; where what touches in the step takes it along [m/s].
  Vec3 velocity_ = Vec3::Zero(), velocityBefore_ = Vec3::Zero(), beside_ = Vec3::Zero();
  Vec3 momentum_ = Vec3::Zero(), momentumNow_ = Vec3::Zero();  // at the accepted state, at the step's end [kg m/s]
  Vec3 loads_ = Vec3::Zero(), pushed_ = Vec3::Zero();  // what loads, and obstacles, gave of it as they are counted
  Rule rule_ = Rule::end;
  bool goesOn_ = true;     // what acts at the step's start is before_
  bool averaged_ = false;  // the work of changing springs and gravity is that of both ends
  double dt_ = 0;
  bool secondOrder_ = false;
  Acting before_, at_, after_;  // at the accepted state, where the step is balanced, at its end
  std::vector<geometry::Pose> start_;
  model::WorkDone done_;
  double given_ = 0;   // part of done_.work: of loads and motors
  double damped_ = 0;  // part of done_.dissipated: of dampers of coordinates
  model::WatchedBalance sum_;
  VectorX tensionBefore_, effortBefore_, tensionNow_, effortNow_, move_, driven_;
  // Of obstacles on the links; NaN where they do not move, or are not known [N].
  std::vector<Vec3> pushesBefore_, pushesNow_;
  VectorX rates_;  // with which a step with an impact begins
};

}  // namespace tendril::links
