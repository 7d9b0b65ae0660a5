// Invariants of code that computes with indices, to be used in assert: builds with assertions (the presets debug and
// fuzz, under sanitizers) stop where one does not hold, Release leaves them out. A sanitizer alone does not see an
// index that leaves its row and stays in the same vector.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tendril::geometry {

/// 0 <= i < n.
template <class Index, class Size>
bool inRange(Index i, Size n) {
  return i >= Index(0) && static_cast<std::size_t>(i) < static_cast<std::size_t>(n);
}

template <class Size>
bool allInRange(std::span<const int> indices, Size n) {
  for (const int i : indices)
    if (!inRange(i, n)) return false;
  return true;
}

/// Each larger than the one before.
inline bool isAscending(std::span<const int> indices) {
  for (std::size_t k = 1; k < indices.size(); ++k)
    if (indices[k] <= indices[k - 1]) return false;
  return true;
}

/// Each of 0 .. n - 1 once.
inline bool isPermutation(std::span<const int> indices) {
  std::vector<bool> seen(indices.size(), false);
  for (const int i : indices) {
    if (!inRange(i, seen.size()) || seen[static_cast<std::size_t>(i)]) return false;
    seen[static_cast<std::size_t>(i)] = true;
  }
  return true;
}

}  // namespace tendril::geometry
