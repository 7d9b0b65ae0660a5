// How much a run would write: outputs beyond a million rows or frames are refused with their size, unless asked for
// twice.
#pragma once

#include "cli/result_folder.h"

namespace tendril::cli {

/// `until` [s] is where the run will end. Throws UsageError.
void refuseHugeOutput(const ResultOptions& options, const Simulation& simulation, double until);

}  // namespace tendril::cli
