// How the LDL^T solvers treat a pivot: count it, compare it to its original diagonal, and invert it. Shared so that
// band and sparse treat null modes alike.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "solve/linear_solver.h"

namespace tendril::solve {

class PivotRule {
 public:
  /// `largest` is max |a_jj| of the shifted matrix; diagonal entries far below it count as zero.
  explicit PivotRule(double largest) : floor_(std::max(1e-28 * largest, 1e-290)) {}

  /// 1 / pivot, or 0 for a null pivot: an infinite pivot, which makes this component of the solution exactly zero.
  /// `diagonal` is the shifted a_jj before elimination.
  double invert(double pivot, double diagonal) {
    const double reference = std::max(std::fabs(diagonal), floor_);
    const double size = std::fabs(pivot);
    lowest_ = std::min(lowest_, pivot / reference);
    if (!(size <= std::numeric_limits<double>::max())) finite_ = false;
    if (size <= 1e-13 * reference) {
      ++null_;
      return 0;
    }
    if (pivot < 0) ++negative_;
    return 1 / pivot;
  }

  /// Every entry of the factor reaches a later pivot, so finite pivots mean a finite factor.
  Factorization outcome() const {
    return {finite_, negative_, null_, lowest_ == std::numeric_limits<double>::infinity() ? 1 : lowest_};
  }

 private:
  double floor_;
  double lowest_ = std::numeric_limits<double>::infinity();
  int negative_ = 0;
  int null_ = 0;
  bool finite_ = true;
};

/// Fills diagonal[p] = a + shift * weight for the unknown unknownAt(p), with a = entryAt(p); without weights the shift
/// is relative to the mean |a|. Returns max |diagonal|.
template <class EntryAt, class UnknownAt>
double shiftDiagonal(double shift, std::span<const double> weights, std::span<double> diagonal, EntryAt entryAt,
                     UnknownAt unknownAt) {
  const int size = int(diagonal.size());
  double sum = 0;
  for (int p = 0; p < size; ++p) {
    diagonal[p] = entryAt(p);
    sum += std::fabs(diagonal[p]);
  }
  const double uniform = size > 0 ? shift * (sum / size) : 0;
  double largest = 0;
  for (int p = 0; p < size; ++p) {
    if (shift != 0) diagonal[p] += weights.empty() ? uniform : shift * weights[unknownAt(p)];
    largest = std::max(largest, std::fabs(diagonal[p]));
  }
  return largest;
}

}  // namespace tendril::solve
