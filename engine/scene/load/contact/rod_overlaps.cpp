// Rods that initially overlap each other or themselves, with self-contact: a sweep along the longest side of the scene
// finds the pairs of edges. Neighbors along a rod, or across a joint, do not count.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "geometry/sort_rows.h"
#include "scene/load/topics.h"
#include "scene/select/selector.h"

namespace tendril::scene {
namespace {

/// Edges closer than this part of the radii, along the rod or through a joint, are neighbors.
constexpr double neighborRadii = 2;
/// Centerlines closer than this part of the radii cross: there is no direction in which to separate them.
constexpr double crossing = 1e-3;
/// Beyond this many pairs of boxes the search stops with what it has found (thick rods of very short edges).
constexpr long mostTests = 100000000;

struct OverlapEdge {
  int rod = 0, edge = 0;
  double from = 0, to = 0;  ///< arc lengths of its ends [m]
  Vec3 a, b;
  double radius = 0;
  double low[3] = {}, high[3] = {};  ///< box around the tube
};

struct JointNode {
  int joint = 0;
  double s = 0;  ///< arc length on its rod [m]
};

/// Smallest distance between two segments.
double segmentsApart(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
  const Vec3 d = a1 - a0, e = b1 - b0, r = a0 - b0;
  const double dd = d.squaredNorm(), ee = e.squaredNorm(), de = d.dot(e), dr = d.dot(r), er = e.dot(r);
  const double det = dd * ee - de * de;
  const auto unit = [](double v) { return std::clamp(v, 0.0, 1.0); };
  double s = det > 1e-14 * dd * ee ? unit((de * er - ee * dr) / det) : 0;  // parallel: any s will do
  double t = (er + s * de) / ee;
  if (t < 0 || t > 1) {
    t = unit(t);
    s = unit((t * de - dr) / dd);
  }
  return (r + s * d - t * e).norm();
}

class RodSweep {
 public:
  explicit RodSweep(const LoadContext& context) : scene_(context.scene) {
    for (int r = 0; r < int(scene_.rods.size()); ++r) addRod(context, r);
    jointNodes_.resize(scene_.rods.size());
    for (std::size_t j = 0; j < scene_.joints.size(); ++j)
      for (const NodeRef node : scene_.joints[j].nodes)
        if (scene_.isRod(node.body))
          jointNodes_[std::size_t(node.body)].push_back({int(j), arc_[std::size_t(node.body)][std::size_t(node.node)]});
  }

  /// Calls found(first, second, distance of the centerlines) for every pair that overlaps; false where it gave up.
  template <class Found>
  bool run(const Found& found) {
    if (edges_.empty()) return true;
    long tests = 0;
    const int axis = longestAxis();
    geometry::sortRows(edges_,
                       [axis](const OverlapEdge& p, const OverlapEdge& q) { return p.low[axis] < q.low[axis]; });
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      const OverlapEdge& p = edges_[i];
      const double end = p.high[axis];
      for (std::size_t j = i + 1; j < edges_.size() && edges_[j].low[axis] <= end; ++j) {
        const OverlapEdge& q = edges_[j];
        if (++tests > mostTests) return false;
        if (apart(p, q) || alongOneRod(p, q)) continue;
        const double distance = segmentsApart(p.a, p.b, q.a, q.b), radii = p.radius + q.radius;
        if (distance < radii * (1 - touchTolerance) && !acrossAJoint(p, q)) found(p, q, distance);
      }
    }
    return true;
  }

 private:
  void addRod(const LoadContext& context, int r) {
    const Rod& rod = scene_.rods[std::size_t(r)];
    const std::vector<double> radii = contactRadii(context.scene, rod);
    arc_.push_back(arcLengths(rod.points));
    for (std::size_t e = 0; e < radii.size(); ++e) {
      OverlapEdge edge{r, int(e), arc_.back()[e], arc_.back()[e + 1], rod.points[e], rod.points[e + 1], radii[e]};
      for (int k = 0; k < 3; ++k) {
        edge.low[k] = std::min(edge.a[k], edge.b[k]) - edge.radius;
        edge.high[k] = std::max(edge.a[k], edge.b[k]) + edge.radius;
      }
      edges_.push_back(edge);
    }
  }

