// The mesh of a shell: reads the numbers of a generated mesh, inline points and triangles, or a Wavefront text, and
// reports what is wrong with the mesh. Counts are limited before anything is allocated.
#include <cmath>

#include "geometry/mesh_shapes.h"
#include "scene/import/wavefront.h"
#include "scene/load/topics.h"

namespace tendril::scene {
namespace {

using MaybeMesh = std::optional<geometry::TriangleMesh>;  // empty: problems are already in the list

constexpr std::size_t mostMessages = 20;

/// False, with a problem, where a mesh of about that many vertices would be too large.
bool fits(LoadContext& context, const text::Value& at, double vertices, double nodesLeft,
          const std::string& fix = "expected a longer \"edge\"") {
  if (vertices <= nodesLeft) return true;
  context.problem(at, "this mesh would have about " + inWords(vertices) + " vertices, and a scene has at most " +
                          std::to_string(mostNodes) + " nodes; " + fix);
  return false;
}

std::optional<Vec3> vectorAt(LoadContext& context, const text::Value& shape, std::string_view key, bool direction) {
  const text::Value* value = shape.find(key);
  if (value) return direction ? context.direction(*value, key) : context.point(*value);
  context.problem(shape, "\"" + std::string(key) + "\" is missing; expected three numbers [x, y, z]");
  return std::nullopt;
}

geometry::MeshPattern patternOf(LoadContext& context, const text::Value& shape) {
  const std::string name = context.textAt(shape, "pattern");
  if (name == "equilateral-aligned") return geometry::MeshPattern::equilateralAligned;
  if (name == "right-isosceles") return geometry::MeshPattern::rightIsosceles;
  if (name == "random") return geometry::MeshPattern::random;
  return name == "nonuniform" ? geometry::MeshPattern::nonuniform : geometry::MeshPattern::equilateral;
}

MaybeMesh rectangle(LoadContext& context, const text::Value& shape, double nodesLeft) {
  const auto corner = vectorAt(context, shape, "corner", false);
  const auto along = vectorAt(context, shape, "along", true), across = vectorAt(context, shape, "across", true);
  const auto edge = context.neededAt(shape, "shells.mesh.rectangle", "edge");
  if (!corner || !along || !across || !edge) return std::nullopt;
  const double a = along->norm(), b = across->norm();
  if (!(along->normalized().cross(across->normalized()).norm() > 1e-6)) {
    context.problem(*shape.find("across"), "\"across\" is parallel to \"along\"; expected two sides of a rectangle");
    return std::nullopt;
  }
  // Rows of equilateral triangles are sqrt(3)/2 of an edge apart; the graded pattern is less than twice as dense.
  const geometry::MeshPattern pattern = patternOf(context, shape);
  const double denser = pattern == geometry::MeshPattern::nonuniform ? 2 : 1;
  if (!fits(context, shape, denser * (a / *edge + 1) * (b / (0.866 * *edge) + 1), nodesLeft)) return std::nullopt;
  return geometry::rectangleMesh(*corner, *along, *across, *edge, pattern);
}

/// "toward", or its default; a problem where it is along the normal.
std::optional<Vec3> towardOf(LoadContext& context, const text::Value& shape, const Vec3& normal) {
  const auto alongNormal = [&normal](const Vec3& v) {
    return !(v.normalized().cross(normal.normalized()).norm() > 1e-6);
  };
  const text::Value* value = shape.find("toward");
  if (!value) return alongNormal(Vec3::UnitX()) ? Vec3(Vec3::UnitY()) : Vec3(Vec3::UnitX());
  auto toward = context.direction(*value, "toward");
  if (!toward) return std::nullopt;
  if (!alongNormal(*toward)) return toward;
  context.problem(*value, "\"toward\" is along the normal; expected a direction from the center in the mesh's plane");
  return std::nullopt;
}

double ringsOf(double length, double edge) { return std::max(1.0, std::round(length / edge)); }

MaybeMesh regularPolygon(LoadContext& context, const text::Value& shape, double nodesLeft) {
  const std::string path = "shells.mesh.regular-polygon";
  const auto center = vectorAt(context, shape, "center", false), normal = vectorAt(context, shape, "normal", true);
  const auto side = context.neededAt(shape, path, "side"), sides = context.neededAt(shape, path, "sides");
  const auto edge = context.neededAt(shape, path, "edge");
  const auto toward = normal ? towardOf(context, shape, *normal) : std::nullopt;
  if (!center || !normal || !side || !sides || !edge || !toward) return std::nullopt;
  const double rings = ringsOf(*side, *edge);
  if (!fits(context, shape, 1 + 0.5 * *sides * rings * (rings + 1), nodesLeft)) return std::nullopt;
  return geometry::regularPolygonMesh(*center, *normal, *side, int(*sides), *edge, *toward);
}

MaybeMesh disk(LoadContext& context, const text::Value& shape, double nodesLeft) {
  const std::string path = "shells.mesh.disk";
  const auto center = vectorAt(context, shape, "center", false), normal = vectorAt(context, shape, "normal", true);
  const auto radius = context.neededAt(shape, path, "radius"), edge = context.neededAt(shape, path, "edge");
  const auto toward = normal ? towardOf(context, shape, *normal) : std::nullopt;
  if (!center || !normal || !radius || !edge || !toward) return std::nullopt;
  const double rings = ringsOf(*radius, *edge);
  if (!fits(context, shape, 1 + 3 * rings * (rings + 1), nodesLeft)) return std::nullopt;
  return geometry::diskMesh(*center, *normal, *radius, *edge, *toward);
}

/// The triangles of an inline mesh; a missing vertex is a problem at its triangle.
bool readTriangles(LoadContext& context, const text::Value& list, geometry::TriangleMesh& mesh) {
  const double last = double(mesh.points.size()) - 1;
  bool good = true;
  for (std::size_t t = 0; t < list.items.size(); ++t) {
    const text::Value& item = list.items[t];
    std::array<int, 3> corners = {0, 0, 0};
    for (std::size_t k = 0; k < 3 && k < item.items.size(); ++k) {
      const auto corner = context.constantOf(item.items[k], "shells.mesh.triangles");
      if (corner && *corner <= last) {
        corners[k] = int(*corner);
        continue;
      }
      good = false;
      if (corner)
        context.problem(item.items[k], "triangle " + std::to_string(t) + " has the corner " + inWords(*corner) +
                                           ", but the vertices are numbered 0 to " + inWords(last));
    }
    mesh.triangles.push_back(corners);
  }
  return good;
}

MaybeMesh inlineMesh(LoadContext& context, const text::Value& mesh, const text::Value& points, double nodesLeft) {
  if (!fits(context, points, double(points.items.size()), nodesLeft, "expected fewer points")) return std::nullopt;
  geometry::TriangleMesh result;
  bool good = true;
  for (const text::Value& item : points.items) {
    const auto point = context.point(item);
    good = good && point;
    result.points.push_back(point.value_or(Vec3::Zero()));
  }
  const text::Value* triangles = mesh.find("triangles");
  if (!triangles) {
    context.problem(mesh, "\"triangles\" is missing beside \"points\"; expected lists of three vertex numbers");
    return std::nullopt;
  }
  if (!readTriangles(context, *triangles, result) || !good) return std::nullopt;
  return result;
}

/// A Wavefront text; its problems have its own line numbers. `numbers` gets the text's numbers of vertices and faces.
MaybeMesh wavefront(LoadContext& context, const text::Value& text, double nodesLeft, geometry::MeshNumbers& numbers) {
  auto read = readWavefront(text.string, &numbers);
  if (const Problems* problems = std::get_if<Problems>(&read)) {
    for (std::size_t i = 0; i < problems->size() && i < mostMessages; ++i)
      context.problem(
          text, "in line " + std::to_string((*problems)[i].line) + " of the Wavefront text: " + (*problems)[i].message);
    return std::nullopt;
  }
  geometry::TriangleMesh& mesh = std::get<geometry::TriangleMesh>(read);
  if (!fits(context, text, double(mesh.points.size()), nodesLeft, "expected fewer vertices")) return std::nullopt;
  return std::move(mesh);
}

/// Reports errors and warnings of the finished mesh; false where it is refused.
bool isValid(LoadContext& context, const text::Value& at, geometry::TriangleMesh& mesh,
             const geometry::MeshNumbers& numbers) {
  const geometry::MeshReport report = geometry::checkMesh(mesh, numbers);
  for (std::size_t i = 0; i < report.errors.size() && i < mostMessages; ++i) context.problem(at, report.errors[i]);
  for (std::size_t i = 0; i < report.warnings.size() && i < mostMessages; ++i) context.warn(at, report.warnings[i]);
  return report.errors.empty();
}

}  // namespace

std::optional<geometry::TriangleMesh> loadMesh(LoadContext& context, const text::Value& shellValue, double nodesLeft) {
  const text::Value* mesh = shellValue.find("mesh");
  if (!mesh || mesh->members.empty()) {
    context.problem(mesh ? *mesh : shellValue,
                    "expected \"mesh\" with one of rectangle, regular-polygon, disk, points, obj");
    return std::nullopt;
  }
  MaybeMesh result;
  geometry::MeshNumbers numbers;
  const text::Value* at = nullptr;
  if ((at = mesh->find("rectangle")))
    result = rectangle(context, *at, nodesLeft);
  else if ((at = mesh->find("regular-polygon")))
    result = regularPolygon(context, *at, nodesLeft);
  else if ((at = mesh->find("disk")))
    result = disk(context, *at, nodesLeft);
  else if ((at = mesh->find("points")))
    result = inlineMesh(context, *mesh, *at, nodesLeft);
  else if ((at = mesh->find("obj")))
    result = wavefront(context, *at, nodesLeft, numbers);
  if (!at || !result) return std::nullopt;
  // A mesh in two lists is wrong as a whole; problems of its triangles are reported at them.
  const text::Value* triangles = mesh->find("triangles");
  if (!isValid(context, triangles ? *triangles : *at, *result, numbers)) return std::nullopt;
  return result;
}

}  // namespace tendril::scene
