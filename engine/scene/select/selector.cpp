// Selectors of the scene language, resolved to nodes of rods and shells, and to numbered edges of rods (selector.h).
#include "scene/select/selector.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <set>

#include "scene/load/context.h"
#include "scene/select/shells.h"

namespace tendril::scene {
namespace {

/// The parts of a selector string.
struct Pattern {
  enum class What { all, index, range, nearest };
  std::string name;  ///< with wildcards
  What what = What::all;
  long first = 0, last = 0;  ///< index (first), range; negative: from the end
  Vec3 point = Vec3::Zero();
};

bool isWord(std::string_view text) {
  if (text.empty()) return false;
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '*'; });
}

bool parseIndex(std::string_view text, long& index) {
  const std::size_t sign = !text.empty() && text[0] == '-' ? 1 : 0;
  if (text.size() == sign || text.size() > sign + 9) return false;
  if (!std::all_of(text.begin() + long(sign), text.end(), [](unsigned char c) { return std::isdigit(c); }))
    return false;
  index = std::strtol(std::string(text).c_str(), nullptr, 10);
  return true;
}

bool parsePoint(std::string_view text, Vec3& point) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return false;
  const std::string inner(text.substr(1, text.size() - 2));
  const char* at = inner.c_str();
  for (int i = 0; i < 3; ++i) {
    char* after = nullptr;
    point[i] = std::strtod(at, &after);
    if (after == at || !std::isfinite(point[i])) return false;
    while (*after == ' ') ++after;
    if (i < 2 && *after != ',') return false;
    at = i < 2 ? after + 1 : after;
  }
  return *at == '\0';
}

/// Resolves selectors for either nodes or numbered edges.
class Resolver {
 public:
  Resolver(LoadContext& context, bool edges) : context_(context), edges_(edges) {}

  /// Pairs (body, index), in the order of the text; may contain duplicates.
  std::vector<NodeRef> resolve(const text::Value& selector) {
    std::vector<NodeRef> found;
    if (selector.isArray()) {
      for (const text::Value& item : selector.items) append(found, resolve(item));
      if (selector.items.empty()) context_.problem(selector, "expected at least one selector");
      return found;
    }
    if (selector.isString()) return fromText(selector);
    if (selector.isObject()) return fromFormula(selector);
    context_.problem(selector, "expected a selector such as \"arm:last\" or {\"of\": \"arm\", \"where\": \"x < 0.1\"}");
    return found;
  }

  std::vector<int> bodies(const text::Value& at, const std::string& name) {
    const auto exact = context_.bodyNames.find(name);
    if (exact != context_.bodyNames.end()) return {exact->second};
    std::vector<int> found;
    std::vector<std::string> known;
    const Scene& scene = context_.scene;
    for (int body = 0; body < scene.bodyCount(); ++body) {
      if (nameMatches(name, scene.bodyName(body))) found.push_back(body);
      known.push_back(scene.bodyName(body));
    }
    if (!found.empty()) return found;
    const std::string word = bodyWord(scene);
    if (context_.obstacleNames.count(name))
      context_.problem(at, "\"" + name + "\" is an obstacle; expected a " + word);
    else if (context_.linkageNames.count(name))
      context_.problem(at, "\"" + name + "\" is a linkage; expected a " + word);
    else if (name.find('*') != std::string::npos)
      context_.problem(at, "\"" + name + "\" matches no " + word + (known.empty() ? "; the scene has none" : ""));
    else
      context_.problem(at, unknownName(word, name, known));
    return found;
  }

 private:
  const char* kind() const { return edges_ ? "edge" : "node"; }
  long count(int body) const { return long(context_.scene.points(body).size()) - (edges_ ? 1 : 0); }

  static formula::Sight whereSight() {
    formula::Sight sight;
    sight.position = sight.field = true;
    return sight;
  }

  static void append(std::vector<NodeRef>& to, const std::vector<NodeRef>& from) {
    to.insert(to.end(), from.begin(), from.end());
  }

