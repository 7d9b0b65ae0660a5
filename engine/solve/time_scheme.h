// Implicit integrators as small policies on one residual: the evaluation point, how velocity and acceleration follow
// from the unknown there, and the state at the end of the step.
#pragma once

#include "solve/newton.h"

namespace tendril::solve {

/// Generalized-alpha in the form of Arnold and Bruels (Multibody Syst. Dyn. 18, 2007): equilibrium at the step's end,
/// an auxiliary acceleration in Newmark's formulas; second order, including constraint multipliers.
enum class ImplicitScheme { euler, midpoint, bdf2, generalizedAlpha };

/// State carried between steps: at the last accepted time, and one step before (BDF2).
struct History {
  VectorX q, v;              ///< accepted
  VectorX qBefore, vBefore;  ///< one step earlier; valid if dtBefore > 0
  double dtBefore = 0;       ///< [s] length of the last step; 0 after a discontinuity
  VectorX a, auxiliary;      ///< generalized-alpha: accepted acceleration and the auxiliary one
};

/// One step of length dt from `history`, in the unknown x = q at the evaluation point.
struct TimeStep {
  double dt = 0;                  ///< [s]
  double at = 1;                  ///< evaluation point within the step: 1 end, 1/2 middle
  double alphaM = 0, alphaF = 0;  ///< of generalized-alpha
  Kinematics kinematics;
  /// A strain's rate is rates.v * (strain - reference), reference = weight0 * strain(q0) + weight1 * strain(qBefore).
  double weight0 = 1, weight1 = 0;
  VectorX guess;  ///< initial guess for x
};

/// Sets up a step. BDF2 (variable step) falls back to implicit Euler where there is no previous step, or where the
/// ratio of steps reaches 2.4. `rho`: spectral radius of generalized-alpha at infinite frequency, 0..1.
void prepareStep(ImplicitScheme scheme, const History& history, double dt, TimeStep& step, double rho = 0.9);

/// Position and velocity at the step's end from the solved x.
void finishStep(const TimeStep& step, const History& history, const VectorX& x, VectorX& q, VectorX& v);

/// Accelerations of generalized-alpha at the step's end from the solved x.
void finishAcceleration(const TimeStep& step, const History& history, const VectorX& x, VectorX& a, VectorX& auxiliary);

}  // namespace tendril::solve
