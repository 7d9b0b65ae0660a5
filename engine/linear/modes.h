// Small vibrations about an equilibrium, and the loads at which it loses its stability.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "linear/blocks_of.h"

namespace tendril::linear {

struct Mode {
  double square = 0;      ///< eigenvalue of K x = square M x [1/s^2]; negative: it grows
  double growth = 0;      ///< [1/s] of what grows, damping included; else 0
  bool rigid = false;     ///< its square is round-off: nothing resists it, or what does is hidden
  double rounded = 0;     ///< up to there a square of this shape is round-off [1/s^2]
  double damping = 0;     ///< damping ratio, above 1 where it does not swing; 0 for rigid motions and growing ones
  bool estimate = false;  ///< damping couples it with others: its ratio is that of the undamped shape
  VectorX shape;          ///< n: its largest unknown, by Equations::reach, moves by its reach, positively
};

struct ModeList {
  std::vector<Mode> modes;  ///< by square, ascending
  int freedoms = 0;         ///< how many there are in all: motions with mass
};

/// The lowest `count`. An inertia count has shown that none below the last is missing. Throws NoEquations: no mass, an
/// unsymmetric stiffness (`why` names what makes it so), damping that turns the motion, or a state that is no
/// equilibrium (`drives` says what may keep it from being one).
ModeList modes(const model::Equations& of, int count, const std::string& why, const std::string& drives);

struct CriticalFactor {
  double factor = 0;  ///< times the loads
  double error = 0;   ///< up to which it is uncertain, as a share of it; by criticalLoads()
  VectorX shape;      ///< n, as Mode::shape
};

/// Factors f > 0, ascending, at which K + f G is singular: `slope` is G, n x n, how stiffness changes with the loads.
/// Above 1 / `least` they are round-off. An inertia count has shown that none is missing. Throws NoEquations.
std::vector<CriticalFactor> criticalFactors(const model::Equations& unloaded, const Sparse& slope, double least,
                                            int count);

/// A change of stiffness, n x n, as shares of the unloaded stiffness: by how much a factor of this shape may be off for
/// it, whichever motions it couples the shape with, and its largest share in any motion, with that.
double shareFor(const model::Equations& unloaded, const Sparse& change, const VectorX& shape);
struct LargestShare {
  double share = 0;
  VectorX shape;  ///< n
};
LargestShare largestShare(const model::Equations& unloaded, const Sparse& change);

}  // namespace tendril::linear