  std::optional<Pattern> parse(const text::Value& selector) {
    const std::string& text = selector.string;
    if (text.find('/') != std::string::npos) {
      context_.problem(selector, "\"" + text + "\" is on a linkage; expected a " + bodyWord(context_.scene));
      return std::nullopt;
    }
    Pattern pattern;
    const std::size_t cut = text.find_first_of(":@");
    pattern.name = text.substr(0, cut);
    if (!isWord(pattern.name)) {
      context_.problem(selector, "\"" + text +
                                     "\" is not a selector; expected a name such as \"arm\", \"arm:last\", "
                                     "\"arm:2..5\" or \"leg*:first\"");
      return std::nullopt;
    }
    if (cut == std::string::npos) return pattern;
    const std::string rest = text.substr(cut + 1);
    return text[cut] == ':' ? parseIndices(selector, pattern, rest) : parsePosition(selector, pattern, rest);
  }

  std::optional<Pattern> parseIndices(const text::Value& selector, Pattern pattern, const std::string& rest) {
    pattern.what = Pattern::What::index;
    if (rest == "first") return pattern;
    if (rest == "last") {
      pattern.first = -1;
      return pattern;
    }
    if (parseIndex(rest, pattern.first)) return pattern;
    pattern.what = Pattern::What::range;
    if (parseRange(rest, pattern.first, pattern.last)) return pattern;
    if (rest == "tip")
      context_.problem(selector, "\":tip\" is a position on linkages; the end of a rod is \":last\"");
    else
      context_.problem(selector, "\":" + rest +
                                     "\" is not a position on a body; expected \":first\", \":last\", a number such "
                                     "as \":3\" or \":-2\", or a range such as \":2..5\"");
    return std::nullopt;
  }

  std::optional<Pattern> parsePosition(const text::Value& selector, Pattern pattern, const std::string& rest) {
    pattern.what = Pattern::What::nearest;
    if (parsePoint(rest, pattern.point)) return pattern;
    context_.problem(selector, "\"@" + rest + "\" is not a position; expected a point such as \"@[0.1, 0, 0]\"");
    return std::nullopt;
  }

  std::vector<NodeRef> fromText(const text::Value& selector) {
    std::vector<NodeRef> found;
    const auto pattern = parse(selector);
    if (!pattern) return found;
    for (const int body : bodies(selector, pattern->name)) {
      if (edges_ && !context_.scene.isRod(body)) {  // reported by the caller
        found.push_back({body, 0});
        continue;
      }
      long first = 0, last = count(body) - 1;
      if (pattern->what == Pattern::What::nearest) {
        found.push_back({body, nearest(body, pattern->point)});
        continue;
      }
      if (pattern->what != Pattern::What::all) {
        const bool single = pattern->what == Pattern::What::index;
        if (!bounded(selector, body, pattern->first, first)) return {};
        if (!bounded(selector, body, single ? pattern->first : pattern->last, last)) return {};
        if (last < first) {
          context_.problem(selector, "\"" + selector.string + "\" is empty: it ends before it begins");
          return {};
        }
      }
      for (long i = first; i <= last; ++i) found.push_back({body, int(i)});
    }
    return found;
  }

  bool bounded(const text::Value& selector, int body, long wanted, long& index) {
    const long size = count(body);
    index = wanted < 0 ? wanted + size : wanted;
    if (index >= 0 && index < size) return true;
    const std::string name =
        (context_.scene.isRod(body) ? "rod \"" : "shell \"") + context_.scene.bodyName(body) + "\"";
    context_.problem(selector, std::string("there is no ") + kind() + " " + std::to_string(wanted) + ": " + name +
                                   " has " + kind() + "s 0 to " + std::to_string(size - 1) + " (or -" +
                                   std::to_string(size) + " to -1, counted from its end)");
    return false;
  }

