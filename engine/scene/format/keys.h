// The single source of the scene format: every key with type, unit, default, range and documentation. The structure
// check, the JSON Schema, the editor's completion and the reference page are generated from it.
// A key's path here omits the names in maps and the indices in lists: "rods.section.circle.radius", "loads.force",
// "solver.adaptive.min", "constraints.rotation.angle", "solver.with.force".
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "formula/formula.h"
#include "text/document.h"

namespace tendril::scene {

/// Checks a resolved tree against the table: unknown keys (with the nearest known one), wrong types, missing keys,
/// numbers out of range, unknown choices, exactly-one-of groups, and reserved keys ("not yet"). Literal numbers are
/// checked against their ranges here; the value of a formula is checked where it is evaluated (rangeOf, rangeMessage).
void checkStructure(const text::Document& document, const text::Value& root, Problems& problems);

/// Checks the sections and keys of `defaults` and the types of their values; groups and missing keys are checked in the
/// objects that they fill.
void checkDefaults(const text::Document& document, const text::Value& defaults, Problems& problems);

/// Range of the numbers at a path (the same for every component of a vector). Null only for an unknown path, which is a
/// programming error.
const formula::NumberRange* rangeOf(std::string_view path);
/// "youngs must be greater than 0 Pa, but it is -3": the message for a value that is outside rangeOf(path) or not
/// finite.
std::string rangeMessage(std::string_view path, double value);
/// The number, limited in a run to the range of the key at `path` ("vines.stall").
formula::Number limitedToRange(const formula::Number& number, const std::string& path);

/// What a formula at a path may see. `columns` is set together with `timed`: the loader clears it in static runs.
formula::Sight sightOf(std::string_view path);

/// Default of a key as a number, e.g. defaultNumber("solver.dt"), for the loader. A key without a numeric default gives
/// NaN. ("solver.duration" gives the dynamic one; static runs last 1.)
double defaultNumber(std::string_view path);

/// The keys of the top-level map or list `section` ("rods"), in the table's order; empty if it holds no objects.
std::vector<std::string> keysOf(std::string_view section);

/// Whether a default for `key` may fill the object `item` of `section`: it has neither the key nor another one of the
/// same exactly-one-of group, and has the keys that it goes with (`reduce` is not for energy probes).
bool defaultFits(std::string_view section, const text::Value& item, std::string_view key);

/// True for a valid name of a body, parameter, probe, state, series or material: [A-Za-z_][A-Za-z0-9_]*.
bool isName(std::string_view text);
/// True for t s u x y z i n, which formulas reserve.
bool isReservedName(std::string_view text);

/// The JSON Schema (2020-12), indented by two, with a final newline.
std::string keysSchema();
/// The reference page, in Markdown.
std::string keysReference();

}  // namespace tendril::scene
