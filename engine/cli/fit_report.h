// report.html: a fit for people, in one file that needs nothing else.
#pragma once

#include <string>

#include "cli/fit_json.h"

namespace tendril::cli {

std::string fitReport(const FitRecord& record);

/// The same in a few lines, for a terminal.
std::string fitSummary(const FitRecord& record);

}  // namespace tendril::cli
