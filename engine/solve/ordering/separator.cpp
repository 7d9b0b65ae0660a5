// The first separator follows lines of equal difference of distances to far corners, which cross a sheet straight where
// plain levels of distance would curve; then vertices move in and out of it as long as it gets lighter (Fiduccia and
// Mattheyses 1982, for vertex separators).
#include "solve/ordering/separator.h"

#include <algorithm>
#include <cstdlib>

namespace tendril::solve {
namespace {

constexpr double heaviest = 0.58;  // share of the weight that one half may have
constexpr int mostIdle = 60;       // consecutive moves that may leave the separator heavier than its best
constexpr int passes = 6;

}  // namespace

SeparatorFinder::SeparatorFinder(const Graph& graph, std::span<const int> weight)
    : graph_(graph),
      weight_(weight),
      side_(graph.size(), outside_),
      trial_(graph.size(), outside_),
      gain_(graph.size()),
      locked_(graph.size(), 0) {
  for (auto& values : distance_) values.assign(graph.size(), 0);
  for (auto& values : coordinate_) values.assign(graph.size(), 0);
}

void SeparatorFinder::components(std::span<const int> vertices, std::vector<int>& parts, std::vector<int>& begins) {
  parts.clear();
  begins.assign(1, 0);
  for (int v : vertices) side_[v] = left_;
  for (int root : vertices) {
    if (side_[root] != left_) continue;
    side_[root] = right_;
    parts.push_back(root);
    for (std::size_t next = std::size_t(begins.back()); next < parts.size(); ++next)
      for (int u : graph_.of(parts[next])) {
        if (side_[u] != left_) continue;
        side_[u] = right_;
        parts.push_back(u);
      }
    begins.push_back(int(parts.size()));
  }
  for (int v : vertices) side_[v] = outside_;
}

/// Distances from `root` within the part. Returns a vertex of the last level that has few neighbors.
int SeparatorFinder::search(int root, std::span<const int> vertices, std::vector<int>& distance) {
  for (int v : vertices) distance[v] = -1;
  queue_.assign(1, root);
  distance[root] = 0;
  for (std::size_t next = 0; next < queue_.size(); ++next)
    for (int u : graph_.of(queue_[next])) {
      if (side_[u] == outside_ || distance[u] >= 0) continue;
      distance[u] = distance[queue_[next]] + 1;
      queue_.push_back(u);
    }
  int far = queue_.back();
  for (std::size_t k = queue_.size(); k-- > 0 && distance[queue_[k]] == distance[far];)
    if (graph_.of(queue_[k]).size() < graph_.of(far).size()) far = queue_[k];
  return far;
}

/// Corners a and b far from each other, c far from both, d far from c; the four coordinates run from a to b, from c to
/// d, and along the two bisectors.
void SeparatorFinder::layOut(std::span<const int> vertices) {
  std::vector<int>&a = distance_[0], &b = distance_[1], &c = distance_[2], &d = distance_[3];
  const int first = search(vertices[0], vertices, a);
  const int second = search(first, vertices, a);
  search(second, vertices, b);
  int third = vertices[0];
  // clang 14 cannot capture a structured binding by reference without naming it.
  const auto lonely = [&a = a, &b = b](int v) { return std::min(a[v], b[v]); };
  for (int v : vertices)
    if (lonely(v) > lonely(third)) third = v;
  search(third, vertices, c);
  int fourth = vertices[0];
  for (int v : vertices)
    if (c[v] > c[fourth] || (c[v] == c[fourth] && lonely(v) > lonely(fourth))) fourth = v;
  search(fourth, vertices, d);
  for (int v : vertices) {
    const int ab = a[v] - b[v], cd = c[v] - d[v];
    coordinate_[0][v] = ab;
    coordinate_[1][v] = cd;
    coordinate_[2][v] = ab + cd;
    coordinate_[3][v] = ab - cd;
  }
}

/// Divides the part at the median of `key` into trial_; the lighter of the two borders becomes the separator. Returns
/// its weight.
long SeparatorFinder::cut(std::span<const int> vertices, const std::vector<int>& key, const std::vector<int>& tie) {
  sorted_.assign(vertices.begin(), vertices.end());
  const auto middle = sorted_.begin() + std::ptrdiff_t(sorted_.size() / 2);
  std::nth_element(sorted_.begin(), middle, sorted_.end(), [&](int u, int v) {
    return key[u] != key[v] ? key[u] < key[v] : tie[u] != tie[v] ? tie[u] < tie[v] : u < v;
  });
  for (auto v = sorted_.begin(); v != sorted_.end(); ++v) trial_[*v] = v < middle ? left_ : right_;
  long border[2] = {0, 0};
  const auto atBorder = [&](int v) {
    const auto near = graph_.of(v);
    return std::any_of(near.begin(), near.end(),
                       [&](int u) { return trial_[u] != outside_ && trial_[u] != trial_[v]; });
  };
  std::vector<int>& found = queue_;
  found.clear();
  for (int v : vertices) {
    if (!atBorder(v)) continue;
    border[trial_[v]] += weight_[v];
    found.push_back(v);
  }
  const Side lighter = border[1] < border[0] ? right_ : left_;
  for (int v : found)
    if (trial_[v] == lighter) trial_[v] = between_;
  return border[lighter];
}

long SeparatorFinder::gain(int v, int to) const {
  long sum = weight_[v];
  for (int u : graph_.of(v))
    if (side_[u] == 1 - to) sum -= weight_[u];
  return sum;
}

/// Moves a vertex out of the separator, and its neighbors on the other side into it.
void SeparatorFinder::move(int v, int to) {
  const int other = 1 - to;
  changes_.push_back({v, side_[v]});
  locked_[v] = 1;
  side_[v] = static_cast<unsigned char>(to);
  total_[between_] -= weight_[v];
  total_[to] += weight_[v];
  for (int u : graph_.of(v))
    if (side_[u] == between_) gain_[u][other] -= weight_[v];
  for (int u : graph_.of(v)) {
    if (side_[u] != other) continue;
    changes_.push_back({u, side_[u]});
    side_[u] = between_;
    total_[other] -= weight_[u];
    total_[between_] += weight_[u];
    for (int x : graph_.of(u))
      if (side_[x] == between_) gain_[x][to] += weight_[u];
    gain_[u] = {gain(u, left_), gain(u, right_)};
    cutters_.push_back(u);
  }
}

/// One pass: every vertex leaves the separator at most once, the best moves first; then returns to the best state seen.
bool SeparatorFinder::improve() {
  const long limit = long(heaviest * double(total_[0] + total_[1] + total_[2]));
  const auto imbalance = [&] { return std::labs(total_[left_] - total_[right_]); };
  long best = total_[between_], bestImbalance = imbalance();
  bool better = false;
  changes_.clear();
  for (int v : cutters_) gain_[v] = {gain(v, left_), gain(v, right_)};
  std::vector<int> moved;
  for (int idle = 0; idle < mostIdle; ++idle) {
    int chosen = -1, to = 0;
    std::size_t kept = 0;
    for (std::size_t k = 0; k < cutters_.size(); ++k) {
      const int v = cutters_[k];
      if (side_[v] != between_) continue;
      cutters_[kept++] = v;
      if (locked_[v]) continue;
      for (int side : {left_, right_}) {
        if (total_[side] + weight_[v] > limit) continue;
        const bool first = chosen < 0;
        if (first || gain_[v][side] > gain_[chosen][to] ||
            (gain_[v][side] == gain_[chosen][to] && total_[side] < total_[to]))
          chosen = v, to = side;
      }
    }
    cutters_.resize(kept);
    if (chosen < 0) break;
    move(chosen, to);
    moved.push_back(chosen);
    if (total_[between_] > best || (total_[between_] == best && imbalance() >= bestImbalance)) continue;
    better = better || total_[between_] < best;
    best = total_[between_];
    bestImbalance = imbalance();
    changes_.clear();
    idle = -1;
  }
  for (std::size_t k = changes_.size(); k-- > 0;) {
    const auto& [v, before] = changes_[k];
    total_[side_[v]] -= weight_[v];
    total_[before] += weight_[v];
    side_[v] = before;
    if (before == between_) cutters_.push_back(v);
  }
  for (int v : moved) locked_[v] = 0;
  std::sort(cutters_.begin(), cutters_.end());
  cutters_.erase(std::unique(cutters_.begin(), cutters_.end()), cutters_.end());
  cutters_.erase(std::remove_if(cutters_.begin(), cutters_.end(), [&](int v) { return side_[v] != between_; }),
                 cutters_.end());
  return better;
}

void SeparatorFinder::refine(std::span<const int> vertices) {
  total_ = {};
  cutters_.clear();
  for (int v : vertices) {
    total_[side_[v]] += weight_[v];
    if (side_[v] == between_) cutters_.push_back(v);
  }
  for (int pass = 0; pass < passes && improve(); ++pass) {
  }
}

void SeparatorFinder::split(std::span<const int> vertices, std::vector<int>& left, std::vector<int>& right,
                            std::vector<int>& separator) {
  for (int v : vertices) side_[v] = left_;
  layOut(vertices);
  long lightest = -1;
  std::vector<unsigned char> bestSide(vertices.size());
  for (int key : {2, 3, 0, 1}) {
    const long weight = cut(vertices, coordinate_[key], coordinate_[key ^ 1]);
    if (lightest >= 0 && weight >= lightest) continue;
    lightest = weight;
    for (std::size_t k = 0; k < vertices.size(); ++k) bestSide[k] = trial_[vertices[k]];
  }
  for (std::size_t k = 0; k < vertices.size(); ++k) side_[vertices[k]] = bestSide[k];
  refine(vertices);
  left.clear();
  right.clear();
  separator.clear();
  for (int v : vertices) {
    (side_[v] == left_ ? left : side_[v] == right_ ? right : separator).push_back(v);
    side_[v] = trial_[v] = outside_;
  }
}

}  // namespace tendril::solve
