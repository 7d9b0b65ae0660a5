// `tendril run`: one scene from its start, or from a saved state, to its end, and its result files.
#pragma once

#include "cli/arguments.h"

namespace tendril::cli {

int runCommand(const Arguments& arguments);

}  // namespace tendril::cli
