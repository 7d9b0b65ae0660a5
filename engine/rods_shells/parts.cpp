#include "rods_shells/parts.h"

#include <algorithm>
#include <map>

namespace tendril::rods_shells {
namespace {

// Sums run as in the structure as a whole, so that a part on its own has the same scales to the last bit.
void measurePart(const Structure& s, PartElements& part, const std::vector<int>& unknowns,
                 const std::vector<Vec3>& nodes) {
  double total = 0;
  std::size_t count = part.shellEdges.size();
  std::map<int, double> lengths;  // per rod
  part.unitWeight = VectorX::Ones(static_cast<Eigen::Index>(unknowns.size()));
  const auto weigh = [&](int unknown) {
    const auto at = std::lower_bound(unknowns.begin(), unknowns.end(), unknown) - unknowns.begin();
    part.unitWeight[at] = 1 / part.meanEdge;
  };
  for (const int i : part.edges) {
    const Edge& e = s.edges[i];
    ++count;
    total += e.length, lengths[e.rod] += e.length;
  }
  for (const int i : part.shellEdges) {
    total += s.shell.edges[i].length;
  }
  if (count == 0) return;
  part.extent = sizeOf(nodes);
  for (const auto& [rod, length] : lengths) part.extent = std::max(part.extent, length);
  part.meanEdge = total / static_cast<double>(count);
  for (const int i : part.edges) weigh(s.edges[i].theta);
  for (const int i : part.welds) {
    for (int k = 0; k < 3; ++k) weigh(s.welds[i].turn + k);
  }
  for (const int i : part.shellEdges) {
    if (s.shell.edges[i].psi >= 0) weigh(s.shell.edges[i].psi);
  }
}

constexpr int nobody = -1, several = -2;

// Whose each unknown is: what bodies share is nobody's.
std::vector<int> owners(const Structure& s) {
  std::vector<int> owner(static_cast<std::size_t>(s.size), nobody);
  const auto claim = [&](int unknown, int body) {
    int& o = owner[static_cast<std::size_t>(unknown)];
    o = o == nobody || o == body ? body : several;
  };
  for (std::size_t b = 0; b < s.bodyNodes.size(); ++b) {
    for (const int node : s.bodyNodes[b]) {
      for (int k = 0; k < 3; ++k) claim(s.nodeDof[node] + k, static_cast<int>(b));
    }
  }
  const int rods = static_cast<int>(s.rodFirstEdge.size());
  for (const Edge& e : s.edges) claim(e.theta, e.rod);
  for (const ShellEdge& e : s.shell.edges) {
    if (e.psi >= 0) claim(e.psi, rods + e.shell);
  }
  return owner;
}

void findBodies(PartElements& part, const std::vector<int>& unknowns, const std::vector<int>& owner) {
  std::map<int, int> place;
  for (const int u : unknowns) {
    if (owner[u] >= 0) place.emplace(owner[u], static_cast<int>(place.size()));
  }
  part.bodies = static_cast<int>(place.size());
  if (part.bodies < 2) return;
  for (const int u : unknowns) part.body.push_back(owner[u] < 0 ? -1 : place[owner[u]]);
  part.bodyOf.assign(static_cast<std::size_t>(place.rbegin()->first) + 1, -1);
  for (const auto& [body, k] : place) part.bodyOf[static_cast<std::size_t>(body)] = k;
}

}  // namespace

void Parts::divide(const Structure& s, std::span<const std::array<int, 2>> pattern) {
  unknowns = solve::partition(s.size, pattern);
  elements.assign(static_cast<std::size_t>(unknowns.count()), {});
  all = {};
  const auto put = [&](std::vector<int> PartElements::*list, int i, int node) {
    (elements[unknowns.of[s.nodeDof[node]]].*list).push_back(i);
    (all.*list).push_back(i);
  };
  for (std::size_t i = 0; i < s.edges.size(); ++i) put(&PartElements::edges, static_cast<int>(i), s.edges[i].a);
  for (std::size_t i = 0; i < s.springs.size(); ++i)
    put(&PartElements::springs, static_cast<int>(i), s.springs[i].node);
  for (std::size_t i = 0; i < s.shell.edges.size(); ++i) {
    put(&PartElements::shellEdges, static_cast<int>(i), s.shell.edges[i].a);
  }
  for (std::size_t i = 0; i < s.shell.triangles.size(); ++i) {
    put(&PartElements::triangles, static_cast<int>(i), s.shell.triangles[i].nodes[0]);
  }
  for (std::size_t i = 0; i < s.welds.size(); ++i) put(&PartElements::welds, static_cast<int>(i), s.welds[i].node);
  for (std::size_t i = 0; i < s.ties.size(); ++i)
    put(&PartElements::ties, static_cast<int>(i), s.welds[s.ties[i].weld].node);
  for (std::size_t i = 0; i < s.connectors.size(); ++i)
    put(&PartElements::connectors, static_cast<int>(i), s.connectors[i].nodes[0]);
  std::vector<std::vector<Vec3>> nodes(elements.size());
  for (std::size_t i = 0; i < s.nodes.size(); ++i) {
    const int d = s.nodeDof[i];
    elements[unknowns.of[d]].nodeDofs.push_back(d);
    all.nodeDofs.push_back(d);
    nodes[unknowns.of[d]].push_back(s.nodes[i]);
  }
  std::vector<int> every(static_cast<std::size_t>(s.size));
  for (int i = 0; i < s.size; ++i) every[i] = i;
  measurePart(s, all, every, s.nodes);
  const std::vector<int> owner = owners(s);
  findBodies(all, every, owner);
  for (int p = 0; p < unknowns.count(); ++p) {
    elements[p].part = p;
    elements[p].ofUnknown = &unknowns.of;
    elements[p].unknowns = &unknowns.unknowns[p];
    measurePart(s, elements[p], unknowns.unknowns[p], nodes[p]);
    findBodies(elements[p], unknowns.unknowns[p], owner);
  }
}

}  // namespace tendril::rods_shells
