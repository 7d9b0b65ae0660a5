// Prints a problem the way the command line and compilers do: file, line, column, message, JSON pointer.
#include "scene/problem.h"

namespace tendril {

std::string describe(const Problem& problem, const std::string& file) {
  std::string text =
      file + ":" + std::to_string(problem.line) + ":" + std::to_string(problem.column) + ": " + problem.message;
  if (!problem.pointer.empty()) text += " (at " + problem.pointer + ")";
  return text;
}

std::string clipped(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // inside a UTF-8 sequence
  return std::string(text.substr(0, end)) + "...";
}

}  // namespace tendril
