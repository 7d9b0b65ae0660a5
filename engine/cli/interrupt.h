// Ctrl-C and termination requests as a question that a run asks: the first one stops it cleanly, the second one kills.
#pragma once

namespace tendril::cli {

/// From its construction on the first SIGINT or SIGTERM only sets a mark; the destructor restores what was before.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  static bool interrupted();
};

}  // namespace tendril::cli
