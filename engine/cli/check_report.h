// The results of `tendril check` in three forms: lines for people, JSON, and JUnit XML for continuous integration.
#pragma once

#include <string>
#include <vector>

#include "cli/check.h"

namespace tendril::cli {

struct CheckTotals {
  long passed = 0, failed = 0;
  double points = 0, possible = 0;
};
CheckTotals totals(const std::vector<SceneChecks>& scenes);

/// "pass  FILE: TITLE (2 points)", on failure with the time and the values of its probes.
std::string checkText(const std::string& file, const CheckLine& line);
/// Indented by two, with a final newline.
std::string checksJson(const std::vector<SceneChecks>& scenes);
/// A testsuite per scene, a testcase per check. Checks that no run decided, as when a scene does not load or crashes,
/// are errors.
std::string checksJunit(const std::vector<SceneChecks>& scenes);

/// XML text: markup is escaped; control characters and invalid UTF-8, which XML does not allow, are replaced.
std::string xmlEscape(const std::string& text);

}  // namespace tendril::cli
