#include "discrete/parts.h"

#include <algorithm>
#include <limits>
#include <map>

namespace tendril {
namespace {

// Sums run as in the structure as a whole, so that a part on its own has the same scales to the last bit.
void measurePart(const Structure& s, PartElements& part, const std::vector<int>& unknowns) {
  double total = 0;
  std::size_t count = part.shellEdges.size();
  std::map<int, double> lengths;  // per rod
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  const auto include = [&](int node) { low = low.cwiseMin(s.nodes[node]), high = high.cwiseMax(s.nodes[node]); };
  part.unitWeight = VectorX::Ones(static_cast<Eigen::Index>(unknowns.size()));
  const auto weigh = [&](int unknown) {
    const auto at = std::lower_bound(unknowns.begin(), unknowns.end(), unknown) - unknowns.begin();
    part.unitWeight[at] = 1 / part.meanEdge;
  };
  for (const int i : part.edges) {
    const Edge& e = s.edges[i];
    include(e.a), include(e.b);
    ++count;
    total += e.length, lengths[e.rod] += e.length;
  }
  for (const int i : part.shellEdges) {
    include(s.shell.edges[i].a), include(s.shell.edges[i].b);
    total += s.shell.edges[i].length;
  }
  if (count == 0) return;
  part.extent = (high - low).norm();
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

}  // namespace

void Parts::divide(const Structure& s, std::span<const std::array<int, 2>> pattern) {
  unknowns = partition(s.size, pattern);
  elements.assign(static_cast<std::size_t>(unknowns.count()), {});
  all = {};
  const auto put = [&](std::vector<int> PartElements::*list, int i, int node) {
    (elements[unknowns.of[s.nodeDof[node]]].*list).push_back(i);
    (all.*list).push_back(i);
  };
  for (std::size_t i = 0; i < s.edges.size(); ++i) put(&PartElements::edges, static_cast<int>(i), s.edges[i].a);
  for (std::size_t i = 0; i < s.springs.size(); ++i) put(&PartElements::springs, static_cast<int>(i), s.springs[i].node);
  for (std::size_t i = 0; i < s.shell.edges.size(); ++i) {
    put(&PartElements::shellEdges, static_cast<int>(i), s.shell.edges[i].a);
  }
  for (std::size_t i = 0; i < s.shell.triangles.size(); ++i) {
    put(&PartElements::triangles, static_cast<int>(i), s.shell.triangles[i].nodes[0]);
  }
  for (std::size_t i = 0; i < s.welds.size(); ++i) put(&PartElements::welds, static_cast<int>(i), s.welds[i].node);
  for (std::size_t i = 0; i < s.ties.size(); ++i) put(&PartElements::ties, static_cast<int>(i), s.welds[s.ties[i].weld].node);
  for (const int d : s.nodeDof) {
    elements[unknowns.of[d]].nodeDofs.push_back(d);
    all.nodeDofs.push_back(d);
  }
  std::vector<int> every(static_cast<std::size_t>(s.size));
  for (int i = 0; i < s.size; ++i) every[i] = i;
  measurePart(s, all, every);
  for (int p = 0; p < unknowns.count(); ++p) {
    elements[p].part = p;
    elements[p].ofUnknown = &unknowns.of;
    elements[p].unknowns = &unknowns.unknowns[p];
    measurePart(s, elements[p], unknowns.unknowns[p]);
  }
}

}  // namespace tendril
