// Numbers of a plan that are given, or unknowns of its own: delays and offsets of columns, numbers of frames.
#pragma once

#include <string>

#include "fit/plan.h"
#include "fit/plan_text.h"

namespace tendril::fit {

/// The plan's unknown of this name, or null.
const Unknown* unknownOf(const Plan& plan, const std::string& name);

/// A number, or the name of an unknown that is no parameter of the scene. `what`: "delay", for people.
Term readTerm(PlanText& text, const text::Value& value, const std::string& what, const Plan& plan);

}  // namespace tendril::fit
