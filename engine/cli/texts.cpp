// Requested output goes to stdout, problems to stderr.
#include "cli/texts.h"

#include <cstdio>
#include <map>
#include <set>

#include "cli/atomic_file.h"
#include "cli/exit_code.h"
#include "cli/progress.h"
#include "cli/scene_input.h"
#include "cli/summary.h"
#include "scene/load/load.h"
#include "tendril/simulation.h"
#include "text/words.h"

namespace tendril::cli {

namespace {

int printTextOrProblems(const std::variant<std::string, Problems>& result, const std::string& file) {
  if (const Problems* problems = std::get_if<Problems>(&result)) {
    printProblems(*problems, file);
    return exitBadInput;
  }
  const std::string& text = std::get<std::string>(result);
  std::fputs(text.c_str(), stdout);
  if (text.empty() || text.back() != '\n') std::fputs("\n", stdout);
  return exitDone;
}

/// Refuses a scene that is invalid with the parameters of one of its checks.
void refuseChecks(const std::string& text, const scene::Scene& scene, const std::map<std::string, double>& overrides) {
  std::set<std::map<std::string, double>> seen;
  Problems wrong;
  for (const scene::Check& check : scene.checks) {
    std::map<std::string, double> values = check.with;
    values.insert(overrides.begin(), overrides.end());
    if (check.with.empty() || !seen.insert(values).second) continue;
    const auto loaded = scene::loadScene(text, {values});
    const Problems* problems = std::get_if<Problems>(&loaded);
    if (!problems) continue;
    for (Problem problem : *problems) {
      problem.message = "check \"" + check.title + "\", with " + valuesText(check.with) + ": " + problem.message;
      wrong.push_back(problem);
    }
  }
  if (!wrong.empty()) throw BadScene(wrong);
}

/// The scene's warnings. Its models are built too, because some problems (such as a step that is too long for an
/// explicit integrator) only appear there. Throws BadScene.
Problems loadFully(const std::string& text, const std::map<std::string, double>& overrides) {
  const auto loaded = scene::loadScene(text, {overrides});
  if (const Problems* problems = std::get_if<Problems>(&loaded)) throw BadScene(*problems);
  refuseChecks(text, std::get<scene::Scene>(loaded), overrides);
  try {
    const Simulation built(text, overrides);
    return built.sceneWarnings();
  } catch (const GaveUp&) {  // no initial equilibrium: a result of a run, not a problem of the text
  }
  return std::get<scene::Scene>(loaded).warnings;
}

/// Whether there are more problems than are listed.
bool isCut(const Problems& problems) {
  return !problems.empty() && problems.back().message.ends_with(text::andMoreProblems);
}

}  // namespace

int validateCommand(const Arguments& arguments) {
  const std::map<std::string, double> overrides = arguments.assignments("--set");
  long problems = 0, warnings = 0;
  bool moreProblems = false, moreWarnings = false;
  for (const std::string& path : arguments.operands()) {
    SceneInput input;
    try {
      input = readScene(path);
    } catch (const FileError& error) {
      std::fprintf(stderr, "tendril: %s\n", printable(error.what()).c_str());
      ++problems;
      continue;
    }
    try {
      const Problems list = [&] {
        const LoadingLine line(input.name);
        return loadFully(input.text, overrides);
      }();
      printWarnings(list, input.name);
      warnings += static_cast<long>(list.size());
      moreWarnings = moreWarnings || isCut(list);
    } catch (const BadScene& bad) {
      printProblems(bad.problems, input.name);
      problems += static_cast<long>(bad.problems.size());
      moreProblems = moreProblems || isCut(bad.problems);
    }
  }
  const auto total = [](bool more, long count, const char* thing) {
    return (more ? "more than " : "") + counted(count, thing);
  };
  std::printf("%s, %s\n", total(moreProblems, problems, "problem").c_str(),
              total(moreWarnings, warnings, "warning").c_str());
  return problems > 0 ? exitBadInput : exitDone;
}

int expandCommand(const Arguments& arguments) {
  const SceneInput input = readScene(arguments.operands()[0]);
  return printTextOrProblems(scene::expandScene(input.text, {arguments.assignments("--set")}), input.name);
}

int importCommand(const Arguments& arguments) {
  const std::string material = arguments.text("--material").value_or("");
  if (arguments.has("--material") && material.empty())
    throw UsageError("--material needs a material as JSON, not \"\"");
  const SceneInput input = readScene(arguments.operands()[0]);
  return printTextOrProblems(scene::importGeometry(input.text, material), input.name);
}

int schemaCommand(const Arguments&) { return printTextOrProblems(scene::sceneSchema(), ""); }

int versionCommand(const Arguments&) {
  std::printf("tendril %s\n", version());
  return exitDone;
}

}  // namespace tendril::cli
