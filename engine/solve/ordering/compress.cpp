#include "solve/ordering/compress.h"

#include <array>
#include <cstdint>
#include <numeric>
#include <utility>

#include "geometry/sort_rows.h"

namespace tendril::solve {
namespace {

std::uint64_t scramble(int i) {
  std::uint64_t x = std::uint64_t(i) + 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Whether i and j are neighbors and share all other neighbors.
bool sameNeighborhood(const Graph& graph, int i, int j) {
  const std::span<const int> a = graph.of(i), b = graph.of(j);
  if (a.size() != b.size() || !std::binary_search(a.begin(), a.end(), j)) return false;
  std::size_t p = 0, q = 0;
  for (;;) {
    if (p < a.size() && a[p] == j) ++p;
    if (q < b.size() && b[q] == i) ++q;
    if (p == a.size() || q == b.size()) return p == a.size() && q == b.size();
    if (a[p++] != b[q++]) return false;
  }
}

}  // namespace

CompressedGraph compress(const Graph& graph) {
  const int size = graph.size();
  std::vector<std::array<std::uint64_t, 2>> hashed(size);  // hash and unknown
  for (int i = 0; i < size; ++i) {
    std::uint64_t hash = scramble(i);
    for (int j : graph.of(i)) hash += scramble(j);
    hashed[i] = {hash, std::uint64_t(i)};
  }
  geometry::sortRows(hashed);
  std::vector<int> leader(size);  // smallest unknown of each one's group
  for (int k = 0, first = 0; k < size; ++k) {
    const int i = int(hashed[k][1]);
    while (hashed[first][0] != hashed[k][0]) ++first;
    leader[i] = i;
    for (int earlier = first; earlier < k; ++earlier) {
      const int j = int(hashed[earlier][1]);
      if (leader[j] != j || !sameNeighborhood(graph, i, j)) continue;
      leader[i] = j;
      break;
    }
  }
  CompressedGraph out;
  std::vector<int> group(size, -1);
  out.start.push_back(0);
  for (int i = 0; i < size; ++i) {
    if (leader[i] == i) {
      group[i] = int(out.start.size()) - 1;
      out.start.push_back(0);
    }
    ++out.start[group[leader[i]] + 1];
  }
  std::partial_sum(out.start.begin(), out.start.end(), out.start.begin());
  out.member.resize(size);
  std::vector<int> next(out.start.begin(), out.start.end() - 1);
  for (int i = 0; i < size; ++i) out.member[next[group[leader[i]]]++] = i;
  out.graph.start.push_back(0);
  for (int g = 0; g + 1 < int(out.start.size()); ++g) {
    // Leaders ascend with their groups, so that this list is sorted.
    for (int j : graph.of(out.member[out.start[g]]))
      if (leader[j] == j && group[j] != g) out.graph.neighbor.push_back(group[j]);
    out.graph.start.push_back(int(out.graph.neighbor.size()));
  }
  return out;
}

CompressedGraph asSingles(Graph graph) {
  CompressedGraph out;
  out.start.resize(graph.start.size());
  out.member.resize(graph.size());
  std::iota(out.start.begin(), out.start.end(), 0);
  std::iota(out.member.begin(), out.member.end(), 0);
  out.graph = std::move(graph);
  return out;
}

std::vector<int> expandOrder(const CompressedGraph& groups, std::span<const int> order) {
  std::vector<int> out;
  out.reserve(groups.unknowns());
  for (int g : order) out.insert(out.end(), groups.of(g).begin(), groups.of(g).end());
  return out;
}

}  // namespace tendril::solve
