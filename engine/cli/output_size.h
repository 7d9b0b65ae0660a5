// Size of a run's output: more than a million rows or frames are refused, with their size, unless confirmed by --yes.
#pragma once

#include "cli/result_folder.h"

namespace tendril::cli {

/// `until` [s] is the end of the run. Throws UsageError.
void refuseHugeOutput(const ResultOptions& options, const Simulation& simulation, double until);

}  // namespace tendril::cli
