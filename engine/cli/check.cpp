// Each scene's process reports what is planned and decided as it runs; checks that it leaves open fail with the reason
// for which it ended.
#include "cli/check.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>

#include "cli/atomic_file.h"
#include "cli/check_messages.h"
#include "cli/check_report.h"
#include "cli/check_scene.h"
#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/numbers.h"
#include "cli/part_files.h"
#include "cli/process.h"
#include "cli/scene_input.h"
#include "cli/targets.h"
#include "text/words.h"

namespace tendril::cli {

namespace {

/// Lines are printed at once, except where stdout holds JSON.
class Printer {
 public:
  explicit Printer(bool quiet) : quiet_(quiet) {}
  void print(const std::string& line) const {
    if (quiet_) return;
    std::printf("%s\n", printable(line).c_str());
    std::fflush(stdout);
  }

 private:
  bool quiet_;
};

/// A scene that was not read within `--limit`.
class LateInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Source of the scenes' texts: files are read when needed, standard input and pipes once, each within the limit of a
/// scene.
class Inputs {
 public:
  void readOnce(const std::vector<std::string>& paths, std::optional<double> seconds) {
    std::error_code ignored;
    for (const std::string& path : paths) {
      if (path != "-" && (std::filesystem::is_regular_file(path, ignored) || !std::filesystem::exists(path, ignored)))
        continue;
      if (once_.count(path) > 0) continue;
      Once& once = once_[path];
      const Clock::time_point begun = Clock::now();
      try {
        once.input = readScene(path, [&] {
          if (InterruptGuard::interrupted()) throw LateInput("interrupted");
          if (seconds && std::chrono::duration<double>(Clock::now() - begun).count() > *seconds)
            throw LateInput("took longer than " + humanNumber(*seconds) + " s (--limit)");
        });
      } catch (const FileError& error) {
        once.error = error.what();
      } catch (const LateInput& late) {
        once.late = late.what();
      }
    }
  }
  /// Throws FileError or LateInput.
  SceneInput read(const std::string& path) const {
    const auto found = once_.find(path);
    if (found == once_.end()) return readScene(path);
    if (!found->second.error.empty()) throw FileError(found->second.error);
    if (!found->second.late.empty()) throw LateInput(found->second.late);
    return found->second.input;
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Once {
    SceneInput input;
    std::string error, late;
  };
  std::map<std::string, Once> once_;
};

/// [bytes] Minimum for reading the titles of a scene, whatever its run is allowed.
constexpr double roomToPlan = 1 << 30;

/// Whether a check of the scene has no line yet.
bool isOpen(const SceneChecks& scene, int index) {
  return std::none_of(scene.lines.begin(), scene.lines.end(),
                      [index](const CheckLine& line) { return line.index == index; });
}

/// One call of `tendril check`.
class CheckCall {
 public:
  explicit CheckCall(const Arguments& arguments) : printer_(arguments.has("--json")) {
    request_.overrides = arguments.assignments("--set");
    request_.only = arguments.texts("--only");
    limits_.seconds = arguments.positiveNumber("--limit");
    if (limits_.seconds && !haveProcesses())
      throw UsageError("--limit: this system has no processes that could be ended");
    limits_.bytes = request_.bytes = 1048576 * arguments.positiveNumber("--memory").value_or(machineMemory() / 1048576);
    for (const std::string& path : arguments.operands()) {
      paths_.push_back(path);
      scenes_.emplace_back();
      scenes_.back().file = path == "-" ? "<stdin>" : path;
    }
  }

  void run() {
    inputs_.readOnce(paths_, limits_.seconds);
    planAll();
    refuseUnknownTitles();
    for (std::size_t i = 0; i < scenes_.size(); ++i) {
      if (!InterruptGuard::interrupted()) inChild(i);
      complete(scenes_[i]);
    }
  }

  const std::vector<SceneChecks>& scenes() const { return scenes_; }
  const Printer& printer() const { return printer_; }

