#include "solve/ordering/dissection.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>

#include "solve/ordering/separator.h"

namespace tendril::solve {
namespace {

constexpr std::size_t smallPart = 64;  // vertices that are not divided further

/// Exact minimum degree of a small part, including fill among its surroundings; sets of vertices are bit masks.
class SmallPart {
 public:
  SmallPart(const Graph& graph, std::span<const int> weight)
      : graph_(graph), weight_(weight), local_(graph.size(), -1) {}

  void appendOrder(std::span<const int> vertices, std::vector<int>& order) {
    gather(vertices);
    std::vector<int> left(vertices.size());
    std::iota(left.begin(), left.end(), 0);
    std::vector<long> degrees(vertices.size());
    for (int v : left) degrees[v] = degree(v);
    while (!left.empty()) {
      const auto least = std::min_element(left.begin(), left.end(), [&](int u, int v) {
        return degrees[u] != degrees[v] ? degrees[u] < degrees[v] : u < v;
      });
      const int v = *least;
      left.erase(least);
      order.push_back(all_[v]);
      eliminate(v);
      for (int u : left)
        if (has(v, u)) degrees[u] = degree(u);
    }
    for (int v : all_) local_[v] = -1;
  }

 private:
  using Word = std::uint64_t;
  static constexpr int bits = 64;

  Word* row(int v) { return adjacent_.data() + std::size_t(v) * words_; }
  bool has(int v, int u) { return row(v)[u / bits] >> (u % bits) & 1; }

  void gather(std::span<const int> vertices) {
    all_.assign(vertices.begin(), vertices.end());
    for (std::size_t k = 0; k < all_.size(); ++k) local_[all_[k]] = int(k);
    for (int v : vertices)
      for (int u : graph_.of(v)) {
        if (local_[u] >= 0) continue;
        local_[u] = int(all_.size());
        all_.push_back(u);
      }
    words_ = (all_.size() + bits - 1) / bits;
    adjacent_.assign(all_.size() * words_, 0);
    masks_.clear();
    for (std::size_t k = 0; k < all_.size(); ++k) {
      for (int u : graph_.of(all_[k]))
        if (local_[u] >= 0) row(int(k))[local_[u] / bits] |= Word(1) << (local_[u] % bits);
      std::vector<Word>& mask = masks_[weight_[all_[k]]];
      mask.resize(words_, 0);
      mask[k / bits] |= Word(1) << (k % bits);
    }
  }

  /// Unknowns that v is coupled to.
  long degree(int v) {
    long sum = 0;
    for (const auto& [weight, mask] : masks_) {
      int count = 0;
      for (std::size_t w = 0; w < words_; ++w) count += __builtin_popcountll(row(v)[w] & mask[w]);
      sum += long(weight) * count;
    }
    return sum;
  }

  void eliminate(int v) {
    for (std::size_t u = 0; u < all_.size(); ++u) {
      if (!has(v, int(u))) continue;
      Word* near = row(int(u));
      for (std::size_t w = 0; w < words_; ++w) near[w] |= row(v)[w];
      near[u / bits] &= ~(Word(1) << (u % bits));
      near[std::size_t(v) / bits] &= ~(Word(1) << (v % bits));
    }
  }

  const Graph& graph_;
  std::span<const int> weight_;
  std::vector<int> local_, all_;  // index in the part, and its vertices: the part's own, then its surroundings
  std::size_t words_ = 0;
  std::vector<Word> adjacent_;
  std::map<int, std::vector<Word>> masks_;  // vertices of each weight
};

class Dissection {
 public:
  Dissection(const Graph& graph, std::span<const int> weight)
      : graph_(graph), finder_(graph, weight), small_(graph, weight) {}

  std::vector<int> order() {
    std::vector<int> all(graph_.size());
    std::iota(all.begin(), all.end(), 0);
    dissect(all);
    return std::move(order_);
  }

 private:
  void dissect(std::span<const int> vertices) {
    if (vertices.size() <= smallPart) return small_.appendOrder(vertices, order_);
    std::vector<int> parts, begins;
    finder_.components(vertices, parts, begins);
    if (begins.size() > 2) {
      for (std::size_t k = 0; k + 1 < begins.size(); ++k)
        dissect(std::span<const int>(parts).subspan(begins[k], begins[k + 1] - begins[k]));
      return;
    }
    std::vector<int> left, right, separator;
    finder_.split(vertices, left, right, separator);
    if (left.empty() || right.empty() || 2 * separator.size() > vertices.size()) return leave(vertices);
    dissect(left);
    dissect(right);
    order_.insert(order_.end(), separator.begin(), separator.end());
  }

  /// A part that cannot be divided well is ordered by itself.
  void leave(std::span<const int> vertices) {
    std::vector<int> local(graph_.size(), -1);
    for (std::size_t k = 0; k < vertices.size(); ++k) local[vertices[k]] = int(k);
    std::vector<std::array<int, 2>> pairs;
    for (int v : vertices)
      for (int u : graph_.of(v))
        if (local[u] >= 0) pairs.push_back({local[v], local[u]});
    for (int v : fillReducingOrder(buildGraph(int(vertices.size()), pairs))) order_.push_back(vertices[v]);
  }

  const Graph& graph_;
  SeparatorFinder finder_;
  SmallPart small_;
  std::vector<int> order_;
};

}  // namespace

std::vector<int> nestedDissection(const Graph& graph, std::span<const int> weight) {
  return Dissection(graph, weight).order();
}

}  // namespace tendril::solve
