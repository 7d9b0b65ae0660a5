// `tendril check`: runs scenes and evaluates their checks, each scene in a process of its own. Whatever becomes of a
// scene, each of its checks gets a line, with its points.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "simulation/simulation.h"

namespace tendril::cli {

/// A check that is to be decided, as far as it is known before the run.
struct PlannedCheck {
  int index = 0;  ///< of the scene's checks
  std::string title;
  double points = 1;
  std::map<std::string, double> with;  ///< parameters of its own
  bool wanted = true;                  ///< by `--only`
};

/// One check of one scene, or what stands for a scene without checks: that it loads, that it runs to its end.
struct CheckLine {
  int index = -1;  ///< of the scene's checks; -1: none of them
  CheckResult result;
  std::map<std::string, double> with;  ///< parameters of the run it was evaluated in
  std::string reason;                  ///< where it failed without being decided: why
  bool error = false;                  ///< it does not load or crashed: no run decided anything
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
