// Reads scenes and prints problems. Everything here that speaks does so on stderr.
#include "cli/scene_input.h"

#include <cstdio>

#include "cli/atomic_file.h"
#include "scene/document.h"

namespace tendril::cli {

SceneInput readScene(const std::string& path) {
  return {path == "-" ? "<stdin>" : path, readWhole(path, Document::maximumText)};
}

void printProblems(const Problems& problems, const std::string& file) {
  for (const Problem& problem : problems) std::fprintf(stderr, "%s\n", describe(problem, file).c_str());
}

std::string describeWarning(const Problem& warning, const std::string& file) {
  Problem marked = warning;
  marked.message = "warning: " + marked.message;
  return describe(marked, file);
}

void printWarnings(const Problems& warnings, const std::string& file) {
  for (const Problem& warning : warnings) std::fprintf(stderr, "%s\n", describeWarning(warning, file).c_str());
}

std::string counted(long count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

}  // namespace tendril::cli
