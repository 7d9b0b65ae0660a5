// Newton's method: line search on the incremental potential where there is one and on the residual elsewhere, shifts
// against negative pivots, and the stopping rule of docs/solver.md.
#pragma once

#include <functional>
#include <string>

#include "solve/mechanical_system.h"

namespace tendril::solve {

struct NewtonSettings {
  double tolerance = 1e-8;  ///< relative (docs/solver.md)
  int iterations = 50;
  bool lineSearch = true;
  /// Whether a solve needs the signs of the pivots, as in statics, which looks for instability. If not, an iteration
  /// may be solved without factoring where that is faster (MechanicalSystem::approximate).
  bool pivots = true;
  /// In statics: nonconservative loads do not influence the path of the search. Negative pivots are shifted away, and
  /// the search uses the energy plus the work of these loads along the path. If false, the residual decides too.
  bool steered = false;
  std::function<bool()> keepGoing;  ///< called once per iteration; may be empty
};

struct NewtonReport {
  bool converged = false;
  bool stopped = false;    ///< keepGoing returned false
  int iterations = 0;      ///< linear solves with their updates
  std::string reason;      ///< why it did not converge, in words for the user
  int negativePivots = 0;  ///< of the last unshifted tangent that was factored
  int nullPivots = 0;      ///< of that tangent: unknowns that nothing restrained and that the update left unchanged
  double lowestPivotRatio = 1;  ///< of that tangent
  bool beyondDigits = false;    ///< no convergence, because the stiffness exceeds double precision: see reason
  bool pushed = false;          ///< a tangent in statics drove a motion, by more than round-off
  bool elsewhere = false;       ///< converged, but the system's last evaluation was of another state: see reevaluate()
};

/// v = rates.v (x - base) + v0, a = rates.a (x - base) + a0: the form of an integrator within a step. Differences from
/// `base` (the accepted state) keep the digits that 1 / dt^2 would cancel.
struct Kinematics {
  Rates rates;
  VectorX base, v0, a0;
};

class Newton {
 public:
  /// Solves r(x) = 0 from the guess in x. On failure x is the last iterate.
  NewtonReport solve(MechanicalSystem& system, const Kinematics& kinematics, const NewtonSettings& settings,
                     VectorX& x);
  /// Evaluates the system at x once more, for what it keeps from its last evaluation.
  void reevaluate(MechanicalSystem& system, const Kinematics& kinematics, const VectorX& x) {
    evaluate(system, kinematics, x, Level::residual);
  }

 private:
  Evaluation evaluate(MechanicalSystem& system, const Kinematics& kinematics, const VectorX& x, Level level);
  bool direction(MechanicalSystem& system, const Kinematics& k, bool conservative, VectorX& x, NewtonReport& report);
  int toShift(MechanicalSystem& system, const Factorization& f) const;
  bool approximation(MechanicalSystem& system, bool conservative);
  bool boldStep(MechanicalSystem& system, const Kinematics& k, VectorX& x);
  bool lineSearch(MechanicalSystem& system, const Kinematics& kinematics, const NewtonSettings& settings, VectorX& x);
  bool resumeBeforeTrial(MechanicalSystem& system, const Kinematics& kinematics, const NewtonSettings& settings,
                         VectorX& x);

  bool begin(MechanicalSystem& system, const Kinematics& k, const NewtonSettings& settings, const VectorX& x,
             NewtonReport& report);
  void linearize(MechanicalSystem& system, const Kinematics& k, const VectorX& x);
  bool isSolved(const MechanicalSystem& system, const NewtonSettings& settings, const VectorX& x,
                const NewtonReport& report);
  bool mayGoOn(const MechanicalSystem& system, const Kinematics& k, const NewtonSettings& settings, const VectorX& x,
               NewtonReport& report);
  bool endsWithUpdate(MechanicalSystem& system, const Kinematics& k, const NewtonSettings& settings, VectorX& x,
                      NewtonReport& report);
  void takeUpdate(MechanicalSystem& system, VectorX& x);
  bool recover(MechanicalSystem& system, const Kinematics& k, VectorX& x, NewtonReport& report);
  bool solvesEverything(const MechanicalSystem& system, double tolerance, const NewtonReport& report);
  double doubt(const MechanicalSystem& system) const;
  int updatesFor(double doubt) const;
  bool roundedNegative(const MechanicalSystem& system, const NewtonReport& report) const;
  void giveUp(const MechanicalSystem& system, std::string reason, NewtonReport& report) const;

  /// Start of a search, which it must improve.
  struct Merit {
    Evaluation at;
    double norm = 0;   // of the residual
    double slope = 0;  // of the potential along the update
    double work = 0;   // of nonconservative forces along the update, as if they were constant
  };
  double workAlongStep() const;
  double workTo(MechanicalSystem& system, double alpha) const;
  bool descends(const Merit& from, Evaluation there, double norm, double alpha, bool shortened) const;

  VectorX r_, dx_, rest_, trial_, v_, a_, moves_;
  VectorX applied_;  // nonconservative part of the residual, at x
  Evaluation here_;
  double norm_ = 0;  // of r_ at x
  int trials_ = 0;   // trial updates since anchor_; -1: no more in this solve
  Merit anchor_;
  VectorX anchorX_, anchorStep_;
  double shift_ = 0;          // last shift that made the tangent definite
  bool moving_ = false;       // a dynamic solve
  bool full_ = false;         // the last update was a full Newton step, unshifted
  bool bold_ = false;         // the last direction was accepted at once by boldStep
  bool shifted_ = false;      // dx_ came from a shifted tangent
  bool steered_ = false;      // from the settings
  double passed_ = 0;         // work of nonconservative forces, from anchor_ to x
  bool haveTangent_ = false;  // the tangent belongs to x
  double contraction_ = -1;   // last |r_k+1| / |r_k|^2, predicts which evaluation needs no tangent
  bool contracted_ = false;   // it was measured in this solve
  bool pivots_ = true;        // from the settings
  double target_ = 0;         // residual norm that ends the loop
  // Where the residual is small compared to the largest force, but perhaps not to the forces on something small or
  // soft:
  bool even_ = false;      // whether this holds at x
  double left_ = 0;        // remaining error over its allowance; at most 1 when solved
  double update_ = 0;      // size [m] of the last update
  int smallUpdates_ = 0;   // consecutive updates small enough to end the solve
  int rebases_ = 0;        // of the chart in this solve
  int stalled_ = 0;        // iterations that reduced left_ too little
  double plainDoubt_ = 0;  // doubt() of the last static update without a shift
};

}  // namespace tendril::solve
