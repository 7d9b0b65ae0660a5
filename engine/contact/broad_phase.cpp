// Each box is stored by its low corner in a grid whose cells are just larger than the box, so whatever overlaps it lies
// in the same cell or in a neighbor. Rows of cells along x are contiguous in the sorted entries.
#include "contact/broad_phase.h"

#include <algorithm>
#include <cmath>

namespace tendril::contact {

namespace {

// At most 2^20 cells along an axis: keys of three axes fit in 63 bits, and rounding of a cell's index (1e-10 cells)
// stays far below the margin left by `fits`.
constexpr double mostCells = 1 << 20;
constexpr double fits = 0.999;
constexpr double levelRatio = 4;
constexpr int digitBits = 11;

/// Small enough that differences are finite too.
bool finite(const Vec3& x) { return x.allFinite() && x.cwiseAbs().maxCoeff() < 1e300; }

}  // namespace

void BroadPhase::find(std::span<const Box> boxes, std::vector<std::array<int, 2>>& pairs) {
  pairs.clear();
  measure(boxes);
  if (valid_.size() < 2) return;
  makeLevels();
  fill(boxes);
  for (std::size_t fine = 0; fine < levels_.size(); ++fine) {
    if (levels_[fine].begin == levels_[fine].end) continue;
    pairsWithin(levels_[fine], pairs);
    for (std::size_t coarse = fine + 1; coarse < levels_.size(); ++coarse) {
      pairsAcross(levels_[fine], levels_[coarse], pairs);
    }
  }
  sortPairs(static_cast<int>(boxes.size()), pairs);
}

/// Selects the valid boxes, and finds their bounds and the median extent along each axis.
void BroadPhase::measure(std::span<const Box> boxes) {
  valid_.clear();
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
    const Box& b = boxes[i];
    if (!finite(b.low) || !finite(b.high) || !(b.low.array() <= b.high.array()).all()) continue;
    low = valid_.empty() ? b.low : Vec3(low.cwiseMin(b.low));
    high = valid_.empty() ? b.high : Vec3(high.cwiseMax(b.high));
    valid_.push_back(i);
  }
  origin_ = low, size_ = high - low;
  if (valid_.empty()) return;
  extents_.resize(valid_.size());
  for (int k = 0; k < 3; ++k) {
    for (std::size_t n = 0; n < valid_.size(); ++n) extents_[n] = boxes[valid_[n]].high[k] - boxes[valid_[n]].low[k];
    const auto middle = extents_.begin() + std::ptrdiff_t(extents_.size() / 2);
    std::nth_element(extents_.begin(), middle, extents_.end());
    typical_[k] = *middle;
  }
}

/// Grids from finest to coarsest, a factor of 4 apart; one of them has cells of twice the typical box size.
void BroadPhase::makeLevels() {
  // Where boxes are thin along an axis, cells are still an eighth as wide, or slight rotations would spread boxes.
  Vec3 cell = 2 * typical_;
  cell = cell.cwiseMax(Vec3::Constant(cell.maxCoeff() / 8)).cwiseMax(size_ / mostCells);
  for (int k = 0; k < 3; ++k) {
    if (!(cell[k] > 0)) cell[k] = cell.maxCoeff() > 0 ? cell.maxCoeff() : 1;
  }
  const Vec3 typical = cell, smallest = (size_ / mostCells).cwiseMax(2e-6 * typical);
  while (((cell / levelRatio).array() >= smallest.array()).all()) cell /= levelRatio;
  levels_.clear();
  for (;; cell *= levelRatio) {
    Level level;
    level.cell = cell, level.inverse = cell.cwiseInverse();
    for (int k = 0; k < 3; ++k) level.count[k] = static_cast<std::uint64_t>(size_[k] * level.inverse[k]) + 3;
    if ((cell.array() <= typical.array()).all()) typicalLevel_ = static_cast<int>(levels_.size());
    levels_.push_back(level);
    if ((size_.array() <= fits * cell.array()).all()) return;
  }
}

BroadPhase::Cell BroadPhase::cellOf(const Level& level, const Vec3& x) const {
  Cell c;
  for (int k = 0; k < 3; ++k) c[k] = static_cast<std::uint64_t>((x[k] - origin_[k]) * level.inverse[k]) + 1;
  return c;
}

/// Sorts the boxes by grid, then by cell.
void BroadPhase::fill(std::span<const Box> boxes) {
  levelOf_.resize(valid_.size());
  for (std::size_t n = 0; n < valid_.size(); ++n) {
    const Vec3 extent = boxes[valid_[n]].high - boxes[valid_[n]].low;
    int level = typicalLevel_;
    while (level > 0 && (extent.array() <= fits * levels_[level - 1].cell.array()).all()) --level;
    while (level + 1 < static_cast<int>(levels_.size()) &&
           (extent.array() > fits * levels_[level].cell.array()).any()) {
      ++level;
    }
    levelOf_[n] = level;
    ++levels_[level].end;
  }
  int begin = 0;
  for (Level& level : levels_) {
    level.begin = begin, begin += level.end;
    level.end = level.begin;
  }
  entries_.resize(valid_.size()), spareEntries_.resize(valid_.size());
  for (std::size_t n = 0; n < valid_.size(); ++n) {
    Level& level = levels_[levelOf_[n]];
    const Cell c = cellOf(level, boxes[valid_[n]].low);
    entries_[level.end++] = {keyOf(level, c[0], c[1], c[2]), valid_[n]};
  }
  for (const Level& level : levels_) {
    sortByKey(level.begin, level.end, level.count[0] * level.count[1] * level.count[2]);
  }
  sorted_.resize(entries_.size());
  for (std::size_t n = 0; n < entries_.size(); ++n) sorted_[n] = boxes[entries_[n].box];
}

