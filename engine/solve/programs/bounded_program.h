// A small dense quadratic program with bounds, minimize 1/2 x'Sx + g'x with low <= x <= high, for S symmetric and
// positive semidefinite: the multipliers of contacts, with S their mobility. Solved exactly by an active set, even
// where contacts are redundant.
#pragma once

#include <limits>
#include <vector>

namespace tendril::solve {

class BoundedProgram {
 public:
  enum class Outcome {
    solved,
    unbounded,  ///< x may grow without bound along direction(): the constraints whose multipliers x are contradict each
                ///< other
    limit       ///< gave up after many changes of the set
  };

  int size() const { return size_; }
  void clear() { size_ = 0; }
  /// Adds a variable; its row of S is zero and `scale` is what S's diagonal would be without equalities: pivots below
  /// 1e-12 of it count as zero.
  void add(double gradient, double low, double high, double scale);
  /// Sets S(i,j) and S(j,i).
  void setS(int i, int j, double value);
  double s(int i, int j) const { return s_[std::size_t(i) * stride_ + j]; }

  std::vector<double> gradient;  ///< g
  std::vector<double> low, high;
  std::vector<double> x;  ///< the start, clipped to the bounds, and the solution
  /// Contradictions in (Sx + g) smaller than this are tolerated instead of reported.
  double negligible = 0;

  /// Starts from x. After `solved` every variable is free with (Sx + g)_i = 0 to round-off, or rests at a bound that it
  /// pushes against.
  Outcome solve();

  /// (Sx + g)_i.
  double slope(int i) const;
  /// Variable i is strictly between its bounds, or may be: (Sx + g)_i = 0.
  bool free(int i) const { return isFree_[i] != 0; }
  /// After `unbounded`: S d = 0 and g'd < 0.
  const std::vector<double>& direction() const { return direction_; }
  /// Changes of the free set in the last solve.
  int changes() const { return changes_; }

 private:
  double eliminate(int i, std::size_t m, double* row);
  bool append(int i);
  void remove(std::size_t index);
  bool moveToMinimum();
  bool release(int i, bool& unbounded);
  void solveFree(std::vector<double>& rhs) const;
  double largestStep(const std::vector<double>& direction, int& blocking) const;
  void step(double length, int blocking);

  int size_ = 0;
  std::size_t stride_ = 0;
  std::vector<double> s_, scale_;
  std::vector<int> order_;  // free variables, in the order of the factor
  std::vector<char> isFree_, excused_;
  std::vector<double> factor_;     // L D L^T of S on order_, by rows of `stride_`, D on the diagonal
  std::vector<double> products_;   // L D of the current row
  std::vector<double> direction_;  // of the current move, all variables
  std::vector<double> work_;
  int changes_ = 0;
};

}  // namespace tendril::solve
