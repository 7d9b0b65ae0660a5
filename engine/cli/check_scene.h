// One scene of `tendril check`, in the process that it got: builds it, runs it, and says what is decided as it goes.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/check.h"
#include "cli/scene_input.h"

namespace tendril::cli {

/// What is asked of every scene of a call.
struct CheckRequest {
  std::map<std::string, double> overrides;  ///< `--set`; a check's own parameters come before them
  std::vector<std::string> only;            ///< titles; empty: all checks
  double bytes = 0;                         ///< of memory, for the words of its lack; 0: no limit
};

/// What a scene tells, in this order: what is planned (anew where more became known), lines, how it ended.
struct CheckListener {
  std::function<void(const std::vector<PlannedCheck>&)> planned;
  std::function<void(const CheckLine&)> decided;
  std::function<void(const CheckLine&)> ahead;  ///< decided while its run goes on; `decided` follows if the run lives
  std::function<void(const SceneChecks&)> ended;  ///< status, reason, problems and exit code of it
};

/// Titles, points and own parameters of the checks in a scene that need not load, as far as its text tells them. None:
/// it is no JSON.
std::optional<std::vector<PlannedCheck>> planOf(const std::string& sceneText, const CheckRequest& request);

/// Never throws but for `listener`. Warnings and problems go to stderr.
void checkScene(const SceneInput& input, const CheckRequest& request, const CheckListener& listener);

}  // namespace tendril::cli
