// Edges of triangle meshes, and the check that a mesh can be a shell: it finds what is wrong, describes it, and flips
// triangles until neighbors agree. Every pass is linear in the size of the mesh, up to hashing and one sort.
#include "geometry/triangle_mesh.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <unordered_map>

#include "geometry/invariants.h"
#include "geometry/sort_rows.h"

namespace tendril::geometry {

namespace {

constexpr int mostOfAKind = 10;
constexpr double coincidence = 1e-9;  ///< of the mesh's size
constexpr double flatness = 1e-9;     ///< smallest height over longest edge of a triangle with an area
constexpr double sliverDegrees = 1.0;

std::string number(long value) { return std::to_string(value); }

/// Names of vertices and triangles in messages.
class Names {
 public:
  explicit Names(MeshNumbers numbers) : numbers_(std::move(numbers)) {}
  std::string vertex(long v) const { return named(numbers_.vertices, v); }
  std::string triangle(long t) const { return named(numbers_.triangles, t); }
  std::string edge(int a, int b) const {
    return "the edge between vertices " + vertex(std::min(a, b)) + " and " + vertex(std::max(a, b));
  }

 private:
  static std::string named(const std::vector<int>& names, long k) {
    return number(k >= 0 && k < static_cast<long>(names.size()) ? names[static_cast<std::size_t>(k)] : k);
  }
  MeshNumbers numbers_;
};

std::uint64_t edgeKey(int a, int b) {
  const auto [low, high] = std::minmax(a, b);
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(low)) << 32 | static_cast<std::uint32_t>(high);
}

/// Messages of one kind: the first few, then the number of others.
class Kind {
 public:
  explicit Kind(std::vector<std::string>& messages) : messages_(messages) {}
  Kind(const Kind&) = delete;
  Kind& operator=(const Kind&) = delete;
  ~Kind() {
    if (count_ > mostOfAKind) messages_.push_back("and " + number(count_ - mostOfAKind) + " more like the last one");
  }
  void add(std::string message) {
    if (++count_ <= mostOfAKind) messages_.push_back(std::move(message));
  }
  bool full() const { return count_ >= mostOfAKind; }

 private:
  std::vector<std::string>& messages_;
  long count_ = 0;
};

/// An edge of a mesh that may be invalid: the first two triangles, and how many there are.
struct RawEdge {
  int a = 0, b = 0;
  std::array<int, 3> triangle = {-1, -1, -1};
  int count = 0;
};

struct RawEdges {
  std::vector<RawEdge> edges;
  std::vector<std::array<int, 3>> triangleEdges;
};

RawEdges collectEdges(const std::vector<std::array<int, 3>>& triangles) {
  RawEdges out;
  out.triangleEdges.resize(triangles.size());
  out.edges.reserve(triangles.size() * 3 / 2 + 3);
  std::unordered_map<std::uint64_t, int> known;
  known.reserve(triangles.size() * 2);
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = triangles[t][(k + 1) % 3], b = triangles[t][(k + 2) % 3];
      const auto [found, fresh] = known.try_emplace(edgeKey(a, b), static_cast<int>(out.edges.size()));
      if (fresh) {
        RawEdge edge;
        edge.a = a;
        edge.b = b;
        out.edges.push_back(edge);
      }
      RawEdge& edge = out.edges[static_cast<std::size_t>(found->second)];
      if (edge.count < 3) edge.triangle[static_cast<std::size_t>(edge.count)] = static_cast<int>(t);
      ++edge.count;
      out.triangleEdges[t][k] = found->second;
    }
  return out;
}

/// Whether the triangle runs through a and then b.
bool runsAlong(const std::array<int, 3>& triangle, int a, int b) {
  for (std::size_t k = 0; k < 3; ++k)
    if (triangle[k] == a && triangle[(k + 1) % 3] == b) return true;
  return false;
}

