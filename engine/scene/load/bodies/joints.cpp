// Welds and pins: their nodes must coincide. Joints of one kind that share a node are one joint.
#include <algorithm>
#include <map>
#include <set>

#include "scene/load/topics.h"
#include "scene/select/links.h"
#include "scene/select/selector.h"

namespace tendril::scene {
namespace {

constexpr double meetingTolerance = 1e-6;  // of the structure's size

/// Diagonal of the bounding box of all nodes [m].
double structureSize(const Scene& scene) {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (int body = 0; body < scene.bodyCount(); ++body) {
    for (const Vec3& point : scene.points(body)) {
      low = low.cwiseMin(point);
      high = high.cwiseMax(point);
    }
  }
  return (high - low).norm();
}

const Vec3& position(const Scene& scene, NodeRef node) { return scene.points(node.body)[std::size_t(node.node)]; }

/// The nodes that a joint names; fewer than two, or a repeated one, are problems.
std::vector<NodeRef> jointNodes(LoadContext& context, const text::Value& list) {
  std::vector<NodeRef> nodes = selectEveryNode(context, list);
  if (nodes.empty()) return {};
  if (nodes.size() == 1) {
    context.problem(list, "a joint needs at least two nodes; this one has only " + nodeName(context.scene, nodes[0]));
    return {};
  }
  std::set<std::pair<int, int>> seen;
  for (const NodeRef node : nodes) {
    if (seen.insert({node.body, node.node}).second) continue;
    context.problem(list, "the joint names " + nodeName(context.scene, node) + " twice; expected different nodes");
    return {};
  }
  return nodes;
}

/// "; the nearest node of canopy is canopy:12, 0.002 m away", where the body has a closer node than the named one.
std::string nearerNode(const Scene& scene, NodeRef from, NodeRef named) {
  const std::vector<Vec3>& points = scene.points(named.body);
  NodeRef best = named;
  double smallest = (position(scene, named) - position(scene, from)).norm();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double apart = (points[i] - position(scene, from)).norm();
    if (!(apart < smallest) || NodeRef{named.body, int(i)} == from) continue;
    smallest = apart;
    best = {named.body, int(i)};
  }
  const std::string& body = scene.bodyName(named.body);
  if (best == named) return "; no node of " + body + " is nearer to " + nodeName(scene, from);
  return "; the node of " + body + " nearest to " + nodeName(scene, from) + " is " + nodeName(scene, best) + ", " +
         inWords(smallest) + " m away";
}

/// False, with a problem, where the nodes are apart.
bool checkMeeting(LoadContext& context, const text::Value& list, const std::vector<NodeRef>& nodes, double size) {
  const Scene& scene = context.scene;
  std::size_t worst = 0;
  double distance = 0;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const double apart = (position(scene, nodes[i]) - position(scene, nodes[0])).norm();
    if (apart > distance) {
      distance = apart;
      worst = i;
    }
  }
  if (distance <= meetingTolerance * size) return true;
  context.problem(list, nodeName(scene, nodes[0]) + " and " + nodeName(scene, nodes[worst]) +
                            " do not meet: they are " + inWords(distance) + " m apart; expected at most " +
                            inWords(meetingTolerance * size) + " m (1e-6 of the structure's size)" +
                            nearerNode(scene, nodes[0], nodes[worst]));
  return false;
}

/// Joins joints that share a node; a node in both a weld and a pin is a problem.
class JointSet {
 public:
  explicit JointSet(LoadContext& context) : context_(context) {}

  void add(const text::Value& list, bool weld, const std::vector<NodeRef>& nodes) {
    std::vector<NodeRef> all = nodes;
    std::vector<std::size_t> merged;
    for (const NodeRef node : nodes) {
      const auto found = jointOf_.find({node.body, node.node});
      if (found == jointOf_.end()) continue;
      const std::size_t other = found->second;
      if (joints_[other].weld != weld) {
        context_.problem(list,
                         nodeName(context_.scene, node) + " is in a weld and in a pin; expected it in one of them");
        return;
      }
      if (std::find(merged.begin(), merged.end(), other) == merged.end()) merged.push_back(other);
    }
    std::vector<NodeRef> joined;
    for (const std::size_t other : merged) {
      joined.insert(joined.end(), joints_[other].nodes.begin(), joints_[other].nodes.end());
      joints_[other].nodes.clear();
    }
    for (const NodeRef node : all)
      if (std::find(joined.begin(), joined.end(), node) == joined.end()) joined.push_back(node);
    for (const NodeRef node : joined) jointOf_[{node.body, node.node}] = joints_.size();
    joints_.push_back({weld, joined});
  }

  std::vector<Joint> joints() const {
    std::vector<Joint> kept;
    for (const Joint& joint : joints_)
      if (!joint.nodes.empty()) kept.push_back(joint);
    return kept;
  }

 private:
  LoadContext& context_;
  std::vector<Joint> joints_;
  std::map<std::pair<int, int>, std::size_t> jointOf_;
};

}  // namespace

void loadJoints(LoadContext& context) {
  const double size = structureSize(context.scene);
  JointSet set(context);
  for (const text::Value& item : itemsOf(context, "joints")) {
    const text::Value* weld = item.find("weld");
    const text::Value* list = weld ? weld : item.find("pin");
    if (!list) {
      context.problem(item, "expected a joint: {\"weld\": [...]} or {\"pin\": [...]}");
      continue;
    }
    if (refuseLinkages(context, *list, "welds and pins join nodes of rods and shells",
                       "a link has a \"joint\", and \"loops\" close chains"))
      continue;
    const std::vector<NodeRef> nodes = jointNodes(context, *list);
    if (nodes.empty()) continue;
    if (checkMeeting(context, *list, nodes, size)) set.add(*list, weld != nullptr, nodes);
  }
  context.scene.joints = set.joints();
}

}  // namespace tendril::scene
