// Numbers and names in messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tendril::text {

/// Appended to the last listed message where there are more problems than are listed.
inline constexpr const char* andMoreProblems = " (and more problems)";

/// The shortest decimal text that reads back as the same number ("0.1", "2e+10"); "nan" or "inf" if not finite.
std::string formatNumber(double value);

/// The candidate with the smallest edit distance to `name`, or "" if none is close.
std::string nearestName(std::string_view name, const std::vector<std::string>& candidates);

/// The start of a user's text for a message: at most that many bytes, whole characters, "..." where it is longer.
std::string clipped(std::string_view text, std::size_t most = 60);

}  // namespace tendril::text
