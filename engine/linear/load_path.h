// The factors of its loads at which a structure becomes unstable, by how its stiffness changes as they come on.
#pragma once

#include <functional>
#include <vector>

#include "linear/modes.h"

namespace tendril::linear {

/// There is none under so much of the loads.
class NoEquilibrium : public model::NoEquations {
 public:
  using NoEquations::NoEquations;
};

/// Share of the stiffness up to which what is loaded stays as it is.
constexpr double straight = 0.02;

struct CriticalLoads {
  std::vector<CriticalFactor> factors;  ///< ascending
  double error = 0;                     ///< of the factors, as a share of them: round-off and truncation of differences
  double looked = 0;  ///< times the loads, where stiffness was compared with what its slope foretells; 0: nowhere
  double bends = 0;   ///< by what share of it that departs; with factors, by how much of the first that is
};

/// The `count` lowest, with G in K + f G the slope at no load of the stiffness, n x n, of the equilibrium under f times
/// the loads. That is a difference over as little of the lowest factor as round-off allows. What the loads bend changes
/// its stiffness in another way than in proportion to them, and then factors mean nothing: at half of the first one, or
/// where the loads weigh as much as what resists them, the stiffness is compared with K + f G. Throws NoEquations;
/// `stiffnessAt` throws NoEquilibrium where there is none.
CriticalLoads criticalLoads(const model::Equations& unloaded, const std::function<Sparse(double)>& stiffnessAt,
                            int count);

}  // namespace tendril::linear
