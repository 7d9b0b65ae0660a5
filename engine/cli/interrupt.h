// Requests to end (Ctrl-C, a termination, a terminal that closes) as a question that a run asks: the first one stops it
// cleanly, the next one, half a second later or more, kills.
#pragma once

namespace tendril::cli {

/// What comes through while a guard is there: only marks are set by SIGINT, SIGTERM and SIGHUP. What was ignored
/// before, as under nohup, stays so. Guards may stand inside each other; the outermost one restores what was before.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool interrupted();
  /// Work that does not ask within 0.7 s of a request is not waited for: `keep`, which runs within a signal
  /// handler and may do only what is allowed there, saves what can be saved, and the program ends with exit code 130.
  static void waitNoLonger(void (*keep)());
  /// In a process that was split off: nothing is guarded there yet, a request ends it as it ends any, and nothing was
  /// asked of it.
  static void startAnew();
  /// From here on requests wait for as long as it takes: what was computed is being written.
  static void waitAgain();
};

/// Once, early: until a guard stands, and behind it, a request ends the program at once, with exit code 130 and a word:
/// there is nothing yet to keep.
void endAtOnceWhereUnguarded();

/// Once, first of all: a reader that is gone, a file that may grow no further and a stream that is closed become errors
/// of the write, not deaths.
void makeWritesFail();

}  // namespace tendril::cli
