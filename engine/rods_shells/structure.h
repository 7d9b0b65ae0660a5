// Rods and shells as one discrete structure: nodes, edges, springs and the map of unknowns. Rest state and stiffness
// live here as plain arrays; what acts on them (loads, constraints, time) does not.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "elastic/edge_frame.h"
#include "elastic/kelvin_voigt.h"
#include "elastic/stretch.h"
#include "rods_shells/shell_structure.h"
#include "scene/scene.h"
#include "scene/section_geometry.h"

namespace tendril::elastic {
struct SpringKind;
}

namespace tendril::rods_shells {

/// An edge from node a to node b. Unknowns hold displacements, so that small strains of long rods keep their digits.
struct Edge {
  int a = 0, b = 0;                         ///< nodes
  int rod = 0, index = 0;                   ///< Scene::rods index, number within it
  int theta = 0;                            ///< unknown: twist angle [rad] relative to the initial material frame
  Vec3 initial;                             ///< initial edge vector [m]
  double length = 0;                        ///< initial length [m]: mass, loads
  double naturalRatio = 1;                  ///< natural length over initial length, without actuation
  double naturalLength = 0;                 ///< present natural length [m]
  Vec3 d1;                                  ///< initial director
  scene::SectionGeometry section;           ///< at the midpoint
  double EA = 0, EI1 = 0, EI2 = 0, GJ = 0;  ///< [N], [N m^2]
  double viscousEA = 0, viscousEI1 = 0, viscousEI2 = 0,
         viscousGJ = 0;         ///< Kelvin-Voigt: eta A [N s], eta I, eta J/(2(1+nu))
  double massPerLength = 0;     ///< [kg/m]
  double inertiaPerLength = 0;  ///< rotary, about the tangent [kg m]

  double passiveLength() const { return naturalRatio * length; }  ///< natural length without actuation [m]
  /// By strains of the present natural length, with a damper that does not feel actuation.
  elastic::StretchLaw law() const {
    return {EA * naturalLength, viscousEA > 0 ? viscousEA * naturalLength * (naturalLength / passiveLength()) : 0};
  }
};

/// A side of a bend-twist spring: an edge, or the frame of a clamp or of a weld.
struct SpringSide {
  int edge = -1;  ///< -1: a frame
  int held = -1;  ///< index into Structure::held
  int arm = -1;   ///< index into Structure::arms
  bool moves() const { return held < 0; }
};

/// Bend-twist spring at a node, between e (into the node) and f (out of it).
struct Spring {
  SpringSide e, f;
  int node = 0;
  int rod = 0;         ///< whose natural field and actuation rule it
  int place = 0;       ///< node number within that rod
  bool joint = false;  ///< between two rods that go on smoothly, or where a ring closes
  bool active = true;  ///< clamps switch springs on and off
  bool kept =
      false;  ///< inside what a clamp holds: not active, for it moves nothing, but it stores and shows its strain
  bool inner = false;                   ///< half spring between a clamp's frame and an edge that the clamp holds too
  Vec3 innerStrain = Vec3::Zero();      ///< that of an inner one, while it is kept
  double voronoi = 0;                   ///< half its edges' natural lengths without actuation, added up [m]
  double cosOffset = 1, sinOffset = 0;  ///< director mismatch of f at a weld, taken out
  Vec3 stiffness = Vec3::Zero();        ///< (k1, k2, kt) [N m]
  Vec3 viscosity = Vec3::Zero();        ///< [N m s]
  Vec3 natural0 = Vec3::Zero();         ///< without actuation: 2 tan(k l / 2) twice, twist [rad]
  Vec3 natural = Vec3::Zero();          ///< present
  double initialReferenceTwist = 0;     ///< [rad]
  /// x before (3), x at node (3), x after (3), theta_e, theta_f; for the frame of a weld its increment (3) in place of
  /// a node, and no theta; -1 where held.
  std::array<int, 11> dofs{};

  bool stores() const { return active || kept; }
  elastic::KelvinVoigt<Vec3> law() const { return {stiffness, viscosity}; }
};

/// A frame that a clamp holds at a node.
struct HeldFrame {
  int node = 0;
  int rod = 0, place = 0;  ///< whose frame it is: Scene::rods index, node number within it
  int constraint = 0;      ///< Scene::constraints index
  int weld = -1;           ///< Structure::welds, where it holds the frame of one
  Vec3 t, d1;              ///< initial unit tangent and director
};

/// A rod's direction and director in the frame of a weld, initially.
struct WeldArm {
  int weld = 0;
  Vec3 t, d1;
};

/// Ties a weld's frame to the edges of shells around its node: to the rotation that comes nearest to theirs.
struct ShellTie {
  int weld = 0;
  std::vector<int> nodes;       ///< far ends of the edges
  std::vector<Vec3> spokes;     ///< initial unit vectors toward them
  std::vector<double> inverse;  ///< 1 / initial length [1/m]
  std::vector<double> share;    ///< weight of each over its initial length [1/m]
  double stiffness = 0;         ///< [N m]

