// `tendril linearize`, `tendril modes` and `tendril buckle`: the equations of a scene about one of its states.
#pragma once

#include "cli/arguments.h"

namespace tendril::cli {

int linearizeCommand(const Arguments& arguments);
int modesCommand(const Arguments& arguments);
int buckleCommand(const Arguments& arguments);

}  // namespace tendril::cli
