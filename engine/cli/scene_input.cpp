// Reads scenes and prints problems. All output here goes to stderr.
#include "cli/scene_input.h"

#include <cstdio>

#include "cli/atomic_file.h"
#include "text/document.h"

namespace tendril::cli {

SceneInput readScene(const std::string& path, const std::function<void()>& waiting) {
  return {path == "-" ? "<stdin>" : path, readWhole(path, text::Document::maximumText, waiting)};
}

void printProblems(const Problems& problems, const std::string& file) {
  for (const Problem& problem : problems) std::fprintf(stderr, "%s\n", printable(describe(problem, file)).c_str());
}

std::string describeWarning(const Problem& warning, const std::string& file) {
  Problem marked = warning;
  marked.message = "warning: " + marked.message;
  return describe(marked, file);
}

void printWarnings(const Problems& warnings, const std::string& file) {
  for (const Problem& warning : warnings)
    std::fprintf(stderr, "%s\n", printable(describeWarning(warning, file)).c_str());
}

std::string printable(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F are control characters of two bytes.
    const bool second = byte == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    if (byte >= 0x20 && byte != 0x7f && !second) {
      out += text[i];
      continue;
    }
    char code[8];
    std::snprintf(code, sizeof code, "\\x%02x",
                  static_cast<unsigned>(second ? static_cast<unsigned char>(text[++i]) : byte));
    out += code;
  }
  return out;
}

std::string counted(long count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

}  // namespace tendril::cli
