// `tendril check`: runs scenes and evaluates their checks, each group with parameters of its own in a run of its own.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "simulation/simulation.h"

namespace tendril::cli {

/// One check of one scene, or a run without checks that gave up.
struct CheckLine {
  CheckResult result;
  std::map<std::string, double> with;  ///< parameters of the run it was evaluated in
  std::string reason;                  ///< where it failed without being decided: why
};

struct SceneChecks {
  std::string file;
  std::string status;                 ///< "done", "gave up", "bad scene" or "stopped"
  std::vector<std::string> problems;  ///< of a bad scene, as printed
  std::vector<CheckLine> lines;
  double wallSeconds = 0;
  int exitCode = 0;
};

int checkCommand(const Arguments& arguments);

}  // namespace tendril::cli
