// Keeps the balance of energy of rods and shells: what a step does to the energies that are stored, against the work of
// all that acts on it. The work is that of the forces where the integrator takes them, so that the rest is the
// integrator's own. Each part that shares nothing with others (Parts) has an account of its own, and is watched by it,
// seen from a frame that flies along (WatchFrame): what the integrator made and what is in play is what it is there.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "model/energy_watch.h"
#include "model/watch_frame.h"
#include "model/watched_balance.h"
#include "rods_shells/terms/system.h"

namespace tendril::rods_shells {

class EnergyLedger {
 public:
  explicit EnergyLedger(System& system);

  /// The run begins with the next step.
  void reset();
  /// The system is divided otherwise, and the run begins with the next step.
  void divide();
  /// Parts have become one: now[i] is what was part i. So do their accounts.
  void join(const std::vector<int>& now);
  /// Strains of every step are needed at its end.
  bool isActuated() const { return actuated_; }
  /// Live values are about to change what the state at displacements q and velocities v stores: before and after.
  void beforeChange(const VectorX& q, const VectorX& v);
  void afterChange(const VectorX& q, const VectorX& v);

  /// A step begins at the accepted displacements q and velocities v, whose loads and supports are still prepared.
  /// How a part begins a step: its forces are those of the step before; or not known to be; or some begin or cease to
  /// act.
  enum Afresh : char { goesOn = 0, starts = 1, switches = 2 };
  /// `afresh`: per part of the system. `eachStep`: the energies are measured at the
  /// end of every step; otherwise where they are asked for alone.
  void open(const VectorX& q, const VectorX& v, bool eachStep, const std::vector<char>& afresh);
  /// Those of the step are prepared, for its middle or its end: what stored energies differ by is work.
  /// `switched`: what acts, or is prescribed, is not what it was in the step before.
  void begin(const VectorX& q, const VectorX& v, bool middle, bool switched);
  /// A step of dt [s] that moved everything by `move`, from velocities v0 and strains s0 to v1, s1.
  struct Way {
    const VectorX& move;
    double dt;
    const VectorX &v0, &v1;
    const Strains &s0, &s1;
    bool secondOrder;  ///< forces are those of their time to second order, so that the mean of both ends counts
    const solve::Rates* fresh =
        nullptr;  ///< of parts that start again while others go on to second order; null where there are none
  };
  /// What acted in it, evaluated at `at`.
  void act(const solve::Motion& at, const solve::Rates& rates, const Way& way);
  /// Its end as the step had it prepared; with strains s1.
  void close(const VectorX& q, const VectorX& v, const Strains& s1);
  /// What is prepared there now differs from that of close(): that is work.
  void finish(const VectorX& q, const VectorX& v);
  /// Whether the step must be taken in shorter ones; each(part of the system) that wants that.
  template <class F>
  bool refuses(F each) const {
    bool any = false;
    for (std::size_t i = 0; i < accounts_.size(); ++i) {
      if (!model::EnergyWatch(kept_.parts[i].watch).refuses(accounts_[i].gain(), accounts_[i].sizeOfStep())) continue;
      any = true;
      each(accounts_[i].part);
    }
    return any;
  }
  void accept();
  /// A warning where a part gained too much in the accepted step, which ends at t [s] and is the `shortest` to be
  /// tried; once in a run. Else empty.
  std::string warning(double t, bool shortest);

  /// Of the accepted state at displacements q and velocities v: of all, and of each part into `parts` where it is
  /// given.
  model::WatchedBalance balance(const VectorX& q, const VectorX& v, const Strains& strains,
                                std::vector<model::PartBalance>* parts = nullptr);

  struct Stored {
    double bodies = 0;   ///< [J] kinetic and elastic
    double contact = 0;  ///< [J]
    double total() const { return bodies + contact; }
  };
  /// Of a part, from step to step.
  struct Kept {
    model::WatchedBalance sum;
    model::EnergyWatch::State watch;
    double first = 0;           ///< stored when the run began [J]
    double lifted = 0;          ///< what gravity's energy gained since then [J]
    Stored stored;              ///< at the accepted state, as its loads and obstacles were
    model::WorkDone rate;       ///< power [W] of supports, obstacles, edge loads and drag, in the last step
    Vec3 force = Vec3::Zero();  ///< their sum [N] in it, where the frame moves
    double drain = 0;           ///< power [W] that drag takes at its end; NaN where none acted, or to first order
    model::WatchFrame frame;
    double mass = 0;  ///< [kg]
    std::vector<Vec3>
        pushes;          ///< force [N] of each obstacle at the end of the last step; NaN where nobody asked for it
    bool known = false;  ///< these are those with which the next step begins

    Kept& operator+=(const Kept& other);
  };
  struct State {
    std::vector<Kept> parts;
    VectorX support;             ///< forces at supports at the end of the last step; NaN where none moved
    VectorX bodyLoads;           ///< minus those of what acts on edges, faces and nodes, there
    double peak = 0, given = 0;  ///< of all together, as in EnergyBalance
    bool open = false, saidGain = false;
  };
  /// Of the frame [m/s] from which a part of the system is seen: what goes with it as a whole does nothing.
  Vec3 velocityOf(int part) const;
  const State& state() const { return kept_; }
  void setState(const State& s) { kept_ = s; }
  void visit(model::Archive& archive);

