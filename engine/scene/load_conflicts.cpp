// Conflicts between constraints: each prescribes components over pieces of time; two conflict where their pieces overlap
// and say different things (load_conflicts.h).
#include "scene/load_conflicts.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace tendril {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// What is said over [from, until): "0" is the initial place.
struct Piece {
  double from, until;
  std::string says;
};

/// Component 0 to 2 of a node, the twist of an edge (3) or the frame of a clamped node (4), as the constraint prescribes it.
std::string inside(const Constraint& constraint, int component) {
  if (constraint.kind == Constraint::Kind::turn) return constraint.angle.isZero() ? "0" : "angle " + constraint.angle.text();
  if (component == 4 && !constraint.rotation.empty()) {
    std::string says = "rotation";
    for (const Turn& turn : constraint.rotation) {
      for (int k = 0; k < 3; ++k) says += " " + formatNumber(turn.axis[k]);
      says += " by " + turn.angle.text();
    }
    return says;
  }
  if (component < 3) {
    const std::size_t k = std::size_t(component);
    if (constraint.displacement && !(*constraint.displacement)[k].isZero())
      return "displacement " + (*constraint.displacement)[k].text();
    if (constraint.velocity && !(*constraint.velocity)[k].isZero())
      return "velocity " + (*constraint.velocity)[k].text() + " from " + std::to_string(constraint.interval.from);
  }
  return "0";
}

std::vector<Piece> pieces(const Constraint& constraint, int component) {
  const std::string says = inside(constraint, component);
  std::vector<Piece> result;
  if (!constraint.freeBefore) result.push_back({-infinity, constraint.interval.from, "0"});
  result.push_back({constraint.interval.from, constraint.interval.until, says});
  if (!constraint.release)
    result.push_back({constraint.interval.until, infinity,
                      says == "0" ? says : says + " at " + std::to_string(constraint.interval.until)});
  return result;
}

bool differ(const Constraint& a, const Constraint& b, int component) {
  for (const Piece& p : pieces(a, component))
    for (const Piece& q : pieces(b, component))
      if (std::max(p.from, q.from) < std::min(p.until, q.until) && p.says != q.says) return true;
  return false;
}

/// (body, node or edge, component).
using Component = std::tuple<int, int, int>;

class ConflictFinder {
 public:
  explicit ConflictFinder(const Scene& scene) : scene_(scene) {
    for (const Joint& joint : scene.joints)
      for (const NodeRef node : joint.nodes) first_[{node.body, node.node}] = {joint.nodes[0].body, joint.nodes[0].node};
  }

  std::vector<ConstraintConflict> find() {
    for (std::size_t c = 0; c < scene_.constraints.size(); ++c) addConstraint(int(c));
    return conflicts_;
  }

 private:
  void addConstraint(int index) {
    const Constraint& constraint = scene_.constraints[std::size_t(index)];
    using Kind = Constraint::Kind;
    for (const NodeRef node : constraint.nodes)
      for (int axis = 0; axis < 3; ++axis)
        if (constraint.kind != Kind::fix || constraint.axes[std::size_t(axis)]) addNode(index, node, axis);
    if (constraint.kind == Kind::clamp)
      for (const NodeRef node : constraint.nodes) add(index, {node.body, node.node, 4});
    for (const EdgeRef edge : constraint.edges) add(index, {edge.rod, edge.edge, 3});
    if (constraint.kind != Kind::planar) return;
    for (int body = 0; body < scene_.bodyCount(); ++body) {
      const int nodes = int(scene_.points(body).size());
      for (int i = 0; i < nodes; ++i) addNode(index, {body, i}, constraint.normal);
      for (int e = 0; scene_.isRod(body) && e + 1 < nodes; ++e) add(index, {body, e, 3});
    }
  }

  void addNode(int index, NodeRef node, int axis) {
    const auto joined = first_.find({node.body, node.node});
    if (joined == first_.end()) add(index, {node.body, node.node, axis});
    else add(index, {joined->second.first, joined->second.second, axis});
  }

  void add(int index, const Component& component) {
    std::vector<int>& owners = owners_[component];
    for (const int other : owners) {
      if (other == index) continue;
      const std::tuple<int, int, int> question = {other, index, std::get<2>(component)};
      if (!asked_.insert(question).second || told_.count({other, index})) continue;
      if (!differ(scene_.constraints[std::size_t(other)], scene_.constraints[std::size_t(index)], std::get<2>(component)))
        continue;
      told_.insert({other, index});
      conflicts_.push_back({other, index, describe(component)});
    }
    if (owners.empty() || owners.back() != index) owners.push_back(index);
  }

  std::string describe(const Component& component) const {
    const auto [body, place, axis] = component;
    const std::string& name = scene_.bodyName(body);
    if (axis == 3) return "the twist of edge " + std::to_string(place) + " of " + name;
    if (axis == 4) return "the frame at " + name + ":" + std::to_string(place);
    return std::string(1, "xyz"[axis]) + " of " + name + ":" + std::to_string(place);
  }

  const Scene& scene_;
  std::map<std::pair<int, int>, std::pair<int, int>> first_;  ///< joined node -> the joint's first
  std::map<Component, std::vector<int>> owners_;
  std::set<std::tuple<int, int, int>> asked_;
  std::set<std::pair<int, int>> told_;
  std::vector<ConstraintConflict> conflicts_;
};

}  // namespace

std::vector<ConstraintConflict> findConflicts(const Scene& scene) { return ConflictFinder(scene).find(); }

}  // namespace tendril
