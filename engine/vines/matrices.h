// A vine as it stands, as dense matrices by (x, y, theta) of its bodies: what acts, and how that changes with places
// and rates.
#pragma once

#include "vines/step/chain_system.h"

namespace tendril::vines {

using MatrixX = Eigen::MatrixXd;

struct Matrices {
  VectorX mass;                 ///< n: of the bodies, [kg] and [kg m^2]
  VectorX forces;               ///< n: what acts, joints and growth aside [N], [N m]
  MatrixX stiffness, damping;   ///< n x n: minus the derivatives of that by places and rates
  MatrixX heldStiff, heldDamp;  ///< the parts of these that the program of a step holds
};

/// Of the chain under `actuation`, whose growth is left out.
Matrices matricesOf(const Chain& chain, const Actuation& actuation);

}  // namespace tendril::vines
