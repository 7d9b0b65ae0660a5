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

/// What makes a derivative doubtful.
struct Doubt {
  enum class Kind {
    cut,    ///< a step was cut: with other parameters it might be cut elsewhere
    kink,   ///< one side does what the other does not: the slope is the mean of both
    growth  ///< a motion that runs away: no slope says where it goes
  };
  Kind kind = Kind::cut;
  std::string column;     ///< the worst one; empty for cuts
  std::string parameter;  ///< empty for cuts
  double time = 0;        ///< [s] cuts: end of the first such step; kinks: where both sides differ most; growth: now
  double upward = 0, downward = 0;  ///< of kinks: the slopes to either side, in the column's unit over the parameter's
  std::string words;
};

class Sensitivities {
 public:
  /// The scene at t = 0, with these parameters `set`, and the names of those to differentiate by. `scales`: changes
  /// that are large for some of these, in their units, as the width of a range is; needed where a value is 0 and has no
  /// range. Throws BadScene,
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
  /// What of the run so far makes derivatives doubtful: the first cut, and of each parameter the worst kink and the
  /// worst growth. As seen from the whole run until now: what was much against the little that there was as it began
  /// may be nothing later on.
  std::vector<Doubt> findings() const;
  std::vector<std::string> doubts() const;  ///< the same in words

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tendril
