// A linkage as a model: steps by the scene's integrator, static solves, closed loops kept closed, probes, drawing, save.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>

#include "model/stepped_model.h"
#include "scene/reducer.h"
#include "scene/switches.h"
#include "solve/newton.h"
#include "solve/time_scheme.h"
#include "links/drives.h"
#include "links/energy_account.h"
#include "links/forces/pointer_spring.h"
#include "links/structure.h"
#include "links/work_ledger.h"
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

  const model::Drawing& drawing() const override { return drawing_; }
  void snapshot(model::Snapshot& out) override;
  void observe(int probe, std::span<double> columns) override;
  bool energyBalance(model::EnergyBalance& out) override;
  Vec3 meanPosition(int probe, bool second) override;
  void bodies(std::vector<model::BodyState>& out) override;
  void grab(int point) override;
  void release() override;
  void refresh() override;
  void visit(model::Archive& archive) override;

  System& system() { return *system_; }
  const Structure& structure() const { return *structure_; }
  const solve::History& history() const { return history_; }

 private:
  bool openStep(const model::StepRequest& request, model::StepReport& report) override;
  bool prepareStep(const model::StepInstants& step, const model::StepRequest& request, model::StepReport& report) override;
  solve::NewtonReport solveStep(const model::StepInstants& step, const model::StepRequest& request, const model::Continue& keepGoing) override;
  void explainFailure(const solve::NewtonReport& newton, model::StepReport& report) override;
  bool reachEnd(const model::StepInstants& step, const model::StepRequest& request, model::StepReport& report) override;
  bool gainsEnergy(const model::StepInstants& step, const model::StepRequest& request) override;
  void acceptStep(const model::StepInstants& step, const model::StepRequest& request, bool gains, model::StepReport& report) override;

  void build();
  void standAtAccepted();
  template <class Attempt>
  model::StepReport attemptOnce(const Attempt& tried);
  model::StepReport loadStep(const model::SettleRequest& request, const model::Continue& keepGoing);
  void setInitial();
  void closeLoops();
  bool assemble(VectorX& q) const { return assemble(q, system_->held); }
  bool assemble(VectorX& q, const std::vector<char>& held) const;
  std::vector<int> screws() const;
  void turnScrews(VectorX& q) const;
  bool assembleFromZero(VectorX& q, std::string& doubt) const;
  std::vector<int> independentRows(const VectorX& q) const;
  std::vector<int> lastingRows(const VectorX& q, const std::vector<char>& staying, bool& singular) const;
  // Which way closed chains go.
  struct Grip {
    double firm = 0, bend = 0;  ///< smallest singular value of the rows' gradient, and how fast that changes at most
    int row = 0;                ///< that is the nearest to say nothing new
    Eigen::MatrixXd gradient;   ///< in units of the chain's size
    bool holds(double way) const;
  };
  static bool staysBetween(const Grip& a, const Grip& b, double way);
  enum class Side { kept, unsure, changed };
  struct LoopPart {
    std::vector<int> steps;
    int coordinates = 0;
  };
  /// A link between two ball joints.
  struct Spin {
    int ball = 0, end = 0;  ///< steps: of the first joint, and to the place of the second
    bool child = false;     ///< the second is one of the chain, not a loop's
  };
  void findLoopParts();
  void findSpins();
  VectorX unspun(const VectorX& from, VectorX q) const;
  double wayBetween(const VectorX& a, const VectorX& b) const;
  Grip gripAt(const VectorX& q, const std::vector<char>& held, const std::vector<int>& rows) const;
  std::vector<int> allRows() const;
  Side sideBetween(const VectorX& a, const VectorX& to, VectorX& at) const;
  Side sideBetween(const VectorX& a, const Grip& atA, const VectorX& b, const Grip& atB, const std::vector<int>& rows, int& left,
                   VectorX& at) const;
  struct SideReach {
    double reach = 0, gone = 0;  ///< of a way that surely keeps the side [rad, or of the size]
  };
  Side sideOfStep(const VectorX& to, SideReach& next, VectorX& at) const;
  bool keepsSide(double t, SideReach& next, model::StepReport& report);
  std::string changeInWords() const;
  std::string jamInWords(const VectorX& q, const VectorX& motion) const;
  std::string jamOfStep(const model::StepRequest& request);
  std::string loopInWords(const ClosureRow& row) const;
  std::string inWords(const scene::LinkLoop& loop) const;
  bool loopsAreDriven() const;
  bool lead(VectorX& q, const std::vector<char>& held, const std::vector<int>& rows, std::string& doubt) const;
  bool leapOver(VectorX& q, const VectorX& from, const VectorX& motion, double& done, const std::vector<char>& held) const;
  std::string doubtInWords(const VectorX& q, const VectorX& motion, const std::vector<int>& rows) const;
  void projectVelocity();
  void refuseLoose();
  void tellOverlaps();
  void tellSoftness();
  std::string looseJoint();
  std::string openLoop(const VectorX& q);
  std::string openRedundant(const VectorX& q);
  /// One static solve: what acts, at rest.
  struct Settling {
    scene::Instant instant;
    solve::Kinematics still;
    solve::NewtonSettings settings;
    model::StepReport& report;
    VectorX from;       // closed: where the way of the loops begins
    std::string doubt;  // which side they took
    std::string jam;    // why they cannot be led to what is driven
    bool locked;        // by no way at all: nothing else is free
  };
  Eigen::MatrixXd idleAt(const VectorX& q) const;
  void restIdle(const VectorX& x);
  void releaseIdle();
  bool idleBears(const VectorX& x) const;
  VectorX idleMotion() const;
  enum class Found { nothing, unstable, doubtful, sure };
  enum class Way { step, loadStep, damped };  ///< how a state was reached
  solve::NewtonReport solveFrom(Settling& s, const solve::NewtonSettings& settings, VectorX& x);
  void loadBy(Settling& s, double factor, VectorX& x);
  double unbalance(Settling& s, double factor, VectorX x);
  Stability stabilityAt(VectorX x, VectorX* motion = nullptr);
  Found findFrom(Settling& s, VectorX& x, std::string& reason);
  VectorX evenWeights() const;
  bool settleDamped(Settling& s, VectorX& x);
  bool pushOff(VectorX& x, bool& leans);
  bool comesToRest(Settling& s, VectorX& x);
  bool follow(Settling& s, double done, double to, VectorX& x, std::string& reason);
  void tellDamped(model::StepReport& report, const std::string& at, const std::string& reason);
  bool findEquilibrium(Settling& s, double to, VectorX& x, Way& way);
  bool settleUnloaded(Settling& s, VectorX& x);
  bool findAtRest(Settling& s, double to, VectorX& x, Way& way);
  std::string drivenFar(double& most) const;
  std::string turnedFar(const VectorX& from, const VectorX& to) const;
  std::string leavesSide(Settling& s, const VectorX& x);
  void tellStability(Settling& s);
  bool between(const VectorX& from, const VectorX& to);
  std::string looseIn(const Eigen::MatrixXd& tangent) const;
  std::string outOfScale(const VectorX& q) const;
  std::string crushed(const VectorX& q) const;
  std::string whatMoves(const VectorX& motion) const;

  double contactOf(const scene::Probe& probe);
  void observeAt(const scene::Probe& probe, const scene::LinkRef& ref, scene::Reducer& out);
  void accelerateAtEnd(double dt, VectorX& next, VectorX& momentum);
  /// By what scheme a step goes.
  struct Course {
    solve::ImplicitScheme wanted, scheme;  ///< of the scene; of this step
    double rho = 1;
    bool impact = false;   ///< something comes upon an obstacle faster than steps resolve
    bool jolted = false;   ///< velocities jump within it
    bool renewed = false;  ///< drives had kinks before it, which have passed on all that they had
    bool middle() const { return scheme == solve::ImplicitScheme::midpoint; }
  };
  Course courseOf(bool impact) const;
  void startAfresh(const model::StepRequest& request);
  void adviseShorter(const model::StepRequest& request, model::StepReport& report);
  model::StepReport explicitStep(const model::StepRequest& request, const model::Continue& keepGoing);
  void prepare(const scene::Instant& end, const scene::Instant& at, double t0);
  void startAcceleration(const model::StepRequest& request, VectorX* multipliers = nullptr);
  void hold(const scene::Instant& at, Drives::Side side, double width, VectorX& x, solve::Kinematics& k);
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
  std::string refusal(const VectorX& q, Way way = Way::step);
  void sayPassed(model::StepReport& report);
  void sayWhirled(model::StepReport& report, double dt);
  std::string tooFast(const VectorX& q, Way way) const;
  EnergyAccount::Entry entry(double dt, System::Energies& end);
  double power() const;
  double little(double dt) const;
  void tellGain(double t, double gain, model::StepReport& report);
  bool balanceLoops();
  void openLedger();
  bool touches(const VectorX& q);
  void beginLedger(double dt, WorkLedger::Rule rule, bool smooth, bool secondOrder);
  void weigh(const solve::Rates& rates);
  void keepMomentum();
  void startMomentum(VectorX& momentum);
  void flyWith(const VectorX& momentum);
  void pushBefore(VectorX& push, const VectorX& remembered) const;
  void rememberPush(const VectorX& push, const VectorX& auxiliary);
  void accept(const scene::Instant& end, double dt);
  void recenter();
  solve::NewtonSettings settings(const model::Continue& keepGoing) const;

  const std::vector<ChainFrame>& frames();  ///< at the accepted state
  void balance();                           ///< efforts at the accepted state
  /// Whole strain at a place of a soft link; stretch is 0 at rest.
  geometry::Vec6 strainAt(const scene::LinkRef& ref) const;
  VectorX jointCoordinates(const BuiltLink& link) const;
  double energyOf(scene::EnergyKind kind);
  const System::Energies& energies();  ///< at the accepted state
  double energyOfRests() const;
  void draw();

  const scene::Linkage& own_;
  scene::Switches switches_;  // of what acts on it
  std::unique_ptr<Structure> structure_;
  std::unique_ptr<System> system_;
  std::unique_ptr<Contact> contact_;
  std::unique_ptr<Fluid> fluid_;
  PointerSpring pointer_;
  Drives drives_;
  solve::Newton newton_;
  struct Kept {
    VectorX q, v, a, auxiliary, acceleration, push, auxiliaryPush;
    double dtBefore = 0, unit = 1;
    bool have = false, pushKnown = false;
  };
  Kept kept_;  // of history_ and what goes with it, while a step is tried
  VectorX move_;
  // Of the implicit step at hand
  Course course_;
  VectorX pushed_;                      // what acts on flight where it is balanced [N]
  EnergyAccount::Entry entry_;
  model::EnergyBalance balanceBefore_;  // where the step is judged by it
  SideReach nextReach_;
  VectorX push_, auxiliaryPush_;   // what acts on flight, and what generalized-alpha's auxiliary accelerations are of it [N]
  bool pushKnown_ = false;
  EnergyAccount account_;
  std::unique_ptr<WorkLedger> ledger_;
  int saidDamped_ = 0;             // how often statics went on by damped motion
  bool saidGain_ = false;          // that the integrator made energy
  bool saidPassed_ = false;        // that an obstacle passed between two points of a link
  bool saidWhirled_ = false;       // that a drive turns a joint too far in a step
  bool saidDoubt_ = false;         // that loops came where they could go on in two ways
  bool refused_ = false;           // its last attempt at a step
  double triedAt_ = -1;            // start of the last attempt at a step [s]
  double kinetic_ = 0;             // of the accepted state [J]
  Vec3 weight_ = Vec3::Zero();     // and its mass times place [kg m]
  Vec3 pull_ = Vec3::Zero();       // and gravity [m/s^2]
  bool storesFresh_ = false;       // all three are
  std::vector<DrivenValue> driven_;
  std::vector<DrivenKink> kinks_;  // within the step at hand
  std::vector<DrivenEnd> ends_;    // of what has them
  double ask_ = 0;                 // after which the step should rather end, at a kink [s]; 0: nowhere
  std::vector<DrivenLeap> leaps_;  // at its start, which history_ does not take
  bool impact_ = false;            // history_ has taken them
  bool passedOn_ = false;          // and nothing is left of them
  VectorX impactMomentum_;         // in flight: what acts by the motion would have given more, had it always gone as after them
  WorkLedger::State keptLedger_;   // while a step is tried that changes it before it is taken
  bool ledgerKept_ = false;
  std::vector<int> rows_;          // closing rows that are kept
  std::vector<LoopPart> loopParts_;  // of each loop
  std::vector<Spin> spins_;
  std::vector<char> inLoops_;      // coordinates that open or close one
  bool loopsBend_ = false;         // strains are among them
  SideReach sideReach_;                    // that loops keep their side
  std::vector<model::Remark> remarks_;
  struct Cuts {
    long taken = 0, shortTaken = 0, cut = 0, iterations = 0;
    double covered = 0, shortCovered = 0;  // by the steps taken, and by those of less than half dt [s]
    bool said = false;
  };
  Cuts cuts_;  // among the attempts at a step since the start, or since parameters changed
  double barrier_ = std::numeric_limits<double>::infinity();  // load factor beyond which no equilibrium was found
  std::string barrierReason_;
  bool jammed_ = false;  // loops are what is in the way there
  bool framesFresh_ = false, balanceFresh_ = false, energiesFresh_ = false;
  System::Energies energies_;  // while energiesFresh_
  double maxPenetration_ = 0;
  model::Drawing drawing_;
  struct DrawnPoint {
    scene::LinkRef ref;
    int division = 0;   // of a soft link
    double s = 0;       // arc length in it [m]
    double radius = 0;  // [m]
  };
  std::vector<DrawnPoint> drawn_;
  struct DrawnState {
    PlaceState state;
    double curvature = 0, strain = 0, energy = 0;
  };
  DrawnState drawnState(const DrawnPoint& point);
  void drawLink(const BuiltLink& built, const scene::Link& link, model::Drawing& drawing);
  void drawLoad(const scene::Load& load, model::Drawing& drawing);
};

}  // namespace tendril::links
