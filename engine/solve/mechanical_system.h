// What a mechanical model offers to the one Newton iteration and the one set of integrators: r = M a + f(q, v, t), its
// tangent, and where there is one, the incremental potential whose gradient r is.
#pragma once

#include <string>

#include "geometry/types.h"
#include "solve/linear_solver.h"

namespace tendril::solve {

/// How velocity and acceleration follow from the unknown x = q: dv/dx and da/dx. Zero in statics.
struct Rates {
  double v = 0;  ///< [1/s]
  double a = 0;  ///< [1/s^2]
};

/// A trial state. All vectors have size() entries.
struct Motion {
  const VectorX& q;
  const VectorX& v;
  const VectorX& a;
};

enum class Level { value, residual, tangent };

struct Evaluation {
  bool valid = true;  ///< false: outside the domain (an edge turned too far, a fold); an infinite potential
  const char* outside = "an edge turned too far";  ///< why it is, in words for the user
  bool hasPotential = true;
  double potential = 0;    ///< [J] incremental potential, of what has one
  double magnitude = 0;    ///< [J] size of its largest term, the scale of round-off
  double forceScale = 0;   ///< [N] norm of the largest force term, the scale of the stop rule
  double roundOff = 0;  ///< [N] what round-off leaves of a residual whose elements' forces cancel: no less is asked for
  bool untouched = false;  ///< nothing acts, nothing has moved, nothing moves: the residual is round-off, whatever its size
  bool loaded = false;     ///< loads act on what is free
  bool pushed = false;     ///< supports have moved, or something touches or is pulled
};

class MechanicalSystem {
 public:
  virtual ~MechanicalSystem() = default;

  virtual int size() const = 0;
  /// q = q0 + dq; models on groups update on the group.
  virtual void retract(const VectorX& q0, const VectorX& dq, double factor, VectorX& q) const = 0;

  /// Potential (every level), residual r (residual, tangent) and tangent dr/dx (tangent) at a trial state. Rows of
  /// prescribed unknowns are zero in r and identity in the tangent.
  virtual Evaluation evaluate(const Motion& motion, const Rates& rates, Level level, VectorX& r) = 0;

  /// Factors the last tangent plus shift * its diagonal's size.
  virtual Factorization factor(double shift) = 0;
  virtual void solve(const VectorX& rhs, VectorX& x) = 0;
  /// How many motions that tangent pushes on instead of resisting them, as far as its factorization tells: negative
  /// pivots, less those that what has no potential makes up for.
  virtual int pushes(const Factorization& f) { return f.negativePivots; }

  /// A new solve begins: approximate() must not depend on what was factored before.
  virtual void forget() {}
  /// Solves the last tangent times x = rhs, unshifted, without factoring it, until residualNorm(rhs - tangent x) <=
  /// accuracy * residualNorm(rhs). False, and x useless, where factoring costs less or the tangent is seen not to be
  /// positive definite.
  virtual bool approximate(const VectorX& /*rhs*/, double /*accuracy*/, VectorX& /*x*/) { return false; }

  /// The solve converges slowly: from the next evaluation on, until forget(), the tangent holds what it leaves out
  /// because it rarely pays. False: nothing is left out.
  virtual bool sharpen() { return false; }

  /// Norms that make unlike unknowns comparable: of a residual [N] and of an update [m].
  virtual double residualNorm(const VectorX& r) const = 0;
  virtual double updateNorm(const VectorX& dq) const = 0;
  /// Of the last residual: the largest among bodies of a body's own residual over what may be left of it, `tolerance` times its own
  /// largest force term or what round-off leaves of its own forces. 0: there is one body, or no residual.
  virtual double worstBody(const VectorX& /*r*/, double /*tolerance*/) const { return 0; }
  /// The structure's size [m].
  virtual double extent() const = 0;

  /// Energy [J] that the update dx would store in what assembling and factoring the last tangent rounds away: against
  /// the work of the update it says how far a solution can be trusted. 0: not told.
  virtual double roundedEnergy(const VectorX& /*dx*/) const { return 0; }
  /// Of a pivot against its diagonal: as much as this may be round-off. 0: not told.
  virtual double pivotNoise() const { return 0; }
  /// Of what floats freely and is so stiff that its round-off would hold it: 1 where the residual r has no moment left
  /// that would turn it, -1 where it has. 0: not of that kind.
  virtual int floatBalance(const VectorX& /*r*/) const { return 0; }
  /// In words for the user: too fine for double precision, how fine, and what to do; `share` is roundedEnergy() over the
  /// work. Empty: the system has no such words.
  virtual std::string tooFine(double /*share*/) const { return {}; }

  /// The part of the last residual that has no potential; asked for only where Evaluation::hasPotential is false.
  /// Empty: the system does not tell it, and the residual alone judges.
  virtual const VectorX& appliedForce() const {
    static const VectorX none;
    return none;
  }

  /// Largest part in (0, 1] of the update dq from q that contact allows: nothing passes through anything on the way.
  virtual double longestStep(const VectorX& /*q*/, const VectorX& /*dq*/) { return 1; }

  /// Friction's normal forces and tangent planes are lagged: takes them from the trial state where the model allows that
  /// in a solve, and changes its last evaluation and residual by what that makes. The tangent still serves. True:
  /// something changed.
  virtual bool relag(const Motion& /*motion*/, const Rates& /*rates*/, Evaluation& /*out*/, VectorX& /*r*/) { return false; }

  /// Moves the chart (reference frames) to the trial state q, energy unchanged, where the model allows that in a solve
  /// (statics). Returns true if something moved: the residual must then be evaluated again.
  virtual bool rebase(const VectorX& /*q*/) { return false; }
};

}  // namespace tendril::solve
