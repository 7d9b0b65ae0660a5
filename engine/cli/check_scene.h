// One scene of `tendril check`, in its own process: builds it, runs it, and reports what is decided as it runs.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/check.h"
#include "cli/scene_input.h"

namespace tendril::cli {

/// The options that apply to every scene of a call.
struct CheckRequest {
  std::map<std::string, double> overrides;  ///< `--set`; a check's own parameters override them
  std::vector<std::string> only;            ///< titles; empty: all checks
  double bytes = 0;                         ///< limit on memory, for the message if it runs out; 0: no limit
};

/// Events of a scene, in this order: what is planned (again if more became known), lines, the ending.
struct CheckListener {
  std::function<void(const std::vector<PlannedCheck>&)> planned;
  std::function<void(const CheckLine&)> decided;
  std::function<void(const CheckLine&)> ahead;    ///< decided during its run; `decided` follows if the run survives
  std::function<void(const SceneChecks&)> ended;  ///< its status, reason, problems and exit code
};

/// Titles, points and own parameters of the checks in a scene that need not load, as far as its text contains them.
/// Empty: it is not JSON.
std::optional<std::vector<PlannedCheck>> planOf(const std::string& sceneText, const CheckRequest& request);

/// Throws only what `listener` throws. Warnings and problems go to stderr.
void checkScene(const SceneInput& input, const CheckRequest& request, const CheckListener& listener);

}  // namespace tendril::cli
