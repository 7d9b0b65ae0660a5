// A MAT-DiSMech geometry text becomes a scene: paths of points, welds where they branch or close, a material and
// gravity, ready to run.
#include <map>

#include "scene/document.h"
#include "scene/expand_writer.h"
#include "scene/import_geometry.h"
#include "scene/load.h"

namespace tendril {

namespace {

constexpr const char* standardMaterial = R"({"youngs": 2000000, "poisson": 0.5, "density": 1200})";

std::string rodName(std::size_t rod, std::size_t count) { return count == 1 ? "rod" : "rod" + std::to_string(rod + 1); }

/// Ends of rods that meet: at a branch, or where a loop closes.
std::vector<std::vector<std::string>> findWelds(const std::vector<std::vector<int>>& paths) {
  std::map<int, std::vector<std::string>> endsAt;
  for (std::size_t r = 0; r < paths.size(); ++r) {
    endsAt[paths[r].front()].push_back(rodName(r, paths.size()) + ":first");
    endsAt[paths[r].back()].push_back(rodName(r, paths.size()) + ":last");
  }
  std::vector<std::vector<std::string>> welds;
  for (auto& [node, ends] : endsAt)
    if (ends.size() > 1) welds.push_back(std::move(ends));
  return welds;
}

std::string writeRods(const Geometry& geometry, const std::vector<std::vector<int>>& paths) {
  std::string text;
  for (std::size_t r = 0; r < paths.size(); ++r) {
    text += r > 0 ? "," : "";
    text += "\n    " + quoteJson(rodName(r, paths.size())) +
            ": {\"section\": {\"circle\": {\"radius\": 0.001}}, \"path\": {\"points\": [";
    for (std::size_t k = 0; k < paths[r].size(); ++k) {
      const std::array<double, 3>& p = geometry.nodes[static_cast<std::size_t>(paths[r][k])];
      text += (k > 0 ? ",\n      [" : "\n      [") + formatNumber(p[0]) + ", " + formatNumber(p[1]) + ", " +
              formatNumber(p[2]) + "]";
    }
    text += "]}}";
  }
  return text;
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

std::string writeScene(const Geometry& geometry, const std::string& material, bool given) {
  const std::vector<std::vector<int>> paths = chainEdges(geometry);
  const std::vector<std::vector<std::string>> welds = findWelds(paths);
  const std::string description =
      "Imported from a geometry text with " + std::to_string(geometry.nodes.size()) + " nodes and " +
      std::to_string(geometry.edges.size()) + " edges. The text says nothing of " +
      (given ? "" : "the material (here: silicone-like, E = 2 MPa, Poisson's ratio 0.5, 1200 kg/m^3), ") +
      "sections (here: circles of radius 1 mm), supports (here: none, the rods fall) and loads (here: gravity): edit "
      "them.";
  std::string text = "{\n  \"format\": \"tendril/1\",\n  \"title\": \"Imported geometry\",\n  \"description\": " +
                     quoteJson(description) + ",\n  \"materials\": {\"material\": " + material + "},\n  \"rods\": {" +
                     writeRods(geometry, paths) + "\n  },\n";
  if (!welds.empty()) text += "  \"joints\": [" + writeJoints(welds) + "\n  ],\n";
  text +=
      "  \"environment\": {\"gravity\": [0, 0, -9.81]},\n  \"solver\": {\"dt\": 0.01, \"duration\": 1},\n"
      "  \"probes\": {\"end\": {\"position\": " +
      quoteJson(rodName(0, paths.size()) + ":last") + "}}\n}\n";
  return text;
}

/// The material as JSON on one line, or its problems.
std::variant<std::string, Problems> readMaterial(std::string_view text) {
  auto parsed = Document::parse(std::string(text));
  if (auto* problems = std::get_if<Problems>(&parsed)) {
    for (Problem& problem : *problems) problem.message = "in the material: " + problem.message;
    return std::move(*problems);
  }
  const Document& document = std::get<Document>(parsed);
  if (!document.root().isObject())
    return Problems{document.problem(document.root(),
                                     "the material must be an object, such as {\"youngs\": 2e6, \"density\": 1200}")};
  std::string written = writeJson(document.root());
  while (!written.empty() && written.back() == '\n') written.pop_back();
  return written;
}

}  // namespace

std::variant<std::string, Problems> importGeometry(std::string_view text, std::string_view material) {
  Problems problems;
  const Geometry geometry = readGeometry(text, problems);
  if (!problems.empty()) return problems;
  std::string written = standardMaterial;
  if (!material.empty()) {
    auto given = readMaterial(material);
    if (auto* wrong = std::get_if<Problems>(&given)) return std::move(*wrong);
    written = std::get<std::string>(given);
  }
  const std::string scene = writeScene(geometry, written, !material.empty());
  const auto loaded = loadScene(scene);
  const auto* wrong = std::get_if<Problems>(&loaded);
  if (!wrong) return writeJson(std::get<Document>(Document::parse(scene)).root());
  for (const Problem& problem : *wrong) {
    Problem told;  // places of the scene that was written mean nothing to whoever reads this
    told.message =
        (problem.pointer.compare(0, 10, "/materials") == 0 ? "in the material: " : "the geometry makes no scene: ") +
        problem.message;
    problems.push_back(std::move(told));
  }
  return problems;
}

}  // namespace tendril
