// Rods and shells as a model: steps by the scene's integrator, static solves with pseudo-time rescue, probes, drawing,
// save. Linkages and what names them are not its own: it passes over them.
#pragma once

#include <memory>

#include "model/stepped_model.h"
#include "rods_shells/energy_ledger.h"
#include "rods_shells/observe.h"
#include "rods_shells/sharp_bends.h"
#include "rods_shells/terms/system.h"
#include "scene/switches.h"
#include "world/world.h"

namespace tendril::rods_shells {

class Model final : public model::SteppedModel {
 public:
  /// The world must outlive the model; the `values` of its scene may change, followed by refresh(). Throws
  /// model::BuildError where the rods cannot be assembled.
  explicit Model(const world::World& world);

  void begin(const double* columns) override;
  model::StepReport step(const model::StepRequest& request, const model::Continue& keepGoing) override;
  model::StepReport settle(const model::SettleRequest& request, const model::Continue& keepGoing) override;
  void lead() override { system_->keepsPath = true; }
  model::StepReport retake(const model::StepRequest& request, model::Model& first,
                           std::span<const model::Neighbor> neighbors) override;
  model::StepReport resettle(const model::SettleRequest& request, model::Model& first,
                             std::span<const model::Neighbor> neighbors) override;
  double stableStep() override;

  int degreesOfFreedom() const override { return system_->size(); }
  double maxPenetration() const override { return maxPenetration_; }
  std::vector<model::Remark> remarks() const override;

  const Drawing& drawing() const override { return drawing_; }
  void snapshot(Snapshot& out) override;
  void observe(int probe, std::span<double> columns) override;
  Vec3 meanPosition(int probe, bool second) override;
  void seenByLoad(int load, std::vector<double>& out) const override {
    system_->fields().seenBy(load, history_.q, history_.v, out);
  }
  bool energyBalance(model::WatchedBalance& out) override;
  void energyOfParts(std::vector<model::PartBalance>& out) override;
  void bodies(std::vector<BodyState>& out) override;
  void grab(int point) override;
  void release() override;

  void equations(model::Equations& out) override;
  bool unbalanced(const VectorX& accelerations, VectorX& out) override;
  void lookAt(const model::Nearby* state) override;
  void displace(const model::Nearby& state) override;
  void standAt(const VectorX& values, const VectorX& rates) override;
  bool placeMotion(const scene::Place& place, model::PlaceMotion& out) override;

  void refresh() override;
  void visit(model::Archive& archive) override;

  System& system() { return *system_; }
  const solve::History& history() const { return history_; }

 private:
  bool openStep(const model::StepRequest& request, model::StepReport& report) override;
  bool prepareStep(const model::StepInstants& step, const model::StepRequest& request,
                   model::StepReport& report) override;
  solve::NewtonReport solveStep(const model::StepInstants& step, const model::StepRequest& request,
                                const model::Continue& keepGoing) override;
  void explainFailure(const solve::NewtonReport& newton, model::StepReport& report) override;
  bool reachEnd(const model::StepInstants& step, const model::StepRequest& request, model::StepReport& report) override;
  bool gainsEnergy(const model::StepInstants& step, const model::StepRequest& request) override;
  void acceptStep(const model::StepInstants& step, const model::StepRequest& request, bool gains,
                  model::StepReport& report) override;
  void endStep() override;

