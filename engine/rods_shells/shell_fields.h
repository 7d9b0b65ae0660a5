// Fields on the vertices of a shell as they are drawn and exported: normals, curvature, membrane strain, bending
// energy.
#pragma once

#include <vector>

#include "rods_shells/terms/shell_elasticity.h"

namespace tendril::rods_shells {

/// One entry per vertex of a shell, in its own numbering; means over the triangles around it weighted by rest area.
struct ShellFields {
  std::vector<Vec3> normal;       ///< unit
  std::vector<double> curvature;  ///< larger principal curvature by size, unsigned [1/m]
  std::vector<double> strain;     ///< larger principal Green strain by size, signed
  std::vector<double> energy;     ///< bending energy per area [J/m^2]
};

/// Fields of shell `shell` (Scene::shells index) at displacements q with the strains belonging to it. `nodes` are the
/// structure's numbers of its vertices.
void shellFields(const Structure& structure, const ShellElasticity& elasticity, const VectorX& q,
                 const ShellStrains& strains, int shell, const std::vector<int>& nodes, ShellFields& out);

/// Hinges of the selected shells whose two end nodes are selected, in order of y, then x, then z of their midpoints
/// (docs/reference.md, actuation "angle").
std::vector<int> selectedHinges(const Structure& structure, const std::vector<scene::NodeRef>& nodes);

/// These hinges as the formulas of a field see them: the middle of the edge, i in this order, n.
struct HingeFields {
  std::vector<int> hinges;
  std::vector<formula::Input> inputs;
};
HingeFields hingeFields(const Structure& structure, const scene::Scene& scene,
                        const std::vector<scene::NodeRef>& nodes);

}  // namespace tendril::rods_shells
