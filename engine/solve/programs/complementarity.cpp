// Lemke's method on a full tableau: the artificial variable enters where q is lowest, then always the complement of the
// variable that has just left, until the artificial one leaves.
#include "solve/programs/complementarity.h"

#include <algorithm>
#include <cmath>

namespace tendril::solve {
namespace {

constexpr double tiny = 1e-11;  // smaller entries are not pivots
constexpr double tie = 1e-12;   // ratios this close are equal

}  // namespace

void Complementarity::resize(int size) {
  size_ = size;
  width_ = 2 * size + 2;
  m_.assign(static_cast<std::size_t>(size) * size, 0.0);
  q_.assign(static_cast<std::size_t>(size), 0.0);
}

void Complementarity::pivot(int row, int col) {
  double* from = &at(row, 0);
  const double inverse = 1 / from[col];
  for (int c = 0; c < width_; ++c) from[c] *= inverse;
  from[col] = 1;
  for (int r = 0; r < size_; ++r) {
    double* to = &at(r, 0);
    const double factor = to[col];
    if (r == row || factor == 0) continue;
    for (int c = 0; c < width_; ++c) to[c] -= factor * from[c];
    to[col] = 0;
  }
  basis_[row] = col;
}

/// Row with the lowest ratio; among ties the lexicographically lowest, but the artificial variable's row first.
int Complementarity::leavingRow(int col) {
  int best = -1;
  for (int r = 0; r < size_; ++r) {
    if (at(r, col) <= tiny) continue;
    if (best < 0) {
      best = r;
      continue;
    }
    double difference = at(r, width_ - 1) / at(r, col) - at(best, width_ - 1) / at(best, col);
    if (std::fabs(difference) <= tie) {
      if (basis_[best] == 2 * size_) continue;
      if (basis_[r] == 2 * size_) {
        best = r;
        continue;
      }
      for (int c = 0; c < size_ && std::fabs(difference) <= tie; ++c)
        difference = at(r, c) / at(r, col) - at(best, c) / at(best, col);
    }
    if (difference < 0) best = r;
  }
  return best;
}

bool Complementarity::solve() {
  const int artificial = 2 * size_, right = width_ - 1;
  table_.assign(static_cast<std::size_t>(size_) * width_, 0.0);
  basis_.resize(static_cast<std::size_t>(size_));
  z_.assign(static_cast<std::size_t>(size_), 0.0);
  int lowest = 0;
  double scale = 0;
  for (int r = 0; r < size_; ++r) scale = std::max(scale, std::fabs(q_[r]));
  if (scale == 0) return true;
  for (int r = 0; r < size_; ++r) {
    at(r, r) = 1;
    for (int c = 0; c < size_; ++c) at(r, size_ + c) = -m(r, c);
    at(r, artificial) = -1;
    at(r, right) = q_[r] / scale;
    basis_[r] = r;
    // Among ties the last, as in the lexicographic rule.
    if (q_[r] <= q_[lowest]) lowest = r;
  }
  if (q_[lowest] >= 0) return true;
  int leaving = basis_[lowest];
  pivot(lowest, artificial);
  for (int count = 0; count < 50 * size_ + 50; ++count) {
    const int entering = leaving < size_ ? leaving + size_ : leaving - size_;
    const int row = leavingRow(entering);
    if (row < 0) return false;
    leaving = basis_[row];
    pivot(row, entering);
    if (leaving != artificial) continue;
    for (int r = 0; r < size_; ++r)
      if (basis_[r] >= size_) z_[basis_[r] - size_] = std::max(0.0, scale * at(r, right));
    return true;
  }
  return false;
}

}  // namespace tendril::solve
