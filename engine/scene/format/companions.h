// Which keys need one of several others beside them, and what to write instead of a key that stands beside the wrong
// one. Internal to engine/scene/keys*.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/document.h"

namespace tendril::scene {

/// Of these keys at least one is needed where `trigger` stands.
struct Demand {
  const char *object, *trigger;
  std::vector<const char*> oneOf;
};
const std::vector<Demand>& demands();

/// What to write instead of `key` beside what `value` holds, as the end of a message; "" where "goes only with" says
/// all.
std::string insteadOf(std::string_view object, std::string_view key, const text::Value& value);

/// What to write instead of a key that `object` does not have but others of its kind do, as the end of a message; or "".
std::string adviceOn(std::string_view object, std::string_view key);

}  // namespace tendril::scene
