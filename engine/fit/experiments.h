// The part of a plan that says what was measured: runs, their data, and what of it is held back.
#pragma once

#include "fit/plan.h"
#include "fit/plan_text.h"

namespace tendril::fit {

/// Reads "experiments" into the plan, whose scene and unknowns are known. Names of delays and offsets must be among
/// the unknowns that are not parameters.
void readExperiments(PlanText& plan, const text::Value& list, const Files& files, Plan& out);

/// Reads "hold": numbers of experiments, or rows of one by their times or numbers.
void readHold(PlanText& plan, const text::Value& list, Plan& out);

/// Numbers that are fitted to: neither gaps nor held back.
long dataCount(const Plan& plan);

}  // namespace tendril::fit
