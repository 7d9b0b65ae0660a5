// Shells of a scene as edges and triangles of the structure.
#include <algorithm>
#include <set>

#include "discrete/shells.h"
#include "elastic/hinge.h"
#include "elastic/midedge.h"
#include "geometry/triangle_mesh.h"

namespace tendril {
namespace {

void addTriangles(Structure& s, const Shell& shell, const MeshTopology& mesh, const std::vector<int>& nodes, int index) {
  ShellStructure& out = s.shell;
  const int edge0 = static_cast<int>(out.edges.size()), triangle0 = static_cast<int>(out.triangles.size());
  for (const MeshEdge& m : mesh.edges) {
    ShellEdge e;
    e.a = nodes[m.a], e.b = nodes[m.b];
    e.shell = index;
    for (int k = 0; k < 2; ++k) {
      if (m.triangle[k] < 0) continue;
      e.triangle[k] = triangle0 + m.triangle[k];
      e.opposite[k] = nodes[m.opposite[k]];
    }
    e.initial = shell.points[m.b] - shell.points[m.a];
    e.length = e.initial.norm();
    e.springs = shell.membrane == Shell::Membrane::springs;
    e.hinge = shell.bending == Shell::Bending::hinge;
    if (!e.isBorder()) {
      // Of the nodes as they were merged: where bodies meet to round-off only, the start is stress-free all the same.
      e.initialAngle = hingeShape(s.nodes[e.b], s.nodes[e.a], s.nodes[e.opposite[0]], s.nodes[e.opposite[1]]).angle;
    }
    out.edges.push_back(e);
  }
  for (std::size_t t = 0; t < shell.triangles.size(); ++t) {
    ShellTriangle triangle;
    triangle.shell = index;
    triangle.stvk = shell.membrane == Shell::Membrane::stvk;
    triangle.midedge = shell.bending == Shell::Bending::midedge;
    std::array<Vec3, 3> x;
    for (int k = 0; k < 3; ++k) {
      x[k] = shell.points[shell.triangles[t][k]];
      triangle.nodes[k] = nodes[shell.triangles[t][k]];
      triangle.edges[k] = edge0 + mesh.triangleEdges[t][k];
      triangle.sides[k] = mesh.edges[mesh.triangleEdges[t][k]].triangle[0] == static_cast<int>(t) ? 0 : 1;
    }
    triangle.rest = membraneRest(x[0], x[1], x[2]);
    triangle.shapeOperator = midedgeOperator(x[0], x[1], x[2]);
    for (int node : triangle.nodes) out.area[node] += triangle.rest.area / 3;
    out.triangles.push_back(triangle);
  }
}

// Something that acts as a rod edge along the shell edge e in a joint's springs at `node`: an edge of a welded rod that
// lies on it, as a rib does, or a ghost of another joint at this node or of the other shell at a seam.
bool hasRodEdge(const Structure& s, const Joint& joint, const ShellEdge& e, int node) {
  return std::any_of(s.edges.begin(), s.edges.end(), [&](const Edge& r) {
    if (std::minmax(r.a, r.b) != std::minmax(e.a, e.b)) return false;
    if (r.isGhost()) return r.joint == node;
    return std::any_of(joint.nodes.begin(), joint.nodes.end(), [&](const NodeRef& n) { return n.body == r.rod; });
  });
}

// The shell edges at a joint's vertex act as rod edges: they get a frame and a twist angle, but neither rod mass nor
// rod stretch. Their first director is the shell's normal; joints take initial mismatches out.
void addGhosts(Structure& s, const Scene& scene, const Joint& joint) {
  int rod = -1;
  std::set<int> shells;
  for (const NodeRef& ref : joint.nodes) {
    if (scene.isRod(ref.body)) {
      if (rod < 0) rod = ref.body;
    } else {
      shells.insert(ref.body - static_cast<int>(scene.rods.size()));
    }
  }
  if (!joint.weld || rod < 0 || shells.empty()) return;
  const int node = s.node(joint.nodes[0]);
  for (int shell : shells) {
    for (int i = s.shell.firstEdge[shell]; i < s.shell.firstEdge[shell + 1]; ++i) {
      const ShellEdge& e = s.shell.edges[i];
      if ((e.a != node && e.b != node) || hasRodEdge(s, joint, e, node)) continue;
      Edge ghost;
      ghost.a = e.a, ghost.b = e.b;
      ghost.rod = rod, ghost.index = -1, ghost.shellEdge = i, ghost.joint = node;
      ghost.initial = e.initial, ghost.length = e.length;
      const Vec3 t = e.initial / e.length;
      const ShellTriangle& first = s.shell.triangles[e.triangle[0]];
      ghost.d1 = normalTo(first.rest.frame.col(0).cross(first.rest.frame.col(1)), t);
      s.edges.push_back(ghost);
    }
  }
}

}  // namespace

void addShells(Structure& s, const Scene& scene) {
  s.shell.area.assign(s.nodes.size(), 0.0);
  for (std::size_t i = 0; i < scene.shells.size(); ++i) {
    const Shell& shell = scene.shells[i];
    s.shell.firstEdge.push_back(static_cast<int>(s.shell.edges.size()));
    s.shell.firstTriangle.push_back(static_cast<int>(s.shell.triangles.size()));
    addTriangles(s, shell, meshTopology(shell.triangles), s.bodyNodes[scene.bodyOfShell(static_cast<int>(i))],
                 static_cast<int>(i));
    s.shell.anyMidedge = s.shell.anyMidedge || shell.bending == Shell::Bending::midedge;
  }
  s.shell.firstEdge.push_back(static_cast<int>(s.shell.edges.size()));
  s.shell.firstTriangle.push_back(static_cast<int>(s.shell.triangles.size()));
  for (const Joint& joint : scene.joints) addGhosts(s, scene, joint);
}

void addHeldEdges(Structure& s, const Scene& scene) {
  for (ClampPlan& plan : s.clamps) {
    std::set<int> clamped;
    for (const NodeRef& ref : scene.constraints[plan.constraint].nodes) {
      if (!scene.isRod(ref.body)) clamped.insert(s.node(ref));
    }
    if (clamped.empty()) continue;
    for (std::size_t i = 0; i < s.shell.edges.size(); ++i) {
      const ShellEdge& e = s.shell.edges[i];
      if (!clamped.count(e.a) || !clamped.count(e.b)) continue;
      HeldEdge held;
      held.edge = static_cast<int>(i);
      held.constraint = plan.constraint;
      held.normal = midedgeNormal(e, [&](int node) { return s.nodes[node]; }, e.initialAngle, 0);
      plan.shellHeld.push_back(static_cast<int>(s.shell.held.size()));
      s.shell.held.push_back(held);
    }
  }
}

}  // namespace tendril
