// Equations of motion as x' = A x + B u + drift, and what the unknowns do by x and u.
//
// One rule for all models. The motions y that loops allow are divided: those with mass have a place and a rate as
// states; those without mass but with damping have a place; those with neither follow at once, where their forces
// balance, and are eliminated.
#pragma once

#include <string>
#include <vector>

#include "linear/blocks_of.h"

namespace tendril::linear {

struct StateSpace {
  std::vector<std::string> states;  ///< s: places of motions with mass, their rates, places of damped ones without
  std::vector<std::string> units;   ///< "m", "rad" or "1"; of rates the same per second
  Sparse A, B;                      ///< s x s, s x inputs
  VectorX drift;                    ///< s: x' of the state itself
  VectorX reach;                    ///< s: a change that is large, as Equations::reach; of rates per second of `pace`
  /// Displacements, rates and accelerations of the n unknowns by x, and by u; what they are themselves aside.
  Sparse moves, rates, accelerations, movesByInput, ratesByInput, accelerationsByInput;
};

/// `actuation`: n x inputs. `pace` [s]: the time in which rates are large that move by `reach`. Throws NoEquations.
StateSpace stateSpace(const model::Equations& of, const Sparse& actuation, double pace);

}  // namespace tendril::linear
