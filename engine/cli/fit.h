// `tendril fit`: parameters of a scene from measurements.
#pragma once

#include "cli/arguments.h"

namespace tendril::cli {

int fitCommand(const Arguments& arguments);

}  // namespace tendril::cli
