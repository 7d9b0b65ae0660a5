// Continues after a failure, so that one report shows everything that is wrong.
#include "cli/check_scene.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>
#include <set>

#include "cli/drive.h"
#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/numbers.h"
#include "cli/progress.h"
#include "cli/summary.h"
#include "scene/load/load.h"
#include "scene/resolve/resolve.h"
#include "scene/scene.h"
#include "simulation/inside.h"

namespace tendril::cli {

namespace {

bool isWanted(const std::string& title, const CheckRequest& request) {
  return request.only.empty() || std::find(request.only.begin(), request.only.end(), title) != request.only.end();
}

std::string withText(const std::map<std::string, double>& with) {
  return with.empty() ? "" : " with " + valuesText(with);
}

/// The results of the checks with these indices. Undecided ones fail with `reason`.
std::vector<CheckLine> collect(const Simulation& simulation, const Simulation::CheckRun& run, std::string reason) {
  const std::vector<scene::Check>& checks = sceneOf(simulation).checks;
  const std::vector<CheckResult> decided = simulation.checks();
  if (reason.empty()) reason = "its time was never reached";
  std::vector<CheckLine> lines;
  for (const int index : run.indices) {
    const scene::Check& check = checks[static_cast<std::size_t>(index)];
    CheckLine line;
    line.index = index;
    line.with = check.with;
    line.result.title = check.title;
    line.result.points = check.points;
    line.result.at = simulation.time();
    line.reason = reason;
    for (const CheckResult& result : decided) {
      if (result.index != index) continue;
      line.result = result;
      line.reason.clear();
    }
    lines.push_back(line);
  }
  return lines;
}

/// A separate line for a run that did not finish although none of its checks was open.
CheckLine unfinishedLine(const Simulation::CheckRun& run, const std::string& reason, double time) {
  CheckLine line;
  line.result.title = "runs to its end";
  line.result.points = 0;
  line.result.at = time;
  line.with = run.with;
  line.reason = reason;
  return line;
}

/// The run of one scene's checks, and its result.
class SceneRun {
 public:
  SceneRun(const SceneInput& input, const CheckRequest& request, const CheckListener& listener)
      : input_(input), request_(request), listener_(listener) {
    report_.status = "done";
  }

  void run() {
    guarded({}, [this] { runLoaded(loaded(request_.overrides)); });
    listener_.ended(report_);
  }

 private:
  /// Translates exceptions from a group's run to the scene's result.
  template <class Work>
  void guarded(const Simulation::CheckRun& run, const Work& work) {
    try {
      work();
    } catch (const BadScene& bad) {
      if (bad.problems.size() == 1 && bad.problems[0].message == scene::tooLargeForMemory) return outOfMemory(run);
      printProblems(bad.problems, input_.name);
      for (const Problem& problem : bad.problems) report_.problems.push_back(describe(problem, input_.name));
      ended("bad scene", "the scene does not load", exitBadInput);
    } catch (const GaveUp& error) {
      gaveUp(run, error.what());
    } catch (const formula::Failure& error) {
      gaveUp(run, error.what());
    } catch (const std::bad_alloc&) {
      outOfMemory(run);
    } catch (const std::exception& error) {
      gaveUp(run, "internal error: " + std::string(error.what()));
    }
  }

  std::unique_ptr<Simulation> loaded(const std::map<std::string, double>& values) const {
    const LoadingLine line(input_.name);
    return std::make_unique<Simulation>(input_.text, values);
  }

  void outOfMemory(const Simulation::CheckRun& run) {
    const std::string most = humanNumber(request_.bytes / 1048576) + " MiB";
    gaveUp(run, request_.bytes > 0 ? "out of memory: it may take " + most : "out of memory");
  }

  void ended(const std::string& status, const std::string& reason, int exitCode) {
    report_.status = status;
    report_.reason = reason;
    report_.exitCode = worseExit(report_.exitCode, exitCode);
  }

  void gaveUp(const Simulation::CheckRun& run, const std::string& reason) {
    std::fprintf(stderr, "tendril: %s%s: gave up: %s\n", printable(input_.name).c_str(), withText(run.with).c_str(),
                 printable(reason).c_str());
    ended("gave up", reason, exitGaveUp);
    if (!loaded_) return;  // its checks, if it has any, have failed
    if (run.indices.empty()) return listener_.decided(unfinishedLine(run, reason, 0));
    for (const int index : run.indices) {
      CheckLine line = unfinishedLine(run, reason, 0);
      line.index = index;
      line.with = checks_[static_cast<std::size_t>(index)].with;
      line.result.title = checks_[static_cast<std::size_t>(index)].title;
      line.result.points = checks_[static_cast<std::size_t>(index)].points;
      listener_.decided(line);
    }
  }

  /// Reports decided checks at once, so that they survive whatever happens to the rest of the run.
  void reportAhead(const Simulation& simulation, const Simulation::CheckRun& run, std::set<int>& reported) {
    for (const CheckLine& line : collect(simulation, run, {}))
      if (line.reason.empty() && reported.insert(line.index).second) listener_.ahead(line);
  }

