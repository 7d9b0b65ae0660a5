// One line that rewrites itself with a carriage return; in a file or pipe, now and then a line of its own.
#include "cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "cli/numbers.h"

namespace tendril::cli {

namespace {

constexpr double longestSilence = 60;  // [s] between lines where stderr is no terminal

std::string clockText(double seconds) {
  if (!(seconds < 100 * 3600.0)) return "days";
  const long s = static_cast<long>(seconds + 0.5);
  char text[32];
  if (s < 60)
    std::snprintf(text, sizeof text, "%ld s", s);
  else if (s < 3600)
    std::snprintf(text, sizeof text, "%ld:%02ld", s / 60, s % 60);
  else
    std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
  return text;
}

}  // namespace

std::string progressLine(const std::string& label, double start, double end, double time, long steps, double wall,
                         long iterations) {
  constexpr int width = 20;
  const double done = end > start ? std::clamp((time - start) / (end - start), 0.0, 1.0) : 1.0;
  const int filled = static_cast<int>(done * width);
  char percent[8];
  std::snprintf(percent, sizeof percent, "%3d%%", static_cast<int>(done * 100));
  std::string line = label.substr(0, 24) + " [" + std::string(filled, '#') + std::string(width - filled, '.') + "] " +
                     percent + " t = " + humanNumber(time, 4) + " of " + humanNumber(end, 4) + " s, " +
                     std::to_string(steps) + " steps";
  if (iterations > 0) line += ", this one after " + std::to_string(iterations) + " iterations";
  if (wall > 0 && time > start) line += ", x" + humanNumber((time - start) / wall, 3);
  if (done > 0) line += ", " + clockText(wall * (1 - done) / done) + " to go";
  return line.substr(0, 100);
}

ProgressBar::ProgressBar(std::string label, double start, double end)
    : label_(std::move(label)), start_(start), end_(end), terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() { erase(); }

void ProgressBar::show(double time, long steps, long iterations) {
  const Clock::time_point now = Clock::now();
  if (iterations == 0) stepBegun_ = now;
  if (now - stepBegun_ < std::chrono::seconds(1)) iterations = 0;
  const double wall = std::chrono::duration<double>(now - begun_).count();
  if (!terminal_) {
    if (wall < nextLine_) return;
    nextLine_ = wall + std::min(nextLine_, longestSilence);
    std::fprintf(stderr, "%s\n", progressLine(label_, start_, end_, time, steps, wall, iterations).c_str());
    return;
  }
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  std::fprintf(stderr, "\r%s\033[K", progressLine(label_, start_, end_, time, steps, wall, iterations).c_str());
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressBar::erase() {
  if (!drawn_) return;
  std::fprintf(stderr, "\r\033[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace tendril::cli
