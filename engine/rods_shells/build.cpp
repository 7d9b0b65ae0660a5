// Scene to structure: nodes merged at joints, unknowns numbered along the rods, edges with their directors.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "rods_shells/connectors.h"
#include "rods_shells/shells.h"
#include "rods_shells/springs.h"
#include "rods_shells/structure.h"
#include "rods_shells/welds.h"

namespace tendril::rods_shells {
namespace {

// Nodes that joints merge share one number: a small union-find over the nodes of all bodies.
std::vector<std::vector<int>> mergedNodes(const scene::Scene& scene, std::vector<Vec3>& positions) {
  const int bodies = scene.bodyCount();
  std::vector<int> first(bodies + 1, 0);
  for (int body = 0; body < bodies; ++body) first[body + 1] = first[body] + static_cast<int>(scene.points(body).size());
  std::vector<int> parent(first.back());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (const scene::Joint& joint : scene.joints) {
    for (const scene::NodeRef& ref : joint.nodes) {
      const int a = root(first[joint.nodes[0].body] + joint.nodes[0].node), b = root(first[ref.body] + ref.node);
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  std::vector<int> number(parent.size(), -1);
  std::vector<std::vector<int>> nodes(bodies);
  for (int body = 0; body < bodies; ++body) {
    const std::vector<Vec3>& points = scene.points(body);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const int top = root(first[body] + static_cast<int>(i));
      if (number[top] < 0) {
        number[top] = static_cast<int>(positions.size());
        positions.push_back(points[i]);
      }
      nodes[body].push_back(number[top]);
    }
  }
  return nodes;
}

void addEdges(Structure& s, const scene::Scene& scene) {
  for (std::size_t r = 0; r < scene.rods.size(); ++r) {
    const scene::Rod& rod = scene.rods[r];
    s.rodFirstEdge.push_back(static_cast<int>(s.edges.size()));
    s.arc.push_back({0.0});
    Vec3 tangent = rod.startTangent, director = geometry::normalTo(rod.frame, rod.startTangent);
    for (std::size_t i = 0; i + 1 < rod.points.size(); ++i) {
      Edge e;
      e.a = s.bodyNodes[r][i], e.b = s.bodyNodes[r][i + 1];
      e.rod = static_cast<int>(r), e.index = static_cast<int>(i);
      e.initial = rod.points[i + 1] - rod.points[i];
      e.length = e.initial.norm();
      s.arc.back().push_back(s.arc.back().back() + e.length);
      const Vec3 t = e.initial / e.length;
      director = geometry::normalTo(geometry::transport(director, tangent, t), t);
      tangent = t;
      e.d1 = director;
      s.edges.push_back(e);
    }
  }
}

void listEdgesOfNodes(Structure& s) {
  s.nodeEdges.resize(s.nodes.size());
  for (std::size_t i = 0; i < s.edges.size(); ++i) {
    s.nodeEdges[s.edges[i].a].push_back({static_cast<int>(i), 0});
    s.nodeEdges[s.edges[i].b].push_back({static_cast<int>(i), 1});
  }
}

// Along every rod node, edge, node, edge ...: the stencil of a bend-twist spring is then 11 neighboring unknowns.
// A weld's frame follows its node. Then the shells' nodes and the unknowns without inertia.
void numberUnknowns(Structure& s, const scene::Scene& scene) {
  s.nodeDof.assign(s.nodes.size(), -1);
  for (int body = 0; body < scene.bodyCount(); ++body) {
    for (std::size_t i = 0; i < s.bodyNodes[body].size(); ++i) {
      int& dof = s.nodeDof[s.bodyNodes[body][i]];
      if (dof < 0) {
        dof = s.size;
        s.size += 3;
        const int weld = s.weldAt[s.bodyNodes[body][i]];
        if (weld >= 0) {
          s.welds[weld].turn = s.size;
          s.size += 3;
        }
      }
      if (scene.isRod(body) && i + 1 < s.bodyNodes[body].size()) s.edges[s.rodFirstEdge[body] + i].theta = s.size++;
    }
  }
  for (std::size_t i = 0; i < s.shell.edges.size(); ++i) {
    ShellEdge& e = s.shell.edges[i];
    if (scene.shells[e.shell].bending != scene::Shell::Bending::midedge) continue;
    s.massless.push_back({e.psi = s.size++, static_cast<int>(i)});
  }
}

void measure(Structure& s, const scene::Scene& scene) {
  s.extent = sizeOf(s.nodes);
  double total = 0;
  std::size_t count = s.shell.edges.size();
  std::vector<double> lengths(scene.rods.size(), 0);
  for (const Edge& e : s.edges) {
    ++count;
    total += e.length, lengths[e.rod] += e.length;
  }
  for (const ShellEdge& e : s.shell.edges) total += e.length;
  for (double length : lengths) s.extent = std::max(s.extent, length);
  s.meanEdge = total / static_cast<double>(count);
}

}  // namespace

formula::Input fieldAtNode(const Structure& structure, const scene::Scene& scene, int rod, int node) {
  formula::Input in;
  in.parameters = scene.values.data();
  const int edges = static_cast<int>(scene.rods[rod].points.size()) - 1;
  const double s = structure.arc[rod][node], total = structure.arc[rod].back();
  const Vec3& x = scene.rods[rod].points[node];
  in.s = s, in.u = s / total;
  in.x = x.x(), in.y = x.y(), in.z = x.z();
  in.n = std::max(1, edges - 1);
  in.i = std::clamp(node - 1, 0, static_cast<int>(in.n) - 1);
  return in;
}

formula::Input fieldAtEdge(const Structure& structure, const scene::Scene& scene, int rod, int edge) {
  formula::Input in;
  in.parameters = scene.values.data();
  const int edges = static_cast<int>(scene.rods[rod].points.size()) - 1;
  const double s = 0.5 * (structure.arc[rod][edge] + structure.arc[rod][edge + 1]), total = structure.arc[rod].back();
  const Vec3 x = 0.5 * (scene.rods[rod].points[edge] + scene.rods[rod].points[edge + 1]);
  in.s = s, in.u = s / total;
  in.x = x.x(), in.y = x.y(), in.z = x.z();
  in.i = edge, in.n = edges;
  return in;
}

formula::Input fieldAtPlace(const scene::Scene& scene, const Vec3& place) {
  formula::Input in;
  in.parameters = scene.values.data();
  in.x = place.x(), in.y = place.y(), in.z = place.z();
  return in;
}

double sizeOf(const std::vector<Vec3>& points) {
  Vec3 mean = Vec3::Zero();
  for (const Vec3& x : points) mean += x;
  mean /= static_cast<double>(points.size());
  double farthest2 = 0;
  for (const Vec3& x : points) farthest2 = std::max(farthest2, (x - mean).squaredNorm());
  return 2 * std::sqrt(farthest2);
}

Structure buildStructure(const scene::Scene& scene) {
  Structure s;
  s.bodyNodes = mergedNodes(scene, s.nodes);
  addEdges(s, scene);
  addShells(s, scene);
  listEdgesOfNodes(s);
  findWelds(s, scene);
  numberUnknowns(s, scene);
  measure(s, scene);
  addSprings(s, scene);
  addHeldEdges(s, scene);
  addConnectors(s, scene);
  updateStiffness(s, scene);
  return s;
}

}  // namespace tendril::rods_shells
