// The public interface: load a scene, step it, probe it, check it, save and restore it. Promised to strangers.
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
#include <variant>
#include <vector>

#include "tendril/body_state.h"
#include "tendril/drawing.h"
#include "tendril/energy_balance.h"
#include "tendril/problem.h"

namespace tendril::scene {
struct Scene;
}

namespace tendril {

/// Version of the engine, "0.1.0".
const char* version();

/// What steps cost since the call began.
struct Progress {
  double time = 0;                    ///< [s] current time
  long steps = 0;                     ///< accepted
  long iterations = 0;                ///< Newton iterations, rejected steps included
  long retries = 0;                   ///< steps that had to be cut
  std::vector<std::string> warnings;  ///< new ones, each reported once
};

/// The solver or a formula gave up: the state is that of the last accepted step. Exit code 3.
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

/// A scene that cannot load, with its problems. Exit code 2. Thrown by functions that promise no value instead.
class BadScene : public std::runtime_error {
 public:
  explicit BadScene(text::Problems list);
  text::Problems problems;
};

/// Asked once per Newton iteration, and once per explicit step; false stops the work and leaves the state of the last
/// accepted step.
using KeepGoing = std::function<bool()>;

struct ParameterInfo {
  std::string name, label, unit;
  double value = 0;
  bool hasRange = false, logarithmic = false, live = false, derived = false;
  double min = 0, max = 0, step = 0;  ///< step 0: continuous
  std::vector<std::pair<std::string, double>> choices;
};

struct CheckResult {
  int index = -1;  ///< among the scene's checks
  std::string title;
  bool passed = false;
  double at = 0;  ///< [s] when it was decided
  double points = 1;
  std::string reason;                    ///< why it failed where its value is not a number; else empty
  std::map<std::string, double> values;  ///< every probe column in its formula, at that time
};

class Simulation {
 public:
  /// Builds the scene's models at t = 0. Throws BadScene.
  explicit Simulation(std::string_view sceneText, const std::map<std::string, double>& overrides = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  const scene::Scene& scene() const;
  const std::vector<text::Problem>& sceneWarnings() const;  ///< what `validate` warns about

  /// One accepted step of the scene's dt (shorter only where it did not converge, or to land on the end of the scene's
  /// duration). Static scenes: one load step. Throws GaveUp; returns early where keepGoing said no.
  Progress step(const KeepGoing& keepGoing = {});
  /// Steps until `seconds` have passed (landing there only at the duration's end). Same errors as step().
  Progress advance(double seconds, const KeepGoing& keepGoing = {});

  double time() const;      ///< [s]; static: load factor times duration
  double duration() const;  ///< [s]
  /// Another end for a dynamic run [s], not before time(); the scene's checks at its end are decided there. It stays
  /// through reset() and set() and goes into save().
  void setDuration(double seconds);
  double stepSize() const;  ///< [s] the dt that the user asked for, no longer than the run
  bool finished() const;    ///< time() has reached duration()
  bool isStatic() const;
  int degreesOfFreedom() const;   ///< unknowns of the assembled system, prescribed ones included
  double maxPenetration() const;  ///< [m], 0 without contact
  /// Work, losses and the integrator's own error since the run began [J]; none in statics, and of scenes with vines.
  std::optional<model::EnergyBalance> energyBalance() const;

  /// Flat column names ("tip.x"), and their values at the last accepted state.
  const std::vector<std::string>& columns() const;
  std::span<const double> values() const;
  /// Interpolates between the values of one state and of the next, `weight` 0..1: linear, and rotation vectors
  /// (`jointAngle` of planar, spherical and free joints) and quaternions (`pose`) along the shorter arc. In the order
  /// of columns(); the values of states may follow.
  std::vector<double> between(const std::vector<double>& from, const std::vector<double>& to, double weight) const;
  /// Values of the scene's `states`, in scene order, and their names.
  std::vector<std::pair<std::string, double>> states() const;

  std::vector<ParameterInfo> parameters() const;
  /// Sets a parameter. Returns true if it acted at once, false if the run had to restart at t = 0. Throws BadScene for
  /// an unknown name or a value that makes the scene invalid (the simulation is then unchanged).
  bool set(const std::string& name, double value);
  /// Back to t = 0 with the current parameters.
  void reset();

  const model::Drawing& drawing() const;
  const model::Snapshot& snapshot();  ///< of the last accepted state; valid until the next call
  using BodyState = model::BodyState;
  /// Accepted state of every body for result files: rods, shells, linkages.
  std::vector<BodyState> bodies() const;

  /// Everything that the future depends on. A restored run continues bit for bit.
  std::vector<std::byte> save() const;
  /// Throws std::runtime_error if the bytes are not a save of this scene (the simulation is then unchanged).
  void restore(std::span<const std::byte> bytes);

  /// Pulls a drawn point toward a position by a spring (an implicit one, through the same Newton) until released.
  void grab(int point, double x, double y, double z);
  void release();

  /// Checks of this run, as far as they are decided at the current time. Complete once finished().
  std::vector<CheckResult> checks() const;
  int decidedChecks() const;  ///< number of them
  /// Indices of the checks that this run decides: those without "with", and those whose "with" its overrides satisfy.
  std::vector<int> ownChecks() const;
  /// Number of checks that ask for parameters of their own ("with"); run those with checkRuns().
  struct CheckRun {
    std::map<std::string, double> with;
    std::vector<int> indices;  ///< of scene checks
  };
  std::vector<CheckRun> checkRuns() const;  ///< grouped: the main run first (empty `with`), if it has checks

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tendril
