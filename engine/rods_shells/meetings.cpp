#include "rods_shells/meetings.h"

#include <algorithm>
#include <limits>

namespace tendril::rods_shells {

void Meetings::begin(const VectorX& q) {
  start_ = q;
  ways_.resize(s_.nodes.size());
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    const Vec3 x = s_.nodes[i] + q.segment<3>(s_.nodeDof[i]);
    ways_[i] = {x, x};
  }
}

void Meetings::pass(const VectorX& q, const std::vector<int>& nodeDofs) {
  if (ways_.empty()) return;
  if (nodeOf_.empty()) {
    nodeOf_.assign(static_cast<std::size_t>(s_.size), -1);
    for (std::size_t i = 0; i < s_.nodes.size(); ++i)
      nodeOf_[static_cast<std::size_t>(s_.nodeDof[i])] = static_cast<int>(i);
  }
  for (const int d : nodeDofs) {
    const auto i = static_cast<std::size_t>(nodeOf_[static_cast<std::size_t>(d)]);
    const Vec3 x = s_.nodes[i] + q.segment<3>(d);
    ways_[i].low = ways_[i].low.cwiseMin(x), ways_[i].high = ways_[i].high.cwiseMax(x);
  }
}

contact::Box Meetings::around(const Element& e, const std::vector<contact::Box>& nodes, double wide) const {
  contact::Box box = nodes[static_cast<std::size_t>(e.nodes[0])];
  for (const int n : e.nodes) {
    const contact::Box& node = nodes[static_cast<std::size_t>(n)];
    box.low = box.low.cwiseMin(node.low), box.high = box.high.cwiseMax(node.high);
  }
  return {box.low - Vec3::Constant(wide), box.high + Vec3::Constant(wide)};
}

// Way of its middle in the step [m].
Vec3 Meetings::wayOf(const Element& e) const {
  Vec3 way = Vec3::Zero();
  for (const int n : e.nodes) way += (end_ - start_).segment<3>(s_.nodeDof[static_cast<std::size_t>(n)]) / 3;
  return way;
}

// Around where it starts, and where it ends without a common way.
contact::Box Meetings::besides(const Element& e, const Vec3& common, double wide) const {
  const double most = std::numeric_limits<double>::max();
  contact::Box box{Vec3::Constant(most), Vec3::Constant(-most)};
  for (const int n : e.nodes) {
    const std::size_t i = static_cast<std::size_t>(n);
    const Vec3 from = s_.nodes[i] + start_.segment<3>(s_.nodeDof[i]),
               to = s_.nodes[i] + end_.segment<3>(s_.nodeDof[i]) - common;
    box.low = box.low.cwiseMin(from).cwiseMin(to), box.high = box.high.cwiseMax(from).cwiseMax(to);
  }
  return {box.low - Vec3::Constant(wide), box.high + Vec3::Constant(wide)};
}

// Boxes of nodes are wider by half an edge each, so that this is done again only when something has moved by that much.
void Meetings::search(const solve::Partition& parts) {
  const contact::ContactMesh& mesh = pairs_.mesh();
  elements_.clear();
  seen_ = ways_;
  std::vector<double> wide(s_.nodes.size(), 0.0);
  double reach = 0;
  for (const contact::ContactMesh::Edge& e : mesh.edges) {
    elements_.push_back({{e.nodes[0], e.nodes[1], e.nodes[1]}, e.body, e.radius});
    for (const int n : e.nodes)
      wide[static_cast<std::size_t>(n)] = std::max(wide[static_cast<std::size_t>(n)], 0.5 * e.length);
  }
  for (const contact::ContactMesh::Triangle& t : mesh.triangles) elements_.push_back({t.nodes, t.body, t.radius});
  for (std::size_t i = 0; i < seen_.size(); ++i) seen_[i].low.array() -= wide[i], seen_[i].high.array() += wide[i];
  for (const Element& a : elements_) reach = std::max(reach, pairs_.reachOf(a.body, a.body));
  boxes_.clear();
  for (const Element& e : elements_) boxes_.push_back(around(e, seen_, e.radius + 0.5 * reach));
  broad_.find(boxes_, overlaps_);
  near_.clear();
  for (const auto& [i, j] : overlaps_) {
    if (partOf(elements_[static_cast<std::size_t>(i)], parts) != partOf(elements_[static_cast<std::size_t>(j)], parts))
      near_.push_back({i, j});
  }
}

std::vector<std::array<int, 2>> Meetings::find(const VectorX& q, const solve::Partition& parts) {
  end_ = q;
  bool inside = seen_.size() == ways_.size();
  for (std::size_t i = 0; inside && i < ways_.size(); ++i) {
    inside =
        (seen_[i].low.array() <= ways_[i].low.array()).all() && (seen_[i].high.array() >= ways_[i].high.array()).all();
  }
  if (!inside) search(parts);
  std::vector<std::array<int, 2>> met;
  for (const auto& [i, j] : near_) {
    const Element &a = elements_[static_cast<std::size_t>(i)], &b = elements_[static_cast<std::size_t>(j)];
    const double reach = b.radius + pairs_.reachOf(a.body, b.body);
    if (!contact::overlap(around(a, ways_, a.radius), around(b, ways_, reach))) continue;
    const Vec3 common = 0.5 * (wayOf(a) + wayOf(b));
    if (!contact::overlap(besides(a, common, a.radius), besides(b, common, reach))) continue;
    const int p = partOf(a, parts), q = partOf(b, parts);
    met.push_back({std::min(p, q), std::max(p, q)});
  }
  std::sort(met.begin(), met.end());
  met.erase(std::unique(met.begin(), met.end()), met.end());
  return met;
}

}  // namespace tendril::rods_shells
