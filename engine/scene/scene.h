// The typed scene: the content of a scene file after checking, with shapes resolved to points and selectors to nodes.
// The loader creates it (scene/load/load.h); the models are built from it. SI units, radians, z up.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formula/number.h"
#include "geometry/types.h"
#include "scene/linkage.h"
#include "scene/rotation.h"
#include "scene/vine.h"
#include "tendril/problem.h"
#include "text/source_map.h"

namespace tendril::scene {

using Number3 = std::array<formula::Number, 3>;

/// A node of a rod or a vertex of a shell: index of the body (rods first, then shells, see Scene::points) and 0-based
/// number within it.
struct NodeRef {
  int body = 0, node = 0;
  friend bool operator==(const NodeRef&, const NodeRef&) = default;
};
/// An edge of a rod: edge e joins nodes e and e + 1.
struct EdgeRef {
  int rod = 0, edge = 0;
  friend bool operator==(const EdgeRef&, const EdgeRef&) = default;
};

struct Parameter {
  std::string name;
  double value = 0;  ///< after overrides; Scene::values holds the live copy
  std::optional<double> min, max, step;
  bool logarithmic = false;
  std::string unit, label;
  std::vector<std::pair<std::string, double>> choices;  ///< menu entries: label, value
  bool live = false;                                    ///< acts during a run; otherwise a change restarts the run
  bool derived = false;                                 ///< its value is a formula of others
};

struct Material {
  std::string name;
  formula::Number youngs;   ///< E [Pa]
  formula::Number poisson;  ///< nu
  formula::Number density;  ///< rho [kg/m^3]
  formula::Number damping;  ///< Kelvin-Voigt viscosity [Pa s]
};

struct Rod {
  std::string name;
  int material = -1;  ///< index into Scene::materials; -1 allowed with Section::Kind::stiffness
  Section section;
  std::vector<Vec3> points;        ///< initial nodes [m], at least 2
  Vec3 frame = Vec3(0, 0, 1);      ///< hint for director d1 at the start, not yet projected
  Vec3 startTangent, endTangent;   ///< the path's own unit tangents at s = 0 and s = L, used by clamps
  std::vector<Vec3> nodeTangents;  ///< the path's own unit tangent at every node
  bool naturalStraight = false;    ///< "natural": "straight"
  std::optional<std::array<formula::Number, 2>> naturalCurvature;  ///< [1/m] toward d1, d2; field
  std::optional<formula::Number> naturalTwist;                     ///< [rad/m]; field
  std::optional<formula::Number> naturalStretch;                   ///< ratio to the initial edge length; field
  Look look;
};

/// A thin shell: a triangle mesh with a thickness.
struct Shell {
  enum class Bending { hinge, midedge };
  enum class Membrane { springs, stvk };
  std::string name;
  int material = -1;           ///< index into Scene::materials
  formula::Number thickness;   ///< h [m]
  formula::Number border = 1;  ///< factor on the springs of edges with only one triangle
  Bending bending = Bending::midedge;
  Membrane membrane = Membrane::stvk;         ///< default: springs with hinge, stvk with midedge
  std::vector<Vec3> points;                   ///< initial vertices [m]
  std::vector<std::array<int, 3>> triangles;  ///< vertex numbers, neighbors consistently oriented; right-handed normal
  bool naturalFlat = false;                   ///< "natural": "flat": every hinge is flat when stress-free
  Look look;
};

/// A convex body that rods and shells touch; it is fixed, or moves without rotating.
struct Obstacle {
  enum class Kind { plane, sphere, box, capsule, cylinder };
  std::string name;
  Kind kind = Kind::plane;
  Vec3 point = Vec3::Zero();     ///< plane: a point; sphere, box: the center; capsule, cylinder: one end [m]
  Vec3 end = Vec3::Zero();       ///< capsule, cylinder: the other end [m]
  Vec3 normal = Vec3::UnitZ();   ///< plane: unit, toward the free side
  Vec3 half = Vec3::Zero();      ///< box: half sides along its own axes [m]
  Mat3 axes = Mat3::Identity();  ///< box: its axes as columns
  double radius = 0;             ///< sphere, capsule, cylinder [m]
  std::optional<formula::Number> stiffness, friction;  ///< its own instead of the scene's contact; timed
  std::optional<double> distance, slip;
  std::optional<Number3> velocity, displacement;  ///< [m/s], [m], timed; one of them or none
  Look look;
  std::string pointer;
};

/// Contact of the scene: E = k (log(1 + exp(-K d)) / K)^2 with K = 15 / distance (theory.md, Contact).
struct Contact {
  bool self = false;                         ///< rods and shells, within one body and between bodies
  std::optional<formula::Number> stiffness;  ///< k [N/m], or [N/m^2] with perLength; default from the engine
  std::optional<double> distance;            ///< delta [m]; default from the engine
  formula::Number friction;                  ///< Coulomb's mu, timed
  double slip = 1e-3;                        ///< nu [m/s]
  double damping = 0;                        ///< [s]: force damping * (-dF/dd) * approach speed
  bool perLength = false;                    ///< "per": "length"
};

struct Joint {
  bool weld = true;            ///< weld: its rods are clamped to one rigid frame; otherwise a pin (ball joint)
  std::vector<NodeRef> nodes;  ///< coincide within 1e-6 of the structure's size
};

/// A spring between points of rods and shells.
struct Spring {
  std::string name;
  int kind = 0;                            ///< of elastic::springKinds
  std::vector<NodeRef> nodes;              ///< the points that it connects
  formula::Number stiffness, damping;      ///< per unit of what the kind measures, and of its rate
  std::optional<formula::Number> natural;  ///< where its force is zero; as built if not given
  Look look;
  std::string pointer;
};

struct Interval {
  double from = -std::numeric_limits<double>::infinity();  ///< [s]
  double until = std::numeric_limits<double>::infinity();  ///< [s]
};

struct Constraint {
  enum class Kind { clamp, fix, fixTwist, turn, move, planar };
  Kind kind = Kind::fix;
  std::vector<NodeRef> nodes;                     ///< clamp, fix, move
  std::vector<EdgeRef> edges;                     ///< fixTwist, turn
  std::array<bool, 3> axes = {true, true, true};  ///< fix
  std::optional<Number3> displacement;            ///< [m] relative to the initial position; move, clamp
  std::optional<Number3> velocity;                ///< [m/s]; move, clamp
  Rotation rotation;  ///< clamp: rotates what is prescribed about the first node; shells: about the mean position of
                      ///< the clamped nodes
  formula::Number angle;  ///< turn: the edge's twist angle [rad]
  int normal = 1;         ///< planar: the fixed axis (0 x, 1 y, 2 z)
  Interval interval;
  bool freeBefore = false;  ///< "before": "free"
  bool release = false;     ///< "then": "release"
  std::string pointer;      ///< JSON pointer, for messages
};

/// A load that is a formula of the point that it acts on (formula::Place), or the potential of such a force.
struct LoadField {
  enum class Kind { force, moment, pressure, potential };
  enum class Per { node, length, area, mass };
  Kind kind = Kind::force;
  Per per = Per::node;
  formula::Number amount;  ///< pressure [Pa], or potential [J] per what `per` says
};

struct Load {
  enum class Kind { force, follower, moment, line, pressure, mass, field, wrench };
  Kind kind = Kind::force;
  std::vector<NodeRef> nodes;   ///< where it acts; follower and moment act on the rod there
  std::vector<int> vines;       ///< and on tips of vines: force; fields per length or mass along all of it
  std::vector<LinkRef> places;  ///< and on linkages: force, follower (in the link's frame x, y, z), moment, mass
  std::vector<LinkRef> links;   ///< and along whole soft links: wrench, fields; `at` is ignored
  Number3 value;                ///< [N], [N] in (d1, d2, t), [N m], [N/m]
  Number3 moment;               ///< wrench: [N m/m] in the link's own frame, as its force `value` is
  formula::Number mass;         ///< [kg]
  formula::Number pressure;     ///< [Pa] along the normals of the triangles with all corners selected
  LoadField field;              ///< kind field; `value` is its force [N] or moment [N m] per what `per` says
  bool share = false;  ///< force: one total, divided by tributary length (rods) or area (shells); one kind only
  Interval interval;
  std::string pointer;
};

/// What the formulas of a field see of the point that it acts on.
inline formula::PlaceUse placeOf(const Load& load) {
  formula::PlaceUse all = load.field.amount.place();
  for (const formula::Number& number : load.value) all |= number.place();
  return all;
}

struct Surroundings {
  Number3 gravity;                              ///< [m/s^2]
  std::optional<formula::Number> fluidDensity;  ///< [kg/m^3]
  bool buoyancy = false;
  Number3 fluidVelocity;    ///< [m/s] of the medium (wind), timed; drag and viscous forces see it
  formula::Number viscous;  ///< eta [Pa s]; M(27)
  std::optional<formula::Number> rftTangential,
      rftNormal;         ///< resistive force per length of rods [N s/m^2]; both or none
  formula::Number drag;  ///< C_D of shells; M(29), with fluidDensity
};

struct ActuationTable {
  std::vector<double> time;  ///< [s], increasing
  /// One row per time; a row holds one number for all springs (edges for stretch, hinges for angle) or one for each.
  /// Empty: not given.
  std::vector<std::vector<double>> curvature1, curvature2, twist, stretch, angle;
  bool step = false;  ///< step instead of linear interpolation
};

struct Actuation {
  std::vector<NodeRef> nodes;  ///< springs at these nodes; for stretch the edges with both nodes selected
  std::optional<std::array<formula::Number, 2>> curvature;  ///< [1/m], timed field
  std::optional<formula::Number> twist;                     ///< [rad/m]
  std::optional<formula::Number> stretch;                   ///< factor on the natural edge length
  std::optional<ActuationTable> table;
  std::optional<formula::Number> angle;  ///< natural hinge angle [rad] of shells, timed field; i, n count `hinges`
  std::vector<LinkRef> links;            ///< whole soft links, whose stress-free strains it gives; `at` is ignored
  std::array<std::optional<formula::Number>, 6>
      natural;  ///< of these, as SoftDivision::natural, timed; s, u run along the link
  Interval interval;
  std::string pointer;

