// Bowyer-Watson insertion: points are added in rounds of doubling size, each in the order of a snake through a grid, so
// that the walk to the next point is short. Beyond every hull edge is a triangle with a vertex at infinity.
#include "geometry/delaunay.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "geometry/random.h"
#include "geometry/sort_rows.h"

namespace tendril::geometry {

namespace {

constexpr double resolution = 67108864;  ///< 2^26: the determinants below then fit in 128 bits
constexpr int infinity = -1;

__extension__ using Wide = __int128;

struct GridPoint {
  std::int64_t x = 0, y = 0;
  bool operator==(const GridPoint& other) const { return x == other.x && y == other.y; }
};

std::vector<GridPoint> snapped(const std::vector<Vec<2>>& points) {
  if (points.size() < 3) throw std::invalid_argument("a triangulation needs three points");
  Vec<2> low = points.front(), high = low;
  for (const Vec<2>& p : points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  const double size = (high - low).maxCoeff();
  if (!(size > 0) || !std::isfinite(size)) throw std::invalid_argument("the points to triangulate span no area");
  std::vector<GridPoint> out(points.size());
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Vec<2> at = (points[k] - low) / size * resolution;
    out[k] = {static_cast<std::int64_t>(std::floor(at.x() + 0.5)), static_cast<std::int64_t>(std::floor(at.y() + 0.5))};
  }
  return out;
}

/// Twice the area of a, b, c: positive for a left turn. Below 2^54, hence exact.
std::int64_t turn(const GridPoint& a, const GridPoint& b, const GridPoint& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Whether p is strictly inside the circle through a, b, c (counter-clockwise).
bool inCircle(const GridPoint& a, const GridPoint& b, const GridPoint& c, const GridPoint& p) {
  const std::int64_t ax = a.x - p.x, ay = a.y - p.y, bx = b.x - p.x, by = b.y - p.y, cx = c.x - p.x, cy = c.y - p.y;
  const Wide first = static_cast<Wide>(bx * cy - by * cx) * (ax * ax + ay * ay);
  const Wide second = static_cast<Wide>(cx * ay - cy * ax) * (bx * bx + by * by);
  const Wide third = static_cast<Wide>(ax * by - ay * bx) * (cx * cx + cy * cy);
  return first + second + third > 0;
}

class Triangulation {
 public:
  explicit Triangulation(std::vector<GridPoint> points) : points_(std::move(points)) {
    const std::vector<int> order = startOrder();
    std::array<int, 3> first = {order[0], order[1], order[2]};
    if (turn(at(first[0]), at(first[1]), at(first[2])) < 0) std::swap(first[1], first[2]);
    begin(first);
    spokes_.resize(points_.size() + 1, -1);
    for (std::size_t k = 3; k < order.size(); ++k) insert(order[k]);
  }

  std::vector<std::array<int, 3>> triangles() const {
    std::vector<std::array<int, 3>> out;
    for (const Triangle& triangle : triangles_) {
      std::array<int, 3> corners = triangle.corners;
      if (!triangle.alive || ghostCorner(triangle) >= 0) continue;
      std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
      out.push_back(corners);
    }
    sortRows(out);
    return out;
  }

 private:
  /// Neighbor k lies across the edge opposite to corner k.
  struct Triangle {
    std::array<int, 3> corners{}, neighbors = {-1, -1, -1};
    bool alive = true;
  };

  const GridPoint& at(int vertex) const { return points_[static_cast<std::size_t>(vertex)]; }
  Triangle& triangle(int t) { return triangles_[static_cast<std::size_t>(t)]; }

  static int ghostCorner(const Triangle& triangle) {
    for (int k = 0; k < 3; ++k)
      if (triangle.corners[static_cast<std::size_t>(k)] == infinity) return k;
    return -1;
  }

  /// All points, starting with three that are not on a line.
  std::vector<int> startOrder() const {
    const int count = static_cast<int>(points_.size());
    const int columns = std::max(1, static_cast<int>(std::sqrt(count / 4.0)));
    std::vector<std::array<std::int64_t, 4>> keys(points_.size());
    SplitMix random(1);
    for (int v = 0; v < count; ++v) {
      std::int64_t round = 0;
      for (std::uint64_t bits = random.next(); (bits & 1) && round < 40; bits >>= 1) ++round;
      const std::int64_t cell = static_cast<std::int64_t>(resolution) / columns + 1;
      const std::int64_t row = at(v).y / cell, column = at(v).x / cell;
      keys[static_cast<std::size_t>(v)] = {-round, row, row % 2 == 0 ? column : -column, v};
    }
    sortRows(keys);
    std::vector<int> order(points_.size());
    for (std::size_t k = 0; k < keys.size(); ++k) order[k] = static_cast<int>(keys[k][3]);
    std::size_t third = 2;
    while (third < order.size() && turn(at(order[0]), at(order[1]), at(order[third])) == 0) ++third;
    if (third == order.size()) throw std::invalid_argument("the points to triangulate lie on a line");
    std::swap(order[2], order[third]);
    return order;
  }

  void begin(const std::array<int, 3>& corners) {
    Triangle real;
    real.corners = corners;
    for (std::size_t k = 0; k < 3; ++k) real.neighbors[k] = static_cast<int>(k) + 1;
    triangles_.push_back(real);
    for (std::size_t k = 0; k < 3; ++k) {  // beyond the edge opposite to corner k
      Triangle ghost;
      ghost.corners = {corners[(k + 2) % 3], corners[(k + 1) % 3], infinity};
      ghost.neighbors = {static_cast<int>((k + 2) % 3) + 1, static_cast<int>((k + 1) % 3) + 1, 0};
      triangles_.push_back(ghost);
    }
  }

  /// Whether the point invalidates the triangle: it is inside the triangle's circle, or beyond or on a hull edge.
  bool inConflict(const Triangle& triangle, const GridPoint& p) const {
    const int ghost = ghostCorner(triangle);
    if (ghost < 0) return inCircle(at(triangle.corners[0]), at(triangle.corners[1]), at(triangle.corners[2]), p);
    const GridPoint& a = at(triangle.corners[static_cast<std::size_t>(ghost + 1) % 3]);
    const GridPoint& b = at(triangle.corners[static_cast<std::size_t>(ghost + 2) % 3]);
    const std::int64_t side = turn(a, b, p);
    if (side != 0) return side > 0;
    return (p.x - a.x) * (p.x - b.x) + (p.y - a.y) * (p.y - b.y) < 0;
  }

  /// A triangle in conflict with the point: the one around it, or the first beyond the hull on the path to it.
  int locate(const GridPoint& p) {
    int t = last_;
    while (true) {
      const Triangle& here = triangle(t);
      const int ghost = ghostCorner(here);
      if (ghost >= 0) {
        if (inConflict(here, p)) return t;
        t = here.neighbors[static_cast<std::size_t>(ghost)];
        continue;
      }
      int onward = -1;
      for (std::size_t k = 0; k < 3 && onward < 0; ++k) {
        if (at(here.corners[k]) == p) throw std::invalid_argument("two of the points to triangulate coincide");
        if (turn(at(here.corners[(k + 1) % 3]), at(here.corners[(k + 2) % 3]), p) < 0) onward = here.neighbors[k];
      }
      if (onward < 0) return t;
      t = onward;
    }
  }

  void insert(int vertex) {
    const GridPoint p = at(vertex);
    cavity_.assign(1, locate(p));
    triangle(cavity_[0]).alive = false;
    border_.clear();
    for (std::size_t head = 0; head < cavity_.size(); ++head) {
      const Triangle dead = triangle(cavity_[head]);
      for (std::size_t k = 0; k < 3; ++k) {
        Triangle& beyond = triangle(dead.neighbors[k]);
        if (!beyond.alive) continue;
        if (inConflict(beyond, p)) {
          beyond.alive = false;
          cavity_.push_back(dead.neighbors[k]);
        } else {
          border_.push_back({dead.corners[(k + 1) % 3], dead.corners[(k + 2) % 3], dead.neighbors[k]});
        }
      }
    }
    // A neighbor may be found alive and removed later: such sides are not on the border.
    border_.erase(std::remove_if(border_.begin(), border_.end(),
                                 [&](const std::array<int, 3>& side) { return !triangle(side[2]).alive; }),
                  border_.end());
    fill(vertex);
  }

  /// Puts the triangles between the vertex and the cavity's border in the slots of the removed ones.
  void fill(int vertex) {
    while (cavity_.size() < border_.size()) {
      cavity_.push_back(static_cast<int>(triangles_.size()));
      triangles_.emplace_back();
    }
    for (std::size_t k = 0; k < border_.size(); ++k) {
      const auto [a, b, beyond] = border_[k];
      Triangle fresh;
      fresh.corners = {vertex, a, b};
      fresh.neighbors[0] = beyond;
      Triangle& other = triangle(beyond);
      for (std::size_t j = 0; j < 3; ++j)
        if (other.corners[j] != a && other.corners[j] != b) other.neighbors[j] = cavity_[k];
      triangle(cavity_[k]) = fresh;
      spokes_[static_cast<std::size_t>(a + 1)] = cavity_[k];
    }
    for (std::size_t k = 0; k < border_.size(); ++k) {  // the next triangle around the vertex starts at b
      const int next = spokes_[static_cast<std::size_t>(border_[k][1] + 1)];
      triangle(cavity_[k]).neighbors[1] = next;
      triangle(next).neighbors[2] = cavity_[k];
    }
    last_ = cavity_[0];
  }

  std::vector<GridPoint> points_;
  std::vector<Triangle> triangles_;
  std::vector<int> cavity_;                 ///< triangles in conflict, then their replacements
  std::vector<std::array<int, 3>> border_;  ///< sides of the cavity: from, to, the triangle beyond
  std::vector<int> spokes_;                 ///< new triangle whose border side starts at a vertex (infinity is 0)
  int last_ = 0;
};

}  // namespace

std::vector<std::array<int, 3>> delaunay(const std::vector<Vec<2>>& points) {
  return Triangulation(snapped(points)).triangles();
}

}  // namespace tendril::geometry
