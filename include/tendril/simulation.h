// The engine's one door: load a scene, step it, probe it, check it, save and restore it.
//
// SI units, angles in radians, z up. Functions say what they throw; std::bad_alloc may come from any of them. The
// engine prints nothing, reads no clock and no file, and keeps no state outside of its objects: a Simulation is for one
// thread at a time, const functions included, while different ones may run in different threads.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tendril/body_state.h"
#include "tendril/drawing.h"
#include "tendril/energy_balance.h"
#include "tendril/problem.h"
#include "tendril/version.h"

namespace tendril {

/// What steps cost since the call began.
struct Progress {
  double time = 0;                    ///< [s] current time
  long steps = 0;                     ///< accepted
  long iterations = 0;                ///< Newton iterations, rejected steps included
  long retries = 0;                   ///< steps that had to be cut
  std::vector<std::string> warnings;  ///< new ones, each reported once
};

/// The solver or a formula gave up; what() says why and what to try. The simulation is in its last accepted state.
class GaveUp : public std::runtime_error {
 public:
  explicit GaveUp(const std::string& reason, Progress spentBefore = {}, std::string warning = {})
      : std::runtime_error(reason),
        spent(std::move(spentBefore)),
        iterations(spent.iterations),
        retries(spent.retries),
        repeats(std::move(warning)) {}
  Progress spent;       ///< of the call that gave up, the step that failed included
  long iterations;      ///< Newton iterations of the call that gave up
  long retries;         ///< how often it cut a step
  std::string repeats;  ///< the warning of this run, of a cut step, that gave the same reason; empty: none
};

/// A scene that cannot load. what() is the first problem's message.
class BadScene : public std::runtime_error {
 public:
  explicit BadScene(Problems list);
  Problems problems;
};

/// Asked once per Newton iteration, and once per explicit step; false stops the work and leaves the state of the last
/// accepted step.
using KeepGoing = std::function<bool()>;

/// A parameter of the scene, for a slider or a menu.
struct ParameterInfo {
  std::string name, label, unit;                        ///< label and unit may be empty
  double value = 0;                                     ///< current one, in `unit`
  bool hasRange = false;                                ///< min and max are given
  bool logarithmic = false;                             ///< of a slider
  bool live = false;                                    ///< acts while the run goes on; a change of others restarts it
  bool derived = false;                                 ///< a formula of others: it cannot be set
  double min = 0, max = 0;                              ///< in `unit`
  double step = 0;                                      ///< in `unit`; 0: continuous
  std::vector<std::pair<std::string, double>> choices;  ///< of a menu: label and value
};

/// A check of the scene that is decided.
struct CheckResult {
  int index = -1;  ///< among the scene's checks, from 0
  std::string title;
  bool passed = false;
  double at = 0;  ///< [s] when it was decided
  double points = 1;
  std::string reason;                    ///< why it failed where its value is not a number; else empty
  std::map<std::string, double> values;  ///< every probe column in its formula, at that time
};

/// A run of a scene. It may be moved, not copied; a moved-from one may only be assigned to or destroyed.
class Simulation {
 public:
  /// Loads the scene's JSON text (UTF-8) and builds its models at t = 0, with these parameters set (name, value).
  /// Throws BadScene, and GaveUp where a formula has no value or no equilibrium to start from is found.
  explicit Simulation(std::string_view sceneText, const std::map<std::string, double>& overrides = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  const std::string& title() const;        ///< may be empty
  const std::string& description() const;  ///< Markdown; may be empty
  const Problems& sceneWarnings() const;   ///< what `tendril validate` warns about

  /// One accepted step of the scene's dt (shorter only where it did not converge, or to land on the end of the scene's
  /// duration). Static scenes: one load step. Nothing once finished(). Throws GaveUp; returns early where keepGoing
  /// said no.
  Progress step(const KeepGoing& keepGoing = {});
  /// Steps until `seconds` have passed (landing there only at the duration's end). Same errors as step(), and
  /// std::invalid_argument for NaN.
  Progress advance(double seconds, const KeepGoing& keepGoing = {});

  double time() const;      ///< [s]; static: load factor times duration
  double duration() const;  ///< [s]
  /// Another end for a dynamic run [s], not before time(); the scene's checks at its end are decided there. It stays
  /// through reset() and set() and goes into save(). Throws std::invalid_argument for a static scene, an earlier
  /// time or one that is not finite.
  void setDuration(double seconds);
  double stepSize() const;  ///< [s] the dt that the user asked for, no longer than the run
  bool finished() const;    ///< time() has reached duration()
  bool isStatic() const;
  int degreesOfFreedom() const;   ///< unknowns of the assembled system, prescribed ones included
  double maxPenetration() const;  ///< [m], 0 without contact
  /// Work, losses and the integrator's own error since the run began; none in statics, and of scenes with vines.
  std::optional<EnergyBalance> energyBalance() const;

  /// Flat names of what the scene's probes measure ("tip.x").
  const std::vector<std::string>& columns() const;
  /// Their values in the last accepted state, in the order of columns(); valid until the next non-const call.
  std::span<const double> values() const;
  /// Interpolates between the values of one state and of the next, `weight` 0..1: linear, and rotation vectors
  /// (`jointAngle` of planar, spherical and free joints) and quaternions (`pose`) along the shorter arc. In the order
  /// of columns(); the values of states may follow.
  std::vector<double> between(const std::vector<double>& from, const std::vector<double>& to, double weight) const;
  /// Names and values of the scene's `states`, in scene order.
  std::vector<std::pair<std::string, double>> states() const;

  std::vector<ParameterInfo> parameters() const;
  /// Sets a parameter. Returns true if it acted at once, false if the run had to restart at t = 0. Throws BadScene for
  /// an unknown name or a value that makes the scene invalid, and GaveUp as the constructor does (the simulation is
  /// then unchanged).
  bool set(const std::string& name, double value);
  /// Back to t = 0 with the current parameters.
  void reset();

  const Drawing& drawing() const;  ///< valid as long as the run: until set() returns false, reset() or restore()
  const Snapshot& snapshot();      ///< of the last accepted state; valid until the next non-const call
  /// State of every body for result files: rods, shells, linkages, vines.
  std::vector<BodyState> bodies() const;

  /// Everything that the future depends on, for the same version of the engine. A restored run continues bit for bit.
  std::vector<std::byte> save() const;
  /// Throws std::runtime_error if the bytes are not a save of this scene (the simulation is then unchanged).
  void restore(std::span<const std::byte> bytes);

  /// Pulls a drawn point (its number in the Drawing) toward a position [m] by a spring (an implicit one, through the
  /// same Newton) until released. Throws std::invalid_argument where the drawing has no such point and for a position
  /// that is not finite (the simulation is then unchanged).
  void grab(int point, double x, double y, double z);
  void release();

  /// Checks of this run, as far as they are decided at the current time. Complete once finished().
  std::vector<CheckResult> checks() const;
  int decidedChecks() const;  ///< number of them
  /// Indices of the checks that this run decides: those without "with", and those whose "with" its overrides satisfy.
  std::vector<int> ownChecks() const;
  /// Checks that share parameters of their own ("with"): a simulation with these overrides decides them.
  struct CheckRun {
    std::map<std::string, double> with;
    std::vector<int> indices;  ///< of scene checks
  };
  std::vector<CheckRun> checkRuns() const;  ///< grouped: the main run first (empty `with`), if it has checks

 private:
  friend struct Inside;  // the engine's own program and module see the typed scene
  struct Impl;
  explicit Simulation(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tendril
