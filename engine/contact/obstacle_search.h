// Which obstacles a box may meet, in time logarithmic in their number.
#pragma once

#include <span>
#include <vector>

#include "contact/broad_phase.h"
#include "contact/obstacle.h"

namespace tendril::contact {

class ObstacleSearch {
 public:
  /// Bounds on an obstacle's displacement from its initial position [m].
  struct Range {
    Vec3 low, high;
    void add(const Vec3& moved) { low = low.cwiseMin(moved), high = high.cwiseMax(moved); }
  };

  /// Sets the obstacles, each anywhere in its range; ObstacleShape::moved is ignored.
  void setObstacles(std::span<const ObstacleShape> shapes, std::span<const Range> ranges);

  /// Obstacles whose boxes, or half spaces, overlap the box, ascending; `obstacles` is overwritten. No other obstacle
  /// has a point in the box: a box widened by a distance finds all obstacles within that distance [m].
  void meet(const Box& box, std::vector<int>& obstacles) const;

 private:
  struct Plane {
    Vec3 normal;
    double height;  // of its farthest point along the normal [m]
    int obstacle;
  };
  /// Node of a binary tree: its halves are nodes `begin` and `begin + 1`, or it holds obstacles [begin, end) of the
  /// order.
  struct Node {
    Box box;
    int begin = 0, end = 0;
    bool leaf = true;
  };
  void split(int node, int begin, int end);
  void meet(int node, const Box& box, std::vector<int>& obstacles) const;

  std::vector<Plane> planes_;
  std::vector<Box> boxes_;  // of all obstacles except planes
  std::vector<int> order_;
  std::vector<Node> nodes_;
};

}  // namespace tendril::contact
