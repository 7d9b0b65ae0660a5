// A search of limited length from every edge along the structure. Pairs are found from their thicker edge, so that one
// thick rod does not lengthen the searches from all thin ones.
#include "contact/exclusions.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "contact/point_triangle.h"
#include "contact/segment_distance.h"

namespace tendril::contact {

namespace {

constexpr double arcFactor = 0.5 * pi, jointFactor = 4;

/// Shortest paths from one edge along the others, by Dijkstra's method with a limit.
class Walk {
 public:
  Walk(std::span<const std::array<int, 2>> edges, std::span<const double> lengths, int nodes)
      : edges_(edges), lengths_(lengths), starts_(nodes + 1, 0), incident_(2 * edges.size()) {
    for (const auto& e : edges) ++starts_[e[0] + 1], ++starts_[e[1] + 1];
    for (int n = 0; n < nodes; ++n) starts_[n + 1] += starts_[n];
    std::vector<int> next(starts_.begin(), starts_.end() - 1);
    for (int i = 0; i < static_cast<int>(edges.size()); ++i) {
      incident_[next[edges[i][0]]++] = i;
      incident_[next[edges[i][1]]++] = i;
    }
    distance_.assign(nodes, std::numeric_limits<double>::infinity());
    seen_.assign(edges.size(), -1);
  }

  /// Calls meet(j, g) once for every other edge with g < limit.
  template <class Meet>
  void from(int i, double limit, const Meet& meet) {
    seen_[i] = i;
    for (const int node : edges_[i]) reach(node, 0);
    spread(limit, [&](int node, double g) {
      for (int k = starts_[node]; k < starts_[node + 1]; ++k) {
        const int j = incident_[k];
        // Nodes come in order of distance: the first end met is the nearer one.
        if (seen_[j] != i) seen_[j] = i, meet(j, g);
      }
    });
  }

  /// Calls meet(node, g) once for every node with g < limit, the start first.
  template <class Meet>
  void fromNode(int node, double limit, const Meet& meet) {
    reach(node, 0);
    spread(limit, meet);
  }

 private:
  template <class Visit>
  void spread(double limit, const Visit& visit) {
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
      const auto [g, node] = heap_.back();
      heap_.pop_back();
      if (g > distance_[node]) continue;
      visit(node, g);
      for (int k = starts_[node]; k < starts_[node + 1]; ++k) {
        const int j = incident_[k];
        const double next = g + lengths_[j];
        if (next < limit) reach(edges_[j][0] == node ? edges_[j][1] : edges_[j][0], next);
      }
    }
    for (const int node : touched_) distance_[node] = std::numeric_limits<double>::infinity();
    touched_.clear();
  }

  void reach(int node, double g) {
    if (g >= distance_[node]) return;
    if (distance_[node] == std::numeric_limits<double>::infinity()) touched_.push_back(node);
    distance_[node] = g;
    heap_.emplace_back(g, node);
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }

  std::span<const std::array<int, 2>> edges_;
  std::span<const double> lengths_;
  std::vector<int> starts_, incident_;  // edges at each node
  std::vector<double> distance_;
  std::vector<int> touched_, seen_;
  std::vector<std::pair<double, int>> heap_;
};

}  // namespace

Exclusions::Exclusions(std::span<const std::array<int, 2>> edges, std::span<const double> lengths,
                       std::span<const double> radii, std::span<const Vec3> nodes, const ReachOf& reach) {
  const int count = static_cast<int>(edges.size());
  Walk walk(edges, lengths, static_cast<int>(nodes.size()));
  std::vector<std::array<int, 2>> pairs;
  const auto touch = [&](int i, int j) {
    const auto at = [&](int e, int end) -> const Vec3& { return nodes[edges[e][end]]; };
    const double distance =
        segmentDistance(at(i, 0), at(i, 1), at(j, 0), at(j, 1), lengths[i] * lengths[i], lengths[j] * lengths[j])
            .distance;
    return distance - radii[i] - radii[j] < reach(i, j);
  };
  for (int i = 0; i < count; ++i) {
    walk.from(i, 2 * jointFactor * radii[i], [&](int j, double g) {
      const bool fromOther = radii[j] > radii[i] || (radii[j] == radii[i] && j < i);
      if (fromOther) return;
      const double r = radii[i] + radii[j];
      if (g == 0 || g < arcFactor * r || (g < jointFactor * r && touch(i, j))) {
        pairs.push_back({std::min(i, j), std::max(i, j)});
      }
    });
  }
  std::sort(pairs.begin(), pairs.end());
  starts_.assign(count + 1, 0);
  partners_.reserve(pairs.size());
  for (const auto& p : pairs) {
    ++starts_[p[0] + 1];
    partners_.push_back(p[1]);
  }
  for (int i = 0; i < count; ++i) starts_[i + 1] += starts_[i];
}

bool Exclusions::excluded(int i, int j) const {
  if (i == j) return true;
  const int first = std::min(i, j), second = std::max(i, j);
  return std::binary_search(partners_.begin() + starts_[first], partners_.begin() + starts_[first + 1], second);
}

PointExclusions::PointExclusions(const ContactMesh& mesh, std::span<const Vec3> nodes, const ReachOf& reach)
    : starts_(mesh.points.size() + 1, 0) {
  if (mesh.triangles.empty()) return;
  std::vector<std::array<int, 2>> edges;
  std::vector<double> lengths;
  for (const ContactMesh::Edge& e : mesh.edges) edges.push_back(e.nodes), lengths.push_back(e.length);
  Walk walk(edges, lengths, static_cast<int>(nodes.size()));
  std::vector<std::vector<int>> around(nodes.size());  // triangles of each node
  double thickest = 0;
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
    for (const int n : mesh.triangles[t].nodes) around[n].push_back(t);
    thickest = std::max(thickest, mesh.triangles[t].radius);
  }
  std::vector<int> own, met(mesh.triangles.size(), -1);
  for (int i = 0; i < static_cast<int>(mesh.points.size()); ++i) {
    const ContactMesh::Point& p = mesh.points[i];
    own.clear();
    // Nodes come in order of distance: the first corner met is the nearest one.
    walk.fromNode(p.node, jointFactor * (p.radius + thickest), [&](int node, double g) {
      for (const int t : around[node]) {
        if (met[t] == i) continue;
        met[t] = i;
        const auto& corners = mesh.triangles[t].nodes;
        const double r = p.radius + mesh.triangles[t].radius;
        const auto touch = [&] {
          const double distance =
              pointTriangleDistance(nodes[p.node], nodes[corners[0]], nodes[corners[1]], nodes[corners[2]]).distance;
          return distance - r < reach(p.body, mesh.triangles[t].body);
        };
        if (g == 0 || g < arcFactor * r || (g < jointFactor * r && touch())) own.push_back(t);
      }
    });
    std::sort(own.begin(), own.end());
    triangles_.insert(triangles_.end(), own.begin(), own.end());
    starts_[i + 1] = static_cast<int>(triangles_.size());
  }
}

bool PointExclusions::excluded(int point, int triangle) const {
  return std::binary_search(triangles_.begin() + starts_[point], triangles_.begin() + starts_[point + 1], triangle);
}

}  // namespace tendril::contact
