#include "cli/gradient.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <span>
#include <stdexcept>

#include <nlohmann/json.hpp>
#include "cli/atomic_file.h"
#include "cli/drive.h"
#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/numbers.h"
#include "cli/progress.h"
#include "cli/scene_input.h"
#include "cli/targets.h"
#include "tendril/residuals.h"

namespace tendril::cli {
namespace {

using Json = nlohmann::ordered_json;

/// "tip.x@0.5", "tip.x@end" or "tip.x"; by default all columns at the end.
std::vector<ProbeAt> probesOf(const Arguments& arguments, const Simulation& run, double until) {
  const std::vector<std::string> given = arguments.list("--of");
  std::vector<ProbeAt> out;
  for (const std::string& text : given) {
    try {
      out.push_back(probeAt(text, run, until));
    } catch (const std::invalid_argument& error) {
      throw UsageError(std::string("--of ") + error.what());
    }
  }
  for (std::size_t c = 0; c < run.columns().size() && given.empty(); ++c) out.push_back({run.columns()[c], c, until});
  if (out.empty()) throw UsageError("the scene has no probes, so there is nothing to differentiate");
  return out;
}

/// The state after a step.
void addRow(std::string& csv, const Sensitivities& s) {
  appendDigits17(csv, s.run().time());
  for (std::size_t c = 0; c < s.run().columns().size(); ++c) {
    for (std::size_t p = 0; p < s.with().size(); ++p) csv += ',', appendDigits17(csv, s.slopes(p)[c]);
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

/// What the run gave.
struct Gradient {
  std::vector<ProbeAt> of;
  std::vector<ParameterInfo> with;
  std::vector<double> values, slopes;  // per probe; row by row
  double slope(std::size_t probe, std::size_t parameter) const { return slopes[probe * with.size() + parameter]; }
};

void print(const Gradient& g) {
  for (std::size_t k = 0; k < g.of.size(); ++k) {
    std::printf("\n%s at t = %s s: %s\n", printable(g.of[k].column).c_str(), humanNumber(g.of[k].time, 9).c_str(),
                humanNumber(g.values[k], 9).c_str());
    for (std::size_t i = 0; i < g.with.size(); ++i) {
      const std::string unit = g.with[i].unit.empty() ? "" : " per " + g.with[i].unit;
      const double share = g.slope(k, i) * g.with[i].value / g.values[k];
      std::printf("  by %-12s %16s%s", printable(g.with[i].name).c_str(), humanNumber(g.slope(k, i), 9).c_str(),
                  printable(unit).c_str());
      if (std::isfinite(share) && share != 0) std::printf("   (1 %% more: %s %%)", humanNumber(share, 4).c_str());
      std::printf("\n");
    }
  }
}

Json jsonOf(const std::string& scene, const Gradient& g, const std::vector<std::string>& doubts) {
  Json out = {{"format", "tendril-gradient/1"}, {"scene", scene}};
  Json parameters = Json::array(), of = Json::array(), told = Json::array();
  for (const ParameterInfo& p : g.with) parameters.push_back({{"name", p.name}, {"value", p.value}, {"unit", p.unit}});
  for (std::size_t k = 0; k < g.of.size(); ++k) {
    Json slopes = Json::array();
    for (std::size_t i = 0; i < g.with.size(); ++i) slopes.push_back(number(g.slope(k, i)));
    of.push_back({{"column", g.of[k].column},
                  {"time", g.of[k].time},
                  {"value", number(g.values[k])},
                  {"slopes", std::move(slopes)}});
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
  if (file) refuseToReplace("--out", *file, {input.name});
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
  Gradient gradient{probesOf(arguments, run, until), {}, {}, {}};

  const InterruptGuard guard;
  std::string csv = headOf(*s);
  ProbeSamples samples(*s, gradient.of);
  bool begun = false;
  std::vector<char> acts(with.size(), 0);
  const auto afterStep = [&] {
    if (begun) samples.take();
    begun = true;
    for (std::size_t p = 0; p < with.size(); ++p) {
      const std::span<const double> slopes = s->slopes(p);
      if (std::any_of(slopes.begin(), slopes.end(), [](double slope) { return slope != 0; })) acts[p] = 1;
    }
    if (file) addRow(csv, *s);
    return true;
  };
  const Outcome outcome = drive(
      run, [&](const KeepGoing& keepGoing) { return s->step(keepGoing); }, until, input.name, afterStep);
  if (file) writeWhole(*file, csv);
  for (const std::string& doubt : s->doubts())
    std::fprintf(stderr, "%s: warning: %s\n", name.c_str(), printable(doubt).c_str());
  for (std::size_t p = 0; p < with.size(); ++p) {
    if (!acts[p])
      std::fprintf(
          stderr,
          "%s: warning: nothing that is measured changes with \"%s\": it acts on nothing here, or in jumps, as "
          "what sets a count or a switch does\n",
          name.c_str(), printable(with[p]).c_str());
  }
  if (outcome.ending != Ending::done) {
    std::fprintf(stderr, "tendril: %s: %s: %s\n", name.c_str(), endingText(outcome.ending),
                 printable(outcome.reason).c_str());
    return outcome.ending == Ending::gaveUp ? exitGaveUp : exitInterrupted;
  }
  for (const std::string& parameter : with) {
    for (const ParameterInfo& p : run.parameters()) {
      if (p.name == parameter) gradient.with.push_back(p);
    }
  }
  gradient.values = samples.values(), gradient.slopes = samples.slopes();
  if (arguments.has("--json")) {
    const Json all = jsonOf(input.name, gradient, s->doubts());
    std::fputs((all.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n").c_str(), stdout);
  } else {
    print(gradient);
  }
  return exitDone;
}

}  // namespace tendril::cli