  void standAtAccepted();
  template <class Attempt>
  model::StepReport attemptOnce(const Attempt& tried);
  template <class Attempt>
  model::StepReport attemptJoined(const Attempt& tried);
  void divideWork();
  void join();
  model::StepReport loadStep(const model::SettleRequest& request, const model::Continue& keepGoing);
  scene::Instant instantOf(const model::SettleRequest& request) const;
  bool prepareLoad(const scene::Instant& instant, model::StepReport& report);
  bool settleParts(const FrameState& frames, const solve::NewtonSettings& settings, model::StepReport& report,
                   bool& along);
  void acceptLoad(const scene::Instant& instant, bool along, model::StepReport& report);
  void acceptExplicit(const scene::Instant& end, double t0, double dt, model::StepReport& report);
  bool accelerateAtStart(bool switches, bool goesOn);
  bool accelerateAtEnd(double dt);
  bool turnsTooFar(const scene::Instant& end, model::StepReport& report);
  void leadHeld(double dt);
  std::string secondHalf();
  model::StepReport explicitStep(const model::StepRequest& request, const model::Continue& keepGoing);
  void carry(int p, const Vec3& way, VectorX& q) const;
  bool keepGuessOutside(double elapsed);
  bool holdsIn(int p) const;
  /// What one part's solves work with, from step to step.
  struct PartWork {
    solve::Newton newton;
    solve::Kinematics kinematics;
    VectorX x, base, swept, move;
    int corrections = 0;  // of steps beside another run, so far
    // What a correction leaves of itself, as seen last: of a run, and of half the difference of a pair.
    double contraction = 1, odd = 1;
  };
  solve::NewtonReport solveParts(const solve::NewtonSettings& settings, const model::Continue& startAgain);
  solve::NewtonReport solveWithFriction(int part, const solve::NewtonSettings& settings);
  void balanceMassless();
  /// An equilibrium that may be unstable.
  struct Doubtful {
    const VectorX& x;  ///< empty: none
    const FrameState& frames;
  };
  void rescue(PartWork& work, const solve::NewtonSettings& settings, solve::NewtonReport& newton,
              const Doubtful& doubtful, model::StepReport& report);
  bool settlePart(int part, const solve::NewtonSettings& settings, model::StepReport& report);
  bool twistActs(int part, bool across, const solve::NewtonSettings& settings);
  bool settleHeld(int part, const FrameState& frames, const solve::NewtonSettings& settings, model::StepReport& report,
                  bool& along);
  /// How far the last step of a damped motion went [m], whether less than the one before, and whether it was balanced
  /// already.
  struct Damped {
    double moved = 0;
    bool calming = false, resting = false;
  };
  bool endsAtRest(PartWork& work, const solve::NewtonSettings& settings, const Damped& motion,
                  model::StepReport& report);
  bool pseudoTime(PartWork& work, const solve::NewtonSettings& settings, model::StepReport& report);
  void sayJump(model::StepReport& report) const;
  void sayStart(const scene::Instant& end, double t0, model::StepReport& report);
  void sayFold(model::StepReport& report);
  void sayCrushed(const VectorX& q, model::StepReport& report);
  void sayCrushedSheet(const VectorX& q, model::StepReport& report);
  void sayStretched(const VectorX& q, model::StepReport& report);
  void sayThroughHeld(const VectorX& q, model::StepReport& report);
  bool isUnstable();
  void setInitial();
  void startWelds();
  void setReferences();
  void beginCaught();
  void findSwitches();
  bool findFresh(const model::StepRequest& request);
  std::size_t partOf(const scene::NodeRef& ref) const;
  /// A step that is taken again closes the account of energy only where a probe shows it.
  bool keepsAccount() const { return !first_ || showsBalance_; }
  void blame(std::size_t part) { refused_[part] = 1, blamed_ = true; }
  template <class Fails>
  void blameWhere(const VectorX& q, const Fails& fails);
  const solve::Rates& ratesOf(int part) const {
    return mixed_ && afresh_[static_cast<std::size_t>(part)] ? fresh_.kinematics.rates : step_.kinematics.rates;
  }
  /// f(unknown) for those of parts that start again while others go on.
  template <class F>
  void forEachFresh(F f) {
    if (!mixed_) return;
    for (std::size_t p = 0; p < afresh_.size(); ++p) {
      if (!afresh_[p]) continue;
      for (const int i : system_->parts().unknowns[p]) f(i);
    }
  }
  void acceptEnd(const scene::Instant& end, double t0, double dt, model::StepReport& report);
  const ObservedState& observed(bool balance);
  std::vector<int> freeUnknowns() const;
  void referAt(const VectorX& v, double dt);
  /// A run that takes its steps as another one has, or beside that.
  struct Along {
    Model* model;
    const double* columns;
    model::StepRequest request;
    model::StepInstants step;
  };
  std::string joinAs(const Model& first);
  std::string openAlong(Along& run, Model& first);
  std::string openLoadAlong(Along& run, const scene::Instant& instant, Model& first);
  void kinematicsOf(int part, bool moves);
  std::string linearizeAlong(int part, bool moves);
  void guessAlong(const std::vector<int>& unknowns, bool moves, const Model& base);
  /// A pair of neighbors on either side of the base.
  struct Pair {
    Model *above, *below;
  };
  std::string residualAlong(int part, VectorX& dx, Model& base);
  static std::string correctPair(int part, bool moves, Model& base, const Pair& pair);
  void closeAlong(Along& run, const Model* first);
  template <class Open, class Close>
  model::StepReport along(std::span<const model::Neighbor> neighbors, const double* columns, bool moves,
                          const Open& open, const Close& close);

