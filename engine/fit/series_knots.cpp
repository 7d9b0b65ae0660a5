#include "fit/series_knots.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "fit/spline.h"
#include "text/document.h"
#include "text/words.h"

namespace tendril::fit {

namespace {

using text::formatNumber;

std::vector<double> numbersIn(const text::Value* list) {
  std::vector<double> out;
  if (!list) return out;
  for (const text::Value& item : list->items)
    if (item.isNumber()) out.push_back(item.number);
  if (out.size() != list->items.size()) out.clear();
  return out;
}

}  // namespace

double SceneSeries::at(double t) const {
  const auto after = std::upper_bound(time.begin(), time.end(), t);
  if (after == time.begin()) return values.front();
  const std::size_t k = std::size_t(after - time.begin()) - 1;
  if (step || after == time.end()) return values[k];
  return values[k] + (values[k + 1] - values[k]) * (t - time[k]) / (time[k + 1] - time[k]);
}

std::variant<SceneSeries, std::string> seriesOf(const std::string& sceneText, const std::string& call) {
  const auto parsed = text::Document::parse(sceneText);
  const auto* document = std::get_if<text::Document>(&parsed);
  const text::Value* all = document ? document->root().find("series") : nullptr;
  SceneSeries out;
  out.name = call.substr(0, call.find('.'));
  out.column = call == out.name ? "value" : call.substr(out.name.size() + 1);
  const text::Value* series = all ? all->find(out.name) : nullptr;
  if (!series) {
    std::vector<std::string> names;
    if (all)
      for (const text::Member& member : all->members) names.push_back(member.key);
    const std::string nearest = text::nearestName(out.name, names);
    return "the scene has no series \"" + text::clipped(out.name) + "\"" +
           (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?");
  }
  for (const text::Member& member : series->members) {
    if (member.key == "interpolation")
      out.step = member.value.string == "step";
    else if (member.key != "time" && member.key != out.column)
      return "the series \"" + out.name + "\" has a column \"" + member.key +
             "\", too, on the same times; expected a series of its own";
  }
  out.time = numbersIn(series->find("time")), out.values = numbersIn(series->find(out.column));
  if (out.time.empty() || out.time.size() != out.values.size())
    return "the series \"" + text::clipped(call) + "\" has no list of plain numbers to start from";
  return out;
}

std::vector<std::string> knotNames(const std::string& unknown, std::size_t count) {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < count; ++k) out.push_back(unknown + "_" + std::to_string(k));
  return out;
}

namespace {

/// The scene with these entries as the series' times and values, and the knots as parameters.
std::string withSeries(const std::string& sceneText, const SceneSeries& series, const std::vector<Knot>& knots,
                       const std::vector<double>& time, const std::vector<std::string>& formulas) {
  const auto parsed = text::Document::parse(sceneText);
  const auto* document = std::get_if<text::Document>(&parsed);
  const text::Value* all = document ? document->root().find("series") : nullptr;
  const text::Value* of = all ? all->find(series.name) : nullptr;
  if (!of) return sceneText;
  std::string times, values, parameters;
  for (std::size_t i = 0; i < time.size(); ++i) {
    const char* comma = i == 0 ? "" : ", ";
    times += comma + formatNumber(time[i]);
    values += std::string(comma) + "\"=" + formulas[i] + "\"";
  }
  for (const Knot& knot : knots)
    parameters += (parameters.empty() ? "\"" : ", \"") + knot.parameter + "\": " + formatNumber(knot.value);
  std::string out = sceneText;
  // The later place first, so that the earlier one stays where it is.
  const auto replaceSeries = [&] {
    out.replace(of->span.begin, of->span.end - of->span.begin,
                "{\"time\": [" + times + "], \"" + series.column + "\": [" + values + "]" +
                    (series.step ? ", \"interpolation\": \"step\"" : "") + "}");
  };
  const text::Value* present = document->root().find("parameters");
  const std::size_t at = (present ? present->span : document->root().span).begin + 1;
  const bool more = !present || !present->members.empty();
  const std::string added = (present ? parameters : "\"parameters\": {" + parameters + "}") + (more ? ", " : "");
  if (at < of->span.begin) replaceSeries();
  out.insert(at, added);
  if (at > of->span.begin) replaceSeries();
  return out;
}

std::vector<double> timesOf(const std::vector<Knot>& knots) {
  std::vector<double> out;
  out.reserve(knots.size());
  for (const Knot& knot : knots) out.push_back(knot.time);
  return out;
}

/// "0.25*bend_0 + 0.75*bend_1", without what round-off hides beside the rest.
std::string sumOf(const Eigen::RowVectorXd& weights, const std::vector<Knot>& knots) {
  constexpr double nothing = 1e-17;
  std::string out;
  for (Eigen::Index k = 0; k < weights.size(); ++k) {
    const double weight = weights[k];
    if (std::abs(weight) <= nothing * weights.cwiseAbs().maxCoeff()) continue;
    if (!out.empty()) out += weight < 0 ? " - " : " + ";
    if (out.empty() && weight < 0) out += "-";
    if (std::abs(weight) != 1) out += formatNumber(std::abs(weight)) + "*";
    out += knots[std::size_t(k)].parameter;
  }
  return out;
}

}  // namespace

std::string withKnots(const std::string& sceneText, const SceneSeries& series, const std::vector<Knot>& knots) {
  std::vector<std::string> formulas;
  formulas.reserve(knots.size());
  for (const Knot& knot : knots) formulas.push_back(knot.parameter);
  return withSeries(sceneText, series, knots, timesOf(knots), formulas);
}

std::string withSpline(const std::string& sceneText, const SceneSeries& series, const std::vector<Knot>& knots) {
  const Eigen::MatrixXd weights = splineWeights(timesOf(knots), series.time);
  std::vector<std::string> formulas;
  for (Eigen::Index i = 0; i < weights.rows(); ++i) formulas.push_back(sumOf(weights.row(i), knots));
  return withSeries(sceneText, series, knots, series.time, formulas);
}

bool tellsSpline(const SceneSeries& series, const std::vector<double>& knots) {
  return splineWeights(knots, series.time).colPivHouseholderQr().rank() == Eigen::Index(knots.size());
}

}  // namespace tendril::fit
