// Elimination tree, column counts and panels of a sparse LDL^T.
#include "solve/supernodes.h"

#include <algorithm>

namespace tendril {
namespace {

/// Parent of each column in the elimination tree (Liu 1990), -1 at roots.
std::vector<int> eliminationTree(const Graph& graph, std::span<const int> order, std::span<const int> position) {
  const int size = graph.size();
  std::vector<int> parent(size, -1), ancestor(size, -1);
  for (int k = 0; k < size; ++k) {
    for (int neighbour : graph.of(order[k])) {
      for (int i = position[neighbour]; i != -1 && i < k;) {
        const int up = ancestor[i];
        ancestor[i] = k;
        if (up == -1) parent[i] = k;
        i = up;
      }
    }
  }
  return parent;
}

/// Columns in postorder: every subtree contiguous, its root last, so that chains of columns become neighbours.
std::vector<int> postorder(std::span<const int> parent) {
  const int size = int(parent.size());
  std::vector<int> child(size, -1), sibling(size, -1), sorted, stack;
  for (int i = size - 1; i >= 0; --i) {
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

/// Entries of each column of L, the diagonal included, by walking every row's subtree.
std::vector<int> columnCounts(const Graph& graph, std::span<const int> order, std::span<const int> position,
                              std::span<const int> parent) {
  const int size = graph.size();
  std::vector<int> counts(size, 1), seen(size, -1);
  for (int k = 0; k < size; ++k) {
    seen[k] = k;
    for (int neighbour : graph.of(order[k])) {
      for (int i = position[neighbour]; i < k && seen[i] != k; i = parent[i]) {
        seen[i] = k;
        ++counts[i];
      }
    }
  }
  return counts;
}

struct Panel {
  int first, width, height;
  double nonzeros;  // of the exact factor; the panel stores at least these
};

/// Whether `child` should be stored together with `parent`, the panel right after it: always for a few columns, else
/// while the stored zeros stay a small share.
bool worthMerging(const Panel& child, const Panel& parent) {
  const double width = child.width + parent.width, height = child.width + parent.height;
  const double stored = width * height - width * (width - 1) / 2;
  const double zeros = 1 - (child.nonzeros + parent.nonzeros) / stored;
  const double allowed = width <= 4 ? 1 : width <= 16 ? 0.3 : width <= 48 ? 0.1 : 0.05;
  return zeros <= allowed;
}

std::vector<Panel> mergePanels(std::span<const int> parent, std::span<const int> counts) {
  std::vector<Panel> panels;
  const int size = int(parent.size());
  for (int j = 0; j < size;) {
    Panel next{j, 0, counts[j], 0};
    do {
      next.nonzeros += counts[j];
      ++next.width;
      ++j;
    } while (j < size && parent[j - 1] == j && counts[j - 1] == counts[j] + 1);
    // In postorder the panel before is the last child, if it is a child at all.
    while (!panels.empty()) {
      const Panel& last = panels.back();
      const int above = parent[last.first + last.width - 1];
      if (above == -1 || above >= next.first + next.width || !worthMerging(last, next)) break;
      next = {last.first, last.width + next.width, last.width + next.height, last.nonzeros + next.nonzeros};
      panels.pop_back();
    }
    panels.push_back(next);
  }
  return panels;
}

/// Fills rows and rowStart: own columns, the pattern below them, and what child panels pass on.
void findRows(const Graph& graph, std::span<const int> position, Supernodes& result) {
  const int count = result.count();
  std::vector<int> seen(graph.size(), -1), firstChild(count, -1), sibling(count, -1);
  result.rowStart.assign(1, 0);
  for (int s = 0; s < count; ++s) {
    const int begin = result.firstColumn[s], end = result.firstColumn[s + 1];
    for (int j = begin; j < end; ++j) result.rows.push_back(j);
    const auto reach = [&](int row) {
      if (row < end || seen[row] == s) return;
      seen[row] = s;
      result.rows.push_back(row);
    };
    for (int j = begin; j < end; ++j)
      for (int neighbour : graph.of(result.order[j])) reach(position[neighbour]);
    for (int c = firstChild[s]; c != -1; c = sibling[c])
      for (std::size_t i = result.rowStart[c] + result.width(c); i < result.rowStart[c + 1]; ++i) reach(result.rows[i]);
    std::sort(result.rows.begin() + std::ptrdiff_t(result.rowStart[s]), result.rows.end());
    result.rowStart.push_back(result.rows.size());
    if (result.height(s) > end - begin) {
      const int parent = result.panelOf[result.rows[result.rowStart[s] + (end - begin)]];
      sibling[s] = firstChild[parent];
      firstChild[parent] = s;
    }
  }
}

}  // namespace

Supernodes findSupernodes(const Graph& graph, std::span<const int> order) {
  Supernodes result;
  const std::vector<int> sorted = postorder(eliminationTree(graph, order, invertOrder(order)));
  for (int p : sorted) result.order.push_back(order[p]);
  const std::vector<int> position = invertOrder(result.order);
  const std::vector<int> parent = eliminationTree(graph, result.order, position);
  const std::vector<int> counts = columnCounts(graph, result.order, position, parent);
  const std::vector<Panel> panels = mergePanels(parent, counts);
  for (const Panel& panel : panels) {
    result.panelOf.insert(result.panelOf.end(), panel.width, int(result.firstColumn.size()));
    result.firstColumn.push_back(panel.first);
  }
  result.firstColumn.push_back(graph.size());
  findRows(graph, position, result);
  return result;
}

}  // namespace tendril
