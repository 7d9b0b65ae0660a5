// The scene's contact parameters as numbers: stiffness, friction, distance and slip, including values of obstacles and
// defaults.
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

/// Results of contact at a state, for probes and the summary.
struct ContactSummary {
  double force = 0;        ///< sum of normal forces [N]
  int pairs = 0;           ///< contacts within reach
  double penetration = 0;  ///< deepest [m]
};

/// `contact` of the scene. Defaults: distance a tenth of the `smallest` radius [m]; stiffness that of the softest body,
/// E r [N/m], or E per length. Throws Failure.
ContactLaw contactValues(const Scene& scene, double smallest, double softest, const Instant& at);

/// The same with an obstacle's own values. Throws Failure.
ContactLaw contactValues(const Obstacle& obstacle, const ContactLaw& common, const formula::Input& at);

/// Share of the initial overlaps that contact still allows: bodies that start inside each other are separated over the
/// first hundred steps, not thrown apart. 0 in statics, and in runs from an equilibrium, which was found with the full
/// force.
double overlapLeft(const Scene& scene, const Instant& at);

/// How initial overlaps shrink within a step from t0 that is evaluated at `at`.
struct Parting {
  double elapsed = 0;  ///< from the step's start to there [s]; 0 in statics
  double left = 0;     ///< share of the overlaps that is still allowed there
  double rate = 0;     ///< [1/s] how fast that share decreases
};
/// `t0` [s]; no more than at.t. Never throws.
Parting parting(const Scene& scene, const Instant& at, double t0);

}  // namespace tendril::scene
