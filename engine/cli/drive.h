// Runs a simulation to a given time and reports how that ended; a solver failure or an interrupt is an outcome here,
// not an error.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tendril/simulation.h"

namespace tendril::cli {

enum class Ending { done, gaveUp, stopped };

struct Outcome {
  Ending ending = Ending::done;
  std::string reason;  ///< why it gave up or stopped; empty when done
  long steps = 0, iterations = 0, retries = 0;
  std::vector<std::string> warnings;  ///< of the run, each once
  double wallSeconds = 0;
};

/// "done", "gave up" or "stopped".
const char* endingText(Ending ending);

/// Runs to the first accepted step at or past `until` [s] (within the tolerance of cli/ticks.h). `afterStep` is called
/// for the initial state and after every accepted step; false stops the run, for a reason known to the caller. Polls
/// cli/interrupt; the caller provides the guard. Exceptions of `afterStep` pass through.
Outcome drive(Simulation& simulation, double until, const std::string& label, const std::function<bool()>& afterStep);
/// The same where `step` takes one accepted step of the simulation.
Outcome drive(const Simulation& simulation, const std::function<Progress(const KeepGoing&)>& step, double until,
              const std::string& label, const std::function<bool()>& afterStep);

}  // namespace tendril::cli
