// Orders of elimination. The only file that needs Eigen's sparse matrices and ordering methods.
#include "solve/ordering/ordering.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <string>

#include "geometry/invariants.h"
#include "geometry/sort_rows.h"

namespace tendril::solve {

Graph buildGraph(int size, std::span<const std::array<int, 2>> pattern) {
  Graph all;
  all.start.assign(size_t(size) + 1, 0);
  for (const auto& [row, col] : pattern) {
    if (row < 0 || col < 0 || row >= size || col >= size)
      throw std::out_of_range("the pattern's entry (" + std::to_string(row) + ", " + std::to_string(col) +
                              ") lies outside a matrix of " + std::to_string(size) + " unknowns");
    if (row == col) continue;
    ++all.start[row + 1];
    ++all.start[col + 1];
  }
  for (int i = 0; i < size; ++i) all.start[i + 1] += all.start[i];
  all.neighbor.resize(all.start[size]);
  std::vector<int> fill(all.start.begin(), all.start.end() - 1);
  for (const auto& [row, col] : pattern) {
    if (row == col) continue;
    all.neighbor[fill[row]++] = col;
    all.neighbor[fill[col]++] = row;
  }
  Graph graph;
  graph.start.push_back(0);
  graph.neighbor.reserve(all.neighbor.size());
  for (int i = 0; i < size; ++i) {
    const auto begin = all.neighbor.begin() + all.start[i], end = all.neighbor.begin() + all.start[i + 1];
    std::sort(begin, end);
    graph.neighbor.insert(graph.neighbor.end(), begin, std::unique(begin, end));
    graph.start.push_back(int(graph.neighbor.size()));
  }
  return graph;
}

std::vector<int> invertOrder(std::span<const int> order) {
  assert(geometry::isPermutation(order));
  std::vector<int> position(order.size());
  for (size_t p = 0; p < order.size(); ++p) position[order[p]] = int(p);
  return position;
}

int halfBandwidth(const Graph& graph, std::span<const int> order) {
  const std::vector<int> position = invertOrder(order);
  int widest = 0;
  for (int i = 0; i < graph.size(); ++i)
    for (int j : graph.of(i)) widest = std::max(widest, order.empty() ? i - j : position[i] - position[j]);
  return widest;
}

std::vector<int> foldOrder(int size) {
  std::vector<int> order(size);
  for (int p = 0; p < size; ++p) order[p] = p % 2 == 0 ? p / 2 : size - 1 - p / 2;
  return order;
}

namespace {

/// Breadth-first levels of one connected part; the marks persist from part to part.
class LevelSearch {
 public:
  explicit LevelSearch(const Graph& graph) : graph_(graph), seen_(graph.size(), 0) {}

  /// Visits the part of `root`, appending vertices to `visited` level by level, each vertex's new neighbors by
  /// ascending degree, then number. Returns the number of levels; `lastLevel` is where the last one starts in
  /// `visited`.
  int run(int root, std::vector<int>& visited, size_t& lastLevel) {
    ++mark_;
    visited.clear();
    visited.push_back(root);
    seen_[root] = mark_;
    int levels = 0;
    for (size_t next = 0; next < visited.size(); ++levels) {
      lastLevel = next;
      for (const size_t end = visited.size(); next < end; ++next) {
        const size_t first = visited.size();
        for (int j : graph_.of(visited[next])) {
          if (seen_[j] == mark_) continue;
          seen_[j] = mark_;
          visited.push_back(j);
        }
        geometry::sortRows(std::span(visited).subspan(first), [&](int a, int b) {
          const size_t da = graph_.of(a).size(), db = graph_.of(b).size();
          return da != db ? da < db : a < b;
        });
      }
    }
    return levels;
  }

 private:
  const Graph& graph_;
  std::vector<int> seen_;
  int mark_ = 0;
};

}  // namespace

std::vector<int> reverseCuthillMcKee(const Graph& graph) {
  const int size = graph.size();
  std::vector<int> order, part, trial;
  order.reserve(size);
  std::vector<char> placed(size, 0);
  LevelSearch search(graph);
  for (int seed = 0; seed < size; ++seed) {
    if (placed[seed]) continue;
    size_t last = 0, trialLast = 0;
    int levels = search.run(seed, part, last);
    while (true) {  // go to the far end until the number of levels stops growing, so this ends
      const int far = *std::min_element(part.begin() + std::ptrdiff_t(last), part.end(),
                                        [&](int a, int b) { return graph.of(a).size() < graph.of(b).size(); });
      const int trialLevels = search.run(far, trial, trialLast);
      const bool longer = trialLevels > levels;
      if (trialLevels >= levels) part.swap(trial);
      if (!longer) break;
      levels = trialLevels;
      last = trialLast;
    }
    for (int i : part) placed[i] = 1;
    order.insert(order.end(), part.begin(), part.end());
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<int> fillReducingOrder(const Graph& graph) {
  const int size = graph.size();
  if (size == 0) return {};
  // With the diagonal: a row without it counts as dense and is put last.
  std::vector<int> start(1, 0), column;
  for (int i = 0; i < size; ++i) {
    column.push_back(i);
    column.insert(column.end(), graph.of(i).begin(), graph.of(i).end());
    std::sort(column.begin() + start.back(), column.end());
    start.push_back(int(column.size()));
  }
  const std::vector<double> ones(column.size(), 1.0);
  const Eigen::SparseMatrix<double> matrix = Eigen::Map<const Eigen::SparseMatrix<double>>(
      size, size, Eigen::Index(column.size()), start.data(), column.data(), ones.data());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(matrix, permutation);
  return {permutation.indices().data(), permutation.indices().data() + size};
}

}  // namespace tendril::solve
