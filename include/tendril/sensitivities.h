// A run with the derivatives of all that its probes measure by parameters of its scene: forward, step by step, beside
// the run itself. docs/sensitivities.md says how, to how many digits, and what is told instead.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tendril/simulation.h"

namespace tendril {

class Sensitivities {
 public:
  /// The scene at t = 0, with these parameters `set`, and the names of those to differentiate by. `scales`: for those
  /// of them that are 0 and have no range, a change that is large for them, in the parameter's unit. Throws BadScene,
  /// GaveUp as the constructor of Simulation does, and std::invalid_argument for what has no derivative: an unknown
  /// parameter, one that is a formula of others, a choice of a menu, a count, or what the solver's steps depend on.
  Sensitivities(std::string_view sceneText, const std::map<std::string, double>& set,
                const std::vector<std::string>& with, const std::map<std::string, double>& scales = {});
  ~Sensitivities();
  Sensitivities(Sensitivities&&) noexcept;
  Sensitivities& operator=(Sensitivities&&) noexcept;

  /// One step of the run, as Simulation::step, and of its derivatives. Throws GaveUp, also where the derivatives cannot
  /// follow; after that the run still stands where it came to, but step() throws again.
  Progress step(const KeepGoing& keepGoing = {});

  /// The run itself, to read: its steps are those of a Simulation without derivatives, bit for bit.
  const Simulation& run() const;
  const std::vector<std::string>& with() const;
  /// d(column)/d(parameter) at the last accepted state, in the order of Simulation::columns(), then states: in the
  /// column's unit over the parameter's. `parameter` counts with(). Valid until the next step.
  std::span<const double> slopes(std::size_t parameter) const;
  /// What of the run so far makes derivatives doubtful, in words: a step that was cut, a kink that the run passes where
  /// one side does what the other does not, growth beyond what differences can follow. As seen from the whole run until
  /// now: what was much against the little that there was as it began may be nothing later on.
  std::vector<std::string> doubts() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tendril