void checkNumbers(const TriangleMesh& mesh, const Names& names, MeshReport& report) {
  const long count = static_cast<long>(mesh.points.size());
  Kind range(report.errors);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (const int corner : mesh.triangles[t])
      if (corner < 0 || corner >= count) {
        range.add("triangle " + names.triangle(static_cast<long>(t)) + " names vertex " + number(corner) +
                  ", but there " +
                  (count == 0   ? "are none"
                   : count == 1 ? "is only one (0)"
                                : "are only " + number(count) + " (0 to " + number(count - 1) + ")"));
        break;
      }
  Kind finite(report.errors);
  for (std::size_t v = 0; v < mesh.points.size(); ++v)
    if (!mesh.points[v].allFinite())
      finite.add("vertex " + names.vertex(static_cast<long>(v)) +
                 " has no finite position: its coordinates must be numbers");
}

void checkCorners(const TriangleMesh& mesh, const Names& names, MeshReport& report) {
  Kind twice(report.errors);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    if (a == b || b == c || a == c)
      twice.add("triangle " + names.triangle(static_cast<long>(t)) + " has vertex " + names.vertex(a == b ? a : c) +
                " twice: a triangle needs three different corners");
  }
}

void checkDuplicates(const TriangleMesh& mesh, const Names& names, MeshReport& report) {
  std::vector<std::array<int, 4>> sorted(mesh.triangles.size());
  for (std::size_t t = 0; t < sorted.size(); ++t) {
    std::array<int, 3> corners = mesh.triangles[t];
    std::sort(corners.begin(), corners.end());
    sorted[t] = {corners[0], corners[1], corners[2], static_cast<int>(t)};
  }
  sortRows(sorted);
  Kind same(report.errors);
  for (std::size_t k = 1; k < sorted.size(); ++k)
    if (std::equal(sorted[k].begin(), sorted[k].begin() + 3, sorted[k - 1].begin()))
      same.add("triangles " + names.triangle(sorted[k - 1][3]) + " and " + names.triangle(sorted[k][3]) +
               " have the same corners: remove one of them");
}

void checkUse(const TriangleMesh& mesh, const Names& names, MeshReport& report) {
  std::vector<bool> used(mesh.points.size(), false);
  for (const std::array<int, 3>& triangle : mesh.triangles)
    for (const int corner : triangle) used[static_cast<std::size_t>(corner)] = true;
  Kind lone(report.errors);
  for (std::size_t v = 0; v < used.size(); ++v)
    if (!used[v])
      lone.add("vertex " + names.vertex(static_cast<long>(v)) + " belongs to no triangle: remove it, or give it one");
}

