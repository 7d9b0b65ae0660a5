// Rods and shells as one mechanical system r = M a + f(q, v, t): elasticity, loads and supports put together for the
// one Newton.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include "rods_shells/actuation.h"
#include "rods_shells/loads.h"
#include "rods_shells/meetings.h"
#include "rods_shells/parts.h"
#include "rods_shells/supports.h"
#include "rods_shells/terms/contacts.h"
#include "rods_shells/terms/elasticity.h"
#include "rods_shells/terms/force_fields.h"
#include "rods_shells/terms/pair_contacts.h"
#include "solve/mechanical_system.h"
#include "solve/time_scheme.h"

namespace tendril::rods_shells {

/// Terms of the balance of forces at a state, unmasked, for probes. [N], [N m].
struct ForceBalance {
  VectorX elastic;   ///< gradient of the elastic (and viscous) energy
  VectorX residual;  ///< M a + elastic + damping - loads: at prescribed unknowns what the support exerts
};

class System final : public solve::MechanicalSystem {
 public:
  explicit System(const world::World& world);

  /// Sets time-dependent data for a step from t0 that ends at `end` and is evaluated at `at`; then puts prescribed
  /// values into the guess x (unknown of the evaluation point: `middle` means halfway between q and the end's values).
  void prepare(const scene::Instant& end, const scene::Instant& at, double t0, const VectorX& q, bool middle,
               VectorX& x);
  /// The state q is accepted: frames and reference twists move. Returns the largest turn of an edge [rad].
  double accept(const VectorX& q);
  /// From now on evaluate() is that of a step of dt [s] from displacements q by the midpoint rule that keeps elastic
  /// energy (Elasticity::beginStep), whose middle is about `middle`; with 0 it is evaluated where it is asked for.
  void keepEnergy(const VectorX& q, double dt, const VectorX& middle);
  /// A step from displacements q begins: normal damping counts from there.
  void beginContact(const VectorX& q);
  /// Undoes what a step that was not accepted has left; q: the accepted displacements.
  void goBack(const VectorX& q);
  /// Takes what friction lags (Contacts::lag) from displacements q.
  void lagFriction(const VectorX& q, Stand stand = Stand::evaluated);
  bool hasFriction() const;
  /// Stiffness and mass again after live parameters changed.
  void refresh();

  /// Parts that are nothing to each other, solved one after the other. Where one was entered, what follows is about it:
  /// vectors hold its unknowns, ascending, and no others are looked at or changed. Entering -1 leaves it; with one part
  /// alone there is nothing to enter.
  const solve::Partition& parts() const { return parts_.unknowns; }
  /// Bodies that may touch each other ("self") are parts of their own until they come near: a step begins at
  /// displacements q; and whether it brought parts together that ends there, which then are to be joined and the step
  /// to be taken again.
  void beginPaths(const VectorX& q);
  bool meets(const VectorX& q);
  /// What meets() found is one part from now on; the new part of each. Nothing may be entered or half done.
  std::vector<int> join();
  /// Those parts are one that are one in `other`, of the same structure; the new part of each.
  std::vector<int> joinAs(const System& other);
  void enter(int part);
  const PartElements& elements(int part) const { return parts_.elements[static_cast<std::size_t>(part)]; }

  int size() const override { return static_cast<int>(here().unitWeight.size()); }
  void retract(const VectorX& q0, const VectorX& dq, double factor, VectorX& q) const override { q = q0 + factor * dq; }
  solve::Evaluation evaluate(const solve::Motion& motion, const solve::Rates& rates, solve::Level level,
                             VectorX& r) override;
  solve::Factorization factor(double shift) override;
  void solve(const VectorX& rhs, VectorX& x) override;
  int pushes(const solve::Factorization& f) override;
  /// Whether the last tangent, which statics have evaluated with what is left of the forces r, does not resist some
  /// motion but pushes on it.
  bool givesWay(const VectorX& r);
  /// In which forces r would move the part's mass by its size, from rest [s]; 0: none, or no mass.
  double timeToMove(const VectorX& r) const;
  void forget() override;
  bool sharpen() override;
  bool approximate(const VectorX& rhs, double accuracy, VectorX& x) override;
  double residualNorm(const VectorX& r) const override;
  double worstBody(const VectorX& r, double tolerance) const override;
  double updateNorm(const VectorX& dq) const override;
  double extent() const override { return here().extent; }
  bool rebase(const VectorX& q) override;
  double longestStep(const VectorX& q, const VectorX& dq) override;
  bool relag(const solve::Motion& motion, const solve::Rates& rates, solve::Evaluation& out, VectorX& r) override;
  const VectorX& appliedForce() const override { return energyStep_ > 0 ? none_ : part_ < 0 ? edgeLoad_ : applied_; }
  double roundedEnergy(const VectorX& dx) const override;
  double pivotNoise() const override;
  int floatBalance(const VectorX& r) const override;
  std::string tooFine(double share) const override;

