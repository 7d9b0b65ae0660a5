// The loop around Simulation::step with the clock, the progress bar and interrupts, of which the engine knows nothing.
#include "cli/drive.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "cli/interrupt.h"
#include "cli/numbers.h"
#include "cli/progress.h"
#include "cli/scene_input.h"
#include "cli/ticks.h"
#include "text/words.h"

namespace tendril::cli {

const char* endingText(Ending ending) {
  switch (ending) {
    case Ending::done:
      return "done";
    case Ending::gaveUp:
      return "gave up";
    case Ending::stopped:
      break;
  }
  return "stopped";
}

namespace {

/// One accepted step. False if the run must end; the outcome has the reason.
bool stepOnce(const Simulation& simulation, const std::function<Progress(const KeepGoing&)>& step, Outcome& outcome,
              const std::string& label, ProgressBar& bar) {
  const double before = simulation.time();
  Progress progress;
  try {
    long tried = 0;
    progress = step([&] {
      bar.show(before, outcome.steps, ++tried);
      return !InterruptGuard::interrupted();
    });
  } catch (const GaveUp& error) {
    outcome.ending = Ending::gaveUp;
    outcome.reason = error.what();
    progress = error.spent;
  }
  outcome.steps += progress.steps;
  outcome.iterations += progress.iterations;
  outcome.retries += progress.retries;
  for (const std::string& warning : progress.warnings) {
    bar.erase();
    std::fprintf(stderr, "%s\n", printable(label + ": warning: " + warning).c_str());
    outcome.warnings.push_back(warning);
  }
  if (!progress.warnings.empty()) bar.show(simulation.time(), outcome.steps);
  if (outcome.ending == Ending::gaveUp) return false;
  if (!(simulation.time() > before)) {
    if (InterruptGuard::interrupted()) return false;
    throw std::logic_error("a step was accepted that took no time, at t = " + humanNumber(before) + " s");
  }
  return true;
}

}  // namespace

Outcome drive(Simulation& simulation, double until, const std::string& label, const std::function<bool()>& afterStep) {
  const auto step = [&simulation](const KeepGoing& keepGoing) { return simulation.step(keepGoing); };
  return drive(simulation, step, until, label, afterStep);
}

Outcome drive(const Simulation& simulation, const std::function<Progress(const KeepGoing&)>& step, double until,
              const std::string& label, const std::function<bool()>& afterStep) {
  using Clock = std::chrono::steady_clock;
  Outcome outcome;
  const Clock::time_point begun = Clock::now();
  {
    ProgressBar bar(label, simulation.time(), until);
    bool goOn = afterStep();
    bar.show(simulation.time(), 0);  // the first solve may be long
    const double reached = until - reachedWithin * std::min(simulation.stepSize(), until - simulation.time());
    while (goOn && simulation.time() < reached && !InterruptGuard::interrupted()) {
      if (!stepOnce(simulation, step, outcome, label, bar)) break;
      goOn = afterStep();
      bar.show(simulation.time(), outcome.steps);
    }
    if (!goOn && outcome.ending == Ending::done) outcome.ending = Ending::stopped;
    if (outcome.ending == Ending::done && InterruptGuard::interrupted() && simulation.time() < reached) {
      outcome.ending = Ending::stopped;
      outcome.reason = "interrupted at t = " + humanNumber(simulation.time()) + " s";
    }
  }
  outcome.wallSeconds = std::chrono::duration<double>(Clock::now() - begun).count();
  return outcome;
}

}  // namespace tendril::cli
