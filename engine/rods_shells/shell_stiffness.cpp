// Stiffness and mass of shells from materials and thickness at present parameter values (theory.md, Shells).
#include <cmath>

#include "elastic/midedge.h"
#include "rods_shells/shell_structure.h"

namespace tendril::rods_shells {
namespace {

struct SheetValues {
  double youngs = 0, poisson = 0, thickness = 0, density = 0, dampingTime = 0, border = 1;
};

SheetValues valuesOf(const scene::Scene& scene, const scene::Shell& shell) {
  formula::Input in;
  in.parameters = scene.values.data();
  const scene::Material& m = scene.materials[shell.material];
  SheetValues v;
  v.youngs = m.youngs(in), v.poisson = m.poisson(in), v.density = m.density(in);
  v.thickness = shell.thickness(in), v.border = shell.border(in);
  v.dampingTime = m.damping(in) / v.youngs;
  return v;
}

void setEdge(ShellEdge& e, const scene::Shell& shell, const SheetValues& v) {
  // Springs carry sqrt(3)/4 E h l per adjacent triangle: a border edge stands for half of an interior one.
  const double triangles = e.isBorder() ? v.border : 2;
  e.stretch = e.springs ? triangles * 0.25 * std::sqrt(3.0) * v.youngs * v.thickness * e.length * e.length : 0;
  e.bend = e.hinge ? 2 / std::sqrt(3.0) * v.youngs * v.thickness * v.thickness * v.thickness / 12 : 0;
  e.viscousStretch = v.dampingTime * e.stretch;
  e.viscousBend = v.dampingTime * e.bend;
  e.natural0 = e.natural = shell.naturalFlat ? 0 : e.initialAngle;
}

void setTriangle(ShellTriangle& t, const scene::Shell& shell, const std::array<int, 3>& corners, const SheetValues& v) {
  t.thickness = v.thickness;
  t.massPerArea = v.density * v.thickness;
  t.dampingTime = v.dampingTime;
  if (t.stvk) {
    t.membrane = v.thickness * t.rest.area * elastic::planeStress(v.youngs, v.poisson);
  }
  if (t.midedge) {
    const double rigidity = v.youngs * v.thickness * v.thickness * v.thickness / (12 * (1 - v.poisson * v.poisson));
    const auto& x = shell.points;
    t.bending = elastic::midedgeStiffness(x[corners[0]], x[corners[1]], x[corners[2]], rigidity, v.poisson);
  }
}

}  // namespace

void updateShellStiffness(ShellStructure& shells, const scene::Scene& scene) {
  for (std::size_t i = 0; i < scene.shells.size(); ++i) {
    const scene::Shell& shell = scene.shells[i];
    const SheetValues v = valuesOf(scene, shell);
    for (int e = shells.firstEdge[i]; e < shells.firstEdge[i + 1]; ++e) setEdge(shells.edges[e], shell, v);
    const int first = shells.firstTriangle[i];
    for (int t = first; t < shells.firstTriangle[i + 1]; ++t)
      setTriangle(shells.triangles[t], shell, shell.triangles[t - first], v);
  }
}

}  // namespace tendril::rods_shells