  /// Lets Newton move the chart inside a solve: statics only, in dynamics a state would depend on the iterates.
  bool mayRebase = false;
  /// Where it moved is kept (FrameState::path).
  bool keepsPath = false;
  /// Moves the chart as that of another system did.
  void followPath(const std::vector<std::pair<int, VectorX>>& path);

  /// Lets Newton lag friction anew after every update, so that the residual it ends with is the exact one.
  bool mayRelag = false;

  /// At rest a support that holds a twist angle exerts a couple along its edge and none across it. The potential of an
  /// angle that counts from where the step begins has one across too, as soon as the edge leaves that direction. Where
  /// this is set, that one is taken away, and what is held so has no potential.
  bool alongOnly = false;
  /// Size of these couples across edges in what was evaluated last at q, as forces on nodes [N]. 0: nothing is held so.
  double coupleAcross(const VectorX& q);
  /// Whether supports hold twist angles of edges with a free direction, on the part that was entered, with more than
  /// `least` [N m] in what was evaluated last.
  bool holdsTwist(double least) const;

  /// Minus the forces [N] of follower loads, moments, pressure and drag at q, v.
  const VectorX& edgeForces(const VectorX& q, const VectorX& v);
  /// One of them acts.
  bool forcesAct() const;
  /// Power [W] that drag on faces and in resistive media takes from the part that was entered at q, v, where it moves
  /// by the velocities `mean`. Whole vectors.
  double drained(const VectorX& q, const VectorX& v, const VectorX& mean) const;
  /// As Term::missedWork, of all terms on the part that was entered; whole vectors.
  double missedWork(const VectorX& q, const VectorX& move);
  /// Strains of what was caught in the step that is prepared, as it begins at the accepted displacements q, into `out`.
  void caughtStrains(const VectorX& q, Strains& out) {
    for (const int h : supports_->caught()) {
      elasticity_->caughtStrains(h, supports_->state().frames[static_cast<std::size_t>(h)], q, out);
    }
  }
  /// Forces [N] of the supports in a step evaluated at `at`, without what the mass takes that they hold, at what is
  /// prescribed; elsewhere `out` says nothing. False where the state is out of its chart.
  bool supportForces(const solve::Motion& at, const solve::Rates& rates, VectorX& out);
  Vec3 grabForce(const VectorX& q) const;                        ///< [N] of the pointer's spring
  double grabWork(const VectorX& q, const VectorX& move) const;  ///< its [J]
  /// The last prepare() changed which springs of clamps act, or what is prescribed.
  bool switched() const { return switched_; }

  /// At an accepted state. `solved`: in the chart of the step that led there, where its equations hold.
  void balance(const VectorX& q, const VectorX& v, const VectorX& a, double strainRate, bool solved, ForceBalance& out);
  /// Diagonal acceleration for explicit steps: (loads - f) / mass at a state; prescribed unknowns zero. False where an
  /// edge left its chart.
  bool acceleration(const VectorX& q, const VectorX& v, double strainRate, VectorX& a);
  /// Why it was false, in words for the user.
  const char* outside() const { return outside_; }
  /// Frequency [rad/s] that contact could give the lightest node: of 8 k, four contacts' worth of the steepest penalty.
  double contactFrequency() const;
  /// Largest eigenfrequency [rad/s] of the undamped system at q, contact aside, and largest damping rate [1/s], by
  /// power iteration.
  std::pair<double, double> spectrum(const VectorX& q);

  /// f(row, column, value, follows) for every entry of the last tangent, of the whole system, that couples free
  /// unknowns; entries of the same place add up. `follows`: of forces that may have no potential.
  template <class F>
  void forEachEntry(const F& f) const;

