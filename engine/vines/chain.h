// The growing chain's state in maximal coordinates, q = (x, y, theta) of every body's center from base to tip, with
// pairs that appear and disappear at its tip. Bodies 0, 2, 4 .. are pinned to the one before (body 0 to the base),
// bodies 1, 3, 5 .. slide along the one before: bodies 2i and 2i + 1 are pair i, straight, from pin i to pin i + 1.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "vines/parameters.h"

namespace tendril::vines {

inline Vec2 directionOf(double angle) { return {std::cos(angle), std::sin(angle)}; }

/// A contact that carried a force in the last step, used as the initial guess for the next.
struct CarriedContact {
  std::int32_t pair, obstacle, feature;
  double normal, tangent;  ///< impulses [N s]
};

class Chain {
 public:
  /// Straight along the heading and at rest. Throws std::invalid_argument with parameters().problem().
  explicit Chain(const Parameters& parameters);

  const Parameters& parameters() const { return parameters_; }
  /// Sets parameters that leave the bodies and their lengths unchanged, as live parameters do.
  void setParameters(const Parameters& parameters) { parameters_ = parameters; }

  int bodies() const { return int(q.size() / 3); }
  int pairs() const { return bodies() / 2; }

  Vec2 position(int body) const { return {q[3 * body], q[3 * body + 1]}; }
  double angle(int body) const { return q[3 * body + 2]; }
  Vec2 velocity(int body) const { return {v[3 * body], v[3 * body + 1]}; }
  /// Distance between the two bodies of a pair, along the first [m].
  double reach(int pair) const;
  double pairLength(int pair) const { return reach(pair) + 2 * parameters_.halfLength; }
  /// Start (0 .. pairs) of a pair on the tube's axis; the last is the tip.
  Vec2 node(int i) const;
  Vec2 tip() const { return node(pairs()); }
  Vec2 tipVelocity() const;
  double length() const;
  /// Arc length from the base of pin i, 0 .. pairs - 1.
  double pinPosition(int i) const;
  /// Length of tube represented by pin i [m]: half of each pair that it joins. The base pin has half of the first pair.
  double pinLength(int i) const;
  double bodyMass(int body) const;
  double bodyInertia(int body) const;

  /// Splits the last pair when it is twice its initial length, or removes it when it has nearly vanished. Existing
  /// bodies keep their positions. True: the number of bodies changed.
  bool adaptTip();

  // The complete state: chains with the same vectors continue identically, bit for bit.
  std::vector<double> q, v;    ///< [m, rad], [m/s, rad/s], three numbers a body
  std::vector<char> fed;       ///< of each pair: the last step grew it at the free rate because the load pulls
  std::vector<double> target;  ///< of each pair: reach() that growth has attained [m]
  std::vector<CarriedContact> carried;

 private:
  void splitLast();
  void dropLast();

  Parameters parameters_;
};

}  // namespace tendril::vines
