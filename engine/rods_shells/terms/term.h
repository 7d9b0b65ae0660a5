// What acts on rods and shells beside the elastic energy of their own elements and what is diagonal (inertia, dead
// loads, viscosity, the pointer). Every such term is in one list of the system, which prepares, evaluates, accepts and
// saves whatever is listed.
#pragma once

#include <string>

#include "model/archive.h"
#include "rods_shells/parts.h"
#include "rods_shells/pattern.h"
#include "scene/instant.h"
#include "solve/mechanical_system.h"
#include "solve/parted_tangent.h"

namespace tendril::rods_shells {

/// What terms add to. Vectors are whole; a term touches the unknowns of its part alone.
struct TermSums {
  solve::Evaluation& evaluation;  ///< potential, magnitude and round-off
  VectorX& gradient;              ///< of what contact stores and dissipates [N], [N m]: contact terms alone add to it
  VectorX& forces;                ///< minus the forces of all other terms [N], [N m]: what they do is booked as work
  solve::PartedTangent* tangent = nullptr;  ///< given for Level::tangent
  /// Sizes [N] of forces that may cancel each other, per unknown, as large in every direction; null: nobody asks.
  VectorX* sizes = nullptr;
};

class Term {
 public:
  virtual ~Term() = default;

  /// Pairs of unknowns that its tangent couples now, beside those of the elastic energy.
  virtual void addPattern(Pattern& /*pattern*/) const {}
  /// What follows is about these elements: of one part, or of all.
  virtual void enter(const PartElements& part) = 0;
  /// Looks up its places in a new tangent, or after what is prescribed has changed.
  virtual void bind(solve::PartedTangent& /*tangent*/, const std::vector<char>& /*prescribed*/) {}
  /// Timed values for a step from t0 that ends at `end` and is evaluated at `at`. Throws Failure.
  virtual void prepare(const scene::Instant& end, const scene::Instant& at, double t0) = 0;
  /// All terms and supports are prepared and bound.
  virtual void complete() {}

  /// It may add something.
  virtual bool acts() const = 0;
  /// All that it adds belongs to a potential, which it adds to the evaluation where that has one.
  virtual bool hasPotential() const { return true; }
  /// What it adds depends on velocities, or may.
  virtual bool feelsVelocity() const { return false; }
  /// What it adds depends on places, so that it may hold what nothing else does.
  virtual bool feelsPlace() const { return false; }
  /// Its slope, symmetric part and all, is in blocks beside the solver's own values.
  virtual bool slopesBeside() const { return false; }
  /// It tells TermSums::sizes: what it adds may cancel itself.
  virtual bool hasSizes() const { return false; }
  /// As System::keepEnergy: from now on a step of dt [s] from displacements q that keeps energy; 0: no such step.
  virtual void keepEnergy(const VectorX& /*q*/, double /*dt*/) {}
  /// Looks at what is evaluated next. True: its pattern is another one, and it has to be bound again.
  virtual bool look(const VectorX& /*q*/, solve::Level /*level*/) { return false; }
  /// At displacements q and velocities v with dv/dq = rate, 0 in statics.
  virtual void evaluate(const VectorX& q, const VectorX& v, double rate, solve::Level level, TermSums& out) = 0;
  /// Power [W] that it takes, at q and v, from what moves by `mean` and from the medium together.
  virtual double drained(const VectorX& /*q*/, const VectorX& /*v*/, const VectorX& /*mean*/) const { return 0; }

  /// Work [J] that its potentials did on the straight way `move` that ends at q, beyond that of their forces at q.
  virtual double missedWork(const VectorX& /*q*/, const VectorX& /*move*/) { return 0; }

  /// Displacements q are accepted. True: its pattern is another one.
  virtual bool accept(const VectorX& /*q*/) { return false; }
  /// A step was not accepted; q is. True: its pattern is another one.
  virtual bool goBack(const VectorX& /*q*/) { return false; }
  /// What its future depends on, at the accepted displacements q.
  virtual void visit(model::Archive& /*archive*/, const VectorX& /*q*/) {}
};

/// Where obstacles are taken to be: where the prepared step is evaluated, or at its start.
enum class Stand { evaluated, start };

/// A term of surfaces that touch. Its friction is lagged inside a solve (contact/friction.h).
class ContactTerm : public Term {
 public:
  /// Normal damping of the prepared step counts from displacements q, the state at its start.
  virtual void begin(const VectorX& q) = 0;
  virtual bool hasFriction() const = 0;
  /// Takes normal forces and tangent planes of friction from displacements q.
  virtual void lag(const VectorX& q, Stand stand) = 0;
  /// The part of evaluate() that is friction's.
  virtual void evaluateFriction(const VectorX& v, double rate, solve::Level level, solve::Evaluation& out,
                                VectorX& gradient) = 0;
  /// Radii, laws and shares again after live parameters changed; bind() must follow.
  virtual void refresh() = 0;

  /// Largest part of the update dq from q, in (0, 1], in which nothing passes through anything.
  virtual double longestStep(const VectorX& q, const VectorX& dq) = 0;
  /// Why a step from q0 to q1 has to be taken in shorter ones: something passes through something on the straight way.
  virtual std::string passedThrough(const VectorX& q0, const VectorX& q1) = 0;
  /// Why a step from q0 to q1 is not to be accepted: something is pressed through something.
  virtual std::string pressedThrough(const VectorX& q0, const VectorX& q1) = 0;
  /// Deepest at accepted displacements q [m].
  virtual double penetration(const VectorX& q) const = 0;
  /// Largest stiffness of a contact [N/m].
  virtual double stiffest() const = 0;
};

}  // namespace tendril::rods_shells
