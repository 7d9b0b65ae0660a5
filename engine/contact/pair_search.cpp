#include "contact/pair_search.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "contact/sweep.h"
#include "geometry/invariants.h"

namespace tendril::contact {
namespace {

std::vector<std::array<int, 2>> edgeNodes(const ContactMesh& mesh) {
  std::vector<std::array<int, 2>> nodes;
  for (const ContactMesh::Edge& e : mesh.edges) nodes.push_back(e.nodes);
  return nodes;
}

std::vector<double> edgeValues(const ContactMesh& mesh, double ContactMesh::Edge::*member) {
  std::vector<double> values;
  for (const ContactMesh::Edge& e : mesh.edges) values.push_back(e.*member);
  return values;
}

/// Whether the segment a b crosses the interior of the triangle: a and b lie on opposite sides of its plane, and the
/// turns around the segment at all three corners agree. A segment that lies in the plane to round-off does not.
bool pierces(const Vec3& a, const Vec3& b, const Vec3& p, const Vec3& q, const Vec3& r) {
  const Vec3 normal = (q - p).cross(r - p), d = b - a;
  const double above = normal.dot(a - p), below = normal.dot(b - p);
  const double far = std::max({a.norm(), b.norm(), p.norm(), q.norm(), r.norm()});
  const double digits = 16 * std::numeric_limits<double>::epsilon() * normal.norm() * far;
  if (above * below > 0 || (std::abs(above) <= digits && std::abs(below) <= digits)) return false;
  const double u = d.dot((p - a).cross(q - a)), v = d.dot((q - a).cross(r - a)), w = d.dot((r - a).cross(p - a));
  return (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
}

}  // namespace

PairSearch::PairSearch(const ContactMesh& mesh, std::span<const Vec3> initial, const ReachOf& reach)
    : mesh_(mesh),
      edgeExclusions_(edgeNodes(mesh), edgeValues(mesh, &ContactMesh::Edge::length),
                      edgeValues(mesh, &ContactMesh::Edge::radius), initial,
                      [&](int i, int j) { return reach(mesh.edges[i].body, mesh.edges[j].body); }),
      pointExclusions_(mesh, initial, reach) {
  for ([[maybe_unused]] const ContactMesh::Edge& edge : mesh.edges)
    assert(geometry::allInRange(edge.nodes, initial.size()));
  for ([[maybe_unused]] const ContactMesh::Triangle& triangle : mesh.triangles)
    assert(geometry::allInRange(triangle.nodes, initial.size()));
}

PairSearch::Among PairSearch::everything(const ContactMesh& mesh) {
  const auto all = [](std::size_t n) {
    std::vector<int> list(n);
    std::iota(list.begin(), list.end(), 0);
    return list;
  };
  return {all(mesh.points.size()), all(mesh.edges.size()), all(mesh.triangles.size())};
}

std::array<int, 4> PairSearch::nodes(const ContactPair& pair) const {
  if (pair.kind == ContactPair::Kind::edges) {
    assert(geometry::inRange(pair.i, mesh_.edges.size()) && geometry::inRange(pair.j, mesh_.edges.size()));
    const auto &a = mesh_.edges[pair.i].nodes, &b = mesh_.edges[pair.j].nodes;
    return {a[0], a[1], b[0], b[1]};
  }
  assert(geometry::inRange(pair.i, mesh_.points.size()) && geometry::inRange(pair.j, mesh_.triangles.size()));
  const auto& t = mesh_.triangles[pair.j].nodes;
  return {mesh_.points[pair.i].node, t[0], t[1], t[2]};
}

double PairSearch::radii(const ContactPair& pair) const {
  if (pair.kind == ContactPair::Kind::edges) return mesh_.edges[pair.i].radius + mesh_.edges[pair.j].radius;
  return mesh_.points[pair.i].radius + mesh_.triangles[pair.j].radius;
}

// Boxes of edges alone, then of points and triangles together.
template <class BoxOf, class Keep>
void PairSearch::search(const Among& among, BoxOf boxOf, Keep keep, std::vector<ContactPair>& pairs) {
  pairs.clear();
  boxes_.clear();
  for (const int i : among.edges) boxes_.push_back(boxOf(mesh_.edges[i].nodes, mesh_.edges[i].radius));
  broad_.find(boxes_, overlaps_);
  for (const auto& [a, b] : overlaps_) {
    const ContactPair pair{ContactPair::Kind::edges, among.edges[a], among.edges[b]};
    if (!edgeExclusions_.excluded(pair.i, pair.j) && keep(pair)) pairs.push_back(pair);
  }
  if (among.triangles.empty()) return;
  boxes_.clear();
  const int points = static_cast<int>(among.points.size());
  for (const int i : among.points)
    boxes_.push_back(boxOf(std::array<int, 1>{mesh_.points[i].node}, mesh_.points[i].radius));
  for (const int i : among.triangles) boxes_.push_back(boxOf(mesh_.triangles[i].nodes, mesh_.triangles[i].radius));
  broad_.find(boxes_, overlaps_);
  for (const auto& [a, b] : overlaps_) {
    if (a >= points || b < points) continue;
    const ContactPair pair{ContactPair::Kind::pointTriangle, among.points[a], among.triangles[b - points]};
    if (!pointExclusions_.excluded(pair.i, pair.j) && keep(pair)) pairs.push_back(pair);
  }
}

void PairSearch::near(const Among& among, std::span<const Vec3> x, double gap, std::vector<ContactPair>& pairs) {
  const auto boxOf = [&](const auto& nodes, double radius) {
    Box box{x[nodes[0]], x[nodes[0]]};
    for (const int n : nodes) box.low = box.low.cwiseMin(x[n]), box.high = box.high.cwiseMax(x[n]);
    const Vec3 wide = Vec3::Constant(radius + 0.5 * gap);
    return Box{box.low - wide, box.high + wide};
  };
  const auto keep = [&](const ContactPair& pair) {
    const auto n = nodes(pair);
    return centeredistance(pair.kind, {x[n[0]], x[n[1]], x[n[2]], x[n[3]]}) < radii(pair) + gap;
  };
  search(among, boxOf, keep, pairs);
}

void PairSearch::swept(const Among& among, std::span<const Vec3> x, std::span<const Vec3> dx,
                       std::vector<ContactPair>& pairs) {
  const auto boxOf = [&](const auto& nodes, double radius) {
    Box box{x[nodes[0]], x[nodes[0]]};
    for (const int n : nodes) {
      const Vec3 y = x[n] + dx[n];
      box.low = box.low.cwiseMin(x[n].cwiseMin(y)), box.high = box.high.cwiseMax(x[n].cwiseMax(y));
    }
    const Vec3 wide = Vec3::Constant(0.5 * radius);
    return Box{box.low - wide, box.high + wide};
  };
  search(
      among, boxOf, [](const ContactPair&) { return true; }, pairs);
}

std::optional<std::array<int, 2>> PairSearch::pierced(std::span<const Vec3> x) {
  if (mesh_.triangles.empty()) return std::nullopt;
  boxes_.clear();
  const int edges = static_cast<int>(mesh_.edges.size());
  const auto add = [&](const auto& nodes) {
    Box box{x[nodes[0]], x[nodes[0]]};
    for (const int n : nodes) box.low = box.low.cwiseMin(x[n]), box.high = box.high.cwiseMax(x[n]);
    boxes_.push_back(box);
  };
  for (const ContactMesh::Edge& e : mesh_.edges) add(e.nodes);
  for (const ContactMesh::Triangle& t : mesh_.triangles) add(t.nodes);
  broad_.find(boxes_, overlaps_);
  for (const auto& [i, k] : overlaps_) {
    if (i >= edges || k < edges) continue;
    const int j = k - edges;
    const auto& e = mesh_.edges[i].nodes;
    const auto& t = mesh_.triangles[j].nodes;
    if (pointExclusions_.excluded(e[0], j) || pointExclusions_.excluded(e[1], j)) continue;
    if (pierces(x[e[0]], x[e[1]], x[t[0]], x[t[1]], x[t[2]])) return std::array<int, 2>{i, j};
  }
  return std::nullopt;
}

}  // namespace tendril::contact
