// The parts of a plan that are not data: scene, unknowns, loss and starts.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "fit/experiments.h"
#include "fit/frame_reader.h"
#include "fit/not_measured.h"
#include "fit/objective_reader.h"
#include "fit/plan.h"
#include "fit/plan_text.h"
#include "fit/sequential.h"
#include "fit/series_knots.h"
#include "tendril/simulation.h"
#include "text/words.h"

namespace tendril::fit {

namespace {

using text::formatNumber;

const Range startsRange = {1, 1000, false, true, "a whole number from 1 to 1000"};
const Range knotsRange = {2, 200, false, true, "a whole number from 2 to 200, or a list of times"};
const Range seedRange = {0, 9007199254740992.0, false, true, "a whole number from 0 to 2^53"};

class PlanReader {
 public:
  PlanReader(const text::Document& document, const Files& files)
      : plan_(document), root_(document.root()), files_(files) {}

  std::variant<Plan, Problems> read() {
    const bool whole = readRoot();
    if (whole && plan_.problems.empty()) checkCounts();
    if (!plan_.problems.empty()) return plan_.problems;
    return std::move(out_);
  }

 private:
  /// False: what follows cannot be read.
  bool readRoot() {
    const text::Value* format = root_.isObject() ? root_.find("format") : &root_;
    if (!format || format->string != "tendril-fit/1") {
      const bool scene = format && format->string == "tendril/1";
      plan_.problem(format ? *format : root_, scene
                                                  ? "this is a scene; expected a plan that names it, with \"format\": "
                                                    "\"tendril-fit/1\""
                                                  : "expected a plan with \"format\": \"tendril-fit/1\"");
      return false;
    }
    plan_.object(root_, {"format", "title", "scene", "unknowns", "experiments", "hold", "loss", "starts", "seed",
                         "sequential", "minimize", "subject"});
    if (const text::Value* sequential = root_.find("sequential")) {
      out_.sequential = sequential->boolean;
      if (sequential->kind != text::Value::Kind::boolean) plan_.problem(*sequential, "expected true or false");
    }
    readLoss();
    out_.starts = int(plan_.number(root_, "starts", startsRange).value_or(1));
    out_.seed = std::uint64_t(plan_.number(root_, "seed", seedRange).value_or(1));
    if (!readScene()) return false;
    const text::Value* unknowns = need("unknowns", "parameters and their bounds");
    if (!unknowns || !readUnknowns(*unknowns)) return false;
    if (root_.find("minimize") || root_.find("subject")) {
      readObjective(plan_, root_, parameters_, out_);
      return false;
    }
    const text::Value* experiments = need("experiments", "what was measured");
    if (!experiments) return false;
    readExperiments(plan_, *experiments, files_, out_);
    if (!plan_.problems.empty()) return false;
    if (const text::Value* hold = root_.find("hold")) readHold(plan_, *hold, out_);
    if (const std::string why = out_.sequential ? whyNotSequential(out_) : ""; !why.empty())
      plan_.problem(*root_.find("sequential"), why);
    return true;
  }

  const text::Value* need(const char* key, const char* what) {
    const text::Value* value = root_.find(key);
    if (!value) plan_.problem(root_, std::string("\"") + key + "\" is missing: " + what);
    return value;
  }

  void readLoss() {
    const text::Value* loss = root_.find("loss");
    if (!loss || (loss->isString() && loss->string == "squares")) return;
    if (!loss->isObject() || !loss->find("huber"))
      return plan_.problem(*loss, "expected \"squares\", or {\"huber\": a threshold in the unit of the data}");
    if (plan_.object(*loss, {"huber"})) out_.huber = plan_.number(*loss, "huber", positiveNumber).value_or(0);
  }

  bool readScene() {
    const text::Value* scene = need("scene", "the name of a scene's file, or a scene");
    if (!scene) return false;
    if (scene->isObject()) {
      out_.sceneInside = true;
      out_.sceneName = "the plan's scene";
      out_.sceneText = plan_.document().text().substr(scene->span.begin, scene->span.end - scene->span.begin);
    } else if (scene->isString()) {
      FileText file = files_(scene->string);
      if (!file.problem.empty()) return plan_.problem(*scene, file.problem), false;
      out_.sceneName = scene->string, out_.sceneText = std::move(file.text);
    } else {
      return plan_.problem(*scene, "expected the name of a scene's file, or a scene"), false;
    }
    if (!loadScene(*scene)) return false;
    const std::size_t before = plan_.problems.size();
    const text::Value* unknowns = root_.find("unknowns");
    if (unknowns)
      for (const text::Member& member : unknowns->members)
        if (member.value.find("series") || member.value.find("knots") || member.value.find("spline")) readKnots(member);
    if (plan_.problems.size() > before) return false;
    return knots_.empty() || loadScene(*scene);
  }

