// SA_RESETHAND gives the second signal its usual effect, so a program that hangs can still be ended from the keyboard.
#include "cli/interrupt.h"

#include <csignal>

namespace tendril::cli {

namespace {

volatile std::sig_atomic_t mark = 0;
struct sigaction formerInterrupt, formerTerminate;

void setMark(int) { mark = 1; }

}  // namespace

InterruptGuard::InterruptGuard() {
  mark = 0;
  struct sigaction action = {};
  action.sa_handler = setMark;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &formerInterrupt);
  sigaction(SIGTERM, &action, &formerTerminate);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &formerInterrupt, nullptr);
  sigaction(SIGTERM, &formerTerminate, nullptr);
}

bool InterruptGuard::interrupted() { return mark != 0; }

}  // namespace tendril::cli
