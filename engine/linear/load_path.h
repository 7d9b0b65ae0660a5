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

struct CriticalLoads {
  std::vector<CriticalFactor> factors;  ///< ascending
  double error = 0;                     ///< of the factors, as a share of them: round-off and truncation of differences
};

/// The `count` lowest, with G in K + f G the slope at no load of the stiffness, n x n, of the equilibrium under f times
/// the loads. That is a difference over as little of the lowest factor as round-off allows. Throws NoEquations;
/// `stiffnessAt` throws NoEquilibrium where there is none.
CriticalLoads criticalLoads(const model::Equations& unloaded, const std::function<Sparse(double)>& stiffnessAt,
                            int count);

}  // namespace tendril::linear
