// A plan of a fit: which numbers of a scene are unknown, and what was measured, or what is to become small. Read from a
// `tendril-fit/1` text (docs/fit.md); everything that can be wrong with it is found here, before the first step of a
// run.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fit/objective.h"
#include "fit/placement.h"
#include "tendril/problem.h"

namespace tendril::fit {

/// What is believed of an unknown before the data: a normal distribution of it, or of its logarithm where its scale is
/// logarithmic.
struct Prior {
  double value = 0, sigma = 1;
  bool measured = false;  ///< it is a measurement, as of a point in an image, and counts as data in what these tell
};

/// A number to be found between bounds. The fit counts it as z from 0 at `min` to 1 at `max`, evenly in it or in its
/// logarithm.
struct Unknown {
  std::string name, unit;
  bool ofScene = true;  ///< a parameter of the scene; else a delay or an offset of data columns, or of a frame
  double min = 0, max = 1;
  bool logarithmic = false;
  double start = 0;
  std::optional<Prior> prior;
  /// Of a knot of a series that is linear between its knots, in a scene with motion: its time [s], infinite for the
  /// last one, after which its value stays. What is measured later says nothing of it that later knots leave.
  std::optional<double> until;

  double value(double z) const;
  double position(double value) const;  ///< z
  double slope(double z) const;         ///< dvalue/dz
  /// Deviation from the prior in its sigmas, and its slope over z.
  double priorResidual(double z) const;
  double priorSlope(double z) const;
};

/// A number of a data column: given, or an unknown.
struct Term {
  double value = 0;
  int unknown = -1;  ///< among the plan's; -1: `value`
  double at(const Eigen::VectorXd& values) const { return unknown < 0 ? value : values[unknown]; }
};

/// What a column of numbers measures: data(t) = probe(t - delay) + offset + an error of standard deviation `sigma`.
struct DataColumn {
  std::string name;   ///< in the header
  std::string probe;  ///< column of the scene's probes
  int index = 0;      ///< among the simulation's columns
  double sigma = 1;   ///< 1 where the plan gives none
  Term delay, offset;
  int axis = -1;  ///< of the experiment's frame, through which the probe's point is seen; -1: not seen so
  std::array<int, 3> point = {};  ///< where it is seen: columns of the point in the scene

  int probes() const { return axis < 0 ? 1 : 3; }  ///< columns of the simulation that it needs
};

/// In what coordinates an experiment measured places.
struct Frame {
  Placement placement;
  std::vector<Term> numbers;  ///< of the placement

  Eigen::VectorXd at(const Eigen::VectorXd& values) const;  ///< the numbers, with the unknowns at `values`
};

/// One run and what was measured of it.
struct Experiment {
  std::string name;                   ///< "experiment 0", or the plan's
  std::map<std::string, double> set;  ///< parameters of this run alone
  std::vector<DataColumn> columns;
  Frame frame;
  std::vector<double> time;  ///< [s] of the data's clock, increasing
  Eigen::MatrixXd data;      ///< times x columns; NaN: a gap
  std::vector<bool> held;    ///< rows kept for the test of the prediction
};

struct Plan {
  std::string sceneName;  ///< file, as the plan names it; "the plan's scene" where it holds one
  std::string sceneText;
  bool sceneInside = false;  ///< the plan holds the scene itself
  std::vector<Unknown> unknowns;
  std::vector<Experiment> experiments;
  bool sigmas = false;                 ///< standard deviations are given
  double huber = 0;                    ///< threshold in units of the data; 0: squares
  bool hasSeries = false;              ///< knots of series of the scene are among the unknowns
  bool sequential = false;             ///< one knot after the other (fit/sequential.h)
  std::optional<Objective> objective;  ///< in place of experiments
  int starts = 1;
  std::uint64_t seed = 1;
};

/// The text of a file that a plan names, relative to the plan; or why it cannot be read.
struct FileText {
  std::string text, problem;
};
using Files = std::function<FileText(const std::string& name)>;

/// A plan, or every problem found. Builds the scene once per experiment. Throws GaveUp where a scene has no state to
/// start from.
std::variant<Plan, Problems> readPlan(std::string text, const Files& files);

}  // namespace tendril::fit