  void runGroup(Simulation& simulation, const Simulation::CheckRun& run) {
    const InterruptGuard guard;
    int decided = 0;
    std::set<int> reported;
    const Outcome outcome = drive(simulation, simulation.duration(), input_.name, [&] {
      if (simulation.decidedChecks() != decided) reportAhead(simulation, run, reported);
      decided = simulation.decidedChecks();
      return true;
    });
    if (outcome.ending == Ending::gaveUp) {
      std::fprintf(stderr, "tendril: %s%s: gave up: %s\n", printable(input_.name).c_str(), withText(run.with).c_str(),
                   printable(outcome.reason).c_str());
      ended("gave up", outcome.reason, exitGaveUp);
    }
    if (outcome.ending == Ending::stopped) ended("stopped", outcome.reason, exitInterrupted);
    std::vector<CheckLine> lines = collect(simulation, run, outcome.reason);
    bool open = false;
    for (const CheckLine& line : lines) open |= !line.reason.empty();
    if (outcome.ending != Ending::done && !open)
      lines.push_back(unfinishedLine(run, outcome.reason, simulation.time()));
    for (CheckLine& line : lines) {
      line.error = outcome.ending == Ending::stopped && !line.reason.empty();
      if (!line.result.passed) report_.exitCode = worseExit(report_.exitCode, exitCheckFailed);
      listener_.decided(line);
    }
  }

  /// The parameters of a run: those of its checks override `--set`.
  std::map<std::string, double> valuesOf(const Simulation::CheckRun& run) const {
    std::map<std::string, double> values = run.with;
    values.insert(request_.overrides.begin(), request_.overrides.end());
    return values;
  }

  /// Merges runs that `--set` has made equal.
  void joinEqual(std::vector<Simulation::CheckRun>& runs) const {
    std::vector<Simulation::CheckRun> joined;
    for (const Simulation::CheckRun& run : runs) {
      const auto same = std::find_if(joined.begin(), joined.end(),
                                     [&](const Simulation::CheckRun& j) { return valuesOf(j) == valuesOf(run); });
      if (same == joined.end())
        joined.push_back(run);
      else
        same->indices.insert(same->indices.end(), run.indices.begin(), run.indices.end());
    }
    for (Simulation::CheckRun& run : joined) std::sort(run.indices.begin(), run.indices.end());
    runs = joined;
  }

  void runLoaded(std::unique_ptr<Simulation> main) {
    printWarnings(main->sceneWarnings(), input_.name);
    checks_ = sceneOf(*main).checks;
    loaded_ = true;
    std::vector<Simulation::CheckRun> runs = main->checkRuns();
    std::vector<PlannedCheck> planned;
    for (Simulation::CheckRun& run : runs) {
      for (const int i : run.indices) {
        const scene::Check& check = checks_[static_cast<std::size_t>(i)];
        planned.push_back({i, check.title, check.points, check.with, isWanted(check.title, request_)});
      }
      std::erase_if(run.indices,
                    [this](int i) { return !isWanted(checks_[static_cast<std::size_t>(i)].title, request_); });
    }
    std::erase_if(runs, [](const Simulation::CheckRun& run) { return run.indices.empty(); });
    listener_.planned(planned);
    joinEqual(runs);
    if (checks_.empty() && request_.only.empty()) runs = {{}};  // it must still run to its end
    for (const Simulation::CheckRun& run : runs) {
      if (report_.status == "stopped") return;
      const std::map<std::string, double> values = valuesOf(run);
      if (values == request_.overrides) {
        guarded(run, [&] { runGroup(*main, run); });
        continue;
      }
      guarded(run, [&] {
        const std::unique_ptr<Simulation> own = loaded(values);
        runGroup(*own, run);
      });
    }
  }

  const SceneInput& input_;
  const CheckRequest& request_;
  const CheckListener& listener_;
  std::vector<scene::Check> checks_;
  bool loaded_ = false;
  SceneChecks report_;
};

}  // namespace

std::optional<std::vector<PlannedCheck>> planOf(const std::string& sceneText, const CheckRequest& request) {
  const std::optional<text::Document> document = text::Document::glance(sceneText);
  if (!document) return std::nullopt;
  Problems problems;
  const scene::ResolvedScene resolved = scene::resolveScene(*document, request.overrides, problems);
  const text::Value* list = (problems.empty() ? resolved.root : document->root()).find("checks");
  std::vector<PlannedCheck> planned;
  for (std::size_t i = 0; list && i < list->items.size(); ++i) {
    const text::Value& item = list->items[i];
    const text::Value *title = item.find("title"), *expect = item.find("expect"), *points = item.find("points"),
                      *with = item.find("with");
    PlannedCheck check;
    check.index = static_cast<int>(i);
    check.title = title && title->isString() ? title->string : "";
    if (check.title.empty())
      check.title = expect && expect->isString() ? expect->string : "check " + std::to_string(i + 1);
    if (points) check.points = points->isNumber() && points->number >= 0 ? points->number : 0;
    if (with)
      for (const text::Member& own : with->members)
        if (own.value.isNumber()) check.with[own.key] = own.value.number;
    check.wanted = isWanted(check.title, request);
    planned.push_back(check);
  }
  return planned;
}

void checkScene(const SceneInput& input, const CheckRequest& request, const CheckListener& listener) {
  SceneRun(input, request, listener).run();
}

}  // namespace tendril::cli
