#include "text/words.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace tendril::text {

std::string formatNumber(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char text[40];
  for (int digits = 15; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  return text;
}

namespace {

char lowerCase(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Edit distance in which a swap of neighbors counts once (optimal string alignment), ignoring case.
int editDistance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lowerCase(a[i - 1]) == lowerCase(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lowerCase(a[i - 1]) == lowerCase(b[j - 2]) && lowerCase(a[i - 2]) == lowerCase(b[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string nearestName(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 60;
  if (name.empty() || name.size() > longest) return {};
  std::string nearest;
  int best = 1 + static_cast<int>(name.size()) / 4;  // more is not a typing error
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest || candidate.empty() || candidate == name) continue;
    const int distance = editDistance(name, candidate);
    // A single letter is close to any other; very short names may differ only in case.
    if (distance > 0 && std::min(name.size(), candidate.size()) == 1) continue;
    if (distance < best || (distance == best && nearest.empty())) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string clipped(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // inside a UTF-8 sequence
  return std::string(text.substr(0, end)) + "...";
}

}  // namespace tendril::text
