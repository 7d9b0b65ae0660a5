// The exit codes of `tendril`, and their precedence. They are part of the contract with scripts and graders.
#pragma once

#include <initializer_list>

namespace tendril::cli {

enum ExitCode : int {
  exitDone = 0,
  exitCheckFailed = 1,   ///< `check` only
  exitBadInput = 2,      ///< nothing ran, nothing was written
  exitGaveUp = 3,        ///< the solver gave up; results up to then are kept and marked
  exitInterrupted = 130  ///< Ctrl-C or a termination request; results up to then are kept and marked
};

/// Of several scenes, the first of 2, 3, 1 that occurred.
inline int worseExit(int a, int b) {
  for (const int code : {static_cast<int>(exitInterrupted), static_cast<int>(exitBadInput),
                         static_cast<int>(exitGaveUp), static_cast<int>(exitCheckFailed)})
    if (a == code || b == code) return code;
  return exitDone;
}

}  // namespace tendril::cli
