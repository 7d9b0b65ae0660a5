// Steps a simulation to a time and says how that ended; a give-up or an interrupt is an outcome here, not an error.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "simulation/simulation.h"

namespace tendril::cli {

enum class Ending { done, gaveUp, stopped };

struct Outcome {
  Ending ending = Ending::done;
  std::string reason;  ///< why it gave up or stopped; empty when done
  long steps = 0, iterations = 0, retries = 0;
  std::vector<std::string> warnings;  ///< of the run, each said once
  double wallSeconds = 0;
};

/// "done", "gave up" or "stopped".
const char* endingText(Ending ending);

/// Runs to the first accepted step at or past `until` [s] (cli/ticks.h says how near is there). `afterStep` is called
/// for the state that stands at the beginning and after every accepted step; false ends the run, stopped, for a reason
/// that the caller knows. Asks cli/interrupt; what guards the run is the caller's. What `afterStep` throws passes
/// through.
Outcome drive(Simulation& simulation, double until, const std::string& label, const std::function<bool()>& afterStep);

}  // namespace tendril::cli
