// What is wrong with the plan is found before the first step, so that exit code 2 means that nothing was written.
#include "cli/fit.h"

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>

#include "cli/atomic_file.h"
#include "cli/exit_code.h"
#include "cli/fit_json.h"
#include "cli/fit_report.h"
#include "cli/fit_scene.h"
#include "cli/interrupt.h"
#include "cli/jobs.h"
#include "cli/numbers.h"
#include "cli/progress.h"
#include "cli/scene_input.h"
#include "cli/sha256.h"
#include "cli/targets.h"
#include "fit/exact_runs.h"
#include "fit/fit.h"
#include "tendril/simulation.h"

namespace tendril::cli {

namespace {

using Clock = std::chrono::steady_clock;

/// A word as a shell takes it.
std::string quoted(const std::string& word) {
  constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+=,:@";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

struct FitCall {
  std::string plan;
  std::optional<std::string> out, write;
  bool resume = false, json = false;
  int jobs = 1;

  std::string command() const {
    std::string text = "tendril fit " + quoted(plan);
    if (out) text += " --out " + quoted(*out);
    if (write) text += " --write " + quoted(*write);
    return text + " --jobs " + std::to_string(jobs);
  }
};

FitCall readCall(const Arguments& arguments) {
  FitCall call;
  call.plan = arguments.operands()[0];
  call.out = arguments.fileName("--out"), call.write = arguments.fileName("--write");
  call.resume = arguments.has("--resume"), call.json = arguments.has("--json");
  if (call.resume && !call.out) throw UsageError("--resume goes on from DIR/fit.json: give --out DIR, too");
  const double jobs = arguments.positiveNumber("--jobs").value_or(machineThreads());
  if (jobs != std::floor(jobs) || jobs > 256) throw UsageError("--jobs needs a whole number up to 256");
  call.jobs = int(jobs);
  return call;
}

/// The plan, and what it was read from.
struct LoadedPlan {
  fit::Plan plan;
  std::vector<std::string> files;
  std::string fingerprint;
  int exit = exitDone;
};

LoadedPlan loadPlan(const FitCall& call) {
  LoadedPlan out;
  const SceneInput input = readScene(call.plan);
  std::string all = input.text;
  const std::filesystem::path folder = call.plan == "-" ? "" : std::filesystem::path(call.plan).parent_path();
  const fit::Files files = [&](const std::string& name) -> fit::FileText {
    const std::string path = (folder / name).string();
    try {
      std::string text = readScene(path).text;
      out.files.push_back(path);
      all += std::string(1, '\0') + name + std::string(1, '\0') + text;
      return {std::move(text), {}};
    } catch (const FileError& error) {
      return {{}, std::string(error.what()) + " (names are relative to the plan)"};
    }
  };
  try {
    const LoadingLine line(input.name);
    auto plan = fit::readPlan(input.text, files);
    if (const auto* problems = std::get_if<Problems>(&plan)) {
      printProblems(*problems, input.name);
      out.exit = exitBadInput;
      return out;
    }
    out.plan = std::move(std::get<fit::Plan>(plan));
  } catch (const GaveUp& error) {
    std::fprintf(stderr, "tendril: %s: gave up: %s\n", printable(input.name).c_str(), printable(error.what()).c_str());
    out.exit = exitGaveUp;
    return out;
  }
  out.fingerprint = sha256(all);
  return out;
}

/// No file of the call may replace another. Throws UsageError.
void refuseClashes(const FitCall& call, const LoadedPlan& loaded) {
  std::vector<std::string> inputs = loaded.files;
  if (call.plan != "-") inputs.push_back(call.plan);
  for (const std::string& input : inputs) {
    // The scene itself may be brought up to date.
    if (call.write && isSameFile(*call.write, input) && (loaded.plan.sceneInside || input != loaded.files.front()))
      throw UsageError("--write would replace " + input + ", which the fit reads: give another file");
    for (const char* name : {"/fit.json", "/report.html"})
      if (call.out && isSameFile(*call.out + name, input))
        throw UsageError("--out would replace " + input + ": give another folder");
  }
  if (!call.write) return;
  for (const char* name : {"/fit.json", "/report.html"})
    if (call.out && isSameFile(*call.out + name, *call.write))
      throw UsageError("--write and --out would both write " + *call.write + ": give another file");
  // Knots that are written become formulas of parameters, which no plan finds as a series again.
  if (loaded.plan.hasSeries && !loaded.plan.sceneInside && isSameFile(*call.write, loaded.files.front()))
    throw UsageError("--write would replace " + *call.write +
                     ", whose series the plan takes its knots from: give another file");
  for (const fit::Unknown& unknown : loaded.plan.unknowns)
    if (unknown.ofScene) return;
  throw UsageError("--write: none of the unknowns is a parameter of the scene");
}

/// Where the search is, on one line of a terminal; elsewhere a line every two seconds, however long a run takes.
class FitLine {
 public:
  FitLine(const std::string& label, const fit::Plan& plan, const std::atomic<long>& runs)
      : label_(printable(label).substr(0, 24)),
        starts_(plan.starts),
        objective_(plan.objective.has_value()),
        runs_(runs),
        ticker_([this] { draw(); }) {}
  ~FitLine() {
    const std::lock_guard lock(mutex_);
    if (drawn_) std::fprintf(stderr, "\r\033[K");
    over_ = true;
  }
  FitLine(const FitLine&) = delete;
  FitLine& operator=(const FitLine&) = delete;

  void note(const fit::FitProgress& progress) {
    const std::lock_guard lock(mutex_);
    progress_ = progress;
  }

 private:
  void draw() {
    const std::lock_guard lock(mutex_);
    const Clock::time_point now = Clock::now();
    // The ticker comes four times a second.
    if (over_ || (!terminal_ && now - last_ < std::chrono::milliseconds(1700))) return;
    last_ = now;
    const fit::LeastSquaresState& state = progress_.state;
    std::string line = label_ + ": start " + std::to_string(progress_.start + 1) + " of " + std::to_string(starts_) +
                       ", iteration " + std::to_string(state.iterations) + ", " + counted(runs_, "run");
    if (state.trials > 1) line += (objective_ ? ", objective " : ", cost ") + humanNumber(state.cost, 6);
    if (progress_.violation > 0) line += ", violation " + humanNumber(progress_.violation, 2);
    if (state.gaveUp > 0) line += ", " + std::to_string(state.gaveUp) + " gave up";
    std::fprintf(stderr, terminal_ ? "\r%s\033[K" : "%s\n", line.substr(0, 79).c_str());
    std::fflush(stderr);
    drawn_ = terminal_;
  }

  std::string label_;
  int starts_;
  bool objective_;
  const std::atomic<long>& runs_;
  bool terminal_ = ::isatty(STDERR_FILENO) == 1, drawn_ = false, over_ = false;
  Clock::time_point last_ = Clock::now();
  std::mutex mutex_;  // guards what is shown
  fit::FitProgress progress_;
  Ticker ticker_;  // last, so that it ends first
};

FitRecord recordOf(const FitCall& call, const LoadedPlan& loaded, const fit::FitResult& result) {
  FitRecord record;
  record.planName = call.plan == "-" ? "<stdin>" : call.plan;
  record.fingerprint = loaded.fingerprint, record.command = call.command();
  record.plan = &loaded.plan, record.result = &result;
  return record;
}

/// Where the starts led, without what is yet to be computed of the best: a second request to end loses that alone.
void writeStarts(const FitCall& call, const LoadedPlan& loaded, fit::FitResult result) {
  result.best = -1;
  writeWhole(*call.out + "/fit.json", fitJson(recordOf(call, loaded, result)));
}

fit::FitResult search(const FitCall& call, const LoadedPlan& loaded, std::vector<fit::StartResult> before, long& runs) {
  bool judging = false;  // what was found is then judged, in a few more runs
  const auto goOn = [&judging] { return judging || !InterruptGuard::interrupted(); };
  std::atomic<long> made{0};
  const fit::ForEach inThreads = [&call](std::size_t count, const std::function<void(std::size_t)>& work) {
    inParallel(call.jobs, count, work);
  };
  // Whole searches side by side, where there are enough of them; else the runs of each.
  const bool starts = loaded.plan.starts >= call.jobs;
  const fit::RunSources sources = [&] {
    return std::make_unique<fit::ExactRuns>(
        fit::DifferencedRuns::Surroundings{starts && !judging ? fit::oneByOne : inThreads, goOn, &made});
  };
  FitLine line(call.plan, loaded.plan, made);
  fit::FitOptions options;
  options.forEach = starts ? inThreads : fit::oneByOne;
  options.before = std::move(before);
  options.goOn = [&](const fit::FitProgress& progress) {
    line.note(progress);
    return goOn();
  };
  options.onSearched = [&](const fit::FitResult& result) {
    judging = true;
    if (result.stopped && call.out) writeStarts(call, loaded, result);
  };
  fit::FitResult result = fit::fitPlan(loaded.plan, sources, options);
  runs = made;
  return result;
}

/// `written`: the file of --write, if there is one.
void writeFiles(const FitCall& call, const LoadedPlan& loaded, const FitRecord& record, AtomicFile* written) {
  if (call.out) {
    writeWhole(*call.out + "/fit.json", fitJson(record));
    writeWhole(*call.out + "/report.html", fitReport(record));
  }
  if (!written || record.result->best < 0 || !record.keepsLimits()) return;
  std::map<std::string, double> values;
  for (std::size_t u = 0; u < loaded.plan.unknowns.size(); ++u)
    if (loaded.plan.unknowns[u].ofScene) values[loaded.plan.unknowns[u].name] = record.result->values[Eigen::Index(u)];
  written->write(withValues(loaded.plan.sceneText, values));
  written->commit();
}

void tell(const FitCall& call, const FitRecord& record) {
  if (call.json) {
    std::fputs(fitJson(record).c_str(), stdout);
  } else if (record.result->best >= 0) {
    std::fputs(fitSummary(record).c_str(), stdout);
    if (call.out) std::printf("report: %s/report.html\n", call.out->c_str());
  }
  if (record.result->best >= 0 || record.result->stopped) return;
  const auto& starts = record.result->starts;
  std::fprintf(stderr, "tendril: %s: gave up: %s\n", printable(record.planName).c_str(),
               starts.empty() ? "there was no start" : printable(starts.front().reason).c_str());
}

}  // namespace

int fitCommand(const Arguments& arguments) {
  const FitCall call = readCall(arguments);
#ifdef M_ARENA_MAX
  ::mallopt(M_ARENA_MAX, call.jobs);  // threads that share memory's one lock wait for each other
#endif
  const LoadedPlan loaded = loadPlan(call);
  if (loaded.exit != exitDone) return loaded.exit;
  refuseClashes(call, loaded);
  std::vector<fit::StartResult> before;
  if (call.resume) {
    const std::string file = *call.out + "/fit.json";
    before = startsIn(readScene(file).text, file, loaded.fingerprint, loaded.plan.unknowns.size());
  }
  if (call.out) makeFolder(*call.out);
  // Opened now, so that a path where nothing can be written ends the call before the search and not after it.
  std::optional<AtomicFile> written;
  if (call.write) written.emplace(*call.write);
  const InterruptGuard guard;
  const Clock::time_point begun = Clock::now();
  long runs = 0;
  const fit::FitResult result = search(call, loaded, std::move(before), runs);
  FitRecord record = recordOf(call, loaded, result);
  record.runs = runs;
  record.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  InterruptGuard::waitAgain();
  try {
    writeFiles(call, loaded, record, written ? &*written : nullptr);
  } catch (const FileError& error) {
    tell(call, record);
    std::fprintf(stderr, "tendril fit: %s\n", printable(error.what()).c_str());
    return exitGaveUp;
  }
  tell(call, record);
  if (written && result.best >= 0 && !record.keepsLimits())
    std::fprintf(stderr, "tendril: %s was not written: the limits of the plan are not kept\n",
                 printable(*call.write).c_str());
  return result.stopped ? exitInterrupted : result.best < 0 || !record.keepsLimits() ? exitGaveUp : exitDone;
}

}  // namespace tendril::cli
