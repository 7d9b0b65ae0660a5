#include "fit/shown.h"

namespace tendril::fit {

Shown shownOf(const Experiment& experiment, const DataColumn& column, const Eigen::VectorXd& values,
              const Eigen::VectorXd& probes) {
  Shown out;
  if (column.axis < 0) {
    out.value = probes[0] + column.offset.at(values);
    out.byProbes = Eigen::VectorXd::Ones(1);
    return out;
  }
  const Sighting sight = sightOf(experiment.frame.placement, experiment.frame.at(values), probes.head<3>());
  if (!sight.problem.empty()) {
    out.problem = experiment.name + ", column \"" + column.name + "\": " + sight.problem;
    return out;
  }
  out.value = sight.at[column.axis] + column.offset.at(values);
  out.byProbes = sight.byPoint.row(column.axis).transpose();
  out.byNumbers = sight.byNumbers.row(column.axis).transpose();
  return out;
}

void addSlopes(const Experiment& experiment, const DataColumn& column, const Shown& shown, Eigen::VectorXd& slopes) {
  if (column.offset.unknown >= 0) slopes[column.offset.unknown] += 1;
  for (Eigen::Index k = 0; k < shown.byNumbers.size(); ++k) {
    const int unknown = experiment.frame.numbers[std::size_t(k)].unknown;
    if (unknown >= 0) slopes[unknown] += shown.byNumbers[k];
  }
}

}  // namespace tendril::fit
