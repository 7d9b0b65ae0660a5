// The progress bar: time, steps, real-time factor and time to go, on stderr. Where that is no terminal, lines that come
// before two seconds are over, whatever is at work.
#pragma once

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace tendril::cli {

/// Calls `tick` a few times a second from a thread of its own, however long what is at work says nothing.
class Ticker {
 public:
  explicit Ticker(std::function<void()> tick);
  ~Ticker();  ///< `tick` is not called any more
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

/// While a scene is loaded, which may look for the equilibrium that it starts from: "loading", after a second or two.
class LoadingLine {
 public:
  explicit LoadingLine(std::string label);
  ~LoadingLine();  ///< erases the line
  LoadingLine(const LoadingLine&) = delete;
  LoadingLine& operator=(const LoadingLine&) = delete;

 private:
  void tick();
  using Clock = std::chrono::steady_clock;
  std::string label_;
  bool terminal_, drawn_ = false;
  Clock::time_point begun_ = Clock::now();
  std::optional<Ticker> ticker_;  // last, when all else is there
};

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
  void draw();
  void clear();
  std::string label_;
  double start_, end_;
  bool terminal_, drawn_ = false;
  Clock::time_point begun_ = Clock::now(), last_ = {}, stepBegun_ = begun_;
  std::mutex mutex_;  // of what is shown
  double time_ = 0;
  long steps_ = 0, iterations_ = 0;
  bool shown_ = false;
  Ticker ticker_;  // last, so that it ends first
};

/// The line itself. `wall` seconds have passed since the run stood at `start`.
std::string progressLine(const std::string& label, double start, double end, double time, long steps, double wall,
                         long iterations = 0);

}  // namespace tendril::cli