  elastic::KelvinVoigt<double> law() const { return {stiffness, 0}; }
};

/// A weld whose arms meet in one rigid frame. Two rods that go on smoothly need none.
struct Weld {
  int node = 0;
  int turn = 0;  ///< first of the 3 unknowns: turn of the frame in space, summed over the steps [rad]
  std::vector<scene::NodeRef> refs;  ///< its nodes, of rods and of shells
  std::vector<int> arms;             ///< per node of a rod: its direction in the frame
  std::vector<int> edges;            ///< rod edges that meet in it
  std::vector<int> springs;          ///< their half springs
  int tie = -1;                      ///< Structure::ties
};

/// What a clamp constraint changes while it acts.
struct ClampPlan {
  int constraint = 0;                     ///< Scene::constraints index
  std::vector<int> on, off;               ///< half springs it switches on, full springs they replace
  std::vector<int> keep;                  ///< springs inside a run of clamped nodes, inner half springs at its ends
  std::vector<int> edges;                 ///< edges inside a run of clamped nodes: twist held
  std::vector<int> held;                  ///< its frames
  std::vector<std::array<int, 2>> welds;  ///< welds whose frames it holds, each with one of its own
  std::vector<int> shellHeld;             ///< its planes: ShellStructure::held
};

/// An unknown without inertia: the turn of a mid-edge normal.
struct Massless {
  int unknown = 0;
  int shellEdge = -1;  ///< whose it is: ShellStructure::edges
  double delay = 0;    ///< eta / E [s]: damped, it follows its equilibrium that late
};

/// A spring between places of rods and shells (connectors.h): Scene::springs has its values.
struct Connector {
  const elastic::SpringKind* kind = nullptr;
  std::vector<std::array<int, 2>> vectors;  ///< each from a node to a node
  std::vector<int> nodes;                   ///< of all vectors, each once
  std::vector<int> bodies;                  ///< one per place: whose it is
  double initial = 0;                       ///< strain as built
  double stiffness = 0, viscosity = 0;      ///< of the strain
  double natural0 = 0, natural = 0;         ///< without actuation, and now
  std::string undefined, turned;            ///< why a state is refused for it, in words for the user

  elastic::KelvinVoigt<double> law() const { return {stiffness, viscosity}; }
};

struct Structure {
  int size =
      0;  ///< unknowns: 3 displacements a node, 3 turns a weld's frame, 1 twist a rod edge, 1 turn a mid-edge normal
  std::vector<Vec3> nodes;   ///< initial positions [m]
  std::vector<int> nodeDof;  ///< first of the node's 3 unknowns
  std::vector<Edge> edges;
  std::vector<Spring> springs;
  std::vector<HeldFrame> held;
  std::vector<Weld> welds;
  std::vector<int> weldAt;  ///< per node: its weld with a frame, or -1
  std::vector<WeldArm> arms;
  std::vector<ShellTie> ties;
  std::vector<Connector> connectors;
  std::vector<ClampPlan> clamps;
  ShellStructure shell;
  std::vector<std::vector<int>> bodyNodes;  ///< per body (rods, then shells): global node of each of its nodes
  std::vector<int> rodFirstEdge;            ///< per rod
  std::vector<std::vector<double>> arc;     ///< per rod and node: arc length from the rod's start [m]
  std::vector<int> rodFirstNode;            ///< per rod: where its nodes start in springsAt
  std::vector<std::vector<int>>
      springsAt;  ///< per rod node: its own spring, or those to a weld's frame, then those of clamps
  std::vector<std::vector<std::array<int, 2>>> nodeEdges;  ///< per node: (edge, 0 if the node is its a, 1 if its b)
  std::vector<Massless> massless;
  VectorX mass;         ///< diagonal [kg], [kg m^2], without added masses
  VectorX displaced;    ///< per unknown of nodes: displaced volume [m^3] (buoyancy)
  double meanEdge = 0;  ///< [m], the scale that makes moments comparable to forces
  double extent = 0;    ///< sizeOf() all nodes, at least the longest rod [m]

  int node(scene::NodeRef ref) const { return bodyNodes[ref.body][ref.node]; }
  int edge(scene::EdgeRef ref) const { return rodFirstEdge[ref.rod] + ref.edge; }
  /// The end edge meant by a load at a rod's node: the edge before it, or the first edge at the rod's start.
  int edgeAt(scene::NodeRef ref) const { return rodFirstEdge[ref.body] + (ref.node > 0 ? ref.node - 1 : 0); }
};

/// Twice the largest distance of points from their mean [m]: the same however they are turned.
double sizeOf(const std::vector<Vec3>& points);

/// Scene to structure: merges welded and pinned nodes, numbers the unknowns along the rods, makes the springs.
Structure buildStructure(const scene::Scene& scene);

/// Stiffness, mass and natural strains again from the scene's present parameter values (shapes unchanged).
void updateStiffness(Structure& structure, const scene::Scene& scene);

/// What a field formula sees at a spring or an edge of a rod.
formula::Input fieldAtNode(const Structure& structure, const scene::Scene& scene, int rod, int node);
formula::Input fieldAtEdge(const Structure& structure, const scene::Scene& scene, int rod, int edge);
/// What it sees at a place of a shell; i and n are the caller's.
formula::Input fieldAtPlace(const scene::Scene& scene, const Vec3& place);

/// Discrete curvature (2 tan(|k| l / 2) along k) of a curvature k [1/m] over a Voronoi length l [m], and its inverse.
Vec<2> discreteCurvature(const Vec<2>& k, double l);
Vec<2> continuousCurvature(const Vec<2>& kappa, double l);

}  // namespace tendril::rods_shells