/// Stable radix sort, lowest digit first, as many digits as the keys have: boxes of a cell stay in ascending order.
void BroadPhase::sortByKey(int begin, int end, std::uint64_t largest) {
  constexpr std::uint64_t mask = (std::uint64_t{1} << digitBits) - 1;
  const auto byKey = [](const Entry& a, const Entry& b) { return a.key != b.key ? a.key < b.key : a.box < b.box; };
  if (end - begin < 500) return std::sort(entries_.begin() + begin, entries_.begin() + end, byKey);
  for (int shift = 0; shift < 64 && (largest >> shift) > 0; shift += digitBits) {
    std::array<int, mask + 1> slot{};
    for (int n = begin; n < end; ++n) ++slot[(entries_[n].key >> shift) & mask];
    int sum = begin;
    for (int& p : slot) {
      const int many = p;
      p = sum, sum += many;
    }
    for (int n = begin; n < end; ++n) spareEntries_[slot[(entries_[n].key >> shift) & mask]++] = entries_[n];
    std::copy(spareEntries_.begin() + begin, spareEntries_.begin() + end, entries_.begin() + begin);
  }
}

/// Each pair is found from the box whose cell comes first: later boxes of its row, and the four rows that come later.
/// Rows are queried in ascending order, so that one cursor per row passes through the entries once.
void BroadPhase::pairsWithin(const Level& level, std::vector<std::array<int, 2>>& pairs) const {
  static constexpr int rows[4][2] = {{1, 0}, {-1, 1}, {0, 1}, {1, 1}};  // steps along y and z
  std::array<int, 4> cursor;
  cursor.fill(level.begin);
  const auto test = [&](int m, int n) {
    if (!overlap(sorted_[m], sorted_[n])) return;
    const int i = entries_[m].box, j = entries_[n].box;
    pairs.push_back({std::min(i, j), std::max(i, j)});
  };
  for (int m = level.begin; m < level.end; ++m) {
    const Cell low = cellOf(level, sorted_[m].low), high = cellOf(level, sorted_[m].high);
    const std::uint64_t last = keyOf(level, high[0], low[1], low[2]);
    for (int n = m + 1; n < level.end && entries_[n].key <= last; ++n) test(m, n);
    for (int r = 0; r < 4; ++r) {
      const int dy = rows[r][0], dz = rows[r][1];
      if ((dy > 0 && high[1] == low[1]) || (dz > 0 && high[2] == low[2])) continue;
      const std::uint64_t y = low[1] + dy, z = low[2] + dz;
      const std::uint64_t from = keyOf(level, low[0] - 1, y, z), to = keyOf(level, high[0], y, z);
      int& n0 = cursor[r];
      while (n0 < level.end && entries_[n0].key < from) ++n0;
      for (int n = n0; n < level.end && entries_[n].key <= to; ++n) test(m, n);
    }
  }
}

/// Every box of the fine grid against the cells of the coarse one that can hold the low corner of an overlapping box.
void BroadPhase::pairsAcross(const Level& fine, const Level& coarse, std::vector<std::array<int, 2>>& pairs) const {
  if (coarse.begin == coarse.end) return;
  const auto before = [](const Entry& e, std::uint64_t key) { return e.key < key; };
  const auto first = entries_.begin() + coarse.begin, past = entries_.begin() + coarse.end;
  for (int m = fine.begin; m < fine.end; ++m) {
    const Cell low = cellOf(coarse, sorted_[m].low), high = cellOf(coarse, sorted_[m].high);
    for (std::uint64_t z = low[2] - 1; z <= high[2]; ++z) {
      for (std::uint64_t y = low[1] - 1; y <= high[1]; ++y) {
        const std::uint64_t to = keyOf(coarse, high[0], y, z);
        auto n = std::lower_bound(first, past, keyOf(coarse, low[0] - 1, y, z), before);
        for (; n != past && n->key <= to; ++n) {
          if (!overlap(sorted_[m], sorted_[n - entries_.begin()])) continue;
          const int i = entries_[m].box, j = n->box;
          pairs.push_back({std::min(i, j), std::max(i, j)});
        }
      }
    }
  }
}

/// Counting sort by the first box, then each short run by the second.
void BroadPhase::sortPairs(int boxes, std::vector<std::array<int, 2>>& pairs) {
  starts_.assign(boxes + 1, 0);
  for (const auto& p : pairs) ++starts_[p[0] + 1];
  for (int i = 0; i < boxes; ++i) starts_[i + 1] += starts_[i];
  sparePairs_.resize(pairs.size());
  for (const auto& p : pairs) sparePairs_[starts_[p[0]]++] = p;
  // Now starts_[i] is where run i ends.
  for (int i = 0, begin = 0; i < boxes; begin = starts_[i++]) {
    std::sort(sparePairs_.begin() + begin, sparePairs_.begin() + starts_[i]);
  }
  std::copy(sparePairs_.begin(), sparePairs_.end(), pairs.begin());
}

}  // namespace tendril::contact
