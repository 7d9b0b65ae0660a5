#include "rods_shells/springs.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "elastic/bend_twist.h"
#include "rods_shells/welds.h"

namespace tendril::rods_shells {
namespace {

int farNode(const Structure& s, const SpringSide& side, int node) {
  const Edge& e = s.edges[side.edge];
  return e.a == node ? e.b : e.a;
}

void setUnknowns(const Structure& s, Spring& spring) {
  spring.dofs.fill(-1);
  const auto put = [&](int slot, int first) {
    for (int k = 0; k < 3; ++k) spring.dofs[slot + k] = first + k;
  };
  put(3, s.nodeDof[spring.node]);
  const auto putSide = [&](const SpringSide& side, int slot, int theta) {
    if (side.edge >= 0) {
      put(slot, s.nodeDof[farNode(s, side, spring.node)]);
      spring.dofs[theta] = s.edges[side.edge].theta;
    } else if (side.arm >= 0) {
      put(slot, s.welds[s.arms[side.arm].weld].turn);
    }
  };
  putSide(spring.e, 0, 9);
  putSide(spring.f, 6, 10);
}

// Completes a spring whose sides, node, rod and place are set: unknowns, mismatch of the directors.
void finish(Structure& s, Spring spring) {
  setUnknowns(s, spring);
  elastic::EdgeFrame e, f;
  initialSides(s, spring, e, f);
  const double mismatch = elastic::referenceTwist(e, f, 1 + e.t.dot(f.t), 0);
  if (spring.joint) {
    spring.cosOffset = std::cos(mismatch), spring.sinOffset = -std::sin(mismatch);
  } else {
    spring.initialReferenceTwist = mismatch;
  }
  s.springs.push_back(spring);
}

// At the nodes inside a rod. Where one is welded to others, its halves meet in the weld's frame instead.
void addRodSprings(Structure& s, const scene::Scene& scene) {
  for (std::size_t r = 0; r < scene.rods.size(); ++r) {
    for (std::size_t i = 1; i + 1 < scene.rods[r].points.size(); ++i) {
      if (weldOf(s, {static_cast<int>(r), static_cast<int>(i)}) >= 0) continue;
      Spring spring;
      spring.e.edge = s.rodFirstEdge[r] + static_cast<int>(i) - 1;
      spring.f.edge = spring.e.edge + 1;
      spring.node = s.bodyNodes[r][i];
      spring.rod = static_cast<int>(r), spring.place = static_cast<int>(i);
      setUnknowns(s, spring);
      const elastic::EdgeFrame e = initialFrame(s.edges[spring.e.edge]), f = initialFrame(s.edges[spring.f.edge]);
      spring.initialReferenceTwist = elastic::referenceTwist(e, f, 1 + e.t.dot(f.t), 0);
      s.springs.push_back(spring);
    }
  }
}

// Two rods that go on smoothly, or a rod's ends where it is closed to a ring.
void joinSmoothly(Structure& s, const scene::Joint& joint) {
  scene::NodeRef ends = joint.nodes[0], begins = joint.nodes[1];
  if (ends.node == 0) std::swap(ends, begins);
  Spring spring;
  spring.e.edge = s.edgeAt(ends);
  spring.f.edge = s.edgeAt(begins);
  spring.node = s.node(ends);
  spring.joint = true;
  spring.rod = ends.body, spring.place = ends.node;
  finish(s, spring);
}

void addArmSpring(Structure& s, int index, scene::NodeRef ref, int arm, int edge, bool before) {
  Spring spring;
  (before ? spring.e : spring.f).edge = edge;
  (before ? spring.f : spring.e).arm = arm;
  spring.node = s.welds[index].node;
  spring.rod = ref.body, spring.place = ref.node;
  s.welds[index].springs.push_back(static_cast<int>(s.springs.size()));
  finish(s, spring);
}

void addWeldSprings(Structure& s, const scene::Scene& scene) {
  for (const scene::Joint& joint : scene.joints) {
    if (!joint.weld) continue;
    const int index = weldOf(s, joint.nodes[0]);
    const bool rods =
        std::any_of(joint.nodes.begin(), joint.nodes.end(), [&](scene::NodeRef ref) { return scene.isRod(ref.body); });
    if (index < 0) {
      if (rods) joinSmoothly(s, joint);
      continue;
    }
    const Weld weld = s.welds[index];
    for (std::size_t k = 0; k < weld.refs.size(); ++k) {
      const scene::NodeRef ref = weld.refs[k];
      if (!scene.isRod(ref.body)) continue;
      const int first = s.rodFirstEdge[ref.body], last = static_cast<int>(scene.rods[ref.body].points.size()) - 1;
      if (ref.node > 0) addArmSpring(s, index, ref, weld.arms[k], first + ref.node - 1, true);
      if (ref.node < last) addArmSpring(s, index, ref, weld.arms[k], first + ref.node, false);
    }
  }
}

int addHeldFrame(Structure& s, const scene::Scene& scene, int constraint, scene::NodeRef ref) {
  HeldFrame frame;
  frame.node = s.node(ref);
  frame.rod = ref.body, frame.place = ref.node;
  frame.constraint = constraint;
  frame.weld = weldOf(s, ref);
  nodeFrameOf(s, scene, ref, frame.t, frame.d1);
  s.held.push_back(frame);
  return static_cast<int>(s.held.size()) - 1;
}

void addHalfSpring(Structure& s, ClampPlan& plan, scene::NodeRef ref, int edge, bool before, int held, bool inner) {
  Spring spring;
  (before ? spring.e : spring.f).edge = edge;
  (before ? spring.f : spring.e).held = held;
  spring.node = s.node(ref);
  spring.rod = ref.body, spring.place = ref.node;
  spring.active = false;
  spring.inner = inner;
  (inner ? plan.keep : plan.on).push_back(static_cast<int>(s.springs.size()));
  finish(s, spring);
}

// What a clamp holds of rods: a node that is welded is the frame of all rods that meet there.
std::vector<scene::NodeRef> clampedRodNodes(const scene::Scene& scene, const scene::Constraint& clamp) {
  std::vector<scene::NodeRef> out;
  std::set<std::pair<int, int>> known;
  const auto add = [&](scene::NodeRef ref) {
    if (scene.isRod(ref.body) && known.insert({ref.body, ref.node}).second) out.push_back(ref);
  };
  for (const scene::NodeRef& ref : clamp.nodes) {
    add(ref);
    for (const scene::Joint& joint : scene.joints) {
      const auto same = [&](const scene::NodeRef& one) { return one.body == ref.body && one.node == ref.node; };
      if (joint.weld && std::any_of(joint.nodes.begin(), joint.nodes.end(), same)) {
        for (const scene::NodeRef& other : joint.nodes) add(other);
      }
    }
  }
  return out;
}

// `at`: per node, the springs there of rods and welds.
void addClamp(Structure& s, const scene::Scene& scene, int index, const std::vector<std::vector<int>>& at) {
  const std::vector<scene::NodeRef> clamped = clampedRodNodes(scene, scene.constraints[index]);
  ClampPlan plan;
  plan.constraint = index;
  std::set<std::pair<int, int>> held;
  for (const scene::NodeRef& ref : clamped) held.insert({ref.body, ref.node});
  std::set<std::pair<int, int>> halfEdges;  // (node, edge) that the clamp itself holds
  for (const scene::NodeRef& ref : clamped) {
    const int last = static_cast<int>(scene.rods[ref.body].points.size()) - 1;
    const int frame = addHeldFrame(s, scene, index, ref);
    plan.held.push_back(frame);
    const int weld = s.held[frame].weld;
    const auto isIt = [&](const std::array<int, 2>& known) { return known[0] == weld; };
    if (weld >= 0 && std::none_of(plan.welds.begin(), plan.welds.end(), isIt)) plan.welds.push_back({weld, frame});
    const int firstEdge = s.rodFirstEdge[ref.body];
    const bool innerBefore = held.count({ref.body, ref.node - 1}) > 0,
               innerAfter = held.count({ref.body, ref.node + 1}) > 0;
    // Inside a run the rod's own spring is kept, and at a weld those to its frame.
    const bool whole = weld >= 0 || (innerBefore && innerAfter);
    if (ref.node > 0) {
      halfEdges.insert({s.node(ref), firstEdge + ref.node - 1});
      if (!innerBefore || !whole) addHalfSpring(s, plan, ref, firstEdge + ref.node - 1, true, frame, innerBefore);
    }
    if (ref.node < last) {
      halfEdges.insert({s.node(ref), firstEdge + ref.node});
      if (!innerAfter || !whole) addHalfSpring(s, plan, ref, firstEdge + ref.node, false, frame, innerAfter);
      if (innerAfter) plan.edges.push_back(firstEdge + ref.node);
    }
  }
  const auto isInner = [&](const SpringSide& side) {
    if (side.arm >= 0) return true;
    const Edge& e = s.edges[side.edge];
    return held.count({e.rod, e.index}) > 0 && held.count({e.rod, e.index + 1}) > 0;
  };
  std::set<int> beside;  // of these nodes alone, so that many clamps do not ask all springs each
  for (const auto& [node, edge] : halfEdges) beside.insert(at[node].begin(), at[node].end());
  for (const int i : beside) {
    const Spring& p = s.springs[i];
    const auto isHeld = [&](const SpringSide& side) { return side.arm >= 0 || halfEdges.count({p.node, side.edge}); };
    if (!isHeld(p.e) || !isHeld(p.f)) continue;
    (!p.joint && isInner(p.e) && isInner(p.f) ? plan.keep : plan.off).push_back(i);
  }
  s.clamps.push_back(plan);
}

}  // namespace

elastic::EdgeFrame initialFrame(const Edge& edge) {
  const Vec3 t = edge.initial / edge.length;
  return elastic::edgeFrame(t, edge.length, 0, {t, edge.d1});
}

elastic::EdgeFrame heldFrame(const Vec3& t, const Vec3& d1) { return elastic::edgeFrame(t, 1.0, 0, {t, d1}); }

elastic::EdgeFrame sideFrame(const Spring& spring, bool isF, const elastic::EdgeFrame& frame) {
  return isF && spring.joint ? elastic::turned(frame, spring.cosOffset, spring.sinOffset) : frame;
}

Vec3 strainBetween(const Spring& half, const elastic::EdgeFrame& edge, const elastic::EdgeFrame& held) {
  const bool first = half.e.held >= 0;
  elastic::BendTwistShared shared;
  const auto s = elastic::bendTwistStrain(sideFrame(half, false, first ? held : edge),
                                          sideFrame(half, true, first ? edge : held), 0, half.natural0[2], shared);
  return {s.curvature1, s.curvature2, s.twist};
}

void initialSides(const Structure& s, const Spring& spring, elastic::EdgeFrame& e, elastic::EdgeFrame& f) {
  const auto frame = [&](const SpringSide& side) {
    if (side.edge >= 0) return initialFrame(s.edges[side.edge]);
    if (side.arm >= 0) return heldFrame(s.arms[side.arm].t, s.arms[side.arm].d1);
    return heldFrame(s.held[side.held].t, s.held[side.held].d1);
  };
  e = sideFrame(spring, false, frame(spring.e));
  f = sideFrame(spring, true, frame(spring.f));
}

void addSprings(Structure& structure, const scene::Scene& scene) {
  addRodSprings(structure, scene);
  addWeldSprings(structure, scene);
  std::vector<std::vector<int>> at(structure.nodes.size());
  for (std::size_t i = 0; i < structure.springs.size(); ++i)
    at[structure.springs[i].node].push_back(static_cast<int>(i));
  for (std::size_t i = 0; i < scene.constraints.size(); ++i) {
    if (scene.constraints[i].kind == scene::Constraint::Kind::clamp)
      addClamp(structure, scene, static_cast<int>(i), at);
  }
  int first = 0;
  for (const scene::Rod& rod : scene.rods) {
    structure.rodFirstNode.push_back(first);
    first += static_cast<int>(rod.points.size());
  }
  structure.springsAt.resize(first);
  for (std::size_t i = 0; i < structure.springs.size(); ++i) {
    const Spring& p = structure.springs[i];
    const auto at = [&](int rod, int place) {
      structure.springsAt[structure.rodFirstNode[rod] + place].push_back(static_cast<int>(i));
    };
    at(p.rod, p.place);
    if (p.joint) at(structure.edges[p.f.edge].rod, 0);
  }
}

}  // namespace tendril::rods_shells
