// Which of many obstacles lie near a piece of the chain: a uniform grid over the region of the chain, refilled in each
// step without allocating once warm.
#pragma once

#include <span>
#include <vector>

#include "vines/step/planar_shapes.h"

namespace tendril::vines {

class ShapeGrid {
 public:
  /// Sorts the boxes that touch `region` into cells of about `cell` [m]; the others are ignored.
  void build(std::span<const PlanarBox> boxes, const PlanarBox& region, double cell);

  /// Indices, ascending, of the boxes that touch `box`; valid until the next call.
  std::span<const int> near(const PlanarBox& box);

 private:
  struct Range {
    int fromX, toX, fromY, toY;
  };
  Range cells(const PlanarBox& box) const;

  std::span<const PlanarBox> boxes_;
  PlanarBox region_{Vec2::Zero(), Vec2::Zero()};
  double scaleX_ = 0, scaleY_ = 0;  // cells per meter
  int columns_ = 1, rows_ = 1;
  std::vector<int> inRegion_;
  std::vector<int> start_, item_;  // boxes of each cell, one cell after another
  std::vector<int> stamp_;         // of each box: the last query that found it
  int query_ = 0;
  std::vector<int> found_;
};

}  // namespace tendril::vines
