// A linkage as a model: steps by the scene's integrator, static solves, closed loops kept closed, probes, drawing,
// save.
#pragma once

#include <algorithm>
#include <memory>

#include "links/energy_account.h"
#include "links/loops/loops.h"
#include "links/state.h"
#include "links/statics/load_step.h"
#include "links/step_warnings.h"
#include "links/view/viewer.h"
#include "links/words.h"
#include "links/work_ledger.h"
#include "model/stepped_model.h"
#include "scene/switches.h"
#include "solve/newton.h"
#include "solve/time_scheme.h"
#include "world/world.h"

namespace tendril::links {

class Model final : public model::SteppedModel {
 public:
  /// Of the scene's linkage of this number. The world must outlive the model; the `values` of its scene may
  /// change, followed by refresh(). Throws model::BuildError where the linkage cannot be assembled.
  explicit Model(const world::World& world, int linkage = 0);

  void begin(const double* columns) override;
  model::StepReport step(const model::StepRequest& request, const model::Continue& keepGoing) override;
  model::StepReport settle(const model::SettleRequest& request, const model::Continue& keepGoing) override;
  double stableStep() override;

  int degreesOfFreedom() const override { return system_->size(); }
  double maxPenetration() const override { return maxPenetration_; }
  std::vector<model::Remark> remarks() const override { return remarks_; }

  const Drawing& drawing() const override { return viewer_.drawing(); }
  void snapshot(Snapshot& out) override { viewer_.snapshot(out); }
  void observe(int probe, std::span<double> columns) override;
  bool energyBalance(model::WatchedBalance& out) override;
  Vec3 meanPosition(int probe, bool second) override;
  void seenByLoad(int load, std::vector<double>& out) const override;
  void bodies(std::vector<BodyState>& out) override { viewer_.bodies(out); }
  void grab(int point) override { viewer_.grab(point, pointer_); }
  void release() override { pointer_.active = false; }
  void equations(model::Equations& out) override;
  bool unbalanced(const VectorX& accelerations, VectorX& out) override;
  void lookAt(const model::Nearby* state) override;
  void displace(const model::Nearby& state) override;
  void standAt(const VectorX& values, const VectorX& rates) override;
  bool placeMotion(const scene::Place& place, model::PlaceMotion& out) override;

  void refresh() override;
  void visit(model::Archive& archive) override;

  System& system() { return *system_; }
  const Structure& structure() const { return *structure_; }
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

  void build();
  void standAtAccepted() { state_.stand(), loops_.reach = {}; }
  template <class Attempt>
  model::StepReport attemptOnce(const Attempt& tried);
  model::StepReport loadStep(const model::SettleRequest& request, const model::Continue& keepGoing);
  void startFromRest();
  void findEfforts(const VectorX& q, const VectorX& v, const VectorX& a);
  void acceptExplicit(const scene::Instant& end, double dt, bool verlet, const VectorX& next,
                      model::StepReport& report);
  void accelerateAtEnd(double dt, VectorX& next, VectorX& momentum);
  /// By what scheme a step goes.
  struct Course {
    solve::ImplicitScheme wanted = solve::ImplicitScheme::euler, scheme = wanted;  ///< of the scene; of this step
    double rho = 1;
    bool impact = false;   ///< something comes upon an obstacle faster than steps resolve
    bool jolted = false;   ///< velocities jump within it
    bool renewed = false;  ///< drives had kinks before it, which have passed on all that they had
    bool middle() const { return scheme == solve::ImplicitScheme::midpoint; }
  };
  Course courseOf(bool impact) const;
  void startAfresh(const model::StepRequest& request);
  model::StepReport explicitStep(const model::StepRequest& request, const model::Continue& keepGoing);
  void prepare(const scene::Instant& end, const scene::Instant& at, double t0) { state_.prepare(end, at, t0); }
  void startAcceleration(const model::StepRequest& request, VectorX* multipliers = nullptr);
  void hold(const scene::Instant& at, Drives::Side side, double width, VectorX& x, solve::Kinematics& k) {
    state_.prescribe(at, side, width, x, k);
  }
  void holdAtStart();
  void countFromStart();
  void holdAtEnd(const scene::Instant& end, double dt, VectorX& x, solve::Kinematics& k);
  void driveBehindKinks(double dt);
  void findKinks(const scene::Instant& end, const model::StepRequest& request, bool remembers);
  double firstInside(double dt) const;
  void applyImpact(double time);
  void leap();
  VectorX leapt() const;
  void keepLedger();
  VectorX flown(const Vec3& way) const;
  void keepGuessOutside();
  bool standStill(const scene::Instant& at, double dt);
  std::string refusal(const VectorX& q, Advance advance = Advance::step);
  EnergyAccount::Entry entry(double dt, System::Energies& end);
  double power() const;
  double little(double dt) const;
  void tellGain(double t, double gain, model::StepReport& report);
  bool balanceLoops();
  void openLedger();
  bool touches(const VectorX& q);
  void beginLedger(double dt, WorkLedger::Rule rule, bool smooth, bool secondOrder);
  void weigh(const solve::Rates& rates) { state_.weigh(rates); }
  void keepMomentum();
  void startMomentum(VectorX& momentum);
  void flyWith(const VectorX& momentum);
  void pushBefore(VectorX& push, const VectorX& remembered) const;
  void rememberPush(const VectorX& push, const VectorX& auxiliary);
  void accept(const scene::Instant& end, double dt);
  void recenter();
  solve::NewtonSettings settings(const model::Continue& keepGoing) const;