/// Diagonal of the box around the points [m].
double meshSize(const std::vector<Vec3>& points, Vec3& low) {
  low = points.front();
  Vec3 high = low;
  for (const Vec3& p : points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  return (high - low).norm();
}

/// Looks up every point among the earlier ones, in cells of twice the tolerance: eight cells contain all nearby points.
void checkPositions(const TriangleMesh& mesh, const Names& names, MeshReport& report) {
  Vec3 low;
  const double size = meshSize(mesh.points, low);
  Kind same(report.errors);
  if (!(size > 0) || !std::isfinite(size)) {
    same.add(size > 0 ? "the vertices are too far apart: coordinates are meters"
                      : "all vertices are at the same position: a mesh needs a size");
    return;
  }
  const double tolerance = coincidence * size, cell = 2 * tolerance;
  const auto key = [](const std::array<std::int64_t, 3>& at) {
    std::uint64_t hash = 0;
    for (const std::int64_t k : at)
      hash = (hash ^ static_cast<std::uint64_t>(k)) * 0x9E3779B97F4A7C15ULL + 0x632BE5ABULL;
    return hash ^ hash >> 29;
  };
  std::unordered_map<std::uint64_t, int> first;  // cells with the same key share a chain: distances decide
  first.reserve(mesh.points.size() * 2);
  std::vector<int> next(mesh.points.size(), -1);
  for (std::size_t v = 0; v < mesh.points.size(); ++v) {
    const Vec3 at = (mesh.points[v] - low) / cell;
    std::array<std::int64_t, 3> here{}, side{};
    for (std::size_t d = 0; d < 3; ++d) {
      const double whole = std::floor(at[static_cast<Eigen::Index>(d)]);
      here[d] = static_cast<std::int64_t>(whole);
      side[d] = at[static_cast<Eigen::Index>(d)] - whole < 0.5 ? -1 : 1;
    }
    for (std::size_t corner = 0; corner < 8; ++corner) {
      std::array<std::int64_t, 3> near = here;
      for (std::size_t d = 0; d < 3; ++d)
        if (corner >> d & 1) near[d] += side[d];
      const auto found = first.find(key(near));
      for (int w = found == first.end() ? -1 : found->second; w >= 0; w = next[static_cast<std::size_t>(w)]) {
        if ((mesh.points[static_cast<std::size_t>(w)] - mesh.points[v]).norm() >= tolerance) continue;
        same.add("vertices " + names.vertex(w) + " and " + names.vertex(static_cast<long>(v)) +
                 " are at the same position: use one of them for both");
        if (same.full()) return;  // many coincident points would take quadratic time
        break;
      }
    }
    const auto [slot, fresh] = first.try_emplace(key(here), static_cast<int>(v));
    if (!fresh) {
      next[v] = slot->second;
      slot->second = static_cast<int>(v);
    }
  }
}

void checkEdgeCounts(const RawEdges& raw, const Names& names, MeshReport& report) {
  Kind many(report.errors);
  for (const RawEdge& edge : raw.edges)
    if (edge.count > 2)
      many.add(names.edge(edge.a, edge.b) + " belongs to " + number(edge.count) + " triangles (" +
               names.triangle(edge.triangle[0]) + ", " + names.triangle(edge.triangle[1]) + ", " +
               names.triangle(edge.triangle[2]) + (edge.count > 3 ? ", ..." : "") +
               "): an edge can have two at most, make the sheets separate shells");
}

/// Traverses each connected piece from its first triangle and flips those that disagree with their predecessor.
void orient(TriangleMesh& mesh, const RawEdges& raw, const Names& names, MeshReport& report) {
  Kind moebius(report.errors);
  std::vector<bool> reached(mesh.triangles.size(), false);
  std::vector<int> turned, queue;
  for (std::size_t start = 0; start < mesh.triangles.size(); ++start) {
    if (reached[start]) continue;
    reached[start] = true;
    queue.assign(1, static_cast<int>(start));
    bool consistent = true;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const std::size_t t = static_cast<std::size_t>(queue[head]);
      for (const int e : raw.triangleEdges[t]) {
        const RawEdge& edge = raw.edges[static_cast<std::size_t>(e)];
        if (edge.count != 2) continue;
        const int other = edge.triangle[0] == static_cast<int>(t) ? edge.triangle[1] : edge.triangle[0];
        std::array<int, 3>& neighbor = mesh.triangles[static_cast<std::size_t>(other)];
        const bool agrees = runsAlong(mesh.triangles[t], edge.a, edge.b) != runsAlong(neighbor, edge.a, edge.b);
        if (!reached[static_cast<std::size_t>(other)]) {
          reached[static_cast<std::size_t>(other)] = true;
          queue.push_back(other);
          if (agrees) continue;
          std::swap(neighbor[1], neighbor[2]);
          turned.push_back(other);
        } else if (!agrees && consistent) {
          consistent = false;
          moebius.add("the piece with triangle " + names.triangle(static_cast<long>(start)) +
                      " has no two sides (a Moebius strip): triangles " + names.triangle(static_cast<long>(t)) +
                      " and " + names.triangle(other) + " disagree at " + names.edge(edge.a, edge.b) +
                      " however they are turned; cut the piece along a line of edges");
        }
      }
    }
  }
  report.flipped = static_cast<int>(turned.size());
  if (turned.empty()) return;
  std::sort(turned.begin(), turned.end());
  std::string list;
  for (std::size_t k = 0; k < turned.size() && k < mostOfAKind; ++k)
    list += (k > 0 ? ", " : "") + names.triangle(turned[k]);
  const bool one = turned.size() == 1;
  report.warnings.push_back(number(report.flipped) + (one ? " triangle was" : " triangles were") +
                            " turned so that neighbors agree which side is up: " + list +
                            (turned.size() > mostOfAKind ? ", ..." : ""));
}

