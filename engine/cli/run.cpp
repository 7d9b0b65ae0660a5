// Everything that can be wrong with the call or the scene is found before the first step, so that exit code 2 always
// means that nothing ran and nothing was written.
#include "cli/run.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/numbers.h"
#include "cli/output_size.h"
#include "cli/part_files.h"
#include "cli/progress.h"
#include "cli/result_folder.h"
#include "cli/scene_input.h"
#include "cli/sha256.h"
#include "cli/targets.h"
#include "scene/load/load.h"
#include "simulation/inside.h"

namespace tendril::cli {

namespace {

struct RunOptions {
  std::map<std::string, double> overrides;
  std::optional<double> until;
  std::optional<ResultOptions> results;
  std::optional<std::string> saveFile, resumeFile;
  bool json = false;
};

RunOptions readOptions(const Arguments& arguments) {
  RunOptions options;
  options.overrides = arguments.assignments("--set");
  options.until = arguments.positiveNumber("--until");
  options.saveFile = arguments.fileName("--save");
  options.resumeFile = arguments.fileName("--resume");
  options.json = arguments.has("--json");
  ResultOptions results;
  results.rows = arguments.positiveNumber("--rows");
  results.frames = arguments.positiveNumber("--frames");
  results.vtk = arguments.has("--vtk");
  results.yes = arguments.has("--yes");
  if (const auto folder = arguments.text("--out")) {
    if (folder->empty()) throw UsageError("--out needs the name of a folder");
    results.folder = *folder;
    options.results = results;
    return options;
  }
  for (const char* name : {"--rows", "--frames", "--vtk"})
    if (arguments.has(name)) throw UsageError(std::string(name) + " writes into a folder: give --out DIR too");
  return options;
}

/// Before anything is read: no file of the call may overwrite another. Throws UsageError.
void refuseClashes(const RunOptions& options, const std::string& scene) {
  if (options.saveFile) refuseToReplace("--save", *options.saveFile, {scene});
  if (!options.results) return;
  const std::string& folder = options.results->folder;
  for (const std::string& name : resultNames()) {
    const std::string result = folder + "/" + name;
    for (const std::string& own : {scene, options.resumeFile.value_or("-"), options.saveFile.value_or("-")})
      if (own != "-" && isSameFile(result, own))
        throw UsageError("--out " + folder + " would replace " + own + " by its " + name + ": give another folder");
  }
}

/// End of the run [s]; a run beyond the scene's own end hits this time exactly. Throws UsageError.
double endTime(const RunOptions& options, Simulation& simulation) {
  const double until = options.until.value_or(simulation.duration());
  if (options.resumeFile && until < simulation.time() * (1 - 1e-12))
    throw UsageError("--until " + humanNumber(until, 12) + ": the saved run is at " +
                     humanNumber(simulation.time(), 12) + " s already");
  if (until > simulation.duration() * (1 + 1e-12)) {
    if (simulation.isStatic())
      throw UsageError("--until " + humanNumber(until, 12) + ": this static scene ends with its full load at " +
                       humanNumber(simulation.duration(), 12) + " s");
    simulation.setDuration(std::max(until, simulation.time()));
  }
  if (options.results) refuseHugeOutput(*options.results, simulation, until);
  return until;
}

/// Restores the simulation from a save with its parameters, after which `--set` may change live ones. Throws UsageError
/// or FileError.
void resume(Simulation& simulation, const RunOptions& options) {
  const std::string& file = *options.resumeFile;
  // A run's state does not grow without bound: a file many times as long is not a save.
  const std::size_t mostBytes = std::max(std::size_t{64} << 20, 16 * simulation.save().size());
  const std::string bytes = readWhole(file, mostBytes);
  try {
    simulation.restore({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
  } catch (const std::runtime_error& error) {
    throw FileError("--resume " + file + ": " + error.what());
  }
  for (const ParameterInfo& parameter : simulation.parameters()) {
    const auto wanted = options.overrides.find(parameter.name);
    if (wanted == options.overrides.end() || wanted->second == parameter.value) continue;
    if (!parameter.live)
      throw UsageError("--set " + parameter.name + " with --resume: " + parameter.name + " was " +
                       humanNumber(parameter.value, 17) + " in the saved run and cannot change while the scene runs");
    simulation.set(parameter.name, wanted->second);
  }
}

/// In the scene's order; checks left open by a run that gave up have failed.
std::vector<CheckResult> checksOf(const Simulation& simulation, const Outcome& outcome) {
  std::vector<CheckResult> decided = simulation.checks(), out;
  if (outcome.ending != Ending::gaveUp) return decided;
  for (const int index : simulation.ownChecks()) {
    const auto found =
        std::find_if(decided.begin(), decided.end(), [&](const CheckResult& r) { return r.index == index; });
    if (found != decided.end()) {
      out.push_back(*found);
      continue;
    }
    const scene::Check& check = sceneOf(simulation).checks[static_cast<std::size_t>(index)];
    CheckResult open;
    open.index = index, open.title = check.title, open.points = check.points, open.at = simulation.time();
    open.reason = "the run gave up: " + outcome.reason;
    out.push_back(open);
  }
  return out;
}

Summary summarize(const SceneInput& input, const Simulation& simulation, double startTime, const Outcome& outcome) {
  Summary summary;
  summary.file = input.name;
  summary.title = simulation.title();
  summary.outcome = outcome;
  summary.isStatic = simulation.isStatic();
  summary.startTime = startTime;
  summary.time = simulation.time();
  summary.degreesOfFreedom = simulation.degreesOfFreedom();
  for (const ParameterInfo& parameter : simulation.parameters())
    summary.parameters.emplace_back(parameter.name, parameter.value);
  const std::vector<std::string> names = columnNames(simulation);
  const std::vector<double> values = columnValues(simulation);
  for (std::size_t i = 0; i < names.size(); ++i) summary.probes.emplace_back(names[i], values[i]);
  summary.checks = checksOf(simulation, outcome);
  summary.openChecks = static_cast<int>(simulation.ownChecks().size() - summary.checks.size());
  summary.otherChecks = static_cast<int>(sceneOf(simulation).checks.size() - simulation.ownChecks().size());
  for (const Problem& warning : simulation.sceneWarnings())
    summary.warnings.push_back(describeWarning(warning, input.name));
  summary.warnings.insert(summary.warnings.end(), outcome.warnings.begin(), outcome.warnings.end());
  summary.maxPenetration = simulation.maxPenetration();
  summary.energy = simulation.energyBalance();
  summary.sceneHash = sha256(input.text);
  return summary;
}

/// The summary if the program is ended within a step.
Summary cutSummary(const SceneInput& input, const Simulation& simulation, double start) {
  Outcome outcome;
  outcome.ending = Ending::stopped;
  outcome.reason =
      "interrupted within a step that takes too long to wait for: only rows and frames until then are kept, and "
      "this is the summary of the start";
  return summarize(input, simulation, start, outcome);
}

int exitOf(Ending ending) {
  if (ending == Ending::gaveUp) return exitGaveUp;
  return ending == Ending::stopped ? exitInterrupted : exitDone;
}

/// `whole`: no results were lost.
const char* whereText(const std::string& folder, bool whole) {
  if (whole) return "results in";
  std::error_code ignored;
  return std::filesystem::exists(folder + "/summary.json", ignored) ? "not all of its results are in" : "no summary in";
}

/// `lost`: what could not be written; `whole`: nothing in the results folder was lost.
void report(const RunOptions& options, const Summary& summary, const std::vector<std::string>& lost = {},
            bool whole = true) {
  for (const std::string& reason : lost)
    if (reason != summary.outcome.reason) std::fprintf(stderr, "tendril: %s\n", printable(reason).c_str());
  if (!summary.outcome.reason.empty())
    std::fprintf(stderr, "tendril: %s: %s: %s\n", printable(summary.file).c_str(), endingText(summary.outcome.ending),
                 printable(summary.outcome.reason).c_str());
  if (options.json)
    std::fputs(summary.json().c_str(), stdout);
  else if (!options.results)
    std::fputs(summary.human().c_str(), stdout);
  else
    std::fprintf(stderr, "%s: %s at t = %s s, %s %s\n", printable(summary.file).c_str(),
                 endingText(summary.outcome.ending), humanNumber(summary.time, 9).c_str(),
                 whereText(options.results->folder, whole), options.results->folder.c_str());
}

/// The solver gave up before the first state (no initial equilibrium was found): only a summary.
int neverBegan(const SceneInput& input, const RunOptions& options, const std::string& reason) {
  Summary summary;
  summary.file = input.name;
  summary.outcome.ending = Ending::gaveUp;
  summary.outcome.reason = reason;
  summary.sceneHash = sha256(input.text);
  const auto loaded = scene::loadScene(input.text, {options.overrides});
  if (const scene::Scene* scene = std::get_if<scene::Scene>(&loaded)) {
    summary.title = scene->title;
    for (const scene::Parameter& parameter : scene->parameters)
      summary.parameters.emplace_back(parameter.name, parameter.value);
    for (const Problem& warning : scene->warnings) summary.warnings.push_back(describeWarning(warning, input.name));
  }
  std::vector<std::string> lost;
  try {
    if (options.results) writeSummaryAlone(options.results->folder, summary);
  } catch (const FileError& error) {
    lost.push_back(error.what());
  }
  report(options, summary, lost, lost.empty());
  return exitGaveUp;
}

int runLoaded(Simulation& simulation, const SceneInput& input, const RunOptions& options) {
  printWarnings(simulation.sceneWarnings(), input.name);
  if (options.resumeFile) resume(simulation, options);
  const double until = endTime(options, simulation), start = simulation.time();
  const InterruptGuard guard;  // before there are temporary files
  std::unique_ptr<AtomicFile> saveFile;
  if (options.saveFile && options.results &&
      std::filesystem::path(*options.saveFile).parent_path() == std::filesystem::path(options.results->folder))
    makeFolder(options.results->folder);
  if (options.saveFile) {
    sweepPartsOf(*options.saveFile);
    saveFile = std::make_unique<AtomicFile>(*options.saveFile);
  }
  std::unique_ptr<ResultFolder> folder;
  if (options.results)
    folder = std::make_unique<ResultFolder>(*options.results, simulation, until, cutSummary(input, simulation, start));
  std::string unwritten;
  InterruptGuard::waitNoLonger(AtomicFile::keepAll);
  Outcome outcome = drive(simulation, until, input.name, [&] {
    try {
      if (folder) folder->accept(simulation);
    } catch (const FileError& error) {
      unwritten = error.what();
    }
    return unwritten.empty();
  });
  InterruptGuard::waitAgain();
  if (!unwritten.empty()) outcome.reason = unwritten;
  Summary summary = summarize(input, simulation, start, outcome);
  summary.warnOfNonFinite();
  const auto keepState = [&] {
    if (!saveFile) return;
    const std::vector<std::byte> bytes = simulation.save();
    saveFile->write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    saveFile->commit();
  };
  std::vector<std::string> lost;
  bool whole = true;
  if (folder) {
    lost = folder->finish(simulation, summary, keepState);
    whole = folder->isWhole();
  } else {
    try {
      keepState();
    } catch (const FileError& error) {
      lost.push_back(error.what());
      summary.couldNotWrite(lost.back());
    }
  }
  report(options, summary, lost, whole);
  // Data was lost after the run: exit code 2 would claim that nothing ran.
  return unwritten.empty() && lost.empty() ? exitOf(outcome.ending) : static_cast<int>(exitGaveUp);
}

}  // namespace

int runCommand(const Arguments& arguments) {
  const RunOptions options = readOptions(arguments);
  refuseClashes(options, arguments.operands()[0]);
  const SceneInput input = readScene(arguments.operands()[0]);
  std::unique_ptr<Simulation> simulation;
  try {
    const LoadingLine line(input.name);
    simulation = std::make_unique<Simulation>(input.text, options.overrides);
  } catch (const BadScene& bad) {
    printProblems(bad.problems, input.name);
    return exitBadInput;
  } catch (const GaveUp& error) {
    return neverBegan(input, options, error.what());
  } catch (const formula::Failure& error) {
    return neverBegan(input, options, error.what());
  }
  return runLoaded(*simulation, input, options);
}

}  // namespace tendril::cli
