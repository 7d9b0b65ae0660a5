// Goes on after a failure, so that one report shows everything that is wrong.
#include "cli/check.h"

#include <chrono>
#include <cstdio>
#include <memory>

#include "cli/atomic_file.h"
#include "cli/check_report.h"
#include "cli/drive.h"
#include "cli/exit_code.h"
#include "cli/numbers.h"
#include "cli/scene_input.h"
#include "cli/summary.h"
#include "scene/scene.h"

namespace tendril::cli {

namespace {

/// Lines go out as they are known, except where stdout holds JSON.
class Printer {
 public:
  explicit Printer(bool quiet) : quiet_(quiet) {}
  void say(const std::string& line) const {
    if (quiet_) return;
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
  }

 private:
  bool quiet_;
};

std::string withText(const std::map<std::string, double>& with) {
  return with.empty() ? "" : " with " + valuesText(with);
}

/// The results of the checks with these indices. What the run did not decide has failed, for `reason`.
std::vector<CheckLine> collect(const Simulation& simulation, const Simulation::CheckRun& run, std::string reason) {
  const std::vector<Check>& checks = simulation.scene().checks;
  std::vector<CheckResult> decided = simulation.checks();
  if (reason.empty()) reason = "its time was never reached";
  std::vector<CheckLine> lines;
  for (const int index : run.indices) {
    const Check& check = checks[static_cast<std::size_t>(index)];
    CheckLine line;
    line.with = run.with;
    line.result.title = check.title;
    line.result.points = check.points;
    line.result.at = simulation.time();
    line.reason = reason;
    for (auto found = decided.begin(); found != decided.end(); ++found) {
      if (found->title != check.title) continue;
      line.result = *found;
      line.reason.clear();
      decided.erase(found);
      break;
    }
    lines.push_back(line);
  }
  return lines;
}

/// A line of its own for a run that gave up although none of its checks was open.
CheckLine gaveUpLine(const Simulation::CheckRun& run, const std::string& reason, double time) {
  CheckLine line;
  line.result.title = "runs to its end";
  line.result.points = 0;
  line.result.at = time;
  line.with = run.with;
  line.reason = reason;
  return line;
}

struct CheckJob {
  const SceneInput& input;
  const Printer& printer;
  SceneChecks& report;
};

void addLines(const CheckJob& job, const std::vector<CheckLine>& lines) {
  for (const CheckLine& line : lines) {
    job.printer.say(checkText(job.input.name, line));
    if (!line.result.passed) job.report.exitCode = worseExit(job.report.exitCode, exitCheckFailed);
    job.report.lines.push_back(line);
  }
}

void gaveUp(const CheckJob& job, const Simulation::CheckRun& run, const std::string& reason) {
  std::fprintf(stderr, "tendril: %s%s: gave up: %s\n", job.input.name.c_str(), withText(run.with).c_str(),
               reason.c_str());
  job.report.status = "gave up";
  job.report.exitCode = worseExit(job.report.exitCode, exitGaveUp);
}

void runGroup(const CheckJob& job, Simulation& simulation, const Simulation::CheckRun& run) {
  const Outcome outcome = drive(simulation, simulation.duration(), job.input.name, [] {});
  if (outcome.ending == Ending::gaveUp) gaveUp(job, run, outcome.reason);
  if (outcome.ending == Ending::stopped) {
    std::fprintf(stderr, "tendril: %s: %s\n", job.input.name.c_str(), outcome.reason.c_str());
    job.report.status = "stopped";
    job.report.exitCode = exitInterrupted;
  }
  std::vector<CheckLine> lines = collect(simulation, run, outcome.reason);
  bool open = false;
  for (const CheckLine& line : lines) open |= !line.reason.empty();
  if (outcome.ending == Ending::gaveUp && !open) lines.push_back(gaveUpLine(run, outcome.reason, simulation.time()));
  addLines(job, lines);
}

/// A group whose simulation could not be built: gave up before the first state.
void failGroup(const CheckJob& job, const std::vector<Check>& checks, const Simulation::CheckRun& run,
               const std::string& reason) {
  gaveUp(job, run, reason);
  std::vector<CheckLine> lines;
  for (const int index : run.indices) {
    CheckLine line = gaveUpLine(run, reason, 0);
    line.result.title = checks[static_cast<std::size_t>(index)].title;
    line.result.points = checks[static_cast<std::size_t>(index)].points;
    lines.push_back(line);
  }
  if (lines.empty()) lines.push_back(gaveUpLine(run, reason, 0));
  addLines(job, lines);
}

void badScene(const CheckJob& job, const Problems& problems) {
  printProblems(problems, job.input.name);
  for (const Problem& problem : problems) job.report.problems.push_back(describe(problem, job.input.name));
  job.report.status = "bad scene";
  job.report.exitCode = worseExit(job.report.exitCode, exitBadInput);
}

void checkLoaded(const CheckJob& job, std::unique_ptr<Simulation> main) {
  printWarnings(main->sceneWarnings(), job.input.name);
  const std::vector<Check> checks = main->scene().checks;
  std::vector<Simulation::CheckRun> runs = main->checkRuns();
  if (checks.empty()) {
    job.printer.say("      " + job.input.name + ": no checks");
    runs = {{}};  // it still has to run to its end
  }
  for (const Simulation::CheckRun& run : runs) {
    if (job.report.exitCode == exitInterrupted) return;
    if (run.with.empty()) {
      runGroup(job, *main, run);
      continue;
    }
    try {
      Simulation own(job.input.text, run.with);
      runGroup(job, own, run);
    } catch (const BadScene& bad) {
      badScene(job, bad.problems);
    } catch (const GaveUp& error) {
      failGroup(job, checks, run, error.what());
    } catch (const FormulaFailure& error) {
      failGroup(job, checks, run, error.what());
    }
  }
}

SceneChecks checkScene(const std::string& path, const Printer& printer) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begun = Clock::now();
  SceneChecks report;
  report.file = path == "-" ? "<stdin>" : path;
  report.status = "done";
  try {
    const SceneInput input = readScene(path);
    const CheckJob job{input, printer, report};
    try {
      checkLoaded(job, std::make_unique<Simulation>(input.text));
    } catch (const BadScene& bad) {
      badScene(job, bad.problems);
    } catch (const GaveUp& error) {
      failGroup(job, {}, {}, error.what());
    } catch (const FormulaFailure& error) {
      failGroup(job, {}, {}, error.what());
    }
  } catch (const FileError& error) {
    std::fprintf(stderr, "tendril: %s\n", error.what());
    report.status = "bad scene";
    report.problems.push_back(error.what());
    report.exitCode = exitBadInput;
  }
  report.wallSeconds = std::chrono::duration<double>(Clock::now() - begun).count();
  return report;
}

}  // namespace

int checkCommand(const Arguments& arguments) {
  const bool json = arguments.has("--json");
  std::unique_ptr<AtomicFile> junit;
  if (const auto file = arguments.text("--junit")) junit = std::make_unique<AtomicFile>(*file);
  const Printer printer(json);
  std::vector<SceneChecks> scenes;
  int exitCode = exitDone;
  for (const std::string& path : arguments.operands()) {
    scenes.push_back(checkScene(path, printer));
    exitCode = worseExit(exitCode, scenes.back().exitCode);
    if (exitCode == exitInterrupted) break;
  }
  if (junit) {
    junit->write(checksJunit(scenes));
    junit->commit();
  }
  if (json) std::fputs(checksJson(scenes).c_str(), stdout);
  const CheckTotals sum = totals(scenes);
  if (sum.possible > 0) printer.say(humanNumber(sum.points) + " of " + humanNumber(sum.possible) + " points");
  printer.say(std::to_string(sum.passed) + " passed, " + std::to_string(sum.failed) + " failed");
  return exitCode;
}

}  // namespace tendril::cli
