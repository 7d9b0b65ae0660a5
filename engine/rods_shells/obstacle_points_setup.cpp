// Where points that touch obstacles lie on a body, and which of its parts they belong to: found once, and after live
// changes.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <set>
#include <string>

#include "contact/obstacle_passage.h"
#include "rods_shells/terms/obstacle_points.h"

namespace tendril::rods_shells {
namespace {

constexpr double mostOnEdge = 50, mostInTriangle = 16;  // parts of a side
// Less margin costs searches, more costs distances that nothing comes of.
constexpr double marginShare = 0.25;  // of a mean length and radius

}  // namespace

// Every node, and fixed points on edges; inside triangles against round obstacles only: what has edges is caught by the
// points on edges.
void ObstaclePoints::measure(const contact::ContactMesh& mesh) {
  carriers_.clear(), partOf_.clear();
  for (const contact::ContactMesh::Point& p : mesh.points)
    carriers_.push_back({{1, {p.node}, {1}, p.body, p.radius}, p.share, 0, 1});
  for (const contact::ContactMesh::Edge& e : mesh.edges)
    carriers_.push_back({{2, {e.nodes[0], e.nodes[1]}, {0.5, 0.5}, e.body, e.radius}, 0, e.length, mostOnEdge});
  for (const contact::ContactMesh::Triangle& t : mesh.triangles) {
    double longest = 0;
    for (int k = 0; k < 3; ++k)
      longest = std::max(longest, (s_.nodes[t.nodes[k]] - s_.nodes[t.nodes[(k + 1) % 3]]).norm());
    carriers_.push_back({{3, t.nodes, {1.0 / 3, 1.0 / 3, 1.0 / 3}, t.body, t.radius}, 0, longest, mostInTriangle});
  }
  rodEdges_.assign(s_.nodes.size(), {});
  for (std::size_t i = 0; i < carriers_.size(); ++i) {
    const ContactPoint& p = carriers_[i].middle;
    if (p.count != 2 || !scene_.isRod(p.body)) continue;
    for (int k = 0; k < 2; ++k) rodEdges_[static_cast<std::size_t>(p.nodes[k])].push_back(static_cast<int>(i));
  }
  findCoarse();
}

// Of each body what the obstacles for which its edges or faces are too coarse ask for.
void ObstaclePoints::findCoarse() {
  struct Asked {
    double length = std::numeric_limits<double>::infinity();
    int finest = -1;
    std::set<int> finenesses;
  };
  std::map<int, Asked> bodies;
  for (const ContactCarrier& c : carriers_) {
    for (const int fineness : finenesses_) {
      const contact::ObstacleShape& o = obstacles_[static_cast<std::size_t>(fineness)];
      if (c.middle.count == 1 || (c.middle.count == 3 && contact::featureRadius(o) == 0)) continue;
      if (contact::partsNeeded(o, c.middle.radius, c.length) <= c.most) continue;
      Asked& asked = bodies[c.middle.body];
      asked.finenesses.insert(fineness);
      const double length = c.most * contact::pointSpacing(o, c.middle.radius);
      if (length < asked.length) asked.length = length, asked.finest = fineness;
    }
  }
  meshWarnings_.clear();
  for (const auto& [body, asked] : bodies) {
    std::size_t met = 0;
    for (const int fineness : fineness_) met += asked.finenesses.count(fineness);
    const std::size_t others = met - 1;
    char text[40];
    std::snprintf(text, sizeof text, "%.3g m", asked.length);
    meshWarnings_.push_back("\"" + scene_.bodyName(body) + "\" is meshed too coarsely for obstacle \"" +
                            scene_.obstacles[static_cast<std::size_t>(asked.finest)].name + "\"" +
                            (others > 0 ? " and " + std::to_string(others) + (others > 1 ? " others" : " other") : "") +
                            ", which may pass between the points that touch; take edges shorter than " + text);
  }
}

void ObstaclePoints::divide(const solve::Partition& parts) {
  std::vector<int> partOf;
  for (const int dof : s_.nodeDof) partOf.push_back(parts.of[static_cast<std::size_t>(dof)]);
  if (partOf == partOf_ && groups_.size() == static_cast<std::size_t>(parts.count()) + 1) return;
  partOf_ = std::move(partOf);
  groups_.assign(static_cast<std::size_t>(parts.count()) + 1, {});
  const auto put = [this](std::vector<int> Group::*list, int node, int i) {
    (groups_[static_cast<std::size_t>(partOf_[static_cast<std::size_t>(node)])].*list).push_back(i);
    (groups_.back().*list).push_back(i);
  };
  for (std::size_t i = 0; i < carriers_.size(); ++i)
    put(&Group::carriers, carriers_[i].middle.nodes[0], static_cast<int>(i));
  for (std::size_t i = 0; i < s_.nodes.size(); ++i) put(&Group::nodes, static_cast<int>(i), static_cast<int>(i));
  for (Group& group : groups_) measure(group);
}

void ObstaclePoints::measure(Group& group) const {
  double size = 0;
  int edges = 0;
  for (const int i : group.carriers) {
    const ContactCarrier& c = carriers_[i];
    if (c.middle.count == 2) size += c.length + c.middle.radius, ++edges;
    for (const int fineness : finenesses_) {
      const int n = parts(c, fineness);
      // A triangle of two parts has no point inside.
      if (c.middle.count > 1 && n < c.middle.count) continue;
      const double share = c.middle.count == 1 ? nodeShare(c, fineness) : c.length / n;
      const auto same = [&](const LargestShare& s) { return s.body == c.middle.body && s.fineness == fineness; };
      const auto known = std::find_if(group.shares.rbegin(), group.shares.rend(), same);
      if (known == group.shares.rend()) {
        group.shares.push_back({c.middle.body, fineness, share});
      } else {
        known->share = std::max(known->share, share);
      }
    }
  }
  const auto isPlane = [](const contact::ObstacleShape& o) { return o.kind == contact::ObstacleShape::Kind::plane; };
  // A plane tells by one product how far a node is: to look for what is near costs more.
  const bool planes = std::all_of(obstacles_.begin(), obstacles_.end(), isPlane);
  group.margin = planes ? std::numeric_limits<double>::infinity() : marginShare * size / std::max(1, edges);
}

}  // namespace tendril::rods_shells
