// Prints a problem in the format of compilers: file, line, column, message, JSON pointer.
#include "tendril/problem.h"

namespace tendril {

std::string describe(const Problem& problem, const std::string& file) {
  std::string text =
      file + ":" + std::to_string(problem.line) + ":" + std::to_string(problem.column) + ": " + problem.message;
  if (!problem.pointer.empty()) text += " (at " + problem.pointer + ")";
  return text;
}

}  // namespace tendril
