#include "rods_shells/pattern.h"

#include "rods_shells/connectors.h"
#include "rods_shells/shells.h"
#include "rods_shells/welds.h"

namespace tendril::rods_shells {

void addClique(std::span<const int> unknowns, Pattern& pattern) {
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      if (unknowns[i] >= 0 && unknowns[j] >= 0) pattern.push_back({unknowns[i], unknowns[j]});
    }
  }
}

Pattern elasticPattern(const Structure& s) {
  Pattern pairs;
  for (const Spring& p : s.springs) addClique(p.dofs, pairs);
  for (const Edge& e : s.edges) {
    const int a = s.nodeDof[e.a], b = s.nodeDof[e.b];
    addClique(std::array{a, a + 1, a + 2, b, b + 1, b + 2, e.theta}, pairs);
  }
  for (std::size_t i = 0; i < s.ties.size(); ++i) addClique(tieUnknowns(s, static_cast<int>(i)), pairs);
  for (const Connector& c : s.connectors) addClique(connectorUnknowns(s, c), pairs);
  for (const ShellEdge& e : s.shell.edges) {
    std::array<int, 12> dofs;
    const auto nodes = hingeNodes(e);
    for (int k = 0; k < 12; ++k) dofs[k] = nodes[k / 3] < 0 ? -1 : s.nodeDof[nodes[k / 3]] + k % 3;
    addClique(dofs, pairs);
  }
  for (const ShellTriangle& t : s.shell.triangles) {
    if (!t.midedge) continue;
    std::array<int, 21> dofs;
    for (int k = 0; k < 3; ++k) {
      const ShellEdge& e = s.shell.edges[t.edges[k]];
      const int far = e.opposite[1 - t.sides[k]];
      for (int c = 0; c < 3; ++c) {
        dofs[3 * k + c] = s.nodeDof[t.nodes[k]] + c;
        dofs[9 + 3 * k + c] = far < 0 ? -1 : s.nodeDof[far] + c;
      }
      dofs[18 + k] = e.psi;
    }
    addClique(dofs, pairs);
  }
  return pairs;
}

}  // namespace tendril::rods_shells
