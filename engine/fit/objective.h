// What a plan asks for in place of data: a formula of probes and parameters that is to become small, subject to others.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace tendril::formula {
class Formula;
}

namespace tendril::fit {

/// A number of a run that formulas call by name: "tip.z@end", "tip.z@0.5" or "max(tip.z)".
struct ProbeTerm {
  enum class Kind { at, max, min, mean, integral };
  std::string text;  ///< as formulas call it
  int column = 0;    ///< of the simulation's probes
  Kind kind = Kind::at;
  double time = 0;  ///< [s] of `at`
};

/// A formula of terms and parameters.
struct Goal {
  std::string text;                                 ///< as in the plan
  std::string name;                                 ///< for people; the text where the plan gives none
  std::string unit;                                 ///< may be empty
  std::shared_ptr<const formula::Formula> formula;  ///< its columns are the terms
};

/// min <= formula <= max; the same for an equation.
struct Constraint : Goal {
  bool always = false;  ///< one of those that ask for the same after every step
  double min = -std::numeric_limits<double>::infinity(), max = std::numeric_limits<double>::infinity();
};

struct Objective {
  Goal minimize;
  std::vector<Constraint> subject;
  std::vector<ProbeTerm> terms;
  std::vector<int> columns;             ///< of the terms, each once
  std::vector<double> times;            ///< [s] that a run is sampled at, increasing
  std::vector<double> grid;             ///< those of them that max, min, mean and integral see: dt apart
  std::vector<std::string> parameters;  ///< of the scene, as formulas count them
  Eigen::VectorXd values;               ///< of the scene's parameters; those of unknowns are not used
};

}  // namespace tendril::fit
