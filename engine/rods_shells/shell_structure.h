// Shells as parts of the discrete structure: edges with their hinges, triangles with membrane and mid-edge bending, and
// the planes that clamps hold. Rest state and stiffness as plain arrays.
#pragma once

#include <array>
#include <vector>

#include "elastic/kelvin_voigt.h"
#include "elastic/membrane.h"
#include "elastic/stretch.h"
#include "scene/scene.h"

namespace tendril::rods_shells {

/// An edge of a shell, from a to b as its first triangle runs through it. Its hinge has the nodes (b, a, opposite of
/// the first triangle, opposite of the second), as in the second triangle: the angle is positive where the triangles
/// fold toward their normals.
struct ShellEdge {
  int a = 0, b = 0;                        ///< nodes
  int shell = 0;                           ///< Scene::shells index
  std::array<int, 2> triangle = {-1, -1};  ///< ShellStructure::triangles; second -1 at the border
  std::array<int, 2> opposite = {-1, -1};  ///< node opposite in either triangle
  Vec3 initial;                            ///< b - a at the start [m]
  double length = 0;                       ///< initial length [m]
  bool springs = false, hinge = false;     ///< which models it carries; the others live on the triangles
  int psi = -1;                            ///< unknown of mid-edge shells: turn of the mid-edge normal [rad]
  double stretch = 0,
         viscousStretch = 0;  ///< sum of E h l^2 sqrt(3)/4 of its triangles [N m], times eta/E [N m s]; 0 with stvk
  double bend = 0, viscousBend = 0;  ///< hinge: kb [N m], times eta/E; 0 with midedge
  double initialAngle = 0;           ///< hinge angle at the start [rad]
  double natural0 = 0, natural = 0;  ///< natural hinge angle [rad]: without actuation, present
  bool isBorder() const { return triangle[1] < 0; }
  elastic::StretchLaw stretching() const { return {stretch, viscousStretch}; }
  /// Either half of the hinge, against a held plane, is twice as stiff as the whole.
  elastic::KelvinVoigt<double> folding(bool held) const {
    return held ? elastic::KelvinVoigt<double>{2 * bend, 2 * viscousBend}
                : elastic::KelvinVoigt<double>{bend, viscousBend};
  }
};

struct ShellTriangle {
  std::array<int, 3> nodes{};  ///< corners
  std::array<int, 3> edges{};  ///< ShellStructure::edges, opposite to corner k
  std::array<int, 3> sides{};  ///< 0: it is the edge's first triangle, 1: its second
  int shell = 0;
  bool stvk = false, midedge = false;  ///< which models it carries
  elastic::MembraneRest rest;
  double thickness = 0;          ///< [m]
  double youngs = 0;             ///< E [Pa]
  double massPerArea = 0;        ///< [kg/m^2]
  double dampingTime = 0;        ///< eta / E [s]
  Mat3 membrane = Mat3::Zero();  ///< stvk: of (E11, E22, 2 E12) [N m]
  Mat3 bending = Mat3::Zero();   ///< midedge: of the angles alpha [N m]
  Mat3 shapeOperator;            ///< angles alpha to (S11, S22, S12) [1/m], for display

  elastic::ProportionalLaw straining() const { return {membrane, dampingTime}; }
  elastic::ProportionalLaw curving() const { return {bending, dampingTime}; }
};

/// An edge with both nodes in a clamp: the plane that the clamp holds there.
struct HeldEdge {
  int edge = 0;
  int constraint = 0;  ///< Scene::constraints index
  Vec3 normal;         ///< initial unit mid-edge normal
};

struct ShellStructure {
  std::vector<ShellEdge> edges;
  std::vector<ShellTriangle> triangles;
  std::vector<HeldEdge> held;
  std::vector<int> firstEdge, firstTriangle;  ///< per shell, and one past the last
  std::vector<double> area;                   ///< per node: a third of its triangles' areas [m^2]
  bool anyMidedge = false;
};

/// Stiffness, natural angles and masses (per area) again from the scene's present parameter values.
void updateShellStiffness(ShellStructure& shells, const scene::Scene& scene);

}  // namespace tendril::rods_shells
