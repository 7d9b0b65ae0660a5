#include "rods_shells/shell_fields.h"

#include <cmath>
#include <tuple>

#include "geometry/sort_rows.h"

namespace tendril::rods_shells {
namespace {

/// The eigenvalue of larger size of [a, c; c, b].
double principal(double a, double b, double c) {
  const double mean = 0.5 * (a + b), radius = std::sqrt(0.25 * (a - b) * (a - b) + c * c);
  return mean >= 0 ? mean + radius : mean - radius;
}

}  // namespace

void shellFields(const Structure& s, const ShellElasticity& elasticity, const VectorX& q, const ShellStrains& strains,
                 int shell, const std::vector<int>& nodes, ShellFields& out) {
  const std::size_t n = nodes.size();
  out.normal.assign(n, Vec3::Zero());
  out.curvature.assign(n, 0.0), out.strain.assign(n, 0.0), out.energy.assign(n, 0.0);
  std::vector<double> area(n, 0.0), energies;
  elasticity.bendingEnergies(strains, energies);
  std::vector<int> vertex(s.nodes.size(), -1);
  for (std::size_t i = 0; i < n; ++i) vertex[nodes[i]] = static_cast<int>(i);
  for (int i = s.shell.firstTriangle[shell]; i < s.shell.firstTriangle[shell + 1]; ++i) {
    const ShellTriangle& t = s.shell.triangles[i];
    Vec3 x[3];
    for (int k = 0; k < 3; ++k) x[k] = s.nodes[t.nodes[k]] + q.segment<3>(s.nodeDof[t.nodes[k]]);
    const Vec3 normal = (x[1] - x[0]).cross(x[2] - x[0]), shape = t.shapeOperator * strains.alpha[i];
    const Vec3& green = strains.green[i];
    const double curvature = std::abs(principal(shape[0], shape[1], shape[2]));
    const double strain = principal(green[0], green[1], 0.5 * green[2]);
    for (int node : t.nodes) {
      const int v = vertex[node];
      out.normal[v] += normal;
      area[v] += t.rest.area;
      out.curvature[v] += t.rest.area * curvature;
      out.strain[v] += t.rest.area * strain;
      out.energy[v] += energies[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double length = out.normal[i].norm();
    out.normal[i] = length > 0 ? Vec3(out.normal[i] / length) : Vec3(Vec3::UnitZ());
    out.curvature[i] /= area[i], out.strain[i] /= area[i], out.energy[i] /= area[i];
  }
}

std::vector<int> selectedHinges(const Structure& s, const std::vector<scene::NodeRef>& nodes) {
  const int rods = static_cast<int>(s.rodFirstEdge.size());
  std::vector<char> in(s.nodes.size(), 0), body(s.bodyNodes.size(), 0);
  for (const scene::NodeRef& ref : nodes) in[s.node(ref)] = 1, body[ref.body] = 1;
  std::vector<int> hinges;
  for (std::size_t i = 0; i < s.shell.edges.size(); ++i) {
    const ShellEdge& e = s.shell.edges[i];
    if (!e.isBorder() && body[rods + e.shell] && in[e.a] && in[e.b]) hinges.push_back(static_cast<int>(i));
  }
  // Midpoints that agree to round-off count as equal, so that the order is that of the numbers a person sees.
  const double grain = 1e-9 * s.extent;
  const auto key = [&](int i) {
    const Vec3 m = 0.5 * (s.nodes[s.shell.edges[i].a] + s.nodes[s.shell.edges[i].b]) / grain;
    return std::make_tuple(std::llround(m.y()), std::llround(m.x()), std::llround(m.z()));
  };
  geometry::sortRows(hinges, [&](int a, int b) { return key(a) < key(b); });
  return hinges;
}

HingeFields hingeFields(const Structure& s, const scene::Scene& scene, const std::vector<scene::NodeRef>& nodes) {
  HingeFields out;
  out.hinges = selectedHinges(s, nodes);
  for (std::size_t k = 0; k < out.hinges.size(); ++k) {
    const ShellEdge& e = s.shell.edges[out.hinges[k]];
    formula::Input in = fieldAtPlace(scene, 0.5 * (s.nodes[e.a] + s.nodes[e.b]));
    in.i = static_cast<double>(k), in.n = static_cast<double>(out.hinges.size());
    out.inputs.push_back(in);
  }
  return out;
}

}  // namespace tendril::rods_shells