  bool loadScene(const text::Value& at) {
    try {
      const Simulation simulation(out_.sceneText);
      parameters_ = simulation.parameters();
      static_ = simulation.isStatic();
      return true;
    } catch (const BadScene& bad) {
      for (const Problem& problem : bad.problems) plan_.problem(at, describe(problem, out_.sceneName));
      return false;
    }
  }

  /// An unknown series: its knots become parameters of the scene.
  void readKnots(const text::Member& member) {
    const auto call = plan_.string(member.value, "series");
    if (!call) {
      if (!member.value.find("series"))
        plan_.problem(member.value, "\"knots\" and \"spline\" are of a \"series\", which is missing");
      return;
    }
    const auto found = seriesOf(out_.sceneText, *call);
    if (const auto* why = std::get_if<std::string>(&found)) return plan_.problem(*member.value.find("series"), *why);
    const SceneSeries& series = std::get<SceneSeries>(found);
    const std::vector<double> times = knotTimes(member.value, series);
    const std::vector<std::string> names = knotNames(member.key, times.size());
    std::vector<Knot> knots;
    for (std::size_t k = 0; k < times.size(); ++k) {
      if (parameter(names[k]))
        return plan_.problemAtKey(*root_.find("unknowns"), member,
                                  "the scene has a parameter \"" + names[k] + "\" already; expected another name");
      knots.push_back({names[k], times[k], series.at(times[k])});
    }
    if (knots.empty()) return;
    const bool spline = isSpline(member.value, series, times);
    out_.sceneText = (spline ? withSpline : withKnots)(out_.sceneText, series, knots);
    knots_[member.key] = names;
    out_.hasSeries = true;
    if (out_.sequential && !isOfTimeAlone(*call))
      plan_.problem(*member.value.find("series"),
                    "the scene calls this series of something else than t; one knot after the other needs knots that "
                    "are times of the run");
    for (std::size_t k = 0; k < knots.size() && !spline && !series.step && !static_; ++k)
      until_[names[k]] = k + 1 < knots.size() ? times[k] : HUGE_VAL;
  }

  /// Whether formulas of the scene call the series as name(t) only.
  bool isOfTimeAlone(const std::string& series) const {
    const std::string call = series.substr(series.rfind('.') + 1) + "(", &text = out_.sceneText;
    for (std::size_t at = text.find(call); at != std::string::npos; at = text.find(call, at + 1)) {
      const bool within = at > 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '_');
      const std::size_t end = text.find(')', at);
      if (within || end == std::string::npos) continue;
      std::string argument = text.substr(at + call.size(), end - at - call.size());
      argument.erase(std::remove(argument.begin(), argument.end(), ' '), argument.end());
      if (argument != "t") return false;
    }
    return true;
  }

  bool isSpline(const text::Value& value, const SceneSeries& series, const std::vector<double>& knots) {
    const text::Value* spline = value.find("spline");
    if (!spline) return false;
    if (spline->kind != text::Value::Kind::boolean) return plan_.problem(*spline, "expected true or false"), false;
    if (!spline->boolean) return false;
    if (!value.find("knots"))
      plan_.problem(*spline, "a spline has fewer knots than its series has times: give their number as \"knots\"");
    else if (!tellsSpline(series, knots))
      plan_.problem(*spline, "the series has " + std::to_string(series.time.size()) +
                                 " times of its own, which do not tell the " + std::to_string(knots.size()) +
                                 " knots of the spline apart; give it more times in the scene, or the spline fewer "
                                 "knots");
    return true;
  }

