#include "discrete/springs.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "elastic/bend_twist.h"

namespace tendril {
namespace {

int farNode(const Structure& s, const SpringSide& side, int node) {
  const Edge& e = s.edges[side.edge];
  return e.a == node ? e.b : e.a;
}

void setUnknowns(const Structure& s, Spring& spring) {
  spring.dofs.fill(-1);
  const auto put = [&](int slot, int node) {
    for (int k = 0; k < 3; ++k) spring.dofs[slot + k] = s.nodeDof[node] + k;
  };
  put(3, spring.node);
  if (spring.e.edge >= 0) {
    put(0, farNode(s, spring.e, spring.node));
    spring.dofs[9] = s.edges[spring.e.edge].theta;
  }
  if (spring.f.edge >= 0) {
    put(6, farNode(s, spring.f, spring.node));
    spring.dofs[10] = s.edges[spring.f.edge].theta;
  }
}

double halfLength(const Structure& s, const SpringSide& side) {
  return side.edge >= 0 ? 0.5 * s.edges[side.edge].length : 0.0;
}

// Completes a spring whose sides, node, rod and place are set: unknowns, Voronoi length, mismatch of the directors.
void finish(Structure& s, Spring spring) {
  setUnknowns(s, spring);
  spring.voronoi = halfLength(s, spring.e) + halfLength(s, spring.f);
  EdgeFrame e, f;
  initialSides(s, spring, e, f);
  const double mismatch = referenceTwist(e, f, 1 + e.t.dot(f.t), 0);
  if (spring.joint) {
    spring.cosOffset = std::cos(mismatch), spring.sinOffset = -std::sin(mismatch);
  } else {
    spring.initialReferenceTwist = mismatch;
  }
  s.springs.push_back(spring);
}

void addRodSprings(Structure& s, const Scene& scene) {
  for (std::size_t r = 0; r < scene.rods.size(); ++r) {
    for (std::size_t i = 1; i + 1 < scene.rods[r].points.size(); ++i) {
      Spring spring;
      spring.e.edge = s.rodFirstEdge[r] + static_cast<int>(i) - 1;
      spring.f.edge = spring.e.edge + 1;
      spring.node = s.bodyNodes[r][i];
      spring.rod = static_cast<int>(r), spring.place = static_cast<int>(i);
      setUnknowns(s, spring);
      spring.voronoi = halfLength(s, spring.e) + halfLength(s, spring.f);
      const EdgeFrame e = initialFrame(s.edges[spring.e.edge]), f = initialFrame(s.edges[spring.f.edge]);
      spring.initialReferenceTwist = referenceTwist(e, f, 1 + e.t.dot(f.t), 0);
      s.springs.push_back(spring);
    }
  }
}

bool joinedAlready(const Structure& s, int node, int a, int b) {
  return std::any_of(s.springs.begin(), s.springs.end(), [&](const Spring& p) {
    return p.node == node && ((p.e.edge == a && p.f.edge == b) || (p.e.edge == b && p.f.edge == a));
  });
}

// Walking into the node along one edge and out along the other; an edge of the wrong direction is walked backwards.
void joinPair(Structure& s, int node, std::array<int, 2> first, std::array<int, 2> second, const std::string& pointer) {
  if (first[1] == 0 && second[1] == 1) std::swap(first, second);
  Spring spring;
  spring.e.edge = first[0], spring.e.reversed = first[1] == 0;
  spring.f.edge = second[0], spring.f.reversed = second[1] == 1;
  spring.node = node;
  spring.joint = true;
  const Edge& e = s.edges[spring.e.edge];
  // A rod rules a spring that it shares with a ghost edge.
  const bool byF = e.isGhost() && !s.edges[spring.f.edge].isGhost();
  const Edge& ruler = byF ? s.edges[spring.f.edge] : e;
  const bool atEnd = byF ? spring.f.reversed : !spring.e.reversed;
  spring.rod = ruler.rod;
  spring.place = ruler.isGhost() ? 0 : ruler.index + (atEnd ? 1 : 0);
  const Vec3 te = (spring.e.reversed ? -1.0 : 1.0) * e.initial / e.length;
  const Edge& f = s.edges[spring.f.edge];
  const Vec3 tf = (spring.f.reversed ? -1.0 : 1.0) * f.initial / f.length;
  if (1 + te.dot(tf) < 1e-6) {
    throw std::invalid_argument(pointer +
                                ": two of the welded edges leave the node in the same direction, so their bending "
                                "is undefined: turn one of them, or use \"pin\"");
  }
  finish(s, spring);
}

void addJointSprings(Structure& s, const Scene& scene) {
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    if (!scene.joints[j].weld) continue;
    const int node = s.node(scene.joints[j].nodes[0]);
    // Only edges of the rods that this weld names: a pin may share the node.
    std::vector<std::array<int, 2>> edges;
    for (const auto& incident : s.nodeEdges[node]) {
      const Edge& e = s.edges[incident[0]];
      if (e.isGhost()) {
        if (e.joint != node) continue;
        const auto& ghosts = s.shell.edges[e.shellEdge];
        for (const NodeRef& ref : scene.joints[j].nodes) {
          if (ref.body != scene.bodyOfShell(ghosts.shell)) continue;
          edges.push_back(incident);
          break;
        }
        continue;
      }
      const int place = e.index + incident[1];
      for (const NodeRef& ref : scene.joints[j].nodes) {
        if (ref.body == e.rod && ref.node == place) {
          edges.push_back(incident);
          break;
        }
      }
    }
    for (std::size_t a = 0; a < edges.size(); ++a) {
      for (std::size_t b = a + 1; b < edges.size(); ++b) {
        if (!joinedAlready(s, node, edges[a][0], edges[b][0])) {
          joinPair(s, node, edges[a], edges[b], "/joints/" + std::to_string(j));
        }
      }
    }
  }
}

int addHeldFrame(Structure& s, const Scene& scene, int constraint, NodeRef ref) {
  const Rod& rod = scene.rods[ref.body];
  HeldFrame frame;
  frame.node = s.node(ref);
  frame.rod = ref.body, frame.place = ref.node;
  frame.constraint = constraint;
  frame.t = rod.nodeTangents[ref.node];
  const Edge& e = s.edges[s.edgeAt(ref)];
  frame.d1 = normalTo(transport(e.d1, e.initial / e.length, frame.t), frame.t);
  s.held.push_back(frame);
  return static_cast<int>(s.held.size()) - 1;
}

void addHalfSpring(Structure& s, ClampPlan& plan, NodeRef ref, int edge, bool before, int held) {
  Spring spring;
  (before ? spring.e : spring.f).edge = edge;
  (before ? spring.f : spring.e).held = held;
  spring.node = s.node(ref);
  spring.rod = ref.body, spring.place = ref.node;
  spring.active = false;
  plan.on.push_back(static_cast<int>(s.springs.size()));
  finish(s, spring);
}

void addClamp(Structure& s, const Scene& scene, int index) {
  const Constraint& clamp = scene.constraints[index];
  ClampPlan plan;
  plan.constraint = index;
  std::set<std::pair<int, int>> held;
  for (const NodeRef& ref : clamp.nodes) {
    if (scene.isRod(ref.body)) held.insert({ref.body, ref.node});
  }
  const int full = static_cast<int>(s.springs.size());
  std::set<std::pair<int, int>> halfEdges;  // (node, edge) that the clamp itself holds
  for (const NodeRef& ref : clamp.nodes) {
    if (!scene.isRod(ref.body)) continue;
    const int last = static_cast<int>(scene.rods[ref.body].points.size()) - 1;
    const int frame = addHeldFrame(s, scene, index, ref);
    plan.held.push_back(frame);
    const int firstEdge = s.rodFirstEdge[ref.body];
    if (ref.node > 0) {
      halfEdges.insert({s.node(ref), firstEdge + ref.node - 1});
      if (!held.count({ref.body, ref.node - 1})) addHalfSpring(s, plan, ref, firstEdge + ref.node - 1, true, frame);
    }
    if (ref.node < last) {
      halfEdges.insert({s.node(ref), firstEdge + ref.node});
      if (!held.count({ref.body, ref.node + 1})) {
        addHalfSpring(s, plan, ref, firstEdge + ref.node, false, frame);
      } else {
        plan.edges.push_back(firstEdge + ref.node);
      }
    }
  }
  for (int i = 0; i < full; ++i) {
    const Spring& p = s.springs[i];
    if (p.e.edge >= 0 && p.f.edge >= 0 && halfEdges.count({p.node, p.e.edge}) && halfEdges.count({p.node, p.f.edge})) {
      plan.off.push_back(i);
    }
  }
  s.clamps.push_back(plan);
}

}  // namespace

