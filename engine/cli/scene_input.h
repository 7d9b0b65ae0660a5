// Scene files as read by the program, and how their problems are printed.
#pragma once

#include <functional>
#include <string>

#include "tendril/problem.h"

namespace tendril::cli {

struct SceneInput {
  std::string name;  ///< as given; "<stdin>" for "-"
  std::string text;
};

/// Reads up to the size limit of a scene; `waiting` as for readWhole. Throws FileError.
SceneInput readScene(const std::string& path, const std::function<void()>& waiting = {});

/// One line per problem on stderr: file:line:column: message.
void printProblems(const Problems& problems, const std::string& file);
/// The same, each marked "warning:".
void printWarnings(const Problems& warnings, const std::string& file);
/// "file:line:column: warning: message".
std::string describeWarning(const Problem& warning, const std::string& file);

/// Text of a scene for a terminal: control characters, which could move its cursor or hide lines, are escaped as
/// \\x1b.
std::string printable(const std::string& text);

/// "1 problem", "3 problems".
std::string counted(long count, const std::string& thing);

}  // namespace tendril::cli