  std::unique_ptr<System> system_;
  std::vector<PartWork> work_;             // per part of the system
  std::vector<scene::Switches> switches_;  // per part: of what acts on it or holds it
  std::vector<char> afresh_;               // per part: multi-step schemes start again there in the step at hand
  std::vector<char> refused_;              // per part: it refused an attempt at this step
  bool blamed_ = false;                    // some part refused the attempt at hand
  bool met_ = false;                       // the attempt at hand brought parts together, and counts for nothing
  bool mixed_ = false;                     // in some parts, while others go on
  solve::TimeStep fresh_;                  // of those: their entries are also those of step_
  bool watchesStart_ = false;              // feedback may have supports elsewhere than bodies stand, as the run begins
  std::string startsAway_;                 // which, and how far
  bool caught_ = false;                    // observed_ holds strains of clamps that catch in the step at hand
  VectorX driven_;                         // explicit runs: acceleration_, and of what is driven that of its motion
  const Model* first_ = nullptr;           // whose step is taken again
  bool showsBalance_ = false;              // some probe is of the balance of energy
  bool alongOnly_ = false;                 // the last load step kept couples from acting across edges
  Strains strainsBefore_;                  // BDF2 and explicit damping
  double strainRate_ = 0;                  // of the last step, for the damping force in reactions
  VectorX balanced_;                       // what has no mass is in equilibrium there
  VectorX guess_, again_;                  // where a step's solve begins, and where it begins anew
  VectorX move_;                           // whose way contact looks at
  SharpBends sharpBends_;
  int unseen_ = 0;  // explicit steps, for which it looks at every eighth
  bool saidCrushed_ = false, saidDrawn_ = false, saidCrushedSheet_ = false, saidStretched_ = false,
       saidThroughHeld_ = false;
  double maxPenetration_ = 0;
  Drawing drawing_;
  std::vector<ProbePlan> plans_;  // per probe of the scene
  VectorX next_;                  // acceleration at the end of a Verlet step
  FrameState startFrames_;        // of a Verlet step, to go back to
  EnergyLedger ledger_;
  EnergyLedger::State ledgerBefore_;     // before the attempt; kept for its memory
  VectorX velocityAt_, accelerationAt_;  // where an implicit step is evaluated
  Strains strainsAfter_;                 // at the end of a step that is not accepted yet
  ObservedState observed_;
  ForceBalance balance_;
  bool observedFresh_ = false, balanceFresh_ = false;
  /// The accepted state, while lookAt() shows another one.
  struct Hidden {
    VectorX q, v, a;
    Strains strainsBefore;
    double strainRate = 0, dtBefore = 0;
  };
  std::unique_ptr<Hidden> hidden_;
};

}  // namespace tendril::rods_shells
