// A shell or `timeout` often sends a request twice at once, to the process and to its group: the second is ignored.
#include "cli/interrupt.h"

#include <fcntl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "cli/exit_code.h"

namespace tendril::cli {

namespace {

constexpr std::array<int, 3> requests = {SIGINT, SIGTERM, SIGHUP};
constexpr double sameRequest = 0.5;  // [s]
constexpr long patience = 700;       // [ms] that work may continue without polling

int guards = 0;
volatile std::sig_atomic_t mark = 0;
volatile double markedAt = 0;  // [s]
void (*volatile keepNow)() = nullptr;
std::array<struct sigaction, 3> former;
struct sigaction formerAlarm;

// In a handler: a progress bar may be on the line.
void print(const char* words, std::size_t length) {
  constexpr char anew[] = "\r\033[K";
  [[maybe_unused]] ssize_t written = ::isatty(STDERR_FILENO) == 1 ? ::write(STDERR_FILENO, anew, sizeof anew - 1) : 0;
  written = ::write(STDERR_FILENO, words, length);
}

// In a handler: a plain system call where there is one.
void wakeAfter(long milliseconds) {
  struct itimerval once = {};
  once.it_value.tv_sec = milliseconds / 1000;
  once.it_value.tv_usec = static_cast<decltype(once.it_value.tv_usec)>(milliseconds % 1000 * 1000);
  ::setitimer(ITIMER_REAL, &once, nullptr);
}

// steady_clock, by an async-signal-safe call.
double secondsNow() {
  struct timespec t = {};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void setMark(int request) {
  if (mark == 0) {
    mark = 1;
    markedAt = secondsNow();
    if (keepNow) wakeAfter(patience);
  } else if (secondsNow() - markedAt > sameRequest) {
    std::signal(request, SIG_DFL);
    ::raise(request);
  }
}

void endNow(int) {
  if (!keepNow) return;
  keepNow();
  constexpr char words[] =
      "tendril: interrupted within a step that takes too long to wait for: rows and frames until then are kept\n";
  print(words, sizeof words - 1);
  ::_exit(exitInterrupted);
}

void endUnguarded(int) {
  constexpr char words[] = "tendril: interrupted before anything was computed\n";
  print(words, sizeof words - 1);
  ::_exit(exitInterrupted);
}

// The kernel sends this signal, from this process or from none, for a file that reached its size limit, where the write
// fails as well; from any other sender it is a request to end.
void endForOthers(int request, siginfo_t* info, void*) {
  if (info->si_pid == 0 || info->si_pid == ::getpid()) return;
  if (guards > 0) {
    setMark(request);
  } else {
    endUnguarded(request);
  }
}

void catchSignal(int number, void (*handler)(int), struct sigaction& before) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  for (const int request : requests) sigaddset(&action.sa_mask, request);  // a mark is set without interruption
  sigaddset(&action.sa_mask, SIGXFSZ);
  ::sigaction(number, nullptr, &before);
  if (number == SIGALRM || before.sa_handler != SIG_IGN) ::sigaction(number, &action, nullptr);
}

void restore() {
  if (guards == 0) return;
  InterruptGuard::waitAgain();
  for (std::size_t i = 0; i < requests.size(); ++i) ::sigaction(requests[i], &former[i], nullptr);
  ::sigaction(SIGALRM, &formerAlarm, nullptr);
  guards = 0;
}

}  // namespace

InterruptGuard::InterruptGuard() {
  if (guards++ > 0) return;
  mark = 0;  // earlier requests were for another guard
  for (std::size_t i = 0; i < requests.size(); ++i) catchSignal(requests[i], setMark, former[i]);
  catchSignal(SIGALRM, endNow, formerAlarm);
}

InterruptGuard::~InterruptGuard() {
  if (guards > 1 || mark != 0) {  // the program is already ending: an immediate repetition is the same request
    --guards;
    waitAgain();
  } else {
    restore();
  }
}

bool InterruptGuard::interrupted() { return mark != 0; }

void InterruptGuard::waitNoLonger(void (*keep)()) { keepNow = keep; }

void InterruptGuard::waitAgain() {
  keepNow = nullptr;
  wakeAfter(0);
}

void InterruptGuard::startAnew() {
  restore();
  for (const int request : requests) {
    struct sigaction now = {};
    ::sigaction(request, nullptr, &now);
    if (now.sa_handler == endUnguarded) std::signal(request, SIG_DFL);
  }
}

void endAtOnceWhereUnguarded() {
  struct sigaction unused;
  for (const int request : requests) catchSignal(request, endUnguarded, unused);
}

void makeWritesFail() {
  // Result files must not reuse the descriptor of a closed stream, or they would receive its messages.
  for (int stream = 0; stream <= STDERR_FILENO; ++stream)
    if (::fcntl(stream, F_GETFD) < 0) [[maybe_unused]]
      const int unused = ::open("/dev/null", O_RDONLY);
  std::signal(SIGPIPE, SIG_IGN);
  struct sigaction limit = {};
  limit.sa_sigaction = endForOthers;
  limit.sa_flags = SA_SIGINFO;
  for (const int request : requests) sigaddset(&limit.sa_mask, request);
  ::sigaction(SIGXFSZ, &limit, nullptr);
}

}  // namespace tendril::cli
