// Series of a scene as unknowns: its values at a few times become parameters of the scene, so that all else in a fit
// sees parameters alone.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace tendril::fit {

/// A series as the scene has it: one column of numbers over time.
struct SceneSeries {
  std::string name, column;  ///< "kappa" and "value"; of a formula's "limb.k" it is "limb" and "k"
  std::vector<double> time, values;
  bool step = false;

  double at(double t) const;  ///< constant outside of its times
};

/// The series that formulas call `call`, or why it cannot be an unknown.
std::variant<SceneSeries, std::string> seriesOf(const std::string& sceneText, const std::string& call);

struct Knot {
  std::string parameter;
  double time = 0, value = 0;
};

/// The names of `count` parameters: "bend_0", "bend_1" and so on.
std::vector<std::string> knotNames(const std::string& unknown, std::size_t count);

/// The scene with the series' values at these times, increasing, as parameters.
std::string withKnots(const std::string& sceneText, const SceneSeries& series, const std::vector<Knot>& knots);

/// The scene with these knots as parameters and, at the series' own times, the spline through them (fit/spline.h).
std::string withSpline(const std::string& sceneText, const SceneSeries& series, const std::vector<Knot>& knots);
/// Whether the series' own times are enough, and so placed, that the values there tell the spline's knots apart.
bool tellsSpline(const SceneSeries& series, const std::vector<double>& knots);

}  // namespace tendril::fit
