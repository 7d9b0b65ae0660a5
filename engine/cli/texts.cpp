// What was asked for goes to stdout, what is wrong to stderr.
#include "cli/texts.h"

#include <cstdio>

#include "cli/atomic_file.h"
#include "cli/exit_code.h"
#include "cli/scene_input.h"
#include "scene/load.h"
#include "simulation/simulation.h"

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

}  // namespace

int validateCommand(const Arguments& arguments) {
  const LoadOptions options{arguments.assignments("--set")};
  long problems = 0, warnings = 0;
  for (const std::string& path : arguments.operands()) {
    SceneInput input;
    try {
      input = readScene(path);
    } catch (const FileError& error) {
      std::fprintf(stderr, "tendril: %s\n", error.what());
      ++problems;
      continue;
    }
    const auto loaded = loadScene(input.text, options);
    if (const Problems* list = std::get_if<Problems>(&loaded)) {
      printProblems(*list, input.name);
      problems += static_cast<long>(list->size());
      continue;
    }
    const Problems& list = std::get<Scene>(loaded).warnings;
    printWarnings(list, input.name);
    warnings += static_cast<long>(list.size());
  }
  std::printf("%s, %s\n", counted(problems, "problem").c_str(), counted(warnings, "warning").c_str());
  return problems > 0 ? exitBadInput : exitDone;
}

int expandCommand(const Arguments& arguments) {
  const SceneInput input = readScene(arguments.operands()[0]);
  return printTextOrProblems(expandScene(input.text, {arguments.assignments("--set")}), input.name);
}

int importCommand(const Arguments& arguments) {
  const SceneInput input = readScene(arguments.operands()[0]);
  return printTextOrProblems(importGeometry(input.text, arguments.text("--material").value_or("")), input.name);
}

int schemaCommand(const Arguments&) { return printTextOrProblems(sceneSchema(), ""); }

int versionCommand(const Arguments&) {
  std::printf("tendril %s\n", version());
  return exitDone;
}

}  // namespace tendril::cli
