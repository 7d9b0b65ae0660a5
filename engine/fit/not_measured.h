// Which unknowns no measurement can tell, because they are choices of the method and not of what is measured.
#pragma once

#include <string>
#include <vector>

#include "fit/plan.h"

namespace tendril::fit {

/// Why each of these cannot be fitted; empty where it can. Parameters that the solver's steps depend on within their
/// bounds (`dt`, `duration`), and those that set how many there are of something (`segments`, `repeat`).
std::vector<std::string> notMeasured(const std::string& sceneText, const std::vector<Unknown>& unknowns);

}  // namespace tendril::fit
