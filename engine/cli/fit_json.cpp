#include "cli/fit_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>
#include "cli/atomic_file.h"
#include "cli/fit_frames.h"
#include "cli/numbers.h"
#include "fit/experiments.h"
#include "tendril/version.h"

namespace tendril::cli {

namespace {

using Json = nlohmann::ordered_json;

struct StopName {
  fit::Stop stop;
  const char* name;
};
constexpr std::array<StopName, 9> stopNames = {{{fit::Stop::decrease, "decrease"},
                                                {fit::Stop::step, "step"},
                                                {fit::Stop::gradient, "gradient"},
                                                {fit::Stop::iterations, "iterations"},
                                                {fit::Stop::asked, "stopped"},
                                                {fit::Stop::stationary, "stationary"},
                                                {fit::Stop::infeasible, "infeasible"},
                                                {fit::Stop::noStep, "no step"},
                                                {fit::Stop::noStart, "no start"}}};

const char* nameOf(fit::Stop stop) {
  for (const StopName& entry : stopNames)
    if (entry.stop == stop) return entry.name;
  return "";
}

Json json(const Eigen::VectorXd& values) { return std::vector<double>(values.begin(), values.end()); }

/// Of a start of a plan with an objective.
void addObjective(const fit::StartResult& start, Json& out) {
  Json objective = Json::array(), violation = Json::array();
  for (const fit::SqpPoint& point : start.history)
    objective.push_back(point.objective), violation.push_back(point.violation);
  out["history"] = {{"objective", objective}, {"violation", violation}};
  out["scales"] = {{"objective", start.scales.objective}, {"constraints", json(start.scales.constraints)}};
}

void readObjective(const Json& one, fit::StartResult& start) {
  const auto objective = one.at("history").at("objective").get<std::vector<Json>>();
  const auto violation = one.at("history").at("violation").get<std::vector<Json>>();
  for (std::size_t k = 0; k < std::min(objective.size(), violation.size()); ++k)
    start.history.push_back({objective[k].get<double>(), violation[k].get<double>()});
  start.scales.objective = one.at("scales").at("objective");
  const auto scales = one.at("scales").at("constraints").get<std::vector<double>>();
  start.scales.constraints = Eigen::Map<const Eigen::VectorXd>(scales.data(), Eigen::Index(scales.size()));
}

/// What the best is: objective, constraints, and the conditions of a minimum.
void addOptimum(const FitRecord& record, Json& all) {
  const fit::Objective& asked = *record.plan->objective;
  const fit::StartResult& best = record.result->starts[std::size_t(record.result->best)];
  const auto& found = record.result->optimum;
  all["minimize"] = {{"formula", asked.minimize.text}, {"unit", asked.minimize.unit}, {"value", best.cost}};
  all["allowed"] = best.allowed();
  Json unknowns = Json::array(), subject = Json::array();
  for (std::size_t u = 0; u < record.plan->unknowns.size(); ++u) {
    const fit::Unknown& unknown = record.plan->unknowns[u];
    unknowns.push_back({{"name", unknown.name},
                        {"unit", unknown.unit},
                        {"value", record.result->values[Eigen::Index(u)]},
                        {"min", unknown.min},
                        {"max", unknown.max},
                        {"scale", unknown.logarithmic ? "log" : "lin"},
                        {"atBound", bool(record.result->atBound[u])},
                        {"multiplier", found ? Json(found->boundMultipliers[Eigen::Index(u)]) : Json()}});
  }
  for (std::size_t i = 0; found && i < asked.subject.size(); ++i) {
    const fit::Constraint& c = asked.subject[i];
    const Eigen::Index at = Eigen::Index(i);
    subject.push_back({{"name", c.name},
                       {"formula", c.text},
                       {"unit", c.unit},
                       {"min", c.min},
                       {"max", c.max},
                       {"value", found->values.constraints[at]},
                       {"active", bool(found->active[i])},
                       {"multiplier", record.keepsLimits() ? Json(found->optimality.multipliers[at]) : Json()}});
  }
  all["unknowns"] = unknowns, all["subject"] = subject;
  if (!found) return;
  all["stationarity"] = found->optimality.stationarity, all["violation"] = found->optimality.violation;
  Json terms = Json::object();
  for (std::size_t k = 0; k < asked.terms.size(); ++k) terms[asked.terms[k].text] = found->terms[Eigen::Index(k)];
  all["terms"] = terms;
}

Json unknownsJson(const FitRecord& record) {
  const fit::FitResult& result = *record.result;
  Json list = Json::array();
  for (std::size_t u = 0; u < record.plan->unknowns.size(); ++u) {
    const fit::Unknown& unknown = record.plan->unknowns[u];
    Json one = {{"name", unknown.name}};
    if (!unknown.unit.empty()) one["unit"] = unknown.unit;
    one["value"] = result.values[Eigen::Index(u)];
    one["standardError"] = result.standardErrors[Eigen::Index(u)];
    one["min"] = unknown.min, one["max"] = unknown.max;
    one["scale"] = unknown.logarithmic ? "log" : "lin";
    one["atBound"] = bool(result.atBound[u]);
    if (result.uncertainty) one["identifiable"] = bool(result.uncertainty->identifiable[u]);
    if (unknown.prior) one["prior"] = {{"value", unknown.prior->value}, {"sigma", unknown.prior->sigma}};
    list.push_back(std::move(one));
  }
  return list;
}

Json directionsJson(const FitRecord& record) {
  Json list = Json::array();
  for (const fit::Direction& d : record.result->uncertainty->directions) {
    Json of = Json::object();
    for (std::size_t u = 0; u < record.plan->unknowns.size(); ++u)
      of[record.plan->unknowns[u].name] = d.combination[Eigen::Index(u)];
    list.push_back(
        {{"singularValue", d.singularValue}, {"standardError", d.standardError}, {"told", d.told}, {"of", of}});
  }
  return list;
}

Json startsJson(const FitRecord& record) {
  Json list = Json::array();
  for (const fit::StartResult& start : record.result->starts) {
    Json one = {{"from", json(start.from)},
                {"to", json(start.z)},
                {"cost", start.cost},
                {"stop", nameOf(start.stop)},
                {"iterations", start.iterations},
                {"trials", start.trials},
                {"gaveUp", start.gaveUp}};
    if (!start.reason.empty()) one["reason"] = start.reason;
    if (record.plan->objective) addObjective(start, one);
    list.push_back(std::move(one));
  }
  return list;
}

Json experimentsJson(const FitRecord& record) {
  Json list = Json::array();
  for (std::size_t e = 0; e < record.plan->experiments.size(); ++e) {
    const fit::Experiment& experiment = record.plan->experiments[e];
    const Eigen::MatrixXd& model = record.result->predictions[e];
    Json columns = Json::object();
    for (std::size_t c = 0; c < experiment.columns.size(); ++c) {
      const Eigen::Index at = Eigen::Index(c);
      columns[experiment.columns[c].name] = {
          {"probe", experiment.columns[c].probe},
          {"sigma", record.plan->sigmas ? Json(experiment.columns[c].sigma) : Json()},
          {"error", columnError(record, e, c, false)},
          {"heldError", columnError(record, e, c, true)},
          {"data", json(experiment.data.col(at))},
          {"model", model.size() ? json(model.col(at)) : Json()}};
    }
    list.push_back({{"name", experiment.name},
                    {"set", experiment.set},
                    {"time", experiment.time},
                    {"held", experiment.held},
                    {"columns", columns}});
    if (experiment.frame.placement.kind != fit::Placement::Kind::scene) list.back()["frame"] = frameJson(record, e);
  }
  return list;
}

}  // namespace

bool FitRecord::keepsLimits() const {
  return !plan->objective || (result->best >= 0 && result->starts[std::size_t(result->best)].allowed());
}

const char* FitRecord::status() const {
  if (result->stopped) return "stopped";
  if (result->best < 0) return "gave up";
  return keepsLimits() ? "done" : "limits not kept";
}

long FitRecord::numbers() const { return fit::dataCount(*plan); }

long FitRecord::degrees() const {
  long count = numbers();
  for (const fit::Unknown& unknown : plan->unknowns) count += unknown.prior ? 0 : -1;
  return count;
}

double FitRecord::chiSquared() const { return 2 * result->starts[std::size_t(result->best)].cost; }

double columnError(const FitRecord& record, std::size_t experiment, std::size_t column, bool held) {
  const fit::Experiment& e = record.plan->experiments[experiment];
  const Eigen::MatrixXd& model = record.result->predictions[experiment];
  double sum = 0, count = 0;
  for (Eigen::Index r = 0; r < model.rows(); ++r) {
    const double error = model(r, Eigen::Index(column)) - e.data(r, Eigen::Index(column));
    if (e.held[std::size_t(r)] != held || std::isnan(error)) continue;
    sum += error * error, count += 1;
  }
  return count > 0 ? std::sqrt(sum / count) : std::numeric_limits<double>::quiet_NaN();
}

std::vector<std::string> untold(const FitRecord& record) {
  std::vector<std::string> names;
  if (!record.result->uncertainty) return names;
  for (std::size_t u = 0; u < record.plan->unknowns.size(); ++u)
    if (!record.result->uncertainty->identifiable[u]) names.push_back(record.plan->unknowns[u].name);
  return names;
}

std::string combinationText(const fit::Plan& plan, const fit::Direction& direction) {
  std::string text;
  for (std::size_t u = 0; u < plan.unknowns.size(); ++u) {
    const double share = direction.combination[Eigen::Index(u)];
    if (std::abs(share) < 0.05) continue;
    text += text.empty() ? (share < 0 ? "-" : "") : share < 0 ? " - " : " + ";
    text += humanNumber(std::abs(share), 2) + " " + plan.unknowns[u].name;
  }
  return text;
}

std::string fitJson(const FitRecord& record) {
  Json all = {{"format", "tendril-fit-result/1"},
              {"plan", record.planName},
              {"fingerprint", record.fingerprint},
              {"version", version()},
              {"command", record.command},
              {"status", record.status()},
              {"runs", record.runs},
              {"seconds", record.seconds}};
  if (record.result->best >= 0) all["best"] = record.result->best;
  if (record.result->best >= 0 && record.plan->objective) addOptimum(record, all);
  if (record.result->best >= 0 && !record.plan->objective) {
    const long degrees = record.degrees();
    all["numbers"] = record.numbers();
    all["degreesOfFreedom"] = degrees;
    all["chiSquared"] = record.chiSquared();
    if (!record.plan->sigmas && record.result->uncertainty)
      all["estimatedSigma"] = std::sqrt(record.result->uncertainty->variance);
    all["unknowns"] = unknownsJson(record);
    if (const auto& known = record.result->uncertainty) {
      Json rows = Json::array();
      for (Eigen::Index i = 0; i < known->correlation.rows(); ++i)
        rows.push_back(json(Eigen::VectorXd(known->correlation.row(i).transpose())));
      all["correlation"] = rows;
      all["directions"] = directionsJson(record);
    }
    all["experiments"] = experimentsJson(record);
  }
  if (!record.result->doubts.empty()) all["doubts"] = record.result->doubts;
  all["starts"] = startsJson(record);
  return all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<fit::StartResult> startsIn(const std::string& text, const std::string& file, const std::string& fingerprint,
                                       std::size_t unknowns) {
  const auto fail = [&file](const std::string& why) { throw FileError("--resume: " + file + " " + why); };
  const Json all = Json::parse(text, nullptr, false);
  if (!all.is_object() || all.value("format", Json()) != "tendril-fit-result/1") fail("is not the result of a fit");
  if (all.value("fingerprint", Json()) != fingerprint)
    fail("is of another plan, scene or data: they have changed since; run the fit anew without --resume");
  std::vector<fit::StartResult> out;
  try {
    for (const Json& one : all.at("starts")) {
      const auto from = one.at("from").get<std::vector<double>>(), to = one.at("to").get<std::vector<double>>();
      if (from.size() != unknowns || to.size() != unknowns) fail("is damaged: a start has other unknowns");
      fit::StartResult start;
      start.from = Eigen::Map<const Eigen::VectorXd>(from.data(), Eigen::Index(unknowns));
      start.z = Eigen::Map<const Eigen::VectorXd>(to.data(), Eigen::Index(unknowns));
      start.cost = one.at("cost").is_null() ? std::nan("") : one.at("cost").get<double>();
      start.iterations = one.at("iterations");
      start.trials = one.at("trials"), start.gaveUp = one.at("gaveUp");
      if (one.contains("history")) readObjective(one, start);
      if (one.contains("reason")) start.reason = one["reason"];
      for (const StopName& entry : stopNames)
        if (one.at("stop") == entry.name) start.stop = entry.stop;
      out.push_back(std::move(start));
    }
  } catch (const Json::exception& error) {
    fail(std::string("is damaged: ") + error.what());
  }
  return out;
}

}  // namespace tendril::cli
