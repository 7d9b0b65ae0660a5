// The joints of a vine whose growth rests, as rows that stay zero: pins, slides, equal angles and lengths.
#pragma once

#include <vector>

#include "vines/matrices.h"

namespace tendril::vines {

/// m x n: derivatives of the rows, pair by pair: two of the pin, slide, angles, length.
MatrixX jointRows(const Chain& chain);

/// m x n: how these change along `rates`.
MatrixX turnedRows(const Chain& chain, const VectorX& rates);
/// m x n: how that changes by places, both times along `rates`.
MatrixX twiceTurnedRows(const Chain& chain, const VectorX& rates);
/// n x n: second derivatives of the rows, by their multipliers.
MatrixX bentRows(const Chain& chain, const VectorX& multipliers);

/// Accelerations under forces, m a = f + J^T l, that keep the rows zero, and the multipliers l [N], [N m].
struct Balance {
  VectorX acceleration, multipliers;
};
Balance balanceOf(const Chain& chain, const Matrices& matrices);

/// Which unknowns are free to choose, so that the rows give the others.
class Joints {
 public:
  /// Of the chain as it stands.
  explicit Joints(const Chain& chain);

  /// n x r: motions that joints allow, by columns; each moves one free unknown by 1, and none of the others.
  const MatrixX& motions() const { return motions_; }
  const std::vector<int>& free() const { return free_; }  ///< of each motion
  /// What unknowns that are not free have to do, the others nothing, so that rows of a chain near this one change by
  /// `change`, one per column.
  MatrixX following(const MatrixX& change, const Chain& chain) const;
  /// Moves what is not free until the rows are zero. False: the chain is too far from this one.
  bool close(Chain& chain) const;

 private:
  MatrixX motions_;
  std::vector<int> free_, dependent_;
};

}  // namespace tendril::vines
