// Scene files as the program reads them, and how their problems are printed.
#pragma once

#include <string>

#include "scene/problem.h"

namespace tendril::cli {

struct SceneInput {
  std::string name;  ///< as given; "<stdin>" for "-"
  std::string text;
};

/// Reads as far as a scene may go. Throws FileError.
SceneInput readScene(const std::string& path);

/// One line per problem on stderr: file:line:column: message.
void printProblems(const Problems& problems, const std::string& file);
/// The same, each marked "warning:".
void printWarnings(const Problems& warnings, const std::string& file);
/// "file:line:column: warning: message".
std::string describeWarning(const Problem& warning, const std::string& file);

/// "1 problem", "3 problems".
std::string counted(long count, const std::string& thing);

}  // namespace tendril::cli
