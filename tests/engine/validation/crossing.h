// Did two centerlines pass through each other on the straight way between two states? Exact in time: the instants at
// which two edges lie in one plane are roots of a cubic, and the edges are looked at there. Independent of the engine.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "geometry/types.h"
#include "tendril/simulation.h"

namespace tendril::test {

/// Two segments a b and c d.
using Segments = std::array<Vec3, 4>;

inline double determinant(const Vec3& a, const Vec3& b, const Vec3& c) { return a.cross(b).dot(c); }

/// Ascending roots in [0, 1] of the polynomial c0 + c1 t + c2 t^2 + c3 t^3, those without a change of sign left out:
/// there the edges only touch a common plane. Between the derivative's roots the polynomial is monotone: bisection.
inline std::vector<double> crossingRoots(const std::array<double, 4>& c) {
  const auto value = [&](double t) { return c[0] + t * (c[1] + t * (c[2] + t * c[3])); };
  std::vector<double> cuts{0, 1};
  const double A = 3 * c[3], B = 2 * c[2], C = c[1], disc = B * B - 4 * A * C;
  if (disc >= 0) {
    const double q = -0.5 * (B + std::copysign(std::sqrt(disc), B));
    if (A != 0) cuts.push_back(q / A);
    if (q != 0) cuts.push_back(C / q);
  }
  cuts.erase(std::remove_if(cuts.begin(), cuts.end(), [](double t) { return !(t >= 0 && t <= 1); }), cuts.end());
  std::sort(cuts.begin(), cuts.end());
  std::vector<double> roots;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    double low = cuts[i], high = cuts[i + 1];
    const double start = value(low), end = value(high);
    if (start == 0 || start * end > 0) continue;
    for (int k = 0; k < 200 && high - low > 0; ++k) {
      const double middle = 0.5 * (low + high);
      if (middle <= low || middle >= high) break;
      (value(middle) * start > 0 ? low : high) = middle;
    }
    roots.push_back(high);
  }
  return roots;
}

inline Segments between(const Segments& x, const Segments& y, double t) {
  Segments out;
  for (int i = 0; i < 4; ++i) out[i] = (1 - t) * x[i] + t * y[i];
  return out;
}

/// Whether two coplanar segments meet, their parameters widened by `slack`.
inline bool meet(const Segments& x, double slack) {
  const Vec3 d = x[1] - x[0], e = x[3] - x[2], r = x[2] - x[0], n = d.cross(e);
  const double square = n.squaredNorm();
  if (!(square > 1e-24 * d.squaredNorm() * e.squaredNorm())) {  // parallel: on one line, and overlapping?
    if (r.cross(d).squaredNorm() > slack * slack * d.squaredNorm() * d.squaredNorm()) return false;
    const double s = r.dot(d) / d.squaredNorm(), t = (r + e).dot(d) / d.squaredNorm();
    return std::max(s, t) >= -slack && std::min(s, t) <= 1 + slack;
  }
  const double s = r.cross(e).dot(n) / square, t = r.cross(d).dot(n) / square;
  return s >= -slack && s <= 1 + slack && t >= -slack && t <= 1 + slack;
}

/// First instant in (0, 1] at which the segments cross while every end moves evenly from x to y; a negative number if
/// they do not. `slack` widens them by this part of their length against round-off.
inline double crossingTime(const Segments& x, const Segments& y, double slack = 1e-9) {
  const Vec3 d0 = x[1] - x[0], e0 = x[3] - x[2], r0 = x[2] - x[0];
  const Vec3 d1 = (y[1] - y[0]) - d0, e1 = (y[3] - y[2]) - e0, r1 = (y[2] - y[0]) - r0;
  const std::array<double, 4> cubic{
      determinant(d0, e0, r0), determinant(d1, e0, r0) + determinant(d0, e1, r0) + determinant(d0, e0, r1),
      determinant(d1, e1, r0) + determinant(d1, e0, r1) + determinant(d0, e1, r1), determinant(d1, e1, r1)};
  const double size = std::max({d0.norm(), e0.norm(), r0.norm(), d1.norm(), e1.norm(), r1.norm()});
  const double noise = 1e-15 * size * size * size;
  if (std::abs(cubic[0]) > noise || std::abs(cubic[1]) > noise || std::abs(cubic[2]) > noise ||
      std::abs(cubic[3]) > noise) {
    for (const double t : crossingRoots(cubic)) {
      if (t > 0 && meet(between(x, y, t), slack)) return t;
    }
    return -1;
  }
  // All in one plane throughout: then some end must pass through the other segment.
  Vec3 normal = Vec3::Zero();
  for (const Vec3& n :
       {d0.cross(e0), d0.cross(r0), e0.cross(r0), d0.cross(d1), d0.cross(r1), r0.cross(r1), e0.cross(e1)}) {
    if (n.squaredNorm() > normal.squaredNorm()) normal = n;
  }
  double first = -1;
  const int corners[4][3] = {{0, 2, 3}, {1, 2, 3}, {2, 0, 1}, {3, 0, 1}};
  for (const auto& k : corners) {
    const Vec3 p0 = x[k[0]] - x[k[1]], s0 = x[k[2]] - x[k[1]];
    const Vec3 p1 = (y[k[0]] - y[k[1]]) - p0, s1 = (y[k[2]] - y[k[1]]) - s0;
    for (const double t : crossingRoots(
             {normal.dot(p0.cross(s0)), normal.dot(p1.cross(s0) + p0.cross(s1)), normal.dot(p1.cross(s1)), 0})) {
      const Vec3 p = p0 + t * p1, s = s0 + t * s1;
      const double at = p.dot(s) / s.squaredNorm();
      if (t > 0 && at >= -slack && at <= 1 + slack && (first < 0 || t < first)) first = t;
    }
  }
  return first;
}

