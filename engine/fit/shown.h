// What a column of data shows of a run: its probe as it is, or the point of the probe as the experiment's frame sees
// it.
#pragma once

#include <Eigen/Core>
#include <string>

#include "fit/plan.h"

namespace tendril::fit {

struct Shown {
  std::string problem;        ///< why nothing is seen; the rest is then undefined
  double value = 0;           ///< with the offset
  Eigen::VectorXd byProbes;   ///< d value / d probes: one, or the three of a point
  Eigen::VectorXd byNumbers;  ///< d value / d numbers of the frame
};

/// `probes`: values of the simulation's columns that the column needs, at the time of the run that it is compared with.
/// `values`: of the plan's unknowns.
Shown shownOf(const Experiment& experiment, const DataColumn& column, const Eigen::VectorXd& values,
              const Eigen::VectorXd& probes);

/// Adds d value / d unknowns by frame and offset, not by probes.
void addSlopes(const Experiment& experiment, const DataColumn& column, const Shown& shown, Eigen::VectorXd& slopes);

}  // namespace tendril::fit
