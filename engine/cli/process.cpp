// A fork without exec: the child is a copy of this program and does nothing but its work. Lines come back through a
// pipe. TENDRIL_NO_PROCESSES builds the variant for systems without fork.
#include "cli/process.h"

#if (defined(__unix__) || defined(__APPLE__)) && !defined(__EMSCRIPTEN__) && !defined(TENDRIL_NO_PROCESSES)

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

#include "cli/interrupt.h"

namespace tendril::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds grace(600);  // from the request to end to the kill
constexpr std::chrono::milliseconds look(50);    // between checks of clock and interrupts

void sendAll(int pipe, const std::string& line) {
  const std::string text = line + "\n";
  for (std::size_t done = 0; done < text.size();) {
    const auto count = ::write(pipe, text.data() + done, text.size() - done);
    if (count > 0)
      done += static_cast<std::size_t>(count);
    else if (errno != EINTR)
      ::_exit(1);  // the parent is gone
  }
}

// What a child that has no more memory says so with.
void* reserve = nullptr;
constexpr std::size_t reserveBytes = 64 << 10;  // below what is mapped apart, which would go back to the system

[[noreturn, maybe_unused]] void giveReserve() {  // sanitized programs have no limit
  std::free(reserve);
  reserve = nullptr;
  std::set_new_handler(nullptr);
  throw std::bad_alloc();
}

[[noreturn]] void beChild(int pipe, const std::function<void(const SendLine&)>& work, const ChildLimits& limits) {
  InterruptGuard::startAnew();
  if (!limits.interruptible)
    for (const int request : {SIGINT, SIGTERM, SIGHUP}) std::signal(request, SIG_IGN);
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
#ifndef __SANITIZE_ADDRESS__                        // whose shadow memory takes terabytes of addresses
  if (limits.bytes > 0 && limits.bytes < 0x1p62) {  // more is no limit, and exceeds the system's type
    reserve = std::malloc(reserveBytes);
    std::set_new_handler(giveReserve);
    const struct rlimit most = {static_cast<rlim_t>(limits.bytes), static_cast<rlim_t>(limits.bytes)};
    ::setrlimit(RLIMIT_AS, &most);
  }
#endif
  try {
    work([pipe](const std::string& line) { sendAll(pipe, line); });
  } catch (...) {
    std::fprintf(stderr, "tendril: internal error: an exception escaped from a child process\n");
    ::_exit(1);
  }
  std::fflush(stderr);
  ::_exit(0);  // skips this program's own cleanup, such as of files being written
}

/// Splits the input into lines.
class Lines {
 public:
  explicit Lines(const std::function<void(const std::string&)>& receive) : receive_(receive) {}
  /// False at the end of the pipe.
  bool read(int pipe) {
    char buffer[65536];
    const auto count = ::read(pipe, buffer, sizeof buffer);
    if (count < 0) return errno == EINTR;
    if (count == 0) return false;
    text_.append(buffer, static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = text_.find('\n', begin)) != std::string::npos; begin = end + 1)
      receive_(text_.substr(begin, end - begin));
    text_.erase(0, begin);
    return true;
  }

 private:
  const std::function<void(const std::string&)>& receive_;
  std::string text_;
};

/// A forked process and the pipe from it: both end with this object.
struct Child {
  ::pid_t number = 0;
  int pipe = -1;
  Child() = default;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pipe >= 0) ::close(pipe);
    if (number <= 0) return;
    ::kill(number, SIGKILL);
    wait();
  }
  /// Its status, once it has ended.
  int wait() {
    int status = 0;
    while (::waitpid(number, &status, 0) < 0 && errno == EINTR) {
    }
    number = 0;
    return status;
  }
};

std::string deathText(int status) {
  if (!WIFSIGNALED(status)) return "ended with code " + std::to_string(WEXITSTATUS(status));
  const int number = WTERMSIG(status);
  const bool killed = number == SIGKILL || number == SIGTERM || number == SIGXCPU;
  return std::string(killed ? "was killed" : "crashed") + " (" + ::strsignal(number) + ", signal " +
         std::to_string(number) + ")";
}

}  // namespace

bool haveProcesses() { return true; }

double machineMemory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? static_cast<double>(pages) * static_cast<double>(size) : 0;
}

ChildEnd runInChild(const std::function<void(const SendLine& send)>& work, const ChildLimits& limits,
                    const std::function<void(const std::string& line)>& receive,
                    const std::function<void(ChildEnd::How)>& ending) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error(std::string("no pipe to a child process: ") + std::strerror(errno));
  std::fflush(nullptr);  // the child must not inherit unprinted text
  Child child;
  child.pipe = ends[0];
  child.number = ::fork();
  if (child.number == 0) {
    ::close(ends[0]);
    beChild(ends[1], work, limits);
  }
  const int error = errno;
  ::close(ends[1]);
  if (child.number < 0) throw std::runtime_error(std::string("no child process: ") + std::strerror(error));
  ChildEnd result;
  Lines lines(receive);
  const Clock::time_point begun = Clock::now();
  Clock::time_point kill = Clock::time_point::max();
  const auto ask = [&](ChildEnd::How how) {
    result.how = how;
    ending(how);
    kill = Clock::now() + grace;
    ::kill(child.number, SIGTERM);
  };
  for (bool open = true; open;) {
    struct pollfd end = {child.pipe, POLLIN, 0};
    if (::poll(&end, 1, static_cast<int>(look.count())) > 0) open = lines.read(child.pipe);
    if (result.how == ChildEnd::How::done && open) {
      if (limits.interruptible && InterruptGuard::interrupted())
        ask(ChildEnd::How::interrupted);
      else if (limits.seconds && std::chrono::duration<double>(Clock::now() - begun).count() > *limits.seconds)
        ask(ChildEnd::How::outOfTime);
    }
    if (Clock::now() > kill) ::kill(child.number, SIGKILL);
  }
  const int status = child.wait();
  const bool ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (result.how == ChildEnd::How::done && !ended) {
    result.how =
        limits.interruptible && InterruptGuard::interrupted() ? ChildEnd::How::interrupted : ChildEnd::How::died;
    if (result.how == ChildEnd::How::died) result.reason = deathText(status);
  }
  return result;
}

}  // namespace tendril::cli

#else

namespace tendril::cli {

bool haveProcesses() { return false; }

double machineMemory() { return 0; }

ChildEnd runInChild(const std::function<void(const SendLine& send)>& work, const ChildLimits&,
                    const std::function<void(const std::string& line)>& receive,
                    const std::function<void(ChildEnd::How)>&) {
  work(receive);
  return {};
}

}  // namespace tendril::cli

#endif
