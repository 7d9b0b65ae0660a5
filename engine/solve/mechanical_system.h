// The interface of a mechanical model to Newton's method and the integrators: r = M a + f(q, v, t), its tangent, and
// where there is one, the incremental potential whose gradient is r.
#pragma once

#include <string>

#include "geometry/types.h"
#include "solve/linear_solver.h"

namespace tendril::solve {

/// How velocity and acceleration depend on the unknown x = q: dv/dx and da/dx. Zero in statics.
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
  bool valid = true;  ///< false: outside the domain (an edge turned too far, a fold); the potential is infinite
  const char* outside = "an edge turned too far";  ///< the reason, in words for the user
  bool hasPotential = true;
  double potential = 0;    ///< [J] incremental potential, of the conservative part
  double magnitude = 0;    ///< [J] size of its largest term, the scale of round-off
  double forceScale = 0;   ///< [N] norm of the largest force term, the scale of the stopping rule
  double roundOff = 0;     ///< [N] residual that round-off leaves where element forces cancel: no less is required
  bool untouched = false;  ///< no loads, no displacements, no motion: the residual is round-off, whatever its size
  bool loaded = false;     ///< loads act on free unknowns
  bool pushed = false;     ///< supports have moved, or there is contact or the pointer pulls
};

class MechanicalSystem {
 public:
  virtual ~MechanicalSystem() = default;

  virtual int size() const = 0;
  /// q = q0 + dq; on groups, the update of the group.
  virtual void retract(const VectorX& q0, const VectorX& dq, double factor, VectorX& q) const = 0;

  /// Potential (every level), residual r (residual, tangent) and tangent dr/dx (tangent) at a trial state. Rows of
  /// prescribed unknowns are zero in r and identity in the tangent.
  virtual Evaluation evaluate(const Motion& motion, const Rates& rates, Level level, VectorX& r) = 0;

  /// Factors the last tangent plus shift * the size of its diagonal.
  virtual Factorization factor(double shift) = 0;
  virtual void solve(const VectorX& rhs, VectorX& x) = 0;
  /// Number of motions that the tangent drives instead of resisting, as far as its factorization shows: negative
  /// pivots, minus those that nonconservative terms make up for.
  virtual int pushes(const Factorization& f) { return f.negativePivots; }

  /// A new solve begins: approximate() must not depend on earlier factorizations.
  virtual void forget() {}
  /// Solves the last tangent times x = rhs, unshifted, without factoring it, until residualNorm(rhs - tangent x) <=
  /// accuracy * residualNorm(rhs). False, with x undefined, where factoring costs less or the tangent turns out not to
  /// be positive definite.
  virtual bool approximate(const VectorX& /*rhs*/, double /*accuracy*/, VectorX& /*x*/) { return false; }

  /// Called when the solve converges slowly: from the next evaluation on, until forget(), the tangent includes terms
  /// omitted because they rarely pay off. False: nothing is omitted.
  virtual bool sharpen() { return false; }

  /// Norms that make different units comparable: of a residual [N] and of an update [m].
  virtual double residualNorm(const VectorX& r) const = 0;
  virtual double updateNorm(const VectorX& dq) const = 0;
  /// Of the last residual: the largest, over bodies, ratio of a body's own residual to its allowance, `tolerance` times
  /// its own largest force term or the round-off of its own forces. 0: there is one body, or no residual.
  virtual double worstBody(const VectorX& /*r*/, double /*tolerance*/) const { return 0; }
  /// The structure's size [m].
  virtual double extent() const = 0;

  /// Energy [J] of the update dx in the part of the last tangent that rounding lost in assembly and factorization;
  /// relative to the work of the update, it shows how far a solution can be trusted. 0: unknown.
  virtual double roundedEnergy(const VectorX& /*dx*/) const { return 0; }
  /// Relative size of a pivot, against its diagonal, that may be round-off. 0: unknown.
  virtual double pivotNoise() const { return 0; }
  /// For a body that floats freely but is so stiff that its round-off would restrain it: 1 where the residual r has no
  /// resultant moment, -1 where it has one. 0: not such a body.
  virtual int floatBalance(const VectorX& /*r*/) const { return 0; }
  /// Message for the user: the mesh is too fine for double precision, how fine, and what to do; `share` is
  /// roundedEnergy() over the work. Empty: no such message.
  virtual std::string tooFine(double /*share*/) const { return {}; }

  /// The nonconservative part of the last residual; requested only where Evaluation::hasPotential is false. Empty:
  /// unknown, and the residual alone decides.
  virtual const VectorX& appliedForce() const {
    static const VectorX none;
    return none;
  }

  /// Largest fraction in (0, 1] of the update dq from q that contact allows: nothing passes through anything along the
  /// path.
  virtual double longestStep(const VectorX& /*q*/, const VectorX& /*dq*/) { return 1; }

  /// Normal forces and tangent planes of friction are lagged: updates them from the trial state where the model allows
  /// that within a solve, and corrects its last evaluation and residual accordingly. The tangent remains usable. True:
  /// something changed.
  virtual bool relag(const Motion& /*motion*/, const Rates& /*rates*/, Evaluation& /*out*/, VectorX& /*r*/) {
    return false;
  }

  /// Moves the chart (reference frames) to the trial state q at unchanged energy, where the model allows that within a
  /// solve (statics). True: something moved, and the residual must be evaluated again.
  virtual bool rebase(const VectorX& /*q*/) { return false; }
};

}  // namespace tendril::solve
