// The progress bar: time, steps, real-time factor and remaining time, on stderr. If that is not a terminal, lines that
// appear at least every two seconds.
#pragma once

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace tendril::cli {

/// Calls `tick` a few times a second from its own thread, however long the work takes.
class Ticker {
 public:
  explicit Ticker(std::function<void()> tick);
  ~Ticker();  ///< `tick` is no longer called
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

 private:
  void run();
  std::function<void()> tick_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false, runs_ = false;
  pthread_t thread_{};
};

/// While a scene is loading, which may include a search for the initial equilibrium: "loading", after a second or two.
class LoadingLine {
 public:
  explicit LoadingLine(const std::string& label);
  ~LoadingLine();  ///< erases the line
  LoadingLine(const LoadingLine&) = delete;
  LoadingLine& operator=(const LoadingLine&) = delete;

 private:
  void tick();
  using Clock = std::chrono::steady_clock;
  std::string label_;
  bool terminal_, drawn_ = false;
  Clock::time_point begun_ = Clock::now();
  std::optional<Ticker> ticker_;  // last, when everything else is initialized
};

class ProgressBar {
 public:
  /// From `start` to `end` [s of the scene].
  ProgressBar(const std::string& label, double start, double end);
  ~ProgressBar();  ///< erases the line
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Redraws at most ten times a second. `iterations`: of the current step, shown once it has taken more than a second.
  void show(double time, long steps, long iterations = 0);
  /// Erases the line, so that something else can be printed.
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  void draw();
  void clear();
  std::string label_;
  double start_, end_;
  bool terminal_, drawn_ = false;
  Clock::time_point begun_ = Clock::now(), last_ = {}, stepBegun_ = begun_;
  std::mutex mutex_;  // guards the displayed values
  double time_ = 0;
  long steps_ = 0, iterations_ = 0;
  bool shown_ = false;
  Ticker ticker_;  // last, so that it ends first
};

/// The text of the line. `wall` seconds have passed since the run was at `start`.
std::string progressLine(const std::string& label, double start, double end, double time, long steps, double wall,
                         long iterations = 0);

}  // namespace tendril::cli
