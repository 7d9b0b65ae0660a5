// Keeps the balance of energy of rods and shells: what a step does to the energies that are stored, against the work of all
// that acts on it. The work is that of the forces where the integrator takes them, so that the rest is the integrator's own.
#pragma once

#include <string>

#include "discrete/system.h"
#include "model/energy_balance.h"
#include "model/energy_watch.h"

namespace tendril {

class EnergyLedger {
 public:
  explicit EnergyLedger(DiscreteSystem& system);

  /// The run begins with the next step.
  void reset();
  /// Strains of every step are needed at its end.
  bool isActuated() const { return actuated_; }
  /// Live values are about to change what the state at displacements q and velocities v stores: before and after.
  void beforeChange(const VectorX& q, const VectorX& v);
  void afterChange(const VectorX& q, const VectorX& v);

  /// A step begins at the accepted displacements q and velocities v, whose loads and supports are still prepared.
  /// `smooth`: forces go on as they were. `eachStep`: the energies are measured at the end of every step; otherwise where they are asked for alone.
  void open(const VectorX& q, const VectorX& v, bool eachStep, bool smooth);
  /// Those of the step are prepared, for its middle or its end: what stored energies differ by is work.
  /// `switched`: what acts, or is prescribed, is not what it was in the step before.
  void begin(const VectorX& q, const VectorX& v, bool middle, bool switched);
  /// A step of dt [s] that moved everything by `move`, from velocities v0 and strains s0 to v1, s1.
  struct Way {
    const VectorX& move;
    double dt;
    const VectorX &v0, &v1;
    const Strains &s0, &s1;
  };
  /// What acted in it, evaluated at `at`.
  void act(const Motion& at, const Rates& rates, const Way& way);
  /// Its end as the step had it prepared; with strains s1.
  void close(const VectorX& q, const VectorX& v, const Strains& s1);
  /// What is prepared there now differs from that of close(): that is work.
  void finish(const VectorX& q, const VectorX& v);
  /// Whether the step must be taken in shorter ones.
  bool refuses() const { return watch_.refuses(gain(), end_.total() + least_); }
  void accept();
  /// A warning where the accepted step, which ends at t [s], gained too much and is the `shortest` to be tried; once in a
  /// run. Else empty.
  std::string warning(double t, bool shortest);

  /// Of the accepted state at displacements q and velocities v.
  EnergyBalance balance(const VectorX& q, const VectorX& v, const Strains& strains);

  struct Stored {
    double bodies = 0;   ///< [J] kinetic and elastic
    double contact = 0;  ///< [J]
    double total() const { return bodies + contact; }
  };
  struct State {
    EnergyBalance sum;
    EnergyWatch::State watch;
    double first = 0, lifted = 0;
    Stored stored;
    WorkDone rate;
    bool open = false, known = false, saidGain = false;
  };
  State state() const;
  void setState(const State& s);

 private:
  Stored stored(const VectorX& q, const VectorX& v, const Strains& strains);
  /// Energy [J] that is little in this scene: the watch lets gains of a part of it be, where nothing moves or touches to
  /// speak of. A millionth of what gravity could do, a tenth of what a contact stores that just touches, and what the
  /// last three digits of places could store, and move in a step of dt [s].
  double little(double dt) const;
  void addSupports(const Motion& at, const Rates& rates, const Way& way, WorkDone& atEnd);
  void addAtEnd(const WorkDone& done, double dt);
  void changeGravity(const VectorX& q, double share);
  void changeMass(const VectorX& q);
  /// What the step as it was solved made out of nothing [J]: schemes that are evaluated at its end take loads of the end
  /// and change natural strains before they move anything, which is not the mean that counts as work.
  double gain() const { return step_.numerical - atOnce_; }

  DiscreteSystem& system_;
  bool actuated_ = false;  // natural strains or clamps' frames may change in a step
  bool loaded_ = false;    // masses may
  bool open_ = false, eachStep_ = true, saidGain_ = false;
  bool middle_ = false;    // the step is evaluated in its middle
  bool averaged_ = false;  // the work of actuation is that of both ends
  double first_ = 0;       // stored when the run began [J]
  Stored stored_;          // at the accepted state, as its loads and obstacles were
  Stored end_;             // at the step's end
  double least_ = 0;       // little() of the step
  double dt_ = 0;          // of the step [s]
  const Strains* start_ = nullptr;  // at its beginning
  double touch_ = 0;       // its energy against obstacles as they were in the middle
  WorkDone rate_, rateNow_;  // power [W] of supports, obstacles, edge loads and drag, in the last step and this
  bool known_ = false;       // that of the last step is known
  double jump_ = 0;        // work of actuation before anything moves [J]
  double atOnce_ = 0;      // work of loads and actuation as the step takes them, beyond the mean over it [J]
  double raised_ = 0;      // what gravity's energy gains in the step [J]
  double lifted_ = 0;      // and gained since the run began
  Vec3 gravity_ = Vec3::Zero();  // before the step
  Vec3 heaviness_ = Vec3::Zero();  // mass times place, as it was prepared before [kg m]
  Naturals before_;              // of the accepted state
  EnergyBalance sum_, step_;
  EnergyWatch watch_;
  Strains strains_;
  VectorX residual_, thrust_, thrustBefore_;
};

}  // namespace tendril