  /// As listed, or so many even ones over the times of the series; empty where they are wrong.
  std::vector<double> knotTimes(const text::Value& value, const SceneSeries& series) {
    const text::Value* knots = value.find("knots");
    if (!knots) return series.time;
    std::vector<double> out;
    if (!knots->isArray()) {
      const auto count = plan_.number(*knots, knotsRange);
      for (double k = 0; count && k < *count; ++k)
        out.push_back(series.time.front() + k / (*count - 1) * (series.time.back() - series.time.front()));
      return out;
    }
    for (const text::Value& item : knots->items) {
      const auto time = plan_.number(item);
      if (!time) return {};
      if (!out.empty() && *time <= out.back()) {
        plan_.problem(item, "time " + formatNumber(*time) + " does not follow " + formatNumber(out.back()) +
                                "; expected increasing times");
        return {};
      }
      out.push_back(*time);
    }
    if (out.size() < 2) plan_.problem(*knots, "expected at least two times");
    return out.size() < 2 ? std::vector<double>() : out;
  }

  const ParameterInfo* parameter(const std::string& name) const {
    for (const ParameterInfo& info : parameters_)
      if (info.name == name) return &info;
    return nullptr;
  }

  /// Whether a column of the data has this name for its delay or offset, or a frame for one of its numbers.
  bool isTerm(const std::string& name) const {
    const text::Value* experiments = root_.find("experiments");
    if (!experiments) return false;
    for (const text::Value& experiment : experiments->items) {
      const text::Value* data = experiment.find("data");
      const text::Value* columns = data ? data->find("columns") : nullptr;
      const text::Value* frame = data ? data->find("frame") : nullptr;
      if (frame && namesInFrame(*frame, name)) return true;
      if (!columns) continue;
      for (const text::Member& column : columns->members)
        for (const char* key : {"delay", "offset"}) {
          const text::Value* term = column.value.find(key);
          if (term && term->isString() && term->string == name) return true;
        }
    }
    return false;
  }

  bool readUnknowns(const text::Value& unknowns) {
    const text::Value* experiments = root_.find("experiments");
    const bool inFrames = experiments && fitsFrames(*experiments);
    if (!unknowns.isObject() || (unknowns.members.empty() && !inFrames)) {
      plan_.problem(unknowns, "expected at least one unknown, such as {\"E\": {\"min\": 1e5, \"max\": 1e8}}");
      return false;
    }
    const std::size_t before = plan_.problems.size();
    for (const text::Member& member : unknowns.members) {
      const auto knots = knots_.find(member.key);
      if (knots == knots_.end())
        readUnknown(member.value, member.key);
      else
        for (const std::string& name : knots->second) readUnknown(member.value, name);
    }
    if (plan_.problems.size() == before) refuseWhatIsNotMeasured(unknowns);
    return plan_.problems.size() == before;
  }

  void refuseWhatIsNotMeasured(const text::Value& unknowns) {
    const std::vector<std::string> why = notMeasured(out_.sceneText, out_.unknowns);
    for (std::size_t u = 0; u < why.size(); ++u) {
      const text::Value* at = unknowns.find(out_.unknowns[u].name);
      if (!why[u].empty()) plan_.problem(at ? *at : unknowns, why[u]);
    }
  }

  void readUnknown(const text::Value& value, const std::string& name) {
    if (!plan_.object(value, {"min", "max", "scale", "start", "prior", "series", "knots", "spline"})) return;
    const ParameterInfo* info = parameter(name);
    if (!info && !isTerm(name)) {
      std::vector<std::string> names;
      for (const ParameterInfo& one : parameters_)
        if (!one.derived) names.push_back(one.name);
      plan_.unknownName(value, "parameter", name, names);
      plan_.problems.back().message += "; nor is it the delay or offset of a column, or a number of a frame";
      return;
    }
    Unknown unknown;
    unknown.name = name, unknown.ofScene = info != nullptr;
    if (info && info->derived)
      return plan_.problem(value, "\"" + name + "\" is a formula of other parameters; fit those");
    unknown.unit = info ? info->unit : "";
    const auto min = plan_.number(value, "min"), max = plan_.number(value, "max");
    const bool ranged = info && info->hasRange;
    if ((!min && (value.find("min") || !ranged)) || (!max && (value.find("max") || !ranged))) {
      if (!value.find("min") || !value.find("max"))
        plan_.problem(value, info ? "\"min\" and \"max\" are needed: the parameter has no range of its own"
                                  : "\"min\" and \"max\" are needed");
      return;
    }
    unknown.min = min.value_or(info ? info->min : 0), unknown.max = max.value_or(info ? info->max : 0);
    if (!(unknown.min < unknown.max))
      return plan_.problem(value, "min " + formatNumber(unknown.min) + " is not below max " +
                                      formatNumber(unknown.max) + "; exchange them or widen the bounds");
    if (!readScale(value, info, unknown) || !readStart(value, info, unknown)) return;
    readPrior(value, unknown);
    if (const auto until = until_.find(name); until != until_.end()) unknown.until = until->second;
    out_.unknowns.push_back(unknown);
  }

