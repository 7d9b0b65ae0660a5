// The table of commands: what the program can do, what each command accepts, and names reserved for later.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"

namespace tendril::cli {

const std::vector<CommandSpec>& commands();
/// Names that are known but refused with "not yet".
const std::vector<std::string>& laterCommands();
/// What `tendril --help` prints.
std::string programHelp();

}  // namespace tendril::cli
