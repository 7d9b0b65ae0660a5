// The fields of summary.json are documented in docs/command-line.md; invalid UTF-8 is replaced rather than refused.
#include "cli/summary.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/numbers.h"
#include "cli/scene_input.h"

namespace tendril::cli {

using Json = nlohmann::ordered_json;

std::string valuesText(const std::map<std::string, double>& values) {
  std::string text;
  for (const auto& [name, value] : values) text += (text.empty() ? "" : ", ") + name + " = " + humanNumber(value, 9);
  return text;
}

void Summary::couldNotWrite(const std::string& reason) {
  warnings.push_back(reason);
  if (outcome.ending != Ending::done) return;
  outcome.ending = Ending::stopped;
  outcome.reason = reason;
}

void Summary::warnOfNonFinite() {
  const auto look = [&](const std::string& name, double value) {
    const std::string start = "probe \"" + name + "\" has no value";
    const auto matches = [&](const std::string& warning) { return warning.compare(0, start.size(), start) == 0; };
    if (!std::isfinite(value) && std::none_of(warnings.begin(), warnings.end(), matches))
      warnings.push_back(name + " is not finite (" + humanNumber(value) + ") and written as null");
  };
  for (const auto& [name, value] : probes) look(name, value);
  for (const auto& [name, value] : parameters) look(name, value);
  look("maxPenetration", maxPenetration);
}

std::string Summary::json() const {
  Json root = Json::object();
  root["status"] = endingText(outcome.ending);
  if (!outcome.reason.empty()) root["reason"] = outcome.reason;
  root["time"] = time;
  root["steps"] = outcome.steps;
  root["newtonIterations"] = outcome.iterations;
  root["retries"] = outcome.retries;
  root["wallSeconds"] = outcome.wallSeconds;
  root["dofs"] = degreesOfFreedom;
  root["parameters"] = Json::object();
  for (const auto& [name, value] : parameters) root["parameters"][name] = value;
  root["probes"] = Json::object();
  for (const auto& [name, value] : probes) root["probes"][name] = value;
  root["checks"] = Json::array();
  for (const CheckResult& check : checks) {
    Json values = Json::object();
    for (const auto& [name, value] : check.values) values[name] = value;
    root["checks"].push_back(Json{{"title", check.title},
                                  {"passed", check.passed},
                                  {"at", check.at},
                                  {"points", check.points},
                                  {"values", values}});
    if (!check.reason.empty()) root["checks"].back()["reason"] = check.reason;
  }
  root["warnings"] = warnings;
  root["maxPenetration"] = maxPenetration;
  if (energy) {
    root["energy"] = Json{{"work", energy->work},
                          {"dissipated", energy->dissipated},
                          {"numerical", energy->numerical},
                          {"peak", energy->peak}};
  }
  root["scene"] = sceneHash;
  root["version"] = version();
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

namespace {

std::string list(const std::string& heading, const std::vector<std::pair<std::string, double>>& entries) {
  if (entries.empty()) return "";
  std::size_t width = 0;
  for (const auto& entry : entries) width = std::max(width, entry.first.size());
  std::string text = "\n" + heading + "\n";
  for (const auto& [name, value] : entries)
    text += "  " + name + std::string(width + 2 - name.size(), ' ') + humanNumber(value, 9) + "\n";
  return text;
}

}  // namespace

std::string Summary::human() const {
  std::string text = printable(title.empty() ? file : title + " (" + file + ")");
  text += "\n" + std::string(endingText(outcome.ending)) + " at t = " + humanNumber(time, 9) + " s";
  if (!outcome.reason.empty()) text += ": " + outcome.reason;
  text += "\n" + counted(outcome.steps, isStatic ? "load step" : "step") + ", " +
          counted(outcome.iterations, "Newton iteration") + ", " +
          (outcome.retries == 1 ? "1 retry" : std::to_string(outcome.retries) + " retries") + ", " +
          counted(degreesOfFreedom, "unknown") + ", " + humanNumber(outcome.wallSeconds, 3) + " s of computing";
  if (!isStatic && outcome.wallSeconds > 0 && time > startTime)
    text += " (" + humanNumber((time - startTime) / outcome.wallSeconds, 3) + " times real time)";
  text += "\n" + list("Parameters", parameters) + list("Probes at the end", probes);
  if (!checks.empty()) text += "\nChecks\n";
  for (const CheckResult& check : checks) {
    text += (check.passed ? "  pass  " : "  FAIL  ") + printable(check.title);
    if (!check.passed && !check.values.empty()) text += ": " + valuesText(check.values);
    if (!check.reason.empty()) text += "; " + check.reason;
    text += "\n";
  }
  if (openChecks > 0)
    text += "\n" + counted(openChecks, "check") + " not decided: the run ended before " +
            (openChecks == 1 ? "its" : "their") + " time\n";
  if (otherChecks > 0)
    text += "\n" + counted(otherChecks, "check") + " with parameters of " + (otherChecks == 1 ? "its" : "their") +
            " own not run; `tendril check` runs them\n";
  if (energy && energy->peak > 0)
    text += "\nEnergy: work " + humanNumber(energy->work, 4) + " J, dissipated " + humanNumber(energy->dissipated, 4) +
            " J, numerical " + humanNumber(energy->numerical, 3) + " J; at most " + humanNumber(energy->peak, 4) +
            " J in motion, bending and contact\n";
  if (maxPenetration > 0) text += "\nLargest penetration " + humanNumber(maxPenetration) + " m\n";
  return text;
}

}  // namespace tendril::cli
