// The result of a run, as summary.json and as text for people.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/drive.h"

namespace tendril::cli {

struct Summary {
  std::string file, title;  ///< scene file as given, scene title
  Outcome outcome;
  bool isStatic = false;
  double startTime = 0, time = 0;  ///< [s]
  int degreesOfFreedom = 0;
  std::vector<std::pair<std::string, double>> parameters;
  std::vector<std::pair<std::string, double>> probes;  ///< flat names, states after the probes, at the end
  std::vector<CheckResult> checks;                     ///< decided by the end
  int openChecks = 0;                                  ///< of this run, whose time was not reached
  int otherChecks = 0;                                 ///< that need their own parameters
  std::vector<std::string> warnings;                   ///< of the scene, then of the run
  double maxPenetration = 0;                           ///< [m]
  std::optional<EnergyBalance> energy;                 ///< [J] of a motion
  std::string sceneHash;                               ///< SHA-256 of the scene text

  /// Adds values that are not finite to `warnings`: JSON lacks such numbers, and they are written as null.
  void warnOfNonFinite();
  /// A result is missing for `reason`: a finished run counts as stopped.
  void couldNotWrite(const std::string& reason);
  std::string json() const;  ///< indented by two, with a final newline
  std::string human() const;
};

/// "tip.x = 0.1, tip.z = -0.03".
std::string valuesText(const std::map<std::string, double>& values);

}  // namespace tendril::cli
