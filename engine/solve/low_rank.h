// The earlier name of the tangent solver.
#pragma once

#include "solve/tangent_solver.h"

namespace tendril::solve {

using LowRankSolver = TangentSolver;

}  // namespace tendril::solve