void checkShapes(const TriangleMesh& mesh, const Names& names, MeshReport& report) {
  Kind flat(report.errors);
  long slivers = 0;
  std::size_t worst = 0;
  double least = sliverDegrees;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    std::array<Vec3, 3> p;
    for (std::size_t k = 0; k < 3; ++k) p[k] = mesh.points[static_cast<std::size_t>(mesh.triangles[t][k])];
    const Vec3 sides[3] = {p[2] - p[1], p[0] - p[2], p[1] - p[0]};
    const double doubled = sides[1].cross(sides[2]).norm();
    const double longest = std::max({sides[0].norm(), sides[1].norm(), sides[2].norm()});
    if (!(doubled > flatness * longest * longest)) {
      const auto& [a, b, c] = mesh.triangles[t];
      flat.add("triangle " + names.triangle(static_cast<long>(t)) + " has no area: its corners " + names.vertex(a) +
               ", " + names.vertex(b) + " and " + names.vertex(c) + " lie on a line");
      continue;
    }
    double angle = 180;
    for (std::size_t k = 0; k < 3; ++k)
      angle = std::min(angle, std::atan2(doubled, -sides[(k + 1) % 3].dot(sides[(k + 2) % 3])) * 57.29577951308232);
    if (angle >= sliverDegrees) continue;
    ++slivers;
    if (angle < least) {
      least = angle;
      worst = t;
    }
  }
  if (slivers == 0) return;
  char degrees[32];
  std::snprintf(degrees, sizeof degrees, "%.2g", least);
  report.warnings.push_back(
      (slivers == 1 ? ("triangle " + names.triangle(static_cast<long>(worst))) + " is a sliver (smallest angle "
                    : number(slivers) + " triangles are slivers (the worst is " +
                          ("triangle " + names.triangle(static_cast<long>(worst))) + ", smallest angle ") +
      degrees + " degrees): results near them are inaccurate, use better shaped triangles");
}

}  // namespace

MeshTopology meshTopology(const std::vector<std::array<int, 3>>& triangles) {
  const RawEdges raw = collectEdges(triangles);
  MeshTopology topology;
  topology.triangleEdges = raw.triangleEdges;
  topology.edges.reserve(raw.edges.size());
  for (const RawEdge& edge : raw.edges) {
    if (edge.count > 2)
      throw std::invalid_argument(Names({}).edge(edge.a, edge.b) + " belongs to more than two triangles");
    MeshEdge out;
    out.a = edge.a;
    out.b = edge.b;
    for (std::size_t k = 0; k < static_cast<std::size_t>(edge.count); ++k) {
      assert(inRange(edge.triangle[k], triangles.size()));
      const std::array<int, 3>& corners = triangles[static_cast<std::size_t>(edge.triangle[k])];
      if (k == 1 && runsAlong(corners, edge.a, edge.b))
        throw std::invalid_argument("the triangles at " + Names({}).edge(edge.a, edge.b) + " are turned differently");
      out.triangle[k] = edge.triangle[k];
      out.opposite[k] = corners[0] + corners[1] + corners[2] - edge.a - edge.b;
      assert(std::find(corners.begin(), corners.end(), out.opposite[k]) != corners.end());
    }
    topology.edges.push_back(out);
  }
  return topology;
}

MeshReport checkMesh(TriangleMesh& mesh, const MeshNumbers& numbers) {
  const Names names(numbers);
  MeshReport report;
  if (mesh.triangles.empty()) {
    report.errors.emplace_back("the mesh has no triangles: it needs at least one");
    return report;
  }
  checkNumbers(mesh, names, report);
  if (!report.errors.empty()) return report;
  checkCorners(mesh, names, report);
  checkDuplicates(mesh, names, report);
  checkUse(mesh, names, report);
  checkPositions(mesh, names, report);
  if (!report.errors.empty()) return report;  // the remaining checks would only repeat it
  const RawEdges raw = collectEdges(mesh.triangles);
  checkEdgeCounts(raw, names, report);
  orient(mesh, raw, names, report);
  checkShapes(mesh, names, report);
  return report;
}

}  // namespace tendril::geometry
