// Shells of a scene as edges and triangles of the structure.
#include <algorithm>
#include <set>

#include "elastic/hinge.h"
#include "elastic/midedge.h"
#include "geometry/triangle_mesh.h"
#include "rods_shells/shells.h"

namespace tendril::rods_shells {
namespace {

void addTriangles(Structure& s, const scene::Shell& shell, const geometry::MeshTopology& mesh,
                  const std::vector<int>& nodes, int index) {
  ShellStructure& out = s.shell;
  const int edge0 = static_cast<int>(out.edges.size()), triangle0 = static_cast<int>(out.triangles.size());
  for (const geometry::MeshEdge& m : mesh.edges) {
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
    e.springs = shell.membrane == scene::Shell::Membrane::springs;
    e.hinge = shell.bending == scene::Shell::Bending::hinge;
    if (!e.isBorder()) {
      // Of the nodes as they were merged: where bodies meet to round-off only, the start is stress-free all the same.
      e.initialAngle =
          elastic::hingeShape(s.nodes[e.b], s.nodes[e.a], s.nodes[e.opposite[0]], s.nodes[e.opposite[1]]).angle;
    }
    out.edges.push_back(e);
  }
  for (std::size_t t = 0; t < shell.triangles.size(); ++t) {
    ShellTriangle triangle;
    triangle.shell = index;
    triangle.stvk = shell.membrane == scene::Shell::Membrane::stvk;
    triangle.midedge = shell.bending == scene::Shell::Bending::midedge;
    std::array<Vec3, 3> x;
    for (int k = 0; k < 3; ++k) {
      x[k] = shell.points[shell.triangles[t][k]];
      triangle.nodes[k] = nodes[shell.triangles[t][k]];
      triangle.edges[k] = edge0 + mesh.triangleEdges[t][k];
      triangle.sides[k] = mesh.edges[mesh.triangleEdges[t][k]].triangle[0] == static_cast<int>(t) ? 0 : 1;
    }
    triangle.rest = elastic::membraneRest(x[0], x[1], x[2]);
    triangle.shapeOperator = elastic::midedgeOperator(x[0], x[1], x[2]);
    for (int node : triangle.nodes) out.area[node] += triangle.rest.area / 3;
    out.triangles.push_back(triangle);
  }
}

}  // namespace

void addShells(Structure& s, const scene::Scene& scene) {
  s.shell.area.assign(s.nodes.size(), 0.0);
  for (std::size_t i = 0; i < scene.shells.size(); ++i) {
    const scene::Shell& shell = scene.shells[i];
    s.shell.firstEdge.push_back(static_cast<int>(s.shell.edges.size()));
    s.shell.firstTriangle.push_back(static_cast<int>(s.shell.triangles.size()));
    addTriangles(s, shell, geometry::meshTopology(shell.triangles), s.bodyNodes[scene.bodyOfShell(static_cast<int>(i))],
                 static_cast<int>(i));
    s.shell.anyMidedge = s.shell.anyMidedge || shell.bending == scene::Shell::Bending::midedge;
  }
  s.shell.firstEdge.push_back(static_cast<int>(s.shell.edges.size()));
  s.shell.firstTriangle.push_back(static_cast<int>(s.shell.triangles.size()));
}

void addHeldEdges(Structure& s, const scene::Scene& scene) {
  for (ClampPlan& plan : s.clamps) {
    std::set<int> clamped;
    for (const scene::NodeRef& ref : scene.constraints[plan.constraint].nodes) {
      if (!scene.isRod(ref.body)) clamped.insert(s.node(ref));
    }
    if (clamped.empty()) continue;
    for (std::size_t i = 0; i < s.shell.edges.size(); ++i) {
      const ShellEdge& e = s.shell.edges[i];
      if (!clamped.count(e.a) || !clamped.count(e.b)) continue;
      HeldEdge held;
      held.edge = static_cast<int>(i);
      held.constraint = plan.constraint;
      held.normal = midedgeNormal(
          e, [&](int node) { return s.nodes[node]; }, e.initialAngle, 0);
      plan.shellHeld.push_back(static_cast<int>(s.shell.held.size()));
      s.shell.held.push_back(held);
    }
  }
}

}  // namespace tendril::rods_shells
