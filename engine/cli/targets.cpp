// Saved states and reports never begin like scenes, with a brace or a comment.
#include "cli/targets.h"

#include <filesystem>
#include <fstream>

#include "cli/arguments.h"

namespace tendril::cli {

namespace fs = std::filesystem;

bool isSameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error) && !error) return true;
  const fs::path first = fs::weakly_canonical(a, error);
  if (error) return false;
  const fs::path second = fs::weakly_canonical(b, error);
  return !error && first == second;
}

namespace {

bool looksLikeScene(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string begin(4096, '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  if (begin.compare(0, 3, "\xef\xbb\xbf") == 0) begin.erase(0, 3);
  const std::size_t first = begin.find_first_not_of(" \t\r\n");
  return first != std::string::npos && (begin[first] == '{' || begin[first] == '/');
}

}  // namespace

void refuseToReplace(const std::string& option, const std::string& target, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs)
    if (input != "-" && isSameFile(target, input))
      throw UsageError(option + " " + target + " would replace the scene " + input);
  if (looksLikeScene(target))
    throw UsageError(option + " " + target + " would replace what looks like a scene: was a name left out after " +
                     option + "? Remove the file if it is not needed");
}

}  // namespace tendril::cli
