// Values of a run at given times, and their slopes by parameters where the run has them.
#pragma once

#include <functional>
#include <span>

#include "fit/runs.h"
#include "tendril/simulation.h"

namespace tendril::fit {

/// Takes `run` by steps to the last of the request's times; slopes(p): of its columns by parameter p of `parameters`,
/// at the last accepted state. What `step` throws passes through.
RunSamples sampled(const RunRequest& request, const Simulation& run, const std::function<Progress()>& step,
                   std::size_t parameters = 0, const std::function<std::span<const double>(std::size_t)>& slopes = {});

/// Those of `run`, or why there are none: it gives up, its scene is not valid, or a probe is not finite.
RunSamples samplesOrReason(const std::function<RunSamples()>& run);

}  // namespace tendril::fit
