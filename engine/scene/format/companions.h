// Which keys need one of several others beside them, and what to write instead of a key that is beside the wrong one.
// Internal to engine/scene/format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/document.h"

namespace tendril::scene {

/// At least one of these keys is required beside `trigger`.
struct Demand {
  const char *object, *trigger;
  std::vector<const char*> oneOf;
};
const std::vector<Demand>& demands();

/// What to write instead of `key` beside the contents of `value`, as the end of a message; "" where "goes only with" is
/// enough.
std::string insteadOf(std::string_view object, std::string_view key, const text::Value& value);

/// What to write instead of a key that `object` lacks but others of its kind have, as the end of a message; or "".
std::string adviceOn(std::string_view object, std::string_view key);

}  // namespace tendril::scene
