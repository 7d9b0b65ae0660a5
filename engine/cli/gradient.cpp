#include "cli/gradient.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <stdexcept>

#include <nlohmann/json.hpp>
#include "cli/atomic_file.h"
#include "cli/drive.h"
#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/numbers.h"
#include "cli/progress.h"
#include "cli/scene_input.h"
#include "tendril/sensitivities.h"

namespace tendril::cli {
namespace {

using Json = nlohmann::ordered_json;

/// A column at a time, with its derivatives by each parameter; not a number until the run has come there.
struct Wanted {
  std::string column;
  std::size_t index = 0;  // of the column
  bool atEnd = true;
  double time = 0;  // [s]
  double value = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> slopes;
};

/// What the probes, and their derivatives, were at an accepted state.
struct Row {
  double time = 0;
  std::vector<double> values;
  std::vector<std::vector<double>> slopes;  // per parameter
};

Row rowOf(const Sensitivities& s) {
  Row row{s.run().time(), {s.run().values().begin(), s.run().values().end()}, {}};
  for (std::size_t i = 0; i < s.with().size(); ++i) {
    const std::span<const double> slopes = s.slopes(i);
    row.slopes.emplace_back(slopes.begin(), slopes.begin() + static_cast<std::ptrdiff_t>(row.values.size()));
  }
  return row;
}

/// "tip.x@0.5", "tip.x@end" or "tip.x".
Wanted wantedOf(const std::string& text, const Simulation& run, double until) {
  Wanted out;
  const std::size_t at = text.rfind('@');
  out.column = text.substr(0, at);
  const std::vector<std::string>& columns = run.columns();
  const auto found = std::find(columns.begin(), columns.end(), out.column);
  if (found == columns.end()) {
    std::string all;
    for (const std::string& c : columns) all += (all.empty() ? "" : ", ") + c;
    throw UsageError("--of " + text + ": no probe column \"" + out.column + "\"; the scene has " +
                     (all.empty() ? "none" : all));
  }
  out.index = static_cast<std::size_t>(found - columns.begin());
  const std::string when = at == std::string::npos ? "end" : text.substr(at + 1);
  if (when == "end") return out;
  out.atEnd = false;
  const std::optional<double> time = parseNumber(when);
  if (!time || !(*time >= 0)) throw UsageError("--of " + text + ": after the @ comes a time in seconds, or \"end\"");
  out.time = *time;
  if (out.time > until * (1 + 1e-12))
    throw UsageError("--of " + text + ": the run ends at " + humanNumber(until, 12) + " s");
  return out;
}

/// Linear between the states before and after, as rows of result files are.
void read(Wanted& wanted, const Row& before, const Row& now) {
  const double length = now.time - before.time, part = length > 0 ? (wanted.time - before.time) / length : 1;
  const auto mean = [part](double a, double b) { return part == 1 ? b : a + part * (b - a); };
  wanted.value = mean(before.values[wanted.index], now.values[wanted.index]);
  wanted.slopes.clear();
  for (std::size_t i = 0; i < now.slopes.size(); ++i)
    wanted.slopes.push_back(mean(before.slopes[i][wanted.index], now.slopes[i][wanted.index]));
}

void addRow(std::string& csv, const Row& row) {
  appendDigits17(csv, row.time);
  for (std::size_t c = 0; c < row.values.size(); ++c) {
    for (const std::vector<double>& slopes : row.slopes) csv += ',', appendDigits17(csv, slopes[c]);
  }
  csv += '\n';
}

std::string headOf(const Sensitivities& s) {
  std::string csv = "t";
  for (const std::string& column : s.run().columns()) {
    for (const std::string& name : s.with()) csv += ",d(" + column + ")/d(" + name + ")";
  }
  return csv + "\n";
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

void print(const std::vector<Wanted>& all, const std::vector<ParameterInfo>& with) {
  for (const Wanted& w : all) {
    std::printf("\n%s at t = %s s: %s\n", printable(w.column).c_str(), humanNumber(w.time, 9).c_str(),
                humanNumber(w.value, 9).c_str());
    for (std::size_t i = 0; i < with.size(); ++i) {
      const std::string unit = with[i].unit.empty() ? "" : " per " + with[i].unit;
      const double share = w.slopes[i] * with[i].value / w.value;
      std::printf("  by %-12s %16s%s", printable(with[i].name).c_str(), humanNumber(w.slopes[i], 9).c_str(),
                  printable(unit).c_str());
      if (std::isfinite(share) && share != 0) std::printf("   (1 %% more: %s %%)", humanNumber(share, 4).c_str());
      std::printf("\n");
    }
  }
}

Json jsonOf(const std::string& scene, const std::vector<Wanted>& all, const std::vector<ParameterInfo>& with,
            const std::vector<std::string>& doubts) {
  Json out = {{"format", "tendril-gradient/1"}, {"scene", scene}};
  Json parameters = Json::array(), of = Json::array(), told = Json::array();
  for (const ParameterInfo& p : with) parameters.push_back({{"name", p.name}, {"value", p.value}, {"unit", p.unit}});
  for (const Wanted& w : all) {
    Json slopes = Json::array();
    for (const double slope : w.slopes) slopes.push_back(number(slope));
    of.push_back({{"column", w.column}, {"time", w.time}, {"value", number(w.value)}, {"slopes", std::move(slopes)}});
  }
  for (const std::string& words : doubts) told.push_back(words);
  out["with"] = std::move(parameters), out["of"] = std::move(of), out["doubts"] = std::move(told);
  return out;
}

}  // namespace

int gradientCommand(const Arguments& arguments) {
  const std::vector<std::string> with = arguments.list("--with");
  if (with.empty()) throw UsageError("give --with A,B: the parameters to differentiate by");
  const std::optional<std::string> file = arguments.fileName("--out");
  const std::optional<double> asked = arguments.number("--until");
  const SceneInput input = readScene(arguments.operands()[0]);
  const std::string name = printable(input.name);
  std::unique_ptr<Sensitivities> s;
  try {
    const LoadingLine line(input.name);
    s = std::make_unique<Sensitivities>(input.text, arguments.assignments("--set"), with,
                                        arguments.assignments("--scale"));
  } catch (const BadScene& bad) {
    printProblems(bad.problems, input.name);
    return exitBadInput;
  } catch (const GaveUp& error) {
    std::fprintf(stderr, "tendril: %s: gave up: %s\n", name.c_str(), printable(error.what()).c_str());
    return exitGaveUp;
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  const Simulation& run = s->run();
  printWarnings(run.sceneWarnings(), input.name);
  const double until = asked.value_or(run.duration());
  if (!(until >= 0) || until > run.duration() * (1 + 1e-12))
    throw UsageError("--until " + humanNumber(until, 12) + ": the run goes from 0 to " +
                     humanNumber(run.duration(), 12) + " s");
  std::vector<Wanted> wanted;
  for (const std::string& text : arguments.list("--of")) wanted.push_back(wantedOf(text, run, until));
  for (std::size_t c = 0; c < run.columns().size() && arguments.list("--of").empty(); ++c)
    wanted.push_back(wantedOf(run.columns()[c], run, until));
  if (wanted.empty()) throw UsageError("the scene has no probes, so there is nothing to differentiate");

  const InterruptGuard guard;
  std::string csv = headOf(*s);
  Row before = rowOf(*s);
  const auto afterStep = [&] {
    Row now = rowOf(*s);
    for (Wanted& w : wanted) {
      if (!w.atEnd && w.slopes.empty() && w.time <= now.time * (1 + 1e-12)) read(w, before, now);
    }
    if (file) addRow(csv, now);
    before = std::move(now);
    return true;
  };
  const Outcome outcome = drive(
      run, [&](const KeepGoing& keepGoing) { return s->step(keepGoing); }, until, input.name, afterStep);
  for (Wanted& w : wanted) {
    if (w.atEnd) w.time = before.time;
    if (w.atEnd || w.slopes.empty()) read(w, before, before);
  }
  if (file) writeWhole(*file, csv);
  for (const std::string& doubt : s->doubts())
    std::fprintf(stderr, "%s: warning: %s\n", name.c_str(), printable(doubt).c_str());
  std::vector<ParameterInfo> parameters;
  for (const std::string& parameter : with) {
    for (const ParameterInfo& p : run.parameters()) {
      if (p.name == parameter) parameters.push_back(p);
    }
  }
  if (outcome.ending != Ending::done) {
    std::fprintf(stderr, "tendril: %s: %s: %s\n", name.c_str(), endingText(outcome.ending),
                 printable(outcome.reason).c_str());
    return outcome.ending == Ending::gaveUp ? exitGaveUp : exitInterrupted;
  }
  if (arguments.has("--json")) {
    const Json all = jsonOf(input.name, wanted, parameters, s->doubts());
    std::fputs((all.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n").c_str(), stdout);
  } else {
    print(wanted, parameters);
  }
  return exitDone;
}

}  // namespace tendril::cli
