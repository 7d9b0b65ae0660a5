// What reports say of a plan with an objective.
#pragma once

#include <string>

#include "cli/fit_json.h"

namespace tendril::cli {

/// Of report.html: values, objective and constraints with their multipliers, and how the search went.
std::string objectiveSection(const FitRecord& record);

/// The same in a few lines.
std::string objectiveSummary(const FitRecord& record);

}  // namespace tendril::cli
