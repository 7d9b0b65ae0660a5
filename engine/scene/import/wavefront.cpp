// Reads the Wavefront text statement by statement. Surfaces other than polygons are refused; statements about
// appearance are ignored.
#include "scene/import/wavefront.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "formula/formula.h"
#include "geometry/sort_rows.h"
#include "scene/import/text.h"
#include "text/words.h"

namespace tendril::scene {

namespace {

constexpr long mostVertices = 4000000;

const std::vector<std::string> passedOver = {
    "vn",    "vt",       "vp",       "o",   "g",          "s",         "mg",    "usemtl", "mtllib", "usemap", "maplib",
    "bevel", "c_interp", "d_interp", "lod", "shadow_obj", "trace_obj", "ctech", "stech",  "l",      "p"};
const std::vector<std::string> freeForm = {"curv", "curv2", "surf", "cstype", "deg", "bmat", "step",
                                           "parm", "trim",  "hole", "scrv",   "sp",  "end",  "con"};

bool among(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Removes and returns the next word of the line.
std::string_view nextWord(std::string_view& line) {
  line = trimmed(line);
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

class WavefrontReader {
 public:
  WavefrontReader(std::string_view text, Problems& problems) : lines_(text, problems) {}

  geometry::TriangleMesh read(geometry::MeshNumbers& names) {
    for (std::string_view line; lines_.next(line);) readStatement(line);
    if (lines_.valid() && vertices_.empty())
      lines_.add({}, "the text has no vertices: expected lines such as \"v 0 0 0\"");
    if (lines_.valid() && corners_.empty()) lines_.add({}, "the text has no faces: expected lines such as \"f 1 2 3\"");
    return lines_.valid() ? mesh(names) : geometry::TriangleMesh();
  }

 private:
  struct Corners {
    std::array<long, 3> vertices;  ///< from 0
    int line, face;                ///< the face from 1
  };

  void readStatement(std::string_view line) {
    line = line.substr(0, line.find('#'));
    const std::string_view whole = trimmed(line);
    const std::string_view name = nextWord(line);
    if (name.empty() || among(passedOver, name)) return;
    if (whole.back() == '\\') {
      lines_.add(whole, "not yet: the line goes on after a backslash; write the statement on one line");
    } else if (name == "v") {
      readVertex(whole, line);
    } else if (name == "f") {
      readFace(whole, line);
    } else if (among(freeForm, name)) {
      lines_.add(name, "not yet: free-form curves and surfaces; export the shape as polygons");
      lines_.stop();
    } else {
      const std::string nearest = text::nearestName(std::string(name.substr(0, 40)), passedOver);
      lines_.add(name, "unknown statement " + shown(name) +
                           (nearest.empty() ? ": expected vertices such as \"v 0 0 0\" and faces such as \"f 1 2 3\""
                                            : ": did you mean " + nearest + "?"));
    }
  }

  void readVertex(std::string_view whole, std::string_view rest) {
    Vec3 point(0, 0, 0);
    for (Eigen::Index k = 0; k < 3; ++k) {
      const std::string_view word = nextWord(rest);
      if (word.empty()) {
        lines_.add(whole,
                   "expected three coordinates of a vertex, found " + countOf(static_cast<std::size_t>(k), "number"));
        break;
      }
      if (readDecimal(word, point[k])) continue;
      lines_.add(word, "expected a finite number, found " + shown(word));
      break;
    }
    // An unreadable vertex still counts, so that the numbers of the others stay right.
    vertices_.push_back(point);
    if (static_cast<long>(vertices_.size()) <= mostVertices) return;
    lines_.add(whole, "more than " + std::to_string(mostVertices) + " vertices: use a coarser mesh");
    lines_.stop();
  }

  /// The vertex of "a", "a/b", "a//c" or "a/b/c", from 0; it may come later in the text. False with a problem.
  bool readCorner(std::string_view word, long& vertex) {
    double number = 0;
    const std::string_view first = word.substr(0, word.find('/'));
    const bool whole =
        readDecimal(first, number) && number == std::floor(number) && std::abs(number) < 1e9 && number != 0;
    if (!whole || word.find_first_not_of("0123456789+-/", first.size()) != std::string_view::npos) {
      lines_.add(word, "expected the number of a vertex, from 1 or backwards from -1, such as 3, 3/1 or 3//2, found " +
                           shown(word));
      return false;
    }
    vertex =
        number > 0 ? static_cast<long>(number) - 1 : static_cast<long>(vertices_.size()) + static_cast<long>(number);
    if (vertex >= 0) return true;
    lines_.add(word, "there is no vertex " + std::to_string(static_cast<long>(number)) + ": " +
                         countOf(vertices_.size(), "vertex line") + " came before this face");
    return false;
  }

  void readFace(std::string_view whole, std::string_view rest) {
    std::vector<long> polygon;
    for (std::string_view word = nextWord(rest); !word.empty(); word = nextWord(rest)) {
      long vertex = 0;
      if (!readCorner(word, vertex)) return;
      polygon.push_back(vertex);
    }
    if (polygon.size() < 3)
      return lines_.add(whole, "a face needs three vertices, found " + std::to_string(polygon.size()));
    std::vector<long> sorted = polygon;
    geometry::sortRows(sorted);
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) return lines_.add(whole, "the face has vertex " + std::to_string(*twice + 1) + " twice");
    ++faces_;
    for (std::size_t k = 1; k + 1 < polygon.size(); ++k)
      corners_.push_back({{polygon[0], polygon[k], polygon[k + 1]}, lines_.line(), faces_});
  }

  /// The triangles with the vertices that they use, in the order of the text.
  geometry::TriangleMesh mesh(geometry::MeshNumbers& names) {
    const long count = static_cast<long>(vertices_.size());
    std::vector<int> numbers(vertices_.size(), -1);
    for (const Corners& corners : corners_)
      for (const long vertex : corners.vertices) {
        if (vertex < count) {
          numbers[static_cast<std::size_t>(vertex)] = 0;
          continue;
        }
        lines_.addAt(corners.line, "there is no vertex " + std::to_string(vertex + 1) + ": the text has " +
                                       std::to_string(count) + (count == 1 ? " vertex" : " vertices"));
        break;
      }
    geometry::TriangleMesh mesh;
    if (!lines_.valid()) return mesh;
    for (std::size_t v = 0; v < vertices_.size(); ++v) {
      if (numbers[v] < 0) continue;
      numbers[v] = static_cast<int>(mesh.points.size());
      mesh.points.push_back(vertices_[v]);
      names.vertices.push_back(static_cast<int>(v) + 1);
    }
    for (const Corners& corners : corners_) {
      std::array<int, 3> triangle{};
      for (std::size_t k = 0; k < 3; ++k) triangle[k] = numbers[static_cast<std::size_t>(corners.vertices[k])];
      mesh.triangles.push_back(triangle);
      names.triangles.push_back(corners.face);
    }
    return mesh;
  }

  LineReader lines_;
  std::vector<Vec3> vertices_;
  std::vector<Corners> corners_;
  int faces_ = 0;
};

}  // namespace

std::variant<geometry::TriangleMesh, Problems> readWavefront(std::string_view text, geometry::MeshNumbers* numbers) {
  Problems problems;
  geometry::MeshNumbers names;
  geometry::TriangleMesh mesh = WavefrontReader(text, problems).read(names);
  if (!problems.empty()) return problems;
  if (numbers) *numbers = std::move(names);
  return mesh;
}

bool looksLikeWavefront(std::string_view text) {
  Problems none;
  LineReader lines(text, none);
  for (std::string_view line; lines.next(line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::string_view name = nextWord(line);
    return name == "v" || name == "f" || among(passedOver, name) || among(freeForm, name);
  }
  return false;
}

}  // namespace tendril::scene
