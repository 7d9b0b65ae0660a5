// The few active contacts, with Coulomb friction on some: multipliers n >= 0 and |t| <= mu n, t opposing the sliding. A
// fixed-point iteration on the bounds of t, Lemke's pivoting where that does not settle, and an exact solve with the
// sticking and sliding states found, which makes the law hold to round-off.
#pragma once

#include <vector>

#include "solve/programs/bounded_program.h"
#include "solve/programs/complementarity.h"

namespace tendril::solve {

class FrictionProgram {
 public:
  enum class State : char { open, free, slidesUp, slidesDown };  ///< free: (Sx + g) = 0; slides: t = +mu n or -mu n

  void clear() { bounded_.clear(), partner_.clear(), coefficient_.clear(); }
  /// A normal multiplier, n >= 0, with its gradient and mobility scale (as BoundedProgram). Returns its number.
  int addNormal(double gradient, double scale);
  /// The friction of a normal added earlier.
  int addTangent(double gradient, double scale, int normal, double coefficient);
  void setS(int i, int j, double value) { bounded_.setS(i, j, value); }

  int size() const { return bounded_.size(); }
  bool isTangent(int i) const { return coefficient_[i] >= 0; }
  double& x(int i) { return bounded_.x[i]; }
  double x(int i) const { return bounded_.x[i]; }
  double& gradient(int i) { return bounded_.gradient[i]; }
  double slope(int i) const { return bounded_.slope(i); }
  State state(int i) const { return state_[i]; }
  const std::vector<double>& direction() const { return bounded_.direction(); }

  /// Starts from x. One round solves with the bounds given by x. `settled()` returns whether friction obeys its law; if
  /// not, the bounds are those that came closest.
  BoundedProgram::Outcome solve(int mostRounds);
  /// Solves again after small changes of the gradient, with the same states. False: they no longer hold.
  bool resolve();
  bool settled() const { return settled_; }
  /// Largest violation of |t| <= mu n, and of |t| = mu n where a contact slides, relative to the largest bound.
  double coulombError() const;

  double negligible = 0;  ///< as BoundedProgram

 private:
  void readStates();
  bool polish();
  bool lemke();
  bool eliminate(int unknowns);
  bool obeysLaw() const;
  double noise(int i) const;

  BoundedProgram bounded_;
  std::vector<int> partner_;         // of a normal: its tangent or -1; of a tangent: its normal
  std::vector<double> coefficient_;  // of a tangent; -1: a normal
  std::vector<State> state_, lastStates_;
  bool settled_ = true;
  Complementarity lemke_;
  std::vector<int> unknown_, pivotCol_;
  std::vector<double> matrix_, kept_, best_;
};

}  // namespace tendril::solve
