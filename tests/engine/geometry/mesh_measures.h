// Measures of triangle meshes that the tests of the generators share.
#pragma once

#include <algorithm>
#include <cmath>
#include <set>

#include "geometry/triangle_mesh.h"

namespace tendril::geometry {

struct MeshMeasures {
  double area = 0;          ///< sum over the triangles [m^2]
  double leastAngle = 180;  ///< [degrees]
  double shortest = 1e300, longest = 0, meanEdge = 0;
  double leastNormal = 2;  ///< smallest component of a unit normal along `normal`
  int borders = 0;         ///< border edges
  int euler = 0;           ///< vertices - edges + triangles
};

inline MeshMeasures measure(const TriangleMesh& mesh, const Vec3& normal) {
  MeshMeasures out;
  const MeshTopology topology = meshTopology(mesh.triangles);
  const auto point = [&](int v) { return mesh.points.at(static_cast<std::size_t>(v)); };
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vec3 doubled = (point(b) - point(a)).cross(point(c) - point(a));
    out.area += doubled.norm() / 2;
    out.leastNormal = std::min(out.leastNormal, doubled.normalized().dot(normal.normalized()));
    const Vec3 p[3] = {point(a), point(b), point(c)};
    for (int k = 0; k < 3; ++k) {
      const Vec3 u = (p[(k + 1) % 3] - p[k]).normalized(), v = (p[(k + 2) % 3] - p[k]).normalized();
      out.leastAngle = std::min(out.leastAngle, std::acos(std::clamp(u.dot(v), -1.0, 1.0)) * 180 / pi);
    }
  }
  for (const MeshEdge& edge : topology.edges) {
    const double length = (point(edge.b) - point(edge.a)).norm();
    out.shortest = std::min(out.shortest, length);
    out.longest = std::max(out.longest, length);
    out.meanEdge += length / static_cast<double>(topology.edges.size());
    out.borders += edge.isBorder();
  }
  out.euler = static_cast<int>(mesh.points.size()) - static_cast<int>(topology.edges.size()) +
              static_cast<int>(mesh.triangles.size());
  return out;
}

}  // namespace tendril::geometry