/// The centerlines of a scene's rods: places of nodes, edges between them. Edges that share a node (also by a joint,
/// where nodes coincide at the start) never count as crossing.
struct Centerlines {
  std::vector<Vec3> nodes;
  std::vector<std::array<int, 2>> edges;

  explicit Centerlines(const Simulation& sim) {
    for (const auto& body : sim.bodies()) {
      const int first = static_cast<int>(nodes.size()), count = static_cast<int>(body.nodes.size() / 3);
      for (int i = 0; i < count; ++i)
        nodes.emplace_back(body.nodes[3 * i], body.nodes[3 * i + 1], body.nodes[3 * i + 2]);
      for (int i = 0; i + 1 < count; ++i) edges.push_back({first + i, first + i + 1});
    }
  }
  Centerlines() = default;

  bool neighbors(int i, int j) const {
    for (const int a : edges[i]) {
      for (const int b : edges[j]) {
        if (a == b || nodes[a] == nodes[b]) return true;
      }
    }
    return false;
  }
};

struct Crossing {
  int first = -1, second = -1;  ///< edges
  double time = 0;              ///< part of the way
};

/// All pairs of edges that cross on the way between two states. Broad phase: sweep along the longest side over the
/// boxes that hold each edge throughout.
inline std::vector<Crossing> crossings(const Centerlines& from, const Centerlines& to) {
  struct Swept {
    Vec3 low, high;
    int edge;
  };
  std::vector<Swept> boxes;
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::max()), high = -low;
  for (int i = 0; i < static_cast<int>(from.edges.size()); ++i) {
    const auto [a, b] = from.edges[i];
    Swept s{from.nodes[a], from.nodes[a], i};
    for (const Vec3& x : {from.nodes[b], to.nodes[a], to.nodes[b]}) {
      s.low = s.low.cwiseMin(x), s.high = s.high.cwiseMax(x);
    }
    low = low.cwiseMin(s.low), high = high.cwiseMax(s.high);
    boxes.push_back(s);
  }
  Eigen::Index axis = 0;
  (high - low).maxCoeff(&axis);
  std::sort(boxes.begin(), boxes.end(), [axis](const Swept& p, const Swept& q) { return p.low[axis] < q.low[axis]; });
  std::vector<Crossing> found;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size() && boxes[j].low[axis] <= boxes[i].high[axis]; ++j) {
      if ((boxes[j].low.array() > boxes[i].high.array()).any() ||
          (boxes[i].low.array() > boxes[j].high.array()).any()) {
        continue;
      }
      const int p = std::min(boxes[i].edge, boxes[j].edge), q = std::max(boxes[i].edge, boxes[j].edge);
      if (from.neighbors(p, q)) continue;
      const auto ends = [&](const Centerlines& c) {
        return Segments{c.nodes[c.edges[p][0]], c.nodes[c.edges[p][1]], c.nodes[c.edges[q][0]], c.nodes[c.edges[q][1]]};
      };
      const double t = crossingTime(ends(from), ends(to));
      if (t >= 0) found.push_back({p, q, t});
    }
  }
  return found;
}

/// Runs a scene to `until` [s] and looks at the way between every two accepted states.
struct CrossingWatch {
  long steps = 0, crossings = 0;
  std::string first;  ///< where and when the first one was seen
  double depth = 0;   ///< largest penetration [m]
};

inline CrossingWatch watch(Simulation& sim, double until) {
  CrossingWatch out;
  Centerlines before(sim);
  while (!sim.finished() && sim.time() < until) {
    sim.step();
    Centerlines now(sim);
    for (const Crossing& c : crossings(before, now)) {
      if (!out.crossings++) {
        out.first = "edges " + std::to_string(c.first) + " and " + std::to_string(c.second) +
                    " at t = " + std::to_string(sim.time());
      }
    }
    before = std::move(now);
    ++out.steps;
  }
  out.depth = sim.maxPenetration();
  return out;
}

}  // namespace tendril::test