  int nearest(int body, const Vec3& point) const {
    const std::vector<Vec3>& points = context_.scene.points(body);
    int best = 0;
    double smallest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < int(count(body)); ++i) {
      const std::size_t k = std::size_t(i);
      const Vec3 position = edges_ ? Vec3(0.5 * (points[k] + points[k + 1])) : points[k];
      const double distance = (position - point).norm();
      if (distance < smallest) {
        smallest = distance;
        best = i;
      }
    }
    return best;
  }

  std::vector<NodeRef> fromFormula(const text::Value& selector) {
    std::vector<NodeRef> found;
    const text::Value* of = selector.find("of");
    const text::Value* where = selector.find("where");
    if (!of) {
      context_.problem(selector, "a selector object needs \"of\", the body it selects from");
      return found;
    }
    Resolver nodes(context_, false);
    std::vector<NodeRef> candidates = nodes.resolve(*of);
    if (where) candidates = nodes.filtered(candidates, *where);
    if (candidates.empty()) return found;
    if (!edges_) return candidates;
    for (const NodeRef node : candidates)
      if (!context_.scene.isRod(node.body)) return {node};  // reported by the caller
    for (const EdgeRef edge : edgesWithin(context_.scene.rods, candidates)) found.push_back({edge.rod, edge.edge});
    if (found.empty()) context_.problem(selector, "the selection holds no whole edge (no two neighboring nodes)");
    return found;
  }

  bool seesOnlyWhatIs(const text::Value& where, const formula::Number& condition,
                      const std::vector<NodeRef>& candidates) {
    const bool onShell = std::any_of(candidates.begin(), candidates.end(),
                                     [this](NodeRef node) { return !context_.scene.isRod(node.body); });
    if (!onShell || !condition.seesArcLength()) return true;
    checkFieldOnShells(context_, where, condition, candidates);
    return false;
  }

  std::vector<NodeRef> filtered(const std::vector<NodeRef>& candidates, const text::Value& where) {
    std::vector<NodeRef> kept;
    const formula::Number condition = context_.formula(where, whereSight(), Use::restart);
    if (where.isString() && !condition.isFormula()) return kept;  // does not parse: its problem is in the list
    if (!seesOnlyWhatIs(where, condition, candidates)) return kept;
    formula::Input input = context_.input();
    std::vector<double> s;
    int measured = -1;
    const Scene& scene = context_.scene;
    for (const NodeRef node : candidates) {
      const std::vector<Vec3>& points = scene.points(node.body);
      const bool rod = scene.isRod(node.body);
      if (node.body != measured && rod) s = arcLengths(points);
      measured = node.body;
      const Vec3& point = points[std::size_t(node.node)];
      input.s = rod ? s[std::size_t(node.node)] : 0;
      input.u = rod ? input.s / s.back() : 0;
      input.x = point.x(), input.y = point.y(), input.z = point.z();
      input.i = node.node;
      input.n = double(points.size());
      const auto value = context_.evaluate(condition, input, where);
      if (!value) return {};
      if (*value != 0) kept.push_back(node);
    }
    if (kept.empty() && !candidates.empty()) context_.problem(where, "no node satisfies \"" + where.string + "\"");
    return kept;
  }

  LoadContext& context_;
  bool edges_;
};

std::vector<NodeRef> withoutRepeats(const std::vector<NodeRef>& all) {
  std::set<std::pair<int, int>> seen;
  std::vector<NodeRef> once;
  for (const NodeRef node : all)
    if (seen.insert({node.body, node.node}).second) once.push_back(node);
  return once;
}

}  // namespace

bool parseRange(std::string_view text, long& first, long& last) {
  const std::size_t dots = text.find("..");
  return dots != std::string_view::npos && parseIndex(text.substr(0, dots), first) &&
         parseIndex(text.substr(dots + 2), last);
}

std::vector<NodeRef> selectEveryNode(LoadContext& context, const text::Value& selector) {
  if (!context.bodiesUsable) return {};
  return Resolver(context, false).resolve(selector);
}

std::vector<NodeRef> selectNodes(LoadContext& context, const text::Value& selector) {
  return withoutRepeats(selectEveryNode(context, selector));
}

