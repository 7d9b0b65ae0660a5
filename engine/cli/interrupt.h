// Requests to end (Ctrl-C, a termination, a closed terminal), which a run polls: the first one stops it cleanly, the
// next one, at least half a second later, kills it.
#pragma once

namespace tendril::cli {

/// While a guard exists, SIGINT, SIGTERM and SIGHUP only set marks. Signals that were ignored, as under nohup, stay
/// ignored. Guards may be nested; the outermost one restores the previous handlers.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool interrupted();
  /// Work that does not poll within 0.7 s of a request is ended: `keep`, which runs within a signal handler and must be
  /// async-signal-safe, saves what it can, and the program ends with exit code 130.
  static void waitNoLonger(void (*keep)());
  /// In a forked process: no guard exists there yet, a request ends it by default, and none is pending.
  static void startAnew();
  /// From here on requests wait as long as necessary: results are being written.
  static void waitAgain();
};

/// Call once, early: outside of guards a request ends the program at once, with exit code 130 and a message, because
/// there is nothing to save.
void endAtOnceWhereUnguarded();

/// Call once, first of all: a closed pipe, a file at its size limit and a closed stream become write errors instead of
/// fatal signals.
void makeWritesFail();

}  // namespace tendril::cli
