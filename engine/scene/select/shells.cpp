// Counts the shell parts of a selection, and reports bodies of the wrong kind (shells.h).
#include "scene/select/shells.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "scene/load/context.h"

namespace tendril::scene {
namespace {

ShellParts partsOf(const Shell& shell, const std::vector<bool>& selected) {
  ShellParts parts;
  std::vector<std::array<int, 2>> sides;  // one per triangle and edge
  for (const std::array<int, 3>& triangle : shell.triangles) {
    bool all = true;
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = triangle[k], b = triangle[(k + 1) % 3];
      all = all && selected[std::size_t(a)];
      if (selected[std::size_t(a)] && selected[std::size_t(b)]) sides.push_back({std::min(a, b), std::max(a, b)});
    }
    parts.triangles += all;
  }
  std::sort(sides.begin(), sides.end());
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const bool repeated = i > 0 && sides[i] == sides[i - 1];
    ++(repeated ? parts.hinges : parts.edges);
  }
  return parts;
}

/// The first body of the nodes that is (or is not) a rod, or -1.
int firstBody(const Scene& scene, const std::vector<NodeRef>& nodes, bool rod) {
  for (const NodeRef node : nodes)
    if (scene.isRod(node.body) == rod) return node.body;
  return -1;
}

}  // namespace

ShellParts shellPartsWithin(const Scene& scene, const std::vector<NodeRef>& nodes) {
  std::map<int, std::vector<bool>> selected;
  for (const NodeRef node : nodes) {
    if (scene.isRod(node.body)) continue;
    std::vector<bool>& marks = selected[node.body];
    if (marks.empty()) marks.resize(scene.points(node.body).size(), false);
    marks[std::size_t(node.node)] = true;
  }
  ShellParts all;
  for (const auto& [body, marks] : selected) {
    const ShellParts parts = partsOf(scene.shellOf(body), marks);
    all.edges += parts.edges;
    all.hinges += parts.hinges;
    all.triangles += parts.triangles;
  }
  return all;
}

bool areOnRods(LoadContext& context, const text::Value& selector, const std::vector<NodeRef>& nodes,
               const std::string& what, const std::string& instead) {
  const int shell = firstBody(context.scene, nodes, false);
  if (shell < 0) return true;
  context.problem(selector, "\"" + context.scene.bodyName(shell) + "\" is a shell, and " + what + "; " + instead);
  return false;
}

bool areOnShells(LoadContext& context, const text::Value& selector, const std::vector<NodeRef>& nodes,
                 const std::string& what, const std::string& instead) {
  const int rod = firstBody(context.scene, nodes, true);
  if (rod < 0) return true;
  context.problem(selector, "\"" + context.scene.bodyName(rod) + "\" is a rod, and " + what + "; " + instead);
  return false;
}

bool areOnHinges(LoadContext& context, const text::Value& selector, const std::vector<NodeRef>& nodes,
                 const std::string& what, const std::string& instead) {
  if (!areOnShells(context, selector, nodes, what, instead)) return false;
  if (nodes.empty() || shellPartsWithin(context.scene, nodes).hinges > 0) return true;
  context.problem(selector,
                  "the selection holds no hinge; expected both ends of at least one edge between two triangles");
  return false;
}

void checkFieldOnShells(LoadContext& context, const text::Value& value, const formula::Number& field,
                        const std::vector<NodeRef>& nodes) {
  if (!field.seesArcLength()) return;
  const int shell = firstBody(context.scene, nodes, false);
  if (shell < 0) return;
  context.problem(value, "the formula \"" + field.text() + "\" sees s or u, the arc length along a rod, and \"" +
                             context.scene.bodyName(shell) +
                             "\" is a shell; shells have no arc length, which s and u are");
}

std::string bodyWord(const Scene& scene) {
  if (scene.shells.empty()) return "rod";
  return scene.rods.empty() ? "shell" : "rod or shell";
}

}  // namespace tendril::scene
