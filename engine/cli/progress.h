// The progress bar: time, steps, real-time factor and time to go, on stderr. Where that is no terminal, a line after two
// seconds, and further ones at growing intervals.
#pragma once

#include <chrono>
#include <string>

namespace tendril::cli {

class ProgressBar {
 public:
  /// From `start` to `end` [s of the scene].
  ProgressBar(std::string label, double start, double end);
  ~ProgressBar();  ///< erases the line
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Redraws at most ten times a second. `iterations`: of the step at work, told once it has taken more than a second.
  void show(double time, long steps, long iterations = 0);
  /// Takes the line away, so that something else can be printed.
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  double start_, end_;
  bool terminal_, drawn_ = false;
  double nextLine_ = 2;  // [s] after the beginning
  Clock::time_point begun_ = Clock::now(), last_ = {}, stepBegun_ = begun_;
};

/// The line itself, at most 100 columns. `wall` seconds have passed since the run stood at `start`.
std::string progressLine(const std::string& label, double start, double end, double time, long steps, double wall,
                         long iterations = 0);

}  // namespace tendril::cli