  const Structure& structure() const { return structure_; }
  const scene::Scene& scene() const { return scene_; }
  Elasticity& elasticity() { return *elasticity_; }
  const Elasticity& elasticity() const { return *elasticity_; }
  Loads& loads() { return *loads_; }
  const ForceFields& fields() const { return *fields_; }
  Contacts& contacts() { return *contacts_; }
  const Contacts& contacts() const { return *contacts_; }
  PairContacts& pairs() { return *pairs_; }
  const PairContacts& pairs() const { return *pairs_; }
  /// Adds to v the velocity [m/s], [rad/s] with which shells would follow natural hinge angles that change by `rates`
  /// [rad/s], per shell edge, at the initial displacements q, without stress, mass or loads in the way; without
  /// momentum where nothing holds them. All is prepared, nothing entered. Throws model::BuildError at `pointer`.
  void followHinges(const VectorX& q, const std::vector<double>& rates, const std::string& pointer, VectorX& v);
  /// Why a step from q0 to q1 must be taken in shorter ones, or empty: its straight way passes through something.
  std::string passedThrough(const VectorX& q0, const VectorX& q1);
  /// Why a step from q0 to q1 must not be accepted, or empty: something would be pressed through something.
  std::string pressedThrough(const VectorX& q0, const VectorX& q1);
  /// Deepest penetration at accepted displacements q [m].
  double penetration(const VectorX& q) const;
  /// What its future depends on beside q, the accepted displacements. Restored, it may have other parts.
  void visit(model::Archive& archive, const VectorX& q);
  Supports& supports() { return *supports_; }
  const Supports& supports() const { return *supports_; }
  /// What acts now has a potential (friction aside, which is lagged).
  /// Everywhere, or on the part that was entered.
  bool conservative() const;
  /// Something was in contact in the last evaluation.
  bool touches() const { return touches_; }
  const char* solverKind() const { return solver_->part(0).kind(); }

 private:
  void divide();
  std::vector<int> divideAgain(const std::vector<std::vector<int>>& before);
  void bind();
  Pattern wholePattern() const;
  void makeSolver();
  void clear(VectorX& whole) const;
  const PartElements& here() const { return part_ < 0 ? parts_.all : parts_.elements[part_]; }
  int solverPart() const;
  solve::Factorization factorAll(double shift);
  /// The whole vector that a part's is in, in `memory`; q itself where no part was entered.
  const VectorX& whole(const VectorX& q, VectorX& memory) const;
  solve::Evaluation evaluateElements(const solve::Motion& motion, const solve::Rates& rates, solve::Level level);
  void addDiagonal(const solve::Motion& motion, const solve::Rates& rates, solve::Level level, solve::Evaluation& out,
                   VectorX& r);
  void addForce(std::unique_ptr<Term> force);
  template <class T>
  T* addContact(std::unique_ptr<T> contact);
  bool feelsVelocity() const;
  bool feelsPlace() const;
  double sizeOfLoad(int unknown) const {
    const double sum = std::abs(edgeLoad_[unknown]);
    return loadSize_.size() > 0 ? std::max(sum, loadSize_[unknown]) : sum;
  }
  bool turnsAlongOnly() const { return alongOnly && holdsTwist(-1); }
  bool slopesBeside() const {
    return turnsAlongOnly() ||
           std::any_of(forces_.begin(), forces_.end(), [](const Term* force) { return force->slopesBeside(); });
  }
  double turning(int edge) const;
  void takeCouplesAcross(const VectorX& q, solve::PartedTangent* tangent);
  void addGrab(const VectorX& q, solve::Level level, solve::Evaluation& out, VectorX& r);
  double negligibleShift(const VectorX& r) const;
  void evenScale(int first);
  void measureBodies(const solve::Motion& motion, bool moving);
  bool isUntouched(const solve::Motion& motion, const solve::Rates& rates, const solve::Evaluation& out) const;
  bool isAsBuilt() const;
  void weighTranslations(const solve::Motion& motion, const solve::Rates& rates);