  bool readScale(const text::Value& value, const ParameterInfo* info, Unknown& unknown) {
    const auto scale = plan_.string(value, "scale");
    if (scale && *scale != "lin" && *scale != "log")
      return plan_.problem(*value.find("scale"), "expected \"lin\" or \"log\""), false;
    unknown.logarithmic = scale ? *scale == "log" : info && info->logarithmic && unknown.min > 0;
    if (!unknown.logarithmic || unknown.min > 0) return true;
    return plan_.problem(value, "min " + formatNumber(unknown.min) +
                                    " has no logarithm; give a min greater than 0, "
                                    "or \"scale\": \"lin\""),
           false;
  }

  bool readStart(const text::Value& value, const ParameterInfo* info, Unknown& unknown) {
    const auto start = plan_.number(value, "start");
    if (value.find("start") && !start) return false;
    // Delays and offsets begin at none, if that is within their bounds.
    unknown.start = start ? *start : info ? info->value : std::clamp(0.0, unknown.min, unknown.max);
    if (unknown.start >= unknown.min && unknown.start <= unknown.max) return true;
    const std::string is =
        start ? "the start " + formatNumber(unknown.start) : "the scene's value " + formatNumber(unknown.start);
    return plan_.problem(value, is + " is outside of the bounds, " + formatNumber(unknown.min) + " to " +
                                    formatNumber(unknown.max) + (start ? "" : "; widen them, or give a \"start\"")),
           false;
  }

  void readPrior(const text::Value& value, Unknown& unknown) {
    const text::Value* prior = value.find("prior");
    if (!prior || !plan_.object(*prior, {"value", "sigma"})) return;
    const auto mean = plan_.number(*prior, "value", unknown.logarithmic ? positiveNumber : anyNumber);
    const auto sigma = plan_.number(*prior, "sigma", positiveNumber);
    if (!prior->find("value") || !prior->find("sigma"))
      plan_.problem(*prior,
                    unknown.logarithmic
                        ? "expected {\"value\": ..., \"sigma\": ...}; sigma is of the logarithm, so that 0.1 is "
                          "about ten percent"
                        : "expected {\"value\": ..., \"sigma\": ...}");
    if (mean && sigma) unknown.prior = Prior{*mean, *sigma, false};
  }

  void checkCounts() {
    const long data = dataCount(out_);
    long priors = 0;
    for (const Unknown& unknown : out_.unknowns) priors += unknown.prior.has_value();
    const std::string unknowns = std::to_string(out_.unknowns.size());
    const text::Value& at = *root_.find("experiments");
    if (priors > 0 && !out_.sigmas)
      return plan_.problem(*root_.find("unknowns"),
                           "priors need the \"sigma\" of every data column, to be weighed against them");
    if (data + priors < long(out_.unknowns.size()) || data == 0)
      return plan_.problem(at, std::to_string(data) + " numbers to fit to are fewer than the " + unknowns +
                                   " unknowns; give more data, hold less back, or give priors");
    if (!out_.sigmas && data <= long(out_.unknowns.size()))
      plan_.problem(at, std::to_string(data) + " numbers for " + unknowns +
                            " unknowns leave none to estimate errors from; give each column its \"sigma\"");
  }

  PlanText plan_;
  const text::Value& root_;
  const Files& files_;
  std::vector<ParameterInfo> parameters_;
  bool static_ = false;
  std::map<std::string, std::vector<std::string>> knots_;  ///< parameters of unknown series
  std::map<std::string, double> until_;                    ///< of those of series that are linear: Unknown::until
  Plan out_;
};

}  // namespace

std::variant<Plan, Problems> readPlan(std::string text, const Files& files) {
  auto parsed = text::Document::parse(std::move(text));
  if (auto* problems = std::get_if<Problems>(&parsed)) return std::move(*problems);
  return PlanReader(std::get<text::Document>(parsed), files).read();
}

}  // namespace tendril::fit
