#include "discrete/contact_law.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendril {
namespace {

// E r of the softest body: a rod's EA / (pi r) and a shell's E h / 2 [N/m].
double weakestStiffness(const Structure& s, const Scene& scene) {
  double weakest = std::numeric_limits<double>::infinity();
  for (const Edge& e : s.edges) {
    const double r = 0.5 * (e.section.halfAxis1 + e.section.halfAxis2);
    if (!e.isGhost() && r > 0) weakest = std::min(weakest, e.EA / (pi * r));
  }
  FormulaInput in;
  in.parameters = scene.values.data();
  for (const Shell& shell : scene.shells) {
    weakest = std::min(weakest, 0.5 * scene.materials[shell.material].youngs(in) * shell.thickness(in));
  }
  return std::isfinite(weakest) ? weakest : 1e3;
}

}  // namespace

ContactMesh contactMesh(const Structure& s, const Scene& scene) {
  ContactMesh mesh;
  for (const Edge& e : s.edges) {
    if (e.isGhost()) continue;
    mesh.edges.push_back({{e.a, e.b}, e.rod, 0.5 * (e.section.halfAxis1 + e.section.halfAxis2), e.length});
  }
  for (const ShellEdge& e : s.shell.edges) {
    const double h = s.shell.triangles[e.triangle[0]].thickness;
    mesh.edges.push_back({{e.a, e.b}, scene.bodyOfShell(e.shell), 0.5 * h, e.length});
  }
  for (const ShellTriangle& t : s.shell.triangles) {
    mesh.triangles.push_back({t.nodes, scene.bodyOfShell(t.shell), 0.5 * t.thickness});
  }
  // A point's radius is the mean of its edges'; its body the first that holds it.
  mesh.points.resize(s.nodes.size());
  std::vector<int> count(s.nodes.size(), 0);
  for (const ContactMesh::Edge& e : mesh.edges) {
    for (const int n : e.nodes) {
      ContactMesh::Point& p = mesh.points[n];
      p.node = n;
      if (count[n]++ == 0) p.body = e.body;
      p.radius += e.radius, p.share += 0.5 * e.length;
    }
  }
  for (ContactMesh::Point& p : mesh.points) {
    p.radius /= count[p.node];
    if (!scene.isRod(p.body)) p.share = std::sqrt(s.shell.area[p.node]);
  }
  return mesh;
}

ContactLaw sceneLaw(const Structure& structure, const Scene& scene, const ContactMesh& mesh, const Moment& at) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const ContactMesh::Point& p : mesh.points) {
    if (p.radius > 0) smallest = std::min(smallest, p.radius);
  }
  for (const ContactMesh::Edge& e : mesh.edges) {
    if (e.radius > 0) smallest = std::min(smallest, e.radius);
  }
  return contactValues(scene, smallest, scene.contact.stiffness ? 0 : weakestStiffness(structure, scene), at);
}

}  // namespace tendril