 private:
  /// A part in the step at hand.
  struct Account {
    int part = 0;  // of the system
    model::WatchedBalance step;
    Stored end;                           // at its end
    model::WorkDone rate;                 // as Kept::rate, in this step
    Vec3 force = Vec3::Zero();            // as Kept::force
    double drain = 0;                     // as Kept::drain
    model::WatchFrame base;               // as Kept::frame
    model::WatchFrame frame;              // where what touches takes it along in this step
    double mass = 0;                      // as Kept::mass
    double flightBefore = 0, flight = 0;  // kinetic energy [J] of the base's motion alone, at the step's start and end
    double touched = 0;                   // in play in this step alone, for who stands where what touches does [J]
    double aside = 0;                     // what the integrator made in it is more there [J]
    bool flies = false;                   // one of these frames moves
    bool driven = false;                  // so do supports, which are driven, or seen to be
    std::vector<Vec3> pushes;             // as Kept::pushes, in this step
    double least = 0;                     // little() of it
    double touch = 0;                     // its energy against obstacles as they were in the middle
    double elastic = 0;                   // energy at its end [J], where actuation's work is averaged
    double jump = 0;                      // work of actuation before anything moves [J]
    double atOnce = 0;              // work of loads and actuation as the step takes them, beyond the mean over it [J]
    double raised = 0;              // what gravity's energy gains [J]
    Vec3 heaviness = Vec3::Zero();  // mass times place, as it was prepared before [kg m]
    double kinetic = 0;             // with the masses of the accepted state [J]
    Afresh afresh = goesOn;
    bool averaged = false;  // the work of actuation is that of both ends

    /// What the step as it was solved made out of nothing [J]: schemes that are evaluated at its end take loads of the
    /// end and change natural strains before they move anything, which is not the mean that counts as work.
    double gain() const { return step.numerical + aside - atOnce; }
    double inPlay() const { return end.total() - flight; }
    double size() const { return inPlay() + least; }
    double sizeOfStep() const { return std::max(inPlay(), touched) + least; }
  };
  /// f(account, what is kept of it, elements) with the system entered at the part.
  template <class F>
  void forEachPart(F f);
  void findAccounts();
  const std::vector<int>& unknownsOf(const Account& a) const {
    return system_.parts().unknowns[static_cast<std::size_t>(a.part)];
  }
  double along(const Account& a, const VectorX& force, const VectorX& move) const;
  double kinetic(const Account& a, const VectorX& v) const;
  Stored stored(const Account& a, const VectorX& q, const VectorX& v, const Strains& strains);
  double massOf(const PartElements& elements) const;
  double flight(const model::WatchFrame& frame, const PartElements& elements, const VectorX& v) const;
  double flightDigits(const model::WatchFrame& frame, double mass) const {
    return 0.5 * digits * mass * frame.velocity.squaredNorm();
  }
  model::WatchFrame frameAtStart(const PartElements& elements, const Way& way) const;
  void look(Account& a, const Kept& kept, const PartElements& elements, const solve::Motion& at, const Way& way) const;
  /// Energy [J] that is little for a part: the watch lets gains of a share of it be, where nothing moves or touches to
  /// speak of. A millionth of what gravity could do, a tenth of what a contact stores that just touches, and what the
  /// last three digits of places could store, and move in a step of dt [s].
  double little(const PartElements& elements, double dt) const;
  double reach() const;  // of contact, where it is looked at [m]
  bool drives(const std::vector<int>& unknowns, const VectorX& move, bool all) const;
  /// What forces from outside did, and the momentum that they gave.
  struct Push {
    double work = 0;              // [J]
    Vec3 impulse = Vec3::Zero();  // [N s], where the frame moves
    /// The same work, as it is seen from there.
    double from(const model::WatchFrame& frame) const { return work - frame.velocity.dot(impulse); }
    Push& operator+=(const Push& p) { return work += p.work, impulse += p.impulse, *this; }
  };
  void measureSupports(const solve::Motion& at, const solve::Rates& rates, const Way& way);
  void addLoads(Account& a, const Way& way, double pushed, double mean, const Vec3& medium);
  void balanceMomentum(Account& a, const PartElements& elements, const Way& way, const Vec3& impulse, bool whole,
                       const Vec3& medium);
  /// Over the step [m/s^2].
  Vec3 meanGravity() const {
    return middle_ ? system_.loads().gravity() : Vec3(0.5 * (gravity_ + system_.loads().gravity()));
  }
  Vec3 total(const PartElements& elements, const VectorX& force) const;
  Vec3 gained(const PartElements& elements, const Way& way) const;
  Push supports(Account& a, const Kept& kept, const PartElements& elements, const Way& way);
  Push obstacles(Account& a, const Kept& kept, const solve::Motion& at, const Way& way, model::WorkDone& done);
  Push bodyLoads(Account& a, const Kept& kept, const PartElements& elements, const solve::Motion& at, const Way& way,
                 model::WorkDone& done);
  Push mean(Account& a, const Push& byEnd, const Push& byMean);
  void addAtEnd(Account& a, const Kept& kept, const Push& push, double dissipated, double dt);
  void changeGravity(Account& a, const VectorX& q, double share);
  void followGravity();
  void changeMass(Account& a, const VectorX& q);
  void averageActuation(const VectorX& q, const Strains& s1);

  static constexpr double digits = 1e3 * std::numeric_limits<double>::epsilon();  // the last three

  System& system_;
  std::vector<Account> accounts_;
  State kept_;             // a part for each account
  bool actuated_ = false;  // natural strains or clamps' frames may change in a step
  bool loaded_ = false;    // masses may
  bool eachStep_ = true;
  bool middle_ = false;             // the step is evaluated in its middle
  double dt_ = 0;                   // of the step [s]
  const Strains* start_ = nullptr;  // at its beginning
  Vec3 gravity_ = Vec3::Zero();     // before the step
  Vec3 medium_ = Vec3::Zero();      // its velocity, then [m/s]
  Naturals before_;                 // of the accepted state
  Strains strains_;
  VectorX support_, fresh_, bodyLoads_, thrust_, thrustBefore_, mean_;
};

}  // namespace tendril::rods_shells
