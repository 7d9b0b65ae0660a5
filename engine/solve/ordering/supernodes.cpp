// Elimination tree, column counts and panels of a sparse LDL^T.
#include "solve/ordering/supernodes.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "geometry/invariants.h"
#include "geometry/sort_rows.h"

namespace tendril::solve {
namespace {

constexpr int widestPanel = 64;  // columns

/// Parent of each column in the elimination tree (Liu 1990), -1 at roots.
std::vector<int> eliminationTree(const Graph& graph, std::span<const int> order, std::span<const int> position) {
  const int size = graph.size();
  std::vector<int> parent(size, -1), ancestor(size, -1);
  for (int k = 0; k < size; ++k) {
    for (int neighbor : graph.of(order[k])) {
      for (int i = position[neighbor]; i != -1 && i < k;) {
        const int up = ancestor[i];
        ancestor[i] = k;
        if (up == -1) parent[i] = k;
        i = up;
      }
    }
  }
  return parent;
}

/// Columns in postorder: every subtree contiguous, its root last, so that chains of columns become neighbors. Of the
/// children the one with the tallest column comes last, right before its parent, where it may be merged with it.
std::vector<int> postorder(std::span<const int> parent, std::span<const int> counts) {
  const int size = int(parent.size());
  std::vector<int> child(size, -1), sibling(size, -1), byCount(size), sorted, stack;
  std::iota(byCount.begin(), byCount.end(), 0);
  geometry::sortRows(byCount, [&](int i, int j) { return counts[i] > counts[j]; });
  for (int i : byCount) {
    if (parent[i] == -1) continue;
    sibling[i] = child[parent[i]];
    child[parent[i]] = i;
  }
  sorted.reserve(size);
  for (int root = 0; root < size; ++root) {
    if (parent[root] != -1) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const int top = stack.back();
      if (child[top] == -1) {
        sorted.push_back(top);
        stack.pop_back();
      } else {
        stack.push_back(child[top]);
        child[top] = sibling[child[top]];
      }
    }
  }
  return sorted;
}

/// Entries of the first column of every group of L, the diagonal included, by walking every row's subtree.
std::vector<int> columnCounts(const CompressedGraph& groups, std::span<const int> order, std::span<const int> position,
                              std::span<const int> parent) {
  const int size = groups.size();
  std::vector<int> counts(size), seen(size, -1);
  for (int k = 0; k < size; ++k) {
    const int weight = groups.weight(order[k]);
    seen[k] = k;
    counts[k] += weight;
    for (int neighbor : groups.graph.of(order[k])) {
      for (int i = position[neighbor]; i < k && seen[i] != k; i = parent[i]) {
        seen[i] = k;
        counts[i] += weight;
      }
    }
  }
  return counts;
}

struct Panel {
  int first, groups;  // in the order of elimination
  int width, height;  // in unknowns
  double nonzeros;    // of the exact factor; the panel stores at least these
};

double storedEntries(double width, double height) { return width * height - width * (width - 1) / 2; }

/// Whether `child` should be stored together with `parent`, the next panel: always for a few columns, otherwise while
/// the stored zeros remain a small share.
bool worthMerging(const Panel& child, const Panel& parent) {
  const double width = child.width + parent.width, height = child.width + parent.height;
  const double zeros = 1 - (child.nonzeros + parent.nonzeros) / storedEntries(width, height);
  const double allowed = width <= 4 ? 1 : width <= 16 ? 0.3 : width <= 48 ? 0.1 : 0.05;
  return zeros <= allowed;
}

std::vector<Panel> mergePanels(const CompressedGraph& groups, std::span<const int> order, std::span<const int> parent,
                               std::span<const int> counts) {
  std::vector<Panel> panels;
  const int size = int(parent.size());
  for (int j = 0; j < size;) {
    Panel next{j, 0, 0, counts[j], 0};
    int weight = 0;
    do {
      weight = groups.weight(order[j]);
      next.nonzeros += storedEntries(weight, counts[j]);
      next.width += weight;
      ++next.groups;
      ++j;
    } while (j < size && parent[j - 1] == j && counts[j - 1] == counts[j] + weight);
    // In postorder the previous panel is the last child, if it is a child at all.
    while (!panels.empty()) {
      const Panel& last = panels.back();
      const int above = parent[last.first + last.groups - 1];
      if (above == -1 || above >= next.first + next.groups || !worthMerging(last, next)) break;
      next = {last.first, last.groups + next.groups, last.width + next.width, last.width + next.height,
              last.nonzeros + next.nonzeros};
      panels.pop_back();
    }
    panels.push_back(next);
  }
  return panels;
}

/// Cuts panels into parts of nearly equal width, none wider than `widest` unless it is a single group.
std::vector<Panel> cutPanels(const CompressedGraph& groups, std::span<const int> order, std::span<const Panel> panels) {
  std::vector<Panel> out;
  for (const Panel& panel : panels) {
    const int parts = (panel.width + widestPanel - 1) / widestPanel;
    int taken = 0, group = panel.first;
    for (int part = 0; part < parts && group < panel.first + panel.groups; ++part) {
      Panel next{group, 0, 0, panel.height - taken, 0};
      while (group < panel.first + panel.groups && (next.groups == 0 || taken < panel.width * (part + 1) / parts)) {
        const int weight = groups.weight(order[group++]);
        ++next.groups;
        next.width += weight;
        taken += weight;
      }
      out.push_back(next);
    }
  }
  return out;
}

/// Rows of every panel in groups, by number in the order of elimination: its own, the pattern below them, and what
/// child panels pass on. `panelOf` is by group.
std::vector<std::vector<int>> findRows(const CompressedGraph& groups, std::span<const int> order,
                                       std::span<const int> position, std::span<const Panel> panels,
                                       std::span<const int> panelOf) {
  const int count = int(panels.size());
  std::vector<std::vector<int>> rows(count);
  std::vector<int> seen(groups.size(), -1), firstChild(count, -1), sibling(count, -1);
  for (int s = 0; s < count; ++s) {
    const int begin = panels[s].first, end = begin + panels[s].groups;
    std::vector<int>& own = rows[s];
    for (int j = begin; j < end; ++j) own.push_back(j);
    const auto reach = [&](int row) {
      if (row < end || seen[row] == s) return;
      seen[row] = s;
      own.push_back(row);
    };
    for (int j = begin; j < end; ++j)
      for (int neighbor : groups.graph.of(order[j])) reach(position[neighbor]);
    for (int c = firstChild[s]; c != -1; c = sibling[c])
      for (std::size_t i = std::size_t(panels[c].groups); i < rows[c].size(); ++i) reach(rows[c][i]);
    std::sort(own.begin(), own.end());
    if (int(own.size()) == end - begin) continue;
    const int parent = panelOf[own[end - begin]];
    sibling[s] = firstChild[parent];
    firstChild[parent] = s;
  }
  return rows;
}

/// Expands groups to unknowns.
Supernodes expand(const CompressedGraph& groups, std::span<const int> order, std::span<const Panel> panels,
                  std::span<const std::vector<int>> rows) {
  Supernodes out;
  out.order = expandOrder(groups, order);
  std::vector<int>& begin = out.groupBegin;
  begin.assign(1, 0);
  for (int group : order) begin.push_back(begin.back() + groups.weight(group));
  out.rowStart.assign(1, 0);
  for (std::size_t s = 0; s < panels.size(); ++s) {
    out.panelOf.insert(out.panelOf.end(), panels[s].width, int(s));
    out.firstColumn.push_back(begin[panels[s].first]);
    for (int group : rows[s])
      for (int row = begin[group]; row < begin[group + 1]; ++row) out.rows.push_back(row);
    out.rowStart.push_back(out.rows.size());
  }
  out.firstColumn.push_back(begin.back());
  return out;
}

}  // namespace

