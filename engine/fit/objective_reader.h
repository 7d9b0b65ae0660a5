// The part of a plan that says what is to become small.
#pragma once

#include <vector>

#include "fit/plan.h"
#include "fit/plan_text.h"
#include "tendril/simulation.h"

namespace tendril::fit {

/// Reads "minimize" and "subject" of the plan's root into the plan, whose scene and unknowns are known.
void readObjective(PlanText& plan, const text::Value& root, const std::vector<ParameterInfo>& parameters, Plan& out);

}  // namespace tendril::fit
