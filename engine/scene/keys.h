// One truth for the scene format: every key with type, unit, default, range and documentation. The structure check, the
// JSON Schema, the editor's completion and the reference page are printed from it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/document.h"

namespace tendril {

/// Checks a resolved tree against the table: unknown keys (nearest known one named), wrong types, missing keys, numbers
/// out of range, unknown choices, exactly-one-of groups, and what is reserved ("not yet").
void checkStructure(const Document& document, const Value& root, Problems& problems);

/// Default of a key as a number, e.g. defaultNumber("solver.dt"); the loader takes its defaults from here.
double defaultNumber(std::string_view path);

/// The JSON Schema (2020-12), indented by two, with a final newline.
std::string keysSchema();
/// The reference page, in Markdown.
std::string keysReference();

}  // namespace tendril
