// State of every rod and shell for result files.
#include <algorithm>

#include "rods_shells/model.h"
#include "rods_shells/shell_fields.h"

namespace tendril::rods_shells {
namespace {

BodyState rodState(const Structure& s, const Strains& strains, const std::vector<elastic::EdgeFrame>& frames,
                   const solve::History& now, int rod) {
  BodyState body;
  const int n = static_cast<int>(s.bodyNodes[rod].size());
  for (int i = 0; i < n; ++i) {
    const scene::NodeRef ref{rod, i};
    const int node = s.bodyNodes[rod][i], dof = s.nodeDof[node];
    const Edge& before = s.edges[s.rodFirstEdge[rod] + std::max(0, i - 1)];
    const Edge& after = s.edges[s.rodFirstEdge[rod] + std::min(n - 2, i)];
    const NodeFrame frame = nodeFrame(s, frames, ref);
    for (int k = 0; k < 3; ++k) {
      body.nodes.push_back(s.nodes[node][k] + now.q[dof + k]);
      body.velocity.push_back(now.v[dof + k]);
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
    if (i + 1 < n) body.twist.push_back(now.q[after.theta]);
  }
  return body;
}

BodyState shellState(const Structure& s, const ShellFields& fields, const solve::History& now,
                     const std::vector<int>& nodes) {
  BodyState body;
  body.curvature = fields.curvature;
  body.strain = fields.strain;
  body.energy = fields.energy;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const int dof = s.nodeDof[nodes[k]];
    for (int c = 0; c < 3; ++c) {
      body.nodes.push_back(s.nodes[nodes[k]][c] + now.q[dof + c]);
      body.velocity.push_back(now.v[dof + c]);
      body.normal.push_back(fields.normal[k][c]);
    }
  }
  return body;
}

}  // namespace

void Model::bodies(std::vector<BodyState>& out) {
  const Structure& s = system_->structure();
  Strains strains;
  system_->elasticity().strains(history_.q, strains);
  const auto& frames = system_->elasticity().edgeFrames(history_.q);
  for (std::size_t r = 0; r < scene_.rods.size(); ++r) {
    out.push_back(rodState(s, strains, frames, history_, static_cast<int>(r)));
    out.back().name = scene_.rods[r].name;
  }
  for (std::size_t i = 0; i < scene_.shells.size(); ++i) {
    const int shell = static_cast<int>(i);
    const std::vector<int>& nodes = s.bodyNodes[scene_.bodyOfShell(shell)];
    ShellFields fields;
    shellFields(s, system_->elasticity().shells(), history_.q, strains.shell, shell, nodes, fields);
    out.push_back(shellState(s, fields, history_, nodes));
    out.back().name = scene_.shells[i].name;
    out.back().triangles = scene_.shells[i].triangles;
  }
}

}  // namespace tendril::rods_shells
