// A stable sort that is compiled once for all rows and orders. The library's is compiled anew for each type and each
// order, 2 to 5 kB of the module apiece. This one moves bytes and calls the order through a pointer, which takes two to
// four times as long: what sorts in every step keeps std::sort, and so do ints and pairs of ints, whose code the
// search for contacts needs anyway.
#pragma once

#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace tendril::geometry {

/// Whether row `a` comes before row `b`: a strict weak order.
using RowOrder = bool (*)(const void* a, const void* b, const void* context);

/// Sorts `count` rows of `size` bytes, a multiple of 4, and keeps the order of equal ones. At most n log2 n comparisons
/// of n rows, n - 1 where they are sorted; one allocation, none for few rows. An order that is not strict leaves them
/// in any order.
void sortBytes(void* rows, std::size_t count, std::size_t size, RowOrder before, const void* context);

template <class Row, class Before = std::less<Row>>
void sortRows(std::span<Row> rows, const Before& before = Before()) {
  static_assert(std::is_trivially_copyable_v<Row> && sizeof(Row) % 4 == 0 && alignof(Row) <= alignof(std::max_align_t));
  const RowOrder order = [](const void* a, const void* b, const void* context) {
    return bool((*static_cast<const Before*>(context))(*static_cast<const Row*>(a), *static_cast<const Row*>(b)));
  };
  sortBytes(rows.data(), rows.size(), sizeof(Row), order, &before);
}

/// Rows that are no plain bytes are sorted by their indices and then moved once.
template <class Row, class Before = std::less<Row>>
void sortRows(std::vector<Row>& rows, const Before& before = Before()) {
  if constexpr (std::is_trivially_copyable_v<Row>) {
    sortRows(std::span<Row>(rows), before);
  } else {
    std::vector<int> from(rows.size());  // the row that comes to each place
    std::iota(from.begin(), from.end(), 0);
    sortRows(std::span<int>(from),
             [&](int a, int b) { return bool(before(rows[std::size_t(a)], rows[std::size_t(b)])); });
    for (std::size_t first = 0; first < rows.size(); ++first) {
      if (from[first] == int(first)) continue;
      Row held = std::move(rows[first]);
      std::size_t to = first;
      for (std::size_t next; (next = std::size_t(from[to])) != first; to = next) {
        rows[to] = std::move(rows[next]);
        from[to] = int(to);
      }
      rows[to] = std::move(held);
      from[to] = int(to);
    }
  }
}

}  // namespace tendril::geometry