  const world::World& world_;
  const scene::Scene& scene_;
  Structure structure_;
  std::unique_ptr<Elasticity> elasticity_;
  std::unique_ptr<Loads> loads_;
  std::vector<std::unique_ptr<Term>> terms_;
  std::vector<Term*> forces_;               // of these: without a potential, or with one of their own
  std::vector<ContactTerm*> touching_;      // and of surfaces that touch
  Contacts* contacts_ = nullptr;            // with obstacles
  PairContacts* pairs_ = nullptr;           // of bodies with each other
  ForceFields* fields_ = nullptr;           // of forces_
  std::unique_ptr<Meetings> meetings_;      // null: bodies do not touch each other
  std::vector<std::array<int, 2>> met_;     // parts, by the last meets()
  std::vector<std::array<int, 2>> joined_;  // unknowns of what has met
  std::unique_ptr<Supports> supports_;
  std::map<int, elastic::EdgeStart> heldBefore_;  // frames that were caught since the last accepted step, as they were
  std::unique_ptr<Actuator> actuator_;
  std::unique_ptr<solve::PartedTangent> solver_;
  Parts parts_;
  int part_ = -1;          // entered, -1: none
  bool sharp_ = false;     // the tangent holds all of a step's remainders
  double energyStep_ = 0;  // its length [s] where evaluate() keeps energy
  const VectorX none_;
  std::vector<std::array<int, 2>>
      elasticPattern_;       // of the tangent without pairs in contact; empty where these are none
  VectorX gradient_;         // elastic, size + 1
  VectorX zero_, residual_;  // work space of explicit steps
  VectorX edgeLoad_;         // follower forces and moments, drag and pressure
  VectorX loadSize_;         // of these, the sizes of those that may cancel each other; empty: none did so far
  VectorX applied_;          // edgeLoad_ of a part
  std::vector<std::array<double, 5>>
      bodyForces_;                    // per body of the part: squares of inertia, elastic forces, drag, loads
  mutable std::vector<double> left_;  // and of the residual
  mutable VectorX q_, v_, q1_;        // whole vectors that a part's are in
  std::vector<int> diagonal_;         // offsets of the diagonal
  std::vector<int> nodeOf_;           // node of an unknown that is a node's first
  std::vector<double> pivotScale_;    // |diagonal| of the last tangent
  double unevenness_ = 1;             // a node's largest stiffness over its pivotScale_
  bool switched_ = false;
  double otherRoundOff_ = 0;    // of contact and fields, last evaluation [N]: each body is taken to have all of it
  const char* outside_ = "";    // of the last explicit evaluation
  bool touches_ = false;        // something is in contact, in the last evaluation
  VectorX inertia_;             // the tangent's part that resists translations; see weighTranslations
  Vec3 floats_ = Vec3::Zero();  // its sums along the axes; 0: not solved for apart
  VectorX arms_;                // per node of floating_: from the middle of them, three each
  double momentScale_ = 0;      // [N m] sum of the moments of all forces about it
  VectorX rest_;                // work space of solve
  std::vector<int> floating_;   // unknowns of the part's nodes, three each, in its own numbers
};

template <class F>
void System::forEachEntry(const F& f) const {
  const std::vector<char>& held = supports_->prescribed();
  const auto free = [&](int i) { return !held[static_cast<std::size_t>(i)]; };
  Pattern pattern = wholePattern();
  for (auto& [row, col] : pattern) {
    if (row > col) std::swap(row, col);
  }
  std::sort(pattern.begin(), pattern.end());
  pattern.erase(std::unique(pattern.begin(), pattern.end()), pattern.end());
  const std::span<double> values = solver_->values();
  for (const auto& [row, col] : pattern) {
    const int at = row == col ? -1 : solver_->offset(row, col);
    if (at < 0 || !free(row) || !free(col)) continue;
    f(row, col, values[static_cast<std::size_t>(at)], false), f(col, row, values[static_cast<std::size_t>(at)], false);
  }
  for (int i = 0; i < structure_.size; ++i) {
    if (free(i)) f(i, i, values[static_cast<std::size_t>(diagonal_[static_cast<std::size_t>(i)])], false);
  }
  for (int p = 0; p < parts_.unknowns.count(); ++p) {
    const std::vector<int>& mine = parts_.unknowns.unknowns[static_cast<std::size_t>(p)];
    solver_->part(p).blocks().forEach([&](int row, int col, double value) {
      f(mine[static_cast<std::size_t>(row)], mine[static_cast<std::size_t>(col)], value, true);
    });
  }
}

}  // namespace tendril::rods_shells
