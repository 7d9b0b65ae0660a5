#include "simulation/bodies.h"

#include <algorithm>

#include "discrete/shell_fields.h"

namespace tendril {

std::vector<Simulation::BodyState> bodyStates(DiscreteModel& model, const Scene& scene) {
  std::vector<Simulation::BodyState> out;
  const Structure& s = model.system().structure();
  const VectorX &q = model.history().q, &v = model.history().v;
  Strains strains;
  model.system().elasticity().strains(q, strains);
  const auto& frames = model.system().elasticity().edgeFrames(q);
  for (std::size_t r = 0; r < scene.rods.size(); ++r) {
    Simulation::BodyState body;
    body.name = scene.rods[r].name;
    const int n = static_cast<int>(s.bodyNodes[r].size());
    for (int i = 0; i < n; ++i) {
      const NodeRef ref{static_cast<int>(r), i};
      const int node = s.bodyNodes[r][i], dof = s.nodeDof[node];
      const Edge& before = s.edges[s.rodFirstEdge[r] + std::max(0, i - 1)];
      const Edge& after = s.edges[s.rodFirstEdge[r] + std::min(n - 2, i)];
      const NodeFrame frame = nodeFrame(s, frames, ref);
      for (int k = 0; k < 3; ++k) {
        body.nodes.push_back(s.nodes[node][k] + q[dof + k]);
        body.velocity.push_back(v[dof + k]);
        body.d1.push_back(frame.m1[k]);
      }
      body.radius.push_back(0.25 * (before.section.halfAxis1 + before.section.halfAxis2 + after.section.halfAxis1 +
                                    after.section.halfAxis2));
      const int spring = springAt(s, ref);
      body.curvature.push_back(
          spring < 0 ? 0 : continuousCurvature(strains.bend[spring].head<2>(), s.springs[spring].voronoi).norm());
      const auto ratio = [&](const Edge& e) {
        return (1 + strains.stretch[s.rodFirstEdge[e.rod] + e.index]) * e.naturalLength / e.length;
      };
      body.stretch.push_back(0.5 * (ratio(before) + ratio(after)));
      if (i + 1 < n) body.twist.push_back(q[after.theta]);
    }
    out.push_back(std::move(body));
  }
  for (std::size_t i = 0; i < scene.shells.size(); ++i) {
    const int number = scene.bodyOfShell(static_cast<int>(i));
    const std::vector<int>& nodes = s.bodyNodes[number];
    ShellFields fields;
    shellFields(s, model.system().elasticity().shells(), q, strains.shell, static_cast<int>(i), nodes, fields);
    Simulation::BodyState body;
    body.name = scene.shells[i].name;
    body.triangles = scene.shells[i].triangles;
    body.curvature = fields.curvature;
    body.strain = fields.strain;
    body.energy = fields.energy;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const int dof = s.nodeDof[nodes[k]];
      for (int c = 0; c < 3; ++c) {
        body.nodes.push_back(s.nodes[nodes[k]][c] + q[dof + c]);
        body.velocity.push_back(v[dof + c]);
        body.normal.push_back(fields.normal[k][c]);
      }
    }
    out.push_back(std::move(body));
  }
  return out;
}

}  // namespace tendril
