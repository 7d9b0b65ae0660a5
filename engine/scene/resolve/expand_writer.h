// Prints a resolved scene tree as JSON. Internal to engine/scene; used by `expand` and the importer.
#pragma once

#include <string>
#include <string_view>

#include "text/document.h"

namespace tendril::scene {

/// JSON text indented by two, short lists on one line, numbers in the shortest form that reads back the same. Repeat
/// names in formulas are replaced by their values. Ends with a newline.
std::string writeJson(const text::Value& root);

/// A JSON string in quotes.
std::string quoteJson(std::string_view text);

/// The formula with every repeat name replaced by its value: "=0.1*k" with k = 3 is "=0.1*3".
std::string substituteBindings(std::string_view formula, const text::Bindings& bindings);

}  // namespace tendril::scene
