#include "fit/experiments.h"

#include <algorithm>
#include <cmath>

#include "fit/data.h"
#include "fit/frame_reader.h"
#include "fit/terms.h"
#include "tendril/simulation.h"
#include "text/words.h"

namespace tendril::fit {

namespace {

using text::formatNumber;

std::vector<std::string> parameterNames(const Simulation& simulation) {
  std::vector<std::string> names;
  for (const ParameterInfo& parameter : simulation.parameters()) names.push_back(parameter.name);
  return names;
}

/// One item of the list.
class ExperimentReader {
 public:
  ExperimentReader(PlanText& plan, const text::Value& item, const Files& files, Plan& out)
      : plan_(plan), item_(item), files_(files), out_(out) {}

  void read(std::size_t number) {
    experiment_.name = plan_.string(item_, "name").value_or("experiment " + std::to_string(number));
    const text::Value* data = item_.find("data");
    if (!data) return plan_.problem(item_, "\"data\" is missing; expected {\"csv\": ..., \"columns\": {...}}");
    if (const text::Value* frame = item_.find("frame"))
      return plan_.problem(*frame, "\"frame\" belongs to \"data\", beside its \"columns\"; move it there");
    readSettings();
    const auto simulation = build();
    if (!simulation || !plan_.object(*data, {"csv", "time", "columns", "frame"})) return;
    if (!readTable(*data)) return;
    const text::Value* frame = data->find("frame");
    const std::size_t before = plan_.problems.size();
    if (frame) readFrame(plan_, *frame, out_, experiment_);
    readColumns(*data, *simulation);
    if (frame && plan_.problems.size() == before) fitFrame(plan_, *frame, *simulation, number, out_, experiment_);
    readTimes(*data, *simulation);
    out_.experiments.push_back(std::move(experiment_));
  }

 private:
  void readSettings() {
    const text::Value* set = item_.find("set");
    if (!set) return;
    if (!set->isObject()) return plan_.problem(*set, "expected an object of parameters and their values");
    for (const text::Member& member : set->members) {
      const auto value = plan_.number(member.value);
      if (unknownOf(out_, member.key))
        plan_.problemAtKey(*set, member,
                           "\"" + member.key + "\" is an unknown of the plan; it cannot be set in an experiment");
      else if (value)
        experiment_.set[member.key] = *value;
    }
  }

  /// The scene with this experiment's parameters and the unknowns at their starts.
  std::optional<Simulation> build() {
    std::map<std::string, double> parameters = experiment_.set;
    for (const Unknown& unknown : out_.unknowns)
      if (unknown.ofScene) parameters[unknown.name] = unknown.start;
    const text::Value* set = item_.find("set");
    try {
      Simulation plain(out_.sceneText);
      const std::vector<std::string> names = parameterNames(plain);
      bool known = true;
      for (const auto& [name, value] : experiment_.set) {
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        plan_.unknownName(set->member(name)->value, "parameter", name, names);
        known = false;
      }
      if (known) return Simulation(out_.sceneText, parameters);
    } catch (const BadScene& bad) {
      plan_.problem(set ? *set : item_,
                    "the scene does not load with these parameters: " + describe(bad.problems.front(), out_.sceneName));
    }
    return std::nullopt;
  }

  bool readTable(const text::Value& data) {
    const text::Value* csv = data.find("csv");
    if (!csv || !csv->isString()) {
      plan_.problem(csv ? *csv : data, "expected \"csv\": the name of a file, or a table as text");
      return false;
    }
    const bool isText = csv->string.find('\n') != std::string::npos;
    FileText file = isText ? FileText{csv->string, {}} : files_(csv->string);
    if (!file.problem.empty()) {
      plan_.problem(*csv, file.problem);
      return false;
    }
    auto table = readData(file.text);
    if (const auto* wrong = std::get_if<std::string>(&table)) {
      plan_.problem(*csv, (isText ? "in the table, " : "in " + csv->string + ", ") + *wrong);
      return false;
    }
    table_ = std::move(std::get<DataTable>(table));
    return true;
  }

