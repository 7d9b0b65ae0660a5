// Converts a MAT-DiSMech geometry text or a Wavefront text to a scene: rods of points, a shell of triangles, welds
// where rods branch, close or end on the shell, a material and gravity, ready to run.
#include <map>

#include "geometry/triangle_mesh.h"
#include "scene/import/geometry.h"
#include "scene/import/wavefront.h"
#include "scene/load/load.h"
#include "scene/resolve/expand_writer.h"
#include "text/document.h"
#include "text/words.h"

namespace tendril::scene {

namespace {

constexpr const char* standardMaterial = R"({"youngs": 2000000, "poisson": 0.5, "density": 1200})";

/// The content of a text: rods as paths of its nodes, and one shell.
struct Shapes {
  std::string source;  ///< "a geometry text with 3 nodes, 2 edges and 0 triangles"
  Geometry geometry;
  std::vector<std::vector<int>> paths;
  geometry::TriangleMesh mesh;
};

std::string rodName(std::size_t rod, std::size_t count) { return count == 1 ? "rod" : "rod" + std::to_string(rod + 1); }

std::string writePoint(double x, double y, double z) {
  return "[" + text::formatNumber(x) + ", " + text::formatNumber(y) + ", " + text::formatNumber(z) + "]";
}

std::string writePoint(const std::array<double, 3>& p) { return writePoint(p[0], p[1], p[2]); }

/// Points that meet: ends of rods at a branch, where a loop closes, and on the shell.
std::vector<std::vector<std::string>> findWelds(const Shapes& shapes) {
  std::map<int, std::vector<std::string>> endsAt;
  for (std::size_t r = 0; r < shapes.paths.size(); ++r) {
    endsAt[shapes.paths[r].front()].push_back(rodName(r, shapes.paths.size()) + ":first");
    endsAt[shapes.paths[r].back()].push_back(rodName(r, shapes.paths.size()) + ":last");
  }
  const std::vector<bool> onShell = shapes.geometry.onShell();
  std::vector<std::vector<std::string>> welds;
  for (auto& [node, ends] : endsAt) {
    const std::size_t k = static_cast<std::size_t>(node);
    if (onShell[k]) ends.push_back("shell@" + writePoint(shapes.geometry.nodes[k]));
    if (ends.size() > 1) welds.push_back(std::move(ends));
  }
  return welds;
}

std::string writeRods(const Shapes& shapes) {
  std::string text;
  for (std::size_t r = 0; r < shapes.paths.size(); ++r) {
    text += r > 0 ? "," : "";
    text += "\n    " + quoteJson(rodName(r, shapes.paths.size())) +
            ": {\"section\": {\"circle\": {\"radius\": 0.001}}, \"path\": {\"points\": [";
    for (std::size_t k = 0; k < shapes.paths[r].size(); ++k)
      text += (k > 0 ? ",\n      " : "\n      ") +
              writePoint(shapes.geometry.nodes[static_cast<std::size_t>(shapes.paths[r][k])]);
    text += "]}}";
  }
  return text;
}

std::string writeShell(const geometry::TriangleMesh& mesh) {
  std::string text = "\n    \"shell\": {\"thickness\": 0.001, \"mesh\": {\"points\": [";
  for (std::size_t v = 0; v < mesh.points.size(); ++v) {
    const Vec3& p = mesh.points[v];
    text += (v > 0 ? ",\n      " : "\n      ") + writePoint(p.x(), p.y(), p.z());
  }
  text += "], \"triangles\": [";
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    text += (t > 0 ? ",\n      [" : "\n      [") + std::to_string(a) + ", " + std::to_string(b) + ", " +
            std::to_string(c) + "]";
  }
  return text + "]}}";
}

std::string writeJoints(const std::vector<std::vector<std::string>>& welds) {
  std::string text;
  for (const std::vector<std::string>& weld : welds) {
    text += text.empty() ? "\n    {\"weld\": [" : ",\n    {\"weld\": [";
    for (std::size_t k = 0; k < weld.size(); ++k) text += (k > 0 ? ", " : "") + quoteJson(weld[k]);
    text += "]}";
  }
  return text;
}

std::string describeImport(const Shapes& shapes, bool materialGiven) {
  const bool rods = !shapes.paths.empty(), shell = !shapes.mesh.triangles.empty();
  return "Imported from " + shapes.source + ", coordinates in meters. The text says nothing of " +
         (materialGiven ? "" : "the material (here: silicone-like, E = 2 MPa, Poisson's ratio 0.5, 1200 kg/m^3), ") +
         (rods ? "sections (here: circles of radius 1 mm), " : "") + (shell ? "thickness (here: 1 mm), " : "") +
         "supports (here: none, everything falls) and loads (here: gravity): edit them.";
}

std::string writeScene(const Shapes& shapes, const std::string& material, bool materialGiven) {
  const bool rods = !shapes.paths.empty(), shell = !shapes.mesh.triangles.empty();
  std::string text = "{\n  \"format\": \"tendril/1\",\n  \"title\": \"Imported geometry\",\n  \"description\": " +
                     quoteJson(describeImport(shapes, materialGiven)) +
                     ",\n  \"materials\": {\"material\": " + material + "},\n";
  if (rods) text += "  \"rods\": {" + writeRods(shapes) + "\n  },\n";
  if (shell) text += "  \"shells\": {" + writeShell(shapes.mesh) + "\n  },\n";
  const std::vector<std::vector<std::string>> welds = findWelds(shapes);
  if (!welds.empty()) text += "  \"joints\": [" + writeJoints(welds) + "\n  ],\n";
  text +=
      "  \"environment\": {\"gravity\": [0, 0, -9.81]},\n  \"solver\": {\"dt\": 0.01, \"duration\": 1},\n"
      "  \"probes\": {";
  if (rods) text += "\"end\": {\"position\": " + quoteJson(rodName(0, shapes.paths.size()) + ":last") + "}";
  if (shell) text += std::string(rods ? ", " : "") + "\"middle\": {\"position\": \"shell\"}";
  return text + "}\n}\n";
}

/// The material as JSON on one line, or its problems.
std::variant<std::string, Problems> readMaterial(std::string_view text) {
  auto parsed = text::Document::parse(std::string(text));
  if (auto* problems = std::get_if<Problems>(&parsed)) {
    for (Problem& problem : *problems) problem.message = "in the material: " + problem.message;
    return std::move(*problems);
  }
  const text::Document& document = std::get<text::Document>(parsed);
  if (!document.root().isObject())
    return Problems{document.problem(document.root(),
                                     "the material must be an object, such as {\"youngs\": 2e6, \"density\": 1200}")};
  std::string written = writeJson(document.root());
  while (!written.empty() && written.back() == '\n') written.pop_back();
  return written;
}

/// Flips triangles so that neighbors agree; faults of the mesh become problems at this line.
void makeValid(geometry::TriangleMesh& mesh, const geometry::MeshNumbers& numbers, int line, Problems& problems) {
  if (mesh.triangles.empty()) return;
  for (const std::string& error : geometry::checkMesh(mesh, numbers).errors) {
    Problem problem;
    problem.message = "the triangles make no shell: " + error;
    problem.line = line;
    problems.push_back(std::move(problem));
  }
}

/// The triangles of a geometry text with the nodes that they use.
geometry::TriangleMesh meshOf(const Geometry& geometry, geometry::MeshNumbers& numbers) {
  geometry::TriangleMesh mesh;
  std::vector<int> vertexOf(geometry.nodes.size(), -1);
  const std::vector<bool> onShell = geometry.onShell();
  for (std::size_t node = 0; node < onShell.size(); ++node) {
    if (!onShell[node]) continue;
    const std::array<double, 3>& p = geometry.nodes[node];
    vertexOf[node] = static_cast<int>(mesh.points.size());
    mesh.points.emplace_back(p[0], p[1], p[2]);
    numbers.vertices.push_back(static_cast<int>(node) + 1);
  }
  for (const Geometry::Triangle& triangle : geometry.triangles) {
    std::array<int, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) corners[k] = vertexOf[static_cast<std::size_t>(triangle.nodes[k])];
    mesh.triangles.push_back(corners);
    numbers.triangles.push_back(static_cast<int>(mesh.triangles.size()));
  }
  return mesh;
}

