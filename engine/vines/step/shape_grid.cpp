// A box is entered in every cell that it touches, by counting first; a query marks what it has already found.
#include "vines/step/shape_grid.h"

#include <algorithm>
#include <cmath>

namespace tendril::vines {
namespace {

constexpr int mostCellsAcross = 64;  // limits memory and time at any length of the chain

int cellsAcross(double extent, double cell) {
  return std::clamp(int(std::min(extent / cell, double(mostCellsAcross))), 1, mostCellsAcross);
}

}  // namespace

ShapeGrid::Range ShapeGrid::cells(const PlanarBox& box) const {
  const auto cell = [](double x, double scale, int count) {
    return int(std::clamp(std::floor(x * scale), 0.0, double(count - 1)));
  };
  return {cell(box.low.x() - region_.low.x(), scaleX_, columns_),
          cell(box.high.x() - region_.low.x(), scaleX_, columns_), cell(box.low.y() - region_.low.y(), scaleY_, rows_),
          cell(box.high.y() - region_.low.y(), scaleY_, rows_)};
}

void ShapeGrid::build(std::span<const PlanarBox> boxes, const PlanarBox& region, double cell) {
  boxes_ = boxes;
  region_ = region;
  inRegion_.clear();
  for (int i = 0; i < int(boxes.size()); ++i) {
    if (boxes[i].touches(region)) inRegion_.push_back(i);
  }
  const Vec2 extent = region.high - region.low;
  // A few obstacles are searched faster one by one than by cells.
  const bool few = inRegion_.size() <= 4;
  columns_ = few ? 1 : cellsAcross(extent.x(), cell);
  rows_ = few ? 1 : cellsAcross(extent.y(), cell);
  scaleX_ = extent.x() > 0 ? columns_ / extent.x() : 0;
  scaleY_ = extent.y() > 0 ? rows_ / extent.y() : 0;
  start_.assign(std::size_t(columns_ * rows_) + 1, 0);
  const auto eachCell = [&](int box, auto&& visit) {
    const Range range = cells(boxes_[box]);
    for (int y = range.fromY; y <= range.toY; ++y)
      for (int x = range.fromX; x <= range.toX; ++x) visit(y * columns_ + x);
  };
  for (int box : inRegion_) eachCell(box, [&](int c) { ++start_[c + 1]; });
  for (std::size_t c = 1; c < start_.size(); ++c) start_[c] += start_[c - 1];
  item_.resize(std::size_t(start_.back()));
  for (int box : inRegion_) eachCell(box, [&](int c) { item_[start_[c]++] = box; });
  for (std::size_t c = start_.size() - 1; c > 0; --c) start_[c] = start_[c - 1];
  start_[0] = 0;
  if (stamp_.size() < boxes.size()) stamp_.resize(boxes.size(), 0);
}

std::span<const int> ShapeGrid::near(const PlanarBox& box) {
  found_.clear();
  if (inRegion_.empty() || !box.touches(region_)) return found_;
  ++query_;
  const Range range = cells(box);
  for (int y = range.fromY; y <= range.toY; ++y) {
    for (int x = range.fromX; x <= range.toX; ++x) {
      const int c = y * columns_ + x;
      for (int k = start_[c]; k < start_[c + 1]; ++k) {
        const int i = item_[k];
        if (stamp_[i] == query_) continue;
        stamp_[i] = query_;
        if (boxes_[i].touches(box)) found_.push_back(i);
      }
    }
  }
  std::sort(found_.begin(), found_.end());
  return found_;
}

}  // namespace tendril::vines
