// `tendril gradient`: how probes depend on parameters.
#pragma once

#include "cli/arguments.h"

namespace tendril::cli {

int gradientCommand(const Arguments& arguments);

}  // namespace tendril::cli
