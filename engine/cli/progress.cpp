// One line that is rewritten with a carriage return; in a file or pipe, a new line at least every two seconds.
#include "cli/progress.h"

#include <pthread.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <new>

#include "cli/numbers.h"
#include "cli/scene_input.h"

namespace tendril::cli {

namespace {

using Clock = std::chrono::steady_clock;

// Where stderr is not a terminal: lines of all bars share one pace, so that output never pauses for two seconds, even
// between loading and running. Tickers check four times a second.
constexpr std::chrono::milliseconds betweenLines{1500};
std::atomic<Clock::duration> lastLine{Clock::now().time_since_epoch()};  // first: the program's start

bool lineIsDue() { return Clock::now().time_since_epoch() - lastLine.load() >= betweenLines; }

void printLine(const std::string& line) {
  lastLine = Clock::now().time_since_epoch();
  std::fprintf(stderr, "%s\n", line.c_str());
}

std::string clockText(double seconds) {
  if (!(seconds < 100 * 3600.0)) return "days";
  const long s = std::lround(seconds);
  char text[32];
  if (s < 60)
    std::snprintf(text, sizeof text, "%ld s", s);
  else if (s < 3600)
    std::snprintf(text, sizeof text, "%ld:%02ld", s / 60, s % 60);
  else
    std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
  return text;
}

constexpr std::size_t longestLabel = 24;
constexpr std::size_t smallStack = 256 << 10;  // [bytes]

bool isTerminal() { return ::isatty(STDERR_FILENO) == 1; }

// A line longer than the terminal is wide would scroll it.
void overwrite(const std::string& line) {
  struct winsize size = {};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  std::fprintf(stderr, "\r%s\033[K", line.substr(0, known ? size.ws_col - 1u : 79u).c_str());
  std::fflush(stderr);
}

}  // namespace

std::string progressLine(const std::string& label, double start, double end, double time, long steps, double wall,
                         long iterations) {
  constexpr int width = 20;
  const double done = end > start ? std::clamp((time - start) / (end - start), 0.0, 1.0) : 1.0;
  const int filled = static_cast<int>(done * width);
  char percent[8];
  std::snprintf(percent, sizeof percent, "%3d%%", static_cast<int>(done * 100));
  std::string line = label.substr(0, longestLabel) + " [" + std::string(filled, '#') +
                     std::string(width - filled, '.') + "] " + percent + " t = " + humanNumber(time, 4) + " of " +
                     humanNumber(end, 4) + " s, " + std::to_string(steps) + " steps";
  if (iterations > 0) line += ", this one after " + std::to_string(iterations) + " iterations";
  if (wall > 0 && time > start) line += ", x" + humanNumber((time - start) / wall, 3);
  if (done > 0) line += ", " + clockText(wall * (1 - done) / done) + " to go";
  return line;
}

Ticker::Ticker(std::function<void()> tick) : tick_(std::move(tick)) {
  // Requests to end the program belong to the main thread, and the memory limit to the scene.
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before);
  pthread_attr_t small;
  ::pthread_attr_init(&small);
  ::pthread_attr_setstacksize(&small, smallStack);
  // If there is no memory for a thread, nothing ticks.
  runs_ = ::pthread_create(
              &thread_, &small,
              [](void* ticker) -> void* {
                static_cast<Ticker*>(ticker)->run();
                return nullptr;
              },
              this) == 0;
  ::pthread_attr_destroy(&small);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Ticker::run() {
  std::unique_lock lock(mutex_);
  try {
    while (!wake_.wait_for(lock, std::chrono::milliseconds(250), [this] { return over_; })) tick_();
  } catch (const std::bad_alloc&) {  // the scene will report it
  }
}

Ticker::~Ticker() {
  if (!runs_) return;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  wake_.notify_one();
  ::pthread_join(thread_, nullptr);
}

LoadingLine::LoadingLine(const std::string& label)
    : label_(printable(label).substr(0, longestLabel)), terminal_(isTerminal()) {
  ticker_.emplace([this] { tick(); });
}

LoadingLine::~LoadingLine() {
  ticker_.reset();
  if (!drawn_) return;
  std::fprintf(stderr, "\r\033[K");
  std::fflush(stderr);
}

void LoadingLine::tick() {
  const double wall = std::chrono::duration<double>(Clock::now() - begun_).count();
  if (terminal_ ? wall < 1 : !lineIsDue()) return;
  const std::string line = label_ + ": loading, " + clockText(wall);
  if (terminal_) {
    drawn_ = true;
    overwrite(line);
    return;
  }
  printLine(line);
}

ProgressBar::ProgressBar(const std::string& label, double start, double end)
    : label_(printable(label)), start_(start), end_(end), terminal_(isTerminal()), ticker_([this] {
        const std::lock_guard lock(mutex_);
        if (shown_) draw();
      }) {}

ProgressBar::~ProgressBar() {
  const std::lock_guard lock(mutex_);
  shown_ = false;
  clear();
}

void ProgressBar::show(double time, long steps, long iterations) {
  const std::lock_guard lock(mutex_);
  if (iterations == 0) stepBegun_ = Clock::now();
  time_ = time, steps_ = steps, iterations_ = iterations;
  shown_ = true;
  draw();
}

void ProgressBar::draw() {
  const Clock::time_point now = Clock::now();
  const long iterations = now - stepBegun_ < std::chrono::seconds(1) ? 0 : iterations_;
  const double wall = std::chrono::duration<double>(now - begun_).count();
  if (terminal_ ? now - last_ < std::chrono::milliseconds(100) : !lineIsDue()) return;
  last_ = now;
  const std::string line = progressLine(label_, start_, end_, time_, steps_, wall, iterations);
  if (terminal_) {
    overwrite(line);
    drawn_ = true;
    return;
  }
  printLine(line);
}

void ProgressBar::clear() {
  if (!drawn_) return;
  std::fprintf(stderr, "\r\033[K");
  std::fflush(stderr);
  drawn_ = false;
}

void ProgressBar::erase() {
  const std::lock_guard lock(mutex_);
  shown_ = false;  // until it is shown again
  clear();
}

}  // namespace tendril::cli
