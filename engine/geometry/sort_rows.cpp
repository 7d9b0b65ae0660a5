#include "geometry/sort_rows.h"

#include <cassert>
#include <cstdint>
#include <cstring>

namespace tendril::geometry {
namespace {

class MergeSort {
 public:
  MergeSort(std::size_t size, RowOrder before, const void* context, std::byte* spare)
      : size_(size), before_(before), context_(context), spare_(spare) {}

  void sort(std::byte* rows, std::size_t count) const {
    if (count < 2) return;
    std::byte* const middle = rows + count / 2 * size_;
    sort(rows, count / 2);
    sort(middle, count - count / 2);
    if (before(middle, middle - size_)) merge(rows, middle, rows + count * size_);
  }

 private:
  bool before(const std::byte* a, const std::byte* b) const { return before_(a, b, context_); }

  /// By words: calls for each row take longer.
  void copy(const std::byte* from, const std::byte* end, std::byte* to) const {
    for (; from != end; from += sizeof(std::uint32_t), to += sizeof(std::uint32_t)) {
      std::uint32_t word;
      std::memcpy(&word, from, sizeof word);
      std::memcpy(to, &word, sizeof word);
    }
  }

  /// The first of the right half comes before the last of the left one. The left half is set aside, so that what is
  /// written never catches up with what is still to be read.
  void merge(std::byte* out, std::byte* middle, const std::byte* end) const {
    const std::byte *left = spare_, *const leftEnd = spare_ + (middle - out), *right = middle;
    copy(out, middle, spare_);
    bool known = leftEnd - left == std::ptrdiff_t(size_);  // compared already
    for (; left != leftEnd && right != end; out += size_, known = false) {
      const std::byte*& next = known || before(right, left) ? right : left;
      copy(next, next + size_, out);
      next += size_;
    }
    copy(left, leftEnd, out);
  }

  std::size_t size_;
  RowOrder before_;
  const void* context_;
  std::byte* spare_;
};

}  // namespace

void sortBytes(void* rows, std::size_t count, std::size_t size, RowOrder before, const void* context) {
  assert(size % sizeof(std::uint32_t) == 0);
  if (count < 2) return;
  alignas(std::max_align_t) std::byte few[512];
  const std::size_t aside = count / 2 * size;
  std::vector<std::byte> many(aside <= sizeof few ? 0 : aside);
  MergeSort(size, before, context, many.empty() ? few : many.data()).sort(static_cast<std::byte*>(rows), count);
}

}  // namespace tendril::geometry
