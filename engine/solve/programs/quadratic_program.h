// Quadratic programs whose equalities are cheap to solve and whose inequalities are many but seldom active, like
// contacts of a chain: a dual active set that adds violated rows one by one, friction on top of it, and an interior
// point on the same factor where the active set gives up.
#pragma once

#include <span>
#include <vector>

#include "solve/programs/friction_program.h"

namespace tendril::solve {

/// Sparse rows, one after another.
class SparseRows {
 public:
  void clear() { start_.resize(1), index_.clear(), value_.clear(); }
  int count() const { return int(start_.size()) - 1; }
  void add(std::span<const int> index, std::span<const double> value);
  std::span<const int> indices(int row) const { return {index_.data() + start_[row], index_.data() + start_[row + 1]}; }
  std::span<const double> values(int row) const {
    return {value_.data() + start_[row], value_.data() + start_[row + 1]};
  }
  /// l_row . x
  double dot(int row, std::span<const double> x) const;
  /// sum |l_row,j x_j|
  double magnitude(int row, std::span<const double> x) const;
  /// y += factor l_row^T
  void scatter(int row, double factor, std::span<double> y) const;

 private:
  std::vector<int> start_ = {0};
  std::vector<int> index_;
  std::vector<double> value_;
};

/// The equality-constrained part, K = [[H, A^T], [A, -D]] with H positive definite on the null space of A and D >= 0,
/// in any order of unknowns. x = (v, -y) with y the multipliers of A v + D y = b.
class EqualitySystem {
 public:
  virtual ~EqualitySystem() = default;
  virtual int size() const = 0;
  /// x = K^-1 rhs, with `refine` steps of iterative refinement; in place only if `refine` is 0.
  virtual void solve(std::span<const double> rhs, std::span<double> x, int refine) = 0;
  /// max_i |rhs - K x|_i / (|rhs| + |K| |x|)_i (Oettli and Prager 1964).
  virtual double backwardError(std::span<const double> rhs, std::span<const double> x) const = 0;
  /// Factors K + sum_i weight_i l_i^T l_i for later solves; empty: K alone. False: not finite.
  virtual bool weigh(const SparseRows& rows, std::span<const double> weights) = 0;
};

/// minimize 1/2 v'Hv - f'v subject to A v = b and l_i . v >= bound_i, where row i may carry Coulomb friction.
struct QuadraticProblem {
  EqualitySystem* system = nullptr;  ///< factored
  std::span<const double> rhs;       ///< f and b in the order of the system's unknowns
  const SparseRows* rows = nullptr;  ///< l_i, on unknowns v only
  std::span<const double> bound;
  /// l_i H^-1 l_i^T without equalities, of normals: mobilities far below it count as zero.
  std::span<const double> mobility;
  std::span<const double> start;  ///< multipliers of the last step, zero where unknown; empty: all zero
  /// Friction: rows t_i (empty where coefficient[i] is 0), and the speed t_i . v at which the contact sticks.
  const SparseRows* tangents = nullptr;
  std::span<const double> coefficient;
  std::span<const double> rest;
  std::span<const double> tangentMobility, tangentStart;
};

struct QuadraticSettings {
  enum class Method { automatic, activeSet, interiorPoint } method = Method::automatic;
  /// Violations of l_i . v >= bound_i, in its unit, that are ignored when rows contradict each other.
  double negligible = 0;
  int mostActive = 120;  ///< rows in the active set before the interior point takes over
  int mostFrictionRounds = 40;
};

struct QuadraticReport {
  enum class Status {
    solved,
    infeasible,         ///< no v satisfies all rows: `row`, some others and the equalities contradict each other
    frictionUnsettled,  ///< rows are satisfied, but no sticking and sliding states were found that obey Coulomb's law
    failed              ///< neither method reached the tolerance
  } status = Status::solved;
  int row = -1;              ///< the offending row
  double infeasibility = 0;  ///< how much it is violated, in its unit
  double residual = 0;       ///< backward error of stationarity and equalities, scaled error of rows; the worst
  double frictionError = 0;  ///< largest violation of |t| <= mu n and of the direction of sliding, relative
  int active = 0;            ///< rows with a positive multiplier
  int solves = 0;            ///< back-substitutions
  bool interiorPoint = false;
};

/// Keeps its memory: no allocation once warm.
class QuadraticProgram {
 public:
  QuadraticReport solve(const QuadraticProblem& problem, const QuadraticSettings& settings = {});

  /// v and -y in the order of the system's unknowns.
  const std::vector<double>& solution() const { return x_; }
  /// Of each row, >= 0.
  const std::vector<double>& multipliers() const { return multiplier_; }
  /// Of each row's friction; positive acts along t_i.
  const std::vector<double>& tangentMultipliers() const { return tangentMultiplier_; }

 private:
  struct Member {
    int row;
    bool tangent;
  };

  bool frictional(int row) const { return problem_->tangents && problem_->coefficient[row] > 0; }
  double memberDot(const Member& m, std::span<const double> x) const;
  double memberTarget(const Member& m) const;
  void memberScatter(const Member& m, double factor, std::span<double> y) const;
  void begin(const QuadraticProblem& problem);
  void takeUp(int row);
  int addMember(int row, bool tangent, int normal);
  void updateUnknowns();
  int mostViolated(double* violation) const;
  void correct();
  bool activeSet(const QuadraticSettings& settings);
  double interiorStep();
  bool interiorPoint();
  void finish(const QuadraticSettings& settings);

  const QuadraticProblem* problem_ = nullptr;
  QuadraticReport report_;
  std::vector<double> free_;  // solution without inequalities
  std::vector<double> x_, rhs_, work_;
  std::vector<double> influence_;  // K^-1 l^T of each member, one after another
  std::vector<Member> members_;
  std::vector<int> memberOf_;  // of each row, or -1
  FrictionProgram small_;      // the members' multipliers, in their order
  std::vector<double> multiplier_, tangentMultiplier_;
  std::vector<double> slack_, weight_, slackStep_, multiplierStep_, correction_, guess_;  // of the interior point
};

}  // namespace tendril::solve
