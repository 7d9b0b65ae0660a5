// The MAT-DiSMech geometry text: sections "*Nodes", "*Edges" and "*Triangles" with comma separated numbers, nodes
// counted from 1. Nothing is skipped: what the format does not know is a problem with its line.
#include "scene/import/geometry.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "formula/formula.h"
#include "scene/import/text.h"
#include "text/words.h"

namespace tendril::scene {

namespace {

std::vector<std::string_view> fieldsOf(std::string_view content) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t comma = content.find(',');
    parts.push_back(trimmed(content.substr(0, comma)));
    if (comma == std::string_view::npos || parts.size() > 20) return parts;
    content.remove_prefix(comma + 1);
  }
}

template <std::size_t N>
std::string namesOf(const std::array<int, N>& nodes) {
  std::string text;
  for (const int node : nodes) text += (text.empty() ? "" : ", ") + std::to_string(node + 1);
  return text;
}

class GeometryReader {
 public:
  GeometryReader(std::string_view text, Problems& problems) : lines_(text, problems) {}

  Geometry read() {
    for (std::string_view line; lines_.next(line);) readLine(line);
    if (lines_.valid() && geometry_.nodes.empty())
      lines_.add({}, "the text has no *Nodes: expected *Nodes and *Edges or *Triangles with their lines");
    else if (lines_.valid() && geometry_.edges.empty() && geometry_.triangles.empty())
      lines_.add({}, "the text has no *Edges and no *Triangles: nodes alone make no rod and no shell");
    if (lines_.valid()) {
      used_.assign(geometry_.nodes.size(), false);
      check(geometry_.edges, "edge");
      check(geometry_.triangles, "triangle");
      checkUse();
    }
    return std::move(geometry_);
  }

 private:
  enum class Section { none, nodes, edges, triangles };

  void readLine(std::string_view content) {
    if (content.empty() || content[0] == '#') return;
    if (content[0] == '*') return readHeader(content);
    switch (section_) {
      case Section::none:
        lines_.add(content, "expected a section such as *Nodes before the first line of data, found " + shown(content));
        return lines_.stop();
      case Section::nodes:
        return readNode(content);
      case Section::edges:
        return readNumbers(content, "the two nodes of an edge", geometry_.edges);
      case Section::triangles:
        return readNumbers(content, "the three nodes of a triangle", geometry_.triangles);
    }
  }

  void readHeader(std::string_view content) {
    const std::string name = lowered(content);
    section_ = Section::none;
    if (name == "*nodes") section_ = Section::nodes;
    if (name == "*edges") section_ = Section::edges;
    if (name == "*triangles") section_ = Section::triangles;
    if (section_ != Section::none) return;
    lines_.stop();
    static const std::vector<std::string> old = {"*rodnodes", "*shellnodes",         "*facenodes",
                                                 "*rodedges", "*rodshelljointedges", "*shelledges"};
    if (std::find(old.begin(), old.end(), name) != old.end())
      return lines_.add(content, shown(content) +
                                     " is of an older dialect of this format: put all nodes under *Nodes, all rod and "
                                     "joint edges under *Edges and all faces under *Triangles, counting nodes from 1");
    const std::string nearest = text::nearestName(name, {"*nodes", "*edges", "*triangles"});
    lines_.add(content, "unknown section " + shown(content) + ": " +
                            (nearest.empty() ? "the known ones are *Nodes, *Edges, *Triangles"
                                             : "did you mean " + nearest + "?"));
  }

  bool readFields(std::string_view content, std::size_t count, const char* what, double* out) {
    const std::vector<std::string_view> parts = fieldsOf(content);
    if (parts.size() != count) {
      lines_.add(content, "expected " + std::to_string(count) + " numbers separated by commas, " + what + ", found " +
                              countOf(parts.size(), "field"));
      return false;
    }
    for (std::size_t k = 0; k < count; ++k)
      if (!readDecimal(parts[k], out[k])) {
        lines_.add(parts[k].empty() ? content : parts[k], "expected a finite number, found " + shown(parts[k]));
        return false;
      }
    return true;
  }

  void readNode(std::string_view content) {
    std::array<double, 3> point{};
    // An unreadable node still counts, so that the numbers of the others stay right.
    readFields(content, 3, "the coordinates x, y, z of a node", point.data());
    geometry_.nodes.push_back(point);
    geometry_.nodeLines.push_back(lines_.line());
  }

