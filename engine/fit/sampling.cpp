#include "fit/sampling.h"

#include "simulation/sampling.h"
#include "tendril/simulation.h"
#include "text/words.h"

namespace tendril::fit {

RunSamples sampled(const RunRequest& request, const Simulation& run, const std::function<Progress()>& step,
                   std::size_t parameters, const std::function<std::span<const double>(std::size_t)>& slopes) {
  Sampler sampler(run, request.times, {request.columns.begin(), request.columns.end()}, parameters, slopes);
  RunSamples out;
  while (!sampler.complete() && out.gaveUp.empty()) {
    if (run.finished()) {
      out.gaveUp = "the run ends at " + text::formatNumber(run.time()) + " s, before the data at " +
                   text::formatNumber(sampler.nextTime()) + " s";
      break;
    }
    const double before = run.time();
    step();
    if (run.time() > before)
      sampler.take();
    else
      out.gaveUp = "stopped";
  }
  static_cast<Samples&>(out) = sampler.samples();
  return out;
}

RunSamples samplesOrReason(const std::function<RunSamples()>& run) {
  RunSamples none;
  try {
    RunSamples out = run();
    if (out.gaveUp.empty() && !out.values.allFinite()) out.gaveUp = "a probe is not finite";
    return out;
  } catch (const GaveUp& error) {
    none.gaveUp = error.what();
  } catch (const BadScene& error) {
    none.gaveUp = error.what();
  }
  return none;
}

}  // namespace tendril::fit
