// Conflicts between constraints: each prescribes components over intervals of time; two conflict where their intervals
// overlap with different values (conflicts.h).
#include "scene/load/conflicts.h"
#include "text/words.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace tendril::scene {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The value prescribed over [from, until), as an index of ConflictFinder's texts: 0 is the initial position.
struct Piece {
  double from, until;
  int value;
};

/// What the constraint prescribes for component 0 to 2 of a node, an edge's twist (3) or a clamped node's frame (4).
std::string inside(const Constraint& constraint, int component) {
  if (constraint.kind == Constraint::Kind::turn)
    return constraint.angle.isZero() ? "0" : "angle " + constraint.angle.text();
  if (component == 4 && !constraint.rotation.empty()) {
    std::string value = "rotation";
    for (const Turn& turn : constraint.rotation) {
      for (int k = 0; k < 3; ++k) value += " " + text::formatNumber(turn.axis[k]);
      value += " by " + turn.angle.text();
    }
    return value;
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

/// (body, node or edge, component).
using Component = std::tuple<int, int, int>;

class ConflictFinder {
 public:
  explicit ConflictFinder(const Scene& scene) : scene_(scene) {
    for (const Joint& joint : scene.joints)
      for (const NodeRef node : joint.nodes)
        first_[{node.body, node.node}] = {joint.nodes[0].body, joint.nodes[0].node};
  }

  std::vector<ConstraintConflict> find() {
    texts_["0"] = 0;
    for (std::size_t c = 0; c < scene_.constraints.size(); ++c) {
      for (int component = 0; component < 5; ++component)
        pieces_[std::size_t(component)] = pieces(scene_.constraints[c], component);
      reported_.clear();
      addConstraint(int(c));
    }
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
    if (joined == first_.end())
      add(index, {node.body, node.node, axis});
    else
      add(index, {joined->second.first, joined->second.second, axis});
  }

  int numberOf(const std::string& text) { return texts_.emplace(text, int(texts_.size())).first->second; }

  std::vector<Piece> pieces(const Constraint& constraint, int component) {
    const std::string value = inside(constraint, component);
    const int now = numberOf(value);
    std::vector<Piece> result;
    if (!constraint.freeBefore) result.push_back({-infinity, constraint.interval.from, 0});
    result.push_back({constraint.interval.from, constraint.interval.until, now});
    if (!constraint.release) {
      const int after = now == 0 ? 0 : numberOf(value + " at " + std::to_string(constraint.interval.until));
      result.push_back({constraint.interval.until, infinity, after});
    }
    return result;
  }

  /// Every interval of a component belongs to the constraint that wins there. A new one takes over its intervals and
  /// conflicts with owners of a different value. Each interval is added once and removed once: n log n.
  void add(int index, const Component& component) {
    Timeline& line = lines_[component];
    for (const Piece& piece : pieces_[std::size_t(std::get<2>(component))]) {
      if (!(piece.from < piece.until)) continue;
      auto at = line.lower_bound(piece.from);
      if (at != line.begin() && std::prev(at)->second.until > piece.from) --at;
      while (at != line.end() && at->first < piece.until) {
        const double from = at->first;
        const Owned owned = at->second;
        if (owned.value != piece.value && owned.owner != index && reported_.insert(owned.owner).second)
          conflicts_.push_back({owned.owner, index, describe(component)});
        at = line.erase(at);
        if (from < piece.from) line[from] = {piece.from, owned.value, owned.owner};
        if (owned.until > piece.until) at = line.emplace(piece.until, owned).first;
      }
      line[piece.from] = {piece.until, piece.value, index};
    }
  }

  std::string describe(const Component& component) const {
    const auto [body, index, axis] = component;
    const std::string& name = scene_.bodyName(body);
    if (axis == 3) return "the twist of edge " + std::to_string(index) + " of " + name;
    if (axis == 4) return "the frame at " + name + ":" + std::to_string(index);
    return std::string(1, "xyz"[axis]) + " of " + name + ":" + std::to_string(index);
  }

  const Scene& scene_;
  std::map<std::pair<int, int>, std::pair<int, int>> first_;  ///< joined node -> the joint's first
  struct Owned {
    double until;
    int value, owner;
  };
  using Timeline = std::map<double, Owned>;  ///< by the start of an interval; intervals do not overlap
  std::map<Component, Timeline> lines_;
  std::map<std::string, int> texts_;
  std::array<std::vector<Piece>, 5> pieces_;  ///< of the current constraint, by component
  std::set<int> reported_;                    ///< earlier constraints that it conflicts with
  std::vector<ConstraintConflict> conflicts_;
};

}  // namespace

std::vector<ConstraintConflict> findConflicts(const Scene& scene) { return ConflictFinder(scene).find(); }

}  // namespace tendril::scene
