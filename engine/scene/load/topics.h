// The parts of the loader, one function per section of a scene file. Each reads its section from the context's root,
// fills the Scene and adds to the problems. Internal to the loader.
#pragma once

#include "geometry/triangle_mesh.h"
#include "scene/load/context.h"

namespace tendril::scene {

/// The members of a top-level map, or the items of a top-level list; empty where it is missing.
const std::vector<text::Member>& membersOf(const LoadContext& context, std::string_view section);
const std::vector<text::Value>& itemsOf(const LoadContext& context, std::string_view section);

constexpr long mostNodes = 2000000;  ///< of all rods and shells together

void loadMaterials(LoadContext& context);  // bodies/materials.cpp
/// The material that a rod or shell (`kind`) names, or the scene's only one; -1 with a problem where there is none.
int findMaterial(LoadContext& context, const text::Value& body, const std::string& kind);  // bodies/materials.cpp
void loadRods(LoadContext& context);                                                       // bodies/rods.cpp
void loadShells(LoadContext& context);    // bodies/shells.cpp: after the rods
void loadLinkages(LoadContext& context);  // links/linkages.cpp: after the shells
void loadVines(LoadContext& context);     // bodies/vines.cpp
/// Initial positions and velocities of bodies that do not fit together.
void checkStartOfVine(LoadContext& context, const text::Value& value, const Vine& vine);  // bodies/vine_checks.cpp
void checkVines(LoadContext& context);     // bodies/vine_checks.cpp: growth, after the solver
void warnOfVines(LoadContext& context);    // bodies/vine_checks.cpp: what does not affect them
void loadObstacles(LoadContext& context);  // contact/obstacles.cpp: after the linkages
void loadContact(LoadContext& context);    // contact/contact.cpp: after the obstacles
/// The targets of a contact probe ("of"): bodies, obstacles or both.
void readContactProbe(LoadContext& context, const text::Value& value, Probe& probe);  // contact/contact.cpp
/// A live number that may be timed, and is not negative at t = 0 (a stiffness may grow from 0).
formula::Number timedNumber(LoadContext& context, const text::Value& value,
                            const std::string& path);  // contact/contact.cpp
/// Problems as they are reported: by location; equal ones once; at most a few per location.
Problems inOrder(Problems problems);      // load.cpp
void checkContact(LoadContext& context);  // contact/contact.cpp: after bodies, joints, solver
/// Initial overlaps with obstacles: refused where deeper than a radius, else a warning. Overlaps below this part of the
/// radius are round-off of touching bodies.
inline constexpr double touchTolerance = 1e-6;
void checkObstacleOverlaps(LoadContext& context);  // contact/overlaps.cpp
/// Rods that initially overlap each other, with self-contact: a warning; refused where their centerlines meet.
void checkRodOverlaps(LoadContext& context);  // contact/rod_overlaps.cpp
void warnOfContact(LoadContext& context);     // contact/contact.cpp
/// Distance of a point to the surface of an obstacle at its initial position, negative inside [m].
double distanceTo(const Obstacle& obstacle, const Vec3& point);  // contact/obstacles.cpp
/// The contact radius of a rod's edges [m], as in the models: half the sum of the section's half-axes. Empty where the
/// section has none or a formula fails.
std::vector<double> contactRadii(const Scene& scene, const Rod& rod);  // contact/overlaps.cpp
/// "2.1 mm", for messages.
std::string lengthInWords(double length);  // contact/overlaps.cpp
/// The valid mesh of a shell, of at most `nodesLeft` vertices; or empty, with problems.
std::optional<geometry::TriangleMesh> loadMesh(LoadContext& context, const text::Value& shellValue,
                                               double nodesLeft);  // bodies/meshes.cpp
std::optional<std::vector<Vec3>> loadPath(LoadContext& context, const text::Value& rodValue,
                                          Rod& rod);                         // bodies/paths.cpp
void loadNatural(LoadContext& context, const text::Value& value, Rod& rod);  // bodies/sections.cpp
void loadJoints(LoadContext& context);                                       // bodies/joints.cpp
void loadSprings(LoadContext& context);      // bodies/springs.cpp: after rods and shells
void loadConstraints(LoadContext& context);  // constraints.cpp
void loadLoads(LoadContext& context);        // loads.cpp
std::vector<Load> loadsOf(LoadContext& context, const std::vector<text::Value>& items);
void loadEnvironment(LoadContext& context);  // environment.cpp
void loadActuation(LoadContext& context);    // actuation.cpp
std::optional<ActuationTable> loadTable(LoadContext& context, const text::Value& item,
                                        const std::vector<NodeRef>& nodes);  // tables.cpp
/// Splits rows with one number per spring of the selection (by rod and node) into one actuation per rod whose rows have
/// one number per interior node of the whole rod (edges for stretch), as the models read them. Other tables are
/// unchanged.
std::vector<Actuation> spreadOverRods(const Scene& scene, Actuation actuation);  // tables.cpp
void loadSolverMode(LoadContext& context);                                       // solver.cpp: before anything timed
void loadSolver(LoadContext& context);
void loadStates(LoadContext& context);   // solver.cpp
void loadInitial(LoadContext& context);  // initial.cpp
Caption captionOf(LoadContext& context,
                  const text::Value& value);  // probes.cpp: of a probe or a state; empty words are problems
void declareColumns(LoadContext& context);    // outputs/probes.cpp: names first, formulas see them
void loadProbes(LoadContext& context);
void loadChecks(LoadContext& context);                                         // outputs/checks.cpp
void loadView(LoadContext& context);                                           // outputs/view.cpp
Look loadLook(LoadContext& context, const text::Value* value);                 // outputs/view.cpp
void findLiveParameters(LoadContext& context, const ResolvedScene& resolved);  // live.cpp
void addWarnings(LoadContext& context);                                        // warnings.cpp

}  // namespace tendril::scene