  /// Of the bounding box of everything.
  int longestAxis() const {
    int longest = 0;
    double most = -1;
    for (int k = 0; k < 3; ++k) {
      double low = edges_[0].low[k], high = edges_[0].high[k];
      for (const OverlapEdge& e : edges_) low = std::min(low, e.low[k]), high = std::max(high, e.high[k]);
      if (high - low > most) most = high - low, longest = k;
    }
    return longest;
  }

  static double along(const OverlapEdge& edge, double s) { return std::max({0.0, edge.from - s, s - edge.to}); }

  // These two run for every pair of the sweep, with plain comparisons: in WASM this file is compiled for size, where
  // vector expressions become calls.
  static bool apart(const OverlapEdge& p, const OverlapEdge& q) {
    for (int k = 0; k < 3; ++k)
      if (q.low[k] > p.high[k] || p.low[k] > q.high[k]) return true;
    return false;
  }

  static bool alongOneRod(const OverlapEdge& p, const OverlapEdge& q) {
    if (p.rod != q.rod) return false;
    const double gap = (p.from > q.from ? p.from : q.from) - (p.to < q.to ? p.to : q.to);
    return gap < neighborRadii * (p.radius + q.radius);
  }

  bool acrossAJoint(const OverlapEdge& p, const OverlapEdge& q) const {
    const double near = neighborRadii * (p.radius + q.radius);
    for (const JointNode& m : jointNodes_[std::size_t(p.rod)]) {
      const double first = along(p, m.s);
      if (first >= near) continue;
      for (const JointNode& n : jointNodes_[std::size_t(q.rod)])
        if (n.joint == m.joint && first + along(q, n.s) < near) return true;
    }
    return false;
  }

  const Scene& scene_;
  std::vector<OverlapEdge> edges_;
  std::vector<std::vector<double>> arc_;
  std::vector<std::vector<JointNode>> jointNodes_;
};

std::string edgesInWords(const Scene& scene, EdgeRef p, EdgeRef q) {
  const auto name = [&scene](EdgeRef e) {
    return "rod \"" + scene.rods[std::size_t(e.rod)].name + "\" edge " + std::to_string(e.edge);
  };
  return name(p) + " and " + (p.rod == q.rod ? "edge " + std::to_string(q.edge) : name(q));
}

/// The worst pair of a kind, and their number.
struct Pairs {
  long count = 0;
  double depth = -1;
  EdgeRef first, second;

  void add(const OverlapEdge& p, const OverlapEdge& q, double inside) {
    ++count;
    if (inside <= depth) return;
    depth = inside;
    first = {p.rod, p.edge};
    second = {q.rod, q.edge};
    if (std::pair(second.rod, second.edge) < std::pair(first.rod, first.edge)) std::swap(first, second);
  }
};

}  // namespace

void checkRodOverlaps(LoadContext& context) {
  const Scene& scene = context.scene;
  if (!scene.contact.self || !context.bodiesUsable) return;
  Pairs overlaps, crossings;
  const bool complete = RodSweep(context).run([&](const OverlapEdge& p, const OverlapEdge& q, double distance) {
    const double radii = p.radius + q.radius;
    overlaps.add(p, q, radii - distance);
    if (distance < crossing * radii) crossings.add(p, q, radii - distance);
  });
  if (!overlaps.count) return;
  const text::Value& self = *context.root.find("contact")->find("self");
  if (crossings.count) {
    context.problem(self,
                    "the centerlines of " + edgesInWords(scene, crossings.first, crossings.second) + " cross" +
                        (crossings.count > 1 ? " (and " + std::to_string(crossings.count - 1) + " more pairs)" : "") +
                        ", so contact cannot separate them; expected rods that start apart, or a \"weld\" or \"pin\" "
                        "of nodes where they meet");
    return;
  }
  context.warn(self, (complete ? "" : "at least ") + std::to_string(overlaps.count) +
                         (overlaps.count == 1 ? " pair" : " pairs") +
                         " of rod edges overlap at the start, deepest by " + lengthInWords(overlaps.depth) + ": " +
                         edgesInWords(scene, overlaps.first, overlaps.second) + "; contact will push them apart");
}

}  // namespace tendril::scene
