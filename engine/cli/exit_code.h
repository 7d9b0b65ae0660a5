// The exit codes of `tendril`, and which of several wins. They are part of the contract with scripts and graders.
#pragma once

namespace tendril::cli {

enum ExitCode : int {
  exitDone = 0,
  exitCheckFailed = 1,   ///< `check` only
  exitBadInput = 2,      ///< nothing ran, nothing was written
  exitGaveUp = 3,        ///< the solver gave up; what was computed until then is kept and says so
  exitInterrupted = 130  ///< Ctrl-C or a termination request; what was computed until then is kept and says so
};

/// Of several scenes the first of 2, 3, 1 that occurred.
inline int worseExit(int a, int b) {
  for (const int code : {static_cast<int>(exitInterrupted), static_cast<int>(exitBadInput),
                         static_cast<int>(exitGaveUp), static_cast<int>(exitCheckFailed)})
    if (a == code || b == code) return code;
  return exitDone;
}

}  // namespace tendril::cli