  /// An edge or a triangle: node numbers from 1.
  template <typename Element>
  void readNumbers(std::string_view content, const char* what, std::vector<Element>& to) {
    Element element;
    std::array<double, 3> numbers{};
    if (!readFields(content, element.nodes.size(), what, numbers.data())) return;
    element.line = lines_.line();
    for (std::size_t k = 0; k < element.nodes.size(); ++k) {
      if (numbers[k] != std::floor(numbers[k]) || numbers[k] < 1 || numbers[k] > 1e9)
        return lines_.add(content,
                          "expected node numbers, which count from 1, found " + text::formatNumber(numbers[k]));
      element.nodes[k] = static_cast<int>(numbers[k]) - 1;
    }
    to.push_back(element);
  }

  template <typename Element>
  void check(const std::vector<Element>& elements, const std::string& kind) {
    std::set<decltype(Element::nodes)> known;
    for (const Element& element : elements) {
      auto sorted = element.nodes;
      std::sort(sorted.begin(), sorted.end());
      const std::string name = "the " + kind + " " + namesOf(element.nodes);
      if (sorted.back() >= static_cast<int>(geometry_.nodes.size())) {
        lines_.addAt(element.line, "node " + std::to_string(sorted.back() + 1) + " does not exist: there " +
                                       (geometry_.nodes.size() == 1 ? "is " : "are ") +
                                       countOf(geometry_.nodes.size(), "node"));
        continue;
      }
      for (const int node : sorted) used_[static_cast<std::size_t>(node)] = true;
      const auto same = std::adjacent_find(sorted.begin(), sorted.end());
      if (same != sorted.end())
        lines_.addAt(element.line, kind == "edge" ? name + " joins a node with itself"
                                                  : name + " has node " + std::to_string(*same + 1) + " twice");
      else if (!known.insert(sorted).second)
        lines_.addAt(element.line, name + " appears twice");
      else if (kind == "edge" && geometry_.nodes[static_cast<std::size_t>(sorted[0])] ==
                                     geometry_.nodes[static_cast<std::size_t>(sorted[1])])
        lines_.addAt(element.line, name + " has no length: its nodes are at the same position");
    }
  }

  void checkUse() {
    for (std::size_t k = 0; k < used_.size(); ++k)
      if (!used_[k])
        lines_.addAt(geometry_.nodeLines[k], "node " + std::to_string(k + 1) +
                                                 " belongs to no edge and no triangle: remove it, or give it one");
  }

  LineReader lines_;
  Geometry geometry_;
  Section section_ = Section::none;
  std::vector<bool> used_;
};

}  // namespace

std::vector<bool> Geometry::onShell() const {
  std::vector<bool> on(nodes.size(), false);
  for (const Triangle& triangle : triangles)
    for (const int node : triangle.nodes) on[static_cast<std::size_t>(node)] = true;
  return on;
}

Geometry readGeometry(std::string_view text, Problems& problems) { return GeometryReader(text, problems).read(); }

std::vector<std::vector<int>> chainEdges(const Geometry& geometry) {
  std::vector<std::vector<int>> edgesAt(geometry.nodes.size());
  for (std::size_t e = 0; e < geometry.edges.size(); ++e)
    for (const int node : geometry.edges[e].nodes)
      edgesAt[static_cast<std::size_t>(node)].push_back(static_cast<int>(e));
  std::vector<bool> used(geometry.edges.size(), false);
  const std::vector<bool> onShell = geometry.onShell();
  // Extends `path` from its end to a free end, a branch, a shell, or the path's own start.
  const auto extend = [&](std::vector<int>& path) {
    while (true) {
      const std::vector<int>& here = edgesAt[static_cast<std::size_t>(path.back())];
      if (here.size() != 2 || onShell[static_cast<std::size_t>(path.back())]) return;
      const int next = used[static_cast<std::size_t>(here[0])] ? here[1] : here[0];
      if (used[static_cast<std::size_t>(next)]) return;
      used[static_cast<std::size_t>(next)] = true;
      const auto& nodes = geometry.edges[static_cast<std::size_t>(next)].nodes;
      path.push_back(nodes[0] == path.back() ? nodes[1] : nodes[0]);
    }
  };
  std::vector<std::vector<int>> paths;
  for (std::size_t e = 0; e < geometry.edges.size(); ++e) {
    if (used[e]) continue;
    used[e] = true;
    std::vector<int> path = {geometry.edges[e].nodes[0], geometry.edges[e].nodes[1]};
    extend(path);
    std::reverse(path.begin(), path.end());
    extend(path);
    std::reverse(path.begin(), path.end());
    paths.push_back(std::move(path));
  }
  return paths;
}

}  // namespace tendril::scene