std::variant<Shapes, Problems> readGeometryShapes(std::string_view text) {
  Problems problems;
  Shapes shapes;
  shapes.geometry = readGeometry(text, problems);
  if (!problems.empty()) return problems;
  const Geometry& geometry = shapes.geometry;
  geometry::MeshNumbers numbers;
  shapes.mesh = meshOf(geometry, numbers);
  makeValid(shapes.mesh, numbers, geometry.triangles.empty() ? 1 : geometry.triangles[0].line, problems);
  if (!problems.empty()) return problems;
  shapes.paths = chainEdges(geometry);
  shapes.source = "a geometry text with " + std::to_string(geometry.nodes.size()) + " nodes, " +
                  std::to_string(geometry.edges.size()) + " edges and " + std::to_string(geometry.triangles.size()) +
                  " triangles";
  return shapes;
}

std::variant<Shapes, Problems> readWavefrontShapes(std::string_view text) {
  geometry::MeshNumbers numbers;
  auto read = readWavefront(text, &numbers);
  if (auto* wrong = std::get_if<Problems>(&read)) return std::move(*wrong);
  Problems problems;
  Shapes shapes;
  shapes.mesh = std::move(std::get<geometry::TriangleMesh>(read));
  makeValid(shapes.mesh, numbers, 1, problems);
  if (!problems.empty()) return problems;
  shapes.source = "a Wavefront text with " + std::to_string(shapes.mesh.points.size()) + " vertices and " +
                  std::to_string(shapes.mesh.triangles.size()) + " triangles";
  return shapes;
}

}  // namespace

std::variant<std::string, Problems> importGeometry(std::string_view text, std::string_view material) {
  auto read = looksLikeWavefront(text) ? readWavefrontShapes(text) : readGeometryShapes(text);
  if (auto* wrong = std::get_if<Problems>(&read)) return std::move(*wrong);
  std::string written = standardMaterial;
  if (!material.empty()) {
    auto given = readMaterial(material);
    if (auto* wrong = std::get_if<Problems>(&given)) return std::move(*wrong);
    written = std::get<std::string>(given);
  }
  const std::string scene = writeScene(std::get<Shapes>(read), written, !material.empty());
  const auto loaded = loadScene(scene);
  const auto* wrong = std::get_if<Problems>(&loaded);
  if (!wrong) return writeJson(std::get<text::Document>(text::Document::parse(scene)).root());
  Problems problems;
  for (const Problem& problem : *wrong) {
    Problem reported;  // positions in the generated scene mean nothing to the reader
    reported.message =
        (problem.pointer.compare(0, 10, "/materials") == 0 ? "in the material: " : "the geometry makes no scene: ") +
        problem.message;
    problems.push_back(std::move(reported));
  }
  return problems;
}

}  // namespace tendril::scene
