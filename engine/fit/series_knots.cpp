#include "fit/series_knots.h"

#include <algorithm>

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

std::string withKnots(const std::string& sceneText, const SceneSeries& series, const std::vector<Knot>& knots) {
  const auto parsed = text::Document::parse(sceneText);
  const auto* document = std::get_if<text::Document>(&parsed);
  const text::Value* all = document ? document->root().find("series") : nullptr;
  const text::Value* of = all ? all->find(series.name) : nullptr;
  if (!of) return sceneText;
  std::string times, values, parameters;
  for (const Knot& knot : knots) {
    const char* comma = times.empty() ? "" : ", ";
    times += comma + formatNumber(knot.time);
    values += std::string(comma) + "\"=" + knot.parameter + "\"";
    parameters += std::string(comma) + "\"" + knot.parameter + "\": " + formatNumber(knot.value);
  }
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

}  // namespace tendril::fit
