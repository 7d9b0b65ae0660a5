// A fit of a plan: from each of its starts to a minimum, and what the best of these says.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fit/least_squares.h"
#include "fit/plan.h"
#include "fit/plan_residuals.h"
#include "fit/sqp.h"
#include "fit/uncertainty.h"

namespace tendril::fit {

/// One start and where it led.
struct StartResult {
  Eigen::VectorXd from, z;  ///< positions of the unknowns
  double cost = 0;          ///< of objectives their value; NaN: not known
  Stop stop = Stop::noStart;
  int iterations = 0, trials = 0, gaveUp = 0;
  std::string reason;  ///< of the last run that gave up
  // Of plans with an objective:
  std::vector<SqpPoint> history;
  SqpScales scales;

  bool allowed() const;  ///< it ended where no constraint is violated
};

struct FitProgress {
  int start = 0;  ///< from 0
  LeastSquaresState state;
  double violation = 0;  ///< of plans with an objective
};

/// What an objective is at the best.
struct Optimum {
  ObjectiveValues values;            ///< derivatives by positions
  Eigen::VectorXd terms;             ///< of the objective's
  Optimality optimality;             ///< in positions
  std::vector<bool> active;          ///< constraints that hold the best where it is, or are violated; others have no
                                     ///< multiplier
  Eigen::VectorXd boundMultipliers;  ///< of bounds in their own units
};

struct FitResult;

struct FitOptions {
  std::vector<StartResult> before;  ///< of an earlier call: those that are over are kept, those that were stopped go on
  ForEach forEach = oneByOne;       ///< over starts
  /// False stops all starts with the best so far. Asked from the threads of forEach.
  std::function<bool(const FitProgress&)> goOn;
  /// Called once, before the best is judged, which takes more runs: with the starts and `best` alone.
  std::function<void(const FitResult&)> onSearched;
};

struct FitResult {
  std::vector<StartResult> starts;  ///< as far as they were begun
  int best = -1;                    ///< among them; -1: no run from any start came to its end
  bool stopped = false;
  Eigen::VectorXd values;                  ///< of the unknowns at the best
  std::optional<Uncertainty> uncertainty;  ///< each in its position; nothing where there is no Jacobian
  Eigen::VectorXd standardErrors;          ///< of the values; of logarithmic unknowns value times that of the logarithm
  std::vector<bool> atBound;               ///< held by a bound
  std::vector<Eigen::MatrixXd> predictions;  ///< of each experiment
  std::vector<double> offPlane;              ///< per experiment: as of PlanResiduals [m]
  std::optional<Optimum> optimum;            ///< of plans with an objective
  std::vector<std::string> doubts;           ///< of the derivatives at the best, in words
};

/// Position from which start `index` begins: the plan's values first, then points that fill the bounds evenly.
Eigen::VectorXd startOf(const Plan& plan, const PlanResiduals& residuals, int index);

/// A source of runs for one thread.
using RunSources = std::function<std::unique_ptr<RunSource>()>;

/// Each start is a search of its own, so that what it finds does not depend on the others or on forEach.
FitResult fitPlan(const Plan& plan, const RunSources& sources, const FitOptions& options = {});

}  // namespace tendril::fit
