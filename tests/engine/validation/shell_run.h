// Shells for the validation tests: meshes mapped from a grid, written into scenes as text, and the benchmark shells.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/reference_files.h"
#include "engine/simulation/run_scene.h"
#include "engine/validation/statics_run.h"
#include "geometry/triangle_mesh.h"

namespace tendril::test {

/// The unit square in nu x nv cells, mapped by f(u, v); cells are halved by diagonals that alternate like a Union Jack,
/// which is symmetric about every line of the grid. `closed`: u = 1 is u = 0 again. Vertex i * (nv + 1) + j lies at
/// u = i / nu, v = j / nv. The normal is along df/du x df/dv.
inline geometry::TriangleMesh gridMesh(int nu, int nv, bool closed, const std::function<Vec3(double, double)>& f) {
  geometry::TriangleMesh mesh;
  const int columns = closed ? nu : nu + 1;
  for (int i = 0; i < columns; ++i)
    for (int j = 0; j <= nv; ++j) mesh.points.push_back(f(double(i) / nu, double(j) / nv));
  const auto vertex = [&](int i, int j) { return (i % columns) * (nv + 1) + j; };
  for (int i = 0; i < nu; ++i) {
    for (int j = 0; j < nv; ++j) {
      const int a = vertex(i, j), b = vertex(i + 1, j), c = vertex(i + 1, j + 1), d = vertex(i, j + 1);
      if ((i + j) % 2 == 0) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
      } else {
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({b, c, d});
      }
    }
  }
  return mesh;
}

/// The same in cells of four triangles around their middles; the corners come first, numbered as above.
inline geometry::TriangleMesh crossedMesh(int nu, int nv, bool closed, const std::function<Vec3(double, double)>& f) {
  geometry::TriangleMesh mesh = gridMesh(nu, nv, closed, f);
  mesh.triangles.clear();
  for (int i = 0; i < nu; ++i) {
    for (int j = 0; j < nv; ++j) {
      const int a = i * (nv + 1) + j, b = (closed && i + 1 == nu ? 0 : a - j + nv + 1) + j;
      const int ring[] = {a, b, b + 1, a + 1}, middle = int(mesh.points.size());
      mesh.points.push_back(f((i + 0.5) / nu, (j + 0.5) / nv));
      for (int k = 0; k < 4; ++k) mesh.triangles.push_back({ring[k], ring[(k + 1) % 4], middle});
    }
  }
  return mesh;
}

/// The mesh as the value of "mesh" in a scene, all digits.
inline std::string meshText(const geometry::TriangleMesh& mesh) {
  std::string text = "{\"points\": [";
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    const Vec3& p = mesh.points[i];
    text += (i ? ", [" : "[") + digits(p.x()) + ", " + digits(p.y()) + ", " + digits(p.z()) + "]";
  }
  text += "], \"triangles\": [";
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const auto& t = mesh.triangles[i];
    text += (i ? ", [" : "[") + std::to_string(t[0]) + ", " + std::to_string(t[1]) + ", " + std::to_string(t[2]) + "]";
  }
  return text + "]}";
}

/// The text of a generated rectangle.
inline std::string rectangleText(const std::string& corner, double along, double across, double edge,
                                 const std::string& pattern) {
  return filled(R"({"rectangle": {"corner": $corner, "along": [$along, 0, 0], "across": [0, $across, 0],
                    "edge": $edge, "pattern": "$pattern"}})",
                {{"corner", corner},
                 {"along", digits(along)},
                 {"across", digits(across)},
                 {"edge", digits(edge)},
                 {"pattern", pattern}});
}

inline const std::vector<std::string>& meshPatterns() {
  static const std::vector<std::string> names = {"equilateral", "equilateral-aligned", "right-isosceles", "random",
                                                 "nonuniform"};
  return names;
}

/// Limit of values that converge with a known order on meshes that are refined by `ratio`.
inline double extrapolated(double coarse, double fine, double order, double ratio = 2) {
  return fine + (fine - coarse) / (std::pow(ratio, order) - 1);
}

/// Rows of numbers of a CSV file of another program's shells, without comments and header.
inline std::vector<std::vector<double>> shellRows(const std::string& name) {
  std::ifstream in = referenceFile("mat-dismech/" + name);
  std::vector<std::vector<double>> out;
  std::string line;
  while (std::getline(in, line)) {
    if (line.empty() || !(std::isdigit(static_cast<unsigned char>(line[0])) || line[0] == '-')) continue;
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream cells(line);
    std::vector<double> row;
    for (double cell; cells >> cell;) row.push_back(cell);
    out.push_back(row);
  }
  return out;
}

}  // namespace tendril::test
