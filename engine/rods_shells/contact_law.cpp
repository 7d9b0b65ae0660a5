#include "rods_shells/contact_law.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendril::rods_shells {
contact::ContactMesh contactMesh(const Structure& s, const scene::Scene& scene) {
  contact::ContactMesh mesh;
  for (const Edge& e : s.edges) {
    mesh.edges.push_back({{e.a, e.b}, e.rod, 0.5 * (e.section.halfAxis1 + e.section.halfAxis2), e.length});
  }
  for (const ShellEdge& e : s.shell.edges) {
    const auto thickness = [&](int side) { return s.shell.triangles[e.triangle[side]].thickness; };
    const double h = e.isBorder() ? thickness(0) : 0.5 * (thickness(0) + thickness(1));
    mesh.edges.push_back({{e.a, e.b}, scene.bodyOfShell(e.shell), 0.5 * h, e.length});
  }
  for (const ShellTriangle& t : s.shell.triangles) {
    mesh.triangles.push_back({t.nodes, scene.bodyOfShell(t.shell), 0.5 * t.thickness});
  }
  // A point's radius is the mean of its edges'; its body the first that holds it.
  mesh.points.resize(s.nodes.size());
  std::vector<int> count(s.nodes.size(), 0);
  for (const contact::ContactMesh::Edge& e : mesh.edges) {
    for (const int n : e.nodes) {
      contact::ContactMesh::Point& p = mesh.points[n];
      p.node = n;
      if (count[n]++ == 0) p.body = e.body;
      p.radius += e.radius, p.share += 0.5 * e.length;
    }
  }
  for (contact::ContactMesh::Point& p : mesh.points) {
    p.radius /= count[p.node];
    if (!scene.isRod(p.body)) p.share = std::sqrt(s.shell.area[p.node]);
  }
  return mesh;
}

// E r [N/m]: a rod's EA / (pi r) and a shell's E h / 2.
std::vector<ContactGrain> contactGrains(const Structure& s, const scene::Scene& scene,
                                        const contact::ContactMesh& mesh) {
  std::vector<ContactGrain> grains(static_cast<std::size_t>(scene.bodyCount()));
  const auto thin = [&](int body, double radius) {
    if (radius > 0) grains[body].smallest = std::min(grains[body].smallest, radius);
  };
  for (const contact::ContactMesh::Point& p : mesh.points) thin(p.body, p.radius);
  for (const contact::ContactMesh::Edge& e : mesh.edges) thin(e.body, e.radius);
  if (scene.contact.stiffness) return grains;
  for (const Edge& e : s.edges) {
    const double r = 0.5 * (e.section.halfAxis1 + e.section.halfAxis2);
    if (r > 0) grains[e.rod].softest = std::min(grains[e.rod].softest, e.EA / (pi * r));
  }
  for (const ShellTriangle& t : s.shell.triangles) {
    double& softest = grains[scene.bodyOfShell(t.shell)].softest;
    softest = std::min(softest, 0.5 * t.youngs * t.thickness);
  }
  return grains;
}

scene::ContactLaw pairLaw(const scene::Scene& scene, const ContactGrain& a, const ContactGrain& b,
                          const scene::Instant& at) {
  return scene::contactValues(scene, std::min(a.smallest, b.smallest), std::min(a.softest, b.softest), at);
}

}  // namespace tendril::rods_shells
