// State of every body for result files.
#pragma once

#include "discrete/model.h"
#include "simulation/simulation.h"

namespace tendril {

std::vector<Simulation::BodyState> bodyStates(DiscreteModel& model, const Scene& scene);

}  // namespace tendril