  void readColumns(const text::Value& data, const Simulation& simulation) {
    const text::Value* columns = data.find("columns");
    if (!columns || !columns->isObject() || columns->members.empty())
      return plan_.problem(columns ? *columns : data,
                           "expected \"columns\": what each column of the table measures, such as "
                           "{\"x\": {\"probe\": \"tip.x\", \"sigma\": 1e-3}}");
    for (const text::Member& member : columns->members) {
      const int at = table_.column(member.key);
      if (at < 0)
        plan_.problemAtKey(
            *columns, member,
            "the table has no column \"" + text::clipped(member.key) + "\"; it has " + joined(table_.names));
      readColumn(member, at, simulation);
    }
    experiment_.data.resize(Eigen::Index(table_.rows.size()), Eigen::Index(experiment_.columns.size()));
    for (std::size_t c = 0; c < experiment_.columns.size(); ++c)
      for (std::size_t r = 0; r < table_.rows.size(); ++r)
        experiment_.data(Eigen::Index(r), Eigen::Index(c)) = table_.rows[r][std::size_t(places_[c])];
    for (std::size_t c = 0; c < experiment_.columns.size(); ++c)
      if (experiment_.data.col(Eigen::Index(c)).array().isNaN().all())
        plan_.problem(*columns->find(experiment_.columns[c].name), "the column has no numbers, only gaps");
  }

  void readColumn(const text::Member& member, int at, const Simulation& simulation) {
    if (!plan_.object(member.value, {"probe", "sigma", "delay", "offset", "frame"})) return;
    DataColumn column;
    column.name = member.key;
    const auto probe = plan_.string(member.value, "probe");
    if (!probe && !member.value.find("probe"))
      plan_.problem(member.value, "\"probe\" is missing; expected one of " + joined(simulation.columns()));
    if (!probe) return;
    const auto& names = simulation.columns();
    const auto found = std::find(names.begin(), names.end(), *probe);
    if (found == names.end()) return plan_.unknownName(*member.value.find("probe"), "column of a probe", *probe, names);
    column.probe = *probe, column.index = int(found - names.begin());
    column.sigma = plan_.number(member.value, "sigma", positiveNumber).value_or(1);
    for (const auto& [key, term] : {std::pair{"delay", &column.delay}, std::pair{"offset", &column.offset}})
      if (const text::Value* value = member.value.find(key)) *term = readTerm(plan_, *value, key, out_);
    readSeen(plan_, member.value, simulation, experiment_, column);
    if (at < 0) return;
    experiment_.columns.push_back(column);
    places_.push_back(at);
    const bool sigma = member.value.find("sigma") != nullptr;
    const bool first = out_.experiments.empty() && experiment_.columns.size() == 1;
    if (first) out_.sigmas = sigma;
    if (sigma != out_.sigmas)
      plan_.problem(member.value,
                    sigma ? "this column has a \"sigma\", others before it have none; give all columns one, or none"
                          : "\"sigma\" is missing, which other columns have: its standard deviation, in the "
                            "column's unit");
  }

  void readTimes(const text::Value& data, const Simulation& simulation) {
    const std::string name = plan_.string(data, "time").value_or("t");
    const text::Value& at = data.find("time") ? *data.find("time") : data;
    const int column = table_.column(name);
    if (column < 0) {
      plan_.problem(at, "the table has no column \"" + text::clipped(name) + "\" for the time; it has " +
                            joined(table_.names) + "; name it by \"time\"");
      return;
    }
    const text::Value& csv = *data.find("csv");
    for (std::size_t r = 0; r < table_.rows.size(); ++r) {
      const double t = table_.rows[r][std::size_t(column)];
      const std::string line = "line " + std::to_string(table_.lines[r]) + ": ";
      if (std::isnan(t)) return plan_.problem(csv, line + "the time is missing");
      if (!experiment_.time.empty() && !(t > experiment_.time.back()))
        return plan_.problem(csv, line + "time " + formatNumber(t) + " does not follow " +
                                      formatNumber(experiment_.time.back()) + "; expected increasing times");
      experiment_.time.push_back(t);
    }
    experiment_.held.assign(experiment_.time.size(), false);
    const double end = simulation.duration() * (1 + 1e-9);
    for (const DataColumn& c : experiment_.columns) {
      const Unknown* delay = c.delay.unknown < 0 ? nullptr : &out_.unknowns[std::size_t(c.delay.unknown)];
      const double least = delay ? delay->min : c.delay.value, most = delay ? delay->max : c.delay.value;
      const double first = experiment_.time.front() - most, last = experiment_.time.back() - least;
      const std::string with = least == 0 && most == 0 ? "" : " with the delay of column \"" + c.name + "\"";
      if (first < -1e-9 * simulation.duration())
        return plan_.problem(csv, "the first time is " + formatNumber(first) + " s of the run" + with +
                                      ", before it begins; leave such rows out, or narrow the delay");
      if (last > end)
        return plan_.problem(csv, "the last time is " + formatNumber(last) + " s of the run" + with +
                                      ", which ends at " + formatNumber(simulation.duration()) +
                                      " s; leave such rows out, or give the scene a longer \"duration\"");
    }
  }

