// The scene's contact as numbers: stiffness, friction, distance and slip, where obstacles say otherwise and where nobody
// says anything.
#pragma once

#include "scene/instant.h"

namespace tendril::scene {

/// Of one kind of contact at one time.
struct ContactLaw {
  double stiffness = 0;  ///< k [N/m], or [N/m^2] with "per": "length"
  double friction = 0;   ///< Coulomb's mu
  double distance = 0;   ///< delta [m]
  double slip = 0;       ///< nu [m/s]
};

/// What contact probes and the summary see at a state.
struct ContactSummary {
  double force = 0;        ///< sum of normal forces [N]
  int pairs = 0;           ///< contacts within reach
  double penetration = 0;  ///< deepest [m]
};

/// `contact` of the scene. Without numbers: distance a tenth of the `smallest` radius [m];
/// stiffness that of the softest body, E r [N/m], per length E. Throws Failure.
ContactLaw contactValues(const Scene& scene, double smallest, double softest, const Instant& at);

/// The same with what an obstacle says itself. Throws Failure.
ContactLaw contactValues(const Obstacle& obstacle, const ContactLaw& common, const formula::Input& at);

/// Share of the overlaps at the start that contact still allows: bodies that begin inside each other are parted over the
/// first hundred steps, not thrown apart. In statics 0, and in runs from an equilibrium, which is one with the full force.
double overlapLeft(const Scene& scene, const Instant& at);

/// How overlaps of the start part within a step from t0 that is evaluated at `at`.
struct Parting {
  double elapsed = 0;  ///< from the step's start to there [s]; 0 in statics
  double left = 0;     ///< share of the overlaps that is still allowed there
  double rate = 0;     ///< [1/s] how fast that becomes less
};
/// `t0` [s]; no more than at.t. Never throws.
Parting parting(const Scene& scene, const Instant& at, double t0);

}  // namespace tendril::scene
