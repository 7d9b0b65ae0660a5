// Which obstacles a box may meet, in a time that grows with their number as its logarithm.
#pragma once

#include <span>
#include <vector>

#include "contact/broad_phase.h"
#include "contact/obstacle.h"

namespace tendril::contact {

class ObstacleSearch {
 public:
  /// Corners of a box around the places at which an obstacle may be, from its initial one [m].
  struct Range {
    Vec3 low, high;
    void add(const Vec3& moved) { low = low.cwiseMin(moved), high = high.cwiseMax(moved); }
  };

  /// Obstacles, each anywhere in its range; ObstacleShape::moved is not looked at.
  void place(std::span<const ObstacleShape> shapes, std::span<const Range> ranges);

  /// Those whose boxes, or half spaces, overlap the box, ascending; `obstacles` is overwritten. No other one has a point in
  /// the box: one that is wider by a distance finds all obstacles within that distance [m].
  void meet(const Box& box, std::vector<int>& obstacles) const;

 private:
  struct Plane {
    Vec3 normal;
    double height;  // of its farthest place along the normal [m]
    int obstacle;
  };
  /// Of a binary tree: halves at `begin` and `begin + 1` of the nodes, or obstacles [begin, end) of the order.
  struct Node {
    Box box;
    int begin = 0, end = 0;
    bool leaf = true;
  };
  void split(int node, int begin, int end);
  void meet(int node, const Box& box, std::vector<int>& obstacles) const;

  std::vector<Plane> planes_;
  std::vector<Box> boxes_;  // of all obstacles but planes
  std::vector<int> order_;
  std::vector<Node> nodes_;
};

}  // namespace tendril::contact