std::vector<EdgeRef> selectEdges(LoadContext& context, const text::Value& selector, const std::string& key) {
  std::vector<EdgeRef> edges;
  if (!context.bodiesUsable) return edges;
  const std::vector<NodeRef> all = withoutRepeats(Resolver(context, true).resolve(selector));
  if (!areOnRods(context, selector, all, "\"" + key + "\" fixes the twist of a rod's edges",
                 "its edges do not twist; constrain its nodes with \"clamp\", \"fix\" or \"move\""))
    return edges;
  for (const NodeRef found : all) edges.push_back({found.body, found.node});
  return edges;
}

std::vector<NodeRef> selectNodesOfEdges(LoadContext& context, const text::Value& selector) {
  std::vector<NodeRef> nodes = selectNodes(context, selector);
  if (!nodes.empty() && edgesWithin(context.scene.rods, nodes).empty() &&
      shellPartsWithin(context.scene, nodes).edges == 0) {
    context.problem(selector,
                    "the selection holds no whole edge; expected at least two neighboring nodes, such as "
                    "\"arm\" or \"arm:0..1\"");
    return {};
  }
  return nodes;
}

std::vector<int> selectBodies(LoadContext& context, const text::Value& selector) {
  if (!context.bodiesUsable) return {};
  if (selector.isArray()) {
    std::set<int> found;
    for (const text::Value& item : selector.items)
      for (const int body : selectBodies(context, item)) found.insert(body);
    return {found.begin(), found.end()};
  }
  const Scene& scene = context.scene;
  std::vector<std::string> known;
  std::vector<int> found;
  for (int body = 0; body < scene.bodyOfVine(int(scene.vines.size())); ++body) {
    const bool vine = body >= scene.bodyOfVine(0), linkage = !vine && body >= scene.bodyCount();
    known.push_back(vine      ? scene.vines[std::size_t(body - scene.bodyOfVine(0))].name
                    : linkage ? scene.linkages[std::size_t(body - scene.bodyCount())].name
                              : scene.bodyName(body));
    if (selector.isString() && nameMatches(selector.string, known.back())) found.push_back(body);
  }
  if (!found.empty()) return found;
  const std::string whole = selector.string.substr(0, selector.string.find_first_of("/:@"));
  const bool part = std::any_of(known.begin(), known.end(), [&](const auto& name) { return nameMatches(whole, name); });
  if (!selector.isString())
    context.problem(selector, "expected the name of a body: " + listed(known));
  else if (whole != selector.string && part)
    context.problem(selector, "\"" + selector.string + "\" is a part of \"" + whole +
                                  "\"; expected the name of a whole body: " + listed(known));
  else if (context.obstacleNames.count(selector.string))
    context.problem(selector,
                    "\"" + selector.string + "\" is an obstacle; expected the name of a body: " + listed(known));
  else
    context.problem(selector, unknownName("body", selector.string, known));
  return {};
}

bool nameMatches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = std::string_view::npos, resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p, ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::vector<EdgeRef> edgesWithin(const std::vector<Rod>& rods, const std::vector<NodeRef>& nodes) {
  std::vector<EdgeRef> edges;
  std::vector<std::array<int, 2>> sorted;
  sorted.reserve(nodes.size());
  for (const NodeRef node : nodes) sorted.push_back({node.body, node.node});
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
    const auto [rod, node] = sorted[i];
    if (std::size_t(rod) >= rods.size()) break;  // shells follow the rods
    const bool neighbors = sorted[i + 1] == std::array<int, 2>{rod, node + 1};
    if (neighbors && std::size_t(node) + 1 < rods[std::size_t(rod)].points.size()) edges.push_back({rod, node});
  }
  return edges;
}

std::string nodeName(const Scene& scene, NodeRef node) {
  return scene.bodyName(node.body) + ":" + std::to_string(node.node);
}

std::vector<double> arcLengths(const std::vector<Vec3>& points) {
  std::vector<double> s(points.size(), 0);
  for (std::size_t i = 1; i < points.size(); ++i) s[i] = s[i - 1] + (points[i] - points[i - 1]).norm();
  return s;
}

}  // namespace tendril::scene