EdgeFrame initialFrame(const Edge& edge) {
  const Vec3 t = edge.initial / edge.length;
  return edgeFrame(t, edge.length, 0, {t, edge.d1});
}

EdgeFrame heldFrame(const Vec3& t, const Vec3& d1) { return edgeFrame(t, 1.0, 0, {t, d1}); }

EdgeFrame sideFrame(const Spring& spring, bool isF, const EdgeFrame& frame) {
  const SpringSide& side = isF ? spring.f : spring.e;
  EdgeFrame out = side.reversed ? reversed(frame) : frame;
  if (isF && spring.joint) out = turned(out, spring.cosOffset, spring.sinOffset);
  return out;
}

void initialSides(const Structure& s, const Spring& spring, EdgeFrame& e, EdgeFrame& f) {
  const auto frame = [&](const SpringSide& side) {
    return side.edge >= 0 ? initialFrame(s.edges[side.edge]) : heldFrame(s.held[side.held].t, s.held[side.held].d1);
  };
  e = sideFrame(spring, false, frame(spring.e));
  f = sideFrame(spring, true, frame(spring.f));
}

void addSprings(Structure& structure, const Scene& scene) {
  addRodSprings(structure, scene);
  addJointSprings(structure, scene);
  for (std::size_t i = 0; i < scene.constraints.size(); ++i) {
    if (scene.constraints[i].kind == Constraint::Kind::clamp) addClamp(structure, scene, static_cast<int>(i));
  }
  int first = 0;
  for (const Rod& rod : scene.rods) {
    structure.rodFirstNode.push_back(first);
    first += static_cast<int>(rod.points.size());
  }
  structure.springsAt.resize(first);
  for (std::size_t i = 0; i < structure.springs.size(); ++i) {
    const Spring& p = structure.springs[i];
    const auto at = [&](int rod, int place) {
      structure.springsAt[structure.rodFirstNode[rod] + place].push_back(static_cast<int>(i));
    };
    if (!p.joint) {
      at(p.rod, p.place);
    } else if (structure.nodeEdges[p.node].size() == 2 && !p.e.reversed && !p.f.reversed &&
               !structure.edges[p.e.edge].isGhost() && !structure.edges[p.f.edge].isGhost()) {
      // Where just two rods go on in much the same direction, or a ring closes, the weld is a node like any other.
      const Edge &e = structure.edges[p.e.edge], &f = structure.edges[p.f.edge];
      if (e.initial.dot(f.initial) < 0.9 * e.length * f.length) continue;
      at(p.rod, p.place);
      at(f.rod, f.index);
    }
  }
}

}  // namespace tendril
