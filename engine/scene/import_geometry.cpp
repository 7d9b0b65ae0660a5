// The MAT-DiSMech geometry text: sections "*Nodes" and "*Edges" with comma separated numbers, nodes counted from 1.
// Nothing is skipped: what the format does not know is a problem with its line.
#include "scene/import_geometry.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "scene/formula.h"

namespace tendril {

namespace {

constexpr std::size_t mostProblems = 100;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

/// Text of the file for a message: the file may hold any bytes, messages are plain ASCII here.
std::string shown(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, 40)) out += c >= 0x20 && c < 0x7f ? c : '?';
  return "\"" + out + (text.size() > 40 ? "...\"" : "\"");
}

bool readNumber(std::string_view text, double& out) {
  if (text.empty() || text.size() > 100 || text.find_first_not_of("0123456789+-.eE") != std::string_view::npos)
    return false;
  const std::string copy(text);
  char* end = nullptr;
  out = std::strtod(copy.c_str(), &end);
  return *end == '\0' && std::isfinite(out);
}

class GeometryReader {
 public:
  GeometryReader(std::string_view text, Problems& problems) : text_(text), problems_(problems) {}

  Geometry read() {
    for (std::size_t begin = 0; begin < text_.size() && !stopped_;) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      ++line_;
      lineBegin_ = begin;
      readLine(trimmed(text_.substr(begin, end - begin)));
      begin = end + 1;
      countUnits(begin);
    }
    if (problems_.empty() && geometry_.nodes.empty())
      add({}, "the text has no *Nodes: expected *Nodes and *Edges with their lines");
    else if (problems_.empty() && geometry_.edges.empty())
      add({}, "the text has no *Edges: nodes alone make no rod");
    if (problems_.empty()) checkEdges();
    return std::move(geometry_);
  }

 private:
  enum class Section { none, nodes, edges, triangles };

  void countUnits(std::size_t to) {
    for (; counted_ < std::min(to, text_.size()); ++counted_) {
      const unsigned char c = static_cast<unsigned char>(text_[counted_]);
      units_ += (c & 0xC0) == 0x80 ? 0 : c >= 0xF0 ? 2 : 1;
    }
  }

  /// A problem on a part of the current line; an empty part means the line.
  void add(std::string_view part, std::string message) { addAt(line_, part, std::move(message)); }
  void addAt(int line, std::string_view part, std::string message) {
    if (problems_.size() >= mostProblems) {
      stopped_ = true;
      return;
    }
    Problem problem;
    problem.message = std::move(message);
    problem.line = std::max(line, 1);
    if (!part.empty()) {
      const std::size_t offset = static_cast<std::size_t>(part.data() - text_.data()) - lineBegin_;
      problem.column = static_cast<int>(offset) + 1;
      problem.from = std::min(units_ + offset, text_.size());
      problem.to = std::min(problem.from + part.size(), text_.size());
    }
    problems_.push_back(std::move(problem));
  }

  void readLine(std::string_view content) {
    if (content.empty() || content[0] == '#') return;
    if (content[0] == '*') return readHeader(content);
    const std::string first = lowered(content.substr(0, 2));
    if (section_ == Section::none) {
      const bool wavefront =
          first == "v " || first == "f " || first == "o " || first == "vn" || first == "vt" || first == "g ";
      add(content, wavefront
                       ? "not yet: this looks like a Wavefront file; geometry with *Nodes and *Edges can be imported"
                       : "expected a section such as *Nodes before the first line of data, found " + shown(content));
      stopped_ = true;
    } else if (section_ == Section::nodes) {
      readNode(content);
    } else if (section_ == Section::edges) {
      readEdge(content);
    } else {
      add(content, "not yet: *Triangles are shells, and only rods can be imported");
      stopped_ = true;
    }
  }

  void readHeader(std::string_view content) {
    const std::string name = lowered(content);
    section_ = Section::none;
    if (name == "*nodes") section_ = Section::nodes;
    if (name == "*edges") section_ = Section::edges;
    if (name == "*triangles") section_ = Section::triangles;
    if (section_ != Section::none) return;
    stopped_ = true;
    static const std::vector<std::string> old = {"*rodnodes", "*shellnodes",         "*facenodes",
                                                 "*rodedges", "*rodshelljointedges", "*shelledges"};
    if (std::find(old.begin(), old.end(), name) != old.end())
      return add(content, shown(content) +
                              " is of an older dialect of this format: put all nodes under *Nodes and all rod "
                              "edges under *Edges, counting nodes from 1");
    const std::string nearest = nearestName(name, {"*nodes", "*edges", "*triangles"});
    add(content,
        "unknown section " + shown(content) + ": " +
            (nearest.empty() ? "the known ones are *Nodes, *Edges, *Triangles" : "did you mean " + nearest + "?"));
  }

  static std::vector<std::string_view> fields(std::string_view content) {
    std::vector<std::string_view> parts;
    while (true) {
      const std::size_t comma = content.find(',');
      parts.push_back(trimmed(content.substr(0, comma)));
      if (comma == std::string_view::npos || parts.size() > 20) return parts;
      content.remove_prefix(comma + 1);
    }
  }

  bool readFields(std::string_view content, std::size_t count, const char* what, double* out) {
    const std::vector<std::string_view> parts = fields(content);
    if (parts.size() != count) {
      add(content, "expected " + std::to_string(count) + " numbers separated by commas, " + what + ", found " +
                       std::to_string(parts.size()) + (parts.size() == 1 ? " field" : " fields"));
      return false;
    }
    for (std::size_t k = 0; k < count; ++k)
      if (!readNumber(parts[k], out[k])) {
        add(parts[k].empty() ? content : parts[k], "expected a finite number, found " + shown(parts[k]));
        return false;
      }
    return true;
  }

  void readNode(std::string_view content) {
    std::array<double, 3> point{};
    // A node that cannot be read still counts, so that the numbers of the others stay right.
    readFields(content, 3, "the coordinates x, y, z of a node", point.data());
    geometry_.nodes.push_back(point);
    geometry_.nodeLines.push_back(line_);
  }

  void readEdge(std::string_view content) {
    double numbers[2] = {0, 0};
    if (!readFields(content, 2, "the two nodes of an edge", numbers)) return;
    Geometry::Edge edge;
    edge.line = line_;
    for (std::size_t k = 0; k < 2; ++k) {
      if (numbers[k] != std::floor(numbers[k]) || numbers[k] < 1 || numbers[k] > 1e9)
        return add(content, "expected node numbers, which count from 1, found " + formatNumber(numbers[k]));
      edge.nodes[k] = static_cast<int>(numbers[k]) - 1;
    }
    geometry_.edges.push_back(edge);
  }

  void checkEdges() {
    std::set<std::array<int, 2>> known;
    std::vector<bool> used(geometry_.nodes.size(), false);
    for (const Geometry::Edge& edge : geometry_.edges) {
      const auto [a, b] = edge.nodes;
      const std::string name = std::to_string(a + 1) + ", " + std::to_string(b + 1);
      const int count = static_cast<int>(geometry_.nodes.size());
      if (a >= count || b >= count) {
        addAt(edge.line, {},
              "node " + std::to_string(std::max(a, b) + 1) + " does not exist: there are " + std::to_string(count) +
                  " nodes");
        continue;
      }
      used[static_cast<std::size_t>(a)] = used[static_cast<std::size_t>(b)] = true;
      if (a == b)
        addAt(edge.line, {}, "the edge " + name + " joins a node with itself");
      else if (!known.insert({std::min(a, b), std::max(a, b)}).second)
        addAt(edge.line, {}, "the edge " + name + " stands twice");
      else if (geometry_.nodes[static_cast<std::size_t>(a)] == geometry_.nodes[static_cast<std::size_t>(b)])
        addAt(edge.line, {}, "the edge " + name + " has no length: its nodes are at the same place");
    }
    for (std::size_t k = 0; k < used.size(); ++k)
      if (!used[k])
        addAt(geometry_.nodeLines[k], {},
              "node " + std::to_string(k + 1) + " belongs to no edge: remove it, or give it one");
  }

  std::string_view text_;
  Problems& problems_;
  Geometry geometry_;
  Section section_ = Section::none;
  int line_ = 0;
  std::size_t lineBegin_ = 0, counted_ = 0, units_ = 0;
  bool stopped_ = false;
};

}  // namespace

Geometry readGeometry(std::string_view text, Problems& problems) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  return GeometryReader(text, problems).read();
}

std::vector<std::vector<int>> chainEdges(const Geometry& geometry) {
  std::vector<std::vector<int>> edgesAt(geometry.nodes.size());
  for (std::size_t e = 0; e < geometry.edges.size(); ++e)
    for (const int node : geometry.edges[e].nodes)
      edgesAt[static_cast<std::size_t>(node)].push_back(static_cast<int>(e));
  std::vector<bool> used(geometry.edges.size(), false);
  // Goes on from the end of `path` until a free end, a branch, or the path's own start.
  const auto extend = [&](std::vector<int>& path) {
    while (true) {
      const std::vector<int>& here = edgesAt[static_cast<std::size_t>(path.back())];
      if (here.size() != 2) return;
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

}  // namespace tendril
