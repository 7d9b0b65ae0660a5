// Rectangles are generated in the unit square and mapped by their sides, polygons and disks ring by ring about their
// center. Irregular patterns come from mesh_scatter.h.
#include "geometry/mesh_shapes.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "geometry/mesh_scatter.h"

namespace tendril::geometry {

namespace {

constexpr double equilateralHeight = 0.86602540378443864676;  ///< relative to the edge

/// Number of parts of the desired length, at least one; a number above the limit for any direction stays large.
long parts(double length, double wanted) {
  return static_cast<long>(std::min(std::max(std::floor(length / wanted + 0.5), 1.0), 1e9));
}

void guard(double triangles) {
  if (triangles <= static_cast<double>(mostMeshTriangles)) return;
  std::string count = triangles < 1e9 ? std::to_string(static_cast<long>(triangles)) : "more than 1000000000";
  throw std::length_error("the mesh would have about " + count + " triangles, at most " +
                          std::to_string(mostMeshTriangles) + " are possible: choose a larger edge");
}

void need(bool good, const char* what) {
  if (!good) throw std::invalid_argument(what);
}

/// A parallelogram by its corner and sides.
struct Sheet {
  Vec3 corner, along, across;
  Vec3 at(double u, double v) const { return corner + u * along + v * across; }
};

/// Adds the triangle so that it is right-handed about along x across, for rows along either side.
void addTriangle(TriangleMesh& mesh, bool swapped, long a, long b, long c) {
  mesh.triangles.push_back({static_cast<int>(a), static_cast<int>(swapped ? c : b), static_cast<int>(swapped ? b : c)});
}

/// Rows of triangles along the first side (or, swapped, the second). Even rows have vertices at whole edges; odd rows
/// at half edges, and at both ends.
TriangleMesh rowsMesh(const Sheet& sheet, double length, double height, double edge, bool swapped) {
  const long count = parts(length, edge);
  // A side shorter than half the desired edge must not shorten the edges of the other side.
  const double met = count == 1 ? edge : length / static_cast<double>(count);
  const long rows = parts(height, met * equilateralHeight);
  guard(static_cast<double>(rows) * (2 * static_cast<double>(count) + 1));
  TriangleMesh mesh;
  std::vector<long> starts;
  for (long r = 0; r <= rows; ++r) {
    starts.push_back(static_cast<long>(mesh.points.size()));
    const double across = static_cast<double>(r) / static_cast<double>(rows);
    const bool odd = r % 2 == 1;
    for (long i = 0; i <= count + (odd ? 1 : 0); ++i) {
      const double position = odd ? std::min(std::max(static_cast<double>(i) - 0.5, 0.0), static_cast<double>(count))
                                  : static_cast<double>(i);
      const double along = position / static_cast<double>(count);
      mesh.points.push_back(swapped ? sheet.at(across, along) : sheet.at(along, across));
    }
  }
  for (long r = 0; r < rows; ++r) {
    // In every strip a row of whole edges meets a row of half edges; odd strips are upside down.
    const bool upsideDown = r % 2 == 1;
    const long whole = starts[static_cast<std::size_t>(upsideDown ? r + 1 : r)];
    const long half = starts[static_cast<std::size_t>(upsideDown ? r : r + 1)];
    for (long i = 0; i <= count; ++i) {
      addTriangle(mesh, swapped != upsideDown, whole + i, half + i + 1, half + i);
      if (i < count) addTriangle(mesh, swapped != upsideDown, whole + i, whole + i + 1, half + i + 1);
    }
  }
  return mesh;
}

TriangleMesh gridMesh(const Sheet& sheet, double length, double height, double edge) {
  const long columns = parts(length, edge), rows = parts(height, edge);
  guard(2 * static_cast<double>(columns) * static_cast<double>(rows));
  TriangleMesh mesh;
  for (long r = 0; r <= rows; ++r)
    for (long c = 0; c <= columns; ++c)
      mesh.points.push_back(sheet.at(static_cast<double>(c) / static_cast<double>(columns),
                                     static_cast<double>(r) / static_cast<double>(rows)));
  const long next = columns + 1;
  for (long r = 0; r < rows; ++r)
    for (long c = 0; c < columns; ++c) {
      const long a = r * next + c;
      addTriangle(mesh, false, a, a + 1, a + next + 1);
      addTriangle(mesh, false, a, a + next + 1, a + next);
    }
  return mesh;
}

/// An irregular mesh of the rectangle with these sides, sheared onto the sheet.
TriangleMesh irregularMesh(const Sheet& sheet, double length, double height, double edge, bool uneven) {
  guard(2.5 * (length / edge + 1) * (height / edge + 1));
  const Vec<2> size(length, height);
  PlaneMesh plane = uneven ? unevenMesh(size, edge) : scatteredMesh(size, edge);
  TriangleMesh mesh;
  mesh.triangles = std::move(plane.triangles);
  for (const Vec<2>& p : plane.points) mesh.points.push_back(sheet.at(p.x() / length, p.y() / height));
  return mesh;
}

/// Cosine and sine of k/n of a turn, with every symmetry of the circle exact and the values for a hexagon or a square
/// independent of the math library.
std::array<double, 2> turned(long k, long n) {
  k = (k % n + n) % n;
  if (2 * k > n) {
    const auto [c, s] = turned(n - k, n);
    return {c, -s};
  }
  if (4 * k > n) {
    const auto [c, s] = turned(n - 2 * k, 2 * n);
    return {-c, s};
  }
  if (8 * k > n) {
    const auto [c, s] = turned(n - 4 * k, 4 * n);
    return {s, c};
  }
  if (k == 0) return {1, 0};
  if (12 * k == n) return {equilateralHeight, 0.5};
  const double angle = 2 * pi * static_cast<double>(k) / static_cast<double>(n);
  return {std::cos(angle), std::sin(angle)};
}

/// The plane of a polygon: its center, and the unit vectors toward its first corner and a quarter turn further.
struct Plane {
  Vec3 center, first, second;
  Plane(const Vec3& at, const Vec3& normal, const Vec3& toward) : center(at) {
    need(normal.allFinite() && normal.norm() > 0, "the normal of a mesh needs a direction");
    const Vec3 n = normal.normalized();
    first = toward - n * n.dot(toward);
    if (!(first.norm() > 1e-9 * toward.norm())) first = Vec3::UnitX() - n * n.x();
    if (!(first.norm() > 1e-9)) first = Vec3::UnitY() - n * n.y();
    first = (first - n * n.dot(first)).normalized();
    second = n.cross(first);
  }
  Vec3 at(double x, double y) const { return center + x * first + y * second; }
};

/// Triangles between ring k - 1 and ring k of every sector; ring k has sides * k vertices after all rings before it.
void addRings(TriangleMesh& mesh, long sides, long rings) {
  const auto vertex = [sides](long ring, long i) {
    return ring == 0 ? 0 : 1 + sides * ring * (ring - 1) / 2 + i % (sides * ring);
  };
  for (long k = 1; k <= rings; ++k)
    for (long s = 0; s < sides; ++s)
      for (long i = 0; i < k; ++i) {
        const long out = s * k + i, in = s * (k - 1) + i;
        addTriangle(mesh, false, vertex(k - 1, in), vertex(k, out), vertex(k, out + 1));
        if (i + 1 < k) addTriangle(mesh, false, vertex(k - 1, in), vertex(k, out + 1), vertex(k - 1, in + 1));
      }
}

}  // namespace

TriangleMesh rectangleMesh(const Vec3& corner, const Vec3& along, const Vec3& across, double edge,
                           MeshPattern pattern) {
  const double length = along.norm(), area = along.cross(across).norm();
  need(std::isfinite(area) && corner.allFinite() && area > 1e-9 * length * across.norm(),
       "the sides of a rectangle must span an area");
  need(edge > 0, "the edge length of a mesh must be positive");
  const Sheet sheet = {corner, along, across};
  switch (pattern) {
    case MeshPattern::equilateral:
      return rowsMesh(sheet, length, area / length, edge, false);
    case MeshPattern::equilateralAligned:
      return rowsMesh(sheet, across.norm(), area / across.norm(), edge, true);
    case MeshPattern::rightIsosceles:
      return gridMesh(sheet, length, across.norm(), edge);
    case MeshPattern::random:
      return irregularMesh(sheet, length, area / length, edge, false);
    case MeshPattern::nonuniform:
      break;
  }
  return irregularMesh(sheet, length, area / length, edge, true);
}

TriangleMesh regularPolygonMesh(const Vec3& center, const Vec3& normal, double side, int sides, double edge,
                                const Vec3& toward) {
  need(sides >= 3, "a polygon needs three sides or more");
  need(side > 0 && edge > 0, "the side and the edge length of a polygon must be positive");
  const long rings = parts(side, edge);
  guard(static_cast<double>(sides) * static_cast<double>(rings) * static_cast<double>(rings));
  const Plane plane(center, normal, toward);
  const double radius = side / (2 * turned(1, 2 * static_cast<long>(sides))[1]);
  TriangleMesh mesh;
  mesh.points.push_back(center);
  for (long k = 1; k <= rings; ++k)
    for (long s = 0; s < sides; ++s) {
      const auto [c0, s0] = turned(s, sides);
      const auto [c1, s1] = turned(s + 1, sides);
      for (long i = 0; i < k; ++i) {
        // Weights of center and corners are integers, so that collinear points are so to the last bit.
        const double a = radius * static_cast<double>(k - i) / static_cast<double>(rings);
        const double b = radius * static_cast<double>(i) / static_cast<double>(rings);
        mesh.points.push_back(plane.at(a * c0 + b * c1, a * s0 + b * s1));
      }
    }
  addRings(mesh, sides, rings);
  return mesh;
}

TriangleMesh diskMesh(const Vec3& center, const Vec3& normal, double radius, double edge, const Vec3& toward) {
  need(radius > 0 && edge > 0, "the radius and the edge length of a disk must be positive");
  const long rings = parts(radius, edge);
  guard(6 * static_cast<double>(rings) * static_cast<double>(rings));
  const Plane plane(center, normal, toward);
  TriangleMesh mesh;
  mesh.points.push_back(center);
  for (long k = 1; k <= rings; ++k)
    for (long i = 0; i < 6 * k; ++i) {
      const auto [c, s] = turned(i, 6 * k);
      const double r = radius * static_cast<double>(k) / static_cast<double>(rings);
      mesh.points.push_back(plane.at(r * c, r * s));
    }
  addRings(mesh, 6, rings);
  return mesh;
}

}  // namespace tendril::geometry
