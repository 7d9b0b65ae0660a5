// Rows of every size and arrangement are sorted as std::stable_sort does it, with no more comparisons than promised.
#include "geometry/sort_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>

#include "engine/geometry/draw.h"

namespace tendril::geometry {
namespace sort_rows_test {

constexpr std::array sizes = {0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 64, 65, 127, 1000, 1024, 1025, 4097};

enum class Keys { any, few, ascending, descending, equal, sawtooth, nearlySorted, worst };
constexpr std::array arrangements = {Keys::any,   Keys::few,      Keys::ascending,    Keys::descending,
                                     Keys::equal, Keys::sawtooth, Keys::nearlySorted, Keys::worst};

/// Halves that take turns when they are merged, down to single rows.
void interleave(std::vector<int>& keys, std::size_t from, std::size_t end) {
  if (end - from < 2) return;
  const std::size_t half = (end - from) / 2;
  std::vector<int> left, right;
  for (std::size_t i = from; i < end; ++i) {
    const bool goesRight = left.size() == half || (i - from) % 2 == 0;
    (goesRight ? right : left).push_back(keys[i]);
  }
  std::copy(left.begin(), left.end(), keys.begin() + std::ptrdiff_t(from));
  std::copy(right.begin(), right.end(), keys.begin() + std::ptrdiff_t(from + half));
  interleave(keys, from, from + half), interleave(keys, from + half, end);
}

std::vector<int> keysOf(Keys kind, int count, test::Draw& draw) {
  std::vector<int> keys;
  for (int i = 0; i < count; ++i) {
    const int random = draw.whole(-1000000, 1000000);
    switch (kind) {
      case Keys::any:
        keys.push_back(random);
        break;
      case Keys::few:
        keys.push_back(random % 4);
        break;
      case Keys::descending:
        keys.push_back(-i);
        break;
      case Keys::equal:
        keys.push_back(7);
        break;
      case Keys::sawtooth:
        keys.push_back(i % 13);
        break;
      case Keys::nearlySorted:
        keys.push_back(draw.chance(0.02) ? random : i);
        break;
      case Keys::ascending:
      case Keys::worst:
        keys.push_back(i);
        break;
    }
  }
  if (kind == Keys::worst) interleave(keys, 0, keys.size());
  return keys;
}

/// A row of some words: its key, and where it was.
template <std::size_t words>
struct Row {
  int key = 0;
  std::array<int, words - 1> was{};
  bool operator==(const Row&) const = default;
};

constexpr int guard = 123456789;  // a key of no row

/// Sorts with a row before and after that must be neither compared nor touched. Returns the number of comparisons.
template <std::size_t words>
long sortAndCompare(const std::vector<int>& keys) {
  std::vector<Row<words>> rows(keys.size() + 2);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].key = i > 0 && i <= keys.size() ? keys[i - 1] : guard;
    for (std::size_t k = 0; k < rows[i].was.size(); ++k) rows[i].was[k] = static_cast<int>(i + k);
  }
  std::vector<Row<words>> expected = rows;
  const auto before = [](const Row<words>& a, const Row<words>& b) { return a.key < b.key; };
  std::stable_sort(expected.begin() + 1, expected.end() - 1, before);
  long comparisons = 0, outside = 0;
  sortRows(std::span(rows).subspan(1, keys.size()), [&](const Row<words>& a, const Row<words>& b) {
    ++comparisons;
    if (a.key == guard || b.key == guard) ++outside;
    return before(a, b);
  });
  EXPECT_EQ(outside, 0);
  EXPECT_TRUE(rows == expected) << keys.size() << " rows of " << words << " words";
  return comparisons;
}

TEST(SortRows, AreInTheOrderOfTheStableSort) {
  test::Draw draw(1);
  for (const Keys kind : arrangements) {
    for (const int count : sizes) {
      const std::vector<int> keys = keysOf(kind, count, draw);
      const long comparisons = sortAndCompare<2>(keys);
      EXPECT_LE(static_cast<double>(comparisons), count * std::log2(std::max(1, count)));
      if (kind == Keys::ascending || kind == Keys::equal) {
        EXPECT_EQ(comparisons, std::max(0, count - 1));
      }
      if (kind == Keys::worst && count >= 64) {
        EXPECT_GE(static_cast<double>(comparisons), 0.7 * count * std::log2(count));
      }
      // Their order says nothing about what is moved: by any size of rows the same comparisons are made.
      EXPECT_EQ(sortAndCompare<3>(keys), comparisons);
      EXPECT_EQ(sortAndCompare<8>(keys), comparisons);
      EXPECT_EQ(sortAndCompare<33>(keys), comparisons);
    }
  }
}

TEST(SortRows, EveryPermutationTakesAtMostThePromisedComparisons) {
  std::vector<int> keys;
  for (int count = 1; count <= 8; ++count) {
    keys.push_back(count);
    std::sort(keys.begin(), keys.end());
    long most = 0;
    do most = std::max(most, sortAndCompare<2>(keys));
    while (std::next_permutation(keys.begin(), keys.end()));
    EXPECT_LE(static_cast<double>(most), count * std::log2(count));
  }
}

TEST(SortRows, OwnOrderOfTheType) {
  test::Draw draw(2);
  std::vector<std::array<int, 3>> triples(300);
  for (auto& t : triples) t = {draw.whole(0, 3), draw.whole(0, 3), draw.whole(0, 3)};
  std::vector<std::array<int, 3>> expected = triples;
  std::sort(expected.begin(), expected.end());
  sortRows(triples);
  EXPECT_EQ(triples, expected);
  std::vector<double> numbers = {0.5, -2, 1e300, -1e-300, 0};
  sortRows(numbers);
  EXPECT_EQ(numbers, (std::vector<double>{-2, -1e-300, 0, 0.5, 1e300}));
}

TEST(SortRows, RowsThatOwnMemory) {
  test::Draw draw(3);
  for (const Keys kind : arrangements) {
    for (const int count : sizes) {
      std::vector<std::pair<int, std::string>> rows;
      for (const int key : keysOf(kind, count, draw))
        rows.emplace_back(key,
                          "row " + std::to_string(rows.size()) + " with a text that is too long to be kept in place");
      const auto before = [](const auto& a, const auto& b) { return a.first < b.first; };
      std::vector<std::pair<int, std::string>> expected = rows;
      std::stable_sort(expected.begin(), expected.end(), before);
      sortRows(rows, before);
      EXPECT_EQ(rows, expected) << count;
    }
  }
  std::vector<std::unique_ptr<int>> owned;  // can be moved alone
  for (const int number : {3, 1, 2}) owned.push_back(std::make_unique<int>(number));
  sortRows(owned, [](const auto& a, const auto& b) { return *a < *b; });
  EXPECT_EQ(*owned[0] + 10 * *owned[1] + 100 * *owned[2], 321);
}

TEST(SortRows, AnOrderThatContradictsItselfLosesNoRow) {
  test::Draw draw(4);
  for (const int count : sizes) {
    std::vector<int> rows(static_cast<std::size_t>(count)), all;
    std::iota(rows.begin(), rows.end(), 0);
    all = rows;
    sortRows(rows, [&](int, int) { return draw.chance(0.5); });
    std::sort(rows.begin(), rows.end());
    EXPECT_EQ(rows, all);
  }
}

}  // namespace sort_rows_test
}  // namespace tendril::geometry