  const std::vector<ChainFrame>& frames() { return state_.frames(); }  ///< at the accepted state
  void balance();                                                      ///< efforts at the accepted state
  std::vector<int> freeCoordinates() const;
  VectorX restAcceleration(VectorX& q);
  VectorX drivenAcceleration();

  State state_;
  // Of it, by the names that steps use:
  const scene::Linkage& own_ = state_.own;
  std::unique_ptr<Structure>& structure_ = state_.structure;
  std::unique_ptr<System>& system_ = state_.system;
  std::unique_ptr<Contact>& contact_ = state_.contact;
  std::unique_ptr<Fluid>& fluid_ = state_.fluid;
  PointerSpring& pointer_ = state_.pointer;
  Drives& drives_ = state_.drives;
  std::vector<DrivenValue>& driven_ = state_.prescribed;
  bool &framesFresh_ = state_.framesFresh, &balanceFresh_ = state_.balanceFresh, &energiesFresh_ = state_.energiesFresh;

  Loops loops_;
  Viewer viewer_{state_};
  StepWarnings warnings_{state_};
  scene::Switches switches_;  // of what acts on it
  solve::Newton newton_;
  Statics statics_{state_, loops_, newton_};
  struct Kept {
    VectorX q, v, a, auxiliary, acceleration, push, auxiliaryPush;
    double dtBefore = 0, unit = 1;
    bool have = false, pushKnown = false;
  };
  Kept kept_;  // of history_ and what goes with it, while a step is tried
  VectorX move_;
  // Of the implicit step at hand
  Course course_;
  VectorX pushed_;  // what acts on flight where it is balanced [N]
  EnergyAccount::Entry entry_;
  model::WatchedBalance balanceBefore_;  // where the step is judged by it
  Loops::SideReach nextReach_;
  VectorX push_,
      auxiliaryPush_;  // what acts on flight, and what generalized-alpha's auxiliary accelerations are of it [N]
  bool pushKnown_ = false;
  EnergyAccount account_;
  std::unique_ptr<WorkLedger> ledger_;
  bool saidGain_ = false;          // that the integrator made energy
  bool refused_ = false;           // its last attempt at a step
  double triedAt_ = -1;            // start of the last attempt at a step [s]
  double kinetic_ = 0;             // of the accepted state [J]
  Vec3 weight_ = Vec3::Zero();     // and its mass times place [kg m]
  Vec3 pull_ = Vec3::Zero();       // and gravity [m/s^2]
  bool storesFresh_ = false;       // all three are
  std::vector<DrivenKink> kinks_;  // within the step at hand
  std::vector<DrivenEnd> ends_;    // of what has them
  double ask_ = 0;                 // after which the step should rather end, at a kink [s]; 0: nowhere
  std::vector<DrivenLeap> leaps_;  // at its start, which history_ does not take
  bool impact_ = false;            // history_ has taken them
  bool passedOn_ = false;          // and nothing is left of them
  VectorX
      impactMomentum_;  // in flight: what acts by the motion would have given more, had it always gone as after them
  WorkLedger::State keptLedger_;  // while a step is tried that changes it before it is taken
  bool ledgerKept_ = false;
  std::vector<model::Remark> remarks_;
  double maxPenetration_ = 0;
  /// The accepted state, while lookAt() shows another one.
  struct Hidden {
    VectorX q, v, a;
    bool have = false;
  };
  std::unique_ptr<Hidden> hidden_;
  void showInputs(const VectorX& inputs);
};

}  // namespace tendril::links
