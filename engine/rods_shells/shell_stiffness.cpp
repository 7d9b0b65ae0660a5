// Stiffness and mass of shells from materials and thickness at present parameter values (theory.md, Shells).
#include <algorithm>
#include <cmath>

#include "elastic/midedge.h"
#include "rods_shells/shell_structure.h"
#include "scene/shell_values.h"

namespace tendril::rods_shells {
namespace {

void setTriangle(ShellTriangle& t, const scene::Shell& shell, const std::array<int, 3>& corners,
                 const scene::SheetValues& v) {
  t.thickness = v.thickness;
  t.youngs = v.youngs;
  t.massPerArea = v.density * v.thickness;
  t.dampingTime = v.damping / v.youngs;
  if (t.stvk) {
    t.membrane = v.thickness * t.rest.area * elastic::planeStress(v.youngs, v.poisson);
  }
  if (t.midedge) {
    const double rigidity = v.youngs * v.thickness * v.thickness * v.thickness / (12 * (1 - v.poisson * v.poisson));
    const auto& x = shell.points;
    t.bending = elastic::midedgeStiffness(x[corners[0]], x[corners[1]], x[corners[2]], rigidity, v.poisson);
  }
}

/// Of both halves of a hinge, each twice as stiff as a whole one of its triangle's: they turn one after the other.
double inSeries(double a, double b) { return a == b ? a : a > 0 && b > 0 ? 2 * a * b / (a + b) : 0; }

void setEdge(ShellEdge& e, const std::vector<ShellTriangle>& triangles, bool naturalFlat, double border) {
  e.stretch = e.viscousStretch = e.bend = e.viscousBend = 0;
  for (const int i : e.triangle) {
    if (!e.springs || i < 0) continue;
    // Springs carry sqrt(3)/4 E h l per adjacent triangle: a border edge stands for half of an interior one.
    const ShellTriangle& t = triangles[i];
    const double share = (e.isBorder() ? border : 1) * 0.25 * std::sqrt(3.0) * t.youngs * t.thickness * e.length;
    e.stretch += share * e.length;
    e.viscousStretch += t.dampingTime * (share * e.length);
  }
  if (e.hinge) {
    double bend[2] = {}, viscous[2] = {};
    for (int k = 0; k < 2; ++k) {
      const ShellTriangle& t = triangles[e.triangle[k] >= 0 ? e.triangle[k] : e.triangle[0]];
      bend[k] = 2 / std::sqrt(3.0) * t.youngs * t.thickness * t.thickness * t.thickness / 12;
      viscous[k] = t.dampingTime * bend[k];
    }
    e.bend = inSeries(bend[0], bend[1]), e.viscousBend = inSeries(viscous[0], viscous[1]);
  }
  e.natural0 = e.natural = naturalFlat ? 0 : e.initialAngle;
}

}  // namespace

void updateShellStiffness(ShellStructure& shells, const scene::Scene& scene) {
  for (std::size_t i = 0; i < scene.shells.size(); ++i) {
    const scene::Shell& shell = scene.shells[i];
    const int first = shells.firstTriangle[i];
    for (int t = first; t < shells.firstTriangle[i + 1]; ++t) {
      const std::size_t own = static_cast<std::size_t>(t - first);
      setTriangle(shells.triangles[t], shell, shell.triangles[own], scene::sheetAt(scene, shell, own));
    }
    const double border = shell.border(scene::parametersOf(scene));
    for (int e = shells.firstEdge[i]; e < shells.firstEdge[i + 1]; ++e)
      setEdge(shells.edges[e], shells.triangles, shell.naturalFlat, border);
  }
}

}  // namespace tendril::rods_shells