bool Supernodes::isConsistent() const {
  const int size = int(order.size());
  if (!geometry::isPermutation(order) || !geometry::isAscending(firstColumn) || int(panelOf.size()) != size)
    return false;
  if (firstColumn.front() != 0 || firstColumn.back() != size || rowStart.back() != rows.size()) return false;
  for (int s = 0; s < count(); ++s) {
    const std::span<const int> own = rowsOf(s);
    if (height(s) < width(s) || !geometry::isAscending(own) || !geometry::allInRange(own, size)) return false;
    for (int c = 0; c < width(s); ++c)
      if (own[c] != firstColumn[s] + c || panelOf[own[c]] != s) return false;
  }
  return true;
}

Supernodes findSupernodes(const CompressedGraph& groups, std::span<const int> order) {
  std::vector<int> position = invertOrder(order);
  std::vector<int> parent = eliminationTree(groups.graph, order, position);
  const std::vector<int> unsorted = columnCounts(groups, order, position, parent);
  std::vector<int> sorted;
  for (int p : postorder(parent, unsorted)) sorted.push_back(order[p]);
  position = invertOrder(sorted);
  parent = eliminationTree(groups.graph, sorted, position);
  const std::vector<int> counts = columnCounts(groups, sorted, position, parent);
  const std::vector<Panel> panels = cutPanels(groups, sorted, mergePanels(groups, sorted, parent, counts));
  std::vector<int> panelOf;
  for (std::size_t s = 0; s < panels.size(); ++s) panelOf.insert(panelOf.end(), panels[s].groups, int(s));
  return expand(groups, sorted, panels, findRows(groups, sorted, position, panels, panelOf));
}

Supernodes findSupernodes(const Graph& graph, std::span<const int> order) {
  return findSupernodes(asSingles(graph), order);
}

}  // namespace tendril::solve