 private:
  /// The checks of each scene are found before any of them runs, so that they count whatever happens to it. One process
  /// reads all scenes; a scene that crashes it is skipped.
  void planAll() {
    ChildLimits limits = limits_;
    limits.interruptible = false;
    limits.seconds.reset();
    if (limits.bytes > 0) limits.bytes = std::max(limits.bytes, roomToPlan);
    std::size_t next = 0;
    CheckListener listener;
    listener.planned = [&](const std::vector<PlannedCheck>& planned) { scenes_.at(next++).planned = planned; };
    listener.ended = [&](const SceneChecks&) { allReported_ = false, ++next; };
    const auto task = [&](const SendLine& send) {
      for (std::size_t i = next; i < paths_.size(); ++i) {
        const auto planned = plan(i);
        planned ? sendingListener(send).planned(*planned) : sendingListener(send).ended({});
      }
    };
    while (next < scenes_.size()) {
      try {
        if (runInChild(
                task, limits, [&](const std::string& line) { receiveMessage(line, listener); }, [](ChildEnd::How) {})
                .how == ChildEnd::How::done)
          return;
      } catch (const std::exception&) {  // no process could be started; inChild reports why
        for (; next < scenes_.size(); ++next) planHere(next);
        return;
      }
      allReported_ = false;
      ++next;
    }
  }

  std::optional<std::vector<PlannedCheck>> plan(std::size_t i) const {
    try {
      return planOf(inputs_.read(paths_[i]).text, request_);
    } catch (const FileError&) {
    } catch (const LateInput&) {
    } catch (const std::bad_alloc&) {
    }
    return std::nullopt;
  }

  void planHere(std::size_t i) {
    if (const auto planned = plan(i))
      scenes_[i].planned = *planned;
    else
      allReported_ = false;
  }

  /// The work of the child: reads the scene and reports it.
  void work(std::size_t i, const CheckListener& listener) const {
    SceneChecks end;
    try {
      checkScene(inputs_.read(paths_[i]), request_, listener);
      return;
    } catch (const FileError& error) {
      std::fprintf(stderr, "tendril: %s\n", error.what());
      end.status = "bad scene";
      end.reason = "the file cannot be read";
      end.problems.push_back(error.what());
      end.exitCode = exitBadInput;
    } catch (const LateInput& late) {
      std::fprintf(stderr, "tendril: %s: %s\n", scenes_[i].file.c_str(), late.what());
      end.status = "out of time";
      end.reason = late.what();
      end.exitCode = exitGaveUp;
    } catch (const std::bad_alloc&) {
      end.status = "gave up";
      end.reason = "out of memory before it began";
      end.exitCode = exitGaveUp;
    }
    listener.ended(end);
  }

  void inChild(std::size_t i) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begun = Clock::now();
    SceneChecks& scene = scenes_[i];
    bool asked = false;
    std::vector<CheckLine> ahead;
    CheckListener listener;
    listener.planned = [&](const std::vector<PlannedCheck>& planned) { scene.planned = planned; };
    listener.ahead = [&](const CheckLine& line) { ahead.push_back(line); };
    listener.decided = [&](const CheckLine& decided) {
      CheckLine line = decided;
      if (asked && !line.reason.empty()) line.reason = scene.reason + " at t = " + humanNumber(line.result.at) + " s";
      add(scene, line);
    };
    listener.ended = [&](const SceneChecks& end) {
      if (asked) return;
      scene.status = end.status, scene.reason = end.reason, scene.problems = end.problems;
      scene.exitCode = worseExit(scene.exitCode, end.exitCode);
    };
    const auto ending = [&](ChildEnd::How how) {
      asked = true;
      const bool late = how == ChildEnd::How::outOfTime;
      stop(scene, late ? "out of time" : "stopped",
           late ? "took longer than " + humanNumber(*limits_.seconds) + " s (--limit)" : "interrupted",
           late ? exitGaveUp : exitInterrupted);
    };
    ChildEnd end;
    try {
      end = runInChild([&](const SendLine& send) { work(i, sendingListener(send)); }, limits_,
                       [&](const std::string& line) { receiveMessage(line, listener); }, ending);
    } catch (const std::exception& error) {  // for example, no process could be started: the next one may succeed
      end.how = ChildEnd::How::died;
      end.reason = error.what();
    }
    for (const CheckLine& line : ahead)
      if (isOpen(scene, line.index)) add(scene, line);
    // The child may see the request first; one that only the child received does not end the others.
    const bool alone = scene.status == "stopped" && !asked && !InterruptGuard::interrupted();
    if (alone) scene.exitCode = exitGaveUp;
    if (end.how == ChildEnd::How::died) stop(scene, "crashed", end.reason, exitGaveUp);
    if (end.how == ChildEnd::How::interrupted && !asked) ending(end.how);
    if (scene.status == "stopped" || asked || end.how == ChildEnd::How::died)
      std::fprintf(stderr, "tendril: %s: %s\n", scene.file.c_str(), scene.reason.c_str());
    scene.wallSeconds = std::chrono::duration<double>(Clock::now() - begun).count();
  }

