// The commands that load or print but do not run: `validate`, `expand`, `import`, `schema`, `version`.
#pragma once

#include "cli/arguments.h"

namespace tendril::cli {

int validateCommand(const Arguments& arguments);
int expandCommand(const Arguments& arguments);
int importCommand(const Arguments& arguments);
int schemaCommand(const Arguments& arguments);
int versionCommand(const Arguments& arguments);

}  // namespace tendril::cli