  static std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < 12; ++i) text += (i ? ", " : "") + text::clipped(names[i]);
    return text + (names.size() > 12 ? ", ..." : "");
  }

  PlanText& plan_;
  const text::Value& item_;
  const Files& files_;
  Plan& out_;
  Experiment experiment_;
  DataTable table_;
  std::vector<int> places_;  // of the columns in the table
};

const Range wholeNumber = {0, 1e9, false, true, "a whole number from 0 on"};

void holdRows(PlanText& plan, const text::Value& item, Experiment& experiment) {
  const double from = plan.number(item, "from").value_or(-HUGE_VAL);
  const double until = plan.number(item, "until").value_or(HUGE_VAL);
  if (from > until)
    return plan.problem(item, "\"from\" is after \"until\"; expected the earlier of the two times first");
  const text::Value* rows = item.find("rows");
  if (!rows && !item.find("from") && !item.find("until"))
    return plan.problem(item, "expected \"rows\": [numbers], or times \"from\" and \"until\"");
  if (rows && (item.find("from") || item.find("until")))
    return plan.problem(*rows, "\"rows\" and the times \"from\" and \"until\" exclude each other");
  bool any = false;
  for (std::size_t r = 0; r < experiment.time.size() && !rows; ++r)
    if (experiment.time[r] >= from && experiment.time[r] <= until) experiment.held[r] = any = true;
  if (!rows) {
    if (!any) plan.problem(item, "no row of the experiment lies between these times");
    return;
  }
  if (!rows->isArray()) return plan.problem(*rows, "expected a list of row numbers, from 0");
  for (const text::Value& number : rows->items) {
    const auto row = plan.number(number, wholeNumber);
    if (row && *row < double(experiment.held.size()))
      experiment.held[std::size_t(*row)] = true;
    else if (row)
      plan.problem(number, "there is no row " + formatNumber(*row) + "; the experiment has " +
                               std::to_string(experiment.held.size()) + ", from 0");
  }
}

}  // namespace

void readExperiments(PlanText& plan, const text::Value& list, const Files& files, Plan& out) {
  if (!list.isArray() || list.items.empty())
    return plan.problem(list, "expected a list of experiments, with at least one");
  for (std::size_t i = 0; i < list.items.size(); ++i)
    if (plan.object(list.items[i], {"name", "set", "data", "frame"}))
      ExperimentReader(plan, list.items[i], files, out).read(i);
}

void readHold(PlanText& plan, const text::Value& list, Plan& out) {
  if (!list.isArray())
    return plan.problem(list, "expected a list: numbers of experiments, or {\"experiment\": 0, ...}");
  for (const text::Value& item : list.items) {
    const bool whole = item.isNumber();
    if (!whole && !plan.object(item, {"experiment", "rows", "from", "until"})) continue;
    if (!whole && !item.find("experiment")) {
      plan.problem(item, "\"experiment\" is missing; expected its number, from 0");
      continue;
    }
    const text::Value& at = whole ? item : *item.find("experiment");
    const auto number = plan.number(at, wholeNumber);
    if (!number) continue;
    if (!(*number < double(out.experiments.size()))) {
      plan.problem(at, "there is no experiment " + formatNumber(*number) + "; the plan has " +
                           std::to_string(out.experiments.size()) + ", from 0");
      continue;
    }
    Experiment& experiment = out.experiments[std::size_t(*number)];
    if (whole)
      experiment.held.assign(experiment.held.size(), true);
    else
      holdRows(plan, item, experiment);
  }
}

long dataCount(const Plan& plan) {
  long count = 0;
  for (const Experiment& e : plan.experiments)
    for (Eigen::Index r = 0; r < e.data.rows(); ++r)
      for (Eigen::Index c = 0; c < e.data.cols(); ++c) count += !e.held[std::size_t(r)] && !std::isnan(e.data(r, c));
  return count;
}

}  // namespace tendril::fit