  static void stop(SceneChecks& scene, const std::string& status, const std::string& reason, int exitCode) {
    scene.status = status;
    scene.reason = reason;
    scene.exitCode = worseExit(scene.exitCode, exitCode);
  }

  void add(SceneChecks& scene, const CheckLine& line) const {
    printer_.print(checkText(scene.file, line));
    scene.lines.push_back(line);
  }

  void addError(SceneChecks& scene, const PlannedCheck& check, const std::string& reason) const {
    CheckLine line;
    line.index = check.index;
    line.result.title = check.title;
    line.result.points = check.points;
    line.with = check.with;
    line.reason = reason;
    line.error = true;
    add(scene, line);
  }

  /// Checks that no run decided fail.
  void complete(SceneChecks& scene) const {
    if (scene.status == "not run") stop(scene, "not run", "not run: interrupted before", exitInterrupted);
    const auto own = [](const char* title) {
      PlannedCheck check;
      check.index = -1, check.title = title, check.points = 0;
      return check;
    };
    if (scene.status == "bad scene" && !scene.problems.empty()) {
      const std::size_t count = scene.problems.size();
      const std::string many = count == 1 ? "" : counted(static_cast<long>(count), "problem") + ", the first: ";
      addError(scene, own("loads"), many + scene.problems.front());
    }
    const bool nothing = scene.status == "done" && scene.lines.empty();
    for (const PlannedCheck& check : std::vector<PlannedCheck>(scene.planned))
      if (check.wanted && isOpen(scene, check.index))
        addError(scene, check, scene.reason.empty() ? "it was not run" : scene.reason);
    const bool failed =
        std::any_of(scene.lines.begin(), scene.lines.end(), [](const CheckLine& line) { return !line.result.passed; });
    if (scene.status != "done" && !failed) addError(scene, own("runs to its end"), scene.reason);
    if (nothing && scene.lines.empty())
      printer_.print("      " + scene.file + (request_.only.empty() ? ": no checks" : ": none of these checks"));
  }

  /// A title that no scene has is a typing error, unless the titles of some scene are unknown.
  void refuseUnknownTitles() const {
    if (!allReported_) return;
    std::vector<std::string> known;
    for (const SceneChecks& scene : scenes_)
      for (const PlannedCheck& check : scene.planned) known.push_back(check.title);
    for (const std::string& title : request_.only) {
      if (InterruptGuard::interrupted() || std::find(known.begin(), known.end(), title) != known.end()) continue;
      const std::string nearest = text::nearestName(title, known);
      throw UsageError("--only: no check is called \"" + title + "\"" +
                       (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
    }
  }

  Printer printer_;
  Inputs inputs_;
  CheckRequest request_;
  ChildLimits limits_;
  std::vector<std::string> paths_;
  std::vector<SceneChecks> scenes_;
  bool allReported_ = true;  // whether every scene reported its checks
};

}  // namespace

int checkCommand(const Arguments& arguments) {
  std::unique_ptr<AtomicFile> junit;
  if (const auto file = arguments.fileName("--junit")) {
    refuseToReplace("--junit", *file, arguments.operands());
    sweepPartsOf(*file);
    junit = std::make_unique<AtomicFile>(*file);
  }
  const InterruptGuard guard;
  CheckCall call(arguments);
  call.run();
  const std::vector<SceneChecks>& scenes = call.scenes();
  int exitCode = exitDone;
  try {
    if (junit) junit->write(checksJunit(scenes)), junit->commit();
  } catch (const FileError& error) {
    std::fprintf(stderr, "tendril: %s\n", error.what());
    exitCode = exitGaveUp;
  }
  if (arguments.has("--json")) std::fputs(checksJson(scenes).c_str(), stdout);
  const CheckTotals sum = totals(scenes);
  if (sum.possible > 0)
    call.printer().print(humanNumber(sum.points, 12) + " of " + humanNumber(sum.possible, 12) + " points");
  call.printer().print(std::to_string(sum.passed) + " passed, " + std::to_string(sum.failed) + " failed");
  for (const SceneChecks& scene : scenes) exitCode = worseExit(exitCode, scene.exitCode);
  return exitCode;
}

}  // namespace tendril::cli
