// `tendril check`: runs scenes and evaluates their checks, each scene in its own process. Whatever happens to a scene,
// each of its checks gets a line, with its points.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "tendril/simulation.h"

namespace tendril::cli {

/// A check to be decided, as known before the run.
struct PlannedCheck {
  int index = 0;  ///< among the scene's checks
  std::string title;
  double points = 1;
  std::map<std::string, double> with;  ///< its own parameters
  bool wanted = true;                  ///< selected by `--only`
};

/// One check of one scene, or a substitute for a scene without checks: that it loads and runs to its end.
struct CheckLine {
  int index = -1;  ///< among the scene's checks; -1: none of them
  CheckResult result;
  std::map<std::string, double> with;  ///< parameters of the run it was evaluated in
  std::string reason;                  ///< for a check that failed without being decided: why
  bool error = false;                  ///< the scene does not load or crashed: no run decided anything
};

struct SceneChecks {
  std::string file;
  /// "done", "gave up", "bad scene", "crashed", "out of time", "stopped" or "not run".
  std::string status = "not run";
  std::string reason;                 ///< why it is not done
  std::vector<std::string> problems;  ///< of a bad scene, as printed
  std::vector<PlannedCheck> planned;
  std::vector<CheckLine> lines;
  double wallSeconds = 0;
  int exitCode = 0;
};

int checkCommand(const Arguments& arguments);

}  // namespace tendril::cli