  /// Whether it is of the hinges of shells, and not of rods.
  bool ofHinges() const { return angle || (table && !table->angle.empty()); }
  /// Whether natural curvature or twist of rods is prescribed, and not only their length.
  bool shapes() const {
    return curvature || twist ||
           (table && !(table->curvature1.empty() && table->curvature2.empty() && table->twist.empty()));
  }
};

/// How the columns of a probe, or a state, are shown.
struct Caption {
  std::string label, unit;  ///< unit: of a formula or a state, as given in the scene; "1" for a pure number
  bool hidden = false;      ///< not plotted
};

struct State {
  std::string name;
  Caption caption;
  formula::Number rate;  ///< y += dt * rate at each accepted step
  double initial = 0;
};

struct Initial {
  std::vector<NodeRef> nodes;
  std::vector<LinkRef> links;  ///< whole links; `at` is ignored
  std::array<std::optional<formula::Number>, 6> strain,
      strainRate;  ///< of soft bodies [1/m, 1], [1/s], fields; the whole strain,
                   ///< natural one included; stretch counts from 0
  std::vector<std::optional<formula::Number>> coordinate,
      coordinateRate;                      ///< of their joints, numbered as in LinkJoint
  std::optional<Number3> velocity;         ///< [m/s], field
  std::optional<formula::Number> twist;    ///< twist angle of the edges [rad], field
  std::optional<formula::Number> spin;     ///< edge twist rate [rad/s], field
  std::vector<formula::Number> hingeRate;  ///< of shells' natural hinge angles [rad/s], field: one for all, or one for
                                           ///< each of the selected hinges in the order of Actuation::angle
  std::string pointer;
};

enum class Integrator { implicitEuler, implicitMidpoint, bdf2, symplecticEuler, verlet, generalizedAlpha };

struct Solver {
  bool dynamic = true;
  Integrator integrator = Integrator::implicitEuler;            ///< of rods and shells
  Integrator linkageIntegrator = Integrator::generalizedAlpha;  ///< of linkages
  double rho = 0.9;         ///< generalized-alpha: spectral radius at infinite frequency, 0..1
  double dt = 0.01;         ///< [s]
  double duration = 10;     ///< [s]; static: 1
  double tolerance = 1e-8;  ///< relative (docs/solver.md)
  int iterations = 50;
  bool lineSearch = true;
  bool adaptive = false;
  double minStep = 1e-6, maxStep = 1e-2;  ///< [s], with adaptive
  int loadSteps = 1;
  bool startEquilibrium = false;
  std::vector<Load> startWith;  ///< extra loads of the "equilibrium" solve only
};

enum class Reduce { mean, sum, min, max };
/// contact probes: sum of the normal forces [N], number of contacts within reach, deepest penetration [m].
enum class ContactKind { force, pairs, penetration };
enum class EnergyKind {
  kinetic,
  gravity,
  stretch,
  bend,
  twist,
  membrane,
  hinge,
  springs,
  contact,
  elastic,
  total,
  work,
  dissipated,
  numerical
};

/// Energies of the whole scene's balance, rather than of a state.
inline bool isOfBalance(EnergyKind kind) { return kind >= EnergyKind::work; }

/// The key of the scene language: "kinetic".
std::string_view nameOf(EnergyKind kind);

struct Probe {
  enum class Kind {
    position,
    velocity,
    tangent,
    reaction,
    reactionMoment,
    curvature,
    moment,
    pose,
    speed,
    twist,
    stretch,
    tension,
    length,
    formula,
    energy,
    distance,
    angle,
    contact,
    jointAngle,
    jointEffort,
    cable,
    cableRate,
    strain,
    growthForce
  };
  std::string name;
  Kind kind = Kind::position;
  std::vector<NodeRef>
      nodes;  ///< the selection; for twist, stretch, tension, length, angle: edges with both nodes in it
  std::vector<NodeRef> other;                ///< distance: the second selection (each reduced to its mean position)
  std::vector<LinkRef> places, otherPlaces;  ///< the same on linkages; jointAngle, jointEffort: the link with the joint
  std::vector<int> vines, otherVines;        ///< the same on the tips of vines; length, growthForce: of the whole vine
  int linkage = 0, cableIndex = 0;           ///< cable, cableRate: its indices
  Reduce reduce = Reduce::mean;
  formula::Number formula;
  EnergyKind energy = EnergyKind::total;
  ContactKind contact = ContactKind::force;
  std::vector<int> obstacles;  ///< contact with these obstacles only; `bodies`: of these bodies only
  std::vector<int> bodies;     ///< energy of these bodies (as in NodeRef, then linkages, then vines); empty: all
  int firstColumn = 0, columnCount = 1;  ///< its position in Scene::columns
  Caption caption;
  std::string pointer;
};

struct Check {
  enum class When { time, end, always, ever };
  std::string title;
  When when = When::end;
  double time = 0;               ///< [s]
  Interval during;               ///< always, ever
  formula::Number expect;        ///< holds where not zero
  std::vector<int> usesColumns;  ///< columns its formula reads, printed when it fails
  double points = 1;
  std::map<std::string, double> with;  ///< parameters of its own run; empty: the main run
  std::string pointer;
};

/// Nodes of a body one after another.
struct Run {
  int first = 0, last = 0;
};

/// What the camera follows: a body, or nodes of it.
struct Follow {
  int body = -1;  ///< as in NodeRef, then linkages, then vines; -1: nothing
  int link = -1;  ///< of a linkage: one of its links; -1: all
  std::optional<Run> nodes;
};

struct Scene;

/// A condition on numbers that act during a run, checked again when a parameter changes.
struct LiveRule {
  Problem source;  ///< its message is the text that the location adds to another message
  std::function<std::string(const Scene&)> wrong;  ///< what is wrong with the scene's values, or ""
};

struct Scene {
  std::string title, description;
  std::vector<Parameter> parameters;
  std::vector<double> values;            ///< current value of each parameter, as formulas see it
  std::vector<formula::Number> derived;  ///< one per parameter: its formula of others (a constant if it has none)
  std::vector<int> derivedOrder;         ///< the derived ones, each after those that it sees
  std::vector<Material> materials;
  std::vector<Rod> rods;
  std::vector<Shell> shells;
  std::vector<Linkage> linkages;
  std::vector<Vine> vines;
  std::vector<Obstacle> obstacles;
  Contact contact;
  std::vector<Joint> joints;
  std::vector<Spring> springs;
  std::vector<Constraint> constraints;
  std::vector<Load> loads;
  Surroundings environment;
  std::vector<Actuation> actuation;
  std::vector<State> states;
  std::vector<formula::Number> feedback;  ///< formulas that act and see probes or states, each once
  std::vector<Initial> initial;
  Solver solver;
  std::vector<Probe> probes;         ///< in file order
  std::vector<int> probeOrder;       ///< evaluation order: formula probes after what they see
  std::vector<std::string> columns;  ///< flat names, "tip.x"; a formula's column index counts these, then states
  std::vector<Check> checks;
  std::string view = "{}";  ///< the "view" object as JSON text: display only, never read by the engine
  Follow follow;            ///< what its "follow" means
  std::vector<Problem> warnings;
  std::vector<LiveRule> liveRules;  ///< conditions on new values in setLiveParameter (load/load.h)
  text::SourceMap source;           ///< locations of its values, for problems found later

  /// Number of bodies in NodeRef: the rods, then the shells.
  int bodyCount() const { return static_cast<int>(rods.size() + shells.size()); }
  bool isRod(int body) const { return body < static_cast<int>(rods.size()); }
  int bodyOfLinkage(int linkage) const { return bodyCount() + linkage; }  ///< after them, in lists of bodies
  int bodyOfVine(int vine) const { return bodyCount() + static_cast<int>(linkages.size()) + vine; }  ///< after those
  int bodyOfShell(int shell) const { return static_cast<int>(rods.size()) + shell; }
  const Shell& shellOf(int body) const { return shells[static_cast<std::size_t>(body) - rods.size()]; }
  const std::vector<Vec3>& points(int body) const {
    return isRod(body) ? rods[static_cast<std::size_t>(body)].points : shellOf(body).points;
  }
  const std::string& bodyName(int body) const {
    return isRod(body) ? rods[static_cast<std::size_t>(body)].name : shellOf(body).name;
  }
};

/// The input of formulas of parameters only: their current values.
inline formula::Input parametersOf(const Scene& scene) {
  formula::Input input;
  input.parameters = scene.values.data();
  return input;
}

}  // namespace tendril::scene
