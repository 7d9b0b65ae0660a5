// Finds all pairs of overlapping boxes in nearly linear time, whatever their sizes and positions. A hierarchy of grids
// whose cells are stored as sorted keys: only occupied cells cost anything, and nothing is allocated once warm.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/types.h"

namespace tendril::contact {

/// Axis-aligned, closed: boxes that only touch overlap.
struct Box {
  Vec3 low, high;
};

inline bool overlap(const Box& a, const Box& b) {
  return a.low[0] <= b.high[0] && b.low[0] <= a.high[0] && a.low[1] <= b.high[1] && b.low[1] <= a.high[1] &&
         a.low[2] <= b.high[2] && b.low[2] <= a.high[2];
}

class BroadPhase {
 public:
  /// All {i, j}, i < j, whose boxes overlap, in ascending order; `pairs` is overwritten. A box that is empty (low >
  /// high) or not finite overlaps nothing.
  void find(std::span<const Box> boxes, std::vector<std::array<int, 2>>& pairs);

 private:
  /// Cell of a box's low corner in the grid of its size.
  struct Entry {
    std::uint64_t key;
    int box;
  };
  /// A grid with entries [begin, end). Cells per axis include an empty one on either side.
  struct Level {
    Vec3 cell, inverse;                  // [m], [1/m]
    std::array<std::uint64_t, 3> count;  // cells
    int begin = 0, end = 0;
  };
  using Cell = std::array<std::uint64_t, 3>;

  void measure(std::span<const Box> boxes);
  void makeLevels();
  void fill(std::span<const Box> boxes);
  void sortByKey(int begin, int end, std::uint64_t largest);
  void pairsWithin(const Level& level, std::vector<std::array<int, 2>>& pairs) const;
  void pairsAcross(const Level& fine, const Level& coarse, std::vector<std::array<int, 2>>& pairs) const;
  void sortPairs(int boxes, std::vector<std::array<int, 2>>& pairs);

  Cell cellOf(const Level& level, const Vec3& x) const;
  static std::uint64_t keyOf(const Level& level, std::uint64_t x, std::uint64_t y, std::uint64_t z) {
    return (z * level.count[1] + y) * level.count[0] + x;
  }

  Vec3 origin_ = Vec3::Zero(), size_ = Vec3::Zero(), typical_ = Vec3::Zero();  // of all boxes; median extents
  std::vector<int> valid_, levelOf_;                                           // valid boxes and their grids
  std::vector<double> extents_;
  std::vector<Level> levels_;
  int typicalLevel_ = 0;  // the grid of most boxes
  std::vector<Entry> entries_, spareEntries_;
  std::vector<Box> sorted_;  // boxes in the order of entries_
  std::vector<int> starts_;
  std::vector<std::array<int, 2>> sparePairs_;
};

}  // namespace tendril::contact
